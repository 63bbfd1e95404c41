import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, positionAt, withLineFeeds } from "../../lib/diagnostic/index.js";
import { waitForFiles } from "../../lib/wait-for-files.js";

/**
 * The files of one site, read-only, without ignored ones. The list of paths is fixed when the site is opened.
 * Every path is a `sourcePath`: relative to the site folder, with `/`, always inside the folder.
 */
export interface SiteFiles {
  /** Absolute real path of the site folder. */
  readonly root: string;
  /** Sorted by code unit, so every machine sees the same order. */
  readonly paths: readonly string[];
  has(sourcePath: string): boolean;
  /** Size in bytes. @throws {Error} naming the file if it no longer exists. */
  sizeOf(sourcePath: string): number;
  /** UTF-8, without a byte-order mark; a lone carriage return becomes a line feed. @throws {Error} naming the file if it cannot be read. */
  readText(sourcePath: string): string;
  /** Called when another page uses a text that is already in memory. */
  again?(sourcePath: string): void;
  /** @throws {Error} naming the file if it cannot be read. */
  readBytes(sourcePath: string): Uint8Array;
  /** Absolute path on disk, for streaming copies. @throws {RangeError} for a path that is not in `paths`. */
  absolutePath(sourcePath: string): string;
}

/** Texts of files that are open in editors, by source path. They replace the texts on disk. */
export type FileTexts = ReadonlyMap<string, string>;

/**
 * Opens a site by its root and the paths that `openFolder` has listed. This does not read the disk, so every worker thread can
 * do it.
 *
 * @param texts see `FileTexts`
 */
export function openListedFolder(root: string, paths: readonly string[], texts: FileTexts = new Map()): SiteFiles {
  const listed = new Set(paths);
  const absolutePath = (sourcePath: string): string => {
    if (!listed.has(sourcePath))
      throw new RangeError(`${JSON.stringify(sourcePath)} is not a file of the site ${root}`);
    return join(root, sourcePath);
  };
  const read = <T>(sourcePath: string, fromText: (text: string) => T, fromDisk: (path: string) => T): T => {
    const path = absolutePath(sourcePath);
    const text = texts.get(sourcePath);
    if (text !== undefined) return fromText(text);
    try {
      return fromDisk(path);
    } catch (cause) {
      const { code = "EIO" } = cause as NodeJS.ErrnoException;
      throw Object.assign(new Error(`${code}: cannot read ${sourcePath} of the site ${root}`, { cause }), { code });
    }
  };
  const readBytes = (sourcePath: string): Buffer =>
    read<Buffer>(sourcePath, Buffer.from, (path) => waitForFiles(() => readFileSync(path)));
  /** The text that was read last, since several stages read the same page one after the other. */
  let last: { readonly sourcePath: string; readonly text: string } | undefined;
  return {
    root,
    paths,
    has: (sourcePath) => listed.has(sourcePath),
    sizeOf: (sourcePath) => read(sourcePath, Buffer.byteLength, (path) => statSync(path).size),
    absolutePath,
    readBytes,
    readText: (sourcePath) => {
      if (last?.sourcePath === sourcePath && !texts.has(sourcePath)) return last.text;
      const decoded = readBytes(sourcePath).toString("utf8");
      const text = withLineFeeds(decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded);
      last = text.length <= longestKeptText ? { sourcePath, text } : undefined;
      return text;
    },
  };
}

/**
 * Longest text that is kept in memory, in UTF-16 code units: longer than any page. Otherwise each thread would keep the text
 * of a large specification, in addition to its values, until the end of the export.
 */
export const longestKeptText = 2 ** 20;

/** Reports a file that is not UTF-8, whose invalid bytes have become `\uFFFD` in `text`. */
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
  const match = mayBeGarbage.test(text) ? garbage.exec(text) : null;
  // The parser of JSON refuses control characters.
  if (match === null || (match[2] && sourcePath.endsWith(".json"))) return [];
  const { 0: typed, 1: place, 2: control, index } = match;
  const right = place && Buffer.from([...place].map((sign) => windowsBytes.get(sign) ?? sign.charCodeAt(0))).toString();
  const code = `U+${typed.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  const what = control
    ? `The character ${code} ${control > "\u2000" ? "reverses the text after it" : "controls programs"}; no browser shows it.`
    : typed >= "\uF020" && typed < "\uF100"
      ? `The character ${code} exists only in fonts for symbols; readers see an empty box.`
      : `${JSON.stringify(typed)} stands for a character that was lost when the text was saved in another encoding.`;
  const fix = control ? "remove it." : right ? `write ${right}` : "write the character that was there.";
  const location = { sourcePath, ...positionAt(text, index), length: typed.length };
  const edits = control !== undefined && {
    edits: [{ sourcePath, start: index, end: index + 1, replacement: "", certain: true }],
  };
  return [{ code: "NOT_UTF8", severity: "warning", what, location, fix, ...edits }];
}
/**
 * Text that was read in another encoding, a control character, an override of the direction of text, or a sign that only fonts
 * for symbols have. Escape sequences of terminals are left out, since code shows them, and so is the bullet of Word's lists.
 */
const garbage =
  /(?<=\w)(?:(â€[™œ\u009d“”¦˜]|Ã[©¨¼¶¤±³¡­ª§Ÿ])|\uFFFD(?=[\w ]))|([\u202d\u202e]|(?![\s\u0085]|.[[\]])\p{Cc})|[\uf020-\uf0b6\uf0b8-\uf0ff]/u;
/** Every match of `garbage` has a character of this class, which is searched for in a tenth of the time. */
const mayBeGarbage = /[^\s!-~\u00a0-\u00c2\u00c4-\u00e1\u00e3-\u202c\u202f-\uf01f\uf100-\ufffc]/;
/** The bytes of the characters of Windows-1252 that have other code points in Unicode. */
const windowsBytes = new Map(
  Array.from({ length: 32 }, (_, index) => [
    new TextDecoder("windows-1252").decode(Uint8Array.of(0x80 + index)),
    0x80 + index,
  ]),
);

/**
 * Decodes Windows-1252, which includes Latin-1; undefined if the text may have another encoding. It must not contain valid
 * UTF-8 beyond ASCII, and only letters, quotes and signs of Western European text.
 */
function western(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("windows-1252").decode(bytes);
  const isWestern = /^[\t\n\r\x20-\x7e€‚„…‘’“”•–—™ŠšŒœŽžŸ\u00a0-\u00ff]*$/.test(text);
  const hasUtf8 = /[\xc2-\xf4][\x80-\xbf]/.test(Buffer.from(bytes).toString("latin1"));
  return isWestern && !hasUtf8 && !hasRareLetters.test(text) ? text : undefined;
}

/** Combinations that occur if text of another encoding is decoded as Windows-1252, such as capitals within words. */
const hasRareLetters = /[a-zà-ÿ][À-ß×÷¤¦¨¬¯¸]|[À-ß]{3}/;
