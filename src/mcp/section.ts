import { headingKey, markdownSections } from "../lib/markdown-sections.js";
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
  const key = headingKey(sections[at]!.heading);
  // Headings with the same text are counted, so that the second "Example" is not the first.
  const before = sections
    .slice(0, at)
    .filter((section) => section.anchor !== "" && headingKey(section.heading) === key).length;
  const parts = markdownSections(markdown);
  const first = parts.filter((part) => part.level > 0 && part.key === key)[before];
  if (first === undefined) return undefined;
  const rest = parts.slice(parts.indexOf(first));
  const end = rest.findIndex(({ level }, index) => index > 0 && level <= first.level);
  return (end < 0 ? rest : rest.slice(0, end))
    .map(({ text }) => text)
    .join("\n")
    .trimEnd();
}
