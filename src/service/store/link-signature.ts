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

/** In the same time wherever the two differ. */
export function isSignedLink(secret: Uint8Array, claim: LinkClaim, signature: string): boolean {
  if (!/^[A-Za-z0-9_-]{43}$/.test(signature)) return false;
  const wanted = digest(secret, claim);
  const seen = Buffer.from(signature, "base64url");
  // Several texts decode to the same bytes; one of them alone was given.
  return timingSafeEqual(seen, wanted) && seen.toString("base64url") === signature;
}

// Neither a method nor a key holds a line break, so that no two claims give the same text.
const digest = (secret: Uint8Array, { method, objectKey, expires }: LinkClaim): Buffer =>
  createHmac("sha256", secret).update(`offprint link 1\n${method}\n${objectKey}\n${expires}`).digest();
