import type { RootContent } from "mdast";
import { type Diagnostic, warningOf } from "../lib/diagnostic/index.js";
import { isContainer } from "../lib/json/index.js";
import type { Messages } from "../lib/language/index.js";
import type { ModelPage } from "../page/content/index.js";
import type { ApiSpec } from "../site/api-spec.js";
import type { ApiConfig } from "../site/config/index.js";
import { relativeHref } from "../site/links/index.js";
import { type ApiTarget, isAboutSchema } from "../site/specs/index.js";
import { createPlayground, displayOf, type PlaygroundAssets, type ReferenceFile } from "./forms/playground.js";
import { referenceKinds } from "./kinds.js";
import { anchorFile } from "./pages/anchor-file.js";
import { createDescriber, restOfDescription } from "./pages/describe.js";
import { component, fence, inlineCode, link, listWith, text } from "./pages/nodes.js";
import {
  createPageContext,
  createSpecContext,
  type ModelPlaces,
  type PageContext,
  type PageModels,
  pageModels,
  type SpecContext,
} from "./pages/page-context.js";
import { withProseAnchors } from "./pages/prose-anchors.js";
import { subjectOf } from "./pages/subject.js";
import type { WrittenEndpoint } from "./reference-kind.js";
import { maxDepth, maxFields } from "./schema/schema-outline.js";

export interface ReferenceOptions {
  /** The specification of a target; undefined if it could not be read, which is already reported. */
  readonly spec: (source: string) => ApiSpec | undefined;
  readonly api: ApiConfig;
  /** Reads untrusted Markdown as blocks: tags are not components, nothing is evaluated. */
  readonly readMarkdown: (text: string) => RootContent[];
  /** Whether to add an excerpt of the specification for AI agents. */
  readonly excerpts: boolean;
}

export interface ReferencePage {
  readonly messages: Messages;
  readonly title?: string;
  /** The description already shown under the title. */
  readonly description?: string;
  /** The page's own content, which comes first; its examples replace generated ones. */
  readonly own?: readonly RootContent[];
  /** The page's front matter about the playground, and the playground's files; without files, there is none. */
  readonly playground?: { readonly display: unknown; readonly assets: PlaygroundAssets | undefined };
  /** Output paths of the page (`from`) and of the files that readers can download. */
  readonly downloads?: { readonly from: string; readonly spec: string; readonly collection?: string };
  /** The address of the site's page about a part of a specification; undefined if it has none. */
  readonly pageOf?: (target: ApiTarget) => string | undefined;
  /** The file of that page, relative to the file of this page. */
  readonly fileOf?: (target: ApiTarget) => string | undefined;
  /** Where large structures have pages of their own. If absent, the page leaves out what would make it too large. */
  readonly models?: ModelPlaces;
}

export interface ReferenceContent {
  readonly tree: RootContent[];
  readonly diagnostics: readonly Diagnostic[];
  /** Files that the page loads when a reader opens the playground. */
  readonly files: readonly ReferenceFile[];
  /** Models that the page refers to, each with a page of its own. */
  readonly models?: readonly ModelPage[];
  /** Whether it has sections of fields, which readers can filter. */
  readonly hasFields?: boolean;
  /** The table for anchors of other documentation systems. Only an overview has it. */
  readonly anchors?: ReferenceFile;
}

export interface Reference {
  /**
   * The content of a page of the API reference, as a tree of the content stage.
   *
   * Fails: parts that the specification lacks are left out; without a specification only the page's own content is
   *        returned. A page that would grow too large omits its deepest fields and reports it.
   */
  content(target: ApiTarget, page: ReferencePage): ReferenceContent;
  /** The content of a page whose author describes an endpoint; undefined if its front matter names none. */
  written(endpoint: WrittenEndpoint, page: ReferencePage): ReferenceContent | undefined;
}

/** Create one for each thread: pages share what is computed for their specification. */
export function createReference(options: ReferenceOptions): Reference {
  const describe = createDescriber(options.readMarkdown);
  const contexts = new Map<string, SpecContext | undefined>();
  const contextOf = (source: string): SpecContext | undefined => {
    if (contexts.has(source)) return contexts.get(source);
    const spec = options.spec(source);
    const context = spec && createSpecContext(source, spec);
    contexts.set(source, context);
    return context;
  };

  const pageContext = (
    specContext: SpecContext,
    { messages, playground, pageOf = () => undefined, fileOf = () => undefined }: ReferencePage,
    models?: PageModels,
  ): PageContext => {
    const { api } = options;
    const offered = createPlayground(displayOf(playground?.display, api), playground?.assets);
    const hrefOf = (fragment: string): string | undefined => {
      const place = specContext.places()(fragment);
      const url = place && (pageOf(place.target) ?? (place.otherwise && pageOf(place.otherwise)));
      return url && (place.heading === undefined ? url : `${url}#${place.heading}`);
    };
    const linked = withProseAnchors(describe, hrefOf);
    const facts = { api, messages, describe: linked, playground: offered, pageOf, fileOf, otherSpec: contextOf };
    return createPageContext(specContext, facts, models);
  };

  /** The content of a page about a target. @param models absent: the page leaves out what is too large. */
  const write = (specContext: SpecContext, target: ApiTarget, page: ReferencePage, models?: PageModels) => {
    const { own = [] } = page;
    const context = pageContext(specContext, page, models);
    const subject = subjectOf(context, target);
    if (subject === undefined) return undefined;
    context.outline.open(isAboutSchema(target));
    const generated = subject.write();
    const tree = [
      ...(subject.lead ?? []),
      ...generated.filter(isHeader),
      ...restOfDescription(subject.description, page, context.describe.page),
      ...withExamples(
        [...own, ...generated.filter((node) => !isHeader(node) && !isExample(node))],
        generated.filter(isExample),
      ),
      ...(page.downloads ? [downloadsNode(page.downloads)] : []),
      ...(options.excerpts && subject.excerpt ? [excerptNode(context, subject.excerpt, target.kind !== "model")] : []),
    ];
    return { tree, context, subject };
  };

  return {
    content(target, page) {
      const specContext = contextOf(target.spec);
      const written =
        specContext &&
        write(specContext, target, page, page.models && pageModels(specContext, target.spec, page.models));
      if (written === undefined) return { tree: [...(page.own ?? [])], diagnostics: [], files: [] };
      const { tree, context, subject } = written;
      const { files } = context.playground;
      const diagnostics = [
        ...(context.outline.isCut() ? [tooLarge(context, subject.pointer, fieldsCut)] : []),
        ...Array.from(context.cuts, (what) => tooLarge(context, subject.pointer, cutOf(what))),
      ];
      const models = context.outline.models();
      const hasFields = tree.some(isFieldSection);
      const anchors = target.kind === "overview" ? anchorFile(context) : undefined;
      return {
        tree,
        diagnostics,
        files,
        hasFields,
        ...(models.length > 0 && { models }),
        ...(anchors && { anchors }),
      };
    },
    written(endpoint, page) {
      const { own = [] } = page;
      const written = referenceKinds.openapi?.writtenPage?.(endpoint, own, options.api);
      if (written === undefined) return undefined;
      const context = pageContext(createSpecContext("", written.spec), page);
      const write = written.write(context);
      context.outline.open();
      const generated = write();
      const sections = generated.filter((node) => !isHeader(node) && !isExample(node));
      const tree = [
        ...generated.filter(isHeader),
        ...withExamples(own.toSpliced(written.insertAt, 0, ...sections), generated.filter(isExample)),
      ];
      return { tree, diagnostics: [], files: context.playground.files, hasFields: tree.some(isFieldSection) };
    },
  };
}

const downloadsNode = ({ from, spec, collection }: NonNullable<ReferencePage["downloads"]>): RootContent =>
  component("ApiDownloads", {
    spec: relativeHref(from, spec),
    collection: collection && relativeHref(from, collection),
  });

/** For AI agents only: the parts as the specification writes them, and links to structures on other pages. */
function excerptNode(
  { spec, excerpt, outline, models }: PageContext,
  pointers: readonly string[],
  isWhole: boolean,
): RootContent {
  const elsewhere = new Map<object, ModelPage>();
  for (const model of outline.models()) {
    const schema = spec.resolve(model.target.pointer);
    if (schema !== undefined && isContainer(schema) && !outline.isShown(schema)) elsewhere.set(schema, model);
  }
  const links = [...elsewhere.values()].map(({ outputPath, target: { pointer } }) => [
    link(models!.hrefTo(outputPath.replace(/\.html$/, ".md")), inlineCode(pointer)),
  ]);
  return component("Visibility", { for: "agents" }, [
    { type: "heading", depth: 2, children: [text(referenceKinds[spec.format]?.name ?? "")] },
    fence("yaml", excerpt(pointers, new Set(elsewhere.keys()), isWhole)),
    ...listWith(links),
  ]);
}

interface PageCut {
  readonly what: string;
  readonly fix: string;
}

const fieldsCut: PageCut = {
  what: `The schemas on this page exceed the limit of ${maxFields} fields or ${maxDepth} levels, so the deepest fields are left out.`,
  fix: 'move large parts to separate pages that have "openapi-schema: User" in their front matter, or split the operation.',
};
const cutOf = (what: string): PageCut => ({
  what: `This page does not show everything: ${what}.`,
  fix: "shorten it, or move a part to another page of the site.",
});

const tooLarge = ({ spec }: PageContext, pointer: string, cut: PageCut): Diagnostic => ({
  ...warningOf("API_PAGE_TOO_LARGE"),
  ...cut,
  location: spec.locationOf(pointer),
});

const isComponent = (node: RootContent, name: string): boolean =>
  (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") && node.name === name;
const isHeader = (node: RootContent): boolean => isComponent(node, "ApiHeader");

const isFieldSection = (node: RootContent): boolean =>
  isComponent(node, "ApiSection") && node.data?.props?.["fields"] === true;

const examples = ["RequestExample", "ResponseExample"];
const isExample = (node: RootContent): boolean => examples.some((name) => isComponent(node, name));

/** Adds generated examples, unless the page itself has some, even inside a panel. Requests come before responses. */
function withExamples(nodes: readonly RootContent[], generated: readonly RootContent[]): RootContent[] {
  const missing = generated.filter((example) => {
    const name = examples.find((exampleName) => isComponent(example, exampleName))!;
    return !nodes.some((node) => holds(node, name));
  });
  const requests = missing.filter((example) => isComponent(example, "RequestExample"));
  const at = nodes.findIndex((node) => isComponent(node, "ResponseExample"));
  if (at < 0) return [...nodes, ...missing];
  return [
    ...nodes.slice(0, at),
    ...requests,
    ...nodes.slice(at),
    ...missing.filter((example) => !requests.includes(example)),
  ];
}

const holds = (node: RootContent, name: string): boolean =>
  isComponent(node, name) ||
  ("children" in node &&
    node.data?.props !== undefined &&
    node.children.some((child) => holds(child as RootContent, name)));
