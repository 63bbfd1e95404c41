import { createKey } from "../service/create-key.js";
import type { Store } from "../service/open-store.js";
import type { ServiceArguments } from "./service-arguments.js";
import { defaultOrganization } from "./site-arguments.js";
import { addSite } from "./site-command.js";

/** What stands ready for the first export. */
export interface FirstExport {
  /** A site that is registered; undefined: there is none. */
  readonly domain?: string;
  /** Made just now; undefined: there are keys, or there is no site. */
  readonly key?: string;
  readonly hasKeys: boolean;
}

/** Registers `site`, if one is given, and makes a key for it where the organization has none. */
export async function prepareFirstExport(store: Store, site: ServiceArguments["site"]): Promise<FirstExport> {
  const { accounts } = store;
  const { organizationId } = await accounts.organization(defaultOrganization);
  const projects = await accounts.projects(organizationId);
  if (site && !projects.some(({ domain, source }) => domain === site.domain && isFolder(source, site.folder)))
    await addSite(store, organizationId, {
      domain: site.domain,
      source: { kind: "folder", path: site.folder },
      deployment: "cloud",
    });
  const hasKeys = (await accounts.keys(organizationId)).length > 0;
  const key =
    site === undefined || hasKeys
      ? undefined
      : await createKey(accounts, {
          organizationId,
          kind: "admin",
          name: "first",
          scopes: ["write"],
          allowedAddresses: [],
        });
  return { domain: site?.domain ?? projects[0]?.domain, key: key?.secret, hasKeys };
}

const isFolder = (source: { readonly kind: string; readonly path?: string }, folder: string): boolean =>
  source.kind === "folder" && source.path === folder;

/**
 * Where the service listens, and what to type for an export.
 *
 * @param data folder that its other commands must be told, too.
 */
export function firstExport(url: string, data: string | undefined, { domain, key, hasKeys }: FirstExport): string {
  const option = data === undefined ? "" : ` --data ${data}`;
  const before = [
    ...(domain === undefined ? [`offprint site add docs.example.com --folder ./docs${option}`] : []),
    key === undefined ? (hasKeys ? "KEY=svc_…   # one of yours" : `KEY=$(offprint key create${option})`) : `KEY=${key}`,
  ];
  const jobs = `${url}/v1/static-export/jobs`;
  const authorization = '-H "Authorization: Bearer $KEY"';
  const body = JSON.stringify({ domain: domain ?? "docs.example.com" });
  return [
    `Offprint listens on ${url}`,
    "For an export, type in another terminal:",
    "",
    ...before,
    `JOB=$(curl -s -X POST ${jobs} ${authorization} -H "Content-Type: application/json" -d '${body}' | jq -r .jobId)`,
    `until curl -s "${jobs}/$JOB?wait=30" ${authorization} | tee -a /dev/stderr | grep -qE 'completed|failed'; do echo; done`,
    `curl -s -X POST ${jobs}/$JOB/bundle ${authorization}`,
    "",
    "",
  ].join("\n");
}
