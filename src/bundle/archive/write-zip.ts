import { createReadStream, createWriteStream, readFileSync, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { crc32, createDeflateRaw, deflateRawSync } from "node:zlib";
import type { KeptPieces, Piece } from "./archive-pieces.js";
import { deflateLevel } from "./deflate-level.js";
import type { FileToPack } from "./file-to-pack.js";
import { localHeader, type ZipMember, zipDirectory } from "./zip-format.js";

/** Files that deflate does not make smaller. */
const packed = /\.(?:7z|avif|gif|gz|jpe?g|m4a|mov|mp[34]|og[gv]|png|rar|web[mp]|woff2?|zip|zst)$/i;
/** A larger file is read in pieces. */
const wholeBytes = 16 * 1024 * 1024;
/** After so many bytes others get a turn: deflating blocks the thread. */
const turnBytes = 1024 * 1024;

/**
 * The bytes of a `.zip` of these files, in this order, with fixed times and modes. `scratch` is a path for a temporary file.
 */
export async function* zipChunks(
  files: readonly FileToPack[],
  kept: KeptPieces | undefined,
  scratch: string,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const members: (ZipMember & { readonly offset: number })[] = [];
  let offset = 0;
  let sinceTurn = 0;
  const begin = (member: ZipMember): Buffer => {
    const header = localHeader(member);
    members.push({ ...member, offset });
    offset += header.length;
    return header;
  };
  for (const file of files) {
    signal?.throwIfAborted();
    const { path, size, sha256 } = file;
    if (size > wholeBytes) {
      const { member, data } = await packLarge(file, scratch, signal);
      yield begin(member);
      yield* createReadStream(data);
      offset += member.packedSize;
      continue;
    }
    const isPacked = packed.test(path);
    const key = sha256 === undefined ? undefined : `${sha256}${isPacked ? " stored" : ""}`;
    const piece = (key !== undefined && kept?.find(key)) || packWhole(readFileSync(file.source), isPacked);
    const { data } = piece;
    yield begin({ path, crc32: piece.crc32, size: piece.size, packedSize: data.length, isDeflated: piece.isDeflated });
    if (key !== undefined) kept?.note(key, piece, offset);
    yield data;
    offset += data.length;
    sinceTurn += size;
    if (sinceTurn < turnBytes) continue;
    sinceTurn = 0;
    await setImmediate();
  }
  yield zipDirectory(members, offset);
}

function packWhole(content: Uint8Array, isPacked: boolean): Piece {
  const deflated = isPacked ? undefined : deflateRawSync(content, { level: deflateLevel });
  const isDeflated = deflated !== undefined && deflated.length < content.length;
  return { size: content.length, crc32: crc32(content), isDeflated, data: isDeflated ? deflated : content };
}

/** A member and the file that has its data. */
interface PackedFile {
  readonly member: ZipMember;
  readonly data: string;
}

async function packLarge({ path, source }: FileToPack, scratch: string, signal?: AbortSignal): Promise<PackedFile> {
  const isDeflated = !packed.test(path);
  let crc = 0;
  let size = 0;
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      crc = crc32(chunk, crc);
      size += chunk.length;
      yield chunk;
    }
  };
  const data = isDeflated ? scratch : source;
  const options = signal ? { signal } : {};
  if (isDeflated)
    await pipeline(
      createReadStream(source),
      count,
      createDeflateRaw({ level: deflateLevel }),
      createWriteStream(scratch),
      options,
    );
  else for await (const _ of count(createReadStream(source, options)));
  const packedSize = isDeflated ? statSync(scratch).size : size;
  return { member: { path, crc32: crc, size, packedSize, isDeflated }, data };
}
