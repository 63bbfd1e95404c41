import type { Nodes, RootContent } from "mdast";
import type { Json } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import { lazy } from "../../lib/memo.js";
import type { JsxElement } from "../../page/content/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import { admits } from "../../site/audience.js";
import type { ApiConfig } from "../../site/config/index.js";
import { relativeHref } from "../../site/links/index.js";
import * as specs from "../../site/specs/index.js";
import { createSpecExcerpts, type SpecExcerpts } from "../downloads/spec-excerpt.js";
import type { Playground } from "../forms/playground.js";
import { createSampler, type Sampler } from "../samples/sample-value.js";
import type { SchemaReader } from "../schema/flat-schema.js";
import { createModelNames, findReused, type NamedModel, type OutlineModels } from "../schema/models.js";
import { createReferences, type References } from "../schema/references.js";
import { createFieldWriter, type FieldWriter } from "../schema/schema-fields.js";
import { createSchemaOutline, type SchemaOutline } from "../schema/schema-outline.js";
import { createSchemaReader } from "../schema/schema-reader.js";
import { type Anchors, type Claim, createAnchors } from "./anchors.js";
import type { Describer } from "./describe.js";
import type { Cuts } from "./nodes.js";
import { createPlaces, type FindPlace } from "./prose-anchors.js";

/** What all pages of a specification share. */
export interface SpecContext {
  /** Name of the specification in the targets of pages. */
  readonly key: string;
  readonly spec: ApiSpec;
  readonly entries: () => readonly specs.SpecEntry[];
  readonly tags: () => readonly specs.SpecTag[];
  /** The objects that the listed entries use, by pointer. */
  readonly objects: () => ReadonlyMap<string, specs.SpecObject>;
  readonly references: References;
  readonly reader: SchemaReader;
  readonly sampler: Sampler;
  readonly sharedIn: (messages: Messages) => SharedContents;
  /** The name of a schema object, as `createModelNames` gives it. */
  readonly modelOf: (schema: object) => NamedModel | undefined;
  /** See `findReused`. */
  readonly reusedSchemas: () => ReadonlySet<object>;
  /** Finds the page that an anchor in a description refers to. */
  readonly places: () => FindPlace;
  /** The part of the specification that a page is about. */
  readonly excerpt: SpecExcerpts;
}

/** Everything that the sections of one page need. */
export interface PageContext extends SpecContext {
  readonly api: ApiConfig;
  readonly messages: Messages;
  readonly describe: Describer;
  readonly playground: Playground;
  readonly outline: SchemaOutline;
  readonly shared: SharedContents;
  readonly models?: PageModels | undefined;
  readonly anchors: Anchors;
  /** Filled while the page is written. */
  readonly cuts: Cuts;
  readonly fields: FieldWriter;
  /** The address of the page about a part of the specification; undefined if there is none. */
  readonly pageOf: (target: specs.ApiTarget) => string | undefined;
  /** The file of that page, relative to the file of this page. */
  readonly fileOf: (target: specs.ApiTarget) => string | undefined;
  /** Another specification of the site, by its key. */
  readonly otherSpec: (key: string) => SpecContext | undefined;
}

/** Where structures that would make a page too large have pages. */
export interface ModelPlaces {
  /** Output path of the page that refers to them. */
  readonly from: string;
  /** Folder of the models of a specification in the language of the page; ends in a slash. */
  readonly folder: (spec: string) => string;
  /** Output path of the page that the site itself has of a part; undefined if it has none. */
  readonly pageOf?: (target: specs.ApiTarget) => string | undefined;
}

/** The pages of models that a page can refer to. */
export interface PageModels extends OutlineModels {
  /** The address of a file, relative to this page. */
  readonly hrefTo: (outputPath: string) => string;
  readonly folder: () => string;
}

/** Creating a writer adds its schemas to the outline; calling it, once the outline is open, returns the nodes. */
export type SectionWriter = () => RootContent[];

export function createPageContext(
  specContext: SpecContext,
  options: Pick<PageContext, "api" | "messages" | "describe" | "playground" | "pageOf" | "fileOf" | "otherSpec">,
  models?: PageModels,
): PageContext {
  const { api, messages, describe } = options;
  const { reader } = specContext;
  const anchors = createAnchors();
  return {
    ...specContext,
    ...options,
    outline: createSchemaOutline(reader, api.params.order, models),
    models,
    shared: specContext.sharedIn(messages),
    anchors,
    cuts: new Set(),
    fields: createFieldWriter({
      messages,
      reader,
      anchors,
      describe: describe.field,
      params: api.params,
      hrefOf: ({ outputPath }) => models?.hrefTo(outputPath) ?? "",
    }),
  };
}

/** With more operations than this, an API is large. */
const manyEntries = 100;

export function pageModels(
  { entries, modelOf, reader, reusedSchemas }: SpecContext,
  spec: string,
  { from, folder, pageOf: pathOfPage }: ModelPlaces,
): PageModels {
  const parent = lazy(() => folder(spec));
  return {
    isLargeApi: () => entries().length > manyEntries,
    pageOf(identity, skip) {
      const named = modelOf(identity);
      if (named === undefined) return undefined;
      const { pointer, name } = named;
      const title = reader.flatten(identity as Json).title?.trim() || named.title;
      const target = { kind: "model", spec, name: title, pointer, skip } as const;
      const planned = pathOfPage?.(target);
      if (planned !== undefined) return { outputPath: planned, title, target, isPlanned: true };
      return { outputPath: `${parent()}${name}${skip === 0 ? "" : `.${skip}`}.html`, title, target };
    },
    isReused: (identity) => reusedSchemas().has(identity),
    hrefTo: (outputPath) => relativeHref(from, outputPath),
    folder: parent,
  };
}

/** @param key of the specification in the targets of pages. */
export function createSpecContext(key: string, spec: ApiSpec): SpecContext {
  const references = createReferences(spec);
  const reader = createSchemaReader(references);
  const entries = lazy(() => specs.listEntries(spec, key).entries);
  const context: SpecContext = {
    key,
    spec,
    entries,
    objects: lazy(() => {
      const objects = specs.listObjects(spec, listedEntries({ entries, spec, references }), entries());
      return new Map(objects.map((object) => [object.pointer, object]));
    }),
    tags: lazy(() => specs.readTags(spec)),
    references,
    reader,
    sampler: createSampler(reader),
    sharedIn: sharedContentsByWords(),
    excerpt: createSpecExcerpts(spec, references),
    modelOf: createModelNames(spec, () => context.objects()),
    reusedSchemas: lazy(() => findReused(spec)),
    places: lazy(() => createPlaces(context)),
  };
  return context;
}

/** The entries that a list shows to the readers of the bundle. */
export function listedEntries({
  entries,
  spec,
  references,
}: Pick<SpecContext, "entries" | "spec" | "references">): readonly specs.SpecEntry[] {
  const closed = new Set(spec.closed);
  return entries().filter(
    ({ excluded, hidden, pointer, restrictions }) =>
      !excluded &&
      !hidden &&
      !closed.has(pointer) &&
      restrictions.every((restriction) => admits(restriction, references.audience)),
  );
}

function sharedContentsByWords(): SpecContext["sharedIn"] {
  const contentsByMessages = new Map<Messages, SharedContents>();
  return (messages) => {
    const contents = contentsByMessages.get(messages) ?? createSharedContents();
    contentsByMessages.set(messages, contents);
    return contents;
  };
}

/** Above this number, the whole cache is dropped: most content recurs only in neighbouring operations. */
const maxCachedNodes = 60_000;
/** Limit of variants of one content, which differ in the ids of their fields. */
const maxVariants = 4;
/** Deeper content is not shared, because later stages may cut it at some depth. */
const maxSharedDepth = 60;

type SharedContents = ReturnType<typeof createSharedContents>;

/** Contents of many pages, such as the fields of an error, as the same node, so that later stages reuse results. */
function createSharedContents() {
  let cache = new WeakMap<object, Map<string, { readonly node: RootContent; readonly claims: readonly Claim[] }[]>>();
  let cachedNodes = 0;
  return {
    /**
     * Returns the result of `write`, or of an earlier call for another page.
     *
     * @param schema of the content.
     * @param key everything else that the content depends on, apart from the ids of its fields.
     */
    of(schema: object, key: string, anchors: Anchors, write: () => RootContent[]): RootContent[] {
      const variants = cache.get(schema)?.get(key) ?? [];
      const cached = variants.find(({ claims }) => anchors.repeat(claims));
      if (cached) return [cached.node];
      const { result, claims } = anchors.record(write);
      const size = variants.length < maxVariants ? sizeOfSelfContained(result) : undefined;
      if (size === undefined) return result;
      if (cachedNodes > maxCachedNodes) {
        cache = new WeakMap();
        cachedNodes = 0;
      }
      cachedNodes += size;
      const node = fragment(result);
      cache.set(schema, (cache.get(schema) ?? new Map()).set(key, [...variants, { node, claims }]));
      return [node];
    },
  };
}

const fragment = (children: readonly RootContent[]): RootContent => {
  const node: JsxElement = {
    type: "mdxJsxFlowElement",
    name: null,
    attributes: [],
    children: children as never,
    data: { shared: true },
  };
  return node as RootContent;
};

const selfContained = new Set<string>(
  "blockquote break code delete emphasis inlineCode list listItem paragraph strong text thematicBreak".split(" "),
);
const components = new Set(["Expandable", "FieldNote", "ParamField", "Tab", "Tabs"]);

/** The number of nodes; undefined if one of them may depend on its page. */
function sizeOfSelfContained(nodes: readonly Nodes[], depth = 0): number | undefined {
  if (depth > maxSharedDepth) return undefined;
  let size = nodes.length;
  for (const node of nodes) {
    const inner = isSelfContained(node) ? sizeOfInner(node, depth + 1) : undefined;
    if (inner === undefined) return undefined;
    size += inner;
  }
  return size;
}

const isSelfContained = (node: Nodes): boolean =>
  node.position === undefined &&
  (node.type === "mdxJsxFlowElement" ? components.has(node.name ?? "") : selfContained.has(node.type));

function sizeOfInner(node: Nodes, depth: number): number | undefined {
  let size = "children" in node ? sizeOfSelfContained(node.children, depth) : 0;
  const props = node.data?.props;
  for (const name in props) {
    const value = props[name];
    if (size === undefined || typeof value !== "object" || value === null || !("children" in value)) continue;
    const inner = sizeOfSelfContained(value.children as readonly Nodes[], depth);
    size = inner === undefined ? undefined : size + inner;
  }
  return size;
}
