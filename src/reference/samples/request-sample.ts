import type { Json, JsonObject } from "../../lib/json/index.js";
import { isContainer, isObject, member, parseJson, textAt } from "../../lib/json/index.js";
import {
  firstValue,
  isForm,
  isJson,
  isLines,
  isMultipart,
  isXml,
  itemKeys,
  type MediaType,
  type NamedExample,
} from "../operations/media-type.js";
import type { Operation } from "../operations/operation.js";
import type { Parameter } from "../operations/parameter.js";
import { formField, partHead, partType, unencoded, writePairs, writeParameter } from "../operations/parameter.js";
import type { Credential } from "../operations/security.js";
import type { PageContext } from "../pages/page-context.js";
import type { FlatSchema, SchemaReader } from "../schema/flat-schema.js";
import { impliedTypes, isFile } from "../schema/type-label.js";
import { bodyText } from "./body-text.js";
import type { SampleBody, SamplePart, SampleRequest } from "./languages/sample-request.js";
import { formEncoded } from "./languages/text.js";
import { printJson } from "./print-json.js";
import { sampleValue } from "./sample-value.js";

interface RequestSampleOptions extends Pick<PageContext, "api" | "reader" | "sampler"> {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The credentials of the first way to authorize. */
  readonly credentials: readonly Credential[];
  /** The example to send in place of the first one. */
  readonly example?: Json;
}

/** A sample with more parameters would be unreadable. */
const maxParameters = 24;
const maxTextLength = 500;

/** A sample request for the operation, made from its examples where it has any. */
export function requestSample(options: RequestSampleOptions): SampleRequest {
  const { operation, credentials } = options;
  const included = operation.parameters
    .filter(({ required, deprecated }) => required || (options.api.examples.defaults === "all" && !deprecated))
    .slice(0, maxParameters);
  const query: string[] = [];
  const cookies: string[] = [];
  const headers = new Map<string, readonly [string, string]>();
  const setHeader = (name: string, value: string): void => {
    if (isHeaderName(name)) headers.set(name.toLowerCase(), [name, oneLine(value)]);
  };
  for (const { name, place, sample } of credentials) {
    if (sample === undefined) continue;
    if (place === "header") setHeader(name, sample);
    else if (place === "query") query.push(formEncoded([[name, sample]]));
    else if (place === "cookie") cookies.push(`${name}=${sample}`);
  }
  for (const parameter of included) {
    if (parameter.place === "path") continue;
    const value = parameterValue(parameter, options.reader);
    if (value === undefined) continue;
    if (parameter.place !== "header")
      (parameter.place === "cookie" ? cookies : query).push(...writePairs(parameter, value));
    else if (!headers.has(parameter.name.toLowerCase()))
      setHeader(parameter.name, writeParameter(parameter, value).text);
  }
  if (cookies.length > 0) setHeader("Cookie", cookies.join("; "));
  const body = bodyOf(options);
  if (body && body.body.kind !== "multipart") setHeader("Content-Type", body.type);

  const search = query.length > 0 ? `?${query.join("&")}` : "";
  const answer = answerOf(options.method, operation.responses);
  return {
    method: options.method.toUpperCase(),
    url: options.baseUrl + filledPath(options) + search,
    headers: [...headers.values()],
    ...(body === undefined ? {} : { body: body.body }),
    ...(answer === undefined ? {} : { answer }),
  };
}

/** What a sample does with the body of the response. */
export function answerOf(method: string, responses: Operation["responses"]): SampleRequest["answer"] {
  if (/^head$/i.test(method)) return "none";
  const good =
    responses.find(({ status }) => /^2/.test(status)) ?? responses.find(({ status }) => status === "default");
  if (good === undefined) return undefined;
  if (good.content.length === 0) return /^20[45]$/.test(good.status) ? "none" : undefined;
  const { type } = preferredMedia(good.content)!;
  if (isJson(type)) return undefined;
  return /^text\/|xml|yaml|javascript|graphql/.test(type) ? "text" : "bytes";
}

/** Whether clients can send a header of this name. */
const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name);
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
const clip = (text: string): string => text.slice(0, maxTextLength);
const clipPair = ([name, value]: readonly [string, string]): [string, string] => [clip(name), clip(value)];

/** The path with the known values of its parameters; the others stay as placeholders. */
function filledPath({ path, operation, reader }: RequestSampleOptions): string {
  return path
    .split(/(\{[^{}]*\})/)
    .map((part, i) => {
      if (i % 2 === 0) return encodeLiteral(part);
      const name = part.slice(1, -1);
      const parameter = operation.parameters.find((each) => each.place === "path" && each.name === name);
      const value = parameter && telling(parameter, reader);
      if (parameter === undefined || value === undefined || value === "") return `{${encodeLiteral(name)}}`;
      return writeParameter(parameter, value).text;
    })
    .join("");
}

const encodeLiteral = (text: string): string =>
  text.toWellFormed().replace(/[^\w\-.~!$&'()*+,;=:@/%#?]/gu, (char) => encodeURIComponent(char));

function parameterValue(parameter: Parameter, reader: SchemaReader): Json | undefined {
  const value =
    firstValue(parameter.examples) ??
    sampleValue([parameter.schema], reader, { direction: "request", properties: "all" });
  return value === undefined ? undefined : clipped(value);
}

const clipped = (value: Json): Json =>
  typeof value === "string"
    ? clip(value)
    : Array.isArray(value)
      ? value.slice(0, maxParameters).map(clipped)
      : isObject(value)
        ? Object.fromEntries(
            Object.entries(value)
              .slice(0, maxParameters)
              .map(([name, each]) => [clip(name), clipped(each)]),
          )
        : value;

/** A value that tells readers more than the placeholder does. */
function telling(parameter: Parameter, reader: SchemaReader): Json | undefined {
  const isTelling = firstValue(parameter.examples) !== undefined || saysWhat(reader.flatten(parameter.schema));
  return isTelling ? parameterValue(parameter, reader) : undefined;
}

const saysWhat = (flat: FlatSchema): boolean =>
  flat.examples.length > 0 ||
  flat.default !== undefined ||
  flat.const !== undefined ||
  flat.enum !== undefined ||
  flat.format !== undefined ||
  [...flat.types, ...impliedTypes(flat)].some((type) => type !== "string");

/** The media type of samples: JSON if there is a choice. */
export function preferredMedia(content: readonly MediaType[]): MediaType | undefined {
  return content.find(({ type }) => isJson(type)) ?? content[0];
}

/** Longest text of all named examples together, in JSON; each is written in every language. */
const maxNamedLength = 6_000;
const maxNamed = 8;

/** The examples of the body that readers can choose from: none unless there are several. */
export function namedBodies({ body }: Operation): readonly NamedExample[] {
  const examples = preferredMedia(body?.content ?? [])?.examples ?? [];
  const named = examples.filter(({ title, value }) => title !== undefined && value !== undefined);
  const isShort = named.length <= maxNamed && JSON.stringify(named).length <= maxNamedLength;
  return named.length > 1 && isShort ? named : [];
}

function bodyOf(options: RequestSampleOptions): { readonly type: string; readonly body: SampleBody } | undefined {
  const media = preferredMedia(options.operation.body?.content ?? []);
  if (media === undefined) return undefined;
  const { type, schema } = media;
  const { reader, sampler } = options;
  const sampled = { direction: "request", properties: options.api.examples.defaults } as const;
  const value =
    options.example ??
    firstValue(media.examples) ??
    (schema === undefined ? undefined : sampler.value(schema, sampled));
  if (value !== undefined && (isXml(type) || isLines(type)))
    return { type, body: { kind: "text", text: bodyText(media, value, options) } };
  if (isJson(type) && value !== undefined) {
    const text = sampler.text(value);
    return {
      type: type === "*/*" ? "application/json" : type,
      body: { kind: "json", text, value: parseJson(text) },
    };
  }
  if (isForm(type) && isObject(value)) return { type, body: { kind: "form", fields: fieldsOf(value, media.encoding) } };
  if (isMultipart(type) && Array.isArray(value)) {
    const text = listedParts(value.slice(0, maxParameters), reader.flatten(schema ?? {}), media, reader);
    return { type: `${type.split(";")[0]}; boundary=${boundary}`, body: { kind: "text", text } };
  }
  if (isMultipart(type)) {
    const flat = schema === undefined ? undefined : reader.flatten(schema);
    return { type, body: { kind: "multipart", parts: partsOf(value, flat, media.encoding, reader) } };
  }
  if (typeof value === "string") return { type, body: { kind: "text", text: value.slice(0, 20_000) } };
  if (value !== undefined && /text/.test(type)) return undefined;
  return { type, body: { kind: "file", fileName } };
}

const fileName = "example-file";

const formText = (value: Json): string =>
  typeof value === "string"
    ? clip(value)
    : typeof value === "object" && value !== null
      ? // On one line, because forms can change line breaks.
        JSON.stringify(parseJson(printJson(value, 2_000)))
      : String(value);

/** @param encoding whose `style` applies to a field; without one a list is repeated, and an object is JSON. */
const fieldsOf = (value: JsonObject, encoding: JsonObject = {}): [string, string][] =>
  Object.entries(value)
    .slice(0, maxParameters)
    .flatMap(([name, each]): [string, string][] => {
      const written = member(encoding, name);
      if (textAt(written, "style") !== undefined || member(written, "explode") !== undefined)
        return writeParameter(formField(name, written), each, unencoded).pairs.map(clipPair);
      return Array.isArray(each) ? each.map((item: Json) => [name, formText(item)]) : [[name, formText(each)]];
    });

const boundary = "next-part";

/** Parts without names, which libraries for forms cannot write. Of a file only the name is written. */
function listedParts(
  values: readonly Json[],
  flat: FlatSchema,
  { itemEncoding }: MediaType,
  reader: SchemaReader,
): string {
  const parts = values.map((value, i) => {
    const encoding = itemKeys(i).flatMap((key) => itemEncoding.get(key) ?? [])[0];
    const item = reader.flatten(...(flat.prefixItems[i] === undefined ? flat.items : [flat.prefixItems[i]]));
    const usual = isFile(item) ? "application/octet-stream" : isContainer(value) ? "application/json" : undefined;
    const type = partType(textAt(encoding, "contentType")) ?? usual;
    return partHead(boundary, type) + (isFile(item) ? `<${fileName}>` : formText(value));
  });
  return `${parts.join("\r\n")}\r\n--${boundary}--\r\n`;
}

/** Parts of a multipart form; schemas decide which are files. */
function partsOf(
  value: Json | undefined,
  flat: FlatSchema | undefined,
  encoding: JsonObject,
  reader: SchemaReader,
): SamplePart[] {
  const known = isObject(value) ? value : {};
  const parts: SamplePart[] = [];
  for (const [name, each] of fieldsOf(known)) {
    const schemas = flat?.properties.get(name);
    const property = schemas && reader.flatten(...schemas);
    const item = property && property.items.length > 0 ? reader.flatten(...property.items) : property;
    const holdsFile = item !== undefined && isFile(item);
    const contentType = partType(textAt(member(encoding, name), "contentType"));
    parts.push({
      name,
      value: holdsFile ? fileName : each,
      isFile: holdsFile,
      ...(contentType === undefined ? {} : { contentType }),
    });
  }
  return parts;
}
