import { createHmac, timingSafeEqual } from "node:crypto";

export interface LinkClaim {
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
