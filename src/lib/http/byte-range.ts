/** First and last byte, counted from 0, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The bytes that a Range header asks for, out of `size`. Undefined means all: RFC 9110 (14.2) allows that answer for
 * several ranges and for an invalid header.
 */
export function parseRange(header: string | null | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return undefined;
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "unsatisfiable" : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < first) return undefined;
  return first >= size ? "unsatisfiable" : { first, last };
}
