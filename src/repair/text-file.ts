import { isUtf8 } from "node:buffer";
import type { Edit } from "../lib/diagnostic/index.js";

const mark = "\ufeff";

/** A source file as text, with what its text does not show. */
export interface TextFile {
  /** Without the byte order mark. */
  readonly text: string;
  readonly hasMark: boolean;
  /** Bytes that are not UTF-8 have become U+FFFD. */
  readonly isLossy: boolean;
}

export function textFile(bytes: Buffer): TextFile {
  const text = bytes.toString("utf8");
  const hasMark = text.startsWith(mark);
  return { text: hasMark ? text.slice(1) : text, hasMark, isLossy: !isUtf8(bytes) };
}

export const bytesOf = ({ text, hasMark }: TextFile): Buffer => Buffer.from(hasMark ? mark + text : text);

/** The file with edits that do not overlap. New lines end as those of the file do. */
export function withEdits(file: TextFile, edits: readonly Edit[]): TextFile {
  const { text } = file;
  const [lineEnd = "\n"] = /\r\n|\r|\n/.exec(text) ?? [];
  let edited = "";
  let done = 0;
  for (const { start, end, replacement } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    edited += text.slice(done, start) + (isWhole(file, { start, end }) ? replacement : withEnds(replacement, lineEnd));
    done = end;
  }
  return { ...file, text: edited + text.slice(done), isLossy: false };
}

const withEnds = (text: string, lineEnd: string): string => text.replace(/\r\n|\r|\n/g, lineEnd);

/** Whether an edit gives the file another text altogether: only this can mend bytes that are not UTF-8. */
export const isWhole = ({ text }: TextFile, { start, end }: Pick<Edit, "start" | "end">): boolean =>
  start === 0 && end === text.length;
