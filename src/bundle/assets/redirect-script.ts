import type { RedirectRule } from "../../site/links/index.js";

/**
 * The script of the 404 page: the wildcard redirects as data, and the code that follows them.
 * @param code the built `redirects.js`
 * @returns undefined if there is no such redirect.
 */
export function redirectScript(rules: readonly RedirectRule[], code: string): string | undefined {
  const written = rules.flatMap(({ source, destination, pattern }) =>
    pattern === undefined ? [] : [[source, pattern.regex.source, pattern.names, destination]],
  );
  if (written.length === 0) return undefined;
  // "<" is escaped, so that the text is safe in any context.
  return `var offprintRedirects=${JSON.stringify(written).replaceAll("<", "\\u003c")};\n${code}`;
}
