import type { Json } from "../../lib/json/json.js";
import { stringify } from "../../lib/json/json.js";
import type {
  FieldEncoding,
  FormMedia,
  FormParameter,
  FormSchema,
  PlaygroundForm,
} from "../../reference/forms/playground-form.js";
import { itemKeys } from "../../reference/operations/media-type.js";
import {
  formField,
  partHead,
  partType,
  unencoded,
  writePairs,
  writeParameter,
} from "../../reference/operations/parameter.js";
import type { SampleBody, SamplePart, SampleRequest } from "../../reference/samples/languages/sample-request.js";
import { encode, formEncoded } from "../../reference/samples/languages/text.js";
import { isValueObject, parseJson, toJson, type Value } from "./form/value.js";
import { mayBeSecret } from "./secrets.js";

/** The request as chosen and typed by the reader. */
export interface Draft {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly parameters: readonly { readonly parameter: FormParameter; readonly value: Value }[];
  readonly credentials: readonly SentCredential[];
  readonly body?: DraftBody;
}
/** A credential as it is sent, its prefix included. */
export interface SentCredential {
  readonly place: "header" | "query" | "cookie";
  readonly name: string;
  readonly value: string;
}
export type DraftBody =
  | { readonly kind: "json" | "text"; readonly type: string; readonly text: string }
  | {
      readonly kind: "fields";
      readonly media: FormMedia;
      readonly fields: readonly (readonly [string, Value])[];
      /** The fields are the items of a list, named by their index. */
      readonly isList: boolean;
    }
  | { readonly kind: "file"; readonly type: string; readonly file: File };

/** A request as code samples show it and as the browser sends it. */
export interface BuiltRequest {
  readonly sample: SampleRequest;
  /** Headers that a page may set, including `Content-Type`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Blob;
  /**
   * Names of credential headers that browsers would forward to any host on a redirect. They withhold only
   * `Authorization`.
   */
  readonly forwarded: readonly string[];
}

/** Builds the request that the form describes. A path parameter without a value stays `{name}`. */
export function buildRequest(
  { method = "GET", path, answer }: Pick<PlaygroundForm, "method" | "path" | "answer">,
  draft: Draft,
): BuiltRequest {
  const query: string[] = [];
  const cookies: string[] = [];
  const headers = new Map<string, readonly [string, string]>();
  const setHeader = (name: string, value: string): void => {
    headers.set(name.toLowerCase(), [name, value.replace(/[\r\n\0]+/g, " ").trim()]);
  };
  for (const { parameter, value } of draft.parameters) {
    const json = toJson(value);
    if (parameter.place === "header") setHeader(parameter.name, writeParameter(parameter, json).text);
    else if (parameter.place === "query") query.push(...writePairs(parameter, json));
    else if (parameter.place === "cookie") cookies.push(...writePairs(parameter, json));
  }
  for (const { place, name, value } of draft.credentials) {
    if (place === "header") setHeader(name, value);
    else if (place === "query") query.push(writePair([encode(name), encode(value)]));
    else cookies.push(writePair([name, value]));
  }
  if (cookies.length > 0) setHeader("Cookie", cookies.join("; "));
  const body = draft.body && buildBody(draft.body);
  if (body?.type !== undefined) setHeader("Content-Type", body.type);

  const credentialHeaders = new Set(
    draft.credentials.filter(({ place }) => place === "header").map(({ name }) => name.toLowerCase()),
  );
  const allHeaders = [...headers.values()];
  const sent = allHeaders.filter(([name]) => !isForbidden(name));
  const search = query.length === 0 ? "" : `${draft.baseUrl.includes("?") ? "&" : "?"}${query.join("&")}`;
  const isMultipart = body?.sample.kind === "multipart";
  return {
    sample: {
      method,
      url: draft.baseUrl + fillPath(path, draft) + search,
      // In samples, the HTTP library writes the boundary.
      headers: allHeaders.filter(([name]) => !isMultipart || name.toLowerCase() !== "content-type"),
      body: body?.sample,
      answer,
    },
    headers: sent,
    forwarded: sent
      .map(([name]) => name)
      .filter(
        (name) => !/^authorization$/i.test(name) && (credentialHeaders.has(name.toLowerCase()) || mayBeSecret(name)),
      ),
    body: body?.sent,
  };
}

const writePair = ([name, value]: readonly [string, string]): string => `${name}=${value}`;

function fillPath(path: string, { parameters }: Draft): string {
  return path
    .split(/(\{[^{}]*\})/)
    .map((part, i) => {
      if (i % 2 === 0) return part;
      const name = part.slice(1, -1);
      const filled = parameters.find(({ parameter }) => parameter.place === "path" && parameter.name === name);
      return filled === undefined ? part : writeParameter(filled.parameter, toJson(filled.value)).text;
    })
    .join("");
}

/** Headers that browsers do not let a page set. */
export const isForbidden = (name: string): boolean =>
  /^(?:proxy-|sec-)/i.test(name) || forbidden.has(name.toLowerCase());
const forbidden = new Set(
  (
    "accept-charset accept-encoding access-control-request-headers access-control-request-method connection " +
    "content-length cookie cookie2 date dnt expect host keep-alive origin referer set-cookie te trailer " +
    "transfer-encoding upgrade via"
  ).split(" "),
);

interface BuiltBody {
  readonly sample: SampleBody;
  readonly sent: string | Blob;
  readonly type: string | undefined;
}

function buildBody(body: DraftBody): BuiltBody {
  switch (body.kind) {
    case "json": {
      const parsed = parseJson(body.text);
      const sample: SampleBody =
        "value" in parsed ? { kind: "json", text: body.text, value: parsed.value } : { kind: "text", text: body.text };
      return { sample, sent: body.text, type: body.type };
    }
    case "text":
      return { sample: { kind: "text", text: body.text }, sent: body.text, type: body.type };
    case "file": {
      const type = body.type.includes("*") ? body.file.type || "application/octet-stream" : body.type;
      return { sample: { kind: "file", fileName: body.file.name }, sent: body.file, type };
    }
    case "fields": {
      const { type } = body.media;
      return /^multipart\//i.test(type)
        ? multipartBody(body.media, body.fields, body.isList)
        : urlEncodedBody(body.media, body.fields);
    }
  }
}

type Fields = readonly (readonly [name: string, value: Value])[];

function urlEncodedBody({ type, encoding }: FormMedia, fields: Fields): BuiltBody {
  const pairs = fields.flatMap(([name, value]): (readonly [string, string])[] => {
    const json = toJson(value);
    const fieldEncoding = encodingOf(encoding, name);
    if (fieldEncoding?.style !== undefined || fieldEncoding?.explode !== undefined)
      return [...writeParameter(formField(name, { ...fieldEncoding }), json, unencoded).pairs];
    return (Array.isArray(json) ? json : [json]).map((item: Json) => [name, fieldText(item)]);
  });
  return { sample: { kind: "form", fields: pairs }, sent: formEncoded(pairs), type };
}

const encodingOf = (encoding: FormMedia["encoding"], name: string): FieldEncoding | undefined =>
  encoding !== undefined && Object.hasOwn(encoding, name) ? encoding[name] : undefined;

const fieldText = (value: Json): string =>
  value === null ? "" : typeof value === "object" ? stringify(value) : String(value);

const boundary = `----offprint${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16)).join("")}`;

/** Built by hand, since `FormData` gives every part with a media type a file name. */
function multipartBody({ type, encoding }: FormMedia, fields: Fields, isList: boolean): BuiltBody {
  const parts: SamplePart[] = [];
  const chunks: BlobPart[] = [];
  for (const [i, [name, value]] of fields.entries())
    for (const item of Array.isArray(value) && !isList ? (value as readonly Value[]) : [value]) {
      const isFile = item instanceof File;
      const [partEncoding] = (isList ? itemKeys(i) : [name]).flatMap((key) => encodingOf(encoding, key) ?? []);
      const isJson = isValueObject(item) || Array.isArray(item);
      const specifiedType = partType(partEncoding?.contentType, isFile ? item.type : undefined);
      const contentType =
        specifiedType ?? (isFile ? item.type || "application/octet-stream" : isJson ? "application/json" : undefined);
      const text = isFile ? item.name : fieldText(toJson(item));
      const shownType = isFile && specifiedType === undefined ? undefined : contentType;
      parts.push({ name, value: text, isFile, contentType: shownType });
      chunks.push(
        partHead(
          boundary,
          contentType,
          isList
            ? ""
            : `Content-Disposition: form-data; name="${quoted(name)}"${isFile ? `; filename="${quoted(item.name)}"` : ""}\r\n`,
        ),
        isFile ? item : text,
        "\r\n",
      );
    }
  chunks.push(`--${boundary}--\r\n`);
  return {
    sample: isList
      ? { kind: "text", text: chunks.map((chunk) => (chunk instanceof File ? `<${chunk.name}>` : chunk)).join("") }
      : { kind: "multipart", parts },
    sent: new Blob(chunks),
    type: `${type.split(";")[0]}; boundary=${boundary}`,
  };
}

/** Escapes a name in `Content-Disposition` as browsers do. */
const quoted = (text: string): string => text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** Whether a body of this schema is a chosen file and not text. */
export const isFileBody = ({ type }: FormMedia, schema: FormSchema | undefined): boolean =>
  schema?.file === true || !/json|xml|text|form|multipart|yaml|csv|html|javascript|graphql|\+/i.test(type);
