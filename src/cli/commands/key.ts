import { createKey, rotateKey, TooManyKeysError } from "../../service/create-key.js";
import type { ApiKey } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import type { Environment } from "../environment.js";
import { defaultOrganization } from "../options.js";
import { formatTable } from "../print/terminal.js";
import { commandLine, existingOrganization, reportOthers, withStore } from "../with-store.js";
import type { KeyArguments } from "./key-options.js";

/** `offprint key create`, `list`, `rotate` and `revoke`. */
export const run = (args: KeyArguments, environment: Environment): Promise<number> =>
  withStore(args.data, environment, (store) => runAction(args, store, environment));

async function runAction(args: KeyArguments, store: Store, environment: Environment): Promise<number> {
  const { stdout, stderr } = environment;
  const { accounts } = store;
  const by = commandLine();
  const organization =
    args.action === "create"
      ? await accounts.organization(args.organization, undefined, by)
      : await existingOrganization(store, args.organization, environment);
  if (!organization && args.organization !== defaultOrganization) return 1;
  const { organizationId, name } = organization ?? { organizationId: "", name: args.organization };
  if (args.action === "list") {
    const keys = await accounts.keys(organizationId);
    const count = async (id: string) => (await accounts.keys(id)).length;
    await reportOthers(store, name, "keys", count, environment);
    if (args.json) for (const key of keys) stdout.write(`${JSON.stringify(key)}\n`);
    else if (keys.length === 0) stderr.write("There are no keys yet. Create one: offprint key create --name ci\n");
    else
      stdout.write(
        formatTable([
          ["ID", "NAME", "KIND", "ENDS IN", "SCOPES", "FROM", "LAST USED", "STATE"],
          ...keys.map(rowOf(Date.now())),
        ]),
      );
    return 0;
  }
  if (args.action === "revoke") {
    if (await accounts.revokeKey(organizationId, args.keyId, by)) {
      stdout.write(`${args.keyId} was revoked.\n`);
      return 0;
    }
    stderr.write(`offprint: the organization "${name}" has no key ${args.keyId}. See: offprint key list\n`);
    return 1;
  }
  try {
    const created =
      args.action === "rotate"
        ? await rotateKey(accounts, organizationId, args.keyId, args.overlapMs, by)
        : await createKey(accounts, { organizationId, ...args }, by);
    if (!created) {
      stderr.write(`offprint: the organization "${name}" has no such valid key. See: offprint key list\n`);
      return 1;
    }
    const { key, secret } = created;
    const until = key.expiresAt ? `It expires on ${key.expiresAt.toISOString().slice(0, 10)}.` : "It never expires.";
    stderr.write(`Key ${key.keyId}. ${until} Save it now: it is not shown again.\n`);
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
    key.lastUsedAt?.toISOString().slice(0, 10) ?? "never",
    stateOf(key, now),
  ];

function stateOf({ revokedAt, expiresAt }: ApiKey, now: number): string {
  if (revokedAt) return "revoked";
  if (expiresAt && expiresAt.getTime() <= now) return "expired";
  return expiresAt ? `until ${expiresAt.toISOString().slice(0, 10)}` : "active";
}
