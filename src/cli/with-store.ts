import { userInfo } from "node:os";
import type { Forges } from "../service/git/forge/index.js";
import type { Actor, Organization } from "../service/jobs/index.js";
import { openStore, type Store } from "../service/open-store.js";
import { type CommandCode, command, type Input } from "./command.js";
import { type Environment, RefusedError } from "./environment.js";
import { defaultOrganization } from "./options.js";
import { storeSettings } from "./settings/store.js";

/**
 * A command that opens the store that the environment names, and closes it afterwards. Its exit code is 0.
 *
 * @param forges reads the git hosts that the operator has described
 */
export const storeCommand = <I extends Input, A extends { readonly data?: string | undefined }>(
  parse: (input: I, env: NodeJS.ProcessEnv) => A | Promise<A>,
  run: (args: A, store: Store, environment: Environment) => Promise<void>,
  forges?: (env: NodeJS.ProcessEnv) => Forges,
): CommandCode =>
  command(parse, async (args: A, environment) => {
    const store = await openStore({
      ...storeSettings(args.data, environment),
      ...(forges && { forges: forges(environment.env) }),
      // Only the API makes links, so their address does not matter here.
      publicUrl: "http://localhost",
    });
    try {
      await run(args, store, environment);
      return 0;
    } finally {
      await store.close();
    }
  });

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

/** Names the store that was read: without `--data`, that may be another folder than the service's. */
export function emptyListText(what: "sites" | "keys", data: string | undefined, environment: Environment): string {
  const { databaseUrl, dataFolder } = storeSettings(data, environment);
  const place = databaseUrl === undefined ? dataFolder : "the database of DATABASE_URL";
  const elsewhere = data === undefined && databaseUrl === undefined ? " --data names another folder." : "";
  const add = what === "sites" ? "site add docs.example.com --folder ./docs" : "key create --name ci";
  return `There are no ${what} yet in ${place}.${elsewhere} Add one: offprint ${add}\n`;
}

const maxNames = 3;

/**
 * A list without --organization shows the default organization. Says on stderr how many entries belong to others.
 *
 * @param count gives the number of entries of an organization.
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
  stderr.write(`${subject} to other organizations. To list them, add --organization NAME (${list}).\n`);
}
