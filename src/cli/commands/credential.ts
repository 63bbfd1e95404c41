import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type Credential, CredentialFault } from "../../service/git/credentials/index.js";
import { ForgeFault } from "../../service/git/forge/index.js";
import type { Store } from "../../service/open-store.js";
import type { Environment } from "../environment.js";
import { UsageError } from "../environment.js";
import { formatTable } from "../print/terminal.js";
import { operatorSettings } from "../settings/operator.js";
import { commandLine, withStore } from "../with-store.js";
import type { CredentialArguments } from "./credential-options.js";

/** `offprint credential add`, `list`, `rotate`, `remove` and `rotate-key`. */
export const run = (args: CredentialArguments, environment: Environment): Promise<number> =>
  withStore(
    args.data,
    environment,
    (store) =>
      runAction(args, store, environment).catch((error: unknown) => {
        if (!(error instanceof CredentialFault || error instanceof ForgeFault)) throw error;
        environment.stderr.write(`offprint: ${error.message}\n`);
        return 1;
      }),
    operatorSettings(environment.env),
  );

async function runAction(args: CredentialArguments, store: Store, environment: Environment): Promise<number> {
  const { stdout, stderr } = environment;
  const { accounts, credentials } = store;
  const by = commandLine();
  if (args.action === "rotate-key") {
    stdout.write(
      `Encrypted with the first key: ${await credentials.encryptAgain()} credentials. The other keys may go.\n`,
    );
    return 0;
  }
  const organization = (await accounts.organizations()).find(({ name }) => name === args.organization);
  if (!organization) {
    stderr.write(`offprint: there is no organization "${args.organization}". See: offprint organization list\n`);
    return 1;
  }
  const { organizationId } = organization;
  if (args.action === "list") {
    const list = await credentials.list(organizationId);
    if (args.json) for (const each of list) stdout.write(`${JSON.stringify(each)}\n`);
    else if (list.length === 0)
      stderr.write("There are no credentials yet. Add one: offprint credential add https://github.com/acme/\n");
    else stdout.write(formatTable([["ID", "PREFIX", "KIND", "NAME", "SECRET", "LAST USED"], ...list.map(cellsOf)]));
    return 0;
  }
  if (args.action === "add" || args.action === "install") {
    const added =
      args.action === "install"
        ? await credentials.addInstallation(organizationId, args.host, args.installationId, by)
        : await credentials.add({ ...args, organizationId, ...(await readSecrets(args, environment)) }, by);
    stdout.write(`${added.credentialId} opens the repositories below ${added.prefix} for ${organization.name}.\n`);
    return 0;
  }
  const { action, credentialId } = args;
  const changed =
    args.action === "rotate"
      ? await credentials.rotate(organizationId, credentialId, await readSecrets(args, environment), by)
      : await credentials.remove(organizationId, credentialId, by);
  if (!changed) {
    stderr.write(
      `offprint: the organization "${organization.name}" has no credential ${credentialId}. See: offprint credential list\n`,
    );
    return 1;
  }
  stdout.write(
    `${changed.prefix}: ${action === "rotate" ? "the secret was replaced" : "the credential was removed"}.\n`,
  );
  return 0;
}

const cellsOf = ({ credentialId, prefix, kind, name, hint, lastUsedAt }: Credential): string[] => [
  credentialId,
  prefix,
  kind,
  name,
  hint || "hidden",
  lastUsedAt?.toISOString().slice(0, 10) ?? "never",
];

async function readSecrets(
  { secretFile, knownHostsFile }: Extract<CredentialArguments, { action: "rotate" | "add" }>,
  { stdin, stderr }: Environment,
) {
  if (secretFile === undefined && stdin?.isTTY) stderr.write("Paste the secret, then press Enter and Ctrl+D.\n");
  const secret =
    secretFile === undefined ? await text(stdin ?? Readable.from([])) : await contentOf("--secret-file", secretFile);
  if (secret.trim() === "")
    throw new UsageError("The secret is empty. Give it by the standard input, or by a file: --secret-file <file>");
  return {
    secret,
    knownHosts: knownHostsFile === undefined ? undefined : await contentOf("--known-hosts", knownHostsFile),
  };
}

const contentOf = (option: string, path: string): Promise<string> =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${option}: "${path}" cannot be read (${error.code}).`);
  });
