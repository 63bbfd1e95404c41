import { codeFailures, passwordFailures } from "../../service/failed-attempts.js";
import type { Store } from "../../service/open-store.js";
import type { Environment } from "../environment.js";
import { commandLine, withStore } from "../with-store.js";
import type { ConsoleArguments } from "./console-options.js";

const dayMs = 24 * 60 * 60_000;

/** `offprint console invite`, `reset` and `unlock`. */
export const run = (args: ConsoleArguments, environment: Environment): Promise<number> =>
  withStore(args.data, environment, (store) => runAction(args, store, environment));

async function runAction(args: ConsoleArguments, store: Store, { stdout, stderr }: Environment): Promise<number> {
  const { accounts, people } = store;
  const { email } = args;
  const by = commandLine();
  if (args.action === "unlock") {
    const person = await people.personByEmail(email);
    if (!person) return reportUnknown(email, stderr);
    await accounts.unlock(person, [passwordFailures(person.email), codeFailures(person.personId)], by);
    stderr.write(`${person.email} can log in at once. Their failed attempts are forgotten.\n`);
    return 0;
  }
  const { url } = args;
  const endsAt = new Date(Date.now() + dayMs);
  if (args.action === "reset") {
    const created = await people.inviteToReset(email, endsAt, by);
    if (!created) return reportUnknown(email, stderr);
    stderr.write(`With this link ${email} chooses a new password. It works once, for 24 hours.\n`);
    stdout.write(`${inviteLink(url, created.secret)}\n`);
    return 0;
  }
  const { organizationId, name } = await accounts.organization(args.organization, undefined, by);
  const { secret } = await people.invite({ email, organizationId, role: args.role, endsAt }, by);
  stderr.write(`With this link ${email} becomes ${args.role} of ${name}. It works once, for 24 hours.\n`);
  stdout.write(`${inviteLink(url, secret)}\n`);
  return 0;
}

function reportUnknown(email: string, stderr: Environment["stderr"]): number {
  stderr.write(`offprint: nobody has the address ${email}. Invite somebody: offprint console invite ${email}\n`);
  return 1;
}

export const inviteLink = (url: string, secret: string): string => `${url}/console/invite/${secret}`;
