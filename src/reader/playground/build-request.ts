import type { FormMedia, FormParameter, FormSchema, PlaygroundForm } from "../../reference/forms/playground-form.js";
import { isBinary } from "../../reference/operations/media-type.js";
import { partHead } from "../../reference/operations/write-parameter.js";
import {
  type SentCredential,
  type WrittenBody,
  type WrittenPart,
  writeFields,
  writeParts,
  writeRequest,
} from "../../reference/operations/write-request.js";
import type { SampleRequest } from "../../reference/samples/languages/sample-request.js";
import { formEncoded, partDisposition } from "../../reference/samples/languages/text.js";
import { parseJson, toJson, type Value } from "./form/control.js";
import { mayBeSecret } from "./secrets.js";

export type { SentCredential };

/** The request as chosen and typed by the reader. */
export interface Draft {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly parameters: readonly { readonly parameter: FormParameter; readonly value: Value }[];
  readonly credentials: readonly SentCredential[];
  readonly body?: DraftBody;
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
  /** Credential headers that browsers would forward on a redirect. They withhold only `Authorization`. */
  readonly forwarded: readonly string[];
}

/** Builds the request that the form describes. A path parameter without a value stays `{name}`. */
export function buildRequest(
  { method = "GET", path, answer }: Pick<PlaygroundForm, "method" | "path" | "answer">,
  { baseUrl, parameters, credentials, body: draft }: Draft,
): BuiltRequest {
  const body = draft && buildBody(draft);
  const sample = writeRequest({
    method,
    baseUrl,
    path,
    parameters: parameters.map(({ parameter, value }) => ({ parameter, value: toJson(value) })),
    credentials,
    body: body?.written,
    answer,
  });
  const credentialHeaders = new Set(
    credentials.filter(({ place }) => place === "header").map(({ name }) => name.toLowerCase()),
  );
  const isSent = sample.body !== undefined;
  const boundaryHeader: SampleRequest["headers"] = isSent && body?.type ? [["Content-Type", body.type]] : [];
  const headers = [...sample.headers, ...boundaryHeader].filter(([name]) => !isForbidden(name));
  return {
    sample,
    headers,
    forwarded: headers
      .map(([name]) => name)
      .filter(
        (name) => !/^authorization$/i.test(name) && (credentialHeaders.has(name.toLowerCase()) || mayBeSecret(name)),
      ),
    ...(isSent && { body: body?.sent }),
  };
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
  readonly written: WrittenBody;
  readonly sent: string | Blob;
  /** The media type with a boundary, which samples leave to the HTTP library. */
  readonly type?: string;
}

function buildBody(body: DraftBody): BuiltBody {
  switch (body.kind) {
    case "json": {
      const { text, type } = body;
      const parsed = parseJson(text);
      return {
        written: {
          type,
          body: "value" in parsed ? { kind: "json", text, value: parsed.value } : { kind: "text", text },
        },
        sent: text,
      };
    }
    case "text":
      return { written: { type: body.type, body: { kind: "text", text: body.text } }, sent: body.text };
    case "file": {
      const type = body.type.includes("*") ? body.file.type || "application/octet-stream" : body.type;
      return { written: { type, body: { kind: "file", fileName: body.file.name } }, sent: body.file };
    }
    case "fields": {
      const { media, fields, isList } = body;
      if (/^multipart\//i.test(media.type)) return multipartBody(media, fields, isList);
      const pairs = writeFields(
        fields.map(([name, value]) => [name, toJson(value)]),
        encodingsOf(media),
      );
      return { written: { type: media.type, body: { kind: "form", fields: pairs } }, sent: formEncoded(pairs) };
    }
  }
}

const encodingsOf = ({ encoding = {} }: FormMedia) =>
  Object.fromEntries(Object.entries(encoding).map(([name, written]) => [name, { ...written }]));

const boundary = `----offprint${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16)).join("")}`;

/** Built by hand, since `FormData` gives every part with a media type a file name. */
function multipartBody(
  media: FormMedia,
  fields: readonly (readonly [name: string, value: Value])[],
  isList: boolean,
): BuiltBody {
  const parts = writeParts<Value>(fields, encodingsOf(media), isList, {
    file: (value) => (value instanceof File ? value : undefined),
    json: toJson,
  });
  const chunks = parts.flatMap(({ source, ...part }): BlobPart[] => {
    const file = source instanceof File ? source : undefined;
    const type = part.contentType ?? (file && (file.type || "application/octet-stream"));
    const disposition = isList ? "" : `Content-Disposition: ${partDisposition(part)}\r\n`;
    return [partHead(boundary, type, disposition), file ?? part.value, "\r\n"];
  });
  chunks.push(`--${boundary}--\r\n`);
  const type = `${media.type.split(";")[0]}; boundary=${boundary}`;
  const sent = new Blob(chunks);
  if (!isList) return { written: { body: { kind: "multipart", parts: parts.map(withoutSource) } }, sent, type };
  const text = chunks.map((chunk) => (chunk instanceof File ? `<${chunk.name}>` : chunk)).join("");
  return { written: { type, body: { kind: "text", text } }, sent };
}

const withoutSource = ({ source: _, ...part }: WrittenPart<Value>) => part;

/** Whether a body of this schema is a chosen file and not text. */
export const isFileBody = ({ type }: FormMedia, schema: FormSchema | undefined): boolean =>
  schema?.file === true || (isBinary(type) && schema?.properties === undefined && !isTyped(schema, "object", "array"));

const isTyped = (schema: FormSchema | undefined, ...types: readonly string[]): boolean =>
  schema?.types?.some((type) => types.includes(type)) ?? false;
