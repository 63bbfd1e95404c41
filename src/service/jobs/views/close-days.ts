import { type Database, raw, type Transaction } from "../database/database.js";
import { dayMs, firstDayOf, monthOf } from "./calendar.js";

/** The lock of transactions that add to days that may be closed at the same time. */
export const closing = "closing of days";

const keptMissingDays = 30;

/** People, agents, and both together. */
export const distinctVisitors = raw(
  `count(distinct case when kind = 0 then visitor end), count(distinct case when kind = 1 then visitor end),
   count(distinct visitor)`,
);

/** Whether at least 3 visitors have asked the query of `seen`, a row of `searches_seen`, on that day. */
export const isAskedOften = raw(
  `3 <= (select count(*) from searches_seen as askers where askers.site_id = seen.site_id and askers.day = seen.day
     and askers.query = seen.query and askers.path = '')`,
);

/** Closes the days before `today`, and removes old records. Transactions are short: one day of one site. */
export async function closeDays(database: Database, today: number, keptMonths: number): Promise<void> {
  for (const [table, close] of [
    ["visitors_seen", closeVisitors],
    ["searches_seen", closeSearches],
  ] as const) {
    const open =
      await database.read`select distinct site_id, day from ${raw(table)} where day < ${today} order by day, site_id`;
    for (const { site_id: siteId, day } of open)
      await database.transaction((transaction) => close(transaction, siteId as number, day as number));
  }
  await database.write`delete from missing_paths where last_seen < ${(today - keptMissingDays) * dayMs}`;
  await removeOldDays(database, firstDayOf(monthOf(today) - keptMonths));
  await removeSites(database);
}

async function closeVisitors(transaction: Transaction, siteId: number, day: number): Promise<void> {
  await transaction.lock(closing);
  for (const [table, column, value] of [
    ["visitor_days", "day", day],
    ["visitor_months", "month", monthOf(day)],
  ] as const)
    for (const [path, group] of [
      ["path_id", "site_id, path_id"],
      // The site itself.
      ["0", "site_id"],
    ] as const)
      await transaction.query`insert into ${raw(table)} (site_id, ${raw(column)}, path_id, human, ai, total)
        select site_id, cast(${value} as integer), ${raw(path)}, ${distinctVisitors} from visitors_seen
        where site_id = ${siteId} and day = ${day} group by ${raw(group)}
        on conflict (site_id, ${raw(column)}, path_id) do update set human = ${raw(table)}.human + excluded.human,
          ai = ${raw(table)}.ai + excluded.ai, total = ${raw(table)}.total + excluded.total`;
  await transaction.query`delete from visitors_seen where site_id = ${siteId} and day = ${day}`;
}

/** Keeps the queries that enough visitors have asked. */
async function closeSearches(transaction: Transaction, siteId: number, day: number): Promise<void> {
  await transaction.lock(closing);
  await transaction.query`insert into search_days (site_id, day, query, path, uses, results, last_at)
    select site_id, day, query, path, sum(uses), max(results), max(last_at) from searches_seen as seen
    where site_id = ${siteId} and day = ${day} and ${isAskedOften} group by site_id, day, query, path
    on conflict (site_id, day, query, path) do update set uses = search_days.uses + excluded.uses,
      results = case when excluded.results > search_days.results then excluded.results else search_days.results end,
      last_at = case when excluded.last_at > search_days.last_at then excluded.last_at else search_days.last_at end`;
  await transaction.query`delete from searches_seen where site_id = ${siteId} and day = ${day}`;
}

/** Removes the days before `first`, which the months still hold. */
async function removeOldDays(database: Database, first: number): Promise<void> {
  const outdatedDays = await database.read`select distinct site_id, day from view_totals where day < ${first}`;
  for (const { site_id: siteId, day } of outdatedDays)
    await database.transaction(async (open) => {
      for (const table of ["view_days", "view_totals"])
        await open.query`delete from ${raw(table)}
          where site_id = ${siteId} and kind in (0, 1, 2, 3, 4, 5) and day = ${day}`;
      for (const table of ["visitor_days", "search_days"])
        await open.query`delete from ${raw(table)} where site_id = ${siteId} and day = ${day}`;
    });
}

/** Tables that may have many rows of a removed site: they are deleted in steps. */
const largeTables = [
  ["view_days", "day"],
  ["view_months", "month"],
  ["view_totals", "day"],
  ["visitor_days", "day"],
  ["visitor_months", "month"],
] as const;

async function removeSites(database: Database): Promise<void> {
  for (const row of await database.read`select site_id from view_sites where project_id is null`) {
    const siteId = row["site_id"] as number;
    for (const [table, column] of largeTables) {
      const steps =
        await database.read`select distinct ${raw(column)} as step from ${raw(table)} where site_id = ${siteId}`;
      for (const { step } of steps)
        await database.write`delete from ${raw(table)} where site_id = ${siteId} and ${raw(column)} = ${step}`;
    }
    await database.transaction(async (open) => {
      await open.query`delete from view_paths where site_id = ${siteId}`;
      await open.query`delete from view_sites where site_id = ${siteId}`;
    });
  }
}

/**
 * Deletes who read and searched what at a project's site; the next `closeDays` deletes the counts.
 *
 * @returns 1 if the project had views, or else 0.
 */
export async function forgetViews(transaction: Transaction, projectId: string): Promise<number> {
  const rows =
    await transaction.query`update view_sites set project_id = null where project_id = ${projectId} returning site_id`;
  for (const row of rows)
    for (const table of ["visitors_seen", "searches_seen", "search_days", "missing_paths", "view_imports"])
      await transaction.query`delete from ${raw(table)} where site_id = ${row["site_id"]}`;
  return rows.length;
}
