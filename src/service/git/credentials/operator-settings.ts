import { shellWord } from "../../../lib/shell-word.js";
import type { AccountStore, CredentialStore, Organization, Project } from "../../jobs/index.js";
import { isBelowPrefix, ownerPrefix } from "../checkout/index.js";
import type { ForgeEntry, Forges } from "../forge/index.js";

/** What the operator has configured in files and the environment. */
export interface OperatorSettings {
  readonly forges: Forges;
  /** `OFFPRINT_GIT_TOKEN`, `OFFPRINT_GIT_TOKEN_<HOST>`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A token or app of the operator that one organization may use. */
export type OperatorCredential =
  | { readonly source: "file"; readonly prefix: string; readonly entry: ForgeEntry }
  | { readonly source: "variable"; readonly prefix: string; readonly written: string };

interface Deps {
  readonly store: Pick<CredentialStore, "beforeBinding">;
  readonly accounts: Pick<AccountStore, "organizationById">;
  readonly operator: OperatorSettings;
}

/**
 * The operator's credentials for a repository of an organization: entries of the forges file that name it. What was
 * configured before credentials belonged to organizations is bound to the only organization of that time, and the
 * variables to the hosts of its sites of that time.
 */
export async function operatorCredentials(
  deps: Deps,
  organizationId: string,
  url: string,
): Promise<readonly OperatorCredential[]> {
  const { environment } = deps.operator;
  const at = new URL(url);
  const variable = at.protocol === "https:" ? variableFor(environment, at.hostname) : undefined;
  const entries = (await lentEntries(deps, organizationId)).filter(({ prefix }) => isBelowPrefix(url, prefix));
  const before = entries.length === 0 && variable === undefined ? undefined : await deps.store.beforeBinding();
  const sources = before?.organizationId === organizationId ? before.sources.flatMap(gitAddress) : [];
  // Accounts of other organizations may have installed the app since.
  const isOfOwner = sources.some((source) => isBelowPrefix(url, ownerPrefix(source)));
  const files = entries
    .filter(({ app, organizations }) => !app || organizations || isOfOwner)
    .map((entry) => ({ source: "file", prefix: entry.prefix, entry }) as const);
  if (variable === undefined || !sources.some((source) => new URL(source).host === at.host)) return files;
  return [...files, { source: "variable", prefix: `https://${at.host}/`, written: environment[variable]! }];
}

/** The entries of the forges file whose token or app an organization may use. */
export async function lentEntries(
  { store, accounts, operator: { forges } }: Deps,
  organizationId: string,
): Promise<readonly ForgeEntry[]> {
  const entries = forges.filter(({ token, app }) => (token ?? app) !== undefined);
  if (entries.length === 0) return [];
  const [organization, before] = await Promise.all([accounts.organizationById(organizationId), store.beforeBinding()]);
  return entries.filter(({ organizations }) =>
    organizations === undefined
      ? before?.organizationId === organizationId
      : organization !== undefined && organizations.includes(organization.name),
  );
}

/**
 * The operator's settings that no repository gets although a site may need them: a sentence for each, with the command or
 * line that helps.
 */
export async function unusedSettings(
  { operator, ...deps }: Deps & { readonly accounts: AccountStore },
  hasCredential: (organizationId: string, url: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const { forges } = operator;
  const lines = new Set<string>();
  const [organizations, before] = await Promise.all([deps.accounts.organizations(), deps.store.beforeBinding()]);
  const names = JSON.stringify(organizations.map(({ name }) => name));
  for (const { key, token, organizations: named } of forges)
    if (token !== undefined && named === undefined && !before)
      lines.add(
        `The entry "${key}" of OFFPRINT_FORGES_FILE lists no organizations, so its token is not used for any repository. Add the organizations that may use it: "organizations": ${names}.`,
      );
  for (const organization of organizations)
    for (const { source } of await deps.accounts.projects(organization.organizationId))
      for (const url of gitAddress(JSON.stringify(source))) {
        const line = addLine(operator, organization, url);
        if (line !== undefined && !(await hasCredential(organization.organizationId, url))) lines.add(line);
      }
  return [...lines];
}

/** The command that adds a credential for a repository of an organization. */
export async function addCommand(
  { accounts }: Pick<Deps, "accounts">,
  organizationId: string,
  url: string,
): Promise<string> {
  const organization = await accounts.organizationById(organizationId);
  const secret = url.startsWith("ssh:") ? "--secret-file <key> --known-hosts <file>" : "--secret-file <token>";
  return `${commandFor(url, organization?.name ?? "<name>")} ${secret}`;
}

const commandFor = (url: string, organization: string): string =>
  `offprint credential add ${shellWord(ownerPrefix(url))} --organization ${shellWord(organization)}`;

/** What to do for a repository without a credential, if the operator has a token or an app for its host. */
function addLine({ environment, forges }: OperatorSettings, { name }: Organization, url: string): string | undefined {
  const { host, hostname } = new URL(url);
  const variable = variableFor(environment, hostname);
  if (variable !== undefined)
    return `${variable} is not sent to ${host}, because it is not assigned to an organization. To let the organization use it there: printenv ${variable} | ${commandFor(url, name)}`;
  if (!forges.some(({ app, prefix }) => app && new URL(prefix).host === host)) return undefined;
  return `The app on ${host} works only through installations that are assigned to organizations. For ${url}: offprint credential add https://${host}/ --github-app-installation <id> --organization ${shellWord(name)}`;
}

/** The address of a stored source; empty unless it begins with https://. */
function gitAddress(sourceJson: string): readonly string[] {
  const source = JSON.parse(sourceJson) as Project["source"];
  return source.kind === "git" && URL.canParse(source.url) && source.url.startsWith("https:") ? [source.url] : [];
}

/** The name of the variable with the token for a host. */
function variableFor(environment: OperatorSettings["environment"], hostname: string): string | undefined {
  const own = `OFFPRINT_GIT_TOKEN_${hostname.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
  return [own, "OFFPRINT_GIT_TOKEN"].find((name) => environment[name]?.trim());
}
