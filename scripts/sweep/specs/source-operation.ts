// What a page of a specification must say, in one form for all dialects.
import type { Value } from "./source-files.ts";

export interface SourceParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Value | undefined;
  readonly examples: readonly Value[];
  /** How lists and objects are written in an address. */
  readonly style: string;
  readonly explode: boolean;
}

export interface SourceContent {
  readonly mediaType: string;
  readonly schema: Value | undefined;
  readonly examples: readonly Value[];
  /** Descriptions of examples, and addresses of those in other files. */
  readonly exampleTexts: readonly string[];
  /** Fields of a form that are sent as `name[member]`. */
  readonly bracketed: ReadonlySet<string>;
}

export interface SourceResponse {
  readonly status: string;
  readonly description: string;
  readonly headers: readonly { readonly name: string; readonly description: string }[];
  readonly contents: readonly SourceContent[];
}

export interface SourceScheme {
  readonly name: string;
  /** "apiKey", "http", "oauth2", "openIdConnect", "basic", "mutualTLS" or another word. */
  readonly type: string;
  /** Name of the key of an "apiKey". */
  readonly key: string;
  readonly in: string;
  readonly description: string;
  readonly scopes: readonly string[];
  /** Of a bearer token. */
  readonly format: string;
  /** Whether the client answers a challenge of the server, which the echo server never sends. */
  readonly challenges?: boolean;
}

export interface SourceOperation {
  readonly kind: "operation" | "webhook" | "callback";
  /** In capitals. */
  readonly method: string;
  /** Path of an operation, name of a webhook, expression of a callback. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly links: readonly { readonly url: string; readonly description: string }[];
  readonly parameters: readonly SourceParameter[];
  readonly bodyDescription: string;
  readonly bodyRequired: boolean;
  readonly bodies: readonly SourceContent[];
  readonly responses: readonly SourceResponse[];
  /** Ways to be allowed in; each needs all of its schemes. */
  readonly security: readonly (readonly SourceScheme[])[];
  readonly callbacks: readonly { readonly name: string; readonly operation: SourceOperation }[];
  /** Has it samples of its author, which are never run? */
  readonly hasOwnSamples: boolean;
}

/** A text that must be on some page of the bundle. */
export interface SourceText {
  readonly kind: string;
  readonly place: string;
  readonly text: string;
}
