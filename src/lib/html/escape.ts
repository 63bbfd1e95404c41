/** Escapes text for where it is written. Text of a site is hostile until one of these has escaped it. */

/** Text between tags of HTML, which does not allow U+0000. Browsers read each carriage return as a line feed. */
export function escapeText(text: string): string {
  if (!/[&<\0\r]/.test(text)) return text;
  return withoutNull(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")).replace(/\r\n?/g, "\n");
}

export const withoutNull = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text);

/** An attribute's value between double quotes. */
export function escapeAttribute(value: string): string {
  if (!/[&<"\0\r]/.test(value)) return value;
  return escapeText(value).replaceAll('"', "&quot;");
}

/** Text between tags of HTML and SVG: XML does not allow `]]>`. */
export function escapeMarkup(text: string): string {
  return /[&<>\0\r]/.test(text) ? escapeText(text).replaceAll(">", "&gt;") : text;
}

/** For templates: text between tags, or a value between double quotes. */
export function escapeHtml(text: string): string {
  return /[&<>"\0\r]/.test(text) ? escapeMarkup(text).replaceAll('"', "&quot;") : text;
}

/** XML text and values; characters that XML 1.0 forbids are dropped, half a surrogate pair becomes U+FFFD. */
export function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  const allowed = text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "");
  return escapeHtml(allowed).replaceAll("'", "&apos;");
}

/** Decodes the references of text and values. Names that HTML hardly needs (`&nope;`) stay; NUL is dropped. */
export function unescapeHtml(html: string): string {
  if (!html.includes("&")) return html;
  return html.replace(/&(?:#x([\da-f]+)|#(\d+)|(amp|lt|gt|quot|apos|nbsp));/gi, (_, hex, decimal, name) => {
    if (name !== undefined) return characters[name.toLowerCase() as keyof typeof characters];
    const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
const characters = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" } as const;
