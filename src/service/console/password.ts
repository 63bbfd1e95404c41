import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import PQueue from "p-queue";

/** The binary logarithm of scrypt's N. A guess takes 128 MB and about a third of a second. */
export const defaultPasswordCost = 17;
const blockSize = 8;
const keyBytes = 32;
const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Bounds the memory and the processor time of logins. */
const logins = new PQueue({ concurrency: 2 });
const maxWaiting = 100;

const minPasswordLength = 12;
const maxPasswordLength = 256;

export class TooManyLoginsError extends Error {
  override readonly name = "TooManyLoginsError";
}

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
  return kind === "scrypt" && expected.length === keyBytes && timingSafeEqual(derived, expected);
}

/** @throws {TooManyLoginsError} if the queue is full. */
async function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  if (logins.size >= maxWaiting) throw new TooManyLoginsError("Too many people log in at this moment.");
  const options = { N: 2 ** cost, r: blockSize, p: 1, maxmem: 256 * 2 ** cost * blockSize };
  const text = password.normalize("NFC").slice(0, 2 * maxPasswordLength);
  return logins.add(() => deriveKey(text, salt, keyBytes, options));
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
