import { randomBytes } from "node:crypto";

const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Sorts by time; 80 of its bits are random. */
export function newUlid(now: number): string {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++) {
    time = digits[rest % 32]! + time;
    rest = Math.floor(rest / 32);
  }
  return time + Array.from(randomBytes(16), (byte) => digits[byte % 32]).join("");
}

export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(text);
