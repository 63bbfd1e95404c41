/** SHA-256. `crypto.subtle` is missing on pages over plain HTTP. @param text ASCII only. */
export function sha256(text: string): Uint8Array {
  const length = text.length;
  const words = new Uint32Array(((length + 8) >> 6) * 16 + 16);
  for (let i = 0; i <= length; i++) words[i >> 2]! |= (i < length ? text.charCodeAt(i) : 0x80) << (24 - (i % 4) * 8);
  words[words.length - 1] = length * 8;
  const hash = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
  const keys = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
  const w = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = words[block + i]!;
      else {
        const [x, y] = [w[i - 15]!, w[i - 2]!];
        const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
        const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
        w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
      }
      const sum = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + h + keys[i]! + w[i]!;
      const other = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + sum) >>> 0, c, b, a, (sum + other) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      hash[i]! += word;
    });
  }
  return Uint8Array.from({ length: 32 }, (_, i) => hash[i >> 2]! >>> (24 - (i % 4) * 8));
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32);
const primes = Array.from({ length: 312 }, (_, i) => i).filter(
  (number) => number > 1 && !Array.from({ length: number }, (_, i) => i).some((by) => by > 1 && number % by === 0),
);
