import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

interface LinkClaim {
  readonly method: string;
  readonly objectKey: string;
  /** Unix time in seconds. */
  readonly expires: number;
}

/** Unpadded base64url of an HMAC-SHA256: 43 characters. */
export function signLink(secret: Uint8Array, claim: LinkClaim): string {
  return digest(secret, claim).toString("base64url");
}

/** Compares in constant time. */
export function isSignedLink(secret: Uint8Array, claim: LinkClaim, signature: string): boolean {
  if (!/^[A-Za-z0-9_-]{43}$/.test(signature)) return false;
  const expected = digest(secret, claim);
  const seen = Buffer.from(signature, "base64url");
  // Several texts decode to the same bytes; only the canonical one is valid.
  return timingSafeEqual(seen, expected) && seen.toString("base64url") === signature;
}

// Methods and keys contain no line breaks, so different claims give different texts.
const digest = (secret: Uint8Array, { method, objectKey, expires }: LinkClaim): Buffer =>
  createHmac("sha256", secret).update(`offprint link 1\n${method}\n${objectKey}\n${expires}`).digest();

export const linkSecretFile = (dataFolder: string): string => join(dataFolder, "link-secret");

/**
 * The secret that signs the links of a folder store: 32 random bytes, created once and stored in `dataFolder`, readable
 * by this user only. Processes that start at the same time agree on one secret.
 *
 * @throws {Error} naming the file if it cannot be read or written, or contains no secret.
 */
export async function openLinkSecret(dataFolder: string): Promise<Uint8Array> {
  const path = linkSecretFile(dataFolder);
  const existing = await read(path);
  if (existing) return existing;
  try {
    await createSecretFile(path);
  } catch (cause) {
    throw new Error(`The secret for signing links could not be written to "${path}".`, { cause });
  }
  return (await read(path))!;
}

/**
 * Creates a file with 32 random bytes in hexadecimal digits that this user alone can read. Does nothing if it exists:
 * processes that start at the same time agree on one secret.
 */
export async function createSecretFile(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${randomBytes(32).toString("hex")}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename, a link does not replace the file of another process.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

async function read(path: string): Promise<Uint8Array | undefined> {
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw new Error(`The secret for signing links could not be read from "${path}".`, { cause });
  });
  if (text === undefined) return undefined;
  if (!/^[0-9a-f]{64}\s*$/.test(text))
    throw new Error(
      `"${path}" does not contain a secret for signing links. Delete the file to create a new one; existing links become invalid.`,
    );
  return Buffer.from(text.trim(), "hex");
}
