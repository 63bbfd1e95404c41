export type TermTable = ReturnType<typeof createTermTable>;

export const hashStart = 0x811c9dc5 | 0;
export const hashStep = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

/** What `dump` gave, and the number of terms. */
export interface TermDump {
  readonly size: number;
  /** At a multiple of 4 in their buffer. The table uses them as they are. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Numbers terms from 0 in order of appearance. It stores terms as bytes, so that a term in a buffer is found without
 * creating a string: a page has hundreds of words.
 *
 * @param dump of a table, whose terms keep their numbers
 */
export function createTermTable(dump?: TermDump) {
  /** Open addressing: the number of a term plus one, at the slot of its hash or after it. */
  let places = new Uint32Array(1 << 14);
  let hashes = new Int32Array(1 << 13);
  let ends = new Uint32Array(1 << 13);
  let pool = new Uint8Array(1 << 16);
  let size = 0;
  const scratch = new Uint8Array(4096);
  const encoder = new TextEncoder();

  const add = (bytes: Uint8Array, from: number, to: number, hash: number, place: number): number => {
    if (size === hashes.length) {
      hashes = grown(hashes, 2 * size);
      ends = grown(ends, 2 * size);
    }
    const start = startOf(size);
    const end = start + to - from;
    if (end > pool.length) pool = grown(pool, 2 * end);
    for (let i = from; i < to; i++) pool[start + i - from] = bytes[i]!;
    hashes[size] = hash;
    ends[size] = end;
    places[place] = ++size;
    if (2 * size > places.length) spread();
    return size - 1;
  };
  const spread = (): void => {
    places = new Uint32Array(2 * places.length);
    for (let number = 0; number < size; number++) {
      let place = locationOf(hashes[number]!);
      while (places[place] !== 0) place = (place + 1) & (places.length - 1);
      places[place] = number + 1;
    }
  };
  const locationOf = (hash: number): number => (hash ^ (hash >>> 15)) & (places.length - 1);
  const startOf = (number: number): number => (number === 0 ? 0 : ends[number - 1]!);
  const isSame = (number: number, bytes: Uint8Array, from: number, to: number): boolean => {
    let at = startOf(number);
    if (ends[number]! - at !== to - from) return false;
    for (let i = from; i < to; i++) if (pool[at++] !== bytes[i]) return false;
    return true;
  };
  /** @param hash of the bytes: see `hashStep`. */
  const numberOfBytes = (bytes: Uint8Array, from: number, to: number, hash: number): number => {
    let place = locationOf(hash);
    for (;;) {
      const number = places[place]! - 1;
      if (number < 0) return add(bytes, from, to, hash, place);
      if (hashes[number] === hash && isSame(number, bytes, from, to)) return number;
      place = (place + 1) & (places.length - 1);
    }
  };
  const numberOfOther = (term: string): number => {
    const { written } = encoder.encodeInto(term, scratch);
    let hash = hashStart;
    for (let i = 0; i < written; i++) hash = hashStep(hash, scratch[i]!);
    return numberOfBytes(scratch, 0, written, hash);
  };
  if (dump && dump.size > 0) {
    const { buffer, byteOffset } = dump.bytes;
    // They are replaced before a term is added.
    hashes = new Int32Array(buffer, byteOffset, dump.size);
    ends = new Uint32Array(buffer, byteOffset + 4 * dump.size, dump.size);
    // No Buffer, even if the dump is one: Node warns the user when one is made by its constructor, to grow.
    pool = new Uint8Array(buffer, byteOffset + 8 * dump.size, dump.bytes.length - 8 * dump.size);
    size = dump.size;
    while (2 * size > places.length) places = new Uint32Array(2 * places.length);
    spread();
  }
  return {
    get size(): number {
      return size;
    },
    /** Hashes, ends and bytes of all terms. */
    dump: (): Uint8Array =>
      Buffer.concat([
        new Uint8Array(hashes.buffer, hashes.byteOffset, 4 * size),
        new Uint8Array(ends.buffer, ends.byteOffset, 4 * size),
        pool.subarray(0, startOf(size)),
      ]),
    numberOfBytes,
    /** In bytes of UTF-8. */
    lengthOf: (number: number): number => ends[number]! - startOf(number),
    /** Copies the bytes of a term, and returns the offset after them. */
    copy(number: number, into: Uint8Array, at: number): number {
      let index = at;
      for (let i = startOf(number); i < ends[number]!; i++) into[index++] = pool[i]!;
      return index;
    },
    numberOf(term: string): number {
      const { length } = term;
      let hash = hashStart;
      for (let i = 0; i < length; i++) {
        const code = term.charCodeAt(i);
        if (code > 127) return numberOfOther(term);
        scratch[i] = code;
        hash = hashStep(hash, code);
      }
      return numberOfBytes(scratch, 0, length, hash);
    },
    /** All terms by their number. */
    terms(): string[] {
      const text = Buffer.from(pool.buffer, pool.byteOffset, pool.length);
      return Array.from({ length: size }, (_, number) => text.toString("utf8", startOf(number), ends[number]!));
    },
  };
}

type NumberArray =
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** A copy with room for `length` numbers. */
export function grown<T extends NumberArray>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}
