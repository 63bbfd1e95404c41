import { isUtf8 } from "node:buffer";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bytesOf, type TextFile, textFile } from "../../../repair/workspace.js";
import { plainFile, readFault } from "../allowed-path.js";
import { isMedia, type SiteRule } from "../review/site-rule.js";

/** Why a tool refused, as a sentence for the model. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** What a model may change in one run. */
export interface ChangeLimits {
  readonly files: number;
  /** Added and removed lines. */
  readonly lines: number;
  /** Size of all changed files. */
  readonly bytes: number;
}

export type SiteFiles = ReturnType<typeof openSiteFiles>;

const maxFileBytes = 200_000;
const maxListed = 20_000;

/**
 * The text files of a site's copy, as a model may read and change them. Paths are relative to the site, with `/`.
 * Hidden files, programs, and all that a symbolic link leads to are not read. Only what the rule allows is written.
 *
 * @param site real path of the site itself, whose links the copy may lack.
 * @param copy real path of the copy, which is changed.
 */
export function openSiteFiles(site: string, copy: string, rule: SiteRule, limits: ChangeLimits) {
  /** Contents of files before their first change; undefined for a file that did not exist. */
  const originals = new Map<string, Buffer | undefined>();
  /** Contents, as the model left them, of the files that the repair has changed. */
  const unrepaired = new Map<string, Buffer | undefined>();
  /** The former paths of moved files. */
  const origins = new Map<string, string>();
  let reached: keyof ChangeLimits | undefined;

  const fileOf = async (path: string): Promise<string> => {
    const fault = readFault(path);
    if (fault !== undefined) throw new Refused(fault);
    try {
      await plainFile(site, path);
      return await plainFile(copy, path);
    } catch (error) {
      throw new Refused((error as Error).message);
    }
  };
  const bytesAt = (file: string): Buffer | undefined => {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) return undefined;
    if (size > maxFileBytes) throw new Refused(`The file has more than ${maxFileBytes} bytes.`);
    return readFileSync(file);
  };
  const textAt = (file: string): TextFile => {
    const bytes = bytesAt(file);
    if (!bytes) throw new Refused("There is no such file. list_files lists the files.");
    if (!isUtf8(bytes) || bytes.includes(0)) throw new Refused("It is not a text file.");
    return textFile(bytes);
  };
  /** The bytes of a text as the file at its path has them: with its line ends and its byte order mark. */
  const encoded = (file: string, text: string): Buffer => {
    const previous = bytesAt(file) && textAt(file);
    const hasCrLf = previous && withLineFeeds(previous.text) !== previous.text;
    const lines = hasCrLf ? text.replaceAll("\n", "\r\n") : text;
    const bytes = bytesOf({ text: lines.toWellFormed(), hasMark: previous?.hasMark ?? false, isLossy: false });
    if (bytes.length > maxFileBytes) throw new Refused(`The file would have more than ${maxFileBytes} bytes.`);
    if (bytes.includes(0)) throw new Refused("A text must not contain NUL characters.");
    return bytes;
  };
  const changed = (): string[] => [...originals.keys()].filter((path) => !isSame(originals.get(path), current(path)));
  const current = (path: string): Buffer | undefined => bytesAt(join(copy, path));
  const exceeded = (): keyof ChangeLimits | undefined => {
    const paths = changed();
    const bytes = paths.reduce((sum, path) => sum + (current(path)?.length ?? 0), 0);
    if (paths.length > limits.files) return "files";
    if (bytes > limits.bytes) return "bytes";
    return paths.reduce((sum, path) => sum + changedLines(path), 0) > limits.lines ? "lines" : undefined;
  };
  const changedLines = (path: string): number => {
    // Moving a file does not change its lines.
    if ([...origins.values()].includes(path)) return 0;
    return differentLines(originals.get(origins.get(path) ?? path), current(path));
  };

  return {
    get reached() {
      return reached;
    },
    /** Paths of files that are not hidden, sorted. */
    list(): string[] {
      const paths: string[] = [];
      const walk = (folder: string, prefix: string): void => {
        for (const entry of readdirSync(folder, { withFileTypes: true })) {
          if (entry.name.startsWith(".") || entry.name === "node_modules" || paths.length >= maxListed) continue;
          if (entry.isDirectory()) walk(join(folder, entry.name), `${prefix}${entry.name}/`);
          else if (entry.isFile()) paths.push(prefix + entry.name);
        }
      };
      walk(copy, "");
      return paths.sort();
    },
    /** With LF line ends, unless the file mixes LF and CRLF. */
    async read(path: string): Promise<string> {
      return withLineFeeds(textAt(await fileOf(path)).text);
    },
    /** Makes all changes or none. @param texts by path; undefined removes. @param moved its lines do not count. */
    async change(texts: Readonly<Record<string, string | undefined>>, moved?: { from: string; to: string }) {
      const changes: { path: string; file: string; before: Buffer | undefined; after: Buffer | undefined }[] = [];
      for (const [path, text] of Object.entries(texts)) {
        const file = await fileOf(path);
        const refusal = rule.refusal(path) ?? (isMedia(path) ? "The agent writes text files, not media." : undefined);
        if (refusal !== undefined) throw new Refused(refusal);
        const after = text === undefined ? undefined : encoded(file, text);
        changes.push({ path, file, before: bytesAt(file), after });
      }
      if (moved) origins.set(moved.to, origins.get(moved.from) ?? moved.from);
      for (const { path, file, before, after } of changes) {
        if (!originals.has(path)) originals.set(path, before);
        place(file, after);
      }
      const limit = exceeded();
      if (limit === undefined) return;
      for (const { file, before } of changes) place(file, before);
      if (moved) origins.delete(moved.to);
      reached = limit;
      throw new Refused(`A run may change at most ${limits[limit].toLocaleString("en-US")} ${limit}. Finish now.`);
    },
    /** Where a file was before it was moved. */
    originOf: (path: string): string => origins.get(path) ?? path,
    changed,
    /** Writes the repair of a changed file. It counts towards no limit. */
    adopt(path: string, bytes: Uint8Array | undefined): void {
      unrepaired.set(path, current(path));
      place(join(copy, path), bytes);
    },
    /** A changed file as the model left it, before its repair; undefined if it is removed. */
    ofModel: (path: string): Buffer | undefined => (unrepaired.has(path) ? unrepaired.get(path) : current(path)),
    current,
    /** Reverts a file, and with it the other half of a move. */
    revert(path: string): void {
      const moves = [...origins].filter((move) => move.includes(path));
      for (const each of new Set([path, ...moves.flat()])) {
        unrepaired.delete(each);
        place(join(copy, each), originals.get(each));
      }
      for (const [to] of moves) origins.delete(to);
    },
  };
}

function place(file: string, bytes: Uint8Array | undefined): void {
  if (!bytes) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

const isSame = (a: Buffer | undefined, b: Buffer | undefined): boolean => (a && b ? a.equals(b) : a === b);

/** Mixed line ends stay as they are. */
const withLineFeeds = (text: string): string =>
  /(^|[^\r])\n/.test(text) || !text.includes("\r\n") ? text : text.replaceAll("\r\n", "\n");

function differentLines(before: Buffer | undefined, after: Buffer | undefined): number {
  const counts = new Map<string, number>();
  const count = (bytes: Buffer | undefined, by: number): void => {
    for (const line of bytes?.toString().split("\n") ?? []) counts.set(line, (counts.get(line) ?? 0) + by);
  };
  count(before, -1);
  count(after, 1);
  return [...counts.values()].reduce((sum, each) => sum + Math.abs(each), 0);
}
