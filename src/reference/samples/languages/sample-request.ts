import type { Json } from "../../../lib/json/index.js";

/** A request for every language to write in its own way. */
export interface SampleRequest {
  /** In capitals. */
  readonly method: string;
  /** Absolute and percent-encoded; path parameters without a known value stay as `{id}`. */
  readonly url: string;
  /** Without line breaks; includes `Content-Type`, except for a multipart form. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: SampleBody;
  /** The expected response body; JSON by default. */
  readonly answer?: "text" | "bytes" | "none";
  /** The scheme (`digest`, in lower case) that answers a challenge, so that no header can be written. */
  readonly challenge?: string;
}

export type SampleBody =
  /** `text` is the value as JSON on several lines. */
  | { readonly kind: "json"; readonly text: string; readonly value: Json }
  | { readonly kind: "form"; readonly fields: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: "multipart"; readonly parts: readonly SamplePart[] }
  | { readonly kind: "text"; readonly text: string }
  /** The content of a file. */
  | { readonly kind: "file"; readonly fileName: string };

export interface SamplePart {
  readonly name: string;
  readonly value: string;
  /** `value` is a file name. */
  readonly isFile: boolean;
  /** Media type of the part; absent: the default. */
  readonly contentType?: string;
}

/** Combines the writers of each kind of body. */
export const bodyWriter =
  <T, A extends readonly unknown[] = []>(
    writers: {
      readonly [K in SampleBody["kind"]]: (body: Extract<SampleBody, { readonly kind: K }>, ...rest: A) => T;
    },
  ) =>
  (body: SampleBody, ...rest: A): T =>
    (writers[body.kind] as (body: SampleBody, ...rest: A) => T)(body, ...rest);

export const hasType = ({ contentType }: SamplePart): boolean => contentType !== undefined;

export const sendsFile = (body: SampleBody | undefined): boolean =>
  body?.kind === "file" || (body?.kind === "multipart" && body.parts.some((part) => part.isFile));

/** Methods that most HTTP libraries have a function for. */
export const isCommonMethod = (method: string): boolean => /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method);

/** `Get` for `GET`. */
export const capitalized = (method: string): string => `${method[0]}${method.slice(1).toLowerCase()}`;

/** Headers without `Content-Type`, and that of the body. */
export function splitHeaders({ headers }: SampleRequest) {
  const isType = ([name]: readonly [string, string]) => /^content-type$/i.test(name);
  return { others: headers.filter((header) => !isType(header)), contentType: headers.find(isType)?.[1] };
}

export interface SampleLanguage {
  /** Shown to readers. */
  readonly name: string;
  /** Names in settings and specifications, in lower case. */
  readonly keys: readonly string[];
  /** Language of the code block. */
  readonly grammar: string;
  /** Writes a program, or a fragment of one. Values of the request stay inside its string literals. */
  write(request: SampleRequest): string;
}
