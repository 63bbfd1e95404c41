/** Writes requests from values, for samples, the playground, Postman collections, HTTP archives and workflows. */
import { isContainer, type Json, member, stringify, textAt } from "../../lib/json/index.js";
import type { SampleBody, SamplePart, SampleRequest } from "../samples/languages/sample-request.js";
import { encode, encodeReserved } from "../samples/languages/text.js";
import { isBinary, itemKeys } from "./media-type.js";
import {
  formField,
  isEmptyValue,
  type ParameterLocation,
  partType,
  unencoded,
  type WrittenParameter,
  writePairs,
  writeParameter,
} from "./write-parameter.js";

export interface RequestParts {
  readonly method: string;
  /** Without a trailing slash; it may have a query. */
  readonly baseUrl: string;
  /** As specifications write it: with placeholders, and sometimes with a query or a fragment. */
  readonly path: string;
  readonly parameters: readonly { readonly parameter: WrittenParameter; readonly value: Json }[];
  /** They override parameters of the same name. */
  readonly credentials: readonly SentCredential[];
  readonly body?: WrittenBody | undefined;
  readonly answer?: SampleRequest["answer"];
  /** See `SampleRequest`. */
  readonly challenge?: string | undefined;
}

/** A credential as it is sent, its prefix included. */
export interface SentCredential {
  readonly place: "header" | "query" | "cookie";
  readonly name: string;
  readonly value: string;
}

export interface WrittenBody {
  readonly body: SampleBody;
  /** Value of `Content-Type`; absent if the HTTP library writes it, because it has a boundary. */
  readonly type?: string;
}

/** Writes a request. A path parameter without a value stays `{name}`. */
export function writeRequest(parts: RequestParts): SampleRequest {
  const { method, baseUrl, parameters, credentials, answer, challenge } = parts;
  const base = splitTarget(baseUrl);
  const target = splitTarget(parts.path);
  const templates = [...base.query, ...target.query];
  const literals = templates.map((pair) => fillPlaceholders(pair, parts, ["path", "query"]));
  const named = new Set(parameters.map(({ parameter: { name } }) => name.toLowerCase()));
  literals.push(...target.fragment.filter((pair) => !named.has(pair.split("=")[0]!.toLowerCase())).map(encodeLiteral));
  const isLiteral = (pair: string): boolean => literals.some((literal) => literal.split("=")[0] === pair.split("=")[0]);
  const query: string[] = [];
  const cookies: string[] = [];
  const headers = new Map<string, readonly [string, string]>();
  const setHeader = (name: string, value: string): void => {
    if (isHeaderName(name) && !isClientHeader(name))
      headers.set(name.toLowerCase(), [name, value.replace(/[\r\n\0]+/g, " ").trim()]);
  };
  for (const { place, name, value } of credentials) {
    if (place === "header") setHeader(name, value);
    else if (place === "query") query.push(`${encode(name)}=${encode(value)}`);
    else cookies.push(`${name}=${value}`);
  }
  for (const { parameter, value } of parameters) {
    const { place, name } = parameter;
    if (place === "path" || isEmptyValue(value) || isCredential(parameter, credentials)) continue;
    if (place === "query" && templates.some((pair) => pair.includes(`{${name}}`))) continue;
    if (place === "query") query.push(...writePairs(parameter, value).filter((pair) => !isLiteral(pair)));
    else if (place === "cookie") cookies.push(...writePairs(parameter, value));
    else setHeader(name, writeParameter(parameter, value).text);
  }
  if (cookies.length > 0) setHeader("Cookie", cookies.join("; "));
  const written = parts.body && isWorthSending(parts.body.body, method) ? parts.body : undefined;
  if (written?.type !== undefined) setHeader("Content-Type", written.type);
  // The HTTP library writes this header, with the boundary that it chooses.
  if (written?.body.kind === "multipart") headers.delete("content-type");
  const path = fillPlaceholders(target.path, parts, ["path"]);
  const slash = baseUrl !== "" && path !== "" && !path.startsWith("/") ? "/" : "";
  const search = [...literals, ...query];
  return {
    method,
    url: base.path + slash + path + (search.length > 0 ? `?${search.join("&")}` : ""),
    headers: [...headers.values()],
    ...(written && { body: written.body }),
    ...(answer && { answer }),
    ...(challenge && { challenge }),
  };
}

/** Splits the path of an operation. Names and values in its fragment (`/#Action=List`) are parameters. */
export function splitTarget(target: string): {
  readonly path: string;
  readonly query: readonly string[];
  readonly fragment: readonly string[];
} {
  const texts = { path: "", query: "", fragment: "" };
  let at: keyof typeof texts = "path";
  for (const part of target.split(/(\{[^{}]*\}|[?#])/)) {
    if (part === "#") at = "fragment";
    else if (part === "?" && at === "path") at = "query";
    // `{?limit}` and `{#part}` are templates of RFC 6570 for parameters that are described separately.
    else if (!/^\{[?&#]/.test(part)) texts[at] += part;
  }
  const pairs = (text: string): string[] => text.split("&").filter((pair) => pair !== "");
  const fragment = pairs(texts.fragment).filter((pair) => /^[^={}]+=[^{}]+$/.test(pair));
  return { path: texts.path, query: pairs(texts.query), fragment };
}

/** @param places locations of the parameters that may fill a placeholder. */
function fillPlaceholders(
  template: string,
  { parameters }: Pick<RequestParts, "parameters">,
  places: readonly ParameterLocation[],
): string {
  return template
    .split(/(\{[^{}]*\})/)
    .map((part, i) => {
      if (i % 2 === 0) return encodeLiteral(part);
      const name = part.slice(1, -1);
      // Frameworks and RFC 6570 mark placeholders that may hold slashes: `{path*}`, `{+path}`.
      const plainName = name.replace(/^[+*]{1,2}|[+*]$/g, "");
      const [match] = [name, plainName].flatMap((candidate) =>
        parameters.filter(({ parameter }) => places.includes(parameter.place) && parameter.name === candidate),
      );
      if (match === undefined || match.value === "" || isEmptyValue(match.value)) return `{${encodeLiteral(name)}}`;
      const { parameter, value } = match;
      if (parameter.place === "query")
        return writeParameter(parameter, value)
          .pairs.map(([, text]) => text)
          .join(",");
      const mayHoldSlashes = name !== plainName && parameter.name === plainName;
      return writeParameter(parameter, value, mayHoldSlashes ? encodeInPath : undefined).text;
    })
    .join("");
}

const encodeInPath = (text: string): string => encodeReserved(text).replaceAll("?", "%3F");

const encodeLiteral = (text: string): string =>
  text.toWellFormed().replace(/[^\w\-.~!$&'()*+,;=:@/%?]/gu, (char) => encodeURIComponent(char));

/** Whether clients can send a header of this name. */
const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name);

/** Headers that HTTP clients write themselves. A request that sets them fails. */
export const isClientHeader = (name: string): boolean =>
  /^(?:connection|content-length|expect|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i.test(
    name,
  );

const isCredential = ({ place, name }: WrittenParameter, credentials: readonly SentCredential[]): boolean =>
  credentials.some(
    (credential) =>
      credential.place === place &&
      (place === "header" ? credential.name.toLowerCase() === name.toLowerCase() : credential.name === name),
  );

/** Whether to send a body: not an empty one, and with GET and HEAD only one that has values. */
function isWorthSending(body: SampleBody, method: string): boolean {
  if (body.kind === "form") return body.fields.length > 0;
  if (body.kind === "multipart") return body.parts.length > 0;
  if (body.kind === "text") return body.text !== "";
  return (
    body.kind !== "json" || !/^(?:GET|HEAD)$/i.test(method) || !/^(?:\{\s*\}|\[\s*\]|null|"")?$/.test(body.text.trim())
  );
}

/** How the fields of a form are encoded, by name; for items of a list, see `itemKeys`. */
export type Encodings = { readonly [name: string]: Json };

const encodingOf = (encodings: Encodings, name: string): Json | undefined =>
  Object.hasOwn(encodings, name) ? encodings[name] : undefined;

/** Whether a field is written by a style and not by its media type. */
const hasStyle = (encoding: Json | undefined): boolean =>
  textAt(encoding, "style") !== undefined || member(encoding, "explode") !== undefined;

/** The pairs of a form before URL encoding. Without a style, a list is several pairs, and an object is JSON. */
export const writeFields = (fields: readonly (readonly [string, Json])[], encodings: Encodings): Pairs =>
  fields.flatMap(([name, value]): Pairs => {
    const encoding = encodingOf(encodings, name);
    if (hasStyle(encoding)) return styledPairs(name, value, encoding);
    return (Array.isArray(value) ? value : [value]).map((item: Json) => [name, fieldText(item)]);
  });

type Pairs = readonly (readonly [name: string, value: string])[];

const styledPairs = (name: string, value: Json, encoding: Json | undefined): Pairs =>
  isEmptyValue(value) ? [] : writeParameter(formField(name, encoding), value, unencoded).pairs;

const fieldText = (value: Json): string =>
  value === null ? "" : typeof value === "object" ? stringify(value) : String(value);

/** A file that a part holds. */
interface PartFile {
  readonly name: string;
  /** Its media type, if it is known. */
  readonly type?: string;
}

export interface WrittenPart<V> extends SamplePart {
  /** The value from which the part was written. */
  readonly source: V;
}

/** The parts of a multipart body. @param isList items of a list, without names. @param read may give files. */
export function writeParts<V>(
  fields: readonly (readonly [string, V])[],
  encodings: Encodings,
  isList: boolean,
  read: {
    readonly file: (value: V, name: string) => PartFile | undefined;
    readonly json: (value: V) => Json;
    /** Writes a structure in its media type; undefined if that is JSON. */
    readonly text?: (value: V, name: string, type: string) => string | undefined;
  },
): WrittenPart<V>[] {
  return fields.flatMap(([name, value], i) =>
    (Array.isArray(value) && !isList ? (value as readonly V[]) : [value]).flatMap((item, at): WrittenPart<V>[] => {
      const encoding = (isList ? itemKeys(i) : [name]).flatMap((key) => encodingOf(encodings, key) ?? [])[0];
      const file = read.file(item, name);
      const allowed = textAt(encoding, "contentType");
      if (file !== undefined)
        return [{ name, value: file.name, isFile: true, source: item, ...typed(partType(allowed, file.type)) }];
      if (hasStyle(encoding) && allowed === undefined && !isList)
        return at > 0
          ? []
          : styledPairs(name, read.json(value), encoding).map(([name, value]) => ({
              name,
              value,
              isFile: false,
              source: item,
            }));
      const json = read.json(item);
      const type = partType(allowed) ?? (isContainer(json) ? "application/json" : undefined);
      const text = type !== undefined && isContainer(json) ? read.text?.(item, name, type) : undefined;
      return [{ name, value: text ?? fieldText(json), isFile: false, source: item, ...typed(type) }];
    }),
  );
}

const typed = (contentType: string | undefined) => (contentType === undefined ? {} : { contentType });

/** Whether a part of this encoding is a file, whatever its schema says. */
export const isFilePart = (encoding: Json | undefined): boolean => {
  const [type, ...others] = (textAt(encoding, "contentType") ?? "").split(",");
  return type !== undefined && type.trim() !== "" && [type, ...others].every((mediaType) => isBinary(mediaType.trim()));
};
