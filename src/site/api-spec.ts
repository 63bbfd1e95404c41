import type { Location } from "../lib/diagnostic/index.js";
import type { Json, JsonObject } from "../lib/json/index.js";

/** The formats of specifications, in the order in which settings name them. */
export const specFormats = ["openapi", "asyncapi", "graphql", "arazzo"] as const;
export type SpecFormat = (typeof specFormats)[number];

export const byFormat = <T>(make: (format: SpecFormat) => T) =>
  Object.fromEntries(specFormats.map((format) => [format, make(format)])) as { readonly [format in SpecFormat]: T };

/** A specification with its overlays applied; references are kept as written. */
export interface ApiSpec {
  /** Path of the file in the site, or its URL. */
  readonly source: string;
  readonly format: SpecFormat;
  /** As written: `3.0.3`, `3.1.0`. */
  readonly version: string;
  /** The whole document as plain data; no name in it can reach a prototype. */
  readonly document: JsonObject;
  /** The specifications that an Arazzo document names: their keys by their names. */
  readonly sources?: Readonly<Record<string, string>>;
  /** Pointers of the entries whose pages are left out, since they are for other readers; absent: none. */
  readonly closed?: readonly string[];
  /** See `Site`; absent: everyone. */
  readonly audience?: readonly string[];
  /** The value at a JSON pointer of this document (`#/components/schemas/User`); undefined if it leads nowhere or outside. */
  resolve(pointer: string): Json | undefined;
  /** The pointer of a value in the document as written; absent: the same. */
  readonly writtenPointer?: (pointer: string) => string;
  /** Where the value of a pointer was written, for diagnostics. */
  locationOf(pointer: string): Location;
}

/** Whether a path or URL names a file in the language of GraphQL. */
export const isGraphql = (source: string): boolean => /\.(?:graphqls?|gql)$/i.test(source.replace(/[?#].*$/s, ""));
