import type { StoreDeps } from "../database/store-deps.js";
import { addViews } from "./add-views.js";
import { dayOf, monthOf } from "./calendar.js";
import { closeDays } from "./close-days.js";
import {
  type PathCountsRow,
  type RangeQuery,
  readDays,
  readHours,
  readMissing,
  readPathViews,
  readPathVisitors,
} from "./read-views.js";
import { addSearches, readSearches } from "./searches.js";
import { createSitePaths } from "./site-paths.js";

/** 0 human, 1 ai, 2 search, 3 training, 4 other AI, 5 bot. Only the first two make up the totals. */
export type ViewKind = 0 | 1 | 2 | 3 | 4 | 5;

/** Days since 1970 of UTC. Without `from`: from the first day. `to` is excluded; without it: through today. */
export interface DayRange {
  readonly from?: number;
  readonly to?: number;
}

export interface ViewPage {
  readonly limit: number;
  readonly offset: number;
  /** Also the views of kinds 2 to 5. */
  readonly allKinds?: boolean;
}

export interface ViewCounts {
  /** Each project, hour, path and kind once. */
  readonly hits: readonly ViewCount[];
  readonly missing: readonly MissingCount[];
  readonly visitors: readonly VisitorSeen[];
  /** Version of the rules that gave the kinds; stored with each day. */
  readonly rules?: number;
}

export interface ViewCount {
  readonly projectId: string;
  /** Hours since 1970 of UTC. */
  readonly hour: number;
  readonly path: string;
  readonly kind: ViewKind;
  readonly views: number;
}

export interface MissingCount {
  readonly projectId: string;
  readonly path: string;
  readonly views: number;
  /** Milliseconds since 1970. */
  readonly lastSeenAt: number;
}

export interface VisitorSeen {
  readonly projectId: string;
  readonly day: number;
  readonly path: string;
  readonly kind: 0 | 1;
  /** Hash with a salt of the day. */
  readonly visitor: string;
}

export interface ImportedPart {
  readonly projectId: string;
  /** Hash that identifies the file. */
  readonly file: string;
  readonly fromByte: number;
  readonly toByte: number;
}

export interface KindCounts {
  readonly human: number;
  readonly ai: number;
  /** Human and ai; of visitors at most their sum. */
  readonly total: number;
  /** With `allKinds`. */
  readonly others?: {
    readonly search: number;
    readonly training: number;
    readonly otherAi: number;
    readonly bot: number;
  };
}

export type PathCounts = KindCounts & { readonly path: string };

export interface ViewList {
  /** Of the whole range. */
  readonly totals: KindCounts;
  readonly views: readonly PathCounts[];
  readonly hasMore: boolean;
}

export interface VisitorList {
  /** Of the whole range. */
  readonly totals: KindCounts;
  readonly visitors: readonly PathCounts[];
  readonly hasMore: boolean;
}

export interface DayViews {
  readonly day: number;
  readonly human: number;
  readonly ai: number;
  /** Kinds 2 to 5. */
  readonly others: number;
}

export interface HourViews extends Omit<DayViews, "day"> {
  /** Hours since 1970 of UTC. */
  readonly hour: number;
}

export interface MissingPath {
  readonly path: string;
  readonly views: number;
  readonly lastSeen: Date;
}

export interface SearchSeen {
  readonly projectId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly query: string;
  /** Hash with a salt of the day. */
  readonly visitor: string;
  /** Results that were shown. */
  readonly results: number;
  /** Path of the result that was opened: such an entry is no further search. */
  readonly clicked?: string;
}

export interface SearchList {
  readonly searches: readonly SearchRow[];
  /** Searches in the whole range, of queries that are shown. */
  readonly total: number;
  readonly hasMore: boolean;
}

export interface SearchRow {
  readonly query: string;
  readonly searches: number;
  readonly clicks: number;
  /** Most results that a search had; 0: the site has nothing on it. */
  readonly results: number;
  readonly topPath?: string;
  readonly lastSearched: Date;
}

/** How long the counts of a range are kept for requests of its further pages, in milliseconds. */
const listMs = 60_000;
/** Rows of all lists in memory. */
const maxListRows = 200_000;

export type ViewStore = ReturnType<typeof createViewStore>;

/**
 * Page views, visitors, addresses without a page and searches of sites, by day of UTC. A day is a number of days since
 * 1970. Every call is one transaction. Counts of a project that does not exist, or was removed, are dropped.
 */
export function createViewStore({ database, now, rules }: Pick<StoreDeps, "database" | "now" | "rules">) {
  const sitePaths = createSitePaths(database);
  const lists = createLists(now);
  /** Reads what is stored of a project's site; `none` if it has no views. */
  const ofSite = async <Result>(
    projectId: string,
    none: Result,
    read: (siteId: number) => Promise<Result>,
  ): Promise<Result> => {
    const siteId = await sitePaths.find(projectId);
    return siteId === undefined ? none : read(siteId);
  };
  const rangeQuery = (siteId: number, range: DayRange): RangeQuery => {
    const today = dayOf(now());
    return { siteId, range, today, firstFullMonth: monthOf(today) - rules.viewDayMonths };
  };
  const listOf = (
    name: string,
    projectId: string,
    range: DayRange,
    read: (query: RangeQuery) => Promise<readonly PathCountsRow[]>,
  ): Promise<readonly PathCountsRow[]> =>
    ofSite(projectId, [], (siteId) =>
      lists.get(projectId, `${name} ${range.from} ${range.to}`, () => read(rangeQuery(siteId, range))),
    );

  return {
    /**
     * Adds counts. A site has at most 20,000 paths; views of further ones are dropped.
     *
     * @param imported what part of a log file the counts are from. If the file was read further meanwhile, nothing is
     *   stored, and the result is false.
     */
    async add(counts: ViewCounts, imported?: ImportedPart): Promise<boolean> {
      const today = dayOf(now());
      const counted = await database.transaction((open) => addViews(open, sitePaths, counts, today, imported));
      for (const { projectId, siteId, ids } of counted ?? []) {
        sitePaths.remember(projectId, siteId, ids);
        lists.drop(projectId);
      }
      return counted !== undefined;
    },
    /** Bytes that were imported of a log file; 0 for a new one. */
    async importedBytes(projectId: string, file: string): Promise<number> {
      const [row] = await database.read`select bytes from view_imports
        join view_sites on view_sites.site_id = view_imports.site_id
        where project_id = ${projectId} and file = ${file}`;
      return (row?.["bytes"] as number | undefined) ?? 0;
    },
    /** Pages by falling total, then by path. Read at most once a minute for the same question. */
    async views(projectId: string, range: DayRange, page: ViewPage): Promise<ViewList> {
      const { allKinds = false } = page;
      const rows = await listOf(`views ${allKinds}`, projectId, range, (query) =>
        readPathViews(database, query, allKinds),
      );
      const counted = rows.filter(({ counts }) => allKinds || counts[0]! + counts[1]! > 0);
      return {
        totals: viewsOf(
          rows.reduce((sums, { counts }) => counts.map((count, kind) => count + (sums[kind] ?? 0)), [0, 0]),
        ),
        views: pageOf(counted, page).map(({ path, counts }) => ({ path, ...viewsOf(counts) })),
        hasMore: counted.length > page.offset + page.limit,
      };
    },
    /** As `views`. The visitors of a range are the sum of its days. */
    async visitors(projectId: string, range: DayRange, page: ViewPage): Promise<VisitorList> {
      const rows = await listOf("visitors", projectId, range, (query) => readPathVisitors(database, query));
      const site = rows.find(({ path }) => path === "");
      const pages = rows.filter(({ path }) => path !== "");
      return {
        totals: visitorsOf(site?.counts ?? [0, 0, 0]),
        visitors: pageOf(pages, page).map(({ path, counts }): PathCounts => ({ path, ...visitorsOf(counts) })),
        hasMore: pages.length > page.offset + page.limit,
      };
    },
    /** The days with views, oldest first. */
    byDay: (projectId: string, range: DayRange, path?: string): Promise<readonly DayViews[]> =>
      ofSite(projectId, [], (siteId) => readDays(database, rangeQuery(siteId, range), path)),
    /** The hours of the last 8 days with views, oldest first. */
    byHour: (projectId: string): Promise<readonly HourViews[]> =>
      ofSite(projectId, [], (siteId) => readHours(database, siteId, dayOf(now()))),
    /** Addresses without a page that people and agents asked for, the most wanted first. */
    missing: (projectId: string, limit: number): Promise<readonly MissingPath[]> =>
      ofSite(projectId, [], (siteId) => readMissing(database, siteId, limit)),
    /** Stores searches. A query is shown on days on which at least 3 visitors asked it. */
    async addSearches(searches: readonly SearchSeen[]): Promise<void> {
      if (searches.length > 0) await database.transaction((open) => addSearches(open, sitePaths, searches));
    },
    /** Queries by falling hits, then by text. */
    searches: (
      projectId: string,
      range: DayRange,
      page: { readonly limit: number; readonly offset: number },
    ): Promise<SearchList> =>
      ofSite(projectId, { searches: [], total: 0, hasMore: false }, (siteId) =>
        readSearches(database, siteId, range, page),
      ),
    /** Closes the days before `today`: visitors become numbers. Removes what is older than its retention. */
    closeDays: (today: number) => closeDays(database, today, rules.viewDayMonths),
  };
}

const pageOf = (rows: readonly PathCountsRow[], { limit, offset }: ViewPage): readonly PathCountsRow[] =>
  rows.slice(offset, offset + limit);

/** @param counts by kind: two or all six. */
function viewsOf([human = 0, ai = 0, search, training = 0, otherAi = 0, bot = 0]: readonly number[]): KindCounts {
  const sums = { human, ai, total: human + ai };
  return search === undefined ? sums : { ...sums, others: { search, training, otherAi, bot } };
}

const visitorsOf = ([human = 0, ai = 0, total = 0]: readonly number[]): KindCounts => ({ human, ai, total });

/** Lists of a project, kept for a minute or until this process adds to the project's views. */
function createLists(now: () => number) {
  interface List {
    readonly at: number;
    readonly rows: Promise<readonly PathCountsRow[]>;
    size: number;
  }
  const lists = new Map<string, List>();
  const shrink = (): void => {
    let size = [...lists.values()].reduce((sum, list) => sum + list.size, 0);
    for (const [key, list] of lists) {
      if (size <= maxListRows || lists.size === 1) return;
      lists.delete(key);
      size -= list.size;
    }
  };
  return {
    drop(projectId: string): void {
      for (const key of lists.keys()) if (key.startsWith(`${projectId} `)) lists.delete(key);
    },
    get(projectId: string, name: string, read: () => List["rows"]): List["rows"] {
      const key = `${projectId} ${name}`;
      const cached = lists.get(key);
      if (cached && Math.abs(now() - cached.at) < listMs) return cached.rows;
      const list: List = { at: now(), rows: read(), size: 100 };
      lists.delete(key);
      lists.set(key, list);
      list.rows.then(
        (rows) => {
          list.size += rows.length;
          shrink();
        },
        () => lists.delete(key),
      );
      return list.rows;
    },
  };
}
