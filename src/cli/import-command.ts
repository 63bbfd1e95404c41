import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { manifestName } from "../bundle/archive/index.js";
import {
  createDaySalts,
  createSitePages,
  createViewTally,
  type ImportDeps,
  importLogs,
  LogsRefused,
  pagesOf,
  type SitePages,
} from "../service/analytics/index.js";
import type { Project } from "../service/jobs/index.js";
import type { Store } from "../service/open-store.js";
import { commandLine } from "./command-line-actor.js";
import { addressReader, countedProject, kindRule } from "./counting.js";
import { createLog } from "./create-log.js";
import type { Environment } from "./environment.js";
import type { ImportArguments } from "./import-arguments.js";
import { createImportReport } from "./import-report.js";
import { stopOnSignal } from "./stop-on-signal.js";
import { UsageError } from "./usage-error.js";
import { withStore } from "./with-store.js";

/** How often files are looked at for further lines, in milliseconds. */
const followMs = 1000;

/** `offprint analytics import`: once, or until a signal ends it. */
export const run = (args: ImportArguments, environment: Environment): Promise<number> =>
  withStore(args.data, environment, (store) => importInto(store, args, environment));

async function importInto(store: Store, args: ImportArguments, environment: Environment): Promise<number> {
  const project = await countedProject(store, args.domain);
  requireLogs(project);
  const { organizationId, domain: subject } = project;
  const detail = `${args.files.length} files`;
  await store.people.addAuditEntry({ organizationId, ...commandLine(), action: "views.import", subject, detail });
  const { controller, release } = stopOnSignal(environment);
  const { signal } = controller;
  const report = createImportReport();
  try {
    const { prepare, ...deps } = await openImport(store, project, args, environment, signal);
    const seen = new Map<string, string>();
    do {
      const changed = args.files.filter((file) => isChanged(file, seen, args.follow));
      await prepare();
      if (changed.length > 0) report.add(await importLogs(changed, deps));
      if (args.follow) await sleep(followMs, undefined, { signal });
    } while (args.follow);
  } catch (error) {
    if (error instanceof LogsRefused) {
      environment.stderr.write(`offprint: ${error.message}\n${report.unreadable(error.unreadable)}`);
      return 1;
    }
    if (!signal.aborted) throw error;
  } finally {
    release();
  }
  environment.stdout.write(args.json ? report.json() : report.text());
  return 0;
}

async function openImport(
  store: Store,
  project: Project,
  args: ImportArguments,
  environment: Environment,
  signal: AbortSignal,
): Promise<ImportDeps & { prepare(): Promise<void> }> {
  const { projectId, counting } = project;
  const [addressOf, kindOf] = [await addressReader(environment), await kindRule(args.agentRanges)];
  const pages = await pagesFor(store, project, args, environment);
  const salts = createDaySalts(store.accounts, Date.now);
  const tally = createViewTally({ way: "logs", salts, now: Date.now, ...(kindOf && { kindOf }) });
  const site = { projectId, basePath: args.basePath ?? pages.basePath, has: pages.has, ...counting };
  return {
    views: store.views,
    projectId,
    format: args.format,
    signal,
    tally: {
      count: ({ forwardedFor, ...visit }) =>
        tally.count(site, { ...visit, address: addressOf(visit.address, forwardedFor) }),
      take: tally.take,
    },
    prepare: salts.prepare,
  };
}

/** @throws {UsageError} if everything in the logs would be dropped. */
function requireLogs({ domain, counting }: Project): void {
  if (counting.humansFrom === "logs" || counting.agentsFrom === "logs") return;
  throw new UsageError(
    `Views of ${domain} are not counted from logs. Choose for whom they are: offprint site set-counting ${domain} --agents-from logs`,
  );
}

/** @throws {UsageError} if it is not known which pages there are. */
async function pagesFor(
  store: Store,
  { projectId, domain }: Project,
  { bundle }: ImportArguments,
  { stderr }: Environment,
): Promise<SitePages> {
  if (bundle !== undefined) {
    try {
      return pagesOf(JSON.parse(readFileSync(join(bundle, manifestName), "utf8")));
    } catch (cause) {
      throw new UsageError(`--bundle ${bundle} is not the folder of a bundle: ${(cause as Error).message}`);
    }
  }
  const pages = await createSitePages({ store, log: createLog(stderr, Date.now), now: Date.now }).of(projectId);
  if (pages) return pages;
  throw new UsageError(
    `The service has no export of ${domain}. Name the folder of its bundle: --bundle ./offprint-out`,
  );
}

/** Whether lines were added or the file was replaced. While it is followed it may be missing, as it is rotated. */
function isChanged(file: string, seen: Map<string, string>, isFollowed: boolean): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  const state = stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : "";
  const isNew = state !== seen.get(file) && (state !== "" || !isFollowed);
  seen.set(file, state);
  return isNew;
}
