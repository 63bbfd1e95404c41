import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { constants, createGunzip } from "node:zlib";
import type { ViewCounts, ViewStore } from "../../jobs/index.js";
import type { CountOutcome } from "../view-tally.js";
import { type LogEntry, type LogFormat, logParser } from "./log-formats.js";

export interface ImportDeps {
  readonly views: Pick<ViewStore, "add" | "importedBytes">;
  readonly projectId: string;
  readonly format: LogFormat;
  /** Whose views the site counts from logs; at least one. */
  readonly kinds: readonly ViewerKind[];
  readonly tally: { count(entry: LogEntry, kinds: readonly ViewerKind[]): CountOutcome; take(): ViewCounts };
  readonly signal?: AbortSignal;
}

/** People, or agents and bots: a site may count only one of them from logs. */
export type ViewerKind = "humans" | "agents";

export interface ImportSummary {
  /** Lines that were read for the first time, without comments. */
  readonly lines: number;
  /** How many lines had each outcome. */
  readonly outcomes: ReadonlyMap<CountOutcome, number>;
  readonly unreadable: UnreadableLines;
  /** Files without a new line. */
  readonly unchanged: readonly string[];
}

export interface UnreadableLines {
  readonly count: number;
  /** The first unreadable lines. */
  readonly examples: readonly { readonly file: string; readonly line: number }[];
}

/** With a larger share of unreadable lines, the logs are in another format. */
const maxUnreadableShare = 0.05;
const maxExamples = 5;
/** Lines that are stored in one transaction. */
const chunkLines = 20_000;

export class LogsRefused extends Error {
  override readonly name = "LogsRefused";

  constructor(
    readonly lines: number,
    readonly unreadable: UnreadableLines,
  ) {
    super(`${unreadable.count} of ${lines} lines do not match this format, so nothing was imported.`);
  }
}

/**
 * Counts the requests in log files that no earlier import has counted. It reads all lines first, to check the format;
 * then it stores the counts in parts, each with the position at which it ends. So an interrupted import resumes there,
 * and a file that is imported again, under another name or compressed, adds nothing. People and agents have positions of
 * their own: once the site counts both from logs, the next import adds those that earlier ones left out.
 *
 * @throws {LogsRefused} if more than 5 % of the new lines cannot be read. Nothing is stored.
 * @throws {Error} if a file cannot be read.
 */
export async function importLogs(files: readonly string[], deps: ImportDeps): Promise<ImportSummary> {
  const logFiles: NewBytes[] = [];
  for (const path of files) {
    const file = await identify(path, deps.signal);
    logFiles.push({ path, file, from: (await nextPart(file, deps)).from });
  }
  const checked = createImportCount();
  for (const file of logFiles) await readFile(file, deps, checked, undefined, async () => true);
  const { lines, unreadable } = checked.result();
  if (unreadable.count > lines * maxUnreadableShare) throw new LogsRefused(lines, unreadable);
  const stored = createImportCount();
  const unchanged: string[] = [];
  for (const file of logFiles) if (!(await storeFile(file, deps, stored))) unchanged.push(file.path);
  return { ...stored.result(), unchanged };
}

interface NewBytes {
  readonly path: string;
  readonly file: LogFile | undefined;
  /** The first byte that is new. */
  readonly from: number;
}

/** The next bytes of a file, and whose requests among them are new. */
interface NextPart {
  readonly kinds: readonly ViewerKind[];
  readonly from: number;
  /** Default: the end of the file. */
  readonly to?: number;
  /** The stored position that advances, and its value. */
  readonly position: Position;
}

interface Position {
  readonly id: string;
  readonly bytes: number;
}

/** Continues where the file was read for both kinds, or lets the one that is behind catch up. */
async function nextPart(file: LogFile | undefined, deps: ImportDeps): Promise<NextPart> {
  const both = await positionOf(file, "", deps);
  const positions = {
    humans: await positionOf(file, "humans ", deps),
    agents: await positionOf(file, "agents ", deps),
  };
  const read = (kind: ViewerKind): number => Math.max(both.bytes, positions[kind].bytes);
  const [first, ...others] = deps.kinds.toSorted((a, b) => read(a) - read(b));
  const from = read(first!);
  const to = Math.max(0, ...others.map(read));
  if (others.length > 0 && to === from) return { kinds: deps.kinds, from, position: both };
  return { kinds: [first!], from, ...(to > from && { to }), position: positions[first!] };
}

/** How far the file was imported, by the first of its ids that is stored. */
async function positionOf(
  file: LogFile | undefined,
  prefix: string,
  { views, projectId }: ImportDeps,
): Promise<Position> {
  const ids = (file?.ids ?? []).map((id) => prefix + id);
  for (const id of ids) {
    const bytes = await views.importedBytes(projectId, id);
    if (bytes > 0) return { id, bytes };
  }
  return { id: ids[0] ?? "", bytes: 0 };
}

/** False if there was nothing new. */
async function storeFile(found: NewBytes, deps: ImportDeps, total: Count): Promise<boolean> {
  const { views, projectId, tally } = deps;
  let isNew = false;
  for (;;) {
    // Read for each part: an equal file of this import, or another process, may have advanced it.
    const { kinds, from, to, position } = await nextPart(found.file, deps);
    let part = createImportCount();
    let end = from;
    let { bytes } = position;
    const store = async (): Promise<boolean> => {
      const imported = { projectId, file: position.id, fromByte: bytes, toByte: end };
      // What was counted is dropped if another process has read further.
      if (!(await views.add(tally.take(), imported))) return false;
      total.add(part.result());
      part = createImportCount();
      bytes = end;
      isNew = true;
      return true;
    };
    let isAhead = true;
    await readFile({ ...found, from }, deps, part, to, async (entries, batchEnd) => {
      for (const entry of entries) part.outcome(tally.count(entry, kinds));
      end = batchEnd;
      if (part.lines >= chunkLines) isAhead = await store();
      return isAhead;
    });
    if (isAhead && end > from && bytes < end) isAhead = await store();
    if (isAhead && (to === undefined || end === from)) return isNew;
  }
}

/** Reads the requests of a file, batch by batch, until `handle` returns false. */
async function readFile(
  { path, file, from }: NewBytes,
  { format, signal }: ImportDeps,
  count: Count,
  to: number | undefined,
  handle: (entries: readonly LogEntry[], end: number) => Promise<boolean>,
): Promise<void> {
  if (!file) return;
  const parse = logParser(format);
  if (from > 0) for (const comment of file.comments) parse(comment);
  let line = 0;
  for await (const { lines, end } of readLines(path, { from, to }, signal)) {
    signal?.throwIfAborted();
    const entries: LogEntry[] = [];
    for (const text of lines) {
      line++;
      const entry = parse(text);
      if (entry === "comment") continue;
      count.line();
      if (entry === undefined) count.unreadable({ file: path, line });
      else entries.push(entry);
    }
    if (!(await handle(entries, end))) return;
  }
}

type Count = ReturnType<typeof createImportCount>;
type Counted = Omit<ImportSummary, "unchanged">;

/** Adds up the results of imports. They contain no address and no user agent. */
export function createImportCount() {
  let lines = 0;
  let unreadable: UnreadableLines = { count: 0, examples: [] };
  const outcomes = new Map<CountOutcome, number>();
  const outcome = (name: CountOutcome, times = 1): void => void outcomes.set(name, (outcomes.get(name) ?? 0) + times);
  const addUnreadable = (more: UnreadableLines): void => {
    const examples = [...unreadable.examples, ...more.examples].slice(0, maxExamples);
    unreadable = { count: unreadable.count + more.count, examples };
  };
  return {
    get lines(): number {
      return lines;
    },
    line: (): void => void lines++,
    outcome,
    unreadable: (place: UnreadableLines["examples"][number]): void => addUnreadable({ count: 1, examples: [place] }),
    add(more: Counted): void {
      lines += more.lines;
      for (const [name, times] of more.outcomes) outcome(name, times);
      addUnreadable(more.unreadable);
    },
    result: (): Counted => ({ lines, outcomes, unreadable }),
  };
}

/** What identifies a log file, whatever its name is and whether it is packed. */
export interface LogFile {
  /** Hashes of its beginning, the longest first. A file that was short when first read has a shorter one. */
  readonly ids: readonly string[];
  /** Lines before the first request, which may say what the columns are. */
  readonly comments: readonly string[];
}

const lengths = [4096, 2048, 1024, 512, 256];

/** Undefined for a file without a complete line of a request. Comments do not identify it: files share them. */
export async function identify(path: string, signal?: AbortSignal): Promise<LogFile | undefined> {
  const comments: string[] = [];
  let first: string | undefined;
  let text = "";
  for await (const { lines } of readLines(path, { from: 0 }, signal)) {
    for (const line of lines) {
      if (first === undefined && (line === "" || line.startsWith("#"))) comments.push(line);
      else {
        first ??= `${line}\n`;
        text += `${line}\n`;
      }
      if (text.length >= lengths[0]!) break;
    }
    if (text.length >= lengths[0]!) break;
  }
  if (first === undefined) return undefined;
  const shortest = Math.min(first.length, lengths[0]!);
  const knownLengths = [...lengths.filter((length) => length > shortest && length <= text.length), shortest];
  return { ids: knownLengths.map((length) => idOf(text.slice(0, length))), comments };
}

const idOf = (beginning: string): string =>
  `${beginning.length}-${createHash("sha256").update(beginning).digest("hex").slice(0, 32)}`;

/** Longer lines are dropped, and count as unreadable. */
const maxLineBytes = 64 * 1024;

export interface LineBatch {
  readonly lines: readonly string[];
  /** Unpacked bytes of the file up to the end of the last line. */
  readonly end: number;
}

/** A file is packed if it begins as gzip does, whatever its name is. */
export async function isGzip(path: string): Promise<boolean> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file?.close();
  }
}

/**
 * Reads a file by lines, from a byte of its unpacked content on. A last line without an end is left out, since more of
 * it may be written; a gzip file that ends early is read as far as it goes. Memory does not grow with the file.
 *
 * @param range from the beginning of a line to the end of another one, in bytes; without `to` up to the end of the file.
 * @throws {Error} if the file cannot be read, or is damaged gzip.
 */
export async function* readLines(
  path: string,
  { from, to = Number.POSITIVE_INFINITY }: { readonly from: number; readonly to?: number | undefined },
  signal?: AbortSignal,
): AsyncGenerator<LineBatch> {
  let at = from;
  let rest: Buffer = Buffer.alloc(0);
  let isDropping = false;
  for await (const content of contentOf(path, from, signal)) {
    const chunk = content.subarray(0, to - at - rest.length);
    if (chunk.length === 0) return;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    const lines = end === 0 ? [] : bytes.toString("utf8", 0, end - 1).split("\n");
    at += end;
    if (isDropping && lines.length > 0) {
      lines[0] = "\0";
      isDropping = false;
    }
    if (rest.length > maxLineBytes) {
      at += rest.length;
      rest = Buffer.alloc(0);
      isDropping = true;
    }
    if (lines.length > 0) yield { lines: lines.map(trimmed), end: at };
  }
}

const trimmed = (line: string): string =>
  line.length > maxLineBytes ? "\0" : line.endsWith("\r") ? line.slice(0, -1) : line;

async function* contentOf(path: string, from: number, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  if (!(await isGzip(path))) {
    yield* createReadStream(path, { start: from, highWaterMark: 256 * 1024, signal });
    return;
  }
  const file = createReadStream(path, { signal });
  // Without this flush, the end of a file that is cut would be an error that takes its last lines with it.
  const unpacked = createGunzip({ chunkSize: 256 * 1024, finishFlush: constants.Z_SYNC_FLUSH });
  file.once("error", (error) => unpacked.destroy(error));
  let skip = from;
  try {
    for await (const chunk of file.pipe(unpacked) as AsyncIterable<Buffer>) {
      const unread = chunk.subarray(Math.min(skip, chunk.length));
      skip -= chunk.length - unread.length;
      if (unread.length > 0) yield unread;
    }
  } finally {
    file.destroy();
    unpacked.destroy();
  }
}
