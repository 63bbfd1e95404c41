import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type Credential, CredentialFault } from "../../service/git/credentials/index.js";
import { ForgeFault, forgeKinds } from "../../service/git/forge/index.js";
import type { Store } from "../../service/open-store.js";
import type { CommandCode, Input } from "../command.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";
import { accountOf, oneOf, wholeNumber } from "../options.js";
import { formatTable, jsonLines } from "../print/terminal.js";
import { operatorForges } from "../settings/model.js";
import { commandLineActor, organizationNamed, storeCommand } from "../with-store.js";
import type texts from "./texts/credential.json";

export const commands = {
  "credential add": credentialCommand(parseAdd, add),
  "credential list": credentialCommand(parseList, list),
  "credential rotate": credentialCommand(parseOne, rotate),
  "credential remove": credentialCommand(parseOne, remove),
  "credential rotate-key": credentialCommand(
    ({ values }: Input<typeof texts, "credential rotate-key">) => values,
    rotateKey,
  ),
};

/** Reports what the store of credentials or the forge refuses. */
function credentialCommand<I extends Input, A extends { readonly data?: string }>(
  parse: (input: I) => A,
  run: (args: A, store: Store, environment: Environment) => Promise<void>,
): CommandCode {
  const report = (error: unknown): never => {
    throw error instanceof CredentialFault || error instanceof ForgeFault ? new RefusedError(error.message) : error;
  };
  return storeCommand(parse, (...args) => run(...args).catch(report), operatorForges);
}

/** With `installationId`, an installation of a GitHub app; else a token or an SSH key. */
function parseAdd(input: Input<typeof texts, "credential add">) {
  const { argument: prefix, values } = input;
  const installationId = wholeNumber(
    "--github-app-installation",
    values["github-app-installation"],
    1,
    Number.MAX_SAFE_INTEGER,
  );
  if (prefix === "" && installationId === undefined)
    throw new UsageError(
      '"offprint credential add" needs the URL prefix of the repositories: offprint credential add https://github.com/acme/',
    );
  const kind = values.kind ?? (prefix.startsWith("ssh:") ? "ssh-key" : "token");
  return {
    ...parseOne(input),
    installationId,
    prefix,
    kind: oneOf("--kind", kind, ["token", "ssh-key"]),
    name: values.name,
    forge: oneOf("--forge", values.forge, forgeKinds),
  };
}

/** The secret comes from a file, or else from the standard input. */
function parseOne({ argument, values }: Input<typeof texts, "credential rotate">) {
  const files = { secretFile: values["secret-file"], knownHostsFile: values["known-hosts"] };
  return { ...accountOf(values), credentialId: argument, ...files };
}
type CredentialArguments = ReturnType<typeof parseOne>;

function parseList({ values }: Input<typeof texts, "credential list">) {
  return { ...accountOf(values), json: values.json ?? false };
}

async function add(args: ReturnType<typeof parseAdd>, store: Store, environment: Environment): Promise<void> {
  const { organizationId, name } = await organizationNamed(store, args.organization);
  const { prefix, installationId } = args;
  const by = commandLineActor();
  const added =
    installationId === undefined
      ? await store.credentials.add({ ...args, organizationId, ...(await readSecrets(args, environment)) }, by)
      : await store.credentials.addInstallation(organizationId, hostOf(prefix), installationId, by);
  environment.stdout.write(`${added.credentialId} gives ${name} access to the repositories under ${added.prefix}.\n`);
}

const hostOf = (prefix: string): string => URL.parse(prefix)?.host ?? (prefix || "github.com");

async function list(args: ReturnType<typeof parseList>, store: Store, { stdout, stderr }: Environment): Promise<void> {
  const { organizationId } = await organizationNamed(store, args.organization);
  const all = await store.credentials.list(organizationId);
  if (args.json) stdout.write(jsonLines(all));
  else if (all.length === 0)
    stderr.write("There are no credentials yet. Add one: offprint credential add https://github.com/acme/\n");
  else stdout.write(formatTable([["ID", "PREFIX", "KIND", "NAME", "SECRET", "LAST USED"], ...all.map(rowOf)]));
}

const rowOf = ({ credentialId, prefix, kind, name, hint, lastUsedAt }: Credential): string[] => [
  credentialId,
  prefix,
  kind,
  name,
  hint || "hidden",
  lastUsedAt?.toISOString().slice(0, 10) ?? "never",
];

async function rotate(args: CredentialArguments, store: Store, environment: Environment): Promise<void> {
  const { organizationId, name } = await organizationNamed(store, args.organization);
  const secrets = await readSecrets(args, environment);
  const rotated = await store.credentials.rotate(organizationId, args.credentialId, secrets, commandLineActor());
  if (!rotated) throw unknownCredential(name, args.credentialId);
  environment.stdout.write(`${rotated.prefix}: the secret was replaced.\n`);
}

async function remove(args: CredentialArguments, store: Store, { stdout }: Environment): Promise<void> {
  const { organizationId, name } = await organizationNamed(store, args.organization);
  const removed = await store.credentials.remove(organizationId, args.credentialId, commandLineActor());
  if (!removed) throw unknownCredential(name, args.credentialId);
  stdout.write(`${removed.prefix}: the credential was removed.\n`);
}

const unknownCredential = (organization: string, credentialId: string): RefusedError =>
  new RefusedError(
    `the organization "${organization}" has no credential ${credentialId}. See: offprint credential list`,
  );

async function rotateKey(_: object, { credentials }: Store, { stdout }: Environment): Promise<void> {
  const count = await credentials.encryptAgain();
  stdout.write(`${count} credentials are now encrypted with the first key. You can remove the other keys.\n`);
}

async function readSecrets({ secretFile, knownHostsFile }: CredentialArguments, { stdin, stderr }: Environment) {
  if (secretFile === undefined && stdin?.isTTY) stderr.write("Paste the secret, then press Enter and Ctrl+D.\n");
  const secret =
    secretFile === undefined ? await text(stdin ?? Readable.from([])) : await contentOf("--secret-file", secretFile);
  if (secret.trim() === "")
    throw new UsageError("The secret is empty. Pass it on standard input, or in a file: --secret-file <file>");
  const knownHosts = knownHostsFile === undefined ? undefined : await contentOf("--known-hosts", knownHostsFile);
  return { secret, knownHosts };
}

const contentOf = (option: string, path: string): Promise<string> =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${option}: "${path}" cannot be read (${error.code}).`);
  });
