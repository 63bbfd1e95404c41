import type { Network } from "../../../lib/fetch/index.js";
import { shellWord } from "../../../lib/shell-word.js";
import type { AccountStore, CredentialStore, Organization, Project, StoredCredential } from "../../jobs/index.js";
import { type GitCredential, isBelowPrefix, ownerPrefix } from "../checkout/index.js";
import * as hosts from "../forge/index.js";
import type { Keyring } from "./keyring.js";
import { CredentialFault, type Secrets, secretTexts } from "./read-secret.js";

export interface CredentialsOptions {
  readonly store: CredentialStore;
  readonly accounts: AccountStore;
  readonly keyring: Keyring;
  /** The hosts that the operator has described. */
  readonly forges: hosts.Forges;
  readonly network?: Network | undefined;
  /** The time before a request to a forge is retried, in milliseconds. */
  readonly retryMs?: number | undefined;
}

/** A credential without its secret. */
export type Credential = Omit<StoredCredential, "keyId" | "sealed">;

/** What an agent job needs to push to a repository and to open a pull request. */
export interface AgentAccess {
  readonly credential: GitCredential;
  readonly forge: hosts.ForgeSettings;
}

type UsableCredential =
  | { readonly source: "stored"; readonly prefix: string; readonly row: StoredCredential }
  | { readonly source: "file"; readonly prefix: string; readonly entry: hosts.ForgeEntry };

/**
 * A repository is opened with the credential of its site's organization that has the longest prefix of the repository's
 * address. The organization's own credentials win over those that the operator lends.
 *
 * Fails: each function throws a `CredentialFault` or a `ForgeFault`, whose messages contain no secret.
 */
export function openAccess(options: CredentialsOptions) {
  const { store, keyring, forges } = options;
  const decrypted = async (row: StoredCredential): Promise<Secrets> =>
    JSON.parse(await keyring.open(row, boundTo(row))) as Secrets;

  const find = async (organizationId: string, url: string): Promise<UsableCredential | undefined> => {
    if (!URL.canParse(url)) return undefined;
    const [rows, lent] = await Promise.all([store.list(organizationId), lentEntries(options, organizationId)]);
    const credentials: readonly UsableCredential[] = [
      ...rows.map((row) => ({ source: "stored", prefix: row.prefix, row }) as const),
      ...lent.map((entry) => ({ source: "file", prefix: entry.prefix, entry }) as const),
    ];
    // The sort is stable: among the longest, the organization's own come first.
    return credentials
      .filter(({ prefix }) => isBelowPrefix(url, prefix))
      .toSorted((a, b) => b.prefix.length - a.prefix.length)[0];
  };

  const tokenOfApp = (url: string, id: number | undefined, writes: boolean, request: hosts.AppOptions) => {
    const repository = hosts.repositoryOf(url);
    const at = appAt(forges, repository.host);
    if (!at)
      throw new CredentialFault(
        `The service no longer has an app for ${repository.host}. The operator can add it to OFFPRINT_FORGES_FILE.`,
      );
    return hosts.repositoryToken(at, repository, id, writes, request);
  };

  /** The secret of a credential, ready for git. */
  const open = async (
    credential: UsableCredential,
    url: string,
    writes: boolean,
    signal: AbortSignal,
  ): Promise<GitCredential> => {
    const { prefix } = credential;
    const request = { signal, network: options.network, retryMs: options.retryMs };
    const token = (user: string, token: string): GitCredential => ({ kind: "token", prefix, user, token });
    if (credential.source === "file")
      return token("x-access-token", credential.entry.token ?? (await tokenOfApp(url, undefined, writes, request)));
    const secrets = await decrypted(credential.row);
    await store.markUsed(credential.row);
    if (secrets.kind === "token") return token(secrets.user, secrets.token);
    if (secrets.kind === "ssh-key") return { ...secrets, prefix };
    return token("x-access-token", await tokenOfApp(url, secrets.installationId, writes, request));
  };

  /** What an agent job needs, or a sentence that says what is missing: for a repository over ssh, also a token for the host's API. */
  const findForAgent = async (organizationId: string, url: string) => {
    const { protocol } = new URL(url);
    const { webUrl, host } = hosts.repositoryOf(url);
    const forGit = await find(organizationId, url);
    const forApi = protocol === "https:" ? forGit : await find(organizationId, webUrl);
    if (protocol === "file:" || !forGit || !forApi) {
      const missing = forGit ? webUrl : url;
      return `The organization has no credential for ${protocol === "file:" ? "a repository without a host" : missing}. Add one: ${await addCommand(options, organizationId, missing)}, or in the console under Credentials.`;
    }
    const kind = forApi.source === "stored" ? (forApi.row.forge as hosts.ForgeKind | undefined) : undefined;
    const forge = hosts.forgeHost(host, forges, kind);
    return forge
      ? { forGit, forApi, forge, webUrl }
      : `Offprint does not know which software ${host} runs. Add the credential again with --forge (${hosts.forgeKinds.join(", ")}): offprint credential add.`;
  };

  return {
    /** The credential with which git reads a repository; undefined if the organization has none for it. */
    async forReading(organizationId: string, url: string, signal: AbortSignal): Promise<GitCredential | undefined> {
      const credential = await find(organizationId, url);
      return credential && open(credential, url, false, signal);
    },
    /** What an agent job needs. */
    async forAgent(organizationId: string, url: string, signal: AbortSignal): Promise<AgentAccess> {
      const access = await findForAgent(organizationId, url);
      if (typeof access === "string") throw new CredentialFault(access);
      const { forGit, forApi, forge, webUrl } = access;
      const credential = await open(forGit, url, true, signal);
      const api = forApi === forGit ? credential : await open(forApi, webUrl, true, signal);
      if (api.kind !== "token") throw new CredentialFault(`The API of ${webUrl} needs a token.`);
      return { credential, forge: { ...forge, token: api.token } };
    },
    /** Why `forAgent` would fail, as far as that is known without decrypting anything. */
    async agentFault(organizationId: string, url: string): Promise<string | undefined> {
      const access = await findForAgent(organizationId, url);
      return typeof access === "string" ? access : undefined;
    },
    addCommand: (organizationId: string, url: string) => addCommand(options, organizationId, url),
    /** The organization's secrets: no agent job may push a text that contains one. */
    async secretsOf(organizationId: string): Promise<readonly string[]> {
      const ownSecrets = await Promise.all((await store.list(organizationId)).map(decrypted));
      const lent = (await lentEntries(options, organizationId)).flatMap(({ token }) => token ?? []);
      return [...ownSecrets.flatMap(secretTexts), ...lent];
    },

    /** The operator's settings that no repository gets: see `unusedSettings`. */
    unusedSettings: () => unusedSettings(options, async (id, url) => (await find(id, url)) !== undefined),
  };
}

/** What a secret is bound to: copied to another organization or address, it does not decrypt. */
export const boundTo = ({ organizationId, credentialId, kind, prefix }: Credential): readonly string[] => [
  organizationId,
  credentialId,
  kind,
  prefix,
];

export function appAt(forges: hosts.Forges, host: string): hosts.AppHost | undefined {
  const app = forges.find((entry) => entry.app && new URL(entry.prefix).host === host)?.app;
  const at = hosts.forgeHost(host, forges);
  return app && at && { ...at, app, host };
}

interface Deps {
  readonly accounts: Pick<AccountStore, "organizationById">;
  readonly forges: hosts.Forges;
}

/** The entries of the operator's file whose token or app an organization may use. */
async function lentEntries({ accounts, forges }: Deps, organizationId: string): Promise<readonly hosts.ForgeEntry[]> {
  const entries = forges.filter(({ token, app, organizations }) => organizations && (token ?? app) !== undefined);
  const organization = entries.length > 0 && (await accounts.organizationById(organizationId));
  return organization ? entries.filter(({ organizations }) => organizations!.includes(organization.name)) : [];
}

/** The operator's settings that no repository gets: a sentence for each, with what to write instead. */
async function unusedSettings(
  { accounts, forges }: Deps & { readonly accounts: AccountStore },
  hasCredential: (organizationId: string, url: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const lines = new Set<string>();
  const organizations = await accounts.organizations();
  const names = JSON.stringify(organizations.map(({ name }) => name));
  for (const { key, token, organizations: named } of forges)
    if (token !== undefined && named === undefined)
      lines.add(
        `The entry "${key}" of OFFPRINT_FORGES_FILE lists no organizations, so its token is not used for any repository. Add the organizations that may use it: "organizations": ${names}.`,
      );
  for (const organization of organizations)
    for (const { source } of await accounts.projects(organization.organizationId)) {
      const line = appLine(forges, organization, source);
      if (line && !(await hasCredential(organization.organizationId, line.url))) lines.add(line.text);
    }
  return [...lines];
}

/** The command that adds a credential for a repository of an organization. */
async function addCommand({ accounts }: Pick<Deps, "accounts">, organizationId: string, url: string): Promise<string> {
  const organization = shellWord((await accounts.organizationById(organizationId))?.name ?? "<name>");
  const secret = url.startsWith("ssh:") ? "--secret-file <key> --known-hosts <file>" : "--secret-file <token>";
  return `offprint credential add ${shellWord(ownerPrefix(url))} --organization ${organization} ${secret}`;
}

/** What to do for a repository on a host whose app the operator has configured. */
function appLine(forges: hosts.Forges, { name }: Organization, source: Project["source"]) {
  if (source.kind !== "git" || !source.url.startsWith("https:")) return undefined;
  const { url } = source;
  const { host } = new URL(url);
  if (!forges.some(({ app, prefix }) => app && new URL(prefix).host === host)) return undefined;
  const text = `The app on ${host} works only through installations that are assigned to organizations. For ${url}: offprint credential add https://${host}/ --github-app-installation <id> --organization ${shellWord(name)}`;
  return { url, text };
}
