import { type Database, type Sql, sql, type Transaction } from "../database/database.js";
import { storable } from "../database/rows.js";
import { dayOf, daysOf } from "./calendar.js";
import { closing, isAskedOften } from "./close-days.js";
import type { SitePaths } from "./site-paths.js";
import type { DayRange, SearchList, SearchSeen } from "./view-counts.js";

const maxQueryLength = 200;
/** The most rows of one site and day; further queries are dropped. */
const maxRows = 50_000;

export async function addSearches(
  transaction: Transaction,
  sitePaths: SitePaths,
  searches: readonly SearchSeen[],
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
function shownSearches(siteId: number, range: DayRange): Sql {
  const [from, to] = daysOf(range);
  const isInRange = sql`site_id = ${siteId} and day >= ${from} and day < ${to}`;
  return sql`select query, path, uses, results, last_at from search_days where ${isInRange}
    union all
    select query, path, uses, results, last_at from searches_seen as seen
    where ${isInRange} and ${isAskedOften}`;
}

export async function readSearches(
  database: Database,
  siteId: number,
  range: DayRange,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<SearchList> {
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
