import { shellWord } from "../../../lib/shell-word.js";
import type { AccountStore, Organization, Project } from "../../jobs/index.js";
import { ownerPrefix } from "../checkout/index.js";
import type { ForgeEntry, Forges } from "../forge/index.js";

interface Deps {
  readonly accounts: Pick<AccountStore, "organizationById">;
  readonly forges: Forges;
}

/** The entries of the operator's file whose token or app an organization may use. */
export async function lentEntries({ accounts, forges }: Deps, organizationId: string): Promise<readonly ForgeEntry[]> {
  const entries = forges.filter(({ token, app, organizations }) => organizations && (token ?? app) !== undefined);
  const organization = entries.length > 0 && (await accounts.organizationById(organizationId));
  return organization ? entries.filter(({ organizations }) => organizations!.includes(organization.name)) : [];
}

/**
 * The operator's settings that no repository gets although a site may need them: a sentence for each, with the command or
 * line that helps.
 */
export async function unusedSettings(
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
export async function addCommand(
  { accounts }: Pick<Deps, "accounts">,
  organizationId: string,
  url: string,
): Promise<string> {
  const organization = shellWord((await accounts.organizationById(organizationId))?.name ?? "<name>");
  const secret = url.startsWith("ssh:") ? "--secret-file <key> --known-hosts <file>" : "--secret-file <token>";
  return `offprint credential add ${shellWord(ownerPrefix(url))} --organization ${organization} ${secret}`;
}

/** What to do for a repository on a host whose app the operator has configured. */
function appLine(forges: Forges, { name }: Organization, source: Project["source"]) {
  if (source.kind !== "git" || !source.url.startsWith("https:")) return undefined;
  const { url } = source;
  const { host } = new URL(url);
  if (!forges.some(({ app, prefix }) => app && new URL(prefix).host === host)) return undefined;
  const text = `The app on ${host} works only through installations that are assigned to organizations. For ${url}: offprint credential add https://${host}/ --github-app-installation <id> --organization ${shellWord(name)}`;
  return { url, text };
}
