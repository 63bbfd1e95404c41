import { firstPart, type PageEntry, type PagePart } from "./index-format.js";

/** A part as a file has it: a number in place of itself, or of its text, is that of an earlier part with the same one. */
type WrittenPart = PagePart | number | readonly [id: string, heading: string, text: number, code?: string];

/** Shorter texts take no more room than their number. */
const shortestRepeated = 8;

/** Numbers for what a file repeats. @param data JSON of entries, separated by commas. */
export function withoutRepeatedParts(data: Uint8Array): Uint8Array {
  const pages = JSON.parse(`[${new TextDecoder().decode(data)}]`) as PageEntry[];
  const known = new Map<string, number>();
  let count = 0;
  /** The number of the first part for which it was asked; undefined for that one. */
  const earlier = (key: string): number | undefined => {
    const number = known.get(key);
    if (number === undefined) known.set(key, count);
    return number;
  };
  const written = (part: PagePart): WrittenPart => {
    const [id, heading, text, ...code] = part;
    const sameText = text.length < shortestRepeated ? undefined : earlier(text);
    const same = earlier(`${text.length < shortestRepeated ? text : (sameText ?? count)}\n${id}\n${heading}\n${code}`);
    count++;
    return same ?? (sameText === undefined ? part : [id, heading, sameText, ...code]);
  };
  const entries = pages.map((page) => [
    ...page.slice(0, firstPart),
    ...(page.slice(firstPart) as PagePart[]).map(written),
  ]);
  return new TextEncoder().encode(JSON.stringify(entries).slice(1, -1));
}

/** The entries of a file as they were before `withoutRepeatedParts`. No two have the same object as a part. */
export function withRepeatedParts(entries: readonly unknown[]): readonly PageEntry[] {
  const parts: PagePart[] = [];
  const whole = (written: WrittenPart): PagePart => {
    if (typeof written === "number") return [...parts[written]!];
    const [id, heading, text, ...code] = written;
    return typeof text === "string" ? (written as PagePart) : [id, heading, parts[text]![2], ...code];
  };
  return (entries as (readonly unknown[])[]).map(
    (entry) =>
      entry.map((each, at) => {
        if (at < firstPart) return each;
        const part = whole(each as WrittenPart);
        parts.push(part);
        return part;
      }) as unknown as PageEntry,
  );
}
