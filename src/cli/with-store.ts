import { userInfo } from "node:os";
import type { OperatorSettings } from "../service/git/credentials/index.js";
import type { Actor, Organization } from "../service/jobs/index.js";
import { openStore, type Store } from "../service/open-store.js";
import { type Environment, RefusedError } from "./environment.js";
import { defaultOrganization } from "./options.js";
import { storeSettings } from "./settings/store.js";

/** Opens the store that the environment names, and closes it after `use`. Resolves with the exit code 0. */
export async function withStore(
  data: string | undefined,
  environment: Environment,
  use: (store: Store) => Promise<void>,
  operator?: OperatorSettings,
): Promise<number> {
  // Only the API makes links, so their address does not matter here.
  const store = await openStore({ ...storeSettings(data, environment), operator, publicUrl: "http://localhost" });
  try {
    await use(store);
    return 0;
  } finally {
    await store.close();
  }
}

/** Who runs the command, for the audit log. */
export const commandLineActor = (): Actor => ({ actor: `command line (${userName()})` });

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

/** @throws {RefusedError} if there is no such organization. */
export async function organizationNamed({ accounts }: Store, name: string): Promise<Organization> {
  const organization = (await accounts.organizations()).find((candidate) => candidate.name === name);
  if (organization) return organization;
  throw new RefusedError(`there is no organization "${name}". See: offprint organization list`);
}

/**
 * The organization of a command that creates none: a misspelt name is an error, not a new organization. The default one
 * exists once it has a site; until then it has the id "".
 *
 * @throws {RefusedError} if another one does not exist.
 */
export async function existingOrganization(
  store: Store,
  name: string,
): Promise<Pick<Organization, "organizationId" | "name">> {
  const all =
    name === defaultOrganization ? await store.accounts.organizations() : [await organizationNamed(store, name)];
  return all.find((candidate) => candidate.name === name) ?? { organizationId: "", name };
}

const maxNames = 3;

/**
 * Says on stderr how much belongs to other organizations than the default one, which a list without --organization shows.
 *
 * @param count of one organization.
 */
export async function reportOthers(
  { accounts }: Store,
  listed: string,
  what: "sites" | "keys",
  count: (organizationId: string) => Promise<number>,
  { stderr }: Environment,
): Promise<void> {
  if (listed !== defaultOrganization) return;
  const others = (await accounts.organizations()).filter(({ name }) => name !== listed);
  const counts = await Promise.all(others.map(({ organizationId }) => count(organizationId)));
  const total = counts.reduce((sum, one) => sum + one, 0);
  if (total === 0) return;
  const names = others.flatMap(({ name }, index) => (counts[index]! > 0 ? [name] : []));
  const list = names.slice(0, maxNames).join(", ") + (names.length > maxNames ? ", …" : "");
  const subject = total === 1 ? `1 ${what.slice(0, -1)} belongs` : `${total} ${what} belong`;
  stderr.write(`${subject} to other organizations: --organization NAME lists them (${list}).\n`);
}
