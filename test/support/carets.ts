/** Where a message shows the fault: what every diagnostic must do. */

/** Codes about a whole file or folder, or about a missing part of it: there is no line to show. */
export const ofWholeFiles: ReadonlySet<string> = new Set([
  // The folder, its files and their names.
  ...["SITE_NOT_FOUND", "SITE_EMPTY", "SOURCE_UNREADABLE", "SOURCE_NAME_UNUSABLE", "SOURCE_LINK_BROKEN"],
  ...["SOURCE_LINK_LOOP", "SOURCE_LINK_OUTSIDE", "SOURCE_LINK_PRIVATE", "NAME_NOT_PORTABLE", "PAGE_SHADOWED"],
  ...["PATH_TAKEN", "PATH_RESERVED", "PATH_UNKNOWN", "CONFIG_NOT_FOUND"],
  // What docs.json, a specification, an overlay or a grammar lacks.
  ...[
    "CONFIG_KEY_MISSING",
    "CONFIG_NAVIGATION_MISSING",
    "SPEC_NOT_RECOGNIZED",
    "OVERLAY_INVALID",
    "CODE_GRAMMAR_INVALID",
  ],
  // Files that are not text, or not written by hand.
  ...["SVG_REFUSED", "LOCK_INVALID"],
]);

/** A culprit of one sign: a comma too many, a bracket that is open, a number of one digit, a dash. Never a letter, a quote or a tag. */
const signs = /^[,;|>}\]/#—\d\u{fffd}\u{f020}-\u{f0ff}]$/u;
const openBrackets: ReadonlySet<string> = new Set([
  "FRONTMATTER_SYNTAX",
  "MDX_SYNTAX",
  "SPEC_SYNTAX",
  "SPEC_TOO_DEEP",
  "STYLE_SYNTAX",
]);

/** The messages in a printed report that have no line, or a caret under one letter. */
export function poorCarets(printed: string): string[] {
  return printed.split(/\n\n/).filter((message) => {
    const [, code = "", line] = /^(?:error|warning|hint) ([A-Z_0-9]+)(?: .*?(:\d+)?(?::\d+)?)?$/m.exec(message) ?? [];
    if (line === undefined) return !ofWholeFiles.has(code);
    const [, source = "", carets] = /^ +\d+ +\| (.*)\n +\| ( *\^+)$/m.exec(message) ?? [];
    if (carets === undefined) return !/ is empty\.$/m.test(message);
    const [sign = ""] = source.slice(carets.indexOf("^"));
    return !/\^\^/.test(carets) && !signs.test(sign) && !(/[{[]/.test(sign) && openBrackets.has(code));
  });
}
