/** Both from 1; the column in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Line and column of one offset. For several offsets in one text use `positionFinder`. */
export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf("\n"); next !== -1 && next < offset; next = text.indexOf("\n", lineStart)) {
    line += 1;
    lineStart = next + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** Like `positionAt`, but indexes the lines at the first look-up; each look-up is a binary search. */
export function positionFinder(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let next = text.indexOf("\n"); next !== -1; next = text.indexOf("\n", next + 1)) starts.push(next + 1);
  return starts;
}

/**
 * Markdown, YAML and editors end a line at a lone carriage return too. With a line feed in its place, everything counts
 * the same lines, and offsets stay.
 */
export const withLineFeeds = (text: string): string => (text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text);

/** The part of a length that is on the line of `offset`, at least 1: a location ends with its line. */
export function lengthOnLine(text: string, offset: number, length: number): number {
  const end = text.slice(offset, offset + length).search(/\r?\n/);
  return Math.max(1, end < 0 ? length : end);
}
