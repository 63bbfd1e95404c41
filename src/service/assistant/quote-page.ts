import { parseHttpUrl } from "../../lib/url/index.js";

/** A section of a page's Markdown, without its heading. */
export interface PageSectionText {
  /** Letters and digits of the heading, for comparisons; empty before the first one. */
  readonly key: string;
  readonly blocks: readonly Block[];
}
interface Block {
  readonly kind: "text" | "code" | "table" | "list";
  readonly text: string;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})\s+(.*)$/;
const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** Splits the Markdown version of a page into sections, and these into blocks between blank lines. */
export function pageSections(markdown: string): PageSectionText[] {
  const sections: { key: string; blocks: Block[] }[] = [{ key: "", blocks: [] }];
  let lines: string[] = [];
  let open: string | undefined;
  let isFirstHeading = true;
  const end = (kind?: "code"): void => {
    const text = lines.join("\n").trimEnd();
    lines = [];
    if (text.trim() !== "") addBlock(sections.at(-1)!.blocks, { kind: kind ?? kindOf(text), text });
  };
  for (const line of markdown.split("\n")) {
    if (open !== undefined) {
      lines.push(line);
      if (line.trim().startsWith(open) && line.trim().replaceAll(open[0]!, "") === "") {
        open = undefined;
        end("code");
      }
      continue;
    }
    const mark = fence.exec(line)?.[1];
    const title = heading.exec(line);
    if (mark !== undefined) {
      end();
      open = mark;
      lines.push(line);
    } else if (title) {
      end();
      // The first heading is the title of the page.
      if (!isFirstHeading) sections.push({ key: headingKey(title[2]!), blocks: [] });
      isFirstHeading = false;
    } else if (line.trim() === "") end();
    else lines.push(line);
  }
  end();
  const lead = sections[0]!.blocks;
  sections[0]!.blocks = lead.filter(({ text }) => !text.startsWith(instructions)).map(withoutQuote);
  return sections;
}

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

/** @param text with marks or without. */
export const headingKey = (text: string): string =>
  text
    .replace(/\]\([^)\s]*\)/g, "]")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** How much a text has of what the question asks for. */
export type Weight = (text: string) => number;

/** A larger code block tells a reader little without its page. */
const maxCode = 1600;

/**
 * The part of a section that says most about what is asked, in its own words and order: whole blocks, from the best one
 * on, or of one long block its best sentences, items or rows. About `most` characters; code may exceed it.
 */
export function quoteOf(blocks: readonly Block[], weight: Weight, most: number): string[] {
  const usable = blocks.filter(({ kind, text }) => kind !== "code" || text.length <= maxCode);
  if (lengthOf(usable) <= most) return usable.map(({ text }) => text);
  const start = startOf(usable, weight);
  const quoted: string[] = [];
  let length = 0;
  for (const block of usable.slice(start)) {
    const room = most - length;
    // Code or a list after a sentence that ends in a colon belongs to that sentence.
    const isAnnounced = quoted.at(-1)?.endsWith(":") === true;
    if (quoted.length > 0 && block.text.length > room && !isAnnounced) break;
    const text =
      block.text.length <= room || block.kind === "code" ? block.text : bestPart(block, weight, Math.max(room, 300));
    quoted.push(text);
    length += text.length;
  }
  // Drop an introduction, such as a tab's label, if there was no room for its block.
  while (quoted.length > 1 && /^\*\*[^*\n]+\*\*$|:$/.test(quoted.at(-1)!)) quoted.pop();
  return quoted;
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
  return before?.kind === "text" && before.text.endsWith(":") ? best - 1 : best;
}

function bestPart({ kind, text }: Block, weight: Weight, room: number): string {
  if (kind === "table") {
    const [head = "", rule = "", ...rows] = text.split("\n");
    return [head, rule, ...bestOf(rows, weight, room - head.length - rule.length)].join("\n");
  }
  if (kind === "list") return bestOf(text.split(/\n+(?=(?:[-*+]|\d{1,9}[.)])\s)/), weight, room).join("\n");
  return bestOf(sentencesOf(text), weight, room).join(" ").trim();
}

/** Consecutive parts, starting with the best one, so that related ones stay together. */
function bestOf(parts: readonly string[], weight: Weight, room: number): string[] {
  const weights = parts.map((part) => weight(part));
  const best = Math.max(0, weights.indexOf(Math.max(...weights)));
  let end = best + 1;
  for (let length = parts[best]!.length; end < parts.length && length + parts[end]!.length <= room; end++)
    length += parts[end]!.length;
  return parts.slice(best, end);
}

const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?][)"”*_]{0,2})\s+(?=[\p{Lu}\p{Lo}`*[\d"“])|(?<=[。！？])/u);

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
