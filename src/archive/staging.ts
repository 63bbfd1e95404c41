import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { BundleFile } from "./bundle-file.js";

/** A folder beside the output in which a bundle grows; it takes the output's place in one rename, or is thrown away. */
export interface Staging {
  /** Absolute. */
  readonly folder: string;
  /** Absolute path of the output. */
  readonly target: string;
  /** Puts the bundle in place of the output. The previous output is gone only when the new one stands. */
  commit(): Promise<void>;
  /** Removes all that was written; the previous output stands as it was. After `commit` there is nothing to remove. */
  discard(): Promise<void>;
}

/** The output folder holds something that no export made, so it is not replaced. */
export class OutputNotOursError extends Error {
  override readonly name = "OutputNotOursError";
}

/**
 * Leftovers of runs that were killed are removed first.
 *
 * @throws {OutputNotOursError} if `output` is a folder with files but without a manifest of ours, or is a file.
 * @throws {Error} of the file system, naming the path, if the folder beside it cannot be made.
 */
export function openStaging(output: string, manifestName: string): Staging {
  const target = resolve(output);
  refuseForeignFolder(target, manifestName);
  const parent = dirname(target);
  mkdirSync(parent, { recursive: true });
  const prefix = `.${basename(target)}.offprint-`;
  removeLeftovers(parent, prefix);
  const folder = join(parent, `${prefix}${process.pid}-new`);
  const previous = join(parent, `${prefix}${process.pid}-old`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return {
    folder,
    target,
    async commit() {
      refuseForeignFolder(target, manifestName);
      const replaces = existsSync(target);
      if (replaces) renameSync(target, previous);
      try {
        renameSync(folder, target);
      } catch (error) {
        if (replaces) renameSync(previous, target);
        throw error;
      }
      if (replaces) await rm(previous, { recursive: true, force: true });
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

function refuseForeignFolder(target: string, manifestName: string): void {
  let names: string[];
  try {
    names = readdirSync(target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR")
      throw new OutputNotOursError(`The output "${target}" is a file. Name a folder.`);
    throw error;
  }
  if (names.length > 0 && !names.includes(manifestName))
    throw new OutputNotOursError(
      `The output folder "${target}" holds files that no export made (there is no ${manifestName} in it), so it is not replaced. Name an empty or new folder, or remove it.`,
    );
}

/** A run that was killed cannot clean up; its process is gone, so nobody works in its folder. */
function removeLeftovers(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (pid === process.pid || !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Writes files of a bundle below `folder`; each thread has its own writer.
 *
 * @throws {RangeError} for a path that leaves the folder: our bug, since output paths are made by discover.
 * @throws {Error} of the file system, naming the path.
 */
export function createBundleWriter(folder: string): (path: string, content: string | Uint8Array) => BundleFile {
  const made = new Set<string>();
  return (path, content) => {
    const file = bundlePath(folder, path);
    const parent = dirname(file);
    if (!made.has(parent)) {
      mkdirSync(parent, { recursive: true });
      made.add(parent);
    }
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    writeFileSync(file, bytes);
    return { path, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  };
}

/**
 * Writes a file of a bundle from its parts, as they come.
 *
 * @throws as the writer of `createBundleWriter` does.
 */
export async function writeBundleStream(
  folder: string,
  path: string,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<BundleFile> {
  const file = bundlePath(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  const hash = createHash("sha256");
  const out = openSync(file, "w");
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      const part = Buffer.from(chunk);
      hash.update(part);
      bytes += part.length;
      writeSync(out, part);
    }
  } finally {
    closeSync(out);
  }
  return { path, bytes, sha256: hash.digest("hex") };
}

/** Absolute place of an output path. @throws {RangeError} if it would leave `folder`. */
export function bundlePath(folder: string, path: string): string {
  const segments = path.split("/");
  if (
    path.includes("\0") ||
    path.includes("\\") ||
    segments.some((part) => part === "" || part === "." || part === "..")
  )
    throw new RangeError(`"${path}" is no path inside a bundle. This is a bug of Offprint; please report it.`);
  return join(folder, path);
}
