import { hash } from "node:crypto";
import { publishedPages } from "../../bundle/outputs/llms.js";
import { pointerTo } from "../../lib/json/index.js";
import { lazy } from "../../lib/memo.js";
import { accordionSlug } from "../../lib/url/index.js";
import type { ModelPage } from "../../page/content/index.js";
import { freeFolder } from "../../site/links/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import { type ApiTarget, objectBoost } from "../../site/specs/index.js";

/** A link to a part of a specification from the page at an output path. */
type ApiLink = readonly [part: string, from: string];

export const apiLink = (target: ApiTarget, { outputPath }: Pick<PagePlan, "outputPath">): ApiLink => [
  partOf(target),
  outputPath,
];

/** Key of a part. It leaves out a model's name, since the link, the model's page and a page file may name it differently. */
const partOf = (target: ApiTarget): string =>
  JSON.stringify(
    target.kind === "schema"
      ? {
          kind: "model",
          spec: target.spec,
          name: "",
          pointer: pointerTo("components", "schemas", target.name),
          skip: 0,
        }
      : target.kind === "model"
        ? { ...target, name: "" }
        : target,
  );

/** Finds the page about a part: in the division of the page with the link, else in its language, else the first. */
export function createApiPages({ pages }: Site): (link: ApiLink) => PagePlan | undefined {
  const byPart = lazy(() =>
    Map.groupBy(
      pages.filter(({ api }) => api !== undefined),
      ({ api }) => partOf(api!),
    ),
  );
  const byPath = lazy(() => new Map(pages.map((page) => [page.outputPath, page])));
  return ([part, from]) => {
    const candidates = byPart().get(part) ?? [];
    const page = candidates.length > 1 ? byPath().get(from) : undefined;
    return (
      candidates.find(({ division }) => division === page?.division) ??
      candidates.find(({ language }) => language === page?.language) ??
      candidates[0]
    );
  };
}

/** A page for a structure of an API that would make other pages too large. Unless `isPlanned`, the site's plan lacks it. */
export interface ModelTask extends ModelPage {
  /** Index of the first page about the same specification in the same language. */
  readonly sibling: number;
}

/** Addresses and plans of the pages of models. */
export function createModelPages(site: Site) {
  const root = lazy(() => freeFolder(site, "models"));
  const folder = (spec: string, language: string | undefined): string => {
    const parts = [root(), ...(language === undefined ? [] : [language])];
    if (site.specs.length > 1) parts.push(`${accordionSlug(spec).slice(0, 40)}-${hash("sha256", spec).slice(0, 6)}`);
    return `${parts.join("/")}/`;
  };
  const siblings = new Map<string, number>();
  const siblingOf = ({ api, language }: PagePlan): number => {
    const key = JSON.stringify([api?.spec, language]);
    const sibling =
      siblings.get(key) ?? site.pages.findIndex((page) => page.api?.spec === api?.spec && page.language === language);
    siblings.set(key, sibling);
    return sibling;
  };
  return {
    folder,
    /** The models whose fields a page loads. */
    tasks: (plan: PagePlan, models: readonly ModelPage[] = []): ModelTask[] =>
      models.map((model) => ({ ...model, sibling: siblingOf(plan) })),
    /** The page is in the site's search and in `llms-full.txt`, but neither in the navigation nor in lists of pages. */
    plan({ outputPath, title, target, sibling }: ModelTask): PagePlan {
      const { sourcePath, division, language, version, inDefaultScope, breadcrumbs, searchable } = site.pages[sibling]!;
      return {
        index: -1,
        sourcePath,
        api: target,
        generated: { text: "" },
        urlPath: `/${outputPath.replace(/\.html$/, "")}`,
        outputPath,
        frontmatter: {},
        title,
        deprecated: false,
        listed: false,
        visible: false,
        indexed: false,
        searchable,
        noindex: true,
        boost: objectBoost,
        contextual: { options: [], display: "header" },
        division,
        breadcrumbs: breadcrumbs.slice(0, 1),
        ...(language === undefined ? {} : { language }),
        ...(version === undefined ? {} : { version }),
        inDefaultScope,
        directory: { style: "none", pages: [] },
      };
    },
  };
}

/** Collects the models that published pages refer to. `opened` has pages whose fields some page loads. */
export function createPublishedModels(site: Site) {
  const published = new Set(publishedPages(site));
  const reached = new Map<string, ModelTask>();
  const next = new Map<string, readonly ModelTask[]>();
  const opened = new Set<string>();
  /** Adds the models that have a page in the site's plan to `opened`. @returns the models that have none */
  const open = (models: readonly ModelTask[]): readonly ModelTask[] =>
    models.filter(({ isPlanned, outputPath }) => !(isPlanned && opened.add(outputPath)));
  return {
    opened,
    addPage(index: number, models: readonly ModelTask[]): void {
      const unplanned = open(models);
      if (unplanned.length > 0 && published.has(site.pages[index]!))
        for (const model of unplanned) reached.set(model.outputPath, model);
    },
    addModel: ({ outputPath }: ModelTask, models: readonly ModelTask[]): void =>
      void next.set(outputPath, open(models)),
    /** After all pages and models, by address. */
    plans(): PagePlan[] {
      // The map grows while it is iterated, since models refer to other models.
      for (const path of reached.keys()) for (const model of next.get(path) ?? []) reached.set(model.outputPath, model);
      const { plan } = createModelPages(site);
      return [...reached.values()].sort((a, b) => (a.outputPath < b.outputPath ? -1 : 1)).map(plan);
    },
  };
}

export const modelScriptPath = (outputPath: string): string => outputPath.replace(/\.html$/, ".js");

/**
 * The fields of a model as a classic script, because pages opened from disk can load nothing else. Undefined for an error
 * page, which has no fields: other pages then link to it.
 *
 * @param html the document of the model's page, as `writeHtml` writes it
 */
export function modelScript(html: string): string | undefined {
  const tag = /<(\/?)section\b/g;
  const start = html.indexOf('<section class="api-section"');
  if (start < 0) return undefined;
  tag.lastIndex = start;
  let depth = 0;
  do depth += tag.exec(html)?.[1] === "" ? 1 : -1;
  while (depth > 0);
  return `offprintModel(${JSON.stringify(`${html.slice(start, tag.lastIndex)}>`)});\n`;
}
