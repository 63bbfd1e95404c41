import type { Marks } from "../../bundle/search/engine/expand-term.js";
import { cutWords } from "../../bundle/search/words.js";
import { all } from "../dom.js";
import { recallInTab, rememberInTab } from "../storage.js";

/** A part of a text: a match of the query, or the text between matches. */
export interface Fragment {
  readonly text: string;
  readonly marked: boolean;
}

const maxLength = 150;
/** Characters shown before the first match. */
const leadLength = 40;

export function markMatches(text: string, marks: Marks): Fragment[] {
  const fragments: Fragment[] = [];
  let at = 0;
  for (const { from, to } of findMatches(text, marks)) {
    if (from > at) fragments.push({ text: text.slice(at, from), marked: false });
    fragments.push({ text: text.slice(from, to), marked: true });
    at = to;
  }
  if (at < text.length) fragments.push({ text: text.slice(at), marked: false });
  return fragments;
}

/** The part of a text with the most distinct matches. */
export function excerptOf(text: string, marks: Marks): Fragment[] {
  if (text.length <= maxLength) return markMatches(text, marks);
  const matches = findMatches(text, marks);
  let best = 0;
  let maxMatches = 0;
  for (const [i, { from }] of matches.entries()) {
    const inExcerpt = matches.slice(i).filter((match) => match.to <= from + maxLength - leadLength);
    const distinct = new Set(inExcerpt.map((match) => text.slice(match.from, match.to).toLowerCase())).size;
    if (distinct > maxMatches) [best, maxMatches] = [from, distinct];
  }
  const from = best < leadLength ? 0 : startNear(text, best - leadLength);
  const to = endNear(text, from + maxLength);
  const cut = `${from > 0 ? "… " : ""}${text.slice(from, to).trim()}${to < text.length ? " …" : ""}`;
  return markMatches(cut, marks);
}

/** The line of code with the most matches, if any. */
export function codeExcerpt(code: string, marks: Marks): Fragment[] {
  let best = "";
  let maxMatches = 0;
  for (const line of code.split("\n")) {
    const count = findMatches(line, marks).length;
    if (count > maxMatches) [best, maxMatches] = [line.trim(), count];
  }
  return excerptOf(best, marks);
}

const startNear = (text: string, at: number): number => {
  const space = text.indexOf(" ", at);
  return space < 0 || space > at + leadLength ? at : space + 1;
};
const endNear = (text: string, at: number): number => {
  if (at >= text.length) return text.length;
  const space = text.lastIndexOf(" ", at);
  return space < at - leadLength ? at : space;
};

/** The part of a text from one index to another. */
interface Match {
  readonly from: number;
  readonly to: number;
}

export function findMatches(text: string, marks: Marks): Match[] {
  const matches: Match[] = [];
  for (const { 0: word, index: from } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (packedScript.test(word)) matches.push(...findPackedMatches(word, from, marks));
    else {
      const length = markedLength(word, marks);
      if (length > 0) matches.push({ from, to: from + length });
    }
  }
  return matches;
}

/** Length of the matching start of a word. */
function markedLength(word: string, marks: Marks): number {
  let length = 0;
  cutWords(word, (part) => {
    if (marks.words.has(part)) length = word.length;
    else if (length < word.length)
      for (const prefix of marks.prefixes)
        if (part.startsWith(prefix)) length = Math.max(length, Math.min(word.length, prefix.length));
  });
  return length;
}

// Scripts without spaces, which the index splits into pairs of characters.
const packedScript =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u31f0-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f]/;

function findPackedMatches(run: string, start: number, marks: Marks): Match[] {
  const marked = new Uint8Array(run.length);
  for (let i = 0; i < run.length; i++)
    for (const length of [1, 2])
      if (i + length <= run.length && marks.words.has(run.slice(i, i + length))) marked.fill(1, i, i + length);
  return [...marked.join("").matchAll(/1+/g)].map(({ 0: ones, index }) => ({
    from: start + index,
    to: start + index + ones.length,
  }));
}

/** The name of the highlight in the style sheet. */
const name = "offprint-found";
const maxMarks = 500;

/** The words that the page of an opened result marks. */
interface FoundWords {
  readonly page: string;
  readonly words: readonly string[];
  readonly prefixes: readonly string[];
}

const withoutFragment = (address: string): string => address.replace(/#.*$/, "");

/** To be called when the reader opens a result: its page marks the words of the query. */
export function leaveMarks({ words, prefixes }: Marks, href: string): void {
  const found: FoundWords = { page: withoutFragment(href), words: [...words], prefixes };
  rememberInTab("found", found);
  // A result of the same page loads nothing.
  if (found.page === withoutFragment(location.href)) markFoundWords();
}

/** Marks the words of a search on its page until Escape, without changing elements, where browsers can. */
export function markFoundWords(): void {
  const found = recallInTab("found") as FoundWords | null;
  rememberInTab("found", null);
  if (found?.page !== withoutFragment(location.href) || !("highlights" in CSS)) return;
  const marks: Marks = { words: new Set(found.words), prefixes: found.prefixes };
  const highlight = new Highlight();
  for (const content of all(".mdx-content")) {
    const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null && highlight.size < maxMarks; node = texts.nextNode())
      for (const { from, to } of findMatches(node.nodeValue ?? "", marks)) {
        const range = document.createRange();
        range.setStart(node, from);
        range.setEnd(node, to);
        highlight.add(range);
      }
  }
  CSS.highlights.set(name, highlight);
  const end = ({ key }: KeyboardEvent): void => {
    if (key !== "Escape") return;
    CSS.highlights.delete(name);
    document.removeEventListener("keydown", end);
  };
  document.addEventListener("keydown", end);
}
