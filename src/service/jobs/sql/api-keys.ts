import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { ApiKey, Scope } from "../account.js";
import type { Row } from "./database.js";

/** A prefix for the kind of key, and 256 random bits. */
export const newSecret = (kind: ApiKey["kind"]): string =>
  (kind === "admin" ? "svc_" : "svc_dsc_") + base62(randomBytes(32));

/** A random key needs no slow password hash. */
export const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** Index of the row. Timing of the lookup can leak only these 64 bits of the hash. */
export const lookupOf = (secret: string): string => hashOf(secret).toString("hex").slice(0, 16);

export const isSecretOf = (row: Row, secret: string): boolean =>
  timingSafeEqual(Buffer.from(row["hash"] as string, "hex"), hashOf(secret));

export const apiKeyOf = (row: Row): ApiKey => ({
  keyId: row["key_id"] as string,
  organizationId: row["organization_id"] as string,
  kind: row["kind"] as ApiKey["kind"],
  name: row["name"] as string,
  scopes: JSON.parse(row["scopes"] as string) as Scope[],
  allowedAddresses: JSON.parse(row["allowed_addresses"] as string) as string[],
  lastFour: row["last_four"] as string,
  createdAt: new Date(row["created_at"] as number),
  expiresAt: dateOf(row["expires_at"]),
  revokedAt: dateOf(row["revoked_at"]),
});

const dateOf = (at: Row[string] | undefined): Date | undefined => (typeof at === "number" ? new Date(at) : undefined);

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 43 letters and digits: a double click selects the whole key. */
function base62(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  for (let digit = 0; digit < 43; digit++) {
    text = digits[Number(rest % 62n)]! + text;
    rest /= 62n;
  }
  return text;
}
