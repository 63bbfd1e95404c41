import type { Json, JsonObject } from "../../lib/json/index.js";
import type { NamedExample } from "./media-type.js";

export type ParameterLocation = "path" | "query" | "header" | "cookie";
export interface Parameter {
  readonly name: string;
  readonly place: ParameterLocation;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description?: string;
  readonly schema: Json;
  readonly examples: readonly NamedExample[];
  readonly style?: string;
  readonly explode?: boolean;
  /** Reserved characters of a URL are not encoded. */
  readonly allowReserved: boolean;
  /** The media type of the value (`content`). */
  readonly contentType?: string;
  /** The value is the whole query, without a name. */
  readonly isWholeQuery?: true;
  readonly written: JsonObject;
}
