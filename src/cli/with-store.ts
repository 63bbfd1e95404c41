import { userInfo } from "node:os";
import type { OperatorSettings } from "../service/git/credentials/index.js";
import type { Actor, Organization } from "../service/jobs/index.js";
import { openStore, type Store } from "../service/open-store.js";
import type { Environment } from "./environment.js";
import { defaultOrganization } from "./options.js";
import { storeSettings } from "./settings/store.js";

/** Opens the store that the environment names, and closes it after `use`. */
export async function withStore(
  data: string | undefined,
  environment: Environment,
  use: (store: Store) => Promise<number>,
  operator?: OperatorSettings,
): Promise<number> {
  // Only the API makes links, so their address does not matter here.
  const store = await openStore({ ...storeSettings(data, environment), operator, publicUrl: "http://localhost" });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Who runs the command, for the audit log. */
export const commandLine = (): Actor => ({ actor: `command line (${userName()})` });

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

/**
 * The organization of a command that creates none: a misspelt name is a fault, not a new organization.
 *
 * @returns undefined if it does not exist; stderr says so, unless it is the default one, which the first site creates.
 */
export async function existingOrganization(
  { accounts }: Store,
  name: string,
  { stderr }: Environment,
): Promise<Organization | undefined> {
  const organization = (await accounts.organizations()).find((each) => each.name === name);
  if (!organization && name !== defaultOrganization)
    stderr.write(`offprint: there is no organization "${name}". See: offprint organization list\n`);
  return organization;
}

const maxNames = 3;

/**
 * Says on stderr how much belongs to other organizations than the default one, which a list without --organization shows.
 *
 * @param count of one organization.
 */
export async function reportOthers(
  { accounts }: Store,
  shown: string,
  what: "sites" | "keys",
  count: (organizationId: string) => Promise<number>,
  { stderr }: Environment,
): Promise<void> {
  if (shown !== defaultOrganization) return;
  const others = (await accounts.organizations()).filter(({ name }) => name !== shown);
  const counts = await Promise.all(others.map(({ organizationId }) => count(organizationId)));
  const total = counts.reduce((sum, each) => sum + each, 0);
  if (total === 0) return;
  const names = others.flatMap(({ name }, index) => (counts[index]! > 0 ? [name] : []));
  const list = names.slice(0, maxNames).join(", ") + (names.length > maxNames ? ", …" : "");
  const subject = total === 1 ? `1 ${what.slice(0, -1)} belongs` : `${total} ${what} belong`;
  stderr.write(`${subject} to other organizations: --organization NAME lists them (${list}).\n`);
}
