import type { Database, Row } from "../database/database.js";
import { daysOf, type Part, partsOf } from "./calendar.js";
import { keptHourDays } from "./close-days.js";
import type { DayRange, DayViews, HourViews, MissingPath } from "./view-store.js";

/** What a range of days is read with. */
export interface RangeQuery {
  readonly siteId: number;
  readonly range: DayRange;
  readonly today: number;
  /** The first month whose days are all stored. */
  readonly keptMonth: number;
}

/** Counts of a page, or of the whole site: by kind, or people, agents and both of the visitors. */
export interface PathRow {
  readonly path: string;
  readonly counts: readonly number[];
}

/** Of each path, the views of each kind; in order. */
export async function readPathViews(
  database: Database,
  query: RangeQuery,
  allKinds: boolean,
): Promise<readonly PathRow[]> {
  const kinds = allKinds ? [0, 1, 2, 3, 4, 5] : [0, 1];
  const params: number[] = [query.siteId];
  const rows = partsOf(query.range, query.today, query.keptMonth).map(
    (part) =>
      `select path_id, kind, ${part.sign} * views as views from view_${part.table}
       where site_id = $1 and kind in (${kinds.join(", ")}) and ${within(part, params)}`,
  );
  if (rows.length === 0) return [];
  const sums = kinds.map(
    (kind) => `cast(sum(case when kind = ${kind} then views else 0 end) as bigint) as kind${kind}`,
  );
  const read = await database.read(
    `select path, sums.* from (select path_id, ${sums.join(", ")} from (${rows.join(" union all ")}) as parts
       group by path_id having sum(views) > 0) as sums
     join view_paths on view_paths.path_id = sums.path_id
     order by kind0 + kind1 desc, path`,
    params,
  );
  return read.map((row) => ({
    path: row["path"] as string,
    counts: kinds.map((kind) => row[`kind${kind}`] as number),
  }));
}

/** Of each path, the visitors: people, agents, and the union of both; in order. The path of the site itself is empty. */
export async function readPathVisitors(database: Database, query: RangeQuery): Promise<readonly PathRow[]> {
  const params: number[] = [query.siteId];
  const closed = partsOf(query.range, query.today, query.keptMonth).map(
    (part) =>
      `select path_id, ${part.sign} * human as human, ${part.sign} * ai as ai, ${part.sign} * total as total
       from visitor_${part.table} where site_id = $1 and ${within(part, params)}`,
  );
  if (closed.length === 0) return [];
  params.push(...daysOf(query.range));
  const open = (path: string, group: string): string =>
    `select ${path}, count(distinct case when kind = 0 then visitor end), count(distinct case when kind = 1 then visitor end),
       count(distinct visitor)
     from visitors_seen where site_id = $1 and day >= $${params.length - 1} and day < $${params.length} group by ${group}`;
  const rows = [...closed, open("path_id", "day, path_id"), open("0", "day")];
  const sums = ["human", "ai", "total"].map((name) => `cast(sum(${name}) as bigint) as ${name}`);
  const read = await database.read(
    `select coalesce(path, '') as path, human, ai, total from (
       select path_id, ${sums.join(", ")} from (${rows.join(" union all ")}) as parts
       group by path_id having sum(total) > 0) as sums
     left join view_paths on view_paths.path_id = sums.path_id
     order by total desc, path`,
    params,
  );
  return read.map((row) => ({
    path: row["path"] as string,
    counts: [row["human"] as number, row["ai"] as number, row["total"] as number],
  }));
}

export async function readDays(database: Database, query: RangeQuery, path?: string): Promise<readonly DayViews[]> {
  const { siteId, range } = query;
  const rows =
    path === undefined
      ? await database.read(
          `select day, ${kindSums} from view_totals
           where site_id = $1 and kind in (0, 1, 2, 3, 4, 5) and day >= $2 and day < $3 group by day order by day`,
          [siteId, ...daysOf(range)],
        )
      : await database.read(
          // Finds the rows of each day by their key.
          `select view_days.day, ${kindSums} from view_totals
           join view_paths on view_paths.site_id = $1 and view_paths.path = $4
           join view_days on view_days.site_id = $1 and view_days.kind = view_totals.kind
             and view_days.day = view_totals.day and view_days.path_id = view_paths.path_id
           where view_totals.site_id = $1 and view_totals.kind in (0, 1, 2, 3, 4, 5)
             and view_totals.day >= $2 and view_totals.day < $3
           group by view_days.day order by view_days.day`.replace(
            kindSums,
            kindSums.replaceAll(/\b(kind|views)\b/g, "view_days.$1"),
          ),
          [siteId, ...daysOf(range), path],
        );
  return rows.map((row) => ({ day: row["day"] as number, ...countsOf(row) }));
}

export async function readHours(database: Database, siteId: number, today: number): Promise<readonly HourViews[]> {
  const rows = await database.read(
    `select hour, ${kindSums} from view_hours where site_id = $1 and hour >= $2 group by hour order by hour`,
    [siteId, (today - keptHourDays + 1) * 24],
  );
  return rows.map((row) => ({ hour: row["hour"] as number, ...countsOf(row) }));
}

export async function readMissing(database: Database, siteId: number, limit: number): Promise<readonly MissingPath[]> {
  const rows = await database.read(
    "select path, views, last_seen from missing_paths where site_id = $1 order by views desc, path limit $2",
    [siteId, limit],
  );
  return rows.map((row) => ({
    path: row["path"] as string,
    views: row["views"] as number,
    lastSeen: new Date(row["last_seen"] as number),
  }));
}

const kindSums = `cast(sum(case when kind = 0 then views else 0 end) as bigint) as human,
  cast(sum(case when kind = 1 then views else 0 end) as bigint) as ai,
  cast(sum(case when kind > 1 then views else 0 end) as bigint) as others`;

const countsOf = (row: Row) => ({
  human: row["human"] as number,
  ai: row["ai"] as number,
  others: row["others"] as number,
});

function within({ table, from, to }: Part, params: number[]): string {
  params.push(from, to);
  const column = table === "months" ? "month" : "day";
  return `${column} >= $${params.length - 1} and ${column} < $${params.length}`;
}
