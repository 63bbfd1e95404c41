import { isContainer, isObject, type Json, type JsonObject, member, stringify, textAt } from "../../lib/json/index.js";
import { encode, encodeReserved } from "../samples/languages/text.js";
import type { FlatSchema } from "../schema/flat-schema.js";
import { isForm, type NamedExample } from "./media-type.js";

export type ParameterLocation = "path" | "query" | "header" | "cookie";
export interface Parameter {
  readonly name: string;
  readonly place: ParameterLocation;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description?: string;
  readonly schema: Json;
  readonly examples: readonly NamedExample[];
  readonly style?: string;
  readonly explode?: boolean;
  /** Reserved characters of a URL are not encoded. */
  readonly allowReserved: boolean;
  /** The media type of the value (`content`). */
  readonly contentType?: string;
  /** The description of the whole query string. Only its first field has it. */
  readonly aboutQuery?: string | undefined;
  /** The value is the whole query, without a name. */
  readonly isWholeQuery?: true;
  readonly written: JsonObject;
}

/** A value, serialized by the parameter's `style` and `explode`. */
interface ParameterText {
  /** In a query or a cookie: separate pairs. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
  /** In a path or a header: one text. */
  readonly text: string;
}

interface ParameterStyle {
  readonly style: string;
  readonly explode: boolean;
}

/** The style in the document, or the default. */
function styleOf({ place, style, explode }: Pick<Parameter, "place" | "style" | "explode">): ParameterStyle {
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  // The style `cookie` (OpenAPI 3.2) is `form` without encoding.
  const named = style === "cookie" ? "form" : (style ?? usual);
  return { style: named, explode: explode ?? named === "form" };
}

/** The fields of a parameter that its serialization depends on. */
export type WrittenParameter = Pick<Parameter, "name" | "place" | "style" | "explode" | "contentType"> &
  Partial<Pick<Parameter, "allowReserved" | "isWholeQuery">>;

/** Lists and objects without members are sent like absent values (RFC 6570). */
export const isEmptyValue = (value: Json): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;

/** A form field is serialized like a query parameter. @param encoding of the field in the body. */
export function formField(name: string, encoding: Json | undefined): WrittenParameter {
  const explode = member(encoding, "explode");
  return {
    name,
    place: "query",
    style: textAt(encoding, "style"),
    ...(typeof explode === "boolean" ? { explode } : {}),
  };
}

/** Whether the value is the whole query and not a form of names and values. */
export const isQueryText = ({ isWholeQuery, contentType }: Pick<WrittenParameter, "isWholeQuery" | "contentType">) =>
  isWholeQuery === true && contentType !== undefined && !isForm(contentType);

/** The value of a parameter as pairs of a query or of cookies: `id=3`. */
export function writePairs(parameter: WrittenParameter, value: Json): string[] {
  if (isQueryText(parameter)) return [writeParameter(parameter, value).text];
  const written = parameter.isWholeQuery ? { name: parameter.name, place: parameter.place } : parameter;
  return writeParameter(written, value).pairs.map((pair) => pair.join("="));
}

/** An example of a value in an unusual style: `tags=a|b`. @param types of the value. @param properties of its innermost items. */
export function styleExample(
  parameter: WrittenParameter,
  types: readonly string[],
  { properties }: Pick<FlatSchema, "properties">,
): string | undefined {
  const { style, explode } = styleOf(parameter);
  const usual = styleOf({ place: parameter.place });
  if (style === usual.style && explode === usual.explode) return undefined;
  const object = { [properties.keys().next().value ?? "key"]: "value" };
  const list = style === "deepObject" && properties.size > 0 ? [object] : ["a", "b"];
  const value = types.includes("array") ? list : types.includes("object") ? object : "value";
  if (value === "value" && style !== "label" && style !== "matrix") return undefined;
  const { pairs, text } = writeParameter(parameter, value, unencoded);
  const isPair = parameter.place === "query" || parameter.place === "cookie";
  return isPair ? pairs.map((pair) => pair.join("=")).join("&") : text;
}

/**
 * Serializes a value, for samples and for the playground alike.
 *
 * @param encode encodes names and values but not the separators between them; by default as the parameter's place
 *   wants.
 */
export function writeParameter(
  parameter: WrittenParameter,
  value: Json,
  encode: Encode = encoderOf(parameter),
): ParameterText {
  const name = encode(parameter.name);
  if (parameter.contentType !== undefined) {
    const json = encode(typeof value === "string" ? value : stringify(value));
    return { pairs: [[name, json]], text: json };
  }
  const { style, explode } = styleOf(parameter);
  const scalar = (inner: Json): string => encode(scalarText(inner));
  if (style === "deepObject" && isContainer(value))
    return { pairs: deepPairs(name, value, 0, encode), text: encode(stringify(value)) };
  if (Array.isArray(value)) return listText(name, value.map(scalar), style, explode, encode);
  if (isObject(value)) return objectText(name, value, style, explode, encode);
  const text = scalar(value);
  const prefix = style === "label" ? "." : style === "matrix" ? `;${name}${text === "" ? "" : "="}` : "";
  return { pairs: [[name, text]], text: prefix + text };
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|", tabDelimited: "\t" };

/** Between the values of a list. Blanks and bars are not valid in a URL, so they are encoded. */
const separatorOf = (style: string, encode: Encode): string =>
  Object.hasOwn(separators, style) ? encode(separators[style]!) : ",";

type Encode = (text: string) => string;

export const unencoded: Encode = (text) => text;

const encoderOf = ({ place, style, allowReserved = false }: WrittenParameter): Encode =>
  place === "header" || style === "cookie" ? unencoded : place === "query" && allowReserved ? encodeReserved : encode;

/** @param values encoded. */
function listText(
  name: string,
  values: readonly string[],
  style: string,
  explode: boolean,
  encode: Encode,
): ParameterText {
  const joined = values.join(separatorOf(style, encode));
  const pairs: [string, string][] = explode ? values.map((value) => [name, value]) : [[name, joined]];
  if (style === "label") return { pairs, text: `.${values.join(explode ? "." : ",")}` };
  if (style === "matrix")
    return { pairs, text: explode ? values.map((value) => `;${name}=${value}`).join("") : `;${name}=${joined}` };
  return { pairs, text: joined };
}

function objectText(
  name: string,
  value: { readonly [key: string]: Json },
  style: string,
  explode: boolean,
  encode: Encode,
): ParameterText {
  const entries = Object.entries(value).map(([key, inner]): [string, string] => [
    encode(key),
    encode(scalarText(inner)),
  ]);
  const flat = entries.flat().join(separatorOf(style, encode));
  const equals = entries.map((entry) => entry.join("=")).join(",");
  if (style === "form" || Object.hasOwn(separators, style))
    return { pairs: explode ? entries : [[name, flat]], text: flat };
  if (style === "label")
    return { pairs: [[name, flat]], text: `.${explode ? entries.map((entry) => entry.join("=")).join(".") : flat}` };
  if (style === "matrix")
    return {
      pairs: [[name, flat]],
      text: explode ? entries.map(([key, inner]) => `;${key}=${inner}`).join("") : `;${name}=${flat}`,
    };
  return { pairs: [[name, flat]], text: explode ? equals : flat };
}

const maxDepth = 16;

/**
 * The pairs of a `deepObject`: `filter[name]=x`, for deeper values `filter[a][b]=x`. Lists are written in the usual way
 * of servers that read such names: `ids[]=1`, or `items[0][name]=x` so that the fields of several items do not mix.
 */
function deepPairs(name: string, value: Json, depth: number, encode: Encode): [string, string][] {
  if (depth >= maxDepth || !isContainer(value)) return [[name, encode(scalarText(value))]];
  const within = (key: string): string => `${name}${encode("[")}${encode(key)}${encode("]")}`;
  const areNumbered = Array.isArray(value) && value.some(isContainer);
  return Object.entries(value).flatMap(([key, inner]) =>
    deepPairs(within(Array.isArray(value) && !areNumbered ? "" : key), inner, depth + 1, encode),
  );
}

const scalarText = (value: Json): string =>
  typeof value === "string"
    ? value
    : value === null
      ? ""
      : typeof value === "object"
        ? stringify(value)
        : String(value);

/**
 * The media type that a part of a form is sent with.
 *
 * @param allowed in the specification: one type or several separated by commas, such as `image/*`.
 * @param fileType type of the chosen file, which wins if it is allowed.
 */
export function partType(allowed: string | undefined, fileType?: string): string | undefined {
  const types = (allowed ?? "").split(",").flatMap((part) => {
    const type = part.trim();
    return isMediaType.test(type) ? [type] : [];
  });
  if (fileType && types.some((type) => covers(type.toLowerCase(), fileType.toLowerCase()))) return fileType;
  return types.find((type) => !type.includes("*"));
}

/** The lines of a multipart body before the content of a part. */
export const partHead = (boundary: string, type: string | undefined, disposition = ""): string =>
  `--${boundary}\r\n${disposition}${type === undefined ? "" : `Content-Type: ${type}\r\n`}\r\n`;

const isMediaType = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:\s*;\s*[\w!#$&^.+-]+=[\w!#$&^.+-]+)*$/;

const covers = (type: string, fileType: string): boolean =>
  type === fileType || type === "*/*" || (type.endsWith("/*") && fileType.startsWith(type.slice(0, -1)));
