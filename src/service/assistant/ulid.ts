const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Sorts by time; 80 of its bits are random. @param random 16 bytes. */
export function newUlid(now: number, random: Uint8Array): string {
  let time = "";
  for (let left = now, i = 0; i < 10; i++) {
    time = digits[left % 32]! + time;
    left = Math.floor(left / 32);
  }
  let rest = "";
  for (const byte of random) rest += digits[byte % 32]!;
  return time + rest;
}

export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(text);
