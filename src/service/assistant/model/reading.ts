import { type Passage, type SiteIndex, sectionTitle } from "../answer.js";
import { pageSections, quoteOf, type Weight } from "../quote-page.js";
import { estimateTokens, oneLine, startWithin } from "./tokens.js";

/** Marks what is quoted to a model, so that no text of a page can end its quotation. */
export const quotation = (
  kind: "passage" | "contents" | "selection" | "earlier",
  mark: string,
  text: string,
  attributes = "",
): string => `<${kind}-${mark}${attributes}>\n${text}\n</${kind}-${mark}>`;

/** Characters of a section that a search shows: of the best ones, and of the others, so that more of them have room. */
const passageLength = { best: 2000, other: 450 };
const bestCount = 3;
/** A quotation with less room says too little. */
const minTokens = 60;

export type Reading = ReturnType<typeof createReading>;

/**
 * What a model reads for one answer. Each section has one number, by which the answer cites it, and is shown once; a
 * section that was shown in part may be shown again as a whole.
 *
 * @param mark random. @param tokens for all quotations together.
 */
export function createReading(index: SiteIndex, mark: string, tokens: number) {
  const passages: Passage[] = [];
  const quotations: string[] = [];
  let left = tokens;

  /** Undefined: there is no room, or nothing new. */
  const show = (section: Passage, text: string, isPart: boolean, most: number): string | undefined => {
    const known = passages.findIndex(({ url }) => url === section.url);
    if (known >= 0 && (isPart || passages[known]!.text.length >= text.length)) return undefined;
    const at = known < 0 ? passages.length : known;
    const place = [...section.trail, section.title, section.heading];
    const head = `${oneLine(place.filter((each, i) => each !== "" && each !== place[i - 1]).join(" > "))} (${oneLine(section.path)}${section.anchor && `#${oneLine(section.anchor)}`})`;
    const room = Math.min(most, left) - estimateTokens(head) - quotationTokens;
    const body = startWithin(text, room);
    if (room < minTokens || body === "") return undefined;
    const cut = isPart || body !== text ? ' part="true"' : "";
    const quoted = quotation("passage", mark, `${head}\n\n${body}`, ` number="${at + 1}"${cut}`);
    left -= estimateTokens(quoted);
    passages[at] = { ...section, text: body };
    quotations[at] = quoted;
    return quoted;
  };

  return {
    mark,
    /** Grows; the first one has the number 1. */
    passages,
    /** The newest quotation of each passage. */
    quotations,
    /** Estimated tokens. */
    get left() {
      return left;
    },
    spend(text: string): void {
      left -= estimateTokens(text);
    },
    /** Quotes what a search found, as Markdown, as far as there is room: best first. @returns the new quotations. */
    async showFound(found: readonly Passage[], weight: Weight, most = left): Promise<string[]> {
      const end = left - Math.min(left, most);
      const shown: string[] = [];
      for (const [rank, passage] of found.entries()) {
        const length = rank < bestCount ? passageLength.best : passageLength.other;
        const sections = await index.readSections(passage.path);
        const section = sections?.find(({ url }) => url === passage.url);
        const text = section?.text ?? passage.text;
        const part = text.length <= length ? text : excerptOf(text, weight, length);
        const quoted = text === "" ? undefined : show(passage, part, part !== text, left - end);
        if (quoted !== undefined) shown.push(quoted);
      }
      return shown;
    },
    /** Quotes a section with what fits around it, or the whole page. @param anchor empty for its beginning. */
    showPage(sections: readonly Passage[], anchor: string, most: number): string[] {
      const start = Math.max(
        0,
        sections.findIndex((section) => section.anchor === anchor),
      );
      const end = left - Math.min(left, most);
      const shown = new Map<number, string>();
      const byDistance = [...sections.keys()].sort((a, b) => distance(a - start) - distance(b - start));
      for (const at of byDistance) {
        const room = left - end;
        // A neighbour is shown as a whole.
        if (at !== start && estimateTokens(sections[at]!.text) + 2 * quotationTokens > room) break;
        const quoted = show(sections[at]!, sections[at]!.text, false, room);
        if (quoted !== undefined) shown.set(at, quoted);
      }
      return [...shown].sort(([a], [b]) => a - b).map(([, quoted]) => quoted);
    },
    /** The headings of a page, so that the model can read another section of it. */
    contents(sections: readonly Passage[]): string {
      const list = sections.slice(0, maxContents).map((section) => {
        const at = section.anchor === "" ? "" : `#${section.anchor} `;
        return oneLine(`- ${at}${sectionTitle(section)}`).slice(0, 150);
      });
      return quotation("contents", mark, list.join("\n"));
    },
  };
}

const quotationTokens = 30;
const maxContents = 60;

/** What follows a section tells more about it than what precedes it. */
const distance = (offset: number): number => (offset < 0 ? -2 * offset + 1 : 2 * offset);

/** The blocks of a long section that say most about what is asked: whole ones, or rows of a table with its head. */
function excerptOf(markdown: string, weight: Weight, length: number): string {
  const blocks = pageSections(markdown).flatMap((section) => section.blocks);
  return quoteOf(blocks, weight, length).join("\n\n") || markdown.slice(0, length).toWellFormed();
}
