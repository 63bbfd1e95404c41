import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { manifestName } from "../../bundle/archive/index.js";
import * as analytics from "../../service/analytics/index.js";
import type { Project } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import type { Input } from "../command.js";
import { addressReader, countedProject, kindRule } from "../count-answers.js";
import { type Environment, RefusedError, stopOnSignal, UsageError } from "../environment.js";
import { oneOf, parseDomain } from "../options.js";
import { createLog } from "../print/terminal.js";
import { commandLineActor, storeCommand } from "../with-store.js";
import type texts from "./texts/analytics.json";

export const commands = { "analytics import": storeCommand(parse, run) };

const logFormats: readonly analytics.LogFormat[] = ["combined", "cloudfront", "json"];

async function parse({ argument, rest, values }: Input<typeof texts, "analytics import">) {
  const { format, follow = false, bundle, data, json = false } = values;
  const basePath = values["base-path"];
  if (format === undefined)
    throw new UsageError(`"offprint analytics import" needs --format, one of ${logFormats.join(", ")}.`);
  if (basePath !== undefined && !/^(?:\/[\w.~-]+)*\/?$/.test(basePath))
    throw new UsageError(`--base-path must be a path such as /docs or /a/b, not "${basePath}".`);
  return {
    domain: await parseDomain(argument),
    files: rest,
    format: oneOf("--format", format, logFormats),
    follow,
    /** Folder of the exported bundle, whose pages are counted. Default: the newest export of the service. */
    bundle,
    basePath: basePath?.replace(/\/+$/, ""),
    agentRanges: values["agent-ranges"],
    data,
    json,
  };
}
type ImportArguments = Awaited<ReturnType<typeof parse>>;

/** How often files are checked for further lines, in milliseconds. */
const followMs = 1000;

/** Reads the logs once, or until a signal ends it. */
async function run(args: ImportArguments, store: Store, environment: Environment): Promise<void> {
  const project = await countedProject(store, args.domain);
  requireLogs(project);
  const { organizationId, domain: subject } = project;
  const detail = `${args.files.length} files`;
  await store.people.addAuditEntry({ organizationId, ...commandLineActor(), action: "views.import", subject, detail });
  const { controller, release } = stopOnSignal(environment);
  const { signal } = controller;
  const total = analytics.createImportCount();
  let unchanged: readonly string[] = [];
  try {
    const { prepare, ...deps } = await openImport(store, project, args, environment, signal);
    const states = new Map<string, string>();
    do {
      const changed = args.files.filter((file) => isChanged(file, states, args.follow));
      await prepare();
      if (changed.length > 0) {
        const imported = await analytics.importLogs(changed, deps);
        total.add(imported);
        ({ unchanged } = imported);
      }
      if (args.follow) await sleep(followMs, undefined, { signal });
    } while (args.follow);
  } catch (error) {
    if (error instanceof analytics.LogsRefused)
      throw new RefusedError(`${error.message}\n${unreadableText(error.unreadable)}`.trimEnd());
    if (!signal.aborted) throw error;
  } finally {
    release();
  }
  const summary = { ...total.result(), unchanged };
  environment.stdout.write(
    args.json
      ? `${JSON.stringify({ ...summary, outcomes: Object.fromEntries(summary.outcomes) })}\n`
      : summaryText(summary),
  );
  environment.stderr.write(droppedText(project));
}

async function openImport(
  store: Store,
  project: Project,
  args: ImportArguments,
  environment: Environment,
  signal: AbortSignal,
): Promise<analytics.ImportDeps & { prepare(): Promise<void> }> {
  const { projectId, counting } = project;
  const addressOf = addressReader(environment);
  const kindOf = await kindRule(args.agentRanges);
  const pages = await pagesFor(store, project, args, environment);
  const salts = analytics.createDaySalts(store.accounts, Date.now);
  const tally = analytics.createViewTally({ way: "logs", salts, now: Date.now, ...(kindOf && { kindOf }) });
  const basePath = args.basePath ?? pages.basePath;
  const siteOf = (counted: readonly analytics.ViewerKind[]) => ({
    ...{ projectId, basePath, has: pages.has },
    humansFrom: counted.includes("humans") ? ("logs" as const) : ("server" as const),
    agentsFrom: counted.includes("agents") ? ("logs" as const) : ("server" as const),
  });
  return {
    views: store.views,
    projectId,
    format: args.format,
    kinds: kindsFromLogs(counting),
    signal,
    tally: {
      count: ({ forwardedFor, ...visit }, counted) =>
        tally.count(siteOf(counted), { ...visit, address: addressOf(visit.address, forwardedFor) }),
      take: tally.take,
    },
    prepare: salts.prepare,
  };
}

const kindsFromLogs = ({ humansFrom, agentsFrom }: Project["counting"]): readonly analytics.ViewerKind[] => [
  ...(humansFrom === "logs" ? (["humans"] as const) : []),
  ...(agentsFrom === "logs" ? (["agents"] as const) : []),
];

/** @throws {UsageError} if everything in the logs would be dropped. */
function requireLogs({ domain, counting }: Project): void {
  if (kindsFromLogs(counting).length > 0) return;
  throw new UsageError(
    `The views of ${domain} are not set to be counted from logs. To count people and agents from logs, run: ${setCounting(domain)}`,
  );
}

const setCounting = (domain: string): string =>
  `offprint site set-counting ${domain} --humans-from logs --agents-from logs`;

/** Reports views that are dropped because `offprint serve` counts them, the default: the choice may be forgotten. */
function droppedText({ domain, counting }: Project): string {
  const { humansFrom, agentsFrom } = counting;
  if (humansFrom !== "server" && agentsFrom !== "server") return "";
  const kind = humansFrom === "server" ? "people" : "agents";
  return `Views of ${kind} were not counted, because for ${domain} "offprint serve" counts them. To count them from these logs as well, run this and import again: ${setCounting(domain)}\n`;
}

/** @throws {UsageError} if neither a bundle nor an export lists the pages. */
async function pagesFor(
  store: Store,
  { projectId, domain }: Project,
  { bundle }: ImportArguments,
  { stderr }: Environment,
): Promise<analytics.SitePages> {
  if (bundle !== undefined) {
    try {
      return analytics.pagesOf(JSON.parse(readFileSync(join(bundle, manifestName), "utf8")));
    } catch (cause) {
      throw new UsageError(`--bundle ${bundle} is not a bundle folder: ${(cause as Error).message}`);
    }
  }
  const pages = await analytics
    .createSitePages({ store, log: createLog(stderr, Date.now), now: Date.now })
    .of(projectId);
  if (pages) return pages;
  throw new UsageError(
    `The service has not exported ${domain} yet. Give the folder of its bundle: --bundle ./offprint-out`,
  );
}

/** Whether lines were added or the file was replaced. A file that is followed may be missing while it is rotated. */
function isChanged(file: string, states: Map<string, string>, isFollowed: boolean): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  const state = stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : "";
  const isNew = state !== states.get(file) && (state !== "" || !isFollowed);
  states.set(file, state);
  return isNew;
}

const labels: Readonly<Record<analytics.CountOutcome, string>> = {
  human: "people",
  ai: "AI agents",
  search: "search engines",
  training: "training crawlers",
  otherAi: "other bots of AI firms",
  bot: "other bots",
  missing: "URLs without a page",
  "no-page": "other files",
  "other-way": "counted elsewhere",
  method: "other methods",
  status: "other statuses",
  prefetch: "prefetches and previews",
};
const counted: readonly analytics.CountOutcome[] = ["human", "ai", "search", "training", "otherAi", "bot"];

function summaryText({ lines, outcomes, unreadable, unchanged }: analytics.ImportSummary): string {
  const listed = (names: readonly analytics.CountOutcome[]): string =>
    names
      .filter((name) => outcomes.has(name))
      .map((name) => `  ${String(outcomes.get(name)).padStart(9)}  ${labels[name]}\n`)
      .join("");
  const rest = (Object.keys(labels) as analytics.CountOutcome[]).filter((name) => !counted.includes(name));
  const sections = [`New lines: ${lines}\n`];
  if (listed(counted)) sections.push(`Views:\n${listed(counted)}`);
  if (listed(rest)) sections.push(`Not counted as views:\n${listed(rest)}`);
  if (unchanged.length > 0) sections.push(`Nothing new in: ${unchanged.join(", ")}\n`);
  if (unreadable.count > 0) sections.push(`Unreadable lines: ${unreadable.count}\n${unreadableText(unreadable)}`);
  return sections.join("");
}

const unreadableText = ({ count, examples }: analytics.ImportSummary["unreadable"]): string =>
  [
    ...examples.map(({ file, line }) => `  ${file}, line ${line} of the new ones\n`),
    ...(count > examples.length ? ["  …\n"] : []),
  ].join("");
