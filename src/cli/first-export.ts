import { createKey } from "../service/create-key.js";
import type { Store } from "../service/open-store.js";
import { defaultOrganization } from "./options.js";
import type { ServiceArguments } from "./service-arguments.js";
import { addSite } from "./site-command.js";

/** What the first export can use. */
export interface FirstExport {
  /** A registered site, if there is one. */
  readonly domain?: string;
  /** A new key, if a site was given and there were no keys. */
  readonly key?: string;
  readonly hasKeys: boolean;
}

/** Registers `site`, if given, and creates a key if the organization has none. */
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
 * Says where the service listens and which commands start an export.
 *
 * @param data passed on to the other commands as `--data`.
 */
export function firstExportText(url: string, data: string | undefined, { domain, key, hasKeys }: FirstExport): string {
  const option = data === undefined ? "" : ` --data ${data}`;
  const before = [
    ...(domain === undefined ? [`offprint site add docs.example.com --folder ./docs${option}`] : []),
    key === undefined
      ? hasKeys
        ? "KEY=svc_…   # one of your keys"
        : `KEY=$(offprint key create${option})`
      : `KEY=${key}`,
  ];
  const jobs = `${url}/v1/static-export/jobs`;
  const authorization = '-H "Authorization: Bearer $KEY"';
  const body = JSON.stringify({ domain: domain ?? "docs.example.com" });
  return [
    `Offprint listens on ${url}`,
    "To export the site, run this in another terminal:",
    "",
    ...before,
    `JOB=$(curl -s -X POST ${jobs} ${authorization} -H "Content-Type: application/json" -d '${body}' | jq -r .jobId)`,
    `until curl -s "${jobs}/$JOB?wait=30" ${authorization} | tee -a /dev/stderr | grep -qE 'completed|failed'; do echo; done`,
    `curl -s -X POST ${jobs}/$JOB/bundle ${authorization}`,
    "",
    "",
  ].join("\n");
}
