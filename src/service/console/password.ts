import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** The binary logarithm of scrypt's N. A guess takes 128 MB and about a third of a second. */
export const defaultPasswordCost = 17;
const blockSize = 8;
const bytes = 32;

/** Bounds the memory and the processor time of logins: two at a time, and a bounded queue. */
const maxAtOnce = 2;
const maxWaiting = 100;

const minPasswordLength = 12;
const maxPasswordLength = 256;

export class TooManyLoginsError extends Error {
  override readonly name = "TooManyLoginsError";
}

let running = 0;
const waiting: (() => void)[] = [];

/** `scrypt:17:salt:hash`: the cost, and the rest in base64url. */
export async function hashPassword(password: string, cost = defaultPasswordCost): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  return `scrypt:${cost}:${salt.toString("base64url")}:${hash.toString("base64url")}`;
}

/** Whether the password is right. Without a stored hash it is false, after the same time. */
export async function isPassword(
  password: string,
  stored: string | undefined,
  cost = defaultPasswordCost,
): Promise<boolean> {
  const [kind, storedCost, salt = "", hash = ""] = (stored ?? `scrypt:${cost}::`).split(":");
  const expected = Buffer.from(hash, "base64url");
  const derived = await derive(password, Buffer.from(salt, "base64url"), Number(storedCost));
  return kind === "scrypt" && expected.length === bytes && timingSafeEqual(derived, expected);
}

/** @throws {TooManyLoginsError} if the queue is full. */
async function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  if (running >= maxAtOnce) {
    if (waiting.length >= maxWaiting) throw new TooManyLoginsError("Too many people log in at this moment.");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await new Promise<Buffer>((resolve, reject) =>
      scrypt(
        password.normalize("NFC").slice(0, 2 * maxPasswordLength),
        salt,
        bytes,
        { N: 2 ** cost, r: blockSize, p: 1, maxmem: 256 * 2 ** cost * blockSize },
        (error, key) => (error ? reject(error) : resolve(key)),
      ),
    );
  } finally {
    // Pass the place on to the next one.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** What is wrong with a new password, if anything. */
export function passwordFault(password: string, email: string): string | undefined {
  const { length } = [...password];
  if (length < minPasswordLength) return `Take ${minPasswordLength} characters or more; these are ${length}.`;
  if (length > maxPasswordLength) return `Take ${maxPasswordLength} characters or fewer; these are ${length}.`;
  if (new Set(password).size < 5) return "Use more different characters.";
  if (email !== "" && password.toLowerCase().includes(email.toLowerCase()))
    return "Do not use only your email address.";
  return undefined;
}
