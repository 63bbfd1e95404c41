import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { sumOf } from "../../../bundle/search/index.js";
import type { IndexRecord } from "./index-object.js";

const unpack = promisify(inflateRaw);

/** @throws {Error} if its size is not the one that the object names. */
export async function contentOf({ packed, bytes }: IndexRecord): Promise<string> {
  const content = await unpack(packed, { maxOutputLength: Math.max(1, bytes) });
  if (content.length !== bytes) throw new Error("The index has a file of another size.");
  return content.toString("utf8");
}

const call = "offprintSearch(";
const end = ");\n";
/** Files of version 1 write every part in full. */
const versions: ReadonlySet<unknown> = new Set([1, 2]);
/** Largest sum of entries, and of pages, that a head may name: its arrays take memory. */
const maxEntries = 4_000_000;

/**
 * The data of a script of the search: the call around it is removed, and nothing is run. Its shape is checked, since the
 * search trusts it.
 *
 * @throws {Error} if the script is no such call, or its data have another shape.
 */
export function readSearchFile(script: string): { readonly name: string; readonly data: readonly unknown[] } {
  if (!script.startsWith(call) || !script.endsWith(end)) throw new Error("The index has a script that is none of it.");
  const [name, ...data] = JSON.parse(`[${script.slice(call.length, -end.length)}]`) as unknown[];
  if (typeof name !== "string" || !isDataOf(name, data)) throw new Error("The index has data of a wrong shape.");
  return { name, data };
}

function isDataOf(name: string, data: readonly unknown[]): boolean {
  const kind = /^(?:(\d+)(?:\/([stwz])\d*)?)?$/.exec(name);
  if (!kind) return false;
  if (kind[1] === undefined) return isTexts(data[0]);
  if (kind[2] === undefined) return isHead(data[0]);
  return kind[2] === "s" ? arePages(data) : data.every(isText);
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

function isHead(value: unknown): boolean {
  const { version, terms, pages, sections, hashes, variants, products } = (value ?? {}) as Record<string, unknown>;
  if (!versions.has(version) || ![terms, pages, sections, hashes, variants ?? "", products ?? ""].every(isText))
    return false;
  return [pages, sections].every((text) => sumOf(text as string) <= maxEntries);
}

/** Numbers in them name earlier parts, see `withRepeatedParts`. */
function arePages(data: readonly unknown[]): boolean {
  let count = 0;
  const isEarlier = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) < count;
  const isPart = (part: unknown): boolean => {
    if (!Array.isArray(part)) return isEarlier(part);
    const [id, heading, text, ...code] = part as unknown[];
    return [id, heading, ...code].every(isText) && (isText(text) || isEarlier(text));
  };
  return data.every((value) => {
    if (!Array.isArray(value)) return false;
    const [href, title, trail, marker, ...parts] = value as unknown[];
    return [href, title, marker].every(isText) && isTexts(trail) && parts.every((part) => isPart(part) && ++count > 0);
  });
}
