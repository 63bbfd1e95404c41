import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { open, readlink, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { attempt } from "../attempt.js";
import { shortHash, shortHashOf } from "../short-hash.js";

/** The content of a file that `writeChecked` wrote; undefined if it is missing or damaged. */
export const readChecked = (file: string): Buffer | undefined =>
  attempt(() => {
    const bytes = fs.readFileSync(file);
    const start = bytes.indexOf(10) + 1;
    const content = bytes.subarray(start);
    return bytes.toString("latin1", 0, start - 1) === shortHash(content) ? content : undefined;
  });

/** The lines of a file that `writeChecked` wrote, as views of one buffer; none if it is missing or damaged. */
export function* readCheckedLines(file: string): Generator<Buffer> {
  const content = readChecked(file);
  if (content === undefined || content.length === 0) return;
  for (let at = 0, end = 0; end >= 0; at = end + 1) {
    end = content.indexOf(10, at);
    yield content.subarray(at, end < 0 ? content.length : end);
  }
}

/** Replaces a file atomically, with a hash of its content. Returns false on failure, since no run depends on a cache. */
export const writeChecked = (file: string, content: Uint8Array): boolean =>
  replaceFile(file, (draft) =>
    fs.writeFileSync(draft, Buffer.concat([Buffer.from(`${shortHash(content)}\n`), content])),
  );

const chunkBytes = 64 * 1024;
const lineFeed = Buffer.from("\n");

/** Does the same in chunks, for a text that is too large to hold in memory. */
export function writeCheckedLines(file: string, lines: Iterable<string | Uint8Array>): boolean {
  return replaceFile(file, (draft) => {
    const hash = createHash("sha256");
    const out = fs.openSync(draft, "wx");
    try {
      fs.writeFileSync(out, `${shortHash("")}\n`);
      let buffers: Uint8Array[] = [];
      let waitingBytes = 0;
      const write = (): void => {
        const bytes = Buffer.concat(buffers);
        hash.update(bytes);
        // Unlike writeSync, this writes all bytes.
        fs.writeFileSync(out, bytes);
        buffers = [];
        waitingBytes = 0;
      };
      let isFirst = true;
      for (const line of lines) {
        const bytes = typeof line === "string" ? Buffer.from(line) : line;
        if (!isFirst) buffers.push(lineFeed);
        isFirst = false;
        buffers.push(bytes);
        waitingBytes += bytes.length + 1;
        if (waitingBytes >= chunkBytes) write();
      }
      write();
      fs.writeSync(out, shortHashOf(hash), 0);
    } finally {
      fs.closeSync(out);
    }
  });
}

function replaceFile(file: string, write: (draft: string) => void): boolean {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    fs.mkdirSync(dirname(file), { recursive: true });
    try {
      write(draft);
      fs.renameSync(draft, file);
    } catch (error) {
      fs.rmSync(draft, { force: true });
      throw error;
    }
    return true;
  } catch {
    return false;
  }
}

/** Whether a name belongs to a file whose writing has not finished. */
export const isDraft = (name: string): boolean => /\.[0-9a-f]{12}$/.test(name);

/**
 * Reads a file of a folder into which an untrusted process writes. Undefined if the file is a link or has a second hard link,
 * if `folder` has been replaced by a link, or above `maxBytes`.
 *
 * @param folder a real path.
 */
export async function readPlainFile(folder: string, name: string, maxBytes: number): Promise<Buffer | undefined> {
  const path = join(folder, name);
  try {
    const file = await open(
      path,
      fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0),
    );
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.nlink !== 1 || stats.size > maxBytes) return undefined;
      const opened = process.platform === "linux" ? await readlink(`/proc/self/fd/${file.fd}`) : await realpath(path);
      if (opened !== path) return undefined;
      const bytes = Buffer.allocUnsafe(stats.size);
      let end = 0;
      while (end < bytes.length) {
        const { bytesRead } = await file.read(bytes, end, bytes.length - end, end);
        if (bytesRead === 0) return undefined;
        end += bytesRead;
      }
      return bytes;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
