import type { Database } from "../database/database.js";
import { addViews } from "./add-views.js";
import { dayOf, monthOf } from "./calendar.js";
import { closeDays } from "./close-days.js";
import {
  type PathRow,
  type RangeQuery,
  readDays,
  readHours,
  readMissing,
  readPathViews,
  readPathVisitors,
} from "./read-views.js";
import { addSearches, readSearches } from "./searches.js";
import { createSitePaths } from "./site-paths.js";
import type { DayRange, KindCounts, PathCounts, ViewPage, ViewStore } from "./view-store.js";

export interface ViewStoreDeps {
  readonly database: Database;
  readonly now: () => number;
  /** Months whose days are kept. */
  readonly keptMonths: number;
}

/** How long the counts of a range are kept to answer its further pages, in milliseconds. */
const listMs = 60_000;
/** Rows of all lists that are kept. */
const mostRows = 200_000;

/** Views in a SQL database. */
export function createViewStore({ database, now, keptMonths }: ViewStoreDeps): ViewStore {
  const sitePaths = createSitePaths(database);
  const lists = createLists(now);
  const queryOf = async (projectId: string, range: DayRange): Promise<RangeQuery | undefined> => {
    const siteId = await sitePaths.find(projectId);
    const today = dayOf(now());
    return siteId === undefined ? undefined : { siteId, range, today, keptMonth: monthOf(today) - keptMonths };
  };
  const listOf = async (
    what: string,
    projectId: string,
    range: DayRange,
    read: (query: RangeQuery) => Promise<readonly PathRow[]>,
  ): Promise<readonly PathRow[]> => {
    const query = await queryOf(projectId, range);
    return query ? lists.get(projectId, `${what} ${range.from} ${range.to}`, () => read(query)) : [];
  };

  return {
    async add(counts, imported) {
      const today = dayOf(now());
      const used = await database.transaction((open) => addViews(open, sitePaths, counts, today, imported));
      for (const { projectId, siteId, ids } of used ?? []) {
        sitePaths.remember(projectId, siteId, ids);
        lists.drop(projectId);
      }
      return used !== undefined;
    },
    async importedBytes(projectId, file) {
      const [row] = await database.read(
        `select bytes from view_imports join view_sites on view_sites.site_id = view_imports.site_id
         where project_id = $1 and file = $2`,
        [projectId, file],
      );
      return (row?.["bytes"] as number | undefined) ?? 0;
    },
    async views(projectId, range, page) {
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
    async visitors(projectId, range, page) {
      const rows = await listOf("visitors", projectId, range, (query) => readPathVisitors(database, query));
      const site = rows.find(({ path }) => path === "");
      const pages = rows.filter(({ path }) => path !== "");
      return {
        totals: visitorsOf(site?.counts ?? [0, 0, 0]),
        visitors: pageOf(pages, page).map(({ path, counts }): PathCounts => ({ path, ...visitorsOf(counts) })),
        hasMore: pages.length > page.offset + page.limit,
      };
    },
    async byDay(projectId, range, path) {
      const query = await queryOf(projectId, range);
      return query ? readDays(database, query, path) : [];
    },
    async byHour(projectId) {
      const siteId = await sitePaths.find(projectId);
      return siteId === undefined ? [] : readHours(database, siteId, dayOf(now()));
    },
    async missing(projectId, limit) {
      const siteId = await sitePaths.find(projectId);
      return siteId === undefined ? [] : readMissing(database, siteId, limit);
    },
    async addSearches(searches) {
      if (searches.length > 0) await database.transaction((open) => addSearches(open, sitePaths, searches));
    },
    async searches(projectId, range, page) {
      const siteId = await sitePaths.find(projectId);
      return siteId === undefined
        ? { searches: [], total: 0, hasMore: false }
        : readSearches(database, siteId, range, page);
    },
    closeDays: (today) => closeDays(database, today, keptMonths),
  };
}

const pageOf = (rows: readonly PathRow[], { limit, offset }: ViewPage): readonly PathRow[] =>
  rows.slice(offset, offset + limit);

/** Of the counts by kind, two or all six. */
function viewsOf([human = 0, ai = 0, search, training = 0, otherAi = 0, bot = 0]: readonly number[]): KindCounts {
  const sums = { human, ai, total: human + ai };
  return search === undefined ? sums : { ...sums, others: { search, training, otherAi, bot } };
}

const visitorsOf = ([human = 0, ai = 0, total = 0]: readonly number[]): KindCounts => ({ human, ai, total });

/** Keeps what was read of a project until this process adds to it, or for a minute. */
function createLists(now: () => number) {
  const lists = new Map<string, { readonly at: number; readonly rows: Promise<readonly PathRow[]>; size: number }>();
  const drop = (projectId: string): void => {
    for (const key of lists.keys()) if (key.startsWith(`${projectId} `)) lists.delete(key);
  };
  const shrink = (): void => {
    let size = [...lists.values()].reduce((sum, each) => sum + each.size, 0);
    for (const [key, list] of lists) {
      if (size <= mostRows || lists.size === 1) return;
      lists.delete(key);
      size -= list.size;
    }
  };
  return {
    drop,
    get(projectId: string, what: string, read: () => Promise<readonly PathRow[]>): Promise<readonly PathRow[]> {
      const key = `${projectId} ${what}`;
      const known = lists.get(key);
      if (known && Math.abs(now() - known.at) < listMs) return known.rows;
      const list = { at: now(), rows: read(), size: 100 };
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
