import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { shortHash } from "../short-hash.js";

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

/** Replaces a file at once. False if that fails: no run depends on a cache. */
export function writeChecked(file: string, content: Uint8Array): boolean {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, Buffer.concat([Buffer.from(`${shortHash(content)}\n`), content]));
    renameSync(draft, file);
    return true;
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
}

/** Whether a name is that of an unfinished file. */
export const isDraft = (name: string): boolean => /\.[0-9a-f]{12}$/.test(name);
