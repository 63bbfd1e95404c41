import { existsSync } from "node:fs";
import { join } from "node:path";
import { DomainTakenError, type Project, type SiteSource } from "../service/jobs/index.js";
import type { Store } from "../service/open-store.js";
import { withStore } from "./open-command-store.js";
import type { Surroundings } from "./run.js";
import { parseSiteArguments, type SiteArguments } from "./site-arguments.js";
import { formatTable } from "./table.js";
import { UsageError } from "./usage-error.js";

/** `offprint site add|list|remove|secret` */
export async function run(words: readonly string[], process: Surroundings): Promise<number> {
  const args = parseSiteArguments(words);
  return withStore(args.data, process, (store) => runAction(args, store, process));
}

async function runAction(args: SiteArguments, store: Store, { stdout, stderr }: Surroundings): Promise<number> {
  const { accounts } = store;
  const organization = await accounts.organization(args.organization);
  const { organizationId } = organization;
  if (args.action === "list") {
    const projects = await accounts.projects(organizationId);
    if (args.json) for (const each of projects) stdout.write(`${JSON.stringify(shown(each))}\n`);
    else if (projects.length === 0) stderr.write(`There is no site yet. ${howToAdd}\n`);
    else stdout.write(formatTable([["DOMAIN", "SOURCE", "DEPLOYMENT"], ...projects.map(rowOf)]));
    return 0;
  }
  if (args.action === "add") {
    await addSite(store, organizationId, args);
    stdout.write(`${args.domain} is exported from ${describeSource(args.source)}.\n`);
    return 0;
  }
  const project = (await accounts.projects(organizationId)).find(({ domain }) => domain === args.domain);
  if (!project) {
    stderr.write(`offprint: the organization "${organization.name}" has no site ${args.domain}.\n`);
    return 1;
  }
  if (args.action === "secret") stdout.write(`${project.webhookSecret}\n`);
  else {
    await accounts.removeProject(organizationId, args.domain);
    stdout.write(`${args.domain} was removed; its jobs that waited or ran have ended.\n`);
  }
  return 0;
}

const howToAdd = "Add one: offprint site add docs.example.com --folder ./docs";

/** @throws {UsageError} if the folder holds no site, or the domain is another's. */
export async function addSite(
  store: Store,
  organizationId: string,
  site: Pick<Project, "domain" | "source" | "deployment">,
): Promise<Project> {
  const { domain, source, deployment } = site;
  if (source.kind === "folder" && !["docs.json", "mint.json"].some((name) => existsSync(join(source.path, name))))
    throw new UsageError(`There is no docs.json in ${source.path}: give the folder that holds it.`);
  try {
    return await store.accounts.addProject({ organizationId, domain, source, deployment });
  } catch (error) {
    if (!(error instanceof DomainTakenError)) throw error;
    throw new UsageError(`The domain ${domain} is registered already: "offprint site remove ${domain}" frees it.`);
  }
}

const rowOf = ({ domain, source, deployment }: Project) => [domain, describeSource(source), deployment];
const shown = ({ projectId, domain, source, deployment }: Project) => ({ projectId, domain, source, deployment });

function describeSource(source: SiteSource): string {
  if (source.kind === "folder") return source.path;
  return [source.url, source.ref && `at ${source.ref}`, source.subfolder && `in ${source.subfolder}`]
    .filter(Boolean)
    .join(" ");
}
