/** A converted site can be converted again into the same folder: what a person changed there stays. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Hashes of the files as they were written, by path. Hidden, so that no export publishes it. */
const record = ".offprint/import.json";

type Hashes = Readonly<Record<string, string>>;

export const isConverted = (folder: string): boolean => existsSync(join(folder, record));

const hashOf = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex").slice(0, 16);

function recordedHashes(folder: string): Hashes {
  try {
    return JSON.parse(readFileSync(join(folder, record), "utf8")) as Hashes;
  } catch {
    return {};
  }
}

/** Writes the files of a conversion. @returns paths of files that a person has changed, which stay as they are */
export function writeConverted(
  folder: string,
  files: Iterable<readonly [path: string, data: string | Uint8Array]>,
): string[] {
  // The record may be a file of somebody else.
  const before = new Map(
    Object.entries(recordedHashes(folder)).filter(([path]) => !path.split(/[\\/]/).includes("..")),
  );
  const after = new Map<string, string>();
  const changedPaths: string[] = [];
  const isChanged = (path: string): boolean => {
    const file = join(folder, path);
    return existsSync(file) && hashOf(readFileSync(file)) !== before.get(path);
  };
  for (const [path, data] of files) {
    const hash = hashOf(data);
    after.set(path, hash);
    if (isChanged(path)) {
      if (hashOf(readFileSync(join(folder, path))) !== hash) changedPaths.push(path);
      continue;
    }
    // A page that a person deleted stays deleted.
    if (before.has(path) && !existsSync(join(folder, path))) continue;
    if (before.get(path) === hash) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), data);
  }
  for (const path of before.keys())
    if (!after.has(path)) {
      if (isChanged(path)) changedPaths.push(path);
      else rmSync(join(folder, path), { force: true });
    }
  mkdirSync(join(folder, dirname(record)), { recursive: true });
  writeFileSync(join(folder, record), `${JSON.stringify(Object.fromEntries(after), null, 1)}\n`);
  return changedPaths;
}
