import type { RootContent } from "mdast";
import { entriesAt, isObject, isTrueAt, textAt } from "../../lib/json/index.js";
import { accordionSlug } from "../../lib/url/index.js";
import { foldsAround, sectionId } from "../pages/anchors.js";
import * as md from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { bodyFence } from "../samples/body-text.js";
import { distinctExamples, generatedBody, withinRoom } from "../samples/sample-panel.js";
import { exampleNotes, fieldNotes, formatNote, furtherTexts, headNotes } from "../schema/field-notes.js";
import type { FlatSchema } from "../schema/flat-schema.js";
import { plainRefOf } from "../schema/references.js";
import type { FieldSite } from "../schema/schema-fields.js";
import { coreOf, type Direction, hasWords } from "../schema/schema-inside.js";
import type { SchemaNode } from "../schema/schema-outline.js";
import { typeLabel, valueTypes } from "../schema/type-label.js";
import { isForm, isMultipart, itemEncodings, type MediaType, preferredMedia } from "./media-type.js";
import {
  isSuccess,
  linkList,
  type OperationResponse,
  objectLink,
  objectsLink,
  type RequestBody,
  readHeaders,
} from "./operation.js";
import { parameterList } from "./parameter-sections.js";
import { formField, styleExample } from "./write-parameter.js";

/**
 * The body of a request under its heading.
 *
 * @param callback name of the callback that it belongs to.
 * @param samples media types whose examples are all in the sample panel.
 * @param isSampled whether the panel has a generated sample, which shows the first example.
 * @param about the description of its operation.
 */
export function requestBodySection(
  context: PageContext,
  body: RequestBody | undefined,
  {
    callback,
    samples = [],
    isSampled = true,
    about,
  }: {
    readonly callback?: string;
    readonly samples?: readonly MediaType[];
    readonly isSampled?: boolean;
    readonly about?: string | undefined;
  } = {},
): SectionWriter {
  if (body === undefined) return () => [];
  const { messages, describe } = context;
  const section = sectionId("body", callback);
  const site = { section, qualifier: callback ?? "body", folds: foldsAround(callback) };
  const content = bodyContent(context, body.content, "request", site, [about, body.description]);
  const nested = callback !== undefined || undefined;
  const fields = !nested;
  const subtitle = [content.subtitle, body.required ? messages.required : ""].filter(Boolean).join(" · ") || undefined;
  return () => [
    md.component("ApiSection", { title: messages.body, id: section, subtitle, nested, fields }, [
      ...describe.field(body.description),
      ...content.write(),
      ...exampleFences(context, body.content, samples, isSampled),
    ]),
  ];
}

/**
 * All responses by status under one heading.
 *
 * @param callback name of the callback that they answer.
 * @param shown the responses of other requests of the page, by their bodies. A response with one of these bodies refers to it.
 */
export function responsesSection(
  context: PageContext,
  responses: readonly OperationResponse[],
  callback?: string,
  shown?: Map<string, ShownResponse>,
): SectionWriter {
  if (responses.length === 0) return () => [];
  const { messages } = context;
  const prefix = callback === undefined ? "" : `${callback} `;
  const id = sectionId("response", callback);
  const isOne = responses.length === 1;
  const own = new Map<string, ShownResponse>();
  const writers = responses.map((response) => {
    const section = isOne ? id : `${id}-${accordionSlug(response.status)}`;
    const title = prefix + response.status;
    // Bodies of several structures would fill a page with tabs, so equal ones are shown once.
    const isSeveral = response.content.length > 1 && groupsOfMedia(response.content, context).length > 1;
    const content = (shown || isSeveral) && response.content.length > 0 ? JSON.stringify(response.content) : "";
    const same = shown?.get(content) ?? (isSeveral ? own.get(content) : undefined);
    if (content !== "" && !own.has(content)) own.set(content, { section, title });
    const site = { section, qualifier: title, folds: foldsAround(callback) };
    return { response, section, ...responseContent(context, response, site, isOne, same) };
  });
  for (const [body, response] of own) if (!shown?.has(body)) shown?.set(body, response);
  return () => {
    const [only] = writers;
    const subtitle = isOne ? [only!.response.status, only!.types].filter(Boolean).join(" · ") : undefined;
    const tabs = () => writers.map(({ response, section, write }) => md.tab(response.status, write(), section));
    const opened = responses.findIndex(isSuccess);
    const props = { className: "api-statuses", defaultTabIndex: opened > 0 ? opened : undefined };
    const children = [...(isOne ? only!.write() : [md.component("Tabs", props, tabs())]), ...objectsLink(context)];
    const nested = callback !== undefined || undefined;
    return [md.component("ApiSection", { title: messages.response, id, subtitle, nested, fields: !nested }, children)];
  };
}

interface ShownResponse {
  readonly section: string;
  readonly title: string;
}

function responseContent(
  context: PageContext,
  { status, description, headers, content, links }: OperationResponse,
  site: FieldSite,
  isOnly: boolean,
  same?: ShownResponse,
): { readonly types: string | undefined; readonly write: SectionWriter } {
  const { messages, describe } = context;
  const body = same
    ? { subtitle: namesOf(content), write: () => sameBody(context, same) }
    : bodyContent(context, content, "response", site, [description]);
  const isEmpty = /^(?:204|205|304)$/.test(status) && content.length === 0;
  const writeHeaders = parameterList(context, headers, { ...site, qualifier: `${site.qualifier} header` });
  return {
    types: body.subtitle,
    write: () => [
      ...describe.field(description),
      // A single response has its media types in the heading.
      ...(isOnly || body.subtitle === undefined ? [] : md.fieldNote(undefined, [md.inlineCode(body.subtitle)])),
      ...md.expandable(messages.headers, writeHeaders()),
      ...body.write(),
      ...md.expandable(messages.examples, exampleTexts(context, content)),
      ...(isEmpty ? md.fieldNote(undefined, [md.text(messages.noBody)]) : []),
      ...linkList(context, links),
    ],
  };
}

const sameBody = ({ messages }: PageContext, { section, title }: ShownResponse): RootContent[] =>
  md.fieldNote(undefined, md.phraseWith(messages.sameAttributes, md.link(`#${section}`, md.inlineCode(title))));

interface BodyContent {
  /** The media types, if one description covers them all. */
  readonly subtitle: string | undefined;
  readonly write: SectionWriter;
}

/** A body's content, in tabs if its media types differ. @param shown descriptions that it does not repeat. */
export function bodyContent(
  context: PageContext,
  content: readonly MediaType[],
  direction: Direction,
  site: FieldSite,
  shown: readonly (string | undefined)[] = [],
): BodyContent {
  const described = content.filter(({ schema }) => schema !== undefined);
  const nodes = groupsOfMedia(described, context).map((medias) => {
    const media = medias.find(isEncoded) ?? medias[0]!;
    const node = context.outline.add(media.schema!, direction);
    const description = node.flat.description ?? node.core.description;
    const isRepeated = description !== undefined && shown.some((text) => text?.trim() === description.trim());
    return { media, medias, node, isRepeated, encoding: encodingNotes(context, media, node.flat, site) };
  });
  const [first, ...others] = nodes;
  if (first === undefined) return { subtitle: namesOf(content), write: () => [] };
  if (others.length === 0)
    return {
      subtitle: namesOf(content),
      write: () => [
        ...objectLink(context, first.node),
        ...sharedContent(context, first.node, { direction, site, ...first }),
      ],
    };
  return {
    // Types without a schema have no tab.
    subtitle: namesOf(content.filter(({ schema }) => schema === undefined)),
    write: () => {
      const tabs = nodes.map(({ media, medias, node, isRepeated, encoding }) => {
        const mediaSite = { ...site, qualifier: `${site.qualifier} ${media.type}` };
        const title = namesOf(medias)!;
        const fields = schemaContent(context, node, { direction, site: mediaSite, isRepeated, encoding });
        return md.tab(title, [...objectLink(context, node), ...fields]);
      });
      return [md.component("Tabs", { className: "api-media-types" }, tabs)];
    },
  };
}

/** Groups media types by schema, so that a schema is shown and counted once, unless they encode it differently. */
function groupsOfMedia(content: readonly MediaType[], { reader }: PageContext): MediaType[][] {
  const groups = Map.groupBy(content, ({ schema }) => (schema && reader.flatten(schema).identity) ?? schema);
  return [...groups.values()].flatMap((group) => {
    const encodings = new Set(group.filter(isEncoded).map(encodingKey));
    return encodings.size > 1 ? [...Map.groupBy(group, encodingKey).values()] : [group];
  });
}
const encodingKey = ({ encoding, itemEncoding }: MediaType): string => JSON.stringify([encoding, [...itemEncoding]]);
const isEncoded = ({ encoding, itemEncoding }: MediaType): boolean =>
  Object.keys(encoding).length + itemEncoding.size > 0;

const namesOf = (content: readonly MediaType[]): string | undefined =>
  content.length === 0 ? undefined : content.map(({ type }) => type).join(" · ");

export interface ContentFacts {
  readonly direction: Direction;
  readonly site: FieldSite;
  /** The media type of the content, if several pages can share it. */
  readonly media?: MediaType;
  readonly encoding?: EncodingNotes | undefined;
  /** The name that fields below use to refer to it, if the schema has none. */
  readonly name?: string;
  /** Its title and its description are shown above. */
  readonly isDescribed?: boolean;
  /** A text above it says the same as its description. */
  readonly isRepeated?: boolean;
}

/** Shares the content between all pages whose bodies have this schema, unless a page leaves out a part of it. */
function sharedContent(context: PageContext, node: SchemaNode, facts: ContentFacts): RootContent[] {
  const { anchors, models, outline, references, shared } = context;
  const { direction, site, media, isRepeated, encoding } = facts;
  const write = (): RootContent[] => schemaContent(context, node, facts);
  const schema = media?.schema;
  if (node.inside?.kind !== "open" || !outline.isIndependent() || !isObject(schema) || encoding) return write();
  const target = plainRefOf(schema) === undefined ? schema : references.follow(schema);
  if (!isObject(target)) return write();
  const folder = outline.isLarge() ? models?.hrefTo(models.folder()) : undefined;
  const key = JSON.stringify([direction, site.section, site.qualifier, node.flat.refName, folder, isRepeated]);
  return shared.of(target, key, anchors, write);
}

/** The fields of a body; if it is not an object, its type. */
export function schemaContent(
  context: PageContext,
  node: SchemaNode,
  { direction, site, encoding, name, isDescribed = false, isRepeated = false }: ContentFacts,
): RootContent[] {
  const { fields, describe, messages, reader } = context;
  const { flat, core, inside } = node;
  const notes = encoding?.(inside?.kind === "open" ? inside.fields.map(({ name }) => name) : []);
  if (inside === undefined && direction === "request")
    return [fields.field({ name: "body", required: false, notes: notes?.whole ?? [] }, node, site)];
  const description = isDescribed || isRepeated ? undefined : (flat.description ?? core.description);
  const type = typeLabel(flat, reader);
  const hasOptions = inside?.kind === "open" && inside.unions.length > 0 && type === "object";
  const isPlainObject =
    inside?.kind === "open" && flat === core && (inside.fields.length > 0 || hasOptions) && !flat.nullable;
  // Only the type says the title of a schema that is no component.
  const isTitled = isDescribed || flat.refName !== undefined;
  const isTypeShown = !isPlainObject || (!isTitled && hasWords(flat.title));
  return [
    ...headNotes(flat, isTypeShown ? type : undefined, messages),
    ...describe.field(description),
    ...furtherTexts(`${isTitled && flat.title} ${type} ${flat.description ?? core.description}`, node).flatMap(
      describe.field,
    ),
    ...formatNote(node, type),
    // The samples show the first example of a whole body.
    ...fieldNotes(node, messages, exampleNotes(flat.examples.slice(1), messages)),
    ...(notes?.whole ?? []),
    ...fields.content(
      node,
      site,
      { id: site.section, name: flat.title ?? name ?? flat.refName ?? messages.body },
      notes?.of,
    ),
    ...fields.rules(node, site),
  ];
}

/** How the parts of a body are sent, if the document says so. @param fields names of the shown fields. */
type EncodingNotes = (fields: readonly string[]) => {
  /** Notes on items that are not fields. */
  readonly whole: readonly RootContent[];
  readonly of: (field: string) => readonly RootContent[];
};

function encodingNotes(
  context: PageContext,
  { type, encoding, itemEncoding }: MediaType,
  flat: FlatSchema,
  site: FieldSite,
): EncodingNotes | undefined {
  const { messages, reader, references } = context;
  const encodings = new Map(
    [...Object.entries(encoding), ...itemEncoding].map(([name, written]) => {
      const headers = isMultipart(type) && isObject(written) ? readHeaders(written, references) : [];
      const qualifier = `${site.qualifier} ${name} header`;
      return [name, { written, write: parameterList(context, headers, { ...site, qualifier }) }];
    }),
  );
  if (encodings.size === 0) return undefined;
  const of = (name: string): RootContent[] => {
    const part = encodings.get(name);
    if (part === undefined) return [];
    const { written, write } = part;
    const property = isForm(type) || isMultipart(type) ? flat.properties.get(name) : undefined;
    const field = property && reader.flatten(...property);
    const core = field && coreOf(field, reader);
    const sent =
      textAt(written, "contentType") ??
      (field && core && styleExample(formField(name, written), valueTypes(field, reader), core));
    // Since OpenAPI 3.2, a part can have parts.
    const inner = [...entriesAt(written, "encoding"), ...itemEncodings(written)].flatMap(([within, encoding]) => {
      const type = textAt(encoding, "contentType");
      return md.valueNote(messages.sentAs, type === undefined ? undefined : `${within}: ${type}`);
    });
    const isUnescaped = isTrueAt(written, "allowReserved");
    return [
      // The notes of the field have the media type of its content.
      ...md.valueNote(messages.sentAs, sent === core?.contentMediaType ? undefined : sent),
      ...md.valueNote("allowReserved", isUnescaped ? "true" : undefined),
      ...inner,
      ...md.expandable(messages.headers, write()),
    ];
  };
  return (fields) => ({
    whole: [...itemEncoding.keys()].filter((name) => !fields.includes(name)).flatMap(of),
    of,
  });
}

/**
 * The examples of a body that the code samples do not show: all named ones, one of each other media type, and one that
 * is too long for them.
 *
 * @param samples media types whose examples are all elsewhere on the page.
 * @param isSampled whether there is a generated sample.
 */
function exampleFences(
  context: PageContext,
  content: readonly MediaType[],
  samples: readonly MediaType[],
  isSampled: boolean,
): RootContent[] {
  const preferred = preferredMedia(content);
  const fences = content.flatMap((media) => {
    if (samples.includes(media)) return [];
    const named = distinctExamples(media.examples);
    if (named.length > 1)
      return named.map(({ title, value }, i) => bodyFence(media, value!, title ?? `${i + 1}`, context));
    const written = named[0]?.value;
    const isElsewhere =
      media === preferred && (written === undefined || (isSampled && context.sampler.isWhole(written)));
    const value = isElsewhere ? undefined : (written ?? generatedBody(media, context, "request"));
    return value === undefined ? [] : [bodyFence(media, value, media.type, context)];
  });
  const shown = withinRoom(fences, context.cuts);
  const code = md.componentWith("CodeGroup", {}, shown);
  return md.expandable(context.messages.examples, [...code, ...exampleTexts(context, content)]);
}

/** Descriptions of examples, and links to external examples: code samples show neither. */
function exampleTexts({ describe, messages }: PageContext, content: readonly MediaType[]): RootContent[] {
  const described = content
    .flatMap(({ examples }) => examples)
    .filter(({ description, address }) => description || address)
    .map(({ title, description, address }) => ({ title: title ?? messages.example, description, address }));
  return [...new Map(described.map((example) => [JSON.stringify(example), example])).values()].flatMap(
    ({ title, description, address }) => [
      ...(address === undefined
        ? [md.paragraph(md.strong(title))]
        : md.docsLine({ url: address, description: title }, title)),
      ...describe.field(description),
    ],
  );
}
