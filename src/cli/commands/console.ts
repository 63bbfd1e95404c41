import { codeFailures, passwordFailures } from "../../service/failed-attempts.js";
import { roles } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import type { Input } from "../command.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";
import { accountOf, oneOf, plainUrl } from "../options.js";
import { commandLineActor, storeCommand } from "../with-store.js";
import type texts from "./texts/console.json";

export const commands = {
  "console invite": storeCommand(parseInvite, invite),
  "console reset": storeCommand(parseReset, reset),
  "console unlock": storeCommand(parseUnlock, unlock),
};

function parseInvite(input: Input<typeof texts, "console invite">, env: NodeJS.ProcessEnv) {
  const role = oneOf("--role", input.values.role ?? "reader", roles);
  return { ...parseReset(input, env), ...accountOf(input.values), role };
}

function parseReset({ argument, values }: Input<typeof texts, "console reset">, env: NodeJS.ProcessEnv) {
  const url = plainUrl(
    "--public-url must be the URL at which browsers reach the console, such as https://exports.example.com",
    values["public-url"] ?? (env["OFFPRINT_CONSOLE_URL"]?.trim() || env["OFFPRINT_PUBLIC_URL"]?.trim() || undefined),
  );
  return { data: values.data, email: emailAddress(argument), url: url ?? "http://127.0.0.1:7070" };
}

function parseUnlock({ argument, values }: Input<typeof texts, "console unlock">) {
  return { data: values.data, email: emailAddress(argument) };
}

function emailAddress(written: string): string {
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(written))
    throw new UsageError(`"${written}" is not an email address. Write one such as ada@example.com.`);
  return written;
}

async function invite(
  { organization, email, role, url }: ReturnType<typeof parseInvite>,
  { accounts, people }: Store,
  environment: Environment,
): Promise<void> {
  const by = commandLineActor();
  const { organizationId, name } = await accounts.organization(organization, undefined, by);
  const { secret } = await people.invite({ email, organizationId, role, endsAt: inOneDay() }, by);
  printLink(`With this link, ${email} can join ${name} as ${role}.`, inviteLink(url, secret), environment);
}

async function reset(
  { email, url }: ReturnType<typeof parseReset>,
  { people }: Store,
  environment: Environment,
): Promise<void> {
  const created = await people.inviteToReset(email, inOneDay(), commandLineActor());
  if (!created) throw unknownPerson(email);
  printLink(`With this link, ${email} can choose a new password.`, inviteLink(url, created.secret), environment);
}

async function unlock(
  { email }: ReturnType<typeof parseUnlock>,
  { accounts, people }: Store,
  environment: Environment,
): Promise<void> {
  const person = await people.personByEmail(email);
  if (!person) throw unknownPerson(email);
  await accounts.unlock(person, [passwordFailures(person.email), codeFailures(person.personId)], commandLineActor());
  environment.stderr.write(`${person.email} can log in again now. The failed attempts are reset.\n`);
}

export const inOneDay = (): Date => new Date(Date.now() + 24 * 60 * 60_000);

export const inviteLink = (url: string, secret: string): string => `${url}/console/invite/${secret}`;

function printLink(purpose: string, link: string, { stdout, stderr }: Environment): void {
  stderr.write(`${purpose} It works only once and expires in 24 hours.\n`);
  stdout.write(`${link}\n`);
}

const unknownPerson = (email: string): RefusedError =>
  new RefusedError(
    `no account has the email address ${email}. To invite this person: offprint console invite ${email}`,
  );
