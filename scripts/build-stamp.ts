// Records the sources and the files of a build, to tell whether dist is fresh. Dates do not tell: a checkout renews them.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

interface Parts {
  /** Whether the declarations are part of the build. */
  readonly types: boolean;
}

/** Call it before the build; the returned function after it. Sources that change meanwhile leave dist stale. */
export function startStamp(root: string, { types }: Parts): () => void {
  const sources = sourcesOf(root);
  return () => {
    mkdirSync(dirname(stampFile(root)), { recursive: true });
    writeFileSync(stampFile(root), JSON.stringify({ types, sources, dist: hashOf(root, ["dist"]) }));
  };
}

/** Whether dist is what a build of these sources wrote. */
export function isFresh(root: string, { types }: Parts): boolean {
  try {
    const stamp = JSON.parse(readFileSync(stampFile(root), "utf8"));
    return (stamp.types || !types) && stamp.sources === sourcesOf(root) && stamp.dist === hashOf(root, ["dist"]);
  } catch {
    // A file is missing.
    return false;
  }
}

/**
 * Writes an identity that distinguishes this build from all others, since they may share a cache: a hash of all files of dist and of
 * package.json, which has the version that bundles name. Call it when dist has its other files.
 */
export function writeBuildId(root: string): void {
  const file = join(root, "dist/build-id.txt");
  rmSync(file, { force: true });
  writeFileSync(file, hashOf(root, ["dist", "package.json"]));
}

const stampFile = (root: string): string => join(root, ".cache/build.json");
const sourcesOf = (root: string): string => hashOf(root, ["src", "scripts", "package.json", "package-lock.json"]);

/** A hash of the names and contents of all files in these places. */
function hashOf(root: string, places: readonly string[]): string {
  const sum = createHash("sha256");
  const add = (path: string): void => {
    if (statSync(join(root, path)).isDirectory())
      for (const name of readdirSync(join(root, path)).toSorted()) add(`${path}/${name}`);
    else {
      const bytes = readFileSync(join(root, path));
      sum.update(`${path}\n${bytes.length}\n`).update(bytes);
    }
  };
  for (const place of places) add(place);
  return sum.digest("hex");
}
