import type { Log } from "../../lib/log.js";
import type { AccountStore, JobStore, Project, SearchSeen, ViewStore } from "../jobs/index.js";
import type { ObjectStore } from "../store/index.js";
import { openViewCounter } from "./counter.js";
import { createDaySalts, visitorHash } from "./day-salts.js";
import { createSitePages, type SitePages, type SitePagesReader } from "./site-pages.js";
import type { CountOutcome } from "./view-tally.js";
import type { Visit } from "./visit-kind.js";
import { kindOf } from "./visit-kind.js";

export interface CollectorDeps {
  readonly store: {
    readonly accounts: Pick<AccountStore, "projectByDomain" | "salt">;
    readonly jobs: Pick<JobStore, "newestExports">;
    readonly objects: Pick<ObjectStore, "read">;
    readonly views: Pick<ViewStore, "add" | "addSearches">;
  };
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Which pages a site has; by default those of its newest export for each audience. */
  readonly pages?: SitePagesReader;
}

/** What became of a message: the kind that was counted, `search`, or why nothing was counted. */
export type CollectOutcome =
  | CountOutcome
  | "search-query"
  | "unknown-site"
  | "no-export"
  | "origin"
  | "invalid"
  | "opted-out"
  | "unavailable";

/** What is known of the sender. */
export interface Sender extends Pick<Visit, "address" | "headers"> {
  /** Of the page, as its browser says. */
  readonly origin: string | undefined;
}

/** Takes what the pages of sites say of their readers. */
export interface Collector {
  /** @param message `{p, w?}`: a page was seen; `{q, n, c?}`: readers looked for something. Not trusted. */
  collect(domain: string, message: unknown, sender: Sender): Promise<CollectOutcome>;
  /** Stores what was collected. */
  flush(): Promise<void>;
  /** Flushes, and stops. */
  close(): Promise<void>;
}

/** How long a site is remembered. */
const siteMs = 10_000;
const mostSites = 1000;
const storeSearchesMs = 1000;
/** Searches that wait while the database does not answer; further ones are dropped. */
const mostSearches = 5000;
const longestPath = 800;
const longestQuery = 100;

export async function openCollector({ store, log, now = Date.now, pages: given }: CollectorDeps): Promise<Collector> {
  const { accounts, views } = store;
  const counter = await openViewCounter({ way: "beacon", views, accounts, log, now });
  const pagesReader = given ?? createSitePages({ store, log, now });
  const siteOf = createSites(accounts, now);
  const searches = await openSearches(store, log, now);

  const countView = (project: Project, pages: SitePages, message: Message, sender: Sender): CollectOutcome => {
    const { projectId, counting } = project;
    const { address, headers } = sender;
    // The path is that within the site.
    const site = { projectId, basePath: "", has: pages.has, ...counting };
    const path = message.p!;
    return counter.count(site, { method: "GET", path, status: 200, address, headers, isAutomated: message.w === 1 });
  };

  return {
    async collect(domain, sent, sender) {
      const message = readMessage(sent);
      if (!message) return "invalid";
      const project = await siteOf(domain);
      if (!project) return "unknown-site";
      const pages = await pagesReader.of(project.projectId);
      if (!isOf(sender.origin, project, pages)) return "origin";
      if (!pages) return "no-export";
      if (message.p !== undefined) return countView(project, pages, message, sender);
      return searches.add(project.projectId, pages, message, sender);
    },
    async flush() {
      await Promise.all([counter.flush(), searches.flush()]);
    },
    async close() {
      await Promise.all([counter.close(), searches.close()]);
    },
  };
}

interface Message {
  readonly p?: string;
  readonly w?: unknown;
  readonly q?: string;
  readonly n?: number;
  readonly c?: string;
}

function readMessage(given: unknown): Message | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { p, w, q, n, c } = given as Readonly<Record<string, unknown>>;
  const isPath = (value: unknown): value is string =>
    typeof value === "string" && value.startsWith("/") && value.length <= longestPath;
  if (isPath(p)) return { p, w };
  if (typeof q !== "string" || typeof n !== "number" || !Number.isInteger(n) || n < 0 || n > 1000) return undefined;
  const query = q.trim().replace(/\s+/g, " ").slice(0, longestQuery);
  return query.length < 2 ? undefined : { q: query, n, ...(isPath(c) && { c }) };
}

/** Only pages of the site itself are listened to. */
function isOf(origin: string | undefined, { domain }: Project, pages: SitePages | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  return new URL(origin).host === domain || origin === pages?.origin;
}

/** Sites by domain, and domains without a site, for a while. */
function createSites(accounts: CollectorDeps["store"]["accounts"], now: () => number) {
  const known = new Map<string, { readonly at: number; readonly project: Promise<Project | undefined> }>();
  return (domain: string): Promise<Project | undefined> => {
    const found = known.get(domain);
    if (found && Math.abs(now() - found.at) < siteMs) return found.project;
    const project = accounts.projectByDomain(domain);
    known.delete(domain);
    known.set(domain, { at: now(), project });
    project.catch(() => known.delete(domain));
    if (known.size > mostSites) known.delete(known.keys().next().value!);
    return project;
  };
}

/** Stores searches together, about once a second. */
async function openSearches({ accounts, views }: CollectorDeps["store"], log: Log, now: () => number) {
  const salts = createDaySalts(accounts, now);
  let waiting: SearchSeen[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const stored = waiting;
    waiting = [];
    try {
      await salts.prepare();
      await views.addSearches(stored);
    } catch (error) {
      log("warn", "searches were not stored, retrying", { error: String(error) });
      waiting = [...stored, ...waiting].slice(0, mostSearches);
      schedule();
    }
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => void flush(), storeSearchesMs).unref();
  };
  await salts
    .prepare()
    .catch((error: unknown) => log("warn", "searches wait for the database", { error: String(error) }));
  return {
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
    },
    add(projectId: string, pages: SitePages, message: Message, { address, headers }: Sender): CollectOutcome {
      if (kindOf({ method: "GET", path: "/", status: 200, address, headers }, "page") !== 0) return "bot";
      const at = now();
      const salt = salts.of(Math.floor(at / (24 * 60 * 60_000)));
      if (salt === undefined || address === undefined || waiting.length >= mostSearches) return "unavailable";
      // A query is shown once three readers asked it, so readers who opt out of being recognized do not count.
      if (headers["sec-gpc"] === "1" || headers.dnt === "1") return "opted-out";
      const visitor = visitorHash(salt, projectId, address, headers["user-agent"] ?? "");
      const seen = { projectId, at, query: message.q!, visitor, results: message.n! };
      waiting.push(seen);
      if (message.c !== undefined && pages.has(message.c)) waiting.push({ ...seen, clicked: message.c });
      schedule();
      return "search-query";
    },
  };
}
