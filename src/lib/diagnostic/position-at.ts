/** Both from 1; the column in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Line and column of one offset. For several offsets in one text use `positionFinder`. */
export const positionAt = (text: string, offset: number): Position => positionFinder(text.slice(0, offset))(offset);

/** Does the same for many offsets: indexes the lines at the first look-up, then searches the index. */
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

/** Offsets of the first character of each line. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let next = text.indexOf("\n"); next !== -1; next = text.indexOf("\n", next + 1)) starts.push(next + 1);
  return starts;
}

/**
 * Replaces lone carriage returns by line feeds, since Markdown, YAML and editors end a line there, too. Offsets stay the same.
 */
export const withLineFeeds = (text: string): string => (text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text);

/** Cuts a length at the end of the line of `offset`, since a location is on one line; at least 1. */
export function lengthOnLine(text: string, offset: number, length: number): number {
  const end = text.slice(offset, offset + length).search(/\r?\n/);
  return Math.max(1, end < 0 ? length : end);
}
