import { wantsMarkdown } from "../../lib/http/index.js";
import type { MissingCount, ViewCount, ViewCounts, VisitorSeen } from "../jobs/index.js";
import type { CountedSite, Way } from "./counted-site.js";
import { type DaySalts, visitorHash } from "./day-salts.js";
import { type KindName, kindNames, type Visit } from "./kind.js";
import { type KindRule, kindOf, rulesVersion } from "./kind-of.js";
import { sitePathOf } from "./site-path.js";

/**
 * The kind that was counted, or why nothing was: no GET request, another status, a prefetch or preview, an address
 * without a page, a view that another way counts. `missing`: counted as an address without a page. Of the beacon, a kind
 * other than `human` is why nothing was counted.
 */
export type CountOutcome = KindName | "missing" | "method" | "status" | "prefetch" | "no-page" | "other-way";

export interface TallyDeps {
  /** How the views are seen. */
  readonly way: Way;
  readonly salts: Pick<DaySalts, "of">;
  /** Who reads; by default what the request says of itself. */
  readonly kindOf?: KindRule;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Sums of views in memory. */
export interface ViewTally {
  count(site: CountedSite, visit: Visit): CountOutcome;
  /** Hits since the last `take`. */
  readonly size: number;
  /** The sums, which begin again. */
  take(): ViewCounts;
}

type Counted<Row> = { -readonly [name in keyof Row]: Row[name] };
const hourMs = 60 * 60_000;

export function createViewTally({ way, salts, now, kindOf: kindIn = kindOf }: TallyDeps): ViewTally {
  let size = 0;
  let hits = new Map<string, Counted<ViewCount>>();
  let missing = new Map<string, Counted<MissingCount>>();
  let visitors = new Map<string, VisitorSeen>();

  const addMissing = (projectId: string, path: string, at: number): void => {
    const key = `${projectId} ${path}`;
    const row = missing.get(key);
    if (row) {
      row.views += 1;
      row.lastSeenAt = Math.max(row.lastSeenAt, at);
    } else missing.set(key, { projectId, path, views: 1, lastSeenAt: at });
  };

  const addVisitor = (projectId: string, path: string, kind: 0 | 1, day: number, { address, headers }: Visit): void => {
    if (address === undefined || headers["sec-gpc"] === "1" || headers.dnt === "1") return;
    const salt = salts.of(day);
    if (salt === undefined) return;
    const visitor = visitorHash(salt, projectId, address, headers["user-agent"] ?? "");
    visitors.set(`${projectId} ${day} ${kind} ${visitor} ${path}`, { projectId, day, path, kind, visitor });
  };

  return {
    count(site, visit) {
      const { status, headers } = visit;
      if (visit.method !== "GET") return "method";
      if (/prefetch|prerender/i.test(headers["sec-purpose"] ?? "") || /preview/i.test(headers["x-purpose"] ?? ""))
        return "prefetch";
      if (status !== 200 && status !== 304 && status !== 404) return "status";
      const { projectId } = site;
      const found = sitePathOf(visit.path, site.basePath);
      if (!found || (status !== 404 && !site.has(found.path))) return "no-page";
      const { path } = found;
      const isMarkdown = visit.isMarkdown ?? (found.isMarkdown || wantsMarkdown(headers.accept));
      const kind = kindIn(visit, isMarkdown ? "markdown" : "page");
      if (kind === 0 ? site.humansFrom !== way : site.agentsFrom !== way)
        return way === "beacon" && kind !== 0 ? kindNames[kind] : "other-way";
      const at = Math.min(visit.at ?? now(), now());
      if (status === 404) {
        if (kind > 1) return "status";
        size += 1;
        addMissing(projectId, path, at);
        return "missing";
      }
      size += 1;
      const hour = Math.floor(at / hourMs);
      const key = `${projectId} ${hour} ${kind} ${path}`;
      const row = hits.get(key);
      if (row) row.views += 1;
      else hits.set(key, { projectId, hour, path, kind, views: 1 });
      if (kind === 0 || kind === 1) addVisitor(projectId, path, kind, Math.floor(hour / 24), visit);
      return kindNames[kind];
    },
    get size() {
      return size;
    },
    take() {
      const counts = {
        hits: [...hits.values()],
        missing: [...missing.values()],
        visitors: [...visitors.values()],
        rules: rulesVersion,
      };
      size = 0;
      hits = new Map();
      missing = new Map();
      visitors = new Map();
      return counts;
    },
  };
}
