/** Of the versions 1 to 20 with level M: codewords for error correction in a block, and the number of blocks. */
const corrections = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

type Matrix = (boolean | undefined)[][];

/** The rows of a QR code with that text: true is dark. Undefined: the text is longer than 666 bytes. */
export function qrCode(text: string): readonly (readonly boolean[])[] | undefined {
  const bytes = new TextEncoder().encode(text);
  const version =
    1 + corrections.findIndex((_, index) => bytes.length + (index < 9 ? 2 : 3) <= dataCodewords(index + 1));
  if (version === 0) return undefined;
  const codewords = withCorrections(dataOf(bytes, version), version);
  const functions = functionPatterns(version);
  const candidates = masks.map((mask, index) => {
    const matrix = functions.map((row) => [...row]);
    drawFormat(matrix, index);
    placeCodewords(matrix, codewords, mask);
    return matrix as boolean[][];
  });
  const scores = candidates.map(penaltyOf);
  return candidates[scores.indexOf(Math.min(...scores))];
}

function allCodewords(version: number): number {
  const patterns = alignmentCount(version);
  const alignments = version === 1 ? 0 : (25 * patterns - 10) * patterns - 55;
  return Math.floor(((16 * version + 128) * version + 64 - alignments - (version < 7 ? 0 : 36)) / 8);
}

function dataCodewords(version: number): number {
  return allCodewords(version) - corrections[version - 1]! * blockCounts[version - 1]!;
}

const alignmentCount = (version: number): number => Math.floor(version / 7) + 2;

/** The bytes with mode and length before them, and padding after them. */
function dataOf(bytes: Uint8Array, version: number): readonly number[] {
  const binary = (value: number, digits: number): string => value.toString(2).padStart(digits, "0");
  const size = dataCodewords(version) * 8;
  let bits = `0100${binary(bytes.length, version < 10 ? 8 : 16)}${[...bytes].map((byte) => binary(byte, 8)).join("")}`;
  bits += "0".repeat(Math.min(4, size - bits.length));
  bits += "0".repeat(-bits.length & 7);
  for (let pad = 0; bits.length < size; pad++) bits += binary(pad % 2 === 0 ? 0xec : 0x11, 8);
  return bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2));
}

/** Splits the data into blocks, adds the Reed-Solomon codewords of each, and interleaves them. */
function withCorrections(data: readonly number[], version: number): readonly number[] {
  const count = blockCounts[version - 1]!;
  const shortLength = Math.floor(data.length / count);
  const shortCount = count - (data.length % count);
  const blocks = Array.from({ length: count }, (_, index) => {
    const start = index * shortLength + Math.max(0, index - shortCount);
    return data.slice(start, start + shortLength + (index < shortCount ? 0 : 1));
  });
  const divisor = generator(corrections[version - 1]!);
  const remainders = blocks.map((block) => remainder(block, divisor));
  const interleaved = (rows: readonly (readonly number[])[]): number[] =>
    Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, column) =>
      rows.flatMap((row) => row[column] ?? []),
    ).flat();
  return [...interleaved(blocks), ...interleaved(remainders)];
}

/** In the field of 256 elements with the polynomial 0x11d. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >>> 7) * 0x11d) ^ (((b >>> bit) & 1) * a);
  return product;
}

/** The product of (x - 2^i), without its first coefficient. */
function generator(degree: number): readonly number[] {
  let result = [...Array<number>(degree - 1).fill(0), 1];
  for (let i = 0, root = 1; i < degree; i++, root = multiply(root, 2))
    result = result.map((coefficient, at) => multiply(coefficient, root) ^ (result[at + 1] ?? 0));
  return result;
}

function remainder(data: readonly number[], divisor: readonly number[]): readonly number[] {
  let result = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ result[0]!;
    result = divisor.map((coefficient, at) => (result[at + 1] ?? 0) ^ multiply(coefficient, factor));
  }
  return result;
}

/** Finders, timing, alignment and version; the modules of the format are light for now. */
function functionPatterns(version: number): Matrix {
  const size = version * 4 + 17;
  const matrix: Matrix = Array.from({ length: size }, () => Array<undefined>(size).fill(undefined));
  const square = (x: number, y: number, radius: number, isDark: (distance: number) => boolean): void => {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) {
        const row = matrix[y + dy];
        if (row && x + dx in row) row[x + dx] = isDark(Math.max(Math.abs(dx), Math.abs(dy)));
      }
  };
  for (let i = 0; i < size; i++) matrix[6]![i] = matrix[i]![6] = i % 2 === 0;
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, (distance) => distance !== 2 && distance !== 4);
  const at = alignmentPositions(version);
  const last = at.length - 1;
  for (const [i, x] of at.entries())
    for (const [j, y] of at.entries())
      if (!((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)))
        square(x, y, 2, (distance) => distance !== 1);
  drawFormat(matrix, 0);
  if (version >= 7) {
    const bits = (version << 12) | checkBits(version, 12, 0x1f25);
    for (let i = 0; i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
      matrix[a]![b] = matrix[b]![a] = ((bits >>> i) & 1) === 1;
    }
  }
  return matrix;
}

function alignmentPositions(version: number): readonly number[] {
  if (version === 1) return [];
  const count = alignmentCount(version);
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => version * 4 + 10 - i * step).reverse()];
}

/** The remainder of the polynomial division by `divisor`, of `degree`. */
function checkBits(value: number, degree: number, divisor: number): number {
  let rest = value;
  for (let i = 0; i < degree; i++) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * divisor);
  return rest;
}

/** Twice: the level, which is M, and the mask. */
function drawFormat(matrix: Matrix, mask: number): void {
  const size = matrix.length;
  const bits = ((mask << 10) | checkBits(mask, 10, 0x537)) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const isDark = ((bits >>> i) & 1) === 1;
    if (i < 8) matrix[i < 6 ? i : i + 1]![8] = isDark;
    else matrix[8]![i === 8 ? 7 : 14 - i] = isDark;
    if (i < 8) matrix[8]![size - 1 - i] = isDark;
    else matrix[size - 15 + i]![8] = isDark;
  }
  matrix[size - 8]![8] = true;
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** In columns of two, from the right, up and down by turns. */
function placeCodewords(matrix: Matrix, codewords: readonly number[], mask: (x: number, y: number) => boolean): void {
  const size = matrix.length;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = isUpward ? size - 1 - step : step;
        if (matrix[y]![x] !== undefined) continue;
        const isDark = (((codewords[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1;
        matrix[y]![x] = isDark !== mask(x, y);
        bit++;
      }
  }
}

/** Patterns that cameras read badly: long runs, blocks, what looks like a finder, and more dark than light. */
function penaltyOf(matrix: readonly (readonly boolean[])[]): number {
  const lines = [matrix, matrix.map((_, x) => matrix.map((row) => row[x]!))].flatMap((rows) =>
    rows.map((row) => row.map(Number).join("")),
  );
  let penalty = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/1{5,}|0{5,}/g)) penalty += run.length - 2;
    penalty += 40 * [...line.matchAll(/(?=10111010000|00001011101)/g)].length;
  }
  const isBlock = (x: number, y: number): boolean =>
    [matrix[y]![x + 1], matrix[y + 1]![x], matrix[y + 1]![x + 1]].every((each) => each === matrix[y]![x]);
  for (let y = 0; y + 1 < matrix.length; y++)
    for (let x = 0; x + 1 < matrix.length; x++) if (isBlock(x, y)) penalty += 3;
  const dark = matrix.flat().filter(Boolean).length / matrix.length ** 2;
  return penalty + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
