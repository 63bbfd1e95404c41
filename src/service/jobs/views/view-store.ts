import { type Database, type Sql, sql, type Transaction } from "../database/database.js";
import { newId, recordReader, storable } from "../database/rows.js";
import type { StoreDeps } from "../database/store-deps.js";
import { lockProject } from "../threads/thread-store.js";
import { addViews, createSitePaths, type SitePaths } from "./add-views.js";
import { closeDays, closing, dayMs, dayOf, daysOf, isAskedOften, monthOf } from "./close-days.js";
import {
  type PathCountsRow,
  type RangeQuery,
  readDays,
  readMissing,
  readPathViews,
  readPathVisitors,
} from "./read-views.js";
import type * as types from "./view-counts.js";

/** How long the counts of a range are kept for requests of its further pages, in milliseconds. */
const listMs = 60_000;
/** Rows of all lists in memory. */
const maxListRows = 200_000;

export type ViewStore = ReturnType<typeof createViewStore>;

/** Views, visitors, addresses without a page and searches, by UTC day. Counts of unknown projects are dropped. */
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
  const rangeQuery = (siteId: number, range: types.DayRange): RangeQuery => {
    const today = dayOf(now());
    return { siteId, range, today, firstFullMonth: monthOf(today) - rules.viewDayMonths };
  };
  const listOf = (
    name: string,
    projectId: string,
    range: types.DayRange,
    read: (query: RangeQuery) => Promise<readonly PathCountsRow[]>,
  ): Promise<readonly PathCountsRow[]> =>
    ofSite(projectId, [], (siteId) =>
      lists.get(projectId, `${name} ${range.from} ${range.to}`, () => read(rangeQuery(siteId, range))),
    );

  return {
    /**
     * Adds counts. A site has at most 20,000 paths; views of further ones are dropped.
     *
     * @param imported the part of a log file that the counts are from. If another process has imported it already,
     *   nothing is stored, and the result is false.
     */
    async add(counts: types.ViewCounts, imported?: types.ImportedPart): Promise<boolean> {
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
    async views(projectId: string, range: types.DayRange, page: types.ViewPage): Promise<types.ViewList> {
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
    async visitors(projectId: string, range: types.DayRange, page: types.ViewPage): Promise<types.VisitorList> {
      const rows = await listOf("visitors", projectId, range, (query) => readPathVisitors(database, query));
      const site = rows.find(({ path }) => path === "");
      const pages = rows.filter(({ path }) => path !== "");
      return {
        totals: visitorsOf(site?.counts ?? [0, 0, 0]),
        visitors: pageOf(pages, page).map(({ path, counts }): types.PathCounts => ({ path, ...visitorsOf(counts) })),
        hasMore: pages.length > page.offset + page.limit,
      };
    },
    /** The days with views, oldest first. */
    byDay: (projectId: string, range: types.DayRange, path?: string): Promise<readonly types.DayViews[]> =>
      ofSite(projectId, [], (siteId) => readDays(database, rangeQuery(siteId, range), path)),
    /** Addresses without a page that people and agents requested, the most requested first. */
    missing: (projectId: string, limit: number): Promise<readonly types.MissingPath[]> =>
      ofSite(projectId, [], (siteId) => readMissing(database, siteId, limit)),
    /** Stores searches. A query is shown on days on which at least 3 visitors asked it. */
    async addSearches(searches: readonly types.SearchSeen[]): Promise<void> {
      if (searches.length > 0) await database.transaction((open) => addSearches(open, sitePaths, searches));
    },
    /** Queries by falling hits, then by text. */
    searches: (
      projectId: string,
      range: types.DayRange,
      page: { readonly limit: number; readonly offset: number },
    ): Promise<types.SearchList> =>
      ofSite(projectId, { searches: [], total: 0, hasMore: false }, (siteId) =>
        readSearches(database, siteId, range, page),
      ),
    ...createFeedback(database),
    /** Closes the days before `today`: visitors become numbers. Removes what is older than its retention. */
    closeDays: (today: number) => closeDays(database, today, rules.viewDayMonths),
  };
}

const pageOf = (rows: readonly PathCountsRow[], { limit, offset }: types.ViewPage): readonly PathCountsRow[] =>
  rows.slice(offset, offset + limit);

/** @param counts by kind: two or all six. */
function viewsOf([human = 0, ai = 0, search, training = 0, otherAi = 0, bot = 0]: readonly number[]): types.KindCounts {
  const sums = { human, ai, total: human + ai };
  return search === undefined ? sums : { ...sums, others: { search, training, otherAi, bot } };
}

const visitorsOf = ([human = 0, ai = 0, total = 0]: readonly number[]): types.KindCounts => ({ human, ai, total });

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

/** A reader's thumb for a page. */
interface Feedback {
  readonly feedbackId: string;
  /** For the next page. */
  readonly position: number;
  readonly path: string;
  readonly helpful: boolean;
  readonly createdAt: Date;
}

interface PageFeedback {
  readonly path: string;
  readonly thumbsUp: number;
  readonly thumbsDown: number;
}

/** The most thumbs of one site and day; further ones are dropped. */
const maxPerDay = 10_000;

interface FeedbackSeen {
  readonly projectId: string;
  readonly path: string;
  readonly helpful: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const feedbackOf = recordReader<Omit<Feedback, "helpful">>(["feedbackId", "position", "path", "createdAt"]);
const pageFeedbackOf = recordReader<PageFeedback>(["path", "thumbsUp", "thumbsDown"]);

function createFeedback(database: Database) {
  const isGiven = (projectId: string, range: types.DayRange): Sql => {
    const [from, to] = daysOf(range);
    return sql`project_id = ${projectId} and created_at >= ${from * dayMs} and created_at < ${to * dayMs}`;
  };
  return {
    /** Thumbs of a project that does not exist, or was removed, are dropped. */
    addFeedback: ({ projectId, path, helpful, at }: FeedbackSeen): Promise<void> =>
      database.transaction(async (transaction) => {
        const { query } = transaction;
        if (!(await lockProject(transaction, projectId))) return;
        const [today] = await query`select count(*) as count from feedback
          where project_id = ${projectId} and created_at > ${at - dayMs}`;
        if ((today!["count"] as number) >= maxPerDay) return;
        await query`insert into feedback (feedback_id, project_id, path, helpful, created_at)
          values (${newId("fb")}, ${projectId}, ${storable(path)}, ${helpful ? 1 : 0}, ${at})`;
      }),
    /** Thumbs of readers, newest first. `before` is the `position` of the last one of the page before. */
    async feedback(
      projectId: string,
      range: types.DayRange,
      { limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number | undefined },
    ): Promise<readonly Feedback[]> {
      const rows = await database.read`select * from feedback where ${isGiven(projectId, range)}
        and position < ${before} order by position desc limit ${limit}`;
      return rows.map((row) => ({ ...feedbackOf(row), helpful: row["helpful"] === 1 }));
    },
    /** Thumbs by page: most thumbs first, then by path. */
    async pageFeedback(projectId: string, range: types.DayRange, limit: number): Promise<readonly PageFeedback[]> {
      const rows = await database.read`select path, cast(sum(helpful) as bigint) as thumbs_up,
          cast(sum(1 - helpful) as bigint) as thumbs_down from feedback where ${isGiven(projectId, range)}
        group by path order by count(*) desc, path limit ${limit}`;
      return rows.map(pageFeedbackOf);
    },
  };
}

const maxQueryLength = 200;
/** The most rows of one site and day; further queries are dropped. */
const maxRows = 50_000;

async function addSearches(
  transaction: Transaction,
  sitePaths: SitePaths,
  searches: readonly types.SearchSeen[],
): Promise<void> {
  // Nothing may be added to a day while it is being closed.
  await transaction.lock(closing);
  for (const { projectId, at, query, visitor, results, clicked } of searches) {
    const siteId = await sitePaths.site(transaction, projectId);
    const text = storable(query).trim().replaceAll(/\s+/g, " ").toLowerCase().slice(0, maxQueryLength).toWellFormed();
    if (siteId === undefined || text === "") continue;
    const [day, path] = [dayOf(at), storable(clicked ?? "")];
    const updated = await transaction.query`update searches_seen
      set uses = uses + 1, results = case when results > ${results} then results else ${results} end, last_at = ${at}
      where site_id = ${siteId} and day = ${day} and query = ${text} and visitor = ${visitor} and path = ${path}
      returning uses`;
    if (updated.length > 0) continue;
    const [stored] = await transaction.query`select count(*) as count from searches_seen
      where site_id = ${siteId} and day = ${day}`;
    if ((stored!["count"] as number) >= maxRows) continue;
    await transaction.query`insert into searches_seen (site_id, day, query, visitor, path, results, last_at, uses)
      values (${siteId}, ${day}, ${text}, ${visitor}, ${path}, ${results}, ${at}, 1)`;
  }
}

/** The queries of each closed day, and those of today that enough visitors have asked. */
function shownSearches(siteId: number, range: types.DayRange): Sql {
  const [from, to] = daysOf(range);
  const isInRange = sql`site_id = ${siteId} and day >= ${from} and day < ${to}`;
  return sql`select query, path, uses, results, last_at from search_days where ${isInRange}
    union all
    select query, path, uses, results, last_at from searches_seen as seen
    where ${isInRange} and ${isAskedOften}`;
}

async function readSearches(
  database: Database,
  siteId: number,
  range: types.DayRange,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<types.SearchList> {
  const shown = shownSearches(siteId, range);
  const rows = await database.read`select query,
      cast(sum(case when path = '' then uses else 0 end) as bigint) as searches,
      cast(sum(case when path <> '' then uses else 0 end) as bigint) as clicks,
      max(results) as results, max(last_at) as last_at
    from (${shown}) as shown group by query order by searches desc, query limit ${limit + 1} offset ${offset}`;
  const [sum] = await database.read`select cast(coalesce(sum(uses), 0) as bigint) as total
    from (${shown}) as shown where path = ''`;
  const searches = [];
  for (const row of rows.slice(0, limit)) {
    const query = row["query"] as string;
    const [top] = await database.read`select path from (${shown}) as shown where query = ${query} and path <> ''
      group by path order by sum(uses) desc, path limit 1`;
    searches.push({
      query,
      searches: row["searches"] as number,
      clicks: row["clicks"] as number,
      results: row["results"] as number,
      topPath: top?.["path"] as string | undefined,
      lastSearched: new Date(row["last_at"] as number),
    });
  }
  return { searches, total: sum!["total"] as number, hasMore: rows.length > limit };
}
