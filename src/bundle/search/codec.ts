/**
 * Numbers as text that needs no escape in a script: one character below 45, two below 2025, three below 91125. The export
 * writes them, the browser reads them: this file runs in both.
 */

/** The 90 characters in the order of their values. */
const alphabet = "!#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}";
/** Characters with this value or a higher one are followed by another. */
const half = 45;

/** Code of the character of each value. */
export const codes: Uint8Array = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
const values = new Uint8Array(128);
for (const [value, code] of codes.entries()) values[code] = value;

/** Value, 0 to 89, of the character at an index. */
export const valueAt = (text: string, at: number): number => values[text.charCodeAt(at)]!;
export const characterOf = (value: number): string => alphabet[value]!;

/** Writes a non-negative integer into `bytes` and returns the index after it. */
export function putNumber(bytes: Uint8Array, at: number, number: number): number {
  let index = at;
  let left = number;
  while (left >= half) {
    bytes[index++] = codes[half + (left % half)]!;
    left = Math.floor(left / half);
  }
  bytes[index++] = codes[left]!;
  return index;
}

export function numberText(number: number): string {
  if (number < half) return characterOf(number);
  const bytes = new Uint8Array(8);
  return String.fromCharCode(...bytes.subarray(0, putNumber(bytes, 0, number)));
}

export class NumberReader {
  readonly text: string;
  at = 0;
  constructor(text: string) {
    this.text = text;
  }
  get done(): boolean {
    return this.at >= this.text.length;
  }
  next(): number {
    let number = 0;
    let weight = 1;
    for (;;) {
      const value = valueAt(this.text, this.at++);
      if (value < half) return number + value * weight;
      // Damaged text must not cause an endless loop.
      if (this.at >= this.text.length) return number;
      number += (value - half) * weight;
      weight *= half;
    }
  }
  value(): number {
    return valueAt(this.text, this.at++);
  }
}

/** The sum of all numbers of a text. */
export function sumOf(text: string): number {
  const reader = new NumberReader(text);
  let sum = 0;
  while (!reader.done) sum += reader.next();
  return sum;
}
