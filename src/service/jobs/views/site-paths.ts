import type { Database, Transaction } from "../database/database.js";
import { insertRows } from "../database/rows.js";

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
