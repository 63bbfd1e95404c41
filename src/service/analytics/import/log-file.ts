import { createHash } from "node:crypto";
import { readLines } from "../logs/read-lines.js";

/** What identifies a log file, whatever its name is and whether it is packed. */
export interface LogFile {
  /**
   * Hashes of its beginning, of the longest one first. A file that was short when it was first read is known by a shorter
   * one; a file that is new gets the first.
   */
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
  for await (const { lines } of readLines(path, 0, signal)) {
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
  const known = [...lengths.filter((length) => length > shortest && length <= text.length), shortest];
  return { ids: known.map((length) => idOf(text.slice(0, length))), comments };
}

const idOf = (beginning: string): string =>
  `${beginning.length}-${createHash("sha256").update(beginning).digest("hex").slice(0, 32)}`;
