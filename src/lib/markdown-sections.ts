/** A part of a page's Markdown from a heading to the next one. */
export interface MarkdownSection {
  /** Letters and digits of the heading; empty before the first heading. */
  readonly key: string;
  /** 0 before the first heading. */
  readonly level: number;
  /** Markdown of the section, heading included, without the line break at its end. */
  readonly text: string;
}

/** Splits Markdown at its headings outside of fenced code. The first section precedes the first heading. */
export function markdownSections(markdown: string): readonly MarkdownSection[] {
  const sections: { key: string; level: number; lines: string[] }[] = [{ key: "", level: 0, lines: [] }];
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const [, marks, title] = (fence === undefined && /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line)) || [];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    if (marks !== undefined) sections.push({ key: headingKey(title!), level: marks.length, lines: [] });
    sections.at(-1)!.lines.push(line);
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join("\n") }));
}

/** Letters and digits of a heading, without the addresses of its links, for comparing headings regardless of their markup. */
export const headingKey = (heading: string): string =>
  heading
    .replace(/\]\([^()\s]*\)/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
