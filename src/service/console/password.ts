import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** Takes 128 MB and about a third of a second for one guess. */
const cost = { N: 2 ** 17, r: 8, p: 1 };
const maxmem = 256 * cost.N * cost.r;
const bytes = 32;
/** So that logins do not eat the machine: two at once, and a bounded queue. */
const maxAtOnce = 2;
const maxWaiting = 100;

export const minPasswordLength = 12;
export const maxPasswordLength = 256;

/** Too many people log in at this moment. */
export class TooManyLoginsError extends Error {
  override readonly name = "TooManyLoginsError";
}

let running = 0;
const waiting: (() => void)[] = [];

/** `scrypt:salt:hash`, the parts in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt:${salt.toString("base64url")}:${(await derive(password, salt)).toString("base64url")}`;
}

/** Whether it is the password. Without a hash, takes as long and is false. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [kind, salt = "", hash = ""] = (stored ?? "scrypt:AAAAAAAAAAAAAAAAAAAAAA:").split(":");
  const wanted = Buffer.from(hash, "base64url");
  const given = await derive(password, Buffer.from(salt, "base64url"));
  return kind === "scrypt" && wanted.length === bytes && timingSafeEqual(given, wanted);
}

/** @throws {TooManyLoginsError} if too many others wait. */
async function derive(password: string, salt: Buffer): Promise<Buffer> {
  if (running >= maxAtOnce) {
    if (waiting.length >= maxWaiting) throw new TooManyLoginsError("Too many people log in at this moment.");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await new Promise<Buffer>((resolve, reject) =>
      scrypt(password.normalize("NFC").slice(0, maxPasswordLength), salt, bytes, { ...cost, maxmem }, (error, key) =>
        error ? reject(error) : resolve(key),
      ),
    );
  } finally {
    // The place goes to the next one, or is free.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
