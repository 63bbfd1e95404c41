const maxLength = 240;

/**
 * The first paragraph of a description without its Markdown signs, cut to some lines: a form has no room for more, and
 * the page says it all. Undefined if nothing is left.
 */
export function plainText(markdown: string | undefined): string | undefined {
  if (markdown === undefined) return undefined;
  const [first = ""] = markdown
    .slice(0, 4 * maxLength)
    .trim()
    .split(/\n\s*\n/, 1);
  // What stands in backticks is no markup.
  const parts = first.split("`").map((part, i) => (i % 2 === 1 ? part : withoutSigns(part)));
  const joined = parts.join("");
  const text = (/\s\s|[^\S ]/.test(joined) ? joined.replace(/\s+/g, " ") : joined).trim();
  if (text === "") return undefined;
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed().trimEnd()}…` : text;
}

const withoutSigns = (markdown: string): string =>
  !/[[<*_#+-]/.test(markdown)
    ? markdown
    : markdown
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/<\/?[a-z][^>]*>/gi, "")
        .replace(/\*\*|__/g, "")
        .replace(/(?<![\w*])([*_])(?=\S)([^*_\n]+)\1(?!\w)/g, "$2")
        .replace(/^\s*(?:#+|[*+-])\s+/gm, "");
