/** Counts the parts of a page before and after its conversion, so that a loss is noticed whatever its cause. */
import { codeSpans, fenceOf, linesOf, mapRuns, outsideCodeSpans, type PageText } from "./page-text.js";
import { inTag, markLinesInTags } from "./steps/tags.js";

/** A row of the report: what the old site has, and what the new one has. */
export interface Comparison {
  readonly what: string;
  readonly before: number;
  readonly after: number;
}

const counted = ["headings", "code blocks", "images", "links"] as const;
type Counts = Record<(typeof counted)[number] | "words", number>;

/** The start of a heading, which may be in a list or a quote. */
const headingMark = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*#{1,6}[ \t]/;

export function countPage(text: string): Counts {
  const counts: Counts = { headings: 0, "code blocks": 0, images: 0, links: 0, words: 0 };
  // Code is not searched: it may have the marks of a comment.
  const visible = mapRuns(linesOf(text, 1), (run) =>
    run.replace(
      /<(script|style|pre)\b[\s\S]{0,100000}?<\/\1>|\{% content-ref\b[\s\S]{0,2000}?\{% endcontent-ref %\}|<!--[\s\S]{0,100000}?-->|\{\{[<%] ?(?:mermaid|highlight)\b[\s\S]{0,100000}?\{\{[<%] ?\/|\{\/\*[\s\S]{0,100000}?\*\/\}|^import\s[^"';`]{1,3000}["'][^"'\n]{1,300}["'];?$/gm,
      // A card replaces the link and has another text, so only one link is counted.
      (part) => (part.startsWith("{%") ? "[](link)" : ""),
    ),
  );
  for (const { text: line, code, opens } of markLinesInTags(visible)) {
    // An `admonish` block of mdBook is a callout.
    if (opens && !/^\s*(?:admonish(?![\w-])|mdx-code-block)/.test(fenceOf(line)?.[1] ?? "")) counts["code blocks"]++;
    if (code || line.length > 20_000 || line.startsWith(inTag) || /^(?:import|export)\s/.test(line)) continue;
    // A heading may have become the title of a step.
    if (headingMark.test(line) || /^\s*<Step\b[^<>]{0,500}\sid=/.test(line)) counts.headings++;
    let prose = line;
    for (const [start, end] of codeSpans(line).toReversed()) prose = prose.slice(0, start) + prose.slice(end);
    // Indented lines may be code.
    counts.words +=
      (/^(?: {4}|\t)/.test(prose) ? "" : prose)
        .replace(/\[\[[^[\]|\n]{1,300}\|/g, " ")
        // The title of a component was text, such as that of a cell.
        .replace(/<[A-Z]\w{0,60}\b[^<>]{0,500}? title="([^"<>]{1,500})"[^<>]{0,2000}>/g, " $1 ")
        .replace(
          /<[^<>]{0,2000}>|<[A-Za-z][^<>]{0,2000}$|\]\([^()]{0,1000}\)|\{[^{}]{0,500}\}|:[\w+-]{1,60}:|^[ \t]*@tab\b.*/g,
          " ",
        )
        .match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
    counts.images += prose.match(/!\[[^\]]{0,1000}\]\(|<img\s/g)?.length ?? 0;
    counts.links += prose.match(/(?<!!)\[(?:[^[\]]|!?\[[^[\]]{0,300}\]){0,1000}\]\(|\shref=(?!["']#)/g)?.length ?? 0;
  }
  return counts;
}

/** A page that keeps a smaller share of its words may have lost a part. */
const minWordShare = 0.75;

type Report = (kind: string, what: string, line?: number) => void;

export function createComparison() {
  const before = countPage("");
  const after = countPage("");
  return {
    /**
     * Reports code blocks that the new page lacks.
     *
     * @param hasTitle whether a heading became the title
     */
    addPage(old: Counts, next: Counts, hasTitle: boolean, report: Report): void {
      if (hasTitle) after.headings++;
      for (const what of counted) {
        before[what] += old[what];
        after[what] += next[what];
      }
      if (old.words > 60 && next.words < old.words * minWordShare)
        report("text", `The old page has ${old.words} words, but the new one ${next.words}; compare them.`);
      const missing = old["code blocks"] - next["code blocks"];
      if (missing > 0)
        report(
          "code",
          `${missing} of ${old["code blocks"]} code blocks are missing from the new page; compare the two.`,
        );
    },
    rows: (pages: number, newPages: number, entries: number, newEntries: number): Comparison[] => [
      { what: "pages", before: pages, after: newPages },
      { what: "navigation entries", before: entries, after: newEntries },
      ...counted.map((what) => ({ what, before: before[what], after: after[what] })),
    ],
  };
}

/** Syntax of other tools, which a reader would see as text. */
const foreign =
  /:{3,}[ \t]*\w[\w-]*|^[ \t]*::[ \t]?[a-z][\w-]*|(?<!\w)(?:!!!|\?\?\?\+?)[ \t]+\w+|^[ \t]*!!!\w+(?=[ \t]*$|[ \t]+")|^[ \t]*\/{3}(?:[ \t]+\w+)?[ \t]*$|===[ \t]+"[^"\n]{0,100}"|(?<!=)\{\{[^{}\n]{0,200}\}\}|\{%[^\n]{0,200}?%\}|\{:[ \t]?[.#\w][^{}\n]{0,100}\}|\{#[\w.:-]{1,100}\}|^[ \t]*\{\.[\w-][^{}\n]{0,100}\}[ \t]*$|-{1,3}8<-{1,3}|<<<[ \t]*@?\/\S+|\[block:[\w-]+\]|\{[*!][^{}\n]{0,200}[*!]\}|\[\[?toc\]\]?|!?\[\[(?![ \t]*(?:["']|[-.\d]{1,20}[,\]]))[^[\]\n]{1,200}\]\]|!!![ \t]*include\(|^[ \t]*@(?:tab(?=[ \t:])|\[[\w-]{1,40}\]\()|^[ \t]*@include[ \t]+\S+|\{:?[ \t]*[\w-]{1,40}=(?:"[^"\n]{0,200}"|'[^'\n]{0,200}')[^{}\n]{0,100}\}|^import[ \t].{1,200}from[ \t]*["'].*$/gi;

/** Reports syntax of the old tool that no step has converted. */
export function reportLeftovers(lines: PageText, report: Report, reported: ReadonlySet<string>): void {
  for (const { text, code, generated, isHidden, line } of lines) {
    if (code || generated || isHidden || text.length > 20_000 || !/[:!?/={[<@-]/.test(text)) continue;
    const isHeading = headingMark.test(text);
    outsideCodeSpans(text, (part) => {
      for (const [leftover] of part.replace(/\\./g, "  ").matchAll(foreign))
        if (!reported.has(leftover) && !(isHeading && leftover.startsWith("{#")))
          report(
            "leftover",
            `"${leftover.trim()}" stays as text; if it is syntax of the old tool, replace it with what readers should see.`,
            line,
          );
      return part;
    });
  }
}
