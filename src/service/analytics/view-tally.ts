import { wantsMarkdown } from "../../lib/http/index.js";
import type { MissingCount, ViewCount, ViewCounts, ViewKind, VisitorSeen } from "../jobs/index.js";
import { type DaySalts, visitorHash } from "./day-salts.js";
import { type KindName, type KindRule, kindNames, kindOf, rulesVersion, type Visit } from "./visit-kind.js";

/** How a view is seen: by the server that answers, by a script in the page, or in the logs of another server. */
export type Way = "server" | "beacon" | "logs";

/** A site whose views are counted. */
export interface CountedSite {
  readonly projectId: string;
  /** Folder of the site on its host, without trailing slash: `""` or `/docs`. */
  readonly basePath: string;
  /**
   * Whether the export has a page with this path (`/`, `/guides/install`), or one of the files `/llms.txt`,
   * `/llms-full.txt` and `/skill.md`.
   */
  has(path: string): boolean;
  /** The only way whose views of people count. */
  readonly humansFrom: Way;
  /** The only way whose views of agents and bots count. */
  readonly agentsFrom: "server" | "logs";
}

/** Files for agents that are counted by their own paths. */
const agentFiles = new Set(["/llms.txt", "/llms-full.txt", "/skill.md"]);

export interface SitePath {
  /** Of a page: `/guides/install`; the start page is `/`. */
  readonly path: string;
  readonly isMarkdown: boolean;
}

/**
 * What an address means: `/a`, `/a/`, `/a.html`, `/a.md` and `/a/index.html` are the page `/a`. Undefined if it is outside
 * of the site's folder.
 */
export function sitePathOf(address: string, basePath: string): SitePath | undefined {
  const written = decoded(address.replace(/[?#].*$/s, ""));
  if (!written.startsWith(`${basePath}/`) && written !== basePath) return undefined;
  const file = written.slice(basePath.length);
  if (agentFiles.has(file)) return { path: file, isMarkdown: true };
  const isMarkdown = file.endsWith(".md");
  const path = file
    .replace(/\.(?:html|md)$/, "")
    .replace(/\/+$/, "")
    .replace(/\/index$/, "");
  return { path: path === "" ? "/" : path, isMarkdown };
}

function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

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

/** Who has seen a page on a day. */
type Seen = Omit<VisitorSeen, "visitor"> & { readonly visitors: Set<string> };

/** Views of a page in an hour, and who saw it on that day. */
type Hits = Counted<ViewCount> & { readonly seen: Seen | undefined };
const hourMs = 60 * 60_000;

export function createViewTally({ way, salts, now, kindOf: kindIn = kindOf }: TallyDeps): ViewTally {
  let size = 0;
  /** By project; by hour and kind; by path. Nested, since a key of all four would be put together for each hit. */
  let hits = new Map<string, Map<number, Map<string, Hits>>>();
  let seen = new Map<string, Seen>();
  let missing = new Map<string, Counted<MissingCount>>();

  const addMissing = (projectId: string, path: string, at: number): void => {
    const key = `${projectId} ${path}`;
    const row = missing.get(key);
    if (row) {
      row.views += 1;
      row.lastSeenAt = Math.max(row.lastSeenAt, at);
    } else missing.set(key, { projectId, path, views: 1, lastSeenAt: at });
  };

  const hitsOf = (projectId: string, hour: number, kind: ViewKind, path: string): Hits => {
    const hours = entryOf(hits, projectId, () => new Map<number, Map<string, Hits>>());
    const pages = entryOf(hours, hour * kindNames.length + kind, () => new Map<string, Hits>());
    return entryOf(pages, path, () => ({
      projectId,
      hour,
      path,
      kind,
      views: 0,
      seen: seenOf(projectId, hour, kind, path),
    }));
  };

  const seenOf = (projectId: string, hour: number, kind: ViewKind, path: string): Seen | undefined => {
    if (kind !== 0 && kind !== 1) return undefined;
    const day = Math.floor(hour / 24);
    const create = (): Seen => ({ projectId, day, path, kind, visitors: new Set() });
    return entryOf(seen, `${projectId} ${day} ${kind} ${path}`, create);
  };

  const addVisitor = ({ projectId, day, visitors }: Seen, { address, headers }: Visit): void => {
    if (address === undefined || headers["sec-gpc"] === "1" || headers.dnt === "1") return;
    const salt = salts.of(day);
    if (salt !== undefined) visitors.add(visitorHash(salt, projectId, address, headers["user-agent"] ?? ""));
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
      const row = hitsOf(projectId, Math.floor(at / hourMs), kind, path);
      row.views += 1;
      if (row.seen) addVisitor(row.seen, visit);
      return kindNames[kind];
    },
    get size() {
      return size;
    },
    take() {
      const counts = {
        hits: [...hits.values()].flatMap((hours) => [...hours.values()].flatMap((pages) => [...pages.values()])),
        missing: [...missing.values()],
        visitors: [...seen.values()].flatMap(({ projectId, day, path, kind, visitors }) =>
          Array.from(visitors, (visitor) => ({ projectId, day, path, kind, visitor })),
        ),
        rules: rulesVersion,
      };
      size = 0;
      hits = new Map();
      seen = new Map();
      missing = new Map();
      return counts;
    },
  };
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create();
  map.set(key, value);
  return value;
}
