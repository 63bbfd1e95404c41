/** Any run of white space and control characters becomes one blank. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  return text.replace(/[\s\0-\x1f\x7f]+/g, " ").trim();
}

/** Inline Markdown as plain text on one line: without link targets, tags, and marks of emphasis and code. */
export function plainText(markdown: string): string {
  const line = oneLine(markdown);
  if (!/[[<*`\\]/.test(line)) return line;
  const text = line
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/(?<!\\)<\/?([A-Za-z][\w-]*)[^<>]*>/g, (_, name: string) => (separates.test(name) ? " " : ""))
    .replace(/\*+(?=\S)|(?<=\S)\*+|`/g, "")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "");
  return oneLine(text);
}

/** Elements whose words do not join those before and after them. */
const separates = /^(?:p|div|br|hr|h[1-6]|[uod]l|li|d[td]|table|t[hdr]|blockquote|pre)$/i;

/** Whether a text says no more than the title above it. One with a link, a picture or a tag with attributes says more. */
export function repeatsTitle(text: string, title: string): boolean {
  const words = text.replace(/<\/?(?:p|br|b|i|em|strong|code)\s*\/?>/gi, " ");
  return !/[[<]/.test(words) && inWords(plainText(words)) === inWords(title);
}

const inWords = (text: string): string => text.replace(/[\s.:!]+$/, "").toLowerCase();
