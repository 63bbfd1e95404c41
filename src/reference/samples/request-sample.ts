import { isObject, type Json, member, parseJson } from "../../lib/json/index.js";
import { decodePercent } from "../../lib/url/index.js";
import * as mediaTypes from "../operations/media-type.js";
import type { Operation } from "../operations/operation.js";
import type { Credential } from "../operations/security.js";
import { isEmptyValue, type Parameter, partHead } from "../operations/write-parameter.js";
import {
  isFilePart,
  type SentCredential,
  type WrittenBody,
  writeFields,
  writeParts,
  writeRequest,
} from "../operations/write-request.js";
import type { Cuts } from "../pages/nodes.js";
import type { PageContext } from "../pages/page-context.js";
import type { FlatSchema, SchemaReader } from "../schema/flat-schema.js";
import { impliedTypes, isFile, isNullOnly } from "../schema/type-label.js";
import { bodyText } from "./body-text.js";
import type { SamplePart, SampleRequest } from "./languages/sample-request.js";
import { partDisposition, boundary as usualBoundary } from "./languages/text.js";
import { hasExample, sampleValue } from "./sample-value.js";
import { typedExample } from "./scalar-sample.js";
import { printXml, xmlKeywords, xmlName, xmlShape } from "./xml.js";

interface RequestSampleOptions extends Pick<PageContext, "api" | "reader" | "sampler"> {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The credentials of the first way to authorize. */
  readonly credentials: readonly Credential[];
  /** Receives a sentence if the body is cut. */
  readonly cuts?: Cuts;
  /** The example to send in place of the first one. */
  readonly example?: Json;
}

/** A sample request for the operation, made from its examples where it has any. */
export function requestSample(options: RequestSampleOptions): SampleRequest {
  const { operation, credentials, method, path, baseUrl } = options;
  const sent = credentials.flatMap(({ place, name, sample }): SentCredential[] =>
    place === undefined || sample === undefined ? [] : [{ place, name, value: sample }],
  );
  return writeRequest({
    method: method.toUpperCase(),
    baseUrl,
    path,
    parameters: operation.parameters.flatMap((parameter) => {
      const value = isSampled(parameter, options) ? parameterValue(parameter, options.reader) : undefined;
      return value === undefined ? [] : [{ parameter, value }];
    }),
    credentials: sent,
    body: bodyOf(options),
    answer: answerOf(method, operation.responses),
    challenge: credentials.find(({ kind }) => kind === "challenge")?.prefix?.toLowerCase(),
  });
}

/** Whether samples have the parameter. In a path, a placeholder is better than a value that says nothing. */
function isSampled(parameter: Parameter, { api, reader }: RequestSampleOptions): boolean {
  const { place, required, deprecated, examples, schema } = parameter;
  const flat = reader.flatten(schema);
  if (place === "path") return mediaTypes.firstValue(examples) !== undefined || isTelling(flat);
  if (required) return true;
  const { defaults } = api.examples;
  return (
    !deprecated &&
    (defaults === "all" ||
      (defaults === "examples" && (mediaTypes.firstValue(examples) !== undefined || hasExample(flat, reader))))
  );
}

/** How a sample reads the body of the response. */
export function answerOf(method: string, responses: Operation["responses"]): SampleRequest["answer"] {
  if (/^head$/i.test(method)) return "none";
  const good =
    responses.find(({ status }) => /^2/.test(status)) ?? responses.find(({ status }) => status === "default");
  if (good === undefined) return undefined;
  if (good.content.length === 0) return /^20[45]$/.test(good.status) ? "none" : undefined;
  const { type } = mediaTypes.preferredMedia(good.content)!;
  if (mediaTypes.isJson(type)) return undefined;
  return /^text\/|xml|yaml|javascript|graphql/.test(type) ? "text" : "bytes";
}

function parameterValue(parameter: Parameter, reader: SchemaReader): Json | undefined {
  const example = parameterExample(parameter, reader);
  if (example !== undefined) return example;
  const value = sampleValue([parameter.schema], reader, { direction: "request", properties: "all" });
  return value === "string" && parameter.place === "header" && /^authorization$/i.test(parameter.name)
    ? credential(parameter.description)
    : value;
}

/** A placeholder as security schemes have it: many authors describe this header as a parameter. */
const credential = (description = "token"): string =>
  /\bbasic\b/i.test(description)
    ? "Basic <credentials>"
    : /bearer|token|jwt/i.test(description)
      ? "Bearer <token>"
      : "<token>";

/** The example of a parameter, decoded. An example of its schema is used only if its author wrote it encoded. */
export function parameterExample(parameter: Parameter, reader: SchemaReader): Json | undefined {
  const flat = reader.flatten(parameter.schema);
  const example = mediaTypes.firstValue(parameter.examples);
  if (example !== undefined) return decoded(typedExample(example, flat), parameter);
  const [own] = flat.const === undefined ? flat.examples : [];
  const value = own === undefined ? undefined : decoded(own, parameter);
  return value === own ? undefined : value;
}

/** Decodes an example that its author wrote encoded, unless its characters would not come back. */
function decoded(example: Json, { place, allowReserved }: Parameter): Json {
  const isInAddress = place === "path" || (place === "query" && !allowReserved);
  if (typeof example !== "string" || !isInAddress || !/^(?:[\w.~!'()*,:@-]|%[\da-f]{2})+$/i.test(example))
    return example;
  return decodePercent(example);
}

const isTelling = (flat: FlatSchema): boolean =>
  flat.examples.length > 0 ||
  flat.default !== undefined ||
  flat.const !== undefined ||
  flat.enum !== undefined ||
  flat.format !== undefined ||
  [...flat.types, ...impliedTypes(flat)].some((type) => type !== "string");

/** Longest text of all named examples together, in JSON; each is written in every language. */
const maxNamedLength = 6_000;
const maxNamed = 8;

/** The examples of the body that readers can choose from: none unless there are several. */
export function namedBodies({ body }: Operation): readonly mediaTypes.NamedExample[] {
  const examples = mediaTypes.preferredMedia(body?.content ?? [])?.examples ?? [];
  const named = examples.filter(({ title, value }) => title !== undefined && value !== undefined);
  const isShort = named.length <= maxNamed && JSON.stringify(named).length <= maxNamedLength;
  return named.length > 1 && isShort ? named : [];
}

function bodyOf(options: RequestSampleOptions): WrittenBody | undefined {
  const { operation, reader, sampler, api } = options;
  const { body } = operation;
  const media = mediaTypes.preferredMedia(body?.content ?? []);
  if (body === undefined || media === undefined) return undefined;
  const { type, encoding, itemEncoding } = media;
  const flat = media.schema === undefined ? undefined : reader.flatten(...bodySchemas(media, reader));
  if (flat !== undefined && isNullOnly(flat)) return undefined;
  // Without a schema, an example that is text is sent as it is.
  const isBytes =
    flat === undefined
      ? mediaTypes.isBinary(type) && typeof mediaTypes.firstValue(media.examples) !== "string"
      : isFile(flat) || (mediaTypes.isBinary(type) && !isStructure(flat, reader));
  if (isBytes) return { type, body: { kind: "file", fileName } };
  const value = options.example ?? bodyValue(media, options) ?? (mediaTypes.isJson(type) ? {} : undefined);
  if (value === undefined) return isText(type) ? undefined : { type, body: { kind: "file", fileName } };
  const isUseless = isEmptyValue(value) && !body.required && api.examples.defaults !== "all";
  if (isUseless && mediaTypes.firstValue(media.examples) === undefined) return undefined;
  if (mediaTypes.isXml(type) || mediaTypes.isLines(type))
    return { type, body: { kind: "text", text: bodyText(media, value, options) } };
  if (typeof value === "string" && !mediaTypes.isJson(type))
    return { type: textType(type, value), body: { kind: "text", text: value } };
  if (mediaTypes.isForm(type) && isObject(value))
    return { type, body: { kind: "form", fields: writeFields(Object.entries(value), encoding) } };
  if (mediaTypes.isMultipart(type)) {
    const isList = Array.isArray(value);
    const files = fileFields(media, flat, reader);
    const parts = writeParts<Json>(
      isList || isObject(value) ? Object.entries(value) : [],
      isList ? Object.fromEntries(itemEncoding) : encoding,
      isList,
      {
        file: (_, name) => (files(name) ? { name: fileName } : undefined),
        json: (item) => item,
        text: (item, name, partType) => (mediaTypes.isXml(partType) ? partXml(item, name, flat, reader) : undefined),
      },
    );
    const isFormData = /^multipart\/(?:form-data|\*)/i.test(type);
    return isFormData && !isList ? { body: { kind: "multipart", parts } } : writtenParts(parts, type, isList);
  }
  // A text as the example of a structure is not JSON: send it as written.
  if (typeof value === "string" && flat !== undefined && isStructure(flat, reader))
    return { type, body: { kind: "text", text: value } };
  const text = sampler.text(value, options.cuts);
  return { type: type === "*/*" ? "application/json" : type, body: { kind: "json", text, value: parseJson(text) } };
}

/** Samples send an optional JSON body only if it has at most so many properties. */
const maxOptional = 4;

/** The example to send: the first one that a sample can show whole, else one made from the schema. */
function bodyValue(
  { type, schema, examples }: mediaTypes.MediaType,
  { sampler, reader, api, operation, method }: RequestSampleOptions,
): Json | undefined {
  const written = examples.map(({ value }) => value).filter((value) => value !== undefined);
  const short = written.find((value) => sampler.isWhole(value));
  if (short !== undefined || schema === undefined) return short ?? written[0];
  const make = (properties: "all" | "required" | "examples") =>
    sampler.value(schema, { direction: "request", properties });
  const value = make(api.examples.defaults);
  // If the sample of a required body is empty, show all properties. Many documents do not say that a body is required.
  const isNeeded = (): boolean =>
    operation.body!.required ||
    (mediaTypes.isJson(type) &&
      /^(?:post|put|patch)$/i.test(method) &&
      reader.flatten(schema).properties.size <= maxOptional);
  return value !== undefined && isEmptyValue(value) && isNeeded() ? make("all") : (value ?? written[0]);
}

const isStructure = (flat: FlatSchema, reader: SchemaReader): boolean =>
  isContainer(flat) ||
  flat.unions.some(({ options }) =>
    options
      .map(({ schema }) => reader.flatten(schema))
      .some((option) => isContainer(option) || option.unions.length > 0),
  );

const isContainer = ({ types, properties, items }: FlatSchema): boolean =>
  types.some((type) => type === "object" || type === "array") || properties.size > 0 || items.length > 0;

const isText = (type: string): boolean => /text/.test(type);

const fileName = "example-file";

const binary = { type: "string", format: "binary" };

/**
 * The schemas of a body. In a multipart form, a second schema describes fields that are files although their schemas do
 * not say so: those with a binary type, and those without a schema (`application/octet-stream` in OpenAPI 3.1).
 */
export function bodySchemas({ type, schema, encoding }: mediaTypes.MediaType, reader: SchemaReader): Json[] {
  if (schema === undefined || !mediaTypes.isMultipart(type)) return schema === undefined ? [] : [schema];
  const files = [...reader.flatten(schema).properties].flatMap(([name, schemas]): [string, Json][] => {
    const flat = reader.flatten(...schemas);
    const isAny = schemas.every((part) => isObject(part) && Object.keys(part).every((key) => key === "description"));
    const written = member(encoding, name);
    if (flat.properties.size > 0 || !(isFilePart(written) || (isAny && written === undefined))) return [];
    return [[name, flat.items.length > 0 ? { items: binary } : binary]];
  });
  return files.length === 0 ? [schema] : [schema, { properties: Object.fromEntries(files) }];
}

/** Tells which fields of a multipart body are files: by their schema, or because they are sent with a binary type. */
function fileFields({ itemEncoding }: mediaTypes.MediaType, flat: FlatSchema | undefined, reader: SchemaReader) {
  return (name: string): boolean => {
    const index = /^\d+$/.test(name) ? Number(name) : -1;
    const isItem = flat?.properties.has(name) !== true && index >= 0;
    const prefix = flat?.prefixItems[index];
    const schemas = !isItem ? flat?.properties.get(name) : prefix === undefined ? flat?.items : [prefix];
    const property = schemas && reader.flatten(...schemas);
    const item = property && property.items.length > 0 && !isItem ? reader.flatten(...property.items) : property;
    const encoding = isItem ? mediaTypes.itemKeys(index).flatMap((key) => itemEncoding.get(key) ?? [])[0] : undefined;
    return (item !== undefined && isFile(item)) || isFilePart(encoding);
  };
}

/** A part of a multipart body as a document of its own, whose root is named after its schema, else after the part. */
function partXml(value: Json, name: string, body: FlatSchema | undefined, reader: SchemaReader): string {
  const flat = reader.flatten(...(body?.properties.get(name) ?? []));
  return printXml(value, xmlName(xmlKeywords(flat), flat.refName ?? name), xmlShape(flat, reader));
}

/** The type of a body that its author wrote as text. The text of a multipart body begins with its boundary. */
const textType = (type: string, text: string): string => {
  const written = mediaTypes.isMultipart(type) && !/boundary=/i.test(type) ? /^\s*--(\S+)/.exec(text)?.[1] : undefined;
  return written === undefined ? type : `${type}; boundary=${written}`;
};

/** Parts that libraries for forms cannot write: of another type, or without names. Of a file only the name is written. */
function writtenParts(parts: readonly SamplePart[], type: string, isList: boolean): WrittenBody {
  let boundary = usualBoundary;
  for (let i = 1; parts.some(({ value }) => value.includes(`--${boundary}`)); i++) boundary = `${usualBoundary}-${i}`;
  const written = parts.map((part) => {
    const { value, isFile, contentType = isFile ? "application/octet-stream" : undefined } = part;
    const disposition = isList ? "" : `Content-Disposition: ${partDisposition(part)}\r\n`;
    return partHead(boundary, contentType, disposition) + (isFile ? `<${value}>` : value);
  });
  const text = `${written.join("\r\n")}\r\n--${boundary}--\r\n`;
  return { type: `${type.split(";")[0]}; boundary=${boundary}`, body: { kind: "text", text } };
}
