import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { erase } from "../../service/erase.js";
import { checkSource, SourceFault } from "../../service/git/checkout/index.js";
import { type Counting, DomainTakenError, type Project, type SiteSource } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import type { Input } from "../command.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";
import { accountOf, deploymentOf, oneOf, overlapOf, parseDomain } from "../options.js";
import { formatTable, jsonLines } from "../print/terminal.js";
import { commandLineActor, emptyListText, existingOrganization, reportOthers, storeCommand } from "../with-store.js";
import type texts from "./texts/site.json";

export const commands = {
  "site add": storeCommand(parseAdd, add),
  "site list": storeCommand(parseList, list),
  "site remove": storeCommand(parseOne, remove),
  "site set-counting": storeCommand(parseCounting, setCounting),
  "site secret": storeCommand(parseOne, printSecret),
  "site rotate-secret": storeCommand(parseRotation, rotateSecret),
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
    if (git === undefined && value !== undefined) throw new UsageError(`--${name} can only be used with --git.`);
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
    throw new UsageError('"offprint site set-counting" needs --humans-from, --agents-from, or both.');
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

async function add(args: Awaited<ReturnType<typeof parseAdd>>, store: Store, environment: Environment): Promise<void> {
  const { organizationId } = await store.accounts.organization(args.organization, undefined, commandLineActor());
  const { projectId } = await addSite(store, organizationId, args);
  environment.stdout.write(
    `${args.domain} is exported from ${describeSource(args.source)}. Its project: ${projectId}.\n`,
  );
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

async function list(args: ReturnType<typeof parseList>, store: Store, environment: Environment): Promise<void> {
  const { stdout, stderr } = environment;
  const { accounts } = store;
  const { organizationId, name } = await existingOrganization(store, args.organization);
  const sites = await accounts.projects(organizationId);
  await reportOthers(store, name, "sites", async (id) => (await accounts.projects(id)).length, environment);
  if (args.json)
    stdout.write(
      jsonLines(
        sites.map(({ projectId, domain, identifier, source, deployment, counting }) => ({
          ...{ projectId, domain, identifier, source, deployment },
          ...counting,
        })),
      ),
    );
  else if (sites.length === 0) stderr.write(emptyListText("sites", args.data, environment));
  else {
    const rows = sites.map(({ domain, projectId, identifier, source, deployment }) => [
      ...[domain, projectId, identifier, describeSource(source), deployment],
    ]);
    stdout.write(formatTable([["DOMAIN", "PROJECT ID", "IDENTIFIER", "SOURCE", "DEPLOYMENT"], ...rows]));
  }
}

function describeSource(source: SiteSource): string {
  if (source.kind === "folder") return source.path;
  return [source.url, source.ref && `at ${source.ref}`, source.subfolder && `in ${source.subfolder}`]
    .filter(Boolean)
    .join(" ");
}

/** @throws {RefusedError} if the organization has no such site. */
async function siteOf({ organization, domain }: SiteArguments, store: Store): Promise<Project> {
  const { organizationId, name } = await existingOrganization(store, organization);
  const site = (await store.accounts.projects(organizationId)).find((candidate) => candidate.domain === domain);
  if (site) return site;
  throw new RefusedError(`the organization "${name}" has no site ${domain}. See: offprint site list`);
}

async function remove(args: SiteArguments, store: Store, { stdout, stderr }: Environment): Promise<void> {
  const { organizationId, domain } = await siteOf(args, store);
  const erased = await erase(store, { kind: "site", organizationId, domain }, commandLineActor());
  stdout.write(`${domain} was removed; its queued and running jobs were cancelled.\n`);
  if ("erasureId" in erased)
    stderr.write(`Its data is deleted. To see the receipt: offprint erase show ${erased.erasureId}\n`);
}

async function setCounting(
  args: Awaited<ReturnType<typeof parseCounting>>,
  store: Store,
  { stdout }: Environment,
): Promise<void> {
  const site = await siteOf(args, store);
  const { organizationId, domain } = site;
  const changed = await store.accounts.setCounting(organizationId, domain, args.counting, commandLineActor());
  const { humansFrom, agentsFrom } = (changed ?? site).counting;
  stdout.write(`Views by people are counted from: ${humansFrom}. Views by agents: ${agentsFrom}.\n`);
}

async function printSecret(args: SiteArguments, store: Store, { stdout }: Environment): Promise<void> {
  const { organizationId, domain, webhookSecret } = await siteOf(args, store);
  const entry = { action: "site.secret", subject: domain, detail: "" } as const;
  await store.people.addAuditEntry({ organizationId, ...commandLineActor(), ...entry });
  stdout.write(`${webhookSecret}\n`);
}

async function rotateSecret(
  args: Awaited<ReturnType<typeof parseRotation>>,
  store: Store,
  { stdout, stderr }: Environment,
): Promise<void> {
  const { organizationId, domain } = await siteOf(args, store);
  const rotated = await store.accounts.rotateWebhookSecret(organizationId, domain, args.overlapMs, commandLineActor());
  const until = rotated!.oldWebhookSecret!.until.toISOString().slice(0, 16).replace("T", " ");
  stderr.write(`Until ${until} UTC, webhooks are also signed with the old secret.\n`);
  stdout.write(`${rotated!.webhookSecret}\n`);
}
