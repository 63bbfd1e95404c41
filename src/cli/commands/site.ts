import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { erase } from "../../service/erase.js";
import { checkSource, SourceFault } from "../../service/git/checkout/index.js";
import { type Counting, DomainTakenError, type Project, type SiteSource } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import { command, type Input } from "../command.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";
import { accountOf, deploymentOf, oneOf, overlapOf, parseDomain } from "../options.js";
import { formatTable, jsonLines } from "../print/terminal.js";
import { commandLineActor, existingOrganization, reportOthers, withStore } from "../with-store.js";
import type texts from "./texts/site.json";

export const commands = {
  "site add": command(parseAdd, add),
  "site list": command(parseList, list),
  "site remove": command(parseOne, remove),
  "site set-counting": command(parseCounting, setCounting),
  "site secret": command(parseOne, printSecret),
  "site rotate-secret": command(parseRotation, rotateSecret),
};

async function parseAdd({ argument, values }: Input<typeof texts, "site add">) {
  const domain = await parseDomain(argument);
  const deployment = deploymentOf(values.deployment) ?? "cloud";
  return { ...accountOf(values), domain, source: parseSource(values), deployment };
}

function parseSource({ folder, git, ref, subfolder }: Input<typeof texts, "site add">["values"]): SiteSource {
  if ((folder === undefined) === (git === undefined))
    throw new UsageError('"offprint site add" needs the source of the site: --folder ./docs, or --git <url>.');
  for (const [name, value] of Object.entries({ ref, subfolder }))
    if (git === undefined && value !== undefined) throw new UsageError(`--${name} belongs to --git.`);
  const source: SiteSource =
    git === undefined
      ? { kind: "folder", path: resolve(folder!) }
      : { kind: "git", url: git, ref, subfolder: subfolder?.replace(/^(\.?\/)+|\/+$/g, "") || undefined };
  try {
    checkSource(source, "operator");
    return source;
  } catch (error) {
    if (error instanceof SourceFault) throw new UsageError(error.message);
    throw error;
  }
}

function parseList({ values }: Input<typeof texts, "site list">) {
  return { ...accountOf(values), json: values.json ?? false };
}

async function parseOne({ argument, values }: Input<typeof texts, "site remove">) {
  return { ...accountOf(values), domain: await parseDomain(argument) };
}

async function parseCounting(input: Input<typeof texts, "site set-counting">) {
  const { "humans-from": humans, "agents-from": agents } = input.values;
  if (humans === undefined && agents === undefined)
    throw new UsageError('"offprint site set-counting" needs --humans-from, --agents-from or both.');
  const counting = withoutUndefined({
    humansFrom: oneOf("--humans-from", humans, ["server", "beacon", "logs"]),
    agentsFrom: oneOf("--agents-from", agents, ["server", "logs"]),
  });
  return { ...(await parseOne(input)), counting: counting as Partial<Counting> };
}

async function parseRotation(input: Input<typeof texts, "site rotate-secret">) {
  return { ...(await parseOne(input)), overlapMs: overlapOf(input.values.overlap) };
}

type SiteArguments = Awaited<ReturnType<typeof parseOne>>;

async function add(args: Awaited<ReturnType<typeof parseAdd>>, environment: Environment): Promise<number> {
  return withStore(args.data, environment, async (store) => {
    const { organizationId } = await store.accounts.organization(args.organization, undefined, commandLineActor());
    await addSite(store, organizationId, args);
    environment.stdout.write(`${args.domain} is exported from ${describeSource(args.source)}.\n`);
  });
}

/** @throws {UsageError} if the folder is not a site, or the domain is taken. */
export async function addSite(
  store: Store,
  organizationId: string,
  { domain, source, deployment }: Pick<Project, "domain" | "source" | "deployment">,
): Promise<Project> {
  if (source.kind === "folder" && !["docs.json", "mint.json"].some((name) => existsSync(join(source.path, name))))
    throw new UsageError(`There is no docs.json in ${source.path}. Give the folder that contains it.`);
  try {
    return await store.accounts.addProject({ organizationId, domain, source, deployment }, commandLineActor());
  } catch (error) {
    if (!(error instanceof DomainTakenError)) throw error;
    throw new UsageError(`The domain ${domain} is already registered. To free it: offprint site remove ${domain}`);
  }
}

function list(args: ReturnType<typeof parseList>, environment: Environment): Promise<number> {
  const { stdout, stderr } = environment;
  return withStore(args.data, environment, async (store) => {
    const { accounts } = store;
    const { organizationId, name } = await existingOrganization(store, args.organization);
    const sites = await accounts.projects(organizationId);
    await reportOthers(store, name, "sites", async (id) => (await accounts.projects(id)).length, environment);
    if (args.json)
      stdout.write(
        jsonLines(
          sites.map(({ projectId, domain, source, deployment, counting }) => ({
            ...{ projectId, domain, source, deployment },
            ...counting,
          })),
        ),
      );
    else if (sites.length === 0)
      stderr.write("There are no sites yet. Add one: offprint site add docs.example.com --folder ./docs\n");
    else {
      const rows = sites.map(({ domain, source, deployment }) => [domain, describeSource(source), deployment]);
      stdout.write(formatTable([["DOMAIN", "SOURCE", "DEPLOYMENT"], ...rows]));
    }
  });
}

function describeSource(source: SiteSource): string {
  if (source.kind === "folder") return source.path;
  return [source.url, source.ref && `at ${source.ref}`, source.subfolder && `in ${source.subfolder}`]
    .filter(Boolean)
    .join(" ");
}

/** Calls `use` with the site. @throws {RefusedError} if the organization has none of that domain. */
function withSite(
  { data, organization, domain }: SiteArguments,
  environment: Environment,
  use: (store: Store, site: Project) => Promise<void>,
): Promise<number> {
  return withStore(data, environment, async (store) => {
    const { organizationId, name } = await existingOrganization(store, organization);
    const site = (await store.accounts.projects(organizationId)).find((candidate) => candidate.domain === domain);
    if (!site) throw new RefusedError(`the organization "${name}" has no site ${domain}. See: offprint site list`);
    await use(store, site);
  });
}

function remove(args: SiteArguments, environment: Environment): Promise<number> {
  const { stdout, stderr } = environment;
  return withSite(args, environment, async (store, { organizationId, domain }) => {
    const erased = await erase(store, { kind: "site", organizationId, domain }, commandLineActor());
    stdout.write(`${domain} was removed; its queued and running jobs were ended.\n`);
    if ("erasureId" in erased)
      stderr.write(`Its data is deleted. The receipt: offprint erase show ${erased.erasureId}\n`);
  });
}

function setCounting(args: Awaited<ReturnType<typeof parseCounting>>, environment: Environment): Promise<number> {
  return withSite(args, environment, async ({ accounts }, site) => {
    const { organizationId, domain } = site;
    const { counting } =
      (await accounts.setCounting(organizationId, domain, args.counting, commandLineActor())) ?? site;
    environment.stdout.write(
      `Views of people come from: ${counting.humansFrom}. Views of agents: ${counting.agentsFrom}.\n`,
    );
  });
}

function printSecret(args: SiteArguments, environment: Environment): Promise<number> {
  return withSite(args, environment, async ({ people }, { organizationId, domain, webhookSecret }) => {
    const by = commandLineActor();
    await people.addAuditEntry({ organizationId, ...by, action: "site.secret", subject: domain, detail: "" });
    environment.stdout.write(`${webhookSecret}\n`);
  });
}

function rotateSecret(args: Awaited<ReturnType<typeof parseRotation>>, environment: Environment): Promise<number> {
  return withSite(args, environment, async ({ accounts }, { organizationId, domain }) => {
    const rotated = await accounts.rotateWebhookSecret(organizationId, domain, args.overlapMs, commandLineActor());
    const until = rotated!.oldWebhookSecret!.until.toISOString().slice(0, 16).replace("T", " ");
    environment.stderr.write(`Until ${until} UTC, webhooks are also signed with the old secret.\n`);
    environment.stdout.write(`${rotated!.webhookSecret}\n`);
  });
}
