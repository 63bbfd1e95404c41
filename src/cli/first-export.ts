import { createKey } from "../service/create-key.js";
import type { Store } from "../service/open-store.js";
import { addSite } from "./commands/site.js";
import { defaultOrganization } from "./options.js";
import { commandLineActor } from "./with-store.js";

export interface SiteToRegister {
  readonly domain: string;
  readonly folder: string;
}

/** The values in the printed commands of a first export. */
export interface FirstExport {
  /** A registered site, if there is one. */
  readonly domain?: string;
  /** A new key, if a site was given and there were no keys. */
  readonly key?: string;
  readonly hasKeys: boolean;
  /** A new key for questions, if a site was given and there was none. */
  readonly assistantKey?: string;
}

/** Registers the site, if given, creates keys if the organization has none, and starts the first export if requested. */
export async function prepareFirstExport(
  store: Store,
  { site, exportSite }: { readonly site?: SiteToRegister | undefined; readonly exportSite: boolean },
): Promise<FirstExport> {
  const { accounts } = store;
  const { organizationId } = await accounts.organization(defaultOrganization, undefined, commandLineActor());
  const projects = await accounts.projects(organizationId);
  const isRegistered = projects.some(
    ({ domain, source }) => domain === site?.domain && source.kind === "folder" && source.path === site.folder,
  );
  if (site && !isRegistered) {
    const source = { kind: "folder", path: site.folder } as const;
    await addSite(store, organizationId, { domain: site.domain, source, deployment: "cloud" });
  }
  const kinds = new Set((await accounts.keys(organizationId)).map(({ kind }) => kind));
  const firstKey = async (kind: "admin" | "assistant"): Promise<string | undefined> => {
    if (site === undefined || kinds.has(kind)) return undefined;
    const scopes = kind === "admin" ? (["write"] as const) : [];
    const newKey = { organizationId, kind, name: "first", scopes, allowedAddresses: [] };
    return (await createKey(accounts, newKey, commandLineActor())).secret;
  };
  if (site && exportSite) await exportOnce(store, organizationId, site.domain);
  return {
    domain: site?.domain ?? projects[0]?.domain,
    key: await firstKey("admin"),
    hasKeys: kinds.has("admin"),
    assistantKey: await firstKey("assistant"),
  };
}

async function exportOnce({ accounts, jobs }: Store, organizationId: string, domain: string): Promise<void> {
  const project = await accounts.projectByDomain(domain);
  if (!project || (await jobs.newestExport(project.projectId))) return;
  await jobs.create({ organizationId, projectId: project.projectId, domain }, undefined, commandLineActor());
}

/**
 * Says where the service listens and which commands start an export.
 *
 * @param data passed on to the other commands as `--data`.
 * @param program as `programName` gives it.
 */
export function firstExportText(url: string, data: string | undefined, first: FirstExport, program: string): string {
  const { domain, key, hasKeys, assistantKey } = first;
  const option = data === undefined ? "" : ` --data ${data}`;
  const before = [
    ...(domain === undefined ? [`${program} site add docs.example.com --folder ./docs${option}`] : []),
    key === undefined
      ? hasKeys
        ? "export OFFPRINT_KEY=svc_…   # one of your keys"
        : `export OFFPRINT_KEY=$(${program} key create${option})`
      : `export OFFPRINT_KEY=${key}`,
  ];
  return [
    `Offprint listens on ${url}`,
    "To export the site, run this in another terminal:",
    "",
    ...before,
    `${program} job run ${domain ?? "docs.example.com"} --output bundle.tar.gz --service ${url}`,
    "",
    ...(assistantKey === undefined
      ? []
      : [
          "To ask its assistant:",
          "",
          `${program} ask ${domain} "How do I begin?" --service ${url} --key ${assistantKey}`,
          "",
        ]),
    "",
  ].join("\n");
}
