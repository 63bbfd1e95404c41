import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const stepSeconds = 30;
const digits = 6;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const recoveryCodeCount = 8;

/** 160 random bits in base32, as authenticator apps take them. */
export const newTotpSecret = (): string => base32(randomBytes(20));

export const isTotpSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text);

/** The address that opens an authenticator app. */
export const totpAddress = (email: string, secret: string): string =>
  `otpauth://totp/Offprint:${encodeURIComponent(email)}?secret=${secret}&issuer=Offprint`;

/** The time step of a code, if it is right. Clocks may differ by 30 s. The store checks that a step is used once. */
export function totpStep(secret: string, code: string, now: number): number | undefined {
  const typed = Buffer.from(code.replace(/\s/g, ""));
  const current = Math.floor(now / 1000 / stepSeconds);
  return [current, current - 1, current + 1].find((step) => {
    const expected = Buffer.from(totpCode(secret, step));
    return typed.length === expected.length && timingSafeEqual(typed, expected);
  });
}

/** RFC 6238 with SHA-1, which every app has. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const value = hash.readUInt32BE(hash.at(-1)! & 0xf) & 0x7fffffff;
  return String(value % 10 ** digits).padStart(digits, "0");
}

/** Codes for a lost phone: `k3f9-x7qa-m2pd`. Each works once. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: recoveryCodeCount }, () =>
    base32(randomBytes(8))
      .slice(0, 12)
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, "$1-"),
  );

/** 60 random bits need no slow hash. */
export const hashRecoveryCode = (code: string): string =>
  createHash("sha256")
    .update(code.toLowerCase().replace(/[^a-z2-7]/g, ""))
    .digest("hex");

function base32(bytes: Uint8Array): string {
  let [text, value, bits] = ["", 0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text;
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let [value, bits] = [0, 0];
  for (const letter of text) {
    value = (value << 5) | alphabet.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(value >>> bits);
    value &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}
