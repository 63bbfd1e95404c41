import { createWriteStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ArchiveEntry, manifestName, tarEntries } from "../../../bundle/archive/index.js";
import { searchHeadPath } from "../../../bundle/search/index.js";
import { indexLimits, packRecord, printFacts, readFacts } from "./index-object.js";

/** The archive cannot be indexed: it exceeds a limit, or is not a bundle. */
export class IndexRefused extends Error {
  override readonly name = "IndexRefused";
}

/** How many times larger than the archive its content may be, as for a bundle that is served. */
const maxRatio = 100;
const slackBytes = 8 * 1024 ** 2;
const maxManifestBytes = 128 * 1024 ** 2;

/** The list of pages for agents, stored as a page, so that it has the address of one. */
const llmsPath = "llms.txt";

/**
 * Writes the index of a bundle to the new file `target`, for `openSiteIndex`. Memory does not grow with the archive.
 *
 * @param archive a `.tar.gz`, which is not trusted.
 * @param fallbackUrl address of a site whose manifest has none.
 * @throws {IndexRefused} if the archive has no search, exceeds a limit, or is not a bundle.
 */
export async function writeIndex(
  archive: string,
  target: string,
  fallbackUrl: string,
  signal?: AbortSignal,
): Promise<void> {
  const most = slackBytes + maxRatio * statSync(archive).size;
  let unpacked = 0;
  const meter = (bytes: number): void => {
    unpacked += bytes;
    if (unpacked > most) throw new IndexRefused("The archive unpacks to more bytes than its size allows.");
  };
  const records = Readable.from(recordsOf(tarEntries(archive, meter, signal), fallbackUrl));
  await pipeline(records, createWriteStream(target, { flags: "wx", mode: 0o600 }), signal ? { signal } : {});
}

/** The records of a bundle whose manifest comes first. @throws {IndexRefused} as `writeIndex`. */
export async function* recordsOf(entries: AsyncIterable<ArchiveEntry>, fallbackUrl: string): AsyncGenerator<Buffer> {
  const total = { files: 0, search: 0, packed: 0 };
  let isFirst = true;
  let hasSearch = false;
  for await (const entry of entries) {
    if (isFirst !== (entry.name === manifestName))
      throw new IndexRefused("The archive does not begin with its manifest.");
    const isSearch = isSearchFile(entry.name);
    hasSearch ||= entry.name === searchHeadPath;
    let record: Buffer;
    if (isFirst) {
      isFirst = false;
      const manifest = await contentOf(entry, maxManifestBytes);
      if (manifest === undefined) throw new IndexRefused("The manifest is too large.");
      record = await packRecord("", Buffer.from(printFacts(readFacts(JSON.parse(manifest.toString()), fallbackUrl))));
    } else if (isIndexed(entry.name)) {
      const content = await contentOf(entry, indexLimits.maxFileBytes);
      if (content === undefined && isSearch) throw new IndexRefused(`${entry.name} is too large.`);
      if (content === undefined) continue;
      if (isSearch) total.search += content.length;
      record = await packRecord(entry.name === llmsPath ? `${llmsPath}.md` : entry.name, content);
    } else {
      await contentOf(entry, 0);
      continue;
    }
    total.packed += record.length;
    if (
      ++total.files > indexLimits.maxFiles ||
      total.search > indexLimits.maxSearchBytes ||
      total.packed > indexLimits.maxBytes
    )
      throw new IndexRefused("The site is too large for the assistant.");
    yield record;
  }
  if (!hasSearch) throw new IndexRefused("The site has no search.");
}

export const isIndexed = (name: string): boolean => isSearchFile(name) || name.endsWith(".md") || name === llmsPath;

const isSearchFile = (name: string): boolean =>
  name === searchHeadPath || (name.startsWith("_offprint/search/") && name.endsWith(".js"));

/** Undefined for an entry that is larger than `most`, or not a plain file. It is read to its end in any case. */
async function contentOf({ type, content }: ArchiveEntry, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes <= most) chunks.push(chunk);
  }
  return bytes > most || type !== "file" ? undefined : Buffer.concat(chunks);
}
