import { fieldsOf } from "../../lib/json/index.js";
import type { Log } from "../../lib/log.js";
import {
  type AccountStore,
  dayOf,
  type JobStore,
  type Project,
  type SearchSeen,
  type ViewStore,
} from "../jobs/index.js";
import type { ObjectStore } from "../store/index.js";
import { openViewCounter } from "./counter.js";
import { createSitePages, type SitePages, type SitePagesReader } from "./site-pages.js";
import { type CountOutcome, createDaySalts, sitePathOf, visitorHash } from "./view-tally.js";
import { kindOf, type Visit } from "./visit-kind.js";

export interface CollectorDeps {
  readonly store: {
    readonly accounts: Pick<AccountStore, "projectByDomain" | "salt">;
    readonly jobs: Pick<JobStore, "newestExports">;
    readonly objects: Pick<ObjectStore, "read">;
    readonly views: Pick<ViewStore, "add" | "addSearches" | "addFeedback">;
  };
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Reads which pages a site has. Default: those of its newest export for each audience. */
  readonly pages?: SitePagesReader;
}

/** The kind that was counted, `search-query` for a stored search, `feedback` for a stored thumb, or why nothing was counted. */
export type CollectOutcome =
  | CountOutcome
  | "search-query"
  | "feedback"
  | "unknown-site"
  | "no-export"
  | "origin"
  | "invalid"
  | "opted-out"
  | "unavailable";

export interface Sender extends Pick<Visit, "address" | "headers"> {
  /** The `Origin` header, which names the site of the page. */
  readonly origin: string | undefined;
}

/** How long a site is cached. */
const siteMs = 10_000;
const maxSites = 1000;
const storeSearchesMs = 1000;
/** Searches that wait while the database does not answer; further ones are dropped. */
const maxSearches = 5000;
const maxPathLength = 800;
const maxQueryLength = 100;

export type Collector = Awaited<ReturnType<typeof openCollector>>;

/** Collects the messages that scripts in the pages of sites send about their readers. */
export async function openCollector({ store, log, now = Date.now, pages }: CollectorDeps) {
  const { accounts, views } = store;
  const counter = await openViewCounter({ way: "beacon", views, accounts, log, now });
  const pagesReader = pages ?? createSitePages({ store, log, now });
  const siteOf = createSites(accounts, now);
  const searches = await openSearches(store, log, now);

  const countView = (project: Project, pages: SitePages, message: Message, sender: Sender): CollectOutcome => {
    const { address, headers } = sender;
    // The path is relative to the site.
    const site = { projectId: project.projectId, basePath: "", has: pages.has, ...project.counting };
    const isAutomated = message.w === 1;
    return counter.count(site, { method: "GET", path: message.p!, status: 200, address, headers, isAutomated });
  };

  const rate = async (
    { projectId }: Project,
    pages: SitePages,
    { p: path, h }: Message,
    { address, headers }: Sender,
  ): Promise<CollectOutcome> => {
    const page = sitePathOf(path!, "")?.path;
    if (page === undefined || !pages.has(page)) return "missing";
    if (kindOf({ method: "GET", path: "/", status: 200, address, headers }, "page") !== 0) return "bot";
    await views.addFeedback({ projectId, path: page, helpful: h === 1, at: now() });
    return "feedback";
  };

  return {
    /** @param body `{p, w?}`: a page was seen; `{p, h}`: a thumb for it; `{q, n, c?}`: a search. Not trusted. */
    async collect(domain: string, body: unknown, sender: Sender): Promise<CollectOutcome> {
      const message = readMessage(body);
      if (!message) return "invalid";
      const project = await siteOf(domain);
      if (!project) return "unknown-site";
      const pages = await pagesReader.of(project.projectId);
      if (!isOriginOf(sender.origin, project, pages)) return "origin";
      if (!pages) return "no-export";
      if (message.h !== undefined) return rate(project, pages, message, sender);
      if (message.p !== undefined) return countView(project, pages, message, sender);
      return searches.add(project.projectId, pages, message, sender);
    },
    /** Stores the collected messages. */
    async flush(): Promise<void> {
      await Promise.all([counter.flush(), searches.flush()]);
    },
    /** Flushes, and stops. */
    async close(): Promise<void> {
      await Promise.all([counter.close(), searches.close()]);
    },
  };
}

interface Message {
  /** Path of a page that was seen. */
  readonly p?: string;
  /** 1: a script drives the browser. */
  readonly w?: unknown;
  /** A thumb for the page: 1 up, 0 down. */
  readonly h?: 0 | 1;
  /** A query, the number of its results, and the path of the result that was opened. */
  readonly q?: string;
  readonly n?: number;
  readonly c?: string;
}

function readMessage(body: unknown): Message | undefined {
  const { p, w, h, q, n, c } = fieldsOf(body);
  const isPath = (value: unknown): value is string =>
    typeof value === "string" && value.startsWith("/") && value.length <= maxPathLength;
  if (h !== undefined && h !== 0 && h !== 1) return undefined;
  if (isPath(p)) return { p, w, ...(h !== undefined && { h }) };
  if (typeof q !== "string" || typeof n !== "number" || !Number.isInteger(n) || n < 0 || n > 1000) return undefined;
  const query = q.trim().replace(/\s+/g, " ").slice(0, maxQueryLength);
  return query.length < 2 ? undefined : { q: query, n, ...(isPath(c) && { c }) };
}

/** Only pages of the site itself may send messages about it. */
function isOriginOf(origin: string | undefined, { domain }: Project, pages: SitePages | undefined): boolean {
  const host = origin && URL.parse(origin)?.host;
  return Boolean(host) && (host === domain || origin === pages?.origin);
}

/** Caches the sites of domains, also of domains without a site. */
function createSites(accounts: CollectorDeps["store"]["accounts"], now: () => number) {
  const sites = new Map<string, { readonly at: number; readonly project: Promise<Project | undefined> }>();
  return (domain: string): Promise<Project | undefined> => {
    const cached = sites.get(domain);
    if (cached && Math.abs(now() - cached.at) < siteMs) return cached.project;
    const project = accounts.projectByDomain(domain);
    sites.delete(domain);
    sites.set(domain, { at: now(), project });
    project.catch(() => sites.delete(domain));
    if (sites.size > maxSites) sites.delete(sites.keys().next().value!);
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
    const batch = waiting;
    waiting = [];
    try {
      await salts.prepare();
      await views.addSearches(batch);
    } catch (error) {
      log("warn", "failed to store searches, retrying", { error: String(error) });
      waiting = [...batch, ...waiting].slice(0, maxSearches);
      schedule();
    }
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => void flush(), storeSearchesMs).unref();
  };
  await salts
    .prepare()
    .catch((error: unknown) =>
      log("warn", "failed to read the daily salt; searches are kept until it can be read", { error: String(error) }),
    );
  return {
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
    },
    add(projectId: string, pages: SitePages, message: Message, { address, headers }: Sender): CollectOutcome {
      if (kindOf({ method: "GET", path: "/", status: 200, address, headers }, "page") !== 0) return "bot";
      const at = now();
      const salt = salts.of(dayOf(at));
      if (salt === undefined || address === undefined || waiting.length >= maxSearches) return "unavailable";
      // A query is shown once three readers have asked it, for which they would have to be recognized.
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
