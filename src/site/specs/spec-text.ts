import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import type { Json } from "../../lib/json/index.js";
import { isGraphql } from "../is-graphql.js";

/** The text of a specification or overlay, and where it came from. */
export interface SpecText {
  /** Path in the site, or URL. */
  readonly source: string;
  readonly text: string;
}

export interface ParsedText {
  /** Absent if the text could not be read; an error says why. */
  readonly value?: Json;
  readonly diagnostics: readonly Diagnostic[];
}

/** True for a file that may hold a specification or overlay. */
export const isSpecFile = (path: string): boolean =>
  isGraphql(path) || (/\.(?:json|ya?ml)$/i.test(path) && !/^(?:docs|mint)\.json$/.test(path));

export const isJsonText = ({ source, text }: SpecText): boolean => /^\s*[{[]/.test(text) || /\.json$/i.test(source);

export function specSyntax(what: string, location: Location, fix: string): Diagnostic {
  return { code: "SPEC_SYNTAX", severity: "error", what, location, fix };
}
