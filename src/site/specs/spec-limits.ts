import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";

/** Largest specification, in bytes of UTF-8. */
export const maxSpecBytes = 32 * 1024 * 1024;
/** Far deeper than any real specification, far less than a recursion over it could not bear. */
export const maxSpecDepth = 200;
/** Values, what aliases repeat counted each time. */
export const maxSpecValues = 3_000_000;

export function specTooLarge(source: string, location: Location = { sourcePath: source }): Diagnostic {
  return {
    code: "SPEC_TOO_LARGE",
    severity: "error",
    what: `${source} is larger than an export can take: at most ${maxSpecBytes / 1024 / 1024} MB and ${maxSpecValues} values are read.`,
    location,
    fix: "split the API into several specifications.",
  };
}

export function specTooDeep(location: Location): Diagnostic {
  return {
    code: "SPEC_TOO_DEEP",
    severity: "error",
    what: `${location.sourcePath} is nested deeper than ${maxSpecDepth} levels.`,
    location,
    fix: 'move what lies deep into "components" and refer to it with "$ref".',
  };
}
