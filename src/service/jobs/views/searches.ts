import type { Database, Transaction } from "../database/database.js";
import { storable } from "../database/database.js";
import { dayOf, daysOf } from "./calendar.js";
import { closing, fewestAskers } from "./close-days.js";
import type { SitePaths } from "./site-paths.js";
import type { DayRange, SearchList, SearchSeen } from "./view-store.js";

const longestQuery = 200;
/** Entries of one site and day; further queries are dropped. */
const maxEntries = 50_000;

export async function addSearches(
  transaction: Transaction,
  sitePaths: SitePaths,
  searches: readonly SearchSeen[],
): Promise<void> {
  // A day that is being closed must not get further entries.
  await transaction.lock(closing);
  for (const { projectId, at, query, visitor, results, clicked } of searches) {
    const siteId = await sitePaths.site(transaction, projectId);
    const text = storable(query).trim().replaceAll(/\s+/g, " ").toLowerCase().slice(0, longestQuery).toWellFormed();
    if (siteId === undefined || text === "") continue;
    const key = [siteId, dayOf(at), text, visitor, storable(clicked ?? "")];
    const known = await transaction.query(
      `update searches_seen set uses = uses + 1, results = case when results > $6 then results else $6 end, last_at = $7
       where site_id = $1 and day = $2 and query = $3 and visitor = $4 and path = $5 returning uses`,
      [...key, results, at],
    );
    if (known.length > 0) continue;
    const [entries] = await transaction.query(
      "select count(*) as count from searches_seen where site_id = $1 and day = $2",
      [siteId, dayOf(at)],
    );
    if ((entries!["count"] as number) >= maxEntries) continue;
    await transaction.query(
      `insert into searches_seen (site_id, day, query, visitor, path, results, last_at, uses)
       values ($1, $2, $3, $4, $5, $6, $7, 1)`,
      [...key, results, at],
    );
  }
}

/** The queries of each day, those of today if enough visitors have asked them. */
const shown = `select query, path, uses, results, last_at from search_days where site_id = $1 and day >= $2 and day < $3
  union all
  select query, path, uses, results, last_at from searches_seen as seen
  where site_id = $1 and day >= $2 and day < $3 and ${fewestAskers} <= (select count(*) from searches_seen as askers
    where askers.site_id = $1 and askers.day = seen.day and askers.query = seen.query and askers.path = '')`;

export async function readSearches(
  database: Database,
  siteId: number,
  range: DayRange,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<SearchList> {
  const rows = await database.read(
    `select query, cast(sum(case when path = '' then uses else 0 end) as bigint) as searches,
       cast(sum(case when path <> '' then uses else 0 end) as bigint) as clicks,
       max(results) as results, max(last_at) as last_at
     from (${shown}) as shown group by query order by searches desc, query limit $4 offset $5`,
    [siteId, ...daysOf(range), limit + 1, offset],
  );
  const [sum] = await database.read(
    `select cast(coalesce(sum(uses), 0) as bigint) as total from (${shown}) as shown where path = ''`,
    [siteId, ...daysOf(range)],
  );
  const searches = [];
  for (const row of rows.slice(0, limit)) {
    const query = row["query"] as string;
    const [top] = await database.read(
      `select path from (${shown}) as shown where query = $4 and path <> '' group by path order by sum(uses) desc, path limit 1`,
      [siteId, ...daysOf(range), query],
    );
    searches.push({
      query,
      searches: row["searches"] as number,
      clicks: row["clicks"] as number,
      results: row["results"] as number,
      ...(top ? { topPath: top["path"] as string } : {}),
      lastSearched: new Date(row["last_at"] as number),
    });
  }
  return { searches, total: sum!["total"] as number, hasMore: rows.length > limit };
}
