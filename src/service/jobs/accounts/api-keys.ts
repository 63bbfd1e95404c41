import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Row, Transaction } from "../database/database.js";
import { newId, recordReader } from "../database/rows.js";

export type Scope = "read" | "write";

/** The record of a key. The key itself is shown once and never stored. */
export interface ApiKey {
  /** `key_` and 32 hexadecimal digits. */
  readonly keyId: string;
  readonly organizationId: string;
  readonly kind: "admin" | "assistant";
  readonly name: string;
  /** `write` includes `read`. An assistant key has no scopes. */
  readonly scopes: readonly Scope[];
  /** Addresses and CIDR ranges that may use the key; all if empty. */
  readonly allowedAddresses: readonly string[];
  /** For an assistant key: origins whose pages may use it, such as `https://docs.acme.com`; the site's host if empty. */
  readonly allowedOrigins: readonly string[];
  /** For an assistant key: the groups of readers that use it, sorted; empty for the public. */
  readonly groups: readonly string[];
  /** The last four characters, to identify the key. */
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** Up to a minute older than the last request. */
  readonly lastUsedAt?: Date;
}

export type NewApiKey = Pick<ApiKey, "organizationId" | "kind" | "name" | "scopes" | "allowedAddresses" | "expiresAt"> &
  Partial<Pick<ApiKey, "allowedOrigins" | "groups">>;

export interface CreatedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** A prefix for the kind of key, and 256 random bits. */
const newSecret = (kind: ApiKey["kind"]): string => (kind === "admin" ? "svc_" : "svc_dsc_") + base62(randomBytes(32));

/** A random key needs no slow password hash. */
const secretHash = (secret: string): Buffer => hash("sha256", secret, "buffer");

/** The column `hash_start`, by which a key is found. Timing of the lookup can leak only these 64 bits of the hash. */
export const hashStart = (secret: string): string => secretHash(secret).toString("hex").slice(0, 16);

export const isSecretOf = (row: Row, secret: string): boolean =>
  timingSafeEqual(Buffer.from(row["hash"] as string, "hex"), secretHash(secret));

export const apiKeyOf = (row: Row): ApiKey => ({
  ...keyOf(row),
  groups: JSON.parse(row["reader_groups"] as string) as string[],
});

const keyOf = recordReader<Omit<ApiKey, "groups">>(
  ["keyId", "organizationId", "kind", "name", "lastFour", "createdAt", "expiresAt", "revokedAt", "lastUsedAt"],
  ["scopes", "allowedAddresses", "allowedOrigins"],
);

/** Stores the hash of a new secret. The secret itself is returned this once. */
export async function insertKey({ query }: Transaction, key: NewApiKey, now: number): Promise<CreatedKey> {
  const { organizationId, kind, name, scopes, allowedAddresses, allowedOrigins = [], groups = [], expiresAt } = key;
  const secret = newSecret(kind);
  const [row] = await query`insert into api_keys (key_id, organization_id, kind, name, scopes, allowed_addresses,
      allowed_origins, reader_groups, last_four, hash_start, hash, created_at, expires_at)
    values (${newId("key")}, ${organizationId}, ${kind}, ${name}, ${JSON.stringify(scopes)},
      ${JSON.stringify(allowedAddresses)}, ${JSON.stringify(allowedOrigins)}, ${JSON.stringify(groups)},
      ${secret.slice(-4)}, ${hashStart(secret)}, ${secretHash(secret).toString("hex")}, ${now}, ${expiresAt?.getTime()})
    returning *`;
  return { key: apiKeyOf(row!), secret };
}

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
