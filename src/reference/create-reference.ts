import type { RootContent } from "mdast";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import { isContainer, type Json } from "../lib/json/index.js";
import type { Messages } from "../lib/language/index.js";
import { lazy } from "../lib/memo.js";
import type { ModelPage } from "../page/content/index.js";
import type { ApiSpec } from "../site/api-spec.js";
import type { ApiConfig } from "../site/config/index.js";
import { relativeHref } from "../site/links/index.js";
import { type ApiTarget, listEntries, readTags } from "../site/specs/index.js";
import { createSpecExcerpts } from "./downloads/spec-excerpt.js";
import { createPlayground, displayOf, type PlaygroundAssets, type ReferenceFile } from "./forms/playground.js";
import { specKinds } from "./kinds.js";
import { createDescriber, restOfDescription } from "./pages/describe.js";
import { bulletList, component, fence, inlineCode, link, text } from "./pages/nodes.js";
import { createPageContext, type PageContext, type PageModels, type SpecContext } from "./pages/page-context.js";
import { createSharedContents, type SharedContents } from "./pages/shared-contents.js";
import { subjectOf } from "./pages/subject.js";
import { createSampler } from "./samples/sample-value.js";
import { createModelNames, findReused } from "./schema/models.js";
import { createReferences } from "./schema/references.js";
import { maxDepth, maxFields } from "./schema/schema-outline.js";
import { createSchemaReader } from "./schema/schema-reader.js";
import type { WrittenEndpoint } from "./spec-kind.js";

export interface ReferenceOptions {
  /** The specification of a target; undefined if it could not be read, which is already reported. */
  readonly spec: (source: string) => ApiSpec | undefined;
  readonly api: ApiConfig;
  /** Reads untrusted Markdown as blocks: tags are not components, nothing is evaluated. */
  readonly readMarkdown: (text: string) => RootContent[];
  /** Whether to add the specification itself, for AI agents. */
  readonly excerpts: boolean;
}

export interface ReferencePage {
  /** Messages in the language of the page. */
  readonly messages: Messages;
  /** The description already shown under the title. */
  readonly description?: string;
  /** The page's own content, which comes first; its examples replace generated ones. */
  readonly own?: readonly RootContent[];
  /**
   * What its front matter says about the playground, and the files of the playground; without the files it has none.
   */
  readonly playground?: { readonly display: unknown; readonly assets: PlaygroundAssets | undefined };
  /** Output paths of the page, and of the files that readers can download of the specification. */
  readonly downloads?: { readonly from: string; readonly spec: string; readonly collection?: string };
  /** The address of the site's page about a part of a specification; undefined if it has none. */
  readonly pageOf?: (target: ApiTarget) => string | undefined;
  /** The file of that page, relative to the file of this page. */
  readonly fileOf?: (target: ApiTarget) => string | undefined;
  /** Where structures that would make the page too large have pages; absent: nowhere, so the page leaves them out. */
  readonly models?: {
    /** Output path of this page. */
    readonly from: string;
    /** Folder of the models of a specification in the language of the page; ends in a slash. */
    readonly folder: (spec: string) => string;
  };
}

export interface ReferenceContent {
  readonly tree: RootContent[];
  readonly diagnostics: readonly Diagnostic[];
  /** Files that the page loads when a reader opens the playground. */
  readonly files: readonly ReferenceFile[];
  /** Models that the page refers to, each with a page of its own. */
  readonly models?: readonly ModelPage[];
}

export interface Reference {
  /**
   * The content of a page of the API reference, as a tree of the content stage.
   *
   * Fails: what the specification lacks is left out; without a specification only the page's own content is returned. A
   *        page that would grow too large omits its deepest fields and reports it.
   */
  content(target: ApiTarget, page: ReferencePage): ReferenceContent;
  /** The same for a page that describes an endpoint with fields of its own; undefined if it names no endpoint. */
  written(endpoint: WrittenEndpoint, page: ReferencePage): ReferenceContent | undefined;
}

/** One for each thread; what is computed for a specification is shared by all its pages. */
export function createReference(options: ReferenceOptions): Reference {
  const describe = createDescriber(options.readMarkdown);
  const known = new Map<string, SpecContext | undefined>();
  const contextOf = (source: string): SpecContext | undefined => {
    if (known.has(source)) return known.get(source);
    const spec = options.spec(source);
    const context = spec && specContext(source, spec);
    known.set(source, context);
    return context;
  };

  const pageContext = (
    found: SpecContext,
    { messages, playground, pageOf = () => undefined, fileOf = () => undefined }: ReferencePage,
    models?: PageModels,
  ): PageContext => {
    const { api } = options;
    const offered = createPlayground(displayOf(playground?.display, api), playground?.assets);
    const own = { api, messages, describe, playground: offered, pageOf, fileOf, otherSpec: contextOf };
    return createPageContext(found, own, models);
  };

  /** The content of a page about a target. @param models absent: the page shows what it can. */
  const write = (found: SpecContext, target: ApiTarget, page: ReferencePage, models?: PageModels) => {
    const { own = [] } = page;
    const context = pageContext(found, page, models);
    const subject = subjectOf(context, target);
    if (subject === undefined) return undefined;
    context.outline.open(target.kind === "model");
    const generated = subject.write();
    const tree = [
      ...(subject.lead ?? []),
      ...generated.filter(isHeader),
      ...restOfDescription(subject.description, page.description, describe.page),
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
      const found = contextOf(target.spec);
      const written = found && write(found, target, page, page.models && pageModels(found, target.spec, page.models));
      if (written === undefined) return { tree: [...(page.own ?? [])], diagnostics: [], files: [] };
      const { tree, context, subject } = written;
      const { files } = context.playground;
      const diagnostics = context.outline.isCut() ? [tooLarge(context, subject.pointer)] : [];
      const models = context.outline.models();
      return { tree, diagnostics, files, ...(models.length > 0 && { models }) };
    },
    written(endpoint, page) {
      const { own = [] } = page;
      const written = specKinds.openapi?.writtenPage?.(endpoint, own, options.api);
      if (written === undefined) return undefined;
      const context = pageContext(specContext("", written.spec), page);
      const write = written.write(context);
      context.outline.open();
      const generated = write();
      const sections = generated.filter((node) => !isHeader(node) && !isExample(node));
      const tree = [
        ...generated.filter(isHeader),
        ...withExamples(own.toSpliced(written.insertAt, 0, ...sections), generated.filter(isExample)),
      ];
      return { tree, diagnostics: [], files: context.playground.files };
    },
  };
}

/** Operations of an API that is large. */
const manyEntries = 100;

function pageModels(
  { entries, modelOf, reader, reusedSchemas }: SpecContext,
  spec: string,
  { from, folder }: NonNullable<ReferencePage["models"]>,
): PageModels {
  const parent = lazy(() => folder(spec));
  return {
    isLargeApi: () => entries().length > manyEntries,
    pageOf(identity, skip) {
      const named = modelOf(identity);
      if (named === undefined) return undefined;
      const { pointer, name } = named;
      const title = reader.flatten(identity as Json).title?.trim() || named.title;
      const outputPath = `${parent()}${name}${skip === 0 ? "" : `.${skip}`}.html`;
      return { outputPath, title, target: { kind: "model", spec, name: title, pointer, skip } };
    },
    isReused: (identity) => reusedSchemas().has(identity),
    hrefTo: (outputPath) => relativeHref(from, outputPath),
    folder: parent,
  };
}

function specContext(key: string, spec: ApiSpec): SpecContext {
  const references = createReferences(spec);
  const reader = createSchemaReader(references);
  return {
    key,
    spec,
    entries: lazy(() => listEntries(spec, key).entries),
    tags: lazy(() => readTags(spec)),
    references,
    reader,
    sampler: createSampler(reader),
    sharedIn: sharedContentsByWords(),
    excerpt: createSpecExcerpts(spec, references),
    modelOf: createModelNames(spec),
    reusedSchemas: lazy(() => findReused(spec)),
  };
}

function sharedContentsByWords(): SpecContext["sharedIn"] {
  const known = new Map<Messages, SharedContents>();
  return (messages) => {
    const contents = known.get(messages) ?? createSharedContents();
    known.set(messages, contents);
    return contents;
  };
}

/** Links to the files of a specification. */
const downloadsNode = ({ from, spec, collection }: NonNullable<ReferencePage["downloads"]>): RootContent =>
  component("ApiDownloads", {
    spec: relativeHref(from, spec),
    collection: collection && relativeHref(from, collection),
  });

/** Only AI agents see this: the part as it is in the specification, and links to structures that other pages have. */
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
    { type: "heading", depth: 2, children: [text(specKinds[spec.format]?.name ?? "")] },
    fence("yaml", excerpt(pointers, new Set(elsewhere.keys()), isWhole)),
    ...(links.length > 0 ? [bulletList(links)] : []),
  ]);
}

const tooLarge = ({ spec }: PageContext, pointer: string): Diagnostic => ({
  code: "API_PAGE_TOO_LARGE",
  severity: "warning",
  what: `The schemas of this page have more than ${maxFields} fields or ${maxDepth} levels, the most that a page shows; the deepest fields are left out.`,
  location: spec.locationOf(pointer),
  fix: 'give large parts a page of their own, with "openapi-schema: User" in its front matter, or split the operation.',
});

const isComponent = (node: RootContent, name: string): boolean =>
  (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") && node.name === name;
const isHeader = (node: RootContent): boolean => isComponent(node, "ApiHeader");

const examples = ["RequestExample", "ResponseExample"];
const isExample = (node: RootContent): boolean => examples.some((name) => isComponent(node, name));

/**
 * Adds the generated examples that the page does not have itself, even within a panel. Requests come before responses.
 */
function withExamples(nodes: readonly RootContent[], made: readonly RootContent[]): RootContent[] {
  const missing = made.filter((each) => {
    const name = examples.find((one) => isComponent(each, one))!;
    return !nodes.some((node) => holds(node, name));
  });
  const requests = missing.filter((each) => isComponent(each, "RequestExample"));
  const at = nodes.findIndex((node) => isComponent(node, "ResponseExample"));
  if (at < 0) return [...nodes, ...missing];
  return [
    ...nodes.slice(0, at),
    ...requests,
    ...nodes.slice(at),
    ...missing.filter((each) => !requests.includes(each)),
  ];
}

const holds = (node: RootContent, name: string): boolean =>
  isComponent(node, name) ||
  ("children" in node &&
    node.data?.props !== undefined &&
    node.children.some((child) => holds(child as RootContent, name)));
