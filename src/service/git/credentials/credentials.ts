import { createHash, randomBytes } from "node:crypto";
import type { Actor, CredentialKind, StoredCredential } from "../../jobs/index.js";
import { parsePrefix } from "../checkout/index.js";
import { type ForgeKind, installAddress, installationOf, ownsAccount } from "../forge/index.js";
import { appAt, boundTo, type Credential, type CredentialsOptions, openAccess } from "./credential-access.js";
import { CredentialFault, type ReadSecret, readSshKey, readToken, type Secrets } from "./read-secret.js";

export interface NewSecret {
  /** A token, `user:token` or a private key. */
  readonly secret: string;
  /** The keys of the host, for an SSH key. */
  readonly knownHosts?: string | undefined;
}

export interface NewCredential extends NewSecret {
  readonly organizationId: string;
  readonly kind: Exclude<CredentialKind, "github-app">;
  readonly prefix: string;
  /** Default: the prefix. */
  readonly name?: string | undefined;
  readonly forge?: ForgeKind | undefined;
}

export type Credentials = ReturnType<typeof openCredentials>;

type Insert = (
  credential: Omit<Credential, "credentialId" | "createdAt" | "hint">,
  secret: ReadSecret,
  by: Actor,
) => Promise<Credential>;

const maxCredentials = 200;

/**
 * The credentials of organizations for repositories. Secrets can be written, but not read again.
 *
 * Fails: each function throws a `CredentialFault` or a `ForgeFault`, whose messages contain no secret.
 */
export function openCredentials(options: CredentialsOptions) {
  const { store, keyring } = options;

  const insert: Insert = async (credential, { secrets, hint }, by) => {
    const { organizationId, prefix } = credential;
    const rows = await store.list(organizationId);
    if (rows.length >= maxCredentials)
      throw new CredentialFault(`An organization can have at most ${maxCredentials} credentials. Remove one first.`);
    const row = { ...credential, credentialId: `crd_${randomBytes(16).toString("hex")}`, hint, createdAt: new Date(0) };
    const isAdded = await store.add({ ...row, ...(await keyring.seal(JSON.stringify(secrets), boundTo(row))) }, by);
    const added = (await store.list(organizationId)).find((credential) => credential.prefix === prefix);
    if (!isAdded || !added)
      throw new CredentialFault(
        `The organization already has a credential for ${prefix}. Replace its secret (offprint credential rotate), or remove it first.`,
      );
    return shown(added);
  };

  /** The known hosts of an SSH key, which stay if only the private key is replaced. */
  const hostsOf = async (row: StoredCredential): Promise<string | undefined> => {
    const before = JSON.parse(await keyring.open(row, boundTo(row))) as Secrets;
    return before.kind === "ssh-key" ? before.knownHosts : undefined;
  };

  const list = async (organizationId: string): Promise<readonly Credential[]> =>
    (await store.list(organizationId)).map(shown);
  return {
    ...openAccess(options),
    ...openInstallations(options, insert),
    async add(
      { organizationId, kind, forge, secret, knownHosts, ...input }: NewCredential,
      by: Actor,
    ): Promise<Credential> {
      const prefix = checkedPrefix(input.prefix, kind);
      const name = checkedName(input.name?.trim() || prefix);
      return insert(
        { organizationId, kind, name, prefix, ...(forge && { forge }) },
        readSecret(kind, { secret, knownHosts }),
        by,
      );
    },
    list,
    /** Replaces the secret. Resolves with undefined if there is no such credential. */
    async rotate(
      organizationId: string,
      credentialId: string,
      newSecret: NewSecret,
      by: Actor,
    ): Promise<Credential | undefined> {
      const row = (await store.list(organizationId)).find((credential) => credential.credentialId === credentialId);
      if (!row) return undefined;
      if (row.kind === "github-app")
        throw new CredentialFault("An installation of an app has no secret to replace. Remove it and add it again.");
      const knownHosts = newSecret.knownHosts ?? (row.kind === "ssh-key" ? await hostsOf(row) : undefined);
      const { secrets, hint } = readSecret(row.kind, { ...newSecret, knownHosts });
      const sealed = await keyring.seal(JSON.stringify(secrets), boundTo(row));
      if (!(await store.replaceSecret(organizationId, credentialId, { ...sealed, hint }, by))) return undefined;
      return (await list(organizationId)).find((credential) => credential.credentialId === credentialId);
    },
    /** Resolves with undefined if there is no such credential. */
    async remove(organizationId: string, credentialId: string, by: Actor): Promise<Credential | undefined> {
      const removed = await store.remove(organizationId, credentialId, by);
      return removed && shown(removed);
    },

    /** Encrypts all credentials with the first key. Resolves with the number of those that another key had encrypted. */
    async encryptAgain(): Promise<number> {
      const keyId = await keyring.currentKey();
      let count = 0;
      for (
        let rows = await store.encryptedByOthers(keyId);
        rows.length > 0;
        rows = await store.encryptedByOthers(keyId)
      )
        for (const row of rows) {
          await store.encryptAgain(row, await keyring.seal(await keyring.open(row, boundTo(row)), boundTo(row)));
          count++;
        }
      return count;
    },
  };
}

const shown = ({ keyId: _, sealed: __, ...credential }: StoredCredential): Credential => credential;

const readSecret = (kind: NewCredential["kind"], { secret, knownHosts }: NewSecret): ReadSecret =>
  kind === "token" ? readToken(secret) : readSshKey(secret, knownHosts);

function checkedPrefix(text: string, kind: NewCredential["kind"]): string {
  let prefix: string;
  try {
    prefix = parsePrefix(text);
  } catch (error) {
    throw new CredentialFault((error as Error).message);
  }
  const protocol = kind === "token" ? "https:" : "ssh:";
  if (!prefix.startsWith(protocol) || prefix.length > 2048)
    throw new CredentialFault(
      kind === "token"
        ? "The prefix of a token must start with https://. For ssh://, add an SSH key."
        : "The prefix of an SSH key must start with ssh://, such as ssh://git@git.example.com/team/.",
    );
  return prefix;
}

function checkedName(name: string): string {
  if (name.length > 200 || /\p{Cc}/u.test(name))
    throw new CredentialFault("A name must be one line of at most 200 characters.");
  return name;
}

export interface ReturnedInstallation {
  readonly organizationId: string;
  /** The session of the browser that has returned. */
  readonly sessionId: string;
  /** From the return address, like `code` and `installationId`. */
  readonly state: string;
  readonly code: string;
  readonly installationId: number;
}

const lifeMs = 10 * 60_000;
const hashOf = (state: string): string => createHash("sha256").update(state).digest("hex");

/** Binds installations of the operator's app to organizations. Fails: throws a `CredentialFault` or a `ForgeFault`. */
function openInstallations({ store, forges, network, retryMs }: CredentialsOptions, insert: Insert) {
  const request = () => ({ signal: AbortSignal.timeout(60_000), network, retryMs });
  /** Binds an installation of the operator's app. The caller has made sure that it belongs to the organization. */
  const addInstallation = async (
    organizationId: string,
    host: string,
    installationId: number,
    by: Actor,
  ): Promise<Credential> => {
    const at = appAt(forges, host);
    if (!at)
      throw new CredentialFault(
        `The service has no GitHub app for ${host}. Add one to OFFPRINT_FORGES_FILE: {"${host}": {"kind": "github", "app": {"id": "…", "privateKeyFile": "…"}}}.`,
      );
    const { account: name } = await installationOf(at, installationId, request());
    const read = { secrets: { kind: "github-app", installationId }, hint: `installation ${installationId}` } as const;
    return insert({ organizationId, kind: "github-app", name, prefix: `https://${host}/${name}/` }, read, by);
  };
  const appWithProof = (host: string) => {
    const at = appAt(forges, host);
    if (!at?.app.oauth)
      throw new CredentialFault(
        `The service has no app on ${host} that people can install. The operator can add the installation: offprint credential add --github-app-installation <id>`,
      );
    return at;
  };
  return {
    addInstallation,
    /** Hosts whose app lets people prove that an installation is theirs. */
    installHosts: forges.flatMap(({ app, prefix }) => (app?.oauth ? [new URL(prefix).host] : [])),
    /** The address where a person installs the app; it leads back within ten minutes, to the same session. */
    async beginInstallation(organizationId: string, sessionId: string, host: string): Promise<string> {
      const address = await installAddress(appWithProof(host), request());
      const state = randomBytes(32).toString("base64url");
      await store.addPendingInstallation(hashOf(state), { organizationId, sessionId, host }, lifeMs);
      return `${address}?state=${state}`;
    },
    /** Binds the installation that a person has come back from, if the person owns its account. */
    async finishInstallation(
      { organizationId, sessionId, state, code, installationId }: ReturnedInstallation,
      by: Actor,
    ): Promise<Credential> {
      const host = await store.usePendingInstallation(hashOf(state), { organizationId, sessionId });
      if (host === undefined)
        throw new CredentialFault(
          "This return URL has already been used, is older than ten minutes, or belongs to another session or organization. Start again.",
        );
      const at = appWithProof(host);
      const installation = await installationOf(at, installationId, request());
      if (!(await ownsAccount(at, code, installation, request())))
        throw new CredentialFault(
          `${host} does not list you as an owner of this installation's account. An owner of the account can add it, or the operator: offprint credential add --github-app-installation <id>`,
        );
      return addInstallation(organizationId, host, installationId, by);
    },
  };
}
