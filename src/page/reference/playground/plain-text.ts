const maxLength = 240;

/**
 * The first paragraph of a description as plain text, cut to a few lines, because a form has little space and the page
 * shows it all. Undefined if nothing is left.
 */
export function plainText(markdown: string | undefined): string | undefined {
  if (markdown === undefined) return undefined;
  const [first = ""] = markdown
    .slice(0, 4 * maxLength)
    .trim()
    .split(/\n\s*\n/, 1);
  // Code spans have no other markup.
  const parts = first.split("`").map((part, i) => (i % 2 === 1 ? part : withoutMarkup(part)));
  const joined = parts.join("");
  const text = (/\s\s|[^\S ]/.test(joined) ? joined.replace(/\s+/g, " ") : joined).trim();
  if (text === "") return undefined;
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed().trimEnd()}…` : text;
}

const withoutMarkup = (markdown: string): string =>
  !/[[<*_#+-]/.test(markdown)
    ? markdown
    : markdown
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/<\/?[a-z][^>]*>/gi, "")
        .replace(/\*\*|__/g, "")
        .replace(/(?<![\w*])([*_])(?=\S)([^*_\n]+)\1(?!\w)/g, "$2")
        .replace(/^\s*(?:#+|[*+-])\s+/gm, "");
