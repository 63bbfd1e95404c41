import type { PageSection } from "./documentation.js";

/**
 * The part of a page's Markdown from a heading to the next one that is not below it.
 *
 * @param sections of the page, as its search has them.
 * @returns undefined if the page has no such section.
 */
export function sectionOf(markdown: string, sections: readonly PageSection[], anchor: string): string | undefined {
  const at = sections.findIndex((section) => section.anchor === anchor);
  if (at < 0) return undefined;
  const heading = letters(sections[at]!.heading);
  // Headings with the same text are counted, so that the second "Example" is not the first.
  const before = sections
    .slice(0, at)
    .filter((section) => section.anchor !== "" && letters(section.heading) === heading).length;
  const headings = headingsOf(markdown);
  const first = headings.filter(({ text }) => letters(text) === heading)[before];
  if (first === undefined) return undefined;
  const next = headings.find(({ start, level }) => start > first.start && level <= first.level);
  return markdown.slice(first.start, next?.start).trimEnd();
}

/** Headings outside of code blocks. `start`: their place in the text. */
function headingsOf(markdown: string) {
  const headings: { start: number; level: number; text: string }[] = [];
  let fence = "";
  for (let start = 0; start <= markdown.length; ) {
    const newline = markdown.indexOf("\n", start);
    const end = newline < 0 ? markdown.length : newline;
    const line = markdown.slice(start, end);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === "" && mark !== undefined) fence = mark;
    else if (fence !== "" && mark?.startsWith(fence) && line.trim() === mark) fence = "";
    else if (fence === "") {
      const [, marks, text] = /^(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? [];
      if (marks !== undefined) headings.push({ start, level: marks.length, text: text! });
    }
    start = end + 1;
  }
  return headings;
}

/** What two forms of a heading share: without its markup and the targets of its links. */
const letters = (heading: string): string =>
  heading
    .replace(/\]\([^()\s]*\)/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
