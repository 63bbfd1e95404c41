/** Escapes text for scripts and Markdown; `html/escape.ts` does it for HTML and XML. */
import { oneLine } from "../../lib/plain-text.js";

/** JSON for a `<script>` data block: without `<`, so nothing in it can close the element or open a comment. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, "\\u003c")
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029");
}

/**
 * A property or a title as one line of Markdown. Tags outside code are escaped, so that a component name in a title stays
 * text.
 */
export function markdownLine(text: string): string {
  const line = oneLine(text);
  if (!line.includes("<")) return line;
  return line
    .split(/(`+[^`]*`+)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/\\?<(?=[A-Za-z/!?])/g, "\\<")))
    .join("");
}

/** Like `markdownLine`, for the text between the brackets of a link. */
export function linkLabel(text: string): string {
  return markdownLine(text).replace(/\\?[[\]]/g, (bracket) => (bracket.length > 1 ? bracket : `\\${bracket}`));
}

/** A relative link without parentheses, which would end it. */
export const withoutBrackets = (href: string): string =>
  href.replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29"));

/** A link's target between its parentheses. */
export function linkTarget(url: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would end the link
  const clean = url.replace(/[\0-\x1f\x7f]/g, "");
  return /[\s()<>]/.test(clean) ? `<${clean.replace(/[<>]/g, (c) => (c === "<" ? "%3C" : "%3E"))}>` : clean;
}
