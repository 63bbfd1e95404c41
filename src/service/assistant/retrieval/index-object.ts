import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { sumOf } from "../../../bundle/search/index.js";
import { fieldsOf } from "../../../lib/json/index.js";
import { isHttpAddress, parseHttpUrl } from "../../../lib/url/index.js";

/**
 * The object from which API processes load the index of a site. It has the site's facts as JSON, then the scripts of
 * the search and the Markdown of the pages, each compressed by itself, so that a page is unpacked only when it is read.
 *
 * Each record: the length of its path (2 bytes), of its packed and of its unpacked content (4 bytes each), path,
 * content. The path of the facts is empty.
 */
export interface IndexRecord {
  readonly path: string;
  readonly packed: Buffer;
  readonly bytes: number;
}

export const indexLimits = {
  /** Pages, and files of the search. */
  maxFiles: 200_000,
  /** A page that is larger has no Markdown here; a larger file of the search refuses the index. */
  maxFileBytes: 8 * 1024 ** 2,
  /** Unpacked bytes of all files of the search. */
  maxSearchBytes: 256 * 1024 ** 2,
  /** Of the object. */
  maxBytes: 256 * 1024 ** 2,
} as const;

const headBytes = 10;
const packed = promisify(deflateRaw);

export async function packRecord(path: string, content: Uint8Array): Promise<Buffer> {
  const name = Buffer.from(path);
  const body = await packed(content);
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt16LE(name.length, 0);
  head.writeUInt32LE(body.length, 2);
  head.writeUInt32LE(content.length, 6);
  return Buffer.concat([head, name, body]);
}

/** The records of an object, in its memory. @throws {Error} if it is damaged or exceeds the limits. */
export function* readRecords(object: Buffer): Generator<IndexRecord> {
  let count = 0;
  for (let at = 0; at < object.length; ) {
    if (++count > indexLimits.maxFiles) throw new Error("The index has too many files.");
    if (at + headBytes > object.length) throw new Error("The index is truncated.");
    const nameAt = at + headBytes;
    const bodyAt = nameAt + object.readUInt16LE(at);
    const end = bodyAt + object.readUInt32LE(at + 2);
    const bytes = object.readUInt32LE(at + 6);
    if (end > object.length) throw new Error("The index is truncated.");
    if (bytes > indexLimits.maxFileBytes) throw new Error("The index has a file that is too large.");
    yield { path: object.toString("utf8", nameAt, bodyAt), packed: object.subarray(bodyAt, end), bytes };
    at = end;
  }
}

/** What an index says about its site. */
export interface SiteFacts {
  readonly siteName: string;
  /** Without trailing slash. */
  readonly baseUrl: string;
  readonly trailingSlash: boolean;
  /** What each index of the search has the pages of, in their order; empty: there is one index, of all pages. */
  readonly scopes: readonly FactScope[];
}
export interface FactScope {
  /** BCP 47 tag. */
  readonly language?: string;
  readonly version?: string;
  readonly isDefault: boolean;
}

const maxScopes = 1000;
const maxTextLength = 1000;

/** Reads untrusted facts from a manifest. @param fallbackUrl of a site without a valid address. */
export function readFacts(manifest: unknown, fallbackUrl: string): SiteFacts {
  const { siteName, address, searchScopes } = fieldsOf(manifest);
  const { baseUrl, trailingSlash } = fieldsOf(address);
  const scopes = Array.isArray(searchScopes) ? (searchScopes as unknown[]).slice(0, maxScopes) : [];
  return {
    siteName: textOf(siteName) ?? "",
    baseUrl: baseOf(baseUrl) ?? fallbackUrl,
    trailingSlash: trailingSlash === true,
    scopes: scopes.map((scope) => {
      const { language, version, isDefault } = fieldsOf(scope);
      return { language: textOf(language), version: textOf(version), isDefault: isDefault === true };
    }),
  };
}

/** In the form of a manifest. */
export const printFacts = ({ siteName, baseUrl, trailingSlash, scopes }: SiteFacts): string =>
  JSON.stringify({ siteName, address: { baseUrl, trailingSlash }, searchScopes: scopes });

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.length <= maxTextLength ? value : undefined;

function baseOf(value: unknown): string | undefined {
  const text = textOf(value);
  const url = text !== undefined && isHttpAddress(text) ? parseHttpUrl(text) : undefined;
  return url && (url.origin + url.pathname).replace(/\/$/, "");
}

const unpack = promisify(inflateRaw);

/** @throws {Error} if its size is not the one that the object names. */
export async function contentOf({ packed, bytes }: IndexRecord): Promise<string> {
  const content = await unpack(packed, { maxOutputLength: Math.max(1, bytes) });
  if (content.length !== bytes) throw new Error("The index has a file of another size.");
  return content.toString("utf8");
}

const call = "offprintSearch(";
const end = ");\n";

/** Largest sum of entries, and of pages, that a head may name: its arrays take memory. */
const maxEntries = 4_000_000;

/**
 * The data of a script of the search, without the call around it. Nothing is run. Its shape is checked, since the search trusts it.
 *
 * @throws {Error} if the script is not such a call, or its data has another shape.
 */
export function readSearchFile(script: string): { readonly name: string; readonly data: readonly unknown[] } {
  if (!script.startsWith(call) || !script.endsWith(end)) throw new Error("The index has a script of another format.");
  const [name, ...data] = JSON.parse(`[${script.slice(call.length, -end.length)}]`) as unknown[];
  if (typeof name !== "string" || !isDataOf(name, data)) throw new Error("The index has data of the wrong shape.");
  return { name, data };
}

function isDataOf(name: string, data: readonly unknown[]): boolean {
  const kind = /^(?:(\d+)(?:\/([kstwz])\d*)?)?$/.exec(name);
  if (!kind) return false;
  // A small head is in the first file, a large one has a file, whose hash is there.
  if (kind[1] === undefined) return Array.isArray(data[0]) && data[0].every((head) => isText(head) || isHead(head));
  if (kind[2] === undefined) return isHead(data[0]) && data.slice(1).every(isText);
  return kind[2] === "s" ? arePages(data) : data.every(isText);
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

function isHead(value: unknown): boolean {
  const { version, terms, pages, sections, hashes, ...optional } = (value ?? {}) as Record<string, unknown>;
  const { variants = "", products = "", tableWords = "" } = optional;
  if (version !== 3 || ![terms, pages, sections, hashes, variants, products, tableWords].every(isText)) return false;
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
