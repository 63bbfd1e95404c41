import type { PhrasingContent, RootContent } from "mdast";
import {
  entriesAt,
  isObject,
  isTrueAt,
  type Json,
  type JsonObject,
  listAt,
  member,
  pathOf,
  pointerTo,
  textAt,
  textsAt,
} from "../../lib/json/index.js";
import { trimmedMarkdown } from "../../lib/plain-text.js";
import { isHttpAddress } from "../../lib/url/index.js";
import { descriptionOf, methodKeys, methodsIn } from "../../site/specs/index.js";
import * as md from "../pages/nodes.js";
import type { PageContext } from "../pages/page-context.js";
import { isShown } from "../schema/reader-view.js";
import type { References } from "../schema/references.js";
import type { SchemaNode } from "../schema/schema-outline.js";
import { acceptsNull, firstValue, isForm, type MediaType, readContent, readExamples } from "./media-type.js";
import { readServers, serverItems, writtenServers } from "./server.js";
import { formField, type Parameter, type ParameterLocation } from "./write-parameter.js";

/** An operation, completed from its path item and the document. */
export interface Operation {
  /** As written. */
  readonly written: JsonObject;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  /** In source order. */
  readonly responses: readonly OperationResponse[];
  readonly callbacks: readonly Callback[];
  /** Security requirements: one of them must be met, with all its schemes. */
  readonly security: readonly (readonly SecurityNeed[])[];
  /** The servers that apply, as written. */
  readonly servers: readonly JsonObject[];
}

export interface RequestBody {
  readonly description?: string;
  readonly required: boolean;
  readonly content: readonly MediaType[];
}

export interface OperationResponse {
  /** `200`, `4XX`, `default`. */
  readonly status: string;
  readonly description?: string;
  readonly headers: readonly Parameter[];
  readonly content: readonly MediaType[];
  readonly links: readonly ResponseLink[];
}

export const isSuccess = ({ status }: OperationResponse): boolean => status.startsWith("2");

export interface Callback {
  readonly name: string;
  /** URL of the request: `{$request.body#/callbackUrl}`. */
  readonly expression: string;
  readonly method: string;
  readonly written: JsonObject;
  readonly pathItem: JsonObject;
}

export interface SecurityNeed {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

export function readOperation(
  document: JsonObject,
  pathItem: JsonObject,
  written: JsonObject,
  references: References,
): Operation {
  const security = member(written, "security") ?? member(document, "security");
  const body = references.followObject(written["requestBody"]);
  return {
    written,
    description: descriptionWithPath(written, pathItem),
    deprecated: isTrueAt(written, "deprecated"),
    parameters: readParameters(pathItem, written, references),
    ...(body === undefined ? {} : { body: readBody(body, references) }),
    responses: entriesAt(written, "responses")
      .filter(([status]) => !status.startsWith("x-"))
      .map(([status, response]) => readResponse(status, response, references)),
    callbacks: readCallbacks(written, references),
    security: (Array.isArray(security) ? security : []).filter(isObject).map(readNeeds),
    servers:
      [written, pathItem, document]
        .map((holder) => writtenServers(holder, references))
        .find((servers) => servers.length > 0) ?? [],
  };
}

/** The description of an operation, then that of its path and the summary of the path, unless both have the same one. */
export function descriptionWithPath(written: JsonObject, pathItem: JsonObject): string | undefined {
  const texts = [written, pathItem].map((part) => trimmedMarkdown(textAt(part, "description") ?? ""));
  const [title, summary] = [written, pathItem].map((part) => textAt(part, "summary")?.trim());
  const shown = [...texts, ...(summary === title ? [] : [summary])].filter(Boolean);
  return shown.length === 0 ? undefined : [...new Set(shown)].join("\n\n");
}

/** Parameters of the operation override those of its path. */
function readParameters(pathItem: JsonObject, written: JsonObject, references: References): Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const reference of [...listAt(pathItem, "parameters"), ...listAt(written, "parameters")]) {
    const parameter = references.followObject(reference);
    const place = textAt(parameter, "in");
    const name = textAt(parameter, "name");
    if (parameter !== undefined && place === "querystring")
      for (const part of partsOfQuery(parameter, references)) parameters.set(`query ${part.name}`, part);
    if (parameter === undefined || name === undefined || !isLocation(place)) continue;
    if (!references.admits(parameter) || !isShown(member(parameter, "schema") ?? true, references)) continue;
    parameters.set(`${place} ${name}`, readParameter(name, place, parameter, references));
  }
  return [...parameters.values()];
}

/** The fields of a form that is the query (OpenAPI 3.2), as parameters; or one parameter if they are unknown. */
function partsOfQuery(written: JsonObject, references: References): Parameter[] {
  const [media] = readContent(written, references);
  const schema = references.followObject(media?.schema);
  const query = readParameter(textAt(written, "name") ?? "query", "query", written, references);
  const fields = entriesAt(schema, "properties");
  if (media === undefined || !isForm(media.type) || fields.length === 0) return [{ ...query, isWholeQuery: true }];
  const required = textsAt(schema, "required");
  const example = firstValue(query.examples);
  return fields.map(([name, property], i) => {
    const value = member(example, name);
    const style = formField(name, member(media.encoding, name));
    return {
      ...style,
      name,
      place: "query",
      required: required.includes(name),
      deprecated: false,
      allowReserved: false,
      schema: property,
      examples: value === undefined ? [] : [{ value }],
      written: {},
      aboutQuery: i === 0 ? query.description : undefined,
    };
  });
}

const isLocation = (text: string | undefined): text is ParameterLocation =>
  text === "path" || text === "query" || text === "header" || text === "cookie";

function readParameter(name: string, place: ParameterLocation, written: JsonObject, references: References): Parameter {
  const [media] = readContent(written, references);
  const explode = member(written, "explode");
  const schema = member(written, "schema") ?? media?.schema ?? {};
  return {
    name,
    place,
    required: place === "path" || isTrueAt(written, "required"),
    deprecated: isTrueAt(written, "deprecated"),
    description: textAt(written, "description"),
    schema,
    // The value as data: the request serializes it.
    examples: [...readExamples(written, references, true), ...(media?.examples ?? [])].filter(
      ({ value }) => value !== null || acceptsNull(schema, references),
    ),
    style: textAt(written, "style"),
    allowReserved: isTrueAt(written, "allowReserved"),
    ...(typeof explode === "boolean" ? { explode } : {}),
    ...(media === undefined ? {} : { contentType: media.type }),
    written,
  };
}

function readBody(body: JsonObject, references: References): RequestBody {
  return {
    description: textAt(body, "description"),
    required: isTrueAt(body, "required"),
    content: readContent(body, references),
  };
}

function readResponse(status: string, written: Json, references: References): OperationResponse {
  // The status is known although its reference leads nowhere.
  const response = references.followObject(written) ?? (isObject(written) ? written : {});
  return {
    status,
    description: descriptionOf(response),
    headers: readHeaders(response, references),
    content: readContent(response, references),
    links: entriesAt(response, "links").flatMap(([name, reference]) => {
      const written = references.followObject(reference);
      return written === undefined ? [] : [{ name, written }];
    }),
  };
}

/** The headers of a response or of a part of a body. */
export const readHeaders = (holder: JsonObject, references: References): Parameter[] =>
  entriesAt(holder, "headers").map(([name, reference]) =>
    readParameter(name, "header", references.followObject(reference) ?? {}, references),
  );

const maxCallbackLevels = 10;

/** The callbacks of an operation, each followed by those of its own request, which may refer to one of `seen`. */
function readCallbacks(written: JsonObject, references: References, seen = new Set<Json>(), levels = 0): Callback[] {
  if (levels === maxCallbackLevels) return [];
  return entriesAt(written, "callbacks").flatMap(([name, reference]) =>
    Object.entries(references.followObject(reference) ?? {}).flatMap(([expression, item]) => {
      const pathItem = references.followObject(item) ?? {};
      return methodsIn(pathItem).flatMap((method) => {
        const operation = methodKeys(method).reduce<Json | undefined>(member, pathItem);
        if (!isObject(operation) || (levels > 0 && seen.has(operation))) return [];
        seen.add(operation);
        const callback = { name, expression, method, written: operation, pathItem };
        return [callback, ...readCallbacks(operation, references, seen, levels + 1)];
      });
    }),
  );
}

const readNeeds = (requirement: JsonObject): SecurityNeed[] =>
  Object.entries(requirement).map(([scheme, scopes]) => ({
    scheme,
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [],
  }));

/** A link of a response: the operation that can be called next, with values of the response. */
export interface ResponseLink {
  readonly name: string;
  readonly written: JsonObject;
}

const maxLength = 300;

/** The links of a response, folded; each links to the page of its operation. */
export function linkList(context: PageContext, links: readonly ResponseLink[]): RootContent[] {
  const items = links.flatMap(({ name, written }) => {
    const { requestBody, server } = written;
    const values = [
      ...entriesAt(written, "parameters").map(([parameter, value]) =>
        assigned(md.inlineCode(md.clip(parameter, 200)), value),
      ),
      ...(requestBody === undefined ? [] : [assigned(md.text(context.messages.body), requestBody)]),
    ];
    return [
      md.paragraph(md.strong(md.clip(name, 200)), md.text(": "), ...operationOf(context, written)),
      ...context.describe.field(textAt(written, "description")),
      ...md.listWith(values),
      ...(server === undefined ? [] : serverItems(context, readServers({ servers: [server] }, context.references))),
    ];
  });
  return md.expandable(context.messages.links, items);
}

const assigned = (name: PhrasingContent, value: Json): PhrasingContent[] => [
  name,
  md.text(" = "),
  md.inlineCode(md.shortValue(value, maxLength)),
];

/** The operation that a link names, linked to its page. An unknown operation is shown as written. */
function operationOf({ entries, pageOf }: PageContext, written: JsonObject): PhrasingContent[] {
  const id = textAt(written, "operationId");
  const reference = textAt(written, "operationRef");
  const pointer = reference?.startsWith("#/") ? pointerTo(...pathOf(reference)) : undefined;
  const entry = entries().find((candidate) =>
    id === undefined ? candidate.pointer === pointer : candidate.operationId === id,
  );
  if (entry === undefined) {
    const shown = md.inlineCode(md.clip(id ?? reference ?? "", maxLength));
    return [
      id === undefined && reference !== undefined && isHttpAddress(reference) ? md.link(reference, shown) : shown,
    ];
  }
  const code = md.inlineCode(md.clip(`${(entry.method ?? "").toUpperCase()} ${entry.name}`, maxLength));
  const url = pageOf(entry.target);
  const title = entry.title === undefined ? undefined : md.clip(entry.title, maxLength);
  if (url === undefined) return title === undefined ? [code] : [md.text(`${title} `), code];
  return title === undefined ? [md.link(url, code)] : [md.link(url, md.text(title)), md.text(" "), code];
}

const maxTitleLength = 200;

/** Names the object of a body, with a link to its page. */
export function objectLink(context: PageContext, { core }: SchemaNode): RootContent[] {
  const { identity } = core;
  const page = identity && context.models?.pageOf(identity, 0);
  const url = page?.isPlanned ? context.pageOf(page.target) : undefined;
  if (url === undefined) return [];
  return md.fieldNote(context.messages.object, [md.link(url, md.inlineCode(md.clip(page!.title, maxTitleLength)))]);
}

/** A link to the list of all objects, on a page that refers to pages of objects. */
export function objectsLink({ messages, outline, pageOf, key: spec }: PageContext): RootContent[] {
  const url = outline.models().length > 0 ? pageOf({ kind: "objects", spec }) : undefined;
  return url === undefined ? [] : [md.paragraph(md.link(url, md.text(messages.allObjects)))];
}
