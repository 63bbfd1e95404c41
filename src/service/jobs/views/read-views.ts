import { type Database, raw, type Sql, sql } from "../database/database.js";
import { recordReader } from "../database/rows.js";
import { daysOf, distinctVisitors, partsOf, type RangePart } from "./close-days.js";
import type { DayRange, DayViews, MissingPath } from "./view-counts.js";

export interface RangeQuery {
  readonly siteId: number;
  readonly range: DayRange;
  readonly today: number;
  /** The first month whose days are all stored. */
  readonly firstFullMonth: number;
}

/** Counts of a page, or of the whole site: views by kind; or visitors, as people, agents and both together. */
export interface PathCountsRow {
  readonly path: string;
  readonly counts: readonly number[];
}

/** The views of each path by kind, the most viewed path first. */
export async function readPathViews(
  database: Database,
  query: RangeQuery,
  allKinds: boolean,
): Promise<readonly PathCountsRow[]> {
  const kinds = allKinds ? [0, 1, 2, 3, 4, 5] : [0, 1];
  const parts = partsOf(query.range, query.today, query.firstFullMonth).map(
    (part) => sql`select path_id, kind, ${raw(`${part.sign}`)} * views as views from ${raw(`view_${part.table}`)}
      where site_id = ${query.siteId} and kind in (${raw(kinds.join(", "))}) and ${isWithin(part)}`,
  );
  if (parts.length === 0) return [];
  const sums = kinds.map(
    (kind) => `cast(sum(case when kind = ${kind} then views else 0 end) as bigint) as kind${kind}`,
  );
  const rows = await database.read`select path, sums.* from (
      select path_id, ${raw(sums.join(", "))} from (${unionOf(parts)}) as parts group by path_id having sum(views) > 0
    ) as sums
    join view_paths on view_paths.path_id = sums.path_id order by kind0 + kind1 desc, path`;
  return rows.map((row) => ({
    path: row["path"] as string,
    counts: kinds.map((kind) => row[`kind${kind}`] as number),
  }));
}

/** The visitors of each path: people, agents, and both together. The path of the site itself is empty. */
export async function readPathVisitors(database: Database, query: RangeQuery): Promise<readonly PathCountsRow[]> {
  const { siteId, range } = query;
  const closedDays = partsOf(query.range, query.today, query.firstFullMonth).map((part) => {
    const columns = ["human", "ai", "total"].map((column) => `${part.sign} * ${column} as ${column}`);
    return sql`select path_id, ${raw(columns.join(", "))} from ${raw(`visitor_${part.table}`)}
      where site_id = ${siteId} and ${isWithin(part)}`;
  });
  if (closedDays.length === 0) return [];
  const [from, to] = daysOf(range);
  const openDays = (path: string, group: string): Sql =>
    sql`select ${raw(path)}, ${distinctVisitors} from visitors_seen
      where site_id = ${siteId} and day >= ${from} and day < ${to} group by ${raw(group)}`;
  const parts = [...closedDays, openDays("path_id", "day, path_id"), openDays("0", "day")];
  const sums = ["human", "ai", "total"].map((name) => `cast(sum(${name}) as bigint) as ${name}`);
  const rows = await database.read`select coalesce(path, '') as path, human, ai, total from (
      select path_id, ${raw(sums.join(", "))} from (${unionOf(parts)}) as parts group by path_id having sum(total) > 0
    ) as sums
    left join view_paths on view_paths.path_id = sums.path_id order by total desc, path`;
  return rows.map((row) => ({
    path: row["path"] as string,
    counts: [row["human"] as number, row["ai"] as number, row["total"] as number],
  }));
}

export async function readDays(database: Database, query: RangeQuery, path?: string): Promise<readonly DayViews[]> {
  const { siteId, range } = query;
  const [from, to] = daysOf(range);
  const isInRange = sql`view_totals.site_id = ${siteId} and view_totals.kind in (0, 1, 2, 3, 4, 5)
    and view_totals.day >= ${from} and view_totals.day < ${to}`;
  const rows =
    path === undefined
      ? await database.read`select day, ${kindSums("view_totals")} from view_totals
          where ${isInRange} group by day order by day`
      : // The totals say which days and kinds have views, so that the rows of the path are found by their key.
        await database.read`select view_days.day, ${kindSums("view_days")} from view_totals
          join view_paths on view_paths.site_id = ${siteId} and view_paths.path = ${path}
          join view_days on view_days.site_id = ${siteId} and view_days.kind = view_totals.kind
            and view_days.day = view_totals.day and view_days.path_id = view_paths.path_id
          where ${isInRange} group by view_days.day order by view_days.day`;
  return rows.map(dayViewsOf);
}

const dayViewsOf = recordReader<DayViews>(["day", "human", "ai", "others"]);

export async function readMissing(database: Database, siteId: number, limit: number): Promise<readonly MissingPath[]> {
  const rows = await database.read`select path, views, last_seen as last_seen_at from missing_paths
    where site_id = ${siteId} order by views desc, path limit ${limit}`;
  return rows.map(missingPathOf);
}

const missingPathOf = recordReader<MissingPath>(["path", "views", "lastSeenAt"]);

const kindSums = (table: "view_days" | "view_totals"): Sql => {
  const sumOf = (kinds: string) =>
    `cast(sum(case when ${table}.kind ${kinds} then ${table}.views else 0 end) as bigint)`;
  return raw(`${sumOf("= 0")} as human, ${sumOf("= 1")} as ai, ${sumOf("> 1")} as others`);
};

const unionOf = (parts: readonly Sql[]): Sql => parts.reduce((union, part) => sql`${union} union all ${part}`);

const isWithin = ({ table, from, to }: RangePart): Sql => {
  const column = raw(table === "months" ? "month" : "day");
  return sql`${column} >= ${from} and ${column} < ${to}`;
};
