import type { Location } from "../lib/diagnostic/index.js";
import type { Json, JsonObject } from "../lib/json/index.js";

/** The formats of specifications, in the order in which settings name them. */
export const specFormats = ["openapi", "asyncapi", "graphql", "arazzo"] as const;
export type SpecFormat = (typeof specFormats)[number];

export const byFormat = <T>(make: (format: SpecFormat) => T) =>
  Object.fromEntries(specFormats.map((format) => [format, make(format)])) as { readonly [format in SpecFormat]: T };

/** A specification with its overlays applied; references stay as written. */
export interface ApiSpec {
  /** Path of the file in the site, or its URL. */
  readonly source: string;
  readonly format: SpecFormat;
  /** As written: `3.0.3`, `3.1.0`. */
  readonly version: string;
  /** The whole document as plain data; no name in it can reach a prototype. */
  readonly document: JsonObject;
  /** Keys of the specifications to which an Arazzo document refers, by the names that it gives them. */
  readonly sources?: Readonly<Record<string, string>>;
  /** Pointers of the entries whose pages are left out because they are for other readers; absent if there are none. */
  readonly closed?: readonly string[];
  /** See `Site`; absent for all readers. */
  readonly audience?: readonly string[];
  /** The value at a JSON pointer of this document (`#/components/schemas/User`); undefined if the document has no such value. */
  resolve(pointer: string): Json | undefined;
  /** The pointer of a value in the document as written; absent if all pointers are the same. */
  readonly writtenPointer?: (pointer: string) => string;
  /** Where the value at a pointer is written, or the name of the member, for diagnostics. */
  locationOf(pointer: string, part?: "name"): Location;
}

/** Whether a path or URL names a file in the language of GraphQL. */
export const isGraphql = (source: string): boolean => /\.(?:graphqls?|gql)$/i.test(source.replace(/[?#].*$/s, ""));
