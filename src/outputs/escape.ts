/** Text made safe for the place it goes to. Everything that comes from a site is hostile until it went through one of these. */

const htmlSpecials = /[&<>"]/;

/** For text and for attribute values in double quotes. */
export function escapeHtml(text: string): string {
  if (!htmlSpecials.test(text)) return text;
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** For XML text and attributes; characters that XML 1.0 forbids are left out, half a surrogate pair becomes U+FFFD. */
export function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  return escapeHtml(text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")).replace(/'/g, "&apos;");
}

/** JSON for a `<script>` data block: no `<`, so nothing in it can close the element or open a comment. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, "\\u003c")
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029");
}

/** Any run of white space and control characters becomes one blank. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  return text.replace(/[\s\0-\x1f\x7f]+/g, " ").trim();
}

/** Inline Markdown as plain text on one line: link targets, tags, and marks of emphasis and code are left out. */
export function plainText(markdown: string): string {
  const line = oneLine(markdown);
  if (!/[[<*`\\]/.test(line)) return line;
  const text = line
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/(?<!\\)<\/?[A-Za-z][^<>]*>/g, "")
    .replace(/\*+(?=\S)|(?<=\S)\*+|`/g, "")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "");
  return oneLine(text);
}

/**
 * A property or a title as one line of Markdown: what looks like a tag outside of code is escaped, so that a component
 * name in a title stays text.
 */
export function markdownLine(text: string): string {
  const line = oneLine(text);
  if (!line.includes("<")) return line;
  return line
    .split(/(`+[^`]*`+)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/\\?<(?=[A-Za-z/!?])/g, "\\<")))
    .join("");
}

/** As `markdownLine`, for the text between the brackets of a link. */
export function linkLabel(text: string): string {
  return markdownLine(text).replace(/\\?[[\]]/g, (bracket) => (bracket.length > 1 ? bracket : `\\${bracket}`));
}

/** A link's target between its parentheses. */
export function linkTarget(url: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would end the link
  const clean = url.replace(/[\0-\x1f\x7f]/g, "");
  return /[\s()<>]/.test(clean) ? `<${clean.replace(/[<>]/g, (c) => (c === "<" ? "%3C" : "%3E"))}>` : clean;
}
