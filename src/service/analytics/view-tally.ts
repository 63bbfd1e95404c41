import { hash, randomBytes } from "node:crypto";
import { networkOf, wantsMarkdown } from "../../lib/http/index.js";
import { decodePercent } from "../../lib/url/index.js";
import * as jobs from "../jobs/index.js";
import { type KindName, type KindRule, kindNames, kindOf, rulesVersion, type Visit } from "./visit-kind.js";

/** How views are observed: by the server that responds, by a script in the page, or in the logs of another server. */
export type Way = "server" | "beacon" | "logs";

export interface CountedSite {
  readonly projectId: string;
  /** Folder of the site on its host, without trailing slash: `""` or `/docs`. */
  readonly basePath: string;
  /** Whether the export has a page with this path (`/guides/install`), or a file such as `/llms.txt`. */
  has(path: string): boolean;
  /** The only way whose views of people count. */
  readonly humansFrom: Way;
  /** The only way whose views of agents and bots count. */
  readonly agentsFrom: "server" | "logs";
}

/** Files for agents, which are counted by their own paths. */
const agentFiles = new Set(["/llms.txt", "/llms-full.txt", "/skill.md"]);

export interface SitePath {
  /** Of a page: `/guides/install`; the start page is `/`. */
  readonly path: string;
  readonly isMarkdown: boolean;
}

/** The page at an address: `/a/`, `/a.html`, `/a.md` and `/a/index.html` are `/a`. Undefined outside of the site. */
export function sitePathOf(address: string, basePath: string): SitePath | undefined {
  const decoded = decodePercent(address.replace(/[?#].*$/s, ""));
  if (!decoded.startsWith(`${basePath}/`) && decoded !== basePath) return undefined;
  const file = decoded.slice(basePath.length);
  if (agentFiles.has(file)) return { path: file, isMarkdown: true };
  const isMarkdown = file.endsWith(".md");
  const path = file
    .replace(/\.(?:html|md)$/, "")
    .replace(/\/+$/, "")
    .replace(/\/index$/, "");
  return { path: path === "" ? "/" : path, isMarkdown };
}

/**
 * The kind that was counted, `missing` for an address without a page that was counted, or why nothing was counted: not
 * a GET request, another status, a prefetch or preview, an address without a page, a view that another way counts. The
 * beacon counts people only: for it, another kind is the reason why nothing was counted.
 */
export type CountOutcome = KindName | "missing" | "method" | "status" | "prefetch" | "no-page" | "other-way";

export interface TallyDeps {
  readonly way: Way;
  readonly salts: Pick<DaySalts, "of">;
  /** Default: decides by the headers of the request. */
  readonly kindOf?: KindRule;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Sums<Row> = { -readonly [name in keyof Row]: Row[name] };
/** The visitors of a page on a day. */
type PageVisitors = Omit<jobs.VisitorSeen, "visitor"> & { readonly visitors: Set<string> };
/** Views of a page on a day, and who saw it. */
type Hits = Sums<jobs.ViewCount> & { readonly visitors: PageVisitors | undefined };

/** Sums of views, in memory. */
export function createViewTally({ way, salts, now, kindOf: kindIn = kindOf }: TallyDeps) {
  let size = 0;
  /** By project, then by day and kind, then by path. Nested maps, since joining all four into a key takes time for each hit. */
  let hits = new Map<string, Map<number, Map<string, Hits>>>();
  let visitors = new Map<string, PageVisitors>();
  let missing = new Map<string, Sums<jobs.MissingCount>>();

  const addMissing = (projectId: string, path: string, at: number): void => {
    const create = (): Sums<jobs.MissingCount> => ({ projectId, path, views: 0, lastSeenAt: at });
    const row = getOrCreate(missing, `${projectId} ${path}`, create);
    row.views += 1;
    row.lastSeenAt = Math.max(row.lastSeenAt, at);
  };

  const hitsOf = (projectId: string, day: number, kind: jobs.ViewKind, path: string): Hits => {
    const days = getOrCreate(hits, projectId, () => new Map<number, Map<string, Hits>>());
    const pages = getOrCreate(days, day * kindNames.length + kind, () => new Map<string, Hits>());
    const create = (): Hits => ({
      projectId,
      day,
      path,
      kind,
      views: 0,
      visitors: visitorsOf(projectId, day, kind, path),
    });
    return getOrCreate(pages, path, create);
  };

  const visitorsOf = (projectId: string, day: number, kind: jobs.ViewKind, path: string): PageVisitors | undefined => {
    if (kind !== 0 && kind !== 1) return undefined;
    const create = (): PageVisitors => ({ projectId, day, path, kind, visitors: new Set() });
    return getOrCreate(visitors, `${projectId} ${day} ${kind} ${path}`, create);
  };

  const addVisitor = ({ projectId, day, visitors }: PageVisitors, { address, headers }: Visit): void => {
    if (address === undefined || headers["sec-gpc"] === "1" || headers.dnt === "1") return;
    const salt = salts.of(day);
    if (salt !== undefined) visitors.add(visitorHash(salt, projectId, address, headers["user-agent"] ?? ""));
  };

  return {
    count(site: CountedSite, visit: Visit): CountOutcome {
      const { status, headers } = visit;
      if (visit.method !== "GET") return "method";
      if (/prefetch|prerender/i.test(headers["sec-purpose"] ?? "") || /preview/i.test(headers["x-purpose"] ?? ""))
        return "prefetch";
      if (status !== 200 && status !== 304 && status !== 404) return "status";
      const { projectId } = site;
      const page = sitePathOf(visit.path, site.basePath);
      if (!page || (status !== 404 && !site.has(page.path))) return "no-page";
      const isMarkdown = visit.isMarkdown ?? (page.isMarkdown || wantsMarkdown(headers.accept));
      const kind = kindIn(visit, isMarkdown ? "markdown" : "page");
      if (kind === 0 ? site.humansFrom !== way : site.agentsFrom !== way)
        return way === "beacon" && kind !== 0 ? kindNames[kind] : "other-way";
      if (status === 404 && kind > 1) return "status";
      const at = Math.min(visit.at ?? now(), now());
      size += 1;
      if (status === 404) {
        addMissing(projectId, page.path, at);
        return "missing";
      }
      const row = hitsOf(projectId, jobs.dayOf(at), kind, page.path);
      row.views += 1;
      if (row.visitors) addVisitor(row.visitors, visit);
      return kindNames[kind];
    },
    /** Views since the last `take`. */
    get size(): number {
      return size;
    },
    /** The sums since the last `take`. */
    take(): jobs.ViewCounts {
      const counts = {
        hits: [...hits.values()].flatMap((days) => [...days.values()].flatMap((pages) => [...pages.values()])),
        missing: [...missing.values()],
        visitors: [...visitors.values()].flatMap(({ visitors, ...page }) =>
          Array.from(visitors, (visitor) => ({ ...page, visitor })),
        ),
        rules: rulesVersion,
      };
      size = 0;
      hits = new Map();
      visitors = new Map();
      missing = new Map();
      return counts;
    },
  };
}

function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const value = create();
  map.set(key, value);
  return value;
}

/** How long before midnight the next salt is read. */
const earlyMs = 10 * 60_000;
/** Past days whose salts are in memory. */
const maxDays = 1000;

export type DaySalts = ReturnType<typeof createDaySalts>;

/** Salts of the days of UTC, with which visitors are hashed: without them, nobody can tell who a visitor was. */
export function createDaySalts(accounts: Pick<jobs.AccountStore, "salt">, now: () => number) {
  const salts = new Map<number, string>();
  return {
    /** Reads the salt of today, and before midnight that of tomorrow. All processes share them. */
    async prepare(): Promise<void> {
      for (const day of new Set([jobs.dayOf(now()), jobs.dayOf(now() + earlyMs)]))
        if (!salts.has(day)) salts.set(day, await accounts.salt(`visitors ${day}`, (day + 1) * jobs.dayMs));
    },
    /**
     * The salt of a day; undefined if today's has not been read yet. Stored salts are deleted after their day, so for a
     * past day each process creates one that it does not store: visitors are recognized only within one import of logs.
     */
    of(day: number): string | undefined {
      const cached = salts.get(day);
      if (cached !== undefined || day >= jobs.dayOf(now())) return cached;
      if (salts.size >= maxDays) salts.delete(salts.keys().next().value!);
      const salt = randomBytes(32).toString("hex");
      salts.set(day, salt);
      return salt;
    },
  };
}

/**
 * Identifies a reader of a site on a day: 8 bytes from which neither the address nor the user agent can be read. They
 * are part of a hash that begins with a secret, as safe as an HMAC and five times as fast.
 */
export const visitorHash = (salt: string, projectId: string, address: string, userAgent: string): string =>
  hash("sha256", `${salt}\n${projectId}\n${networkOf(address)}\n${userAgent}`, "base64url").slice(0, 11);
