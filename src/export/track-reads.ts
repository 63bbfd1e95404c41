import type { SiteFiles } from "../site/source/index.js";

/** Files of a site that record which of them are read. */
export interface TrackedFiles extends SiteFiles {
  /** Source paths read for the first time since the last call. */
  takeReads(): readonly string[];
}

export function trackReads(files: SiteFiles): TrackedFiles {
  const seen = new Set<string>();
  let reads: string[] = [];
  const tracked =
    <Result>(read: (sourcePath: string) => Result) =>
    (sourcePath: string): Result => {
      if (!seen.has(sourcePath)) {
        seen.add(sourcePath);
        reads.push(sourcePath);
      }
      return read(sourcePath);
    };
  return {
    ...files,
    sizeOf: tracked(files.sizeOf),
    readText: tracked(files.readText),
    readBytes: tracked(files.readBytes),
    absolutePath: tracked(files.absolutePath),
    takeReads() {
      const taken = reads;
      reads = [];
      return taken;
    },
  };
}
