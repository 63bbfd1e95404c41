import { createHash, randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { shortHash, shortHashOf } from "../short-hash.js";

/** The content of a file that `writeChecked` wrote; undefined if it is missing or damaged. */
export function readChecked(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const start = bytes.indexOf(10) + 1;
    const content = bytes.subarray(start);
    return bytes.toString("latin1", 0, start - 1) === shortHash(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

/** The lines of such a file, one at a time in memory besides the file; none if it is missing or damaged. */
export function* readCheckedLines(file: string): Generator<string> {
  const content = readChecked(file);
  if (content === undefined || content.length === 0) return;
  for (let at = 0, end = 0; end >= 0; at = end + 1) {
    end = content.indexOf(10, at);
    yield content.toString("utf8", at, end < 0 ? content.length : end);
  }
}

/** Replaces a file at once. False if that fails: no run depends on a cache. */
export function writeChecked(file: string, content: Uint8Array): boolean {
  return replaceFile(file, (draft) =>
    writeFileSync(draft, Buffer.concat([Buffer.from(`${shortHash(content)}\n`), content])),
  );
}

/** In UTF-16 units. */
const pieceUnits = 64 * 1024;

/** As `writeChecked`, for a text that would take much memory as a whole. */
export function writeCheckedLines(file: string, lines: Iterable<string>): boolean {
  return replaceFile(file, (draft) => {
    const hash = createHash("sha256");
    const out = openSync(draft, "wx");
    try {
      writeFileSync(out, `${shortHash("")}\n`);
      let piece = "";
      const write = (): void => {
        const bytes = Buffer.from(piece);
        hash.update(bytes);
        // Unlike writeSync, this writes until every byte is out.
        writeFileSync(out, bytes);
        piece = "";
      };
      let separator = "";
      for (const line of lines) {
        piece += separator + line;
        separator = "\n";
        if (piece.length >= pieceUnits) write();
      }
      write();
      writeSync(out, shortHashOf(hash), 0);
    } finally {
      closeSync(out);
    }
  });
}

function replaceFile(file: string, write: (draft: string) => void): boolean {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    write(draft);
    renameSync(draft, file);
    return true;
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
}

/** Whether a name is that of an unfinished file. */
export const isDraft = (name: string): boolean => /\.[0-9a-f]{12}$/.test(name);
