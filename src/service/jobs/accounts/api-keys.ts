import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database, Row, Transaction } from "../database/database.js";
import { newId } from "../queue/job-rows.js";
import type { ApiKey, CreatedKey, NewApiKey, Scope } from "./account-store.js";

/** A prefix for the kind of key, and 256 random bits. */
const newSecret = (kind: ApiKey["kind"]): string => (kind === "admin" ? "svc_" : "svc_dsc_") + base62(randomBytes(32));

/** A random key needs no slow password hash. */
const hashOf = (secret: string): Buffer => hash("sha256", secret, "buffer");

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
  allowedOrigins: JSON.parse(row["allowed_origins"] as string) as string[],
  groups: JSON.parse(row["reader_groups"] as string) as string[],
  lastFour: row["last_four"] as string,
  createdAt: new Date(row["created_at"] as number),
  expiresAt: dateOf(row["expires_at"]),
  revokedAt: dateOf(row["revoked_at"]),
  lastUsedAt: dateOf(row["last_used_at"]),
});

/** Stores the hash of a new secret, which is returned this once. */
export async function insertKey(transaction: Transaction, key: NewApiKey, now: number): Promise<CreatedKey> {
  const secret = newSecret(key.kind);
  const [row] = await transaction.query(
    `insert into api_keys (key_id, organization_id, kind, name, scopes, allowed_addresses, last_four, hash_start,
       hash, created_at, expires_at, allowed_origins, reader_groups)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning *`,
    [
      newId("key"),
      key.organizationId,
      key.kind,
      key.name,
      JSON.stringify(key.scopes),
      JSON.stringify(key.allowedAddresses),
      secret.slice(-4),
      lookupOf(secret),
      hashOf(secret).toString("hex"),
      now,
      key.expiresAt?.getTime(),
      JSON.stringify(key.allowedOrigins ?? []),
      JSON.stringify(key.groups ?? []),
    ],
  );
  return { key: apiKeyOf(row!), secret };
}

/** A key that is used all the time costs one write a minute. */
const usedEveryMs = 60_000;

export async function markKeyUsed(database: Database, { keyId, lastUsedAt }: ApiKey, now: number): Promise<void> {
  if (lastUsedAt && Math.abs(now - lastUsedAt.getTime()) < usedEveryMs) return;
  await database.transaction((transaction) =>
    transaction.query(
      "update api_keys set last_used_at = $2 where key_id = $1 and abs(coalesce(last_used_at, 0) - $2) >= $3",
      [keyId, now, usedEveryMs],
    ),
  );
}

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
