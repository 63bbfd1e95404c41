import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";

/** The folders of one export's process. All of `root` can be read by it. */
export interface ExportFolders {
  readonly root: string;
  /** For the checkout of a repository. */
  readonly source: string;
  /** Files that the worker has fetched for the export. */
  readonly fetched: string;
  /** The only folder that the process can write. */
  readonly own: string;
  readonly cache: string;
  readonly temporary: string;
  /** The bundle. */
  readonly archive: string;
}

/** @param parent a real path. */
export function makeExportFolders(parent: string): ExportFolders {
  const root = mkdtempSync(join(parent, "export-"));
  const own = join(root, "own");
  const [source, fetched] = [join(root, "source"), join(root, "fetched")];
  const [cache, temporary, output] = [join(own, "cache"), join(own, "temporary"), join(own, "output")];
  for (const folder of [source, fetched, own, temporary, output]) mkdirSync(folder);
  return { root, source, fetched, own, cache, temporary, archive: join(output, "bundle.tar.gz") };
}
