import { createKey, TooManyKeysError } from "../service/create-key.js";
import type { ApiKey } from "../service/jobs/index.js";
import type { Store } from "../service/open-store.js";
import { type KeyArguments, parseKeyArguments } from "./key-arguments.js";
import { withStore } from "./open-command-store.js";
import type { Surroundings } from "./run.js";
import { formatTable } from "./table.js";

/** `offprint key create|list|revoke` */
export async function run(words: readonly string[], process: Surroundings): Promise<number> {
  const args = parseKeyArguments(words, Date.now());
  return withStore(args.data, process, (store) => runAction(args, store, process));
}

async function runAction(args: KeyArguments, { accounts }: Store, { stdout, stderr }: Surroundings): Promise<number> {
  const { organizationId, name } = await accounts.organization(args.organization);
  if (args.action === "list") {
    const keys = await accounts.keys(organizationId);
    if (args.json) for (const key of keys) stdout.write(`${JSON.stringify(key)}\n`);
    else if (keys.length === 0) stderr.write("There is no key yet. Make one: offprint key create --name ci\n");
    else
      stdout.write(
        formatTable([["ID", "NAME", "KIND", "ENDS IN", "SCOPES", "FROM", "STATE"], ...keys.map(rowOf(Date.now()))]),
      );
    return 0;
  }
  if (args.action === "revoke") {
    if (await accounts.revokeKey(organizationId, args.keyId)) {
      stdout.write(`${args.keyId} was revoked.\n`);
      return 0;
    }
    stderr.write(`offprint: the organization "${name}" has no key ${args.keyId}.\n`);
    return 1;
  }
  try {
    const { key, secret } = await createKey(accounts, { organizationId, ...args });
    const until = key.expiresAt ? `It expires on ${key.expiresAt.toISOString().slice(0, 10)}.` : "It never expires.";
    stderr.write(`This is the key ${key.keyId}, shown now and never again. ${until}\n`);
    stdout.write(`${secret}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof TooManyKeysError)) throw error;
    stderr.write(`offprint: ${error.message}\n`);
    return 1;
  }
}

const rowOf =
  (now: number) =>
  (key: ApiKey): string[] => [
    key.keyId,
    key.name,
    key.kind,
    key.lastFour,
    key.scopes.join(" "),
    key.allowedAddresses.join(" ") || "anywhere",
    stateOf(key, now),
  ];

function stateOf({ revokedAt, expiresAt }: ApiKey, now: number): string {
  if (revokedAt) return "revoked";
  if (expiresAt && expiresAt.getTime() <= now) return "expired";
  return expiresAt ? `until ${expiresAt.toISOString().slice(0, 10)}` : "active";
}
