import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";

/** Reads archives. A file of its own: an export writes archives, and should not load the package that reads them. */

/** An entry according to its header, which is untrusted. */
export interface ArchiveEntry {
  readonly name: string;
  /** `file`, `symlink`, `directory`, … */
  readonly type: string;
  /** Of the unpacked content. Reading fails if the actual size differs. */
  readonly size: number;
  /** Readable until the next entry is requested. */
  readonly content: AsyncIterable<Buffer>;
}

/** Counts unpacked bytes. @throws {BundleRefused} if there are more than a bundle can contain. */
export type Meter = (bytes: number) => void;

/** Four times the default, with which half of the time was spent on passing chunks on. */
const chunkSize = 64 * 1024;

/** Reads a `.tar.gz`, by its path or its bytes. */
export async function* tarEntries(
  archive: string | Readable,
  meter: Meter,
  signal?: AbortSignal,
): AsyncGenerator<ArchiveEntry> {
  const entries = extract();
  const metered = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      meter(chunk.length);
      yield chunk;
    }
  };
  const packed = typeof archive === "string" ? createReadStream(archive) : archive;
  const reading = pipeline(packed, createGunzip({ chunkSize }), metered, entries, signal ? { signal } : {}).catch(
    (error: Error) => entries.destroy(error),
  );
  try {
    for await (const entry of entries) {
      const { name, type, size = 0 } = entry.header;
      yield { name, type: type ?? "file", size, content: entry as AsyncIterable<Buffer> };
    }
  } finally {
    entries.destroy();
    await reading;
  }
}
