import { headingKey, type MarkdownSection, markdownSections } from "../../lib/markdown-sections.js";
import { parseHttpUrl } from "../../lib/url/index.js";
import type { QuestionKind } from "./question.js";

/** A section of a page's Markdown, without its heading. */
export interface PageSectionText {
  /** Letters and digits of the heading, for comparisons; empty before the first one. */
  readonly key: string;
  /** Its heading in Markdown. */
  readonly heading: string;
  readonly blocks: readonly Block[];
}
interface Block {
  readonly kind: "text" | "code" | "table" | "list";
  readonly text: string;
}

const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** Splits the Markdown version of a page into sections, and these into blocks between blank lines. */
export function pageSections(markdown: string): PageSectionText[] {
  const [lead, title, ...sections] = markdownSections(markdown);
  const bodyOf = ({ text }: MarkdownSection): string => text.slice(`${text}\n`.indexOf("\n") + 1);
  // The first heading is the title of the page.
  const first = blocksOf(`${lead!.text}\n\n${title ? bodyOf(title) : ""}`);
  return [
    { key: "", heading: "", blocks: first.filter(({ text }) => !text.startsWith(instructions)).map(withoutQuote) },
    ...sections.map((section) => ({
      key: section.key,
      heading: /^ {0,3}#+\s+(.*)/.exec(section.text)?.[1] ?? "",
      blocks: blocksOf(bodyOf(section)),
    })),
  ];
}

/** The parts with a name that have no heading in Markdown: items about a field, and what follows a bold line. */
export function partsNamed(name: string, sections: readonly PageSectionText[]): PageSectionText[] {
  const key = headingKey(name);
  const part = (blocks: readonly Block[]): PageSectionText => ({ key, heading: name, blocks });
  return sections.flatMap(({ blocks }) =>
    blocks.flatMap((block, at) => {
      if (block.kind === "list") {
        const items = partsOf(block).filter((text) => text.replace(item, "").startsWith(`\`${name}\``));
        return items.map((text) => part([{ kind: "list", text: text.trim() }]));
      }
      if (!isLabel(block) || headingKey(block.text) !== key) return [];
      const rest = blocks.slice(at + 1);
      const end = rest.findIndex(isLabel);
      return [part(end < 0 ? rest : rest.slice(0, end))];
    }),
  );
}

/** The section with the steps for which a page was found, if its text before the first heading has none. */
export function stepsOf([lead, ...sections]: readonly PageSectionText[], weight: Weight): PageSectionText | undefined {
  const hasSteps = ({ blocks }: PageSectionText): boolean =>
    blocks.some(({ kind, text }) => kind === "code" || numbered.test(text));
  if (lead === undefined || hasSteps(lead)) return undefined;
  const weightOf = ({ heading, blocks }: PageSectionText): number =>
    weight([heading, ...blocks.map(({ text }) => text)].join("\n"));
  const least = leastOfLead * weightOf(lead);
  return sections.find((section) => hasSteps(section) && weightOf(section) > least);
}
/** Steps that have less of the question than this share of what the page's first text has are those of another task. */
const leastOfLead = 0.6;

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const end = (kind?: "code"): void => {
    const text = lines.join("\n").trimEnd();
    lines = [];
    if (text.trim() !== "" && !pictures.test(text)) addBlock(blocks, { kind: kind ?? kindOf(text), text });
  };
  for (const line of markdown.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      lines.push(line);
      if (!mark?.startsWith(fence) || line.trim() !== mark) continue;
      fence = undefined;
      end("code");
    } else if (mark !== undefined) {
      end();
      fence = mark;
      lines.push(line);
    } else if (line.trim() === "") end();
    else lines.push(line);
  }
  end();
  return blocks;
}

/** A paragraph of pictures alone: their descriptions say nothing without them. */
const pictures = /^(?:!\[[^\]]*\]\([^()]*\)\s*)+$/;

/** Begins the note to agents in the Markdown version of each page. */
const instructions = "> **Agent instructions**";

/** The description of the page is a quote in front of its text. */
const withoutQuote = (block: Block, at: number): Block =>
  at === 0 && /^> (?!\*\*)[^\n]*$/.test(block.text) ? { kind: "text", text: block.text.slice(2) } : block;

const kindOf = (text: string): Block["kind"] => (text.startsWith("|") ? "table" : item.test(text) ? "list" : "text");

/** Blank lines between the items of a list, and before their further paragraphs, do not end it. */
function addBlock(blocks: Block[], block: Block): void {
  const last = blocks.at(-1);
  const goesOn = last?.kind === "list" && (block.kind === "list" || /^ {2,}/.test(block.text));
  if (goesOn) blocks[blocks.length - 1] = { kind: "list", text: `${last.text}\n\n${block.text}` };
  else blocks.push(block);
}

/** How much a text has of what the question asks for. */
export type Weight = (text: string) => number;

/** A larger code block tells a reader little without its page. */
const maxCode = 1600;

/** Characters of a table that is small enough to be shown whole. */
const smallTable = 400;
/** Two sentences say what something is if the first is not longer. */
const shortSentence = 80;

/**
 * The part of a section that answers a question, in its own words and order, about `most` characters; code may exceed it.
 *
 * - a question for steps: the list or code, with the sentence that announces it
 * - for a value: the row of a table with its header, or the item of a list
 * - for a meaning: the first sentence
 * - an error: from the block on that has the longest part of its text
 * - else whole blocks, from the best one on, or of one long block its best sentences, items or rows
 */
export function quoteOf(
  blocks: readonly Block[],
  weight: Weight,
  most: number,
  kind: QuestionKind = "other",
  question = "",
): string[] {
  const usable = blocks.filter(({ kind, text }) => kind !== "code" || text.length <= maxCode);
  const first = usable[0];
  if (kind === "meaning" && first?.kind === "text") return [meaningIn(usable, first.text, weight)];
  if (kind === "value") {
    const value = valueIn(usable, weight, most);
    if (value) return value;
  }
  const start = kind === "error" ? placeOfError(usable, question) : undefined;
  if (start !== undefined) return quoteFrom(usable, start, weight, most);
  if (lengthOf(usable) <= most) return usable.map(({ text }) => text);
  return quoteFrom(
    usable,
    (kind === "steps" ? startOfSteps(usable, weight) : undefined) ?? startOf(usable, weight),
    weight,
    most,
  );
}

function quoteFrom(blocks: readonly Block[], start: number, weight: Weight, most: number): string[] {
  const quoted: string[] = [];
  let length = 0;
  for (const block of blocks.slice(start)) {
    const room = most - length;
    // Code or a list after a sentence that ends in a colon belongs to that sentence.
    const isAnnounced = announces(quoted.at(-1));
    if (quoted.length > 0 && block.text.length > room && !isAnnounced) break;
    // Steps are followed from the first one on.
    const weightIn = numbered.test(block.text) ? () => 0 : weight;
    const text =
      block.text.length <= room || block.kind === "code" ? block.text : bestPart(block, weightIn, Math.max(room, 300));
    quoted.push(text);
    length += text.length;
  }
  // Drop an introduction, such as a tab's label, if there was no room for its block.
  while (quoted.length > 1 && (label.test(quoted.at(-1)!) || announces(quoted.at(-1)))) quoted.pop();
  return quoted;
}

const label = /^\*\*[^*\n]+\*\*:?$/;
const isLabel = ({ kind, text }: Block): boolean => kind === "text" && label.test(text);

const announces = (text: string | undefined): boolean => text !== undefined && /[:：]\**$/.test(text);

function firstSentences(text: string): string {
  const [first = "", second] = sentencesOf(text);
  return first.length <= shortSentence && second !== undefined ? `${first} ${second}` : first;
}

/** The first sentence, or the best one if the first is about something else. */
function meaningIn(blocks: readonly Block[], text: string, weight: Weight): string {
  const first = firstSentences(text);
  return weight(first) > 0 ? first : (bestSentence(blocks, weight) ?? first);
}

/** Sentences and steps. */
const isProse = ({ kind, text }: Block): boolean => kind === "text" || numbered.test(text);

/** Undefined if a sentence or step says more than every row and item. */
function valueIn(blocks: readonly Block[], weight: Weight, most: number): string[] | undefined {
  let best: { readonly block: Block; readonly at: number; readonly weight: number } | undefined;
  for (const [at, block] of blocks.entries()) {
    if (block.kind === "code") continue;
    const highest = Math.max(...partsOf(block).map((part) => weight(part)));
    // Of equal ones a row tells the value, a sentence mentions it.
    const isBetter = best === undefined || highest > best.weight || (highest === best.weight && isProse(best.block));
    if (highest > 0 && isBetter) best = { block, at, weight: highest };
  }
  if (best === undefined || isProse(best.block)) return undefined;
  const { block, at } = best;
  const lead = blocks[at - 1];
  const isLead = lead?.kind === "text" && (announces(lead.text) || isLabel(lead));
  const value = block.text.length <= smallTable ? block.text : bestPart(block, weight, most / 2);
  return isLead ? [lead.text, value] : [value];
}

/** The list or code that says most together with its announcement; numbered lists are preferred. */
function startOfSteps(blocks: readonly Block[], weight: Weight): number | undefined {
  let best: number | undefined;
  let highest = 0;
  for (const [at, { kind, text }] of blocks.entries()) {
    if (kind !== "code" && (kind !== "list" || !/\n/.test(text))) continue;
    const before = blocks[at - 1];
    const lead = before?.kind === "text" ? at - 1 : at;
    const found = weight(lead < at ? `${before!.text} ${text}` : text) * (/^\s*1[.)]\s/.test(text) ? 1.3 : 1);
    if (found > 1.15 * highest) [best, highest] = [lead, found];
  }
  return best;
}

/** The words in a row of an error that a block must have at least; more than a reader types. */
const leastWords = 2;
const maxWords = 60;

/** The block with the longest part of the text of an error: words in a row, or a name such as `EHOSTUNREACH`. */
function placeOfError(blocks: readonly Block[], question: string): number | undefined {
  const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const words = wordsIn(question).slice(0, maxWords);
  const texts = blocks.map(({ text }) => ` ${wordsIn(text).join(" ").toLowerCase()} `);
  for (let count = words.length; count > 0; count--)
    for (let from = 0; from + count <= words.length; from++) {
      const run = words.slice(from, from + count);
      if (count < leastWords && !/[\p{Lu}_\d].*[\p{Lu}_\d]/u.test(run[0]!)) continue;
      const at = texts.findIndex((text) => text.includes(` ${run.join(" ").toLowerCase()} `));
      if (at < 0) continue;
      const before = blocks[at - 1];
      return before?.kind === "text" && announces(before.text) ? at - 1 : at;
    }
  return undefined;
}

/** Characters of a short quotation's rows and items. */
const shortLength = 300;

/** Of a section that may help: the row with its header, the first sentence or the best one; without any, its first code. */
export function shortQuoteOf(
  blocks: readonly Block[],
  weight: Weight,
  kind: QuestionKind = "other",
  question = "",
): string[] {
  const error = kind === "error" ? placeOfError(blocks, question) : undefined;
  if (error !== undefined && blocks[error]!.text.length <= shortLength)
    return quoteFrom(blocks, error, weight, shortLength);
  if (kind === "value") {
    const value = valueIn(blocks, weight, shortLength);
    if (value) return value;
  }
  const first = blocks.find((block) => block.kind === "text");
  const sentence = kind === "meaning" && first ? meaningIn(blocks, first.text, weight) : bestSentence(blocks, weight);
  if (sentence !== undefined) return [sentence];
  const code = blocks.find(({ kind, text }) => kind === "code" && text.length <= maxCode);
  return code ? [startOfCode(code.text)] : [];
}

const maxLines = 14;
function startOfCode(fenced: string): string {
  const lines = fenced.split("\n");
  return lines.length <= maxLines ? fenced : [...lines.slice(0, maxLines - 2), lines.at(-1), "", "…"].join("\n");
}

/** The sentence or item of a section that says most; without any, its first sentence. Undefined: it has no text. */
function bestSentence(blocks: readonly Block[], weight: Weight): string | undefined {
  let best: string | undefined;
  let highest = -1;
  for (const block of blocks) {
    if (block.kind === "code") continue;
    for (const text of block.kind === "table" ? [] : partsOf(block).flatMap(paragraphsOf)) {
      const found = isTelling(text) ? weight(text) : -1;
      if (found > highest && !announces(text)) [best, highest] = [text, found];
    }
  }
  return best === undefined || best.length <= longestSentence ? best : `${cutSentence(best)} …`;
}
const longestSentence = 280;
/** A name alone, such as the item `id` of a list, says nothing; neither do the tags of an update, such as *New features*. */
const isTelling = (text: string): boolean =>
  /\p{L}\S*\s+\S*\p{L}|\p{Lo}{3}/u.test(text) && !/^\*[^*\n]*[^*.!?]\*$/.test(text);
/** The paragraphs of an item, without its mark, which would begin a list, and its code. */
const paragraphsOf = (part: string): string[] =>
  part
    .replace(/^ *(`{3,}|~{3,})[\s\S]*?(?:^ *\1.*$|(?![\s\S]))/gm, "")
    .replace(item, "")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim());
/** At the end of a word, if that is not much shorter. */
export const cutSentence = (text: string, length = longestSentence): string =>
  text.slice(0, Math.max(text.lastIndexOf(" ", length), 0.7 * length)).toWellFormed();

/** What of a block can be quoted alone: rows without their header, items, sentences. */
function partsOf({ kind, text }: Block): string[] {
  if (kind === "table") return text.split("\n").slice(2);
  if (kind === "list") return text.split(/\n+(?=(?:[-*+]|\d{1,9}[.)])\s)/);
  return kind === "text" ? sentencesOf(text) : [text];
}

const lengthOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0);

/** The first of the best blocks, or the sentence that announces it. */
function startOf(blocks: readonly Block[], weightOf: Weight): number {
  let best = 0;
  let highest = 0;
  for (const [at, { text }] of blocks.entries()) {
    const weight = weightOf(text);
    if (weight > 1.15 * highest) [best, highest] = [at, weight];
  }
  const before = blocks[best - 1];
  return before?.kind === "text" && announces(before.text) ? best - 1 : best;
}

function bestPart(block: Block, weight: Weight, room: number): string {
  const { kind, text } = block;
  const parts = partsOf(block);
  if (kind === "table") {
    const [head = "", rule = ""] = text.split("\n");
    return [head, rule, ...bestOf(parts, weight, room - head.length - rule.length)].join("\n");
  }
  if (kind !== "list") return bestOf(parts, weight, room).join(" ").trim();
  const shown = bestOf(parts, weight, room);
  return `${shown.join("\n").trim()}${shown.at(-1) === parts.at(-1) ? "" : "\n\n…"}`;
}
const numbered = /^\s*\d{1,9}[.)]\s/;

/** Consecutive parts, starting with the best one, so that related ones stay together. */
function bestOf(parts: readonly string[], weight: Weight, room: number): string[] {
  const weights = parts.map((part) => weight(part));
  const best = Math.max(0, weights.indexOf(Math.max(...weights)));
  let end = best + 1;
  for (let length = parts[best]!.length; end < parts.length && length + parts[end]!.length <= room; end++)
    length += parts[end]!.length;
  return parts.slice(best, end);
}

/** "U.S.", "e.g." and "No. 5" end no sentence. */
const sentencesOf = (text: string): string[] =>
  text.split(
    /(?<=[.!?][)"”*_]{0,2})(?<!\b(?:\p{L}\.\p{L}|[Ee]g|[Ii]e|vs|[Nn]o|approx|incl)\.)\s+(?=[\p{Lu}\p{Lo}`*[\d"“])|(?<=[。！？])/u,
  );

/** Inline code, an image or link, an address in angle brackets or without, or what may begin a tag. */
const inline =
  /(`+)(?:[^`]|(?!\1)`)*?\1(?!`)|(!?)\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*(?:<([^<>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+"[^"\n]*")?\s*\)|<(https?:\/\/[^\s<>]+)>|(https?:\/\/[^\s<>`()[\]]+)|<(?=[A-Za-z/!?])/g;

/**
 * Text of a page's Markdown for a place outside of the page: links are absolute, addresses of other sites are shown as
 * code, pictures give way to their descriptions, and tags are shown as text.
 *
 * @param base URL of the page's Markdown file. @param site public address of the site.
 */
export const safeMarkdown = (text: string, base: string, site: string): string =>
  text.replace(inline, (whole: string, code, image, label, inAngles, plain, automatic, bare) => {
    if (code !== undefined) return whole;
    const address = (automatic ?? bare) as string | undefined;
    if (address !== undefined) return isOf(site, address) ? whole : codeOf(address);
    if (label === undefined) return "\\<";
    const shown = safeMarkdown(label as string, base, site);
    const url = image === "!" ? undefined : absolute((inAngles ?? plain ?? "") as string, base);
    if (url === undefined) return shown;
    if (isOf(site, url)) return `[${shown}](${url})`;
    return shown.includes(codeOf(url)) ? shown : `${shown} (${codeOf(url)})`;
  });

const isOf = (site: string, url: string): boolean =>
  url.startsWith(site) && (url.length === site.length || "/?#".includes(url[site.length]!));

/** Of an address; those of links have no such mark. */
const codeOf = (url: string): string => `\`${url.replaceAll("`", "%60")}\``;

function absolute(href: string, base: string): string | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const url = parseHttpUrl(new URL(href, base).href);
  if (url === undefined) return undefined;
  // Links between pages name their Markdown files.
  if (url.origin === new URL(base).origin) url.pathname = url.pathname.replace(/(?:\/index)?\.md$/, "");
  return url.href.replace(/[()]/g, (mark) => (mark === "(" ? "%28" : "%29"));
}

/** Plain text as Markdown. */
export const escaped = (text: string): string => text.replace(/[\\`*_[\]<>]|^\s*(?:#|[-+]\s|\d+[.)]\s)/gm, "\\$&");
