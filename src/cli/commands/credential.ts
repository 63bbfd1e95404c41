import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type Credential, CredentialFault } from "../../service/git/credentials/index.js";
import { ForgeFault, forgeKinds } from "../../service/git/forge/index.js";
import type { Organization } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import { command, type Input } from "../command.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";
import { type Account, accountOf, oneOf, wholeNumber } from "../options.js";
import { formatTable, jsonLines } from "../print/terminal.js";
import { operatorSettings } from "../settings/operator.js";
import { commandLineActor, organizationNamed, withStore } from "../with-store.js";
import type texts from "./texts/credential.json";

export const commands = {
  "credential add": command(parseAdd, add),
  "credential list": command(parseList, list),
  "credential rotate": command(parseOne, rotate),
  "credential remove": command(parseOne, remove),
  "credential rotate-key": command(({ values }: Input<typeof texts, "credential rotate-key">) => values, rotateKey),
};

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
      '"offprint credential add" needs the prefix of the repositories: offprint credential add https://github.com/acme/',
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

/** @throws {RefusedError} for what the store of credentials or the forge refuses. */
function withCredentials(
  data: string | undefined,
  environment: Environment,
  use: (store: Store) => Promise<void>,
): Promise<number> {
  const operator = operatorSettings(environment.env);
  return withStore(data, environment, use, operator).catch((error: unknown) => {
    if (error instanceof CredentialFault || error instanceof ForgeFault) throw new RefusedError(error.message);
    throw error;
  });
}

const withOrganization = (
  { data, organization: name }: Account,
  environment: Environment,
  use: (store: Store, organization: Organization) => Promise<void>,
): Promise<number> =>
  withCredentials(data, environment, async (store) => use(store, await organizationNamed(store, name)));

function add(args: ReturnType<typeof parseAdd>, environment: Environment): Promise<number> {
  return withOrganization(args, environment, async ({ credentials }, { organizationId, name }) => {
    const { prefix, installationId } = args;
    const by = commandLineActor();
    const added =
      installationId === undefined
        ? await credentials.add({ ...args, organizationId, ...(await readSecrets(args, environment)) }, by)
        : await credentials.addInstallation(organizationId, hostOf(prefix), installationId, by);
    environment.stdout.write(`${added.credentialId} opens the repositories below ${added.prefix} for ${name}.\n`);
  });
}

const hostOf = (prefix: string): string => (URL.canParse(prefix) ? new URL(prefix).host : prefix || "github.com");

function list(args: ReturnType<typeof parseList>, environment: Environment): Promise<number> {
  const { stdout, stderr } = environment;
  return withOrganization(args, environment, async ({ credentials }, { organizationId }) => {
    const all = await credentials.list(organizationId);
    if (args.json) stdout.write(jsonLines(all));
    else if (all.length === 0)
      stderr.write("There are no credentials yet. Add one: offprint credential add https://github.com/acme/\n");
    else stdout.write(formatTable([["ID", "PREFIX", "KIND", "NAME", "SECRET", "LAST USED"], ...all.map(rowOf)]));
  });
}

const rowOf = ({ credentialId, prefix, kind, name, hint, lastUsedAt }: Credential): string[] => [
  credentialId,
  prefix,
  kind,
  name,
  hint || "hidden",
  lastUsedAt?.toISOString().slice(0, 10) ?? "never",
];

function rotate(args: CredentialArguments, environment: Environment): Promise<number> {
  return withOrganization(args, environment, async ({ credentials }, { organizationId, name }) => {
    const secrets = await readSecrets(args, environment);
    const rotated = await credentials.rotate(organizationId, args.credentialId, secrets, commandLineActor());
    if (!rotated) throw unknownCredential(name, args.credentialId);
    environment.stdout.write(`${rotated.prefix}: the secret was replaced.\n`);
  });
}

function remove({ credentialId, ...account }: CredentialArguments, environment: Environment): Promise<number> {
  return withOrganization(account, environment, async ({ credentials }, { organizationId, name }) => {
    const removed = await credentials.remove(organizationId, credentialId, commandLineActor());
    if (!removed) throw unknownCredential(name, credentialId);
    environment.stdout.write(`${removed.prefix}: the credential was removed.\n`);
  });
}

const unknownCredential = (organization: string, credentialId: string): RefusedError =>
  new RefusedError(
    `the organization "${organization}" has no credential ${credentialId}. See: offprint credential list`,
  );

function rotateKey({ data }: { readonly data?: string }, environment: Environment): Promise<number> {
  return withCredentials(data, environment, async ({ credentials }) => {
    const count = await credentials.encryptAgain();
    environment.stdout.write(`Encrypted ${count} credentials with the first key. You can remove the other keys.\n`);
  });
}

async function readSecrets({ secretFile, knownHostsFile }: CredentialArguments, { stdin, stderr }: Environment) {
  if (secretFile === undefined && stdin?.isTTY) stderr.write("Paste the secret, then press Enter and Ctrl+D.\n");
  const secret =
    secretFile === undefined ? await text(stdin ?? Readable.from([])) : await contentOf("--secret-file", secretFile);
  if (secret.trim() === "")
    throw new UsageError("The secret is empty. Give it by the standard input, or by a file: --secret-file <file>");
  const knownHosts = knownHostsFile === undefined ? undefined : await contentOf("--known-hosts", knownHostsFile);
  return { secret, knownHosts };
}

const contentOf = (option: string, path: string): Promise<string> =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${option}: "${path}" cannot be read (${error.code}).`);
  });
