import { codeFailures, passwordFailures } from "../../service/failed-attempts.js";
import { roles } from "../../service/jobs/index.js";
import { command, type Input } from "../command.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";
import { accountOf, oneOf, plainUrl } from "../options.js";
import { commandLineActor, withStore } from "../with-store.js";
import type texts from "./texts/console.json";

export const commands = {
  "console invite": command(parseInvite, invite),
  "console reset": command(parseReset, reset),
  "console unlock": command(parseUnlock, unlock),
};

function parseInvite(input: Input<typeof texts, "console invite">, env: NodeJS.ProcessEnv) {
  const role = oneOf("--role", input.values.role ?? "reader", roles);
  return { ...parseReset(input, env), ...accountOf(input.values), role };
}

function parseReset({ argument, values }: Input<typeof texts, "console reset">, env: NodeJS.ProcessEnv) {
  const url = plainUrl(
    "--public-url is where browsers reach the console, such as https://exports.example.com",
    values["public-url"] ?? (env["OFFPRINT_CONSOLE_URL"]?.trim() || env["OFFPRINT_PUBLIC_URL"]?.trim() || undefined),
  );
  return { data: values.data, email: emailAddress(argument), url: url ?? "http://127.0.0.1:7070" };
}

function parseUnlock({ argument, values }: Input<typeof texts, "console unlock">) {
  return { data: values.data, email: emailAddress(argument) };
}

function emailAddress(written: string): string {
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(written))
    throw new UsageError(`The address of a person is one such as ada@example.com, not "${written}".`);
  return written;
}

function invite(
  { data, organization, email, role, url }: ReturnType<typeof parseInvite>,
  environment: Environment,
): Promise<number> {
  return withStore(data, environment, async ({ accounts, people }) => {
    const by = commandLineActor();
    const { organizationId, name } = await accounts.organization(organization, undefined, by);
    const { secret } = await people.invite({ email, organizationId, role, endsAt: inOneDay() }, by);
    printLink(`With this link ${email} becomes ${role} of ${name}.`, inviteLink(url, secret), environment);
  });
}

function reset({ data, email, url }: ReturnType<typeof parseReset>, environment: Environment): Promise<number> {
  return withStore(data, environment, async ({ people }) => {
    const created = await people.inviteToReset(email, inOneDay(), commandLineActor());
    if (!created) throw unknownPerson(email);
    printLink(`With this link ${email} chooses a new password.`, inviteLink(url, created.secret), environment);
  });
}

function unlock({ data, email }: ReturnType<typeof parseUnlock>, environment: Environment): Promise<number> {
  return withStore(data, environment, async ({ accounts, people }) => {
    const person = await people.personByEmail(email);
    if (!person) throw unknownPerson(email);
    await accounts.unlock(person, [passwordFailures(person.email), codeFailures(person.personId)], commandLineActor());
    environment.stderr.write(`${person.email} can log in at once. Their failed attempts are forgotten.\n`);
  });
}

export const inOneDay = (): Date => new Date(Date.now() + 24 * 60 * 60_000);

export const inviteLink = (url: string, secret: string): string => `${url}/console/invite/${secret}`;

function printLink(purpose: string, link: string, { stdout, stderr }: Environment): void {
  stderr.write(`${purpose} It works once, for 24 hours.\n`);
  stdout.write(`${link}\n`);
}

const unknownPerson = (email: string): RefusedError =>
  new RefusedError(`nobody has the address ${email}. Invite somebody: offprint console invite ${email}`);
