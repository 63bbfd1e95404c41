import type { Json } from "../../../lib/json/index.js";

/** A request as it goes over the wire, for every language to write in its own way. */
export interface SampleRequest {
  /** In capitals. */
  readonly method: string;
  /** Whole and percent-encoded; parameters of the path for which nothing is known stand as `{id}`. */
  readonly url: string;
  /** Without line breaks; `Content-Type` is among them unless the body is a form with parts. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: SampleBody;
  /** What comes back where all goes well: JSON, unless something else is said. */
  readonly answer?: "text" | "bytes" | "none";
}

export type SampleBody =
  /** `text` is the value as JSON over several lines. */
  | { readonly kind: "json"; readonly text: string; readonly value: Json }
  | { readonly kind: "form"; readonly fields: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: "multipart"; readonly parts: readonly SamplePart[] }
  | { readonly kind: "text"; readonly text: string }
  /** Bytes of a file. */
  | { readonly kind: "file"; readonly fileName: string };

export interface SamplePart {
  readonly name: string;
  readonly value: string;
  /** `value` names a file. */
  readonly isFile: boolean;
  /** Media type that the part says it has; absent: the usual one. */
  readonly contentType?: string;
}

/** Whether the part says what it is. */
export const hasType = ({ contentType }: SamplePart): boolean => contentType !== undefined;

/** Whether the body holds a file. */
export const sendsFile = (body: SampleBody | undefined): boolean =>
  body?.kind === "file" || (body?.kind === "multipart" && body.parts.some((part) => part.isFile));

/** Methods that most HTTP libraries have a function for. */
export const isCommonMethod = (method: string): boolean => /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method);

export const isContentType = ([name]: SampleRequest["headers"][number]): boolean => /^content-type$/i.test(name);
export const contentTypeOf = ({ headers }: SampleRequest): string =>
  headers.find(isContentType)?.[1] ?? "application/octet-stream";
export const withoutContentType = ({ headers }: SampleRequest): SampleRequest["headers"] =>
  headers.filter((header) => !isContentType(header));

/** One language that samples are written in. */
export interface SampleLanguage {
  /** What readers see. */
  readonly name: string;
  /** Names by which settings and specifications ask for it, in lower case. */
  readonly keys: readonly string[];
  /** Language of the code block. */
  readonly grammar: string;
  /** A whole program, or what stands for one; whatever the request holds stays within its strings. */
  write(request: SampleRequest): string;
}
