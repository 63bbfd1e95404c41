import type { Marks } from "../../bundle/search/engine/expand-term.js";
import { cutWords } from "../../bundle/search/words.js";

/** A piece of text, either a match of the query or the text between matches. */
export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

const usualLength = 150;
/** Characters shown before the first marked word. */
const lead = 40;

/** Splits a text into marked and unmarked pieces. */
export function markedPieces(text: string, marks: Marks): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { from, to } of spotsIn(text, marks)) {
    if (from > at) pieces.push({ text: text.slice(at, from), marked: false });
    pieces.push({ text: text.slice(from, to), marked: true });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false });
  return pieces;
}

/** The part of a text with the most different matches. */
export function excerptOf(text: string, marks: Marks): Piece[] {
  if (text.length <= usualLength) return markedPieces(text, marks);
  const spots = spotsIn(text, marks);
  let best = 0;
  let most = 0;
  for (const [i, { from }] of spots.entries()) {
    const inReach = spots.slice(i).filter((spot) => spot.to <= from + usualLength - lead);
    const distinct = new Set(inReach.map((spot) => text.slice(spot.from, spot.to).toLowerCase())).size;
    if (distinct > most) [best, most] = [from, distinct];
  }
  const from = best < lead ? 0 : startNear(text, best - lead);
  const to = endNear(text, from + usualLength);
  const cut = `${from > 0 ? "… " : ""}${text.slice(from, to).trim()}${to < text.length ? " …" : ""}`;
  return markedPieces(cut, marks);
}

/** The line of code with the most matches, if any. */
export function codeExcerpt(code: string, marks: Marks): Piece[] {
  let best = "";
  let most = 0;
  for (const line of code.split("\n")) {
    const count = spotsIn(line, marks).length;
    if (count > most) [best, most] = [line.trim(), count];
  }
  return excerptOf(best, marks);
}

const startNear = (text: string, at: number): number => {
  const blank = text.indexOf(" ", at);
  return blank < 0 || blank > at + lead ? at : blank + 1;
};
const endNear = (text: string, at: number): number => {
  if (at >= text.length) return text.length;
  const blank = text.lastIndexOf(" ", at);
  return blank < at - lead ? at : blank;
};

interface Spot {
  readonly from: number;
  readonly to: number;
}

function spotsIn(text: string, marks: Marks): Spot[] {
  const spots: Spot[] = [];
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const [word] = match;
    const from = match.index;
    if (packed.test(word)) spots.push(...packedSpots(word, from, marks));
    else {
      const length = markedLength(word, marks);
      if (length > 0) spots.push({ from, to: from + length });
    }
  }
  return spots;
}

/** How many characters of a word match, counted from its start. */
function markedLength(word: string, marks: Marks): number {
  let length = 0;
  cutWords(word, (each) => {
    if (marks.words.has(each)) length = word.length;
    else if (length < word.length)
      for (const prefix of marks.prefixes)
        if (each.startsWith(prefix)) length = Math.max(length, Math.min(word.length, prefix.length));
  });
  return length;
}

// Scripts without spaces are indexed in pairs of characters: see `words.ts` of the index.
const packed =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u31f0-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f]/;

function packedSpots(run: string, start: number, marks: Marks): Spot[] {
  const marked = new Uint8Array(run.length);
  for (let i = 0; i < run.length; i++)
    for (const length of [1, 2])
      if (i + length <= run.length && marks.words.has(run.slice(i, i + length))) marked.fill(1, i, i + length);
  const spots: Spot[] = [];
  for (let i = 0; i < run.length; i++) {
    if (marked[i] === 0) continue;
    const from = i;
    while (i < run.length && marked[i] === 1) i++;
    spots.push({ from: start + from, to: start + i });
  }
  return spots;
}
