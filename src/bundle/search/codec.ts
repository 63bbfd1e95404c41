/**
 * Numbers as text that needs no escape in a script: one character below 45, two below 2025, three below 91125. Written
 * when the index is made, read where a reader searches: this file runs in both places.
 */

/** The 90 characters in the order of their values. */
const alphabet = "!#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}";
/** Characters from here on say that more follow. */
const half = 45;

/** Code of the character of each value. */
export const codes: Uint8Array = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
const values = new Uint8Array(128);
for (const [value, code] of codes.entries()) values[code] = value;

/** Value, 0 to 89, of the character at a place. */
export const valueAt = (text: string, at: number): number => values[text.charCodeAt(at)]!;
export const characterOf = (value: number): string => alphabet[value]!;

/** Writes a whole number from 0 into `bytes` and gives the place behind it. */
export function putNumber(bytes: Uint8Array, at: number, number: number): number {
  let place = at;
  let left = number;
  while (left >= half) {
    bytes[place++] = codes[half + (left % half)]!;
    left = Math.floor(left / half);
  }
  bytes[place++] = codes[left]!;
  return place;
}

export function numberText(number: number): string {
  const bytes = new Uint8Array(8);
  return String.fromCharCode(...bytes.subarray(0, putNumber(bytes, 0, number)));
}

/** Reads numbers one after the other. */
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
      // Damaged text ends; it must not be read for ever.
      if (this.at >= this.text.length) return number;
      number += (value - half) * weight;
      weight *= half;
    }
  }
  value(): number {
    return valueAt(this.text, this.at++);
  }
}
