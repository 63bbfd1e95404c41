import type { AccountStore, Actor, CreatedKey, NewApiKey } from "./jobs/index.js";

const keysPerHour = 10;
const hourMs = 60 * 60_000;

/** The limit keeps a stolen session from creating thousands of keys. */
export class TooManyKeysError extends Error {
  override readonly name = "TooManyKeysError";
}

/** @throws {TooManyKeysError} if the organization has reached the limit of this hour. */
export async function createKey(accounts: AccountStore, key: NewApiKey, by?: Actor): Promise<CreatedKey> {
  await countKey(accounts, key.organizationId);
  return accounts.createKey(key, by);
}

/**
 * Creates a key like `keyId`, and lets `keyId` expire after `overlapMs`. Resolves with undefined if `keyId` is not valid.
 *
 * @throws {TooManyKeysError} if the organization has reached the limit of this hour.
 */
export async function rotateKey(
  accounts: AccountStore,
  organizationId: string,
  keyId: string,
  overlapMs: number,
  by?: Actor,
): Promise<CreatedKey | undefined> {
  await countKey(accounts, organizationId);
  return accounts.rotateKey(organizationId, keyId, overlapMs, by);
}

async function countKey(accounts: AccountStore, organizationId: string): Promise<void> {
  const { useId, resetsAt } = await accounts.countUse(`keys:${organizationId}`, keysPerHour, hourMs);
  if (useId === undefined)
    throw new TooManyKeysError(
      `An organization can create ${keysPerHour} keys per hour. Try again at ${resetsAt.toISOString()}.`,
    );
}
