import { type Diagnostic, errorOf, type Location } from "../../../lib/diagnostic/index.js";
import type { Json } from "../../../lib/json/index.js";
import { isGraphql } from "../../api-spec.js";

/** The text of a specification or overlay, and its source. */
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

/** Whether a file may be a specification or overlay, by its name. */
export const isSpecFile = (path: string): boolean =>
  isGraphql(path) || (/\.(?:json|ya?ml)$/i.test(path) && !/^(?:docs|mint)\.json$/.test(path));

export const isJsonText = ({ source, text }: SpecText): boolean => /^\s*[{[]/.test(text) || /\.json$/i.test(source);

export function specSyntax(what: string, location: Location, fix: string): Diagnostic {
  return { code: "SPEC_SYNTAX", severity: "error", what, location, fix };
}

export const maxSpecBytes = 32 * 1024 * 1024;

/** Far deeper than any real specification, and far below the limit of recursive functions. */
export const maxSpecDepth = 200;

/** The most values; the value of an alias counts each time. Each thread has them in memory, at about 100 bytes each. */
export const maxSpecValues = 1_000_000;

/** Longest YAML that is parsed at once, in UTF-16 code units, since its nodes take a hundred times its memory. */
export const maxYamlAtOnce = 3_000_000;

/** Longest title, in UTF-16 code units. */
export const maxSummaryLength = 2_000;

/** Longest text of any other kind, such as a description or an example, in UTF-16 code units. */
export const maxValueLength = 500_000;

/** Longest name of a member, in UTF-16 code units. */
export const maxNameLength = 10_000;

export function specTooLarge(source: string, location: Location = { sourcePath: source }): Diagnostic {
  const what = `${source} is too large: the limits are ${maxSpecBytes / 1024 / 1024} MB and ${maxSpecValues} values.`;
  const fix = 'split the API into several specifications, and list them: "openapi": ["users.json", "teams.json"].';
  return { code: "SPEC_TOO_LARGE", severity: "error", what, location, fix };
}

/** The name by which code that reads an object's members could reach its prototype. */
export const prototypeName = "__proto__";

export const specNameLeftOut = (location: Location): Diagnostic => ({
  ...errorOf("SPEC_NAME_LEFT_OUT"),
  what: `The name "${prototypeName}" is not allowed, so this member and everything in it are left out.`,
  location: { ...location, length: prototypeName.length },
  fix: "rename the member, in the API as well: many JSON parsers drop this name.",
});

/** @param location location of the later name. */
export const specNameTwice = (name: string, location: Location): Diagnostic =>
  specSyntax(
    `"${name}" is defined twice in one mapping; the earlier value is ignored.`,
    { ...location, length: name.length },
    "remove one of them, or correct its name.",
  );

export function specTooDeep(location: Location): Diagnostic {
  const what = `${location.sourcePath} is nested deeper than ${maxSpecDepth} levels.`;
  const fix = 'move the inner parts to "components", and refer to them with "$ref".';
  return { code: "SPEC_TOO_DEEP", severity: "error", what, location, fix };
}

/** Values of the token kinds of `jsonc-parser`: its enumeration exists only as a type. */
export const jsonToken = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  string: 10,
  end: 17,
} as const;

/** How a token of JSON changes the depth. */
export function nesting(token: number): -1 | 0 | 1 {
  if (token === jsonToken.openBrace || token === jsonToken.openBracket) return 1;
  return token === jsonToken.closeBrace || token === jsonToken.closeBracket ? -1 : 0;
}
