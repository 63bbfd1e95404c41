import type { Database, Param, Transaction } from "../database/database.js";
import { insertRows, storable } from "../database/rows.js";
import { closing, monthOf } from "./close-days.js";
import type { ImportedPart, ViewCount, ViewCounts } from "./view-counts.js";

/** The most addresses without a page that are stored for a site, and the length to which they are cut. */
const maxMissing = 1000;
const maxMissingLength = 500;

/** A site whose views were added, for `SitePaths.remember`. */
export interface CountedProject {
  readonly projectId: string;
  readonly siteId: number;
  readonly ids: ReadonlyMap<string, number>;
}

/** @returns undefined if the part of the log was imported already. */
export async function addViews(
  transaction: Transaction,
  sitePaths: SitePaths,
  { hits, missing, visitors, rules = 0 }: ViewCounts,
  today: number,
  imported?: ImportedPart,
): Promise<readonly CountedProject[] | undefined> {
  const counted: CountedProject[] = [];
  // Every transaction locks the sites, and then their rows, in the same order.
  const projects = new Set(
    [...hits, ...missing, ...visitors, ...(imported ? [imported] : [])].map((row) => row.projectId),
  );
  if (visitors.some(({ day }) => day < today)) await transaction.lock(closing);
  for (const projectId of [...projects].sort()) {
    const ofProject = (row: { readonly projectId: string }): boolean => row.projectId === projectId;
    const siteId = await sitePaths.site(transaction, projectId);
    if (siteId === undefined) continue;
    if (imported?.projectId === projectId && !(await advance(transaction, siteId, imported))) return undefined;
    const siteHits = hits.filter(ofProject);
    const siteVisitors = visitors.filter(ofProject);
    const paths = new Set([...siteHits, ...siteVisitors].map(({ path }) => path));
    const ids = await sitePaths.ids(transaction, siteId, paths);
    const storedHits = siteHits.filter(({ path }) => ids.has(path));
    await addHits(transaction, siteId, storedHits, ids, rules);
    const visitorRows = siteVisitors.flatMap(({ day, path, kind, visitor }) => {
      const id = ids.get(path);
      return id === undefined ? [] : [[siteId, day, id, kind, visitor]];
    });
    const into = "visitors_seen (site_id, day, path_id, kind, visitor)";
    await insertRows(transaction, into, inOrder(visitorRows), "on conflict do nothing");
    const missingRows = missing
      .filter(ofProject)
      .map(({ path, views, lastSeenAt }) => [siteId, storable(path).slice(0, maxMissingLength), views, lastSeenAt]);
    if (missingRows.length > 0) await addMissing(transaction, siteId, missingRows);
    counted.push({ projectId, siteId, ids });
  }
  return counted;
}

async function addHits(
  transaction: Transaction,
  siteId: number,
  hits: readonly ViewCount[],
  ids: ReadonlyMap<string, number>,
  rules: number,
): Promise<void> {
  for (const [table, columns, keyOf] of [
    ["view_days", "site_id, kind, day, path_id", (kind, day, id) => [siteId, kind, day, id]],
    ["view_months", "site_id, kind, month, path_id", (kind, day, id) => [siteId, kind, monthOf(day), id]],
  ] as const satisfies readonly [string, string, KeyOf][])
    await insertRows(
      transaction,
      `${table} (${columns}, views)`,
      sumsOf(hits, ids, keyOf),
      `on conflict (${columns}) do update set views = ${table}.views + excluded.views`,
    );
  await insertRows(
    transaction,
    "view_totals (site_id, kind, day, views, rules)",
    sumsOf(hits, ids, (kind, day) => [siteId, kind, day]).map((row) => [...row, rules]),
    `on conflict (site_id, kind, day) do update set views = view_totals.views + excluded.views, rules = excluded.rules`,
  );
}

type KeyOf = (kind: number, day: number, id: number) => number[];

/** Rows of a key and the sum of its views, in the order of the keys. */
function sumsOf(hits: readonly ViewCount[], ids: ReadonlyMap<string, number>, keyOf: KeyOf): readonly number[][] {
  const sums: number[][] = [];
  const rows = hits.map(({ kind, day, path, views }) => keyOf(kind, day, ids.get(path)!).concat(views));
  for (const row of inOrder(rows)) {
    const last = sums.at(-1);
    const views = row.length - 1;
    if (last && row.every((value, index) => index === views || value === last[index])) last[views]! += row[views]!;
    else sums.push(row);
  }
  return sums;
}

/** Keeps the paths with the most views; with equal counts, the newest. */
async function addMissing(
  transaction: Transaction,
  siteId: number,
  rows: readonly (readonly Param[])[],
): Promise<void> {
  await insertRows(
    transaction,
    "missing_paths (site_id, path, views, last_seen)",
    rows.toSorted((a, b) => (String(a[1]) < String(b[1]) ? -1 : 1)),
    `on conflict (site_id, path) do update set views = missing_paths.views + excluded.views,
       last_seen = case when excluded.last_seen > missing_paths.last_seen
         then excluded.last_seen else missing_paths.last_seen end`,
  );
  await transaction.query`delete from missing_paths where site_id = ${siteId} and path in (
    select path from missing_paths where site_id = ${siteId} order by views desc, last_seen desc, path
    limit 1000000 offset ${maxMissing})`;
}

/** @returns false if another process has imported further since this one read. */
async function advance(
  transaction: Transaction,
  siteId: number,
  { file, fromByte, toByte }: ImportedPart,
): Promise<boolean> {
  await transaction.query`insert into view_imports (site_id, file, bytes)
    values (${siteId}, ${file}, 0) on conflict do nothing`;
  const advanced = await transaction.query`update view_imports set bytes = ${toByte}
    where site_id = ${siteId} and file = ${file} and bytes = ${fromByte} returning bytes`;
  return advanced.length > 0;
}

/** Sorts rows of numbers, and of texts where the numbers are equal. */
const inOrder = <Row extends readonly (number | string)[]>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => {
    for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return a[at]! < b[at]! ? -1 : 1;
    return 0;
  });

/** The most stored paths of one site. */
const maxPaths = 20_000;
/** The most sites in memory. */
const maxSites = 500;

/** The ids of sites and paths, which this process keeps in memory. */
export function createSitePaths(database: Database) {
  const sites = new Map<string, number>();
  const paths = new Map<number, ReadonlyMap<string, number>>();

  return {
    /** The id of a project's site; undefined if it has no views. */
    async find(projectId: string): Promise<number | undefined> {
      const [row] = await database.read`select site_id from view_sites where project_id = ${projectId}`;
      return row?.["site_id"] as number | undefined;
    },
    /** The id of a project's site, which is created if it is missing; undefined if there is no such project. */
    async site(transaction: Transaction, projectId: string): Promise<number | undefined> {
      const [project] =
        await transaction.query`select 1 as one from projects where project_id = ${projectId} and removed_at is null`;
      if (!project) return undefined;
      const cached = sites.get(projectId);
      if (cached !== undefined) return cached;
      await transaction.query`insert into view_sites (project_id) values (${projectId}) on conflict do nothing`;
      const [row] = await transaction.query`select site_id from view_sites where project_id = ${projectId}`;
      return row!["site_id"] as number;
    },
    /** The ids of the paths. Paths above the limit have none. */
    async ids(
      transaction: Transaction,
      siteId: number,
      viewed: ReadonlySet<string>,
    ): Promise<ReadonlyMap<string, number>> {
      const cached = paths.get(siteId);
      if (cached && (cached.size >= maxPaths || [...viewed].every((path) => cached.has(path)))) return cached;
      const read = async (): Promise<Map<string, number>> => {
        const rows = await transaction.query`select path, path_id from view_paths where site_id = ${siteId}`;
        return new Map(rows.map((row) => [row["path"] as string, row["path_id"] as number]));
      };
      const stored = await read();
      const added = [...viewed].filter((path) => !stored.has(path)).slice(0, Math.max(0, maxPaths - stored.size));
      if (added.length === 0) return stored;
      const rows = added.sort().map((path) => [siteId, path]);
      await insertRows(transaction, "view_paths (site_id, path)", rows, "on conflict do nothing");
      return read();
    },
    /** Call it once the transaction that used the ids is committed. */
    remember(projectId: string, siteId: number, ids: ReadonlyMap<string, number>): void {
      const [oldest] = sites;
      if (oldest && sites.size >= maxSites) {
        sites.delete(oldest[0]);
        paths.delete(oldest[1]);
      }
      sites.set(projectId, siteId);
      paths.set(siteId, ids);
    },
  };
}
export type SitePaths = ReturnType<typeof createSitePaths>;
