/**
 * What the playground of a page is made from, as the page's script in the browser reads it: plain JSON, types alone.
 * Texts are plain, cut to what a form can show.
 */
import type { Json } from "../../../lib/json/index.js";
import type { Limits } from "../flat-schema.js";
import type { ParameterLocation } from "../operation.js";

export interface PlaygroundForm {
  /** In capitals; absent for a channel, which is opened as a WebSocket. */
  readonly method?: string;
  /** `/users/{id}`; of a channel its address. */
  readonly path: string;
  /** At least one. */
  readonly servers: readonly FormServer[];
  /** Ways to authorize: one is enough, and it takes all its entries. An empty one is no authorization. */
  readonly ways: readonly (readonly FormCredential[])[];
  readonly parameters: readonly FormParameter[];
  readonly body?: FormBody;
  /** Of a channel: what may be sent on it. */
  readonly messages?: readonly FormMessage[];
  /** What indexes in all the others lead to; the first is the schema of anything. May lead back to itself. */
  readonly schemas: readonly FormSchema[];
  /** Start with the values of the examples. */
  readonly prefill?: true;
  /** Send the cookies that the browser has for the API. */
  readonly cookies?: true;
  /** Keys of the languages that samples are written in, the first shown first. */
  readonly languages: readonly string[];
}

export interface FormServer {
  /** Absolute, or relative to the page's host: `https://{region}.example.com/v1`. */
  readonly url: string;
  readonly description?: string;
  readonly variables?: readonly FormVariable[];
}
export interface FormVariable {
  readonly name: string;
  readonly default?: string;
  readonly options?: readonly string[];
  readonly description?: string;
}

export interface FormCredential {
  /** Name of the scheme in the document: what is remembered is remembered by it. */
  readonly scheme: string;
  readonly kind: CredentialKind;
  /** Header, parameter or cookie. */
  readonly name: string;
  readonly place?: "header" | "query" | "cookie";
  /** What comes before the value in the header: `Bearer`, `Digest`. */
  readonly prefix?: string;
  readonly description?: string;
  readonly scopes?: readonly string[];
  /** Where tokens are given out. */
  readonly addresses?: readonly string[];
  /** To begin with. */
  readonly value?: string;
}
/** `token` is pasted, `basic` has a user and a password, `certificate` is the browser's own affair. */
export type CredentialKind = "key" | "token" | "basic" | "certificate" | "other";

export interface FormParameter {
  readonly name: string;
  readonly place: ParameterLocation;
  readonly required: boolean;
  readonly deprecated?: true;
  readonly description?: string;
  readonly schema: number;
  readonly style?: string;
  readonly explode?: boolean;
  /** Signs such as `/` are sent as they are. */
  readonly allowReserved?: true;
  readonly contentType?: string;
  readonly example?: Json;
}

export interface FormBody {
  readonly required: boolean;
  readonly description?: string;
  readonly media: readonly FormMedia[];
}
export interface FormMedia {
  readonly type: string;
  readonly schema: number;
  readonly example?: Json;
  /** How single fields of a form are written. */
  readonly encoding?: Readonly<Record<string, FieldEncoding>>;
}
export interface FieldEncoding {
  readonly contentType?: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly allowReserved?: true;
}
export interface FormMessage {
  readonly title: string;
  readonly schema: number;
  readonly example?: Json;
}

/** A schema as a form needs it; what is not said may be anything. */
export interface FormSchema {
  /** `null` left out. */
  readonly types?: readonly string[];
  readonly nullable?: true;
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  /** Bytes that are sent as they are. */
  readonly file?: true;
  /** Bytes that are sent as text: `base64`, `base64url`. */
  readonly encoding?: string;
  readonly enum?: readonly Json[];
  /** The only value. */
  readonly const?: Json;
  readonly default?: Json;
  readonly example?: Json;
  /** To begin with, where values are prefilled. */
  readonly preset?: Json;
  readonly pattern?: string;
  readonly limits?: Limits;
  readonly uniqueItems?: true;
  readonly deprecated?: true;
  readonly properties?: readonly FormProperty[];
  /** Schema of properties that are not named, where there may be any. */
  readonly additional?: number;
  readonly items?: number;
  readonly prefixItems?: readonly number[];
  readonly unions?: readonly FormUnion[];
  /** The page would grow too large: it is written as JSON. */
  readonly cut?: true;
}
export type FormProperty = readonly [name: string, schema: number, required?: 1];
export interface FormUnion {
  readonly discriminator?: string;
  readonly options: readonly {
    readonly schema: number;
    readonly title?: string;
    /** Value of the discriminator. */
    readonly value?: string;
  }[];
}
