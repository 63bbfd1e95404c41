/** The data of a page's playground, plain JSON for the browser. Texts are plain and cut to what a form can show. */
import type { Json } from "../../lib/json/index.js";
import type { ParameterLocation } from "../operations/write-parameter.js";
import type { SampleRequest } from "../samples/languages/sample-request.js";
import type { XmlKeywords } from "../samples/xml.js";
import type { Limits } from "../schema/flat-schema.js";

export interface PlaygroundForm {
  /** In capitals; absent for a channel, which is opened as a WebSocket. */
  readonly method?: string;
  /** `/users/{id}`; the address of a channel. */
  readonly path: string;
  /** At least one. */
  readonly servers: readonly FormServer[];
  /** Alternative ways to authorize. A way needs all of its credentials; an empty one means no authorization. */
  readonly ways: readonly (readonly FormCredential[])[];
  readonly parameters: readonly FormParameter[];
  readonly body?: FormBody;
  /** The operation of GraphQL that takes the place of a body. */
  readonly graph?: FormGraph;
  /** What the samples of the request do with the body of the response. */
  readonly answer?: SampleRequest["answer"];
  /** Messages that can be sent on a channel. */
  readonly messages?: readonly FormMessage[];
  /** All indexes refer to this list, possibly in a circle. The first schema permits any value. */
  readonly schemas: readonly FormSchema[];
  /** Start with the example values. */
  readonly prefill?: true;
  /** Send the browser's cookies for the API. */
  readonly cookies?: true;
  /** Keys of the sample languages; the first is selected. */
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
  /** Name of the scheme in the document. The browser stores the entered value under it. */
  readonly scheme: string;
  readonly kind: CredentialKind;
  /** Name of the header, parameter or cookie. */
  readonly name: string;
  readonly place?: "header" | "query" | "cookie";
  /** Text before the value in the header: `Bearer`, `Digest`. */
  readonly prefix?: string;
  readonly description?: string;
  readonly scopes?: readonly string[];
  /** URLs that issue tokens. */
  readonly addresses?: readonly string[];
  /** How the playground can get a token itself. */
  readonly signIn?: FormSignIn;
  /** Its initial value. */
  readonly value?: string;
}
export interface FormSignIn {
  /** URL of the discovery document (OpenID Connect or RFC 8414). */
  readonly discovery?: string;
  /** Its initial value. */
  readonly clientId?: string;
  /** At least one. URLs may be relative to the server of the API. */
  readonly flows: readonly FormFlow[];
}
export interface FormFlow {
  readonly kind: "authorizationCode" | "clientCredentials" | "deviceAuthorization";
  /** In the language of the page. */
  readonly title: string;
  readonly authorizationUrl?: string;
  readonly deviceAuthorizationUrl?: string;
  readonly tokenUrl?: string;
  /** Extra parameters of authorization requests (`query`) and of token requests (`body`). */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>>;
}
/**
 * `token` is pasted, `basic` has a user and a password, `challenge` is computed from an answer of the server,
 * `certificate` is left to the browser.
 */
export type CredentialKind = "key" | "token" | "basic" | "challenge" | "certificate" | "other";

export interface FormParameter {
  readonly name: string;
  readonly place: ParameterLocation;
  readonly required: boolean;
  readonly deprecated?: true;
  readonly description?: string;
  readonly schema: number;
  readonly style?: string;
  readonly explode?: boolean;
  /** Reserved characters such as `/` are not encoded. */
  readonly allowReserved?: true;
  readonly contentType?: string;
  /** The value is the whole query, without a name. */
  readonly isWholeQuery?: true;
  readonly example?: Json;
  /** Initial value, even if values are not prefilled. */
  readonly start?: string;
}

export interface FormBody {
  readonly required: boolean;
  readonly description?: string;
  readonly media: readonly FormMedia[];
}
export interface FormMedia {
  readonly type: string;
  readonly schema: number;
  /** Name of the root element, for XML that is edited in a form. */
  readonly root?: string;
  /** At least one: values of a form, of JSON or of XML, texts of other media types. */
  readonly examples?: readonly FormExample[];
  /** How fields of a form are encoded, by name; for items of a list, see `itemKeys`. */
  readonly encoding?: Readonly<Record<string, FieldEncoding>>;
}
export interface FormExample {
  /** Absent if it is the only example. */
  readonly title?: string;
  readonly value: Json;
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

export interface FormGraph {
  readonly kind: "query" | "mutation" | "subscription";
  /** Name of the field that the operation selects. */
  readonly name: string;
  /** Its initial value. */
  readonly text: string;
  /** Example values. */
  readonly variables?: Json;
}
/** The types of a GraphQL schema, for the editor of operations. */
export interface GraphTypes {
  /** Root types, by `queries`, `mutations` and `subscriptions`. */
  readonly roots: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, GraphType>>;
}
export interface GraphType {
  readonly kind: "type" | "interface" | "union" | "enum" | "input" | "scalar";
  /** Absent if the schema has too many fields. */
  readonly fields?: Readonly<Record<string, GraphField>>;
  readonly values?: readonly string[];
  /** Types that a union or interface can be. */
  readonly members?: readonly string[];
  readonly description?: string;
}
export interface GraphField {
  /** As written: `[Book!]!`. */
  readonly type: string;
  readonly args?: Readonly<Record<string, GraphField>>;
  readonly default?: string;
  readonly description?: string;
  readonly deprecated?: true;
}

/** A schema as a form needs it; missing keywords permit anything. */
export interface FormSchema {
  /** The type that readers see; if absent, the form derives it from the other keywords. */
  readonly label?: string;
  /** Without `null`. */
  readonly types?: readonly string[];
  readonly nullable?: true;
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  /** Raw binary data. */
  readonly file?: true;
  /** Binary data sent as text: `base64`, `base64url`. */
  readonly encoding?: string;
  readonly enum?: readonly Json[];
  /** The only valid value. */
  readonly const?: Json;
  readonly default?: Json;
  readonly example?: Json;
  /** Initial value, if values are prefilled. */
  readonly preset?: Json;
  readonly pattern?: string;
  readonly limits?: Limits;
  readonly uniqueItems?: true;
  readonly deprecated?: true;
  readonly properties?: readonly FormProperty[];
  /** Schema of other properties, if permitted. */
  readonly additional?: number;
  readonly items?: number;
  readonly prefixItems?: readonly number[];
  readonly unions?: readonly FormUnion[];
  readonly xml?: XmlKeywords;
  /** Left out because the file would grow too large; readers edit the value as JSON. */
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
