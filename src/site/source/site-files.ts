import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, positionAt, withLineFeeds } from "../../lib/diagnostic/index.js";
import { waitForFiles } from "../../lib/wait-for-files.js";

/**
 * The files of one site, read-only, without ignored ones. The paths are fixed when the site is opened.
 * Every path is a `sourcePath`: relative to the site folder, with `/`, always inside the folder.
 */
export interface SiteFiles {
  /** Absolute real path of the site folder. */
  readonly root: string;
  /** Sorted by code unit, so every machine sees the same order. */
  readonly paths: readonly string[];
  has(sourcePath: string): boolean;
  /** In bytes. @throws {Error} naming the file if it is gone. */
  sizeOf(sourcePath: string): number;
  /** UTF-8, without a byte-order mark; a lone carriage return becomes a line feed. @throws {Error} naming the file if it cannot be read. */
  readText(sourcePath: string): string;
  /** To be called when the kept text of a file is used once more, by another page. */
  again?(sourcePath: string): void;
  /** @throws {Error} naming the file if it cannot be read. */
  readBytes(sourcePath: string): Uint8Array;
  /** Absolute path on disk, for streaming copies. @throws {RangeError} for a path that is not in `paths`. */
  absolutePath(sourcePath: string): string;
}

/** Texts by source path that count instead of those on disk: what editors have open. */
export type FileTexts = ReadonlyMap<string, string>;

/**
 * The same site from the root and the paths that `openFolder` found. It does not read the disk, so every worker thread
 * opens its own.
 *
 * @param texts see `FileTexts`
 */
export function openListedFolder(root: string, paths: readonly string[], texts: FileTexts = new Map()): SiteFiles {
  const known = new Set(paths);
  const absolutePath = (sourcePath: string): string => {
    if (!known.has(sourcePath)) throw new RangeError(`${JSON.stringify(sourcePath)} is not a file of the site ${root}`);
    return join(root, sourcePath);
  };
  const unreadable = (sourcePath: string, cause: unknown): Error => {
    const { code = "EIO" } = cause as NodeJS.ErrnoException;
    return Object.assign(new Error(`${code}: cannot read ${sourcePath} of the site ${root}`, { cause }), { code });
  };
  const readBytes = (sourcePath: string): Buffer => {
    const path = absolutePath(sourcePath);
    const text = texts.get(sourcePath);
    if (text !== undefined) return Buffer.from(text);
    try {
      return waitForFiles(() => readFileSync(path));
    } catch (error) {
      throw unreadable(sourcePath, error);
    }
  };
  const sizeOf = (sourcePath: string): number => {
    const path = absolutePath(sourcePath);
    const text = texts.get(sourcePath);
    if (text !== undefined) return Buffer.byteLength(text);
    try {
      return statSync(path).size;
    } catch (error) {
      throw unreadable(sourcePath, error);
    }
  };
  /** Several stages read the same page, one after the other. */
  let last: { readonly sourcePath: string; readonly text: string } | undefined;
  return {
    root,
    paths,
    has: (sourcePath) => known.has(sourcePath),
    sizeOf,
    absolutePath,
    readBytes,
    readText: (sourcePath) => {
      if (last?.sourcePath === sourcePath && !texts.has(sourcePath)) return last.text;
      const read = readBytes(sourcePath).toString("utf8");
      const text = withLineFeeds(read.charCodeAt(0) === 0xfeff ? read.slice(1) : read);
      last = text.length <= longestKeptText ? { sourcePath, text } : undefined;
      return text;
    },
  };
}

/**
 * In UTF-16 code units: longer than any page. Each thread would hold the text of a large specification, besides its values,
 * until the end of the export.
 */
export const longestKeptText = 2 ** 20;

/** Reports a file that is not UTF-8: each wrong byte has become `\uFFFD` in `text`. */
export function invalidUtf8(files: SiteFiles, sourcePath: string, text: string): Diagnostic[] {
  const at = text.indexOf("\uFFFD");
  const bytes = at === -1 ? undefined : files.readBytes(sourcePath);
  if (bytes === undefined || isUtf8(bytes)) return garbled(sourcePath, text);
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "UTF-16LE"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "UTF-16BE"
        : undefined;
  const replacement = wide === undefined ? western(bytes) : new TextDecoder(wide).decode(bytes);
  return [
    {
      code: "NOT_UTF8",
      severity: "error",
      what: "The file is not UTF-8: from here on, characters that are not ASCII are shown as \uFFFD.",
      location: { sourcePath, ...positionAt(text, at) },
      fix: `save it as UTF-8 in your editor, or convert it: iconv -f ${wide ?? "WINDOWS-1252"} -t UTF-8 ${sourcePath}`,
      ...(replacement !== undefined && {
        edits: [{ sourcePath, start: 0, end: text.length, replacement, certain: true }],
      }),
    },
  ];
}

/** Reports text that was read in a wrong encoding before it was saved: `â€™` was an apostrophe. */
function garbled(sourcePath: string, text: string): Diagnostic[] {
  const [typed, place] = /\w(?:(â€[™œ\u009d“”¦˜]|Ã[©¨¼¶¤±³¡­ª§Ÿ])|\uFFFD)(?=[\w ])/.exec(text) ?? [];
  if (typed === undefined) return [];
  const right = place && Buffer.from([...place].map((sign) => windowsBytes.get(sign) ?? sign.charCodeAt(0))).toString();
  return [
    {
      code: "NOT_UTF8",
      severity: "warning",
      what: `${JSON.stringify(typed.slice(1))} stands for a character that was lost when the text was saved in another encoding.`,
      location: { sourcePath, ...positionAt(text, text.indexOf(typed) + 1), length: typed.length - 1 },
      fix: right ? `write ${right}` : "write the character that was there.",
    },
  ];
}
/** The bytes of the signs of Windows-1252 that are in other places of Unicode. */
const windowsBytes = new Map(
  Array.from({ length: 32 }, (_, index) => [
    new TextDecoder("windows-1252").decode(Uint8Array.of(0x80 + index)),
    0x80 + index,
  ]),
);

/**
 * The text in Windows-1252, of which Latin-1 is a part; undefined if it could be another encoding. No letter of it is
 * UTF-8, and every one that is not ASCII is a letter, a quote or a sign of Western European text.
 */
function western(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("windows-1252").decode(bytes);
  const isWestern = /^[\t\n\r\x20-\x7e€‚„…‘’“”•–—™ŠšŒœŽžŸ\u00a0-\u00ff]*$/.test(text);
  const hasUtf8 = /[\xc2-\xf4][\x80-\xbf]/.test(Buffer.from(bytes).toString("latin1"));
  return isWestern && !hasUtf8 && !hasRareLetters.test(text) ? text : undefined;
}

/** Letters of other encodings look like these, in capitals within words. */
const hasRareLetters = /[a-zà-ÿ][À-ß×÷¤¦¨¬¯¸]|[À-ß]{3}/;
