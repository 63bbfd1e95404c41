import type { Nodes, RootContent } from "mdast";
import { type Json, type JsonObject, parseJson } from "../../lib/json/index.js";
import { type FieldLocation, fieldLocationOf, type PropValue } from "../../page/content/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import type { ApiConfig } from "../../site/config/index.js";
import { schemesOf } from "../../site/specs/index.js";
import type { WrittenEndpoint, WrittenPage } from "../reference-kind.js";
import { operationPage } from "./operation-page.js";

/** Turns a page with a method and a URL into a specification; undefined without them in the front matter. */
export function writtenPage(
  endpoint: WrittenEndpoint,
  nodes: readonly RootContent[],
  { mdx: { servers, authMethod, authName } }: ApiConfig,
): WrittenPage | undefined {
  const { api } = endpoint;
  const match = typeof api === "string" ? written.exec(api.trim()) : null;
  if (match === null) return undefined;
  const [, method = "", server, path = "/"] = match;
  const fields = nodes.flatMap((node) => fieldsIn(node));
  const schemes = schemesOf(text(endpoint.authMethod) ?? authMethod, authName);
  const operation: JsonObject = {
    parameters: fields.flatMap(parameterOf),
    ...bodyOf(fields, text(endpoint.contentType)),
  };
  const document: JsonObject = {
    openapi: "3.1.0",
    servers: (server === undefined ? servers : [server]).map((url) => ({ url })),
    security:
      Object.keys(schemes).length === 0 ? [] : [Object.fromEntries(Object.keys(schemes).map((key) => [key, []]))],
    components: { securitySchemes: schemes },
  };
  const spec: ApiSpec = {
    source: "",
    format: "openapi",
    version: "3.1.0",
    document,
    resolve: () => undefined,
    locationOf: () => ({ sourcePath: "" }),
  };
  const rooted = path.startsWith("/") ? path : `/${path}`;
  const subject = { pathItem: {}, written: operation, method: method.toLowerCase(), path: rooted, isWebhook: false };
  return {
    spec,
    write: (context) => operationPage(context, { ...subject, isWritten: true }),
    insertAt: indexOfFields(nodes),
  };
}

/** The host may contain a variable: `https://{region}.example.com`. */
const written = /^(get|post|put|patch|delete|head|options|trace|query)\s+([a-z][a-z0-9+.-]*:\/\/[^/?#\s]+)?(\S*)$/i;

/** Index of the first node with a field, or of the heading directly above it: generated sections are inserted there. */
function indexOfFields(nodes: readonly RootContent[]): number {
  const at = nodes.findIndex((node) => fieldsIn(node).length > 0);
  if (at < 0) return nodes.length;
  return nodes[at - 1]?.type === "heading" ? at - 1 : at;
}

interface Field {
  readonly name: string;
  readonly place?: FieldLocation;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly schema: JsonObject;
}

/** Depth limit of nested fields. */
const maxDepth = 12;
const maxFields = 400;

/** The outermost fields in a node; fields inside them are part of their schemas. */
function fieldsIn(node: Nodes, depth = 0): Field[] {
  if (depth > maxDepth) return [];
  const isElement = node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
  if (isElement && /^(?:Request|Response)Example$/.test(node.name ?? "")) return [];
  if (isElement && (node.name === "ParamField" || (depth > 0 && node.name === "ResponseField"))) {
    const field = fieldOf(node.data?.props ?? {}, inside(node, depth));
    return field === undefined ? [] : [field];
  }
  return inside(node, depth);
}

const inside = (node: Nodes, depth: number): Field[] =>
  "children" in node
    ? (node.children as Nodes[]).flatMap((child) => fieldsIn(child, depth + 1)).slice(0, maxFields)
    : [];

function fieldOf(props: Readonly<Record<string, PropValue>>, fields: readonly Field[]): Field | undefined {
  const { name, place } = fieldLocationOf(props);
  if (name === undefined || name === "") return undefined;
  const schema = schemaOf(text(props["type"]) ?? "", within(name, fields));
  const [fallback, placeholder] = [props["default"], props["placeholder"]].map((value) => typedValue(value, schema));
  const example = placeholder ?? fallback;
  return {
    name,
    ...(place === undefined ? {} : { place }),
    required: isTrue(props["required"]),
    deprecated: isTrue(props["deprecated"]),
    schema: {
      ...schema,
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(example === undefined ? {} : { example }),
    },
  };
}

/** Type names that authors use; any other type is a string. */
const types: readonly (readonly [RegExp, JsonObject])[] = [
  [/^int/i, { type: "integer" }],
  [/^(?:num|float|double|decimal)/i, { type: "number" }],
  [/^bool/i, { type: "boolean" }],
  [/^(?:object|dict|map|record|json)/i, { type: "object" }],
  [/^(?:array|list)/i, { type: "array" }],
  [/^(?:file|binary|blob)/i, { type: "string", format: "binary" }],
  [/^any/i, {}],
];

function schemaOf(type: string, fields: readonly Field[]): JsonObject {
  const [first = ""] = type.trim().split(/\s*\|\s*/);
  const item = /^(.*?)\[\]$/.exec(first)?.[1] ?? /^(?:array|list)(?:<|\s+of\s+)(.*?)>?$/i.exec(first)?.[1];
  if (item !== undefined) return { type: "array", items: schemaOf(item, fields) };
  const schema = types.find(([pattern]) => pattern.test(first))?.[1];
  const [, format] = /^string\s*<([\w-]+)>$/i.exec(first) ?? [];
  if (fields.length > 0)
    return schema?.["type"] === "array" ? { type: "array", items: objectOf(fields) } : objectOf(fields);
  return schema ?? { type: "string", ...(format === undefined ? {} : { format }) };
}

const objectOf = (fields: readonly Field[]): JsonObject => ({
  type: "object",
  properties: Object.fromEntries(
    fields.map(({ name, schema, deprecated }) => [name, deprecated ? { ...schema, deprecated } : schema]),
  ),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
});

/** Inside `gauge`, `gauge.kind` is `kind`. */
const within = (outer: string, fields: readonly Field[]): Field[] =>
  fields.map((field) =>
    field.name.startsWith(`${outer}.`) ? { ...field, name: field.name.slice(outer.length + 1) } : field,
  );

/** A property value in the type of the field: `default="10"` of a number is a number. */
function typedValue(value: PropValue, { type }: JsonObject): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object") return "type" in value && value["type"] === "jsxTree" ? undefined : (value as Json);
  if (typeof value !== "string" || type === "string" || type === undefined) return value;
  try {
    return parseJson(value);
  } catch {
    return undefined;
  }
}

function parameterOf({ name, place, required, deprecated, schema }: Field): JsonObject[] {
  if (place === undefined || place === "body") return [];
  return [{ name, in: place, required, deprecated, schema }];
}

function bodyOf(fields: readonly Field[], contentType: string | undefined): JsonObject {
  const ofBody = fields.filter(({ place }) => place === "body");
  if (ofBody.length === 0) return {};
  const hasFile = ofBody.some(({ schema }) => JSON.stringify(schema).includes('"format":"binary"'));
  const type = contentType ?? (hasFile ? "multipart/form-data" : "application/json");
  return { requestBody: { required: true, content: { [type]: { schema: objectOf(ofBody) } } } };
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
const isTrue = (value: PropValue): boolean =>
  value === true || (typeof value === "string" && /^(?:true)?$/i.test(value));
