// Is a text of the source on a page, with its words in order?
import type { Pages } from "./pages.ts";
import type { Value } from "./source-files.ts";
import { blocksIn, wordsIn } from "./words.ts";
import { type Box, wordsOf } from "./written-page.ts";

const blocks = new Map<string, readonly string[]>();
const blocksOf = (text: string): readonly string[] => {
  let known = blocks.get(text);
  if (known === undefined) {
    known = blocksIn(text);
    if (text.length < 20_000) blocks.set(text, known);
  }
  return known;
};

/**
 * The words of the first block of `text` that the reader does not find: it must be in this part, else anywhere on its page
 * or on a page that the part leads to. Undefined if all are there.
 */
export function holdsText(box: Box, text: string, pages: Pages): string | undefined {
  if (text === "") return undefined;
  const missing = missingBlock(box, blocksOf(text), pages);
  if (missing === undefined || !/<(?:script|style|iframe|template|object|title|head|svg)\b/i.test(text)) return missing;
  return missingBlock(box, blocksIn(text, true), pages) === undefined ? undefined : missing;
}

function missingBlock(box: Box, all: readonly string[], pages: Pages): string | undefined {
  const near = wordsOf(box);
  let linked: string[] | undefined;
  for (const block of all) {
    if (near.includes(block) || box.page.words.includes(block)) continue;
    linked ??= [...new Set(box.links)].flatMap((href) => pages.follow(box.page, href)?.page.words ?? []);
    if (!linked.some((words) => words.includes(block))) return block.trim();
  }
  return undefined;
}

/**
 * The first text, number or name of an example that is neither on the page of a part nor on one that the part leads to;
 * undefined if all are on one of them.
 */
export function missingOfExample(example: Value, box: Box, pages: Pages): string | undefined {
  const leaves = leavesOf(parsedIfJson(example), []);
  const missingIn = (words: string): string | undefined =>
    leaves.find((leaf) => writtenForms(leaf).every((form) => !words.includes(wordsIn(form).trim())));
  const missing = missingIn(box.page.words);
  if (missing === undefined) return undefined;
  const isLinked = [...new Set(box.links)].some((href) => {
    const target = pages.follow(box.page, href);
    return target !== undefined && missingIn(target.page.words) === undefined;
  });
  return isLinked ? undefined : missing;
}

/** A text as it is, in JSON and in XML. */
const writtenForms = (text: string): string[] => [
  text,
  JSON.stringify(text),
  text.replace(/[\x7f-\x9f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`),
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
];

function leavesOf(value: Value | undefined, into: string[]): string[] {
  // The reader here has lost digits of a number that a double cannot hold. The page has not.
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) return into;
  else if (typeof value === "number" && !Number.isInteger(value)) into.push(String(value).slice(0, 16));
  else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    into.push(String(value));
  else if (typeof value === "object" && value !== null)
    for (const [name, child] of Object.entries(value)) {
      if (!Array.isArray(value)) into.push(name);
      leavesOf(child as Value, into);
    }
  return into;
}

function parsedIfJson(value: Value): Value {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value) as Value;
  } catch {
    return value;
  }
}
