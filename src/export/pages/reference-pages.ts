import { hash } from "node:crypto";
import type { RootContent } from "mdast";
import { clientScripts, playgroundParts } from "../../bundle/assets/page-scripts.js";
import { specDownloads } from "../../bundle/outputs/spec-downloads.js";
import type { Location } from "../../lib/diagnostic/index.js";
import { fill, languageTag, type Messages, messagesFor, nearestLocale } from "../../lib/language/index.js";
import type { WaitForMain } from "../../lib/queue/serve-tasks.js";
import type { PageContent } from "../../page/content/index.js";
import { createReference, type ReferenceFile } from "../../reference/index.js";
import { parseEndpoint } from "../../site/discover/index.js";
import { relativeHref } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import { type ApiTarget, type LocateInSpec, openSpecs, type SpecPlan } from "../../site/specs/index.js";
import { apiLink } from "./api-pages.js";
import type { PageThread } from "./open-page-thread.js";

/** Adds to a page what its API specification describes, or a notice that the specification could not be fetched. */
export async function createReferencePages(
  thread: PageThread,
  readMarkdown: (text: string) => RootContent[],
  wait: WaitForMain | undefined,
) {
  const { site, bodySite, files, assets, apiPages, models, log } = thread;
  const { playground } = assets;
  const specs = openSpecs(site.specs, files, wait && askForLocations(wait, files));
  const reference = createReference({
    spec: specs,
    api: bodySite.config.api,
    readMarkdown,
    excerpts: bodySite.config.markdown.schema,
  });
  const planned = new Map(site.specs.map((spec) => [spec.key, spec]));
  /** A specification, and those that a document of workflows names. */
  const withSources = (key: string): ReadonlyMap<string, SpecPlan | undefined> => {
    const specs = new Map([[key, planned.get(key)]]);
    for (const spec of specs.values())
      for (const source of Object.values(spec?.sources ?? {}))
        if (!specs.has(source)) specs.set(source, planned.get(source));
    return specs;
  };
  const allDownloads = specDownloads(site);
  const hasSpecs = site.specs.length > 0;
  const schemaScripts = await clientScripts(["schemas"]);
  /** Loaded by pages that refer to models. */
  const modelScripts = hasSpecs ? await clientScripts(["schemas", "models"]) : [];
  const [anchorCode] = hasSpecs ? await clientScripts(["anchors"]) : [];
  const parts = hasSpecs ? await playgroundParts() : undefined;
  const describe = (content: PageContent, plan: PagePlan): PageContent => {
    const { language, outputPath } = plan;
    const tag = languageTag(language);
    const messages = messagesFor(tag);
    const ownTree = content.tree.children;
    if (plan.unavailableSpec !== undefined)
      return withTree(content, [...ownTree, notice(messages, plan.unavailableSpec)]);
    const downloads = plan.api && allDownloads.get(plan.api.spec);
    const pageAbout = (target: ApiTarget): PagePlan | undefined => {
      const link = apiLink(target, plan);
      const page = apiPages(link);
      log.note("about", link, page);
      return page;
    };
    const page = {
      messages,
      ...(downloads && { downloads: { from: outputPath, ...downloads } }),
      title: plan.title,
      description: plan.description,
      own: ownTree,
      playground: {
        display: plan.frontmatter["playground"],
        assets: playground && parts && { ...playground, words: playground.words[nearestLocale(tag)]!, ...parts },
      },
      pageOf: (target: ApiTarget) => pageAbout(target)?.urlPath,
      fileOf: (target: ApiTarget) => {
        const page = pageAbout(target);
        return page && relativeHref(outputPath, page.outputPath);
      },
      models: {
        from: outputPath,
        folder(spec: string) {
          const folder = models.folder(spec, language);
          log.note("models", [spec, language], folder);
          return folder;
        },
        pageOf: (target: ApiTarget) => pageAbout(target)?.outputPath,
      },
    };
    const described = plan.api ? reference.content(plan.api, page) : reference.written(endpointOf(plan), page);
    if (described === undefined) return content;
    const scripts = [
      ...(described.models ? modelScripts : described.hasFields ? schemaScripts : []),
      ...(described.anchors ? [anchorScript(described.anchors, anchorCode!.text)] : []),
    ];
    return {
      ...withTree(content, described.tree),
      diagnostics: [...content.diagnostics, ...described.diagnostics],
      files: [...described.files, ...scripts, ...(described.anchors ? [described.anchors] : [])],
      ...(described.models && { models: described.models }),
      ...(scripts.length > 0 && {
        scripts: [...(content.scripts ?? []), ...scripts.map((script) => script.outputPath)],
      }),
    };
  };
  return {
    content(own: PageContent, plan: PagePlan): PageContent {
      const content = describe(own, plan);
      // A specification is parsed once, but each page that shows it depends on it.
      if (plan.api) {
        for (const [key, spec] of withSources(plan.api.spec)) {
          log.note("spec", key, spec);
          if (spec) files.again?.(spec.source);
        }
        log.note("downloads", plan.api.spec, allDownloads.get(plan.api.spec));
      }
      return content;
    },
    specs,
  };
}

/** The main thread reads a specification for locations once, instead of each thread. */
function askForLocations(wait: WaitForMain, files: SiteFiles): LocateInSpec {
  const noted = new Set<string>();
  return (source, pointer) => {
    // A stored page with locations depends on the lines of the file.
    if (!noted.has(source) && files.has(source)) files.readText(source);
    noted.add(source);
    return wait("location", [source, pointer]) as Location;
  };
}

/** The script of an overview: the path of its table, then the code, which is the same for all. */
function anchorScript({ outputPath: table }: ReferenceFile, code: string): ReferenceFile {
  const text = `offprintAnchorTable=${JSON.stringify(table)};\n${code}`;
  return { outputPath: `_offprint/anchors/${hash("sha256", text).slice(0, 16)}.js`, text };
}

/** The endpoint of the front matter: one that the page describes itself, or an operation that no specification has. */
const endpointOf = ({ frontmatter: { api, openapi, authMethod, contentType } }: PagePlan) => {
  const named = typeof openapi === "string" ? parseEndpoint(openapi) : undefined;
  return { api: api ?? (named && `${named.method} ${named.name}`), authMethod, contentType };
};

const withTree = (content: PageContent, children: RootContent[]): PageContent => ({
  ...content,
  tree: { ...content.tree, children },
});

/** Says in the page's language that a specification could not be fetched. */
const notice = ({ specUnavailable }: Messages, source: string): RootContent => ({
  type: "mdxJsxFlowElement",
  name: "Warning",
  attributes: [],
  children: [{ type: "paragraph", children: [{ type: "text", value: fill(specUnavailable, source) }] }],
  data: { props: {} },
});
