import { existsSync } from "node:fs";
import { join } from "node:path";
import { erase } from "../../service/erase.js";
import { DomainTakenError, type Project, type SiteSource } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import type { Environment } from "../environment.js";
import { UsageError } from "../environment.js";
import { defaultOrganization } from "../options.js";
import { formatTable } from "../print/terminal.js";
import { commandLine, existingOrganization, reportOthers, withStore } from "../with-store.js";
import type { SiteArguments } from "./site-options.js";

/** `offprint site add`, `list`, `remove`, `set-counting`, `secret` and `rotate-secret`. */
export const run = (args: SiteArguments, environment: Environment): Promise<number> =>
  withStore(args.data, environment, (store) => runAction(args, store, environment));

async function runAction(args: SiteArguments, store: Store, environment: Environment): Promise<number> {
  const { stdout, stderr } = environment;
  const { accounts, people } = store;
  const by = commandLine();
  if (args.action === "add") {
    const { organizationId } = await accounts.organization(args.organization, undefined, by);
    await addSite(store, organizationId, args);
    stdout.write(`${args.domain} is exported from ${describeSource(args.source)}.\n`);
    return 0;
  }
  const organization = await existingOrganization(store, args.organization, environment);
  if (!organization && args.organization !== defaultOrganization) return 1;
  const { organizationId, name } = organization ?? { organizationId: "", name: args.organization };
  if (args.action === "list") {
    const projects = await accounts.projects(organizationId);
    const count = async (id: string) => (await accounts.projects(id)).length;
    await reportOthers(store, name, "sites", count, environment);
    if (args.json) for (const each of projects) stdout.write(`${JSON.stringify(jsonOf(each))}\n`);
    else if (projects.length === 0)
      stderr.write("There are no sites yet. Add one: offprint site add docs.example.com --folder ./docs\n");
    else stdout.write(formatTable([["DOMAIN", "SOURCE", "DEPLOYMENT"], ...projects.map(cellsOf)]));
    return 0;
  }
  const project = (await accounts.projects(organizationId)).find(({ domain }) => domain === args.domain);
  if (!project) {
    stderr.write(`offprint: the organization "${name}" has no site ${args.domain}. See: offprint site list\n`);
    return 1;
  }
  if (args.action === "set-counting") {
    const { counting } = (await accounts.setCounting(organizationId, args.domain, args.counting, by)) ?? project;
    stdout.write(`Views of people come from: ${counting.humansFrom}. Views of agents: ${counting.agentsFrom}.\n`);
  } else if (args.action === "secret") {
    await people.addAuditEntry({ organizationId, ...by, action: "site.secret", subject: args.domain, detail: "" });
    stdout.write(`${project.webhookSecret}\n`);
  } else if (args.action === "rotate-secret") {
    const rotated = await accounts.rotateWebhookSecret(organizationId, args.domain, args.overlapMs, by);
    stderr.write(`Webhooks are signed with the old secret, too, until ${until(rotated!.oldWebhookSecret!.until)}.\n`);
    stdout.write(`${rotated!.webhookSecret}\n`);
  } else {
    const erased = await erase(store, { kind: "site", organizationId, domain: args.domain }, by);
    stdout.write(`${args.domain} was removed; its queued and running jobs were ended.\n`);
    if ("erasureId" in erased)
      stderr.write(`Its data is deleted. The receipt: offprint erase show ${erased.erasureId}\n`);
  }
  return 0;
}

/** @throws {UsageError} if the folder is not a site, or the domain is taken. */
export async function addSite(
  store: Store,
  organizationId: string,
  site: Pick<Project, "domain" | "source" | "deployment">,
): Promise<Project> {
  const { domain, source, deployment } = site;
  if (source.kind === "folder" && !["docs.json", "mint.json"].some((name) => existsSync(join(source.path, name))))
    throw new UsageError(`There is no docs.json in ${source.path}. Give the folder that contains it.`);
  try {
    return await store.accounts.addProject({ organizationId, domain, source, deployment }, commandLine());
  } catch (error) {
    if (!(error instanceof DomainTakenError)) throw error;
    throw new UsageError(`The domain ${domain} is already registered. To free it: offprint site remove ${domain}`);
  }
}

const until = (date: Date): string => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const cellsOf = ({ domain, source, deployment }: Project) => [domain, describeSource(source), deployment];
const jsonOf = ({ projectId, domain, source, deployment, counting }: Project) => ({
  projectId,
  domain,
  source,
  deployment,
  ...counting,
});

function describeSource(source: SiteSource): string {
  if (source.kind === "folder") return source.path;
  return [source.url, source.ref && `at ${source.ref}`, source.subfolder && `in ${source.subfolder}`]
    .filter(Boolean)
    .join(" ");
}
