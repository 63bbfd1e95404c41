/** The CRC-32 of two texts in a row, from that of each. @param length of the second one, in bytes. */
export const joinCrc = (first: number, second: number, length: number): number =>
  (multiply(powerOfByte(length), first) ^ second) >>> 0;

/** Bits are reversed: the highest one is the coefficient of x^0. */
const one = 0x80000000;
const polynomial = 0xedb88320;

/** The product of two polynomials, modulo that of the CRC. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
  }
  return product >>> 0;
}

/** x to the power of eight times `bytes`. */
function powerOfByte(bytes: number): number {
  let power = one;
  // x^8, squared with each step.
  let square = one >>> 8;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(square, power);
    square = multiply(square, square);
  }
  return power;
}
