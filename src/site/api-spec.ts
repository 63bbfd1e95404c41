import type { Location } from "../lib/diagnostic/index.js";
import type { Json, JsonObject } from "../lib/json/index.js";

/** One specification, read and with its overlays applied; references are kept as written. */
export interface ApiSpec {
  /** Path of the file in the site, or its URL. */
  readonly source: string;
  readonly format: "openapi" | "asyncapi";
  /** As written: `3.0.3`, `3.1.0`. */
  readonly version: string;
  /** The whole document, plain data without prototypes of its own making. */
  readonly document: JsonObject;
  /** What a JSON pointer of this document (`#/components/schemas/User`, or a whole `$ref`) leads to, whatever it is; undefined if it leads nowhere or outside. */
  resolve(pointer: string): Json | undefined;
  /** Where the value of a pointer was written, for diagnostics. */
  locationOf(pointer: string): Location;
}
