import type { PackPlace } from "../lib/cache/index.js";
import { fieldsOf } from "../lib/json/index.js";
import type { PageRecord, PageResult } from "./page-result.js";

/** What the store knows of a page. */
export interface StoreEntry {
  /** Output path of the page. */
  readonly page: string;
  /** `Worlds.whole` when all of the entry was right. */
  readonly whole: string;
  /** Everything that its document depends on, but files. */
  readonly world: string;
  readonly body?: {
    readonly at: PackPlace;
    /** The page's record for the search; absent for a page that search excludes. */
    readonly record?: PackPlace;
  };
  /** What the body and the document have read of files: questions and answers in turn. */
  readonly fileReads: readonly string[];
  readonly record: Omit<PageRecord, "inputs">;
  readonly models: readonly Omit<PageResult["models"][number], "like">[];
  /** Number of exports since the page was in one. */
  readonly unused?: number;
  /** All that was read, in the same form; undefined if it is not by this program. */
  readonly reads: () => EntryReads | undefined;
}
export interface EntryReads {
  readonly body: readonly string[];
  readonly document: readonly string[];
}

export const placesOf = ({ body }: StoreEntry): PackPlace[] =>
  body ? [body.at, ...(body.record ? [body.record] : [])] : [];

/** A line has the whole world, the entry and its reads, which are seldom needed. JSON has no tabs outside of texts. */
const tab = 9;
/** Lines of entries that were read: most of them are written again as they are. */
const lines = new WeakMap<StoreEntry, Uint8Array>();

export const wasRead = (entry: StoreEntry): boolean => lines.has(entry);

/** An index may come from another machine: what is not an entry counts as missing. */
export function entryOfLine(line: Buffer): StoreEntry[] {
  const at = line.indexOf(tab);
  const end = line.indexOf(tab, at + 1);
  try {
    const known = JSON.parse(line.toString("utf8", at + 1, end));
    if (at < 0 || end < 0 || !isEntry(known)) return [];
    const whole = line.toString("latin1", 0, at);
    const entry = { ...(known as Omit<StoreEntry, "whole" | "reads">), whole, reads: () => readsIn(line, end + 1) };
    lines.set(entry, line);
    return [entry];
  } catch {
    return [];
  }
}

function readsIn(line: Buffer, at: number): EntryReads | undefined {
  try {
    const { body, document } = fieldsOf(JSON.parse(line.toString("utf8", at)));
    return isTexts(body) && isTexts(document) ? { body, document } : undefined;
  } catch {
    return undefined;
  }
}

export function lineOf(entry: StoreEntry): string | Uint8Array {
  const { whole, reads, ...known } = entry;
  return lines.get(entry) ?? `${whole}\t${JSON.stringify(known)}\t${JSON.stringify(reads())}`;
}

function isEntry(value: unknown): boolean {
  const { page, world, body, fileReads, record, models, unused } = fieldsOf(value);
  const { files, ids, stylesheets, anchorsWanted, external, diagnostics } = fieldsOf(record);
  return (
    isText(page) &&
    isText(world) &&
    isText(ids) &&
    (body === undefined || isBody(body)) &&
    isTexts(fileReads) &&
    isTexts(stylesheets) &&
    Array.isArray(anchorsWanted) &&
    Array.isArray(external) &&
    Array.isArray(diagnostics) &&
    Array.isArray(models) &&
    Array.isArray(files) &&
    files.every(isFile) &&
    (unused === undefined || isSize(unused))
  );
}

const isText = (value: unknown): boolean => typeof value === "string";
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
function isFile(value: unknown): boolean {
  const { path, sha256, bytes } = fieldsOf(value);
  return isText(path) && isText(sha256) && isSize(bytes);
}
function isBody(value: unknown): boolean {
  const { at, record } = fieldsOf(value);
  return isPlace(at) && (record === undefined || isPlace(record));
}
const isPlace = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 4 &&
  isText(value[0]) &&
  isSize(value[1]) &&
  isSize(value[2]) &&
  isText(value[3]);
