import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ArchiveEntry, type BundleFile, manifestName } from "../../../bundle/archive/index.js";
import type { SiteIndex } from "../answer.js";
import { openSiteIndex } from "./open-site-index.js";
import { isIndexed, recordsOf } from "./write-index.js";

/**
 * Opens the index of a bundle in a folder that has been verified. Everything is in memory then: the folder is not read
 * again, and may be replaced.
 *
 * @param files of its manifest. No other file is read.
 * @param fallbackUrl address of a site whose manifest has none.
 * @throws {IndexRefused} if the bundle has no search, or exceeds a limit.
 * @throws {Error} if a file has changed since it was verified.
 */
export async function openFolderIndex(
  folder: string,
  files: readonly BundleFile[],
  fallbackUrl: string,
): Promise<SiteIndex> {
  const records: Buffer[] = [];
  for await (const record of recordsOf(entriesOf(folder, files), fallbackUrl)) records.push(record);
  return (await openSiteIndex(Buffer.concat(records), fallbackUrl)).index;
}

async function* entriesOf(folder: string, files: readonly BundleFile[]): AsyncGenerator<ArchiveEntry> {
  const entry = (name: string, content: Buffer): ArchiveEntry => ({
    name,
    type: "file",
    size: content.length,
    content: (async function* () {
      yield content;
    })(),
  });
  yield entry(manifestName, await readFile(join(folder, manifestName)));
  for (const { path, sha256 } of files) {
    if (!isIndexed(path)) continue;
    const content = await readFile(join(folder, path));
    if (hash("sha256", content) !== sha256) throw new Error(`"${path}" has changed since it was verified`);
    yield entry(path, content);
  }
}
