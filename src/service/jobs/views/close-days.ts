import { type Database, raw, type Transaction } from "../database/database.js";
import type { DayRange } from "./view-counts.js";

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

/** Deletes who read and searched what; `closeDays` deletes the counts. @returns 1 if there were views. */
export async function forgetViews(transaction: Transaction, projectId: string): Promise<number> {
  const rows =
    await transaction.query`update view_sites set project_id = null where project_id = ${projectId} returning site_id`;
  for (const row of rows)
    for (const table of ["visitors_seen", "searches_seen", "search_days", "missing_paths", "view_imports"])
      await transaction.query`delete from ${raw(table)} where site_id = ${row["site_id"]}`;
  return rows.length;
}

export const dayMs = 24 * 60 * 60_000;

/** The day of a time, in days since 1970 in UTC. */
export const dayOf = (time: number): number => Math.floor(time / dayMs);

/** Months since the year 0. */
export function monthOf(day: number): number {
  const date = new Date(day * dayMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export const firstDayOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1) / dayMs;

/** Rows of the days or months from `from` to before `to`. */
export interface RangePart {
  readonly table: "months" | "days";
  /** Whether the rows are added or subtracted. */
  readonly sign: 1 | -1;
  readonly from: number;
  readonly to: number;
}

/** Before and after every day and month; both databases can store them as integers. */
const first = -1_000_000;
const last = 1_000_000;

/** The first day of a range, and the first one after it. */
export const daysOf = ({ from = first, to = last }: DayRange): [from: number, to: number] => [from, Math.min(to, last)];

/**
 * The fewest rows that add up to a range: whole months, and the days of the months at its edges. If more than half of
 * such a month is in the range, the month is added and its other days are subtracted.
 *
 * @param firstFullMonth the first month whose days are all stored.
 */
export function partsOf(
  { from = first, to = last }: DayRange,
  today: number,
  firstFullMonth: number,
): readonly RangePart[] {
  // There are no views after today.
  const end = to > today ? last : to;
  if (from >= end) return [];
  const fromMonth = from === first ? first : monthOf(from);
  const endMonth = end === last ? last : monthOf(end);
  const days = (sign: 1 | -1, start: number, stop: number): RangePart => ({
    table: "days",
    sign,
    from: start,
    to: stop,
  });
  if (fromMonth === endMonth) return [days(1, from, end)];

  const parts: RangePart[] = [];
  let wholeFrom = fromMonth;
  let wholeTo = endMonth;
  if (fromMonth !== first) {
    const start = firstDayOf(fromMonth);
    const stop = firstDayOf(fromMonth + 1);
    if (fromMonth >= firstFullMonth && from - start < stop - from) {
      if (from > start) parts.push(days(-1, start, from));
    } else {
      wholeFrom += 1;
      parts.push(days(1, from, stop));
    }
  }
  if (endMonth !== last) {
    const start = firstDayOf(endMonth);
    const stop = firstDayOf(endMonth + 1);
    if (endMonth >= firstFullMonth && stop - end < end - start) {
      wholeTo += 1;
      parts.push(days(-1, end, stop));
    } else if (end > start) parts.push(days(1, start, end));
  }
  if (wholeFrom < wholeTo) parts.push({ table: "months", sign: 1, from: wholeFrom, to: wholeTo });
  return parts;
}
