/** Functions that escape text for its context. Text of a site is hostile until one of them has escaped it. */

/** Escapes text between tags of HTML, which does not allow U+0000. Browsers read each carriage return as a line feed. */
export function escapeText(text: string): string {
  if (!/[&<\0\r]/.test(text)) return text;
  return withoutNull(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")).replace(/\r\n?/g, "\n");
}

export const withoutNull = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text);

/** Escapes an attribute's value between double quotes. */
export function escapeAttribute(value: string): string {
  if (!/[&<"\0\r]/.test(value)) return value;
  return escapeText(value).replaceAll('"', "&quot;");
}

/** Escapes text between tags of HTML and SVG; XML does not allow `]]>`. */
export const escapeMarkup = (text: string): string =>
  /[&<>\0\r]/.test(text) ? escapeText(text).replaceAll(">", "&gt;") : text;

/** Escapes text for templates, where it may be between tags or between double quotes. */
export const escapeHtml = (text: string): string =>
  /[&<>"\0\r]/.test(text) ? escapeMarkup(text).replaceAll('"', "&quot;") : text;

/** Escapes XML text and values. Characters that XML 1.0 forbids are dropped; half a surrogate pair becomes U+FFFD. */
export function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  const allowed = text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "");
  return escapeHtml(allowed).replaceAll("'", "&apos;");
}

/** Decodes numeric references and the six common names; other names (`&nope;`) stay, and NUL is dropped. */
export function unescapeHtml(html: string): string {
  if (!html.includes("&")) return html;
  return html.replace(/&(?:#x([\da-f]+)|#(\d+)|(amp|lt|gt|quot|apos|nbsp));/gi, (_, hex, decimal, name) => {
    if (name !== undefined) return characters[name.toLowerCase() as keyof typeof characters];
    const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
const characters = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" } as const;
