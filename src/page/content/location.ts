import type { Position } from "unist";
import { type Location, lengthOnLine, positionAt, positionFinder } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";

/** The location of a node in `sourcePath`; the whole file for a node without a position. */
export function nodeLocation(node: { readonly position?: Position | undefined }, sourcePath: string): Location {
  const start = node.position?.start;
  return start === undefined ? { sourcePath } : { sourcePath, line: start.line, column: start.column };
}

/** A point of a node's position. */
type Point = { line: number; column: number; offset: number };

/** Line and column, both from 1, of an offset into `source`. */
export const pointAt = (source: string, offset: number): Point => ({ ...positionAt(source, offset), offset });

/** Offset into `source` of a line and a column, both from 1; the end of the text for a later line. */
export function offsetAt(source: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = source.indexOf("\n", start);
    if (next === -1) return source.length;
    start = next + 1;
  }
  return Math.min(start + column - 1, source.length);
}

/** The text of one line, without its line break. */
export function lineAt(source: string, line: number): string {
  const start = offsetAt(source, line, 1);
  const end = source.indexOf("\n", start);
  return source.slice(start, end === -1 ? source.length : end).replace(/\r$/, "");
}

export type PointFinder = (offset: number) => Point;

/** `pointAt` for many offsets into one text, whose lines are counted once. */
export function createPointFinder(source: string): PointFinder {
  const find = positionFinder(source);
  return (offset) => ({ ...find(offset), offset });
}

/** The location of a passage of a file, whose lines are counted at the first call. */
export function createPlaceFinder({ source, sourcePath }: { readonly source: string; readonly sourcePath: string }) {
  const find = lazy(() => positionFinder(source));
  return (start: number, end: number): Location => {
    return { sourcePath, ...find()(start), length: lengthOnLine(source, start, end - start) };
  };
}

const places = ["path", "query", "body", "header", "cookie"] as const;

/** Where a request carries a field. */
export type FieldLocation = (typeof places)[number];

/** Name and place of a `ParamField`: `query="limit"`, or in the older form `path="query.limit"`. */
export function fieldLocationOf(props: Readonly<Record<string, unknown>>): {
  readonly name?: string;
  readonly place?: FieldLocation;
} {
  const place = places.find((each) => props[each] !== undefined);
  const written = props[place ?? "name"];
  if (typeof written !== "string") return place === undefined ? {} : { place };
  const older = places.find((each) => place === "path" && written.startsWith(`${each}.`));
  if (older !== undefined) return { name: written.slice(older.length + 1), place: older };
  return place === undefined ? { name: written } : { name: written, place };
}
