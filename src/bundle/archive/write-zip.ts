import { createReadStream, createWriteStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { crc32, createDeflateRaw, deflateRawSync } from "node:zlib";
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
  folder: string,
  paths: readonly string[],
  scratch: string,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const members: (ZipMember & { readonly offset: number })[] = [];
  let offset = 0;
  let sinceTurn = 0;
  for (const path of paths) {
    signal?.throwIfAborted();
    const file = join(folder, path);
    const { size } = statSync(file);
    const { member, data } =
      size > wholeBytes ? await packLarge(file, path, scratch, signal) : packWhole(readFileSync(file), path);
    const header = localHeader(member);
    members.push({ ...member, offset });
    offset += header.length + member.packedSize;
    yield header;
    if (data instanceof Uint8Array) yield data;
    else yield* createReadStream(data);
    sinceTurn += size;
    if (sinceTurn < turnBytes) continue;
    sinceTurn = 0;
    await setImmediate();
  }
  yield zipDirectory(members, offset);
}

/** A member, and its data or the file that has them. */
interface Packed {
  readonly member: ZipMember;
  readonly data: Uint8Array | string;
}

function packWhole(content: Uint8Array, path: string): Packed {
  const deflated = packed.test(path) ? undefined : deflateRawSync(content);
  const isDeflated = deflated !== undefined && deflated.length < content.length;
  const data = isDeflated ? deflated : content;
  const member = { path, crc32: crc32(content), size: content.length, packedSize: data.length, isDeflated };
  return { member, data };
}

async function packLarge(file: string, path: string, scratch: string, signal?: AbortSignal): Promise<Packed> {
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
  const data = isDeflated ? scratch : file;
  const options = signal ? { signal } : {};
  if (isDeflated)
    await pipeline(createReadStream(file), count, createDeflateRaw(), createWriteStream(scratch), options);
  else for await (const _ of count(createReadStream(file, options)));
  const packedSize = isDeflated ? statSync(scratch).size : size;
  return { member: { path, crc32: crc, size, packedSize, isDeflated }, data };
}
