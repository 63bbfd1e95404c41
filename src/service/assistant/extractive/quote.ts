import type { Block } from "./page-sections.js";

/** How much of what is asked for a text has. */
export type Weight = (text: string) => number;

/** A larger block of code tells a reader little without its page. */
const mostCode = 1600;

/**
 * The part of a section that says most about what is asked, in its own words and order: whole blocks, from the best one on,
 * or of one long block its best sentences, items or rows. About `most` characters; code may exceed it.
 */
export function quoteOf(blocks: readonly Block[], weight: Weight, most: number): string[] {
  const usable = blocks.filter(({ kind, text }) => kind !== "code" || text.length <= mostCode);
  if (lengthOf(usable) <= most) return usable.map(({ text }) => text);
  const start = startOf(usable, weight);
  const quoted: string[] = [];
  let length = 0;
  for (const block of usable.slice(start)) {
    const room = most - length;
    // The code or list that a sentence with a colon announces belongs to it.
    const isAnnounced = quoted.at(-1)?.endsWith(":") === true;
    if (quoted.length > 0 && block.text.length > room && !isAnnounced) break;
    const text =
      block.text.length <= room || block.kind === "code" ? block.text : bestPart(block, weight, Math.max(room, 300));
    quoted.push(text);
    length += text.length;
  }
  // What announces a block that has no room, such as the label of a tab.
  while (quoted.length > 1 && /^\*\*[^*\n]+\*\*$|:$/.test(quoted.at(-1)!)) quoted.pop();
  return quoted;
}

const lengthOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0);

/** The first of the best blocks, or the sentence that announces it. */
function startOf(blocks: readonly Block[], weightOf: Weight): number {
  let best = 0;
  let most = 0;
  for (const [at, { text }] of blocks.entries()) {
    const weight = weightOf(text);
    if (weight > 1.15 * most) [best, most] = [at, weight];
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

/** Neighbours, from the best one on: what goes together stays together. */
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
