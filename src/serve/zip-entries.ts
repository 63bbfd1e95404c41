import { closeSync, createReadStream, openSync, read, statSync } from "node:fs";
import { crc32 } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader } from "yauzl";
import type { ArchiveEntry, Meter } from "../bundle/archive/index.js";
import { BundleRefused, shown } from "./refusal.js";

/** Reads a `.zip` in the order of its directory; the files must have the same order. */
export async function* zipEntries(archive: string, meter: Meter): AsyncGenerator<ArchiveEntry> {
  const { size } = statSync(archive);
  const fd = openSync(archive, "r");
  try {
    const reader = new BoundedReader(archive, fd, size);
    const zip = await fromRandomAccessReaderPromise(reader, size, { autoClose: false, decodeStrings: false });
    let end = 0;
    for await (const entry of zip.eachEntry()) {
      const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
      const refuse = (fault: string) => new BundleRefused(`The archive is refused: ${shown(name)} ${fault}.`);
      if (entry.isEncrypted()) throw refuse("is encrypted");
      if (!entry.canDecodeFileData()) throw refuse(`is compressed by the unknown method ${entry.compressionMethod}`);
      // Files that share bytes let a small archive unpack to a large bundle.
      if (entry.relativeOffsetOfLocalHeader < end) throw refuse("overlaps another file, or is not in order");
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      end = fileDataStart + entry.compressedSize;
      meter(entry.uncompressedSize);
      const content = async function* () {
        let checksum = 0;
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          checksum = crc32(chunk, checksum);
          yield chunk as Buffer;
        }
        if (checksum !== entry.crc32) throw refuse("does not have its checksum");
      };
      yield { name, type: typeOf(entry, name), size: entry.uncompressedSize, content: content() };
    }
  } finally {
    closeSync(fd);
  }
}

/** yauzl reads at any offset that an archive names. For some offsets, `fs.read` throws in a callback and ends the process. */
class BoundedReader extends RandomAccessReader {
  constructor(
    private readonly archive: string,
    private readonly fd: number,
    private readonly size: number,
  ) {
    super();
  }

  override read(...[buffer, offset, length, position, done]: Parameters<RandomAccessReader["read"]>): void {
    if (position + length > this.size) done(new Error("unexpected end"));
    else read(this.fd, buffer, offset, length, position, done);
  }

  override _readStreamForRange(start: number, end: number) {
    return createReadStream(this.archive, { start, end: end - 1 });
  }
}

/** Reads the Unix mode, which is 0 in archives of other systems. */
function typeOf({ externalFileAttributes }: Entry, name: string): string {
  const type = types.get(externalFileAttributes >>> 28) ?? "special file";
  return name.endsWith("/") ? "directory" : type;
}

const types = new Map([
  [0, "file"],
  [0o1, "fifo"],
  [0o2, "character-device"],
  [0o4, "directory"],
  [0o10, "file"],
  [0o12, "symlink"],
]);
