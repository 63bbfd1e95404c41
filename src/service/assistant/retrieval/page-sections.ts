import type { PagePart } from "../../../bundle/search/index.js";
import { headingKey, markdownSections } from "../../../lib/markdown-sections.js";

/** Begins the note to agents in the Markdown version of each page. */
const instructions = /^> \*\*Agent instructions\*\*.*(?:\n>.*)*\n*/m;

/**
 * The Markdown of each part of a page, in the order of the parts: tables are tables, code is fenced, steps are lists.
 * A heading of the Markdown that is no part belongs to the part before. A part without a heading in the Markdown, such
 * as a folded one, has the text of the search.
 *
 * @param parts the first one is the text before the first heading. @param markdown undefined: the page has none.
 */
export function markdownOfParts(parts: readonly PagePart[], markdown: string | undefined): string[] {
  const plain = ([, , text, code = ""]: PagePart): string => [text, code].filter((each) => each !== "").join("\n\n");
  if (markdown === undefined) return parts.map(plain);
  const written = markdownSections(markdown);
  // The first heading is the title of the page.
  let at = written[1] === undefined ? 1 : 2;
  const texts = [written.slice(0, at)];
  for (const [, name] of parts.slice(1)) {
    const key = headingKey(name);
    let found = at;
    while (found < written.length && written[found]!.key !== key) found++;
    if (found === written.length) {
      texts.push([]);
      continue;
    }
    texts.findLast((each) => each.length > 0)!.push(...written.slice(at, found));
    texts.push([written[found]!]);
    at = found + 1;
  }
  texts.findLast((each) => each.length > 0)!.push(...written.slice(at));
  return texts.map((sections, part) => {
    const text = sections.map((section) => section.text).join("\n");
    return (part === 0 ? text.replace(instructions, "") : text).trim() || plain(parts[part]!);
  });
}
