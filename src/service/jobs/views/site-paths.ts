import type { Database, Transaction } from "../database/database.js";
import { insertRows } from "../database/database.js";

/** Paths of one site that are stored. */
const maxPaths = 20_000;
/** Sites that are remembered. */
const maxSites = 500;

/** Numbers of the sites and paths, which this process remembers. */
export function createSitePaths(database: Database) {
  const sites = new Map<string, number>();
  const paths = new Map<number, ReadonlyMap<string, number>>();

  function forgetOldest(): void {
    for (const [projectId, siteId] of sites) {
      sites.delete(projectId);
      paths.delete(siteId);
      return;
    }
  }

  return {
    /** The number of a project's site, or undefined if it has no views. */
    async find(projectId: string): Promise<number | undefined> {
      const [row] = await database.read("select site_id from view_sites where project_id = $1", [projectId]);
      return row?.["site_id"] as number | undefined;
    },
    /** The same, which is created if it is missing. Undefined if there is no such project. */
    async site(transaction: Transaction, projectId: string): Promise<number | undefined> {
      const [project] = await transaction.query(
        "select project_id from projects where project_id = $1 and removed_at is null",
        [projectId],
      );
      if (!project) return undefined;
      const known = sites.get(projectId);
      if (known !== undefined) return known;
      await transaction.query("insert into view_sites (project_id) values ($1) on conflict do nothing", [projectId]);
      const [row] = await transaction.query("select site_id from view_sites where project_id = $1", [projectId]);
      return row!["site_id"] as number;
    },
    /** The numbers of the paths. A path above the limit has none. */
    async ids(
      transaction: Transaction,
      siteId: number,
      wanted: ReadonlySet<string>,
    ): Promise<ReadonlyMap<string, number>> {
      const known = paths.get(siteId);
      if (known && (known.size >= maxPaths || [...wanted].every((path) => known.has(path)))) return known;
      const read = async (): Promise<Map<string, number>> => {
        const rows = await transaction.query("select path, path_id from view_paths where site_id = $1", [siteId]);
        return new Map(rows.map((row) => [row["path"] as string, row["path_id"] as number]));
      };
      const stored = await read();
      const added = [...wanted].filter((path) => !stored.has(path)).slice(0, Math.max(0, maxPaths - stored.size));
      if (added.length === 0) return stored;
      const rows = added.sort().map((path) => [siteId, path]);
      await insertRows(transaction, "view_paths (site_id, path)", rows, "on conflict do nothing");
      return read();
    },
    /** Remembers what a transaction has used, once it is committed. */
    remember(projectId: string, siteId: number, ids: ReadonlyMap<string, number>): void {
      if (sites.size >= maxSites) forgetOldest();
      sites.set(projectId, siteId);
      paths.set(siteId, ids);
    },
  };
}
export type SitePaths = ReturnType<typeof createSitePaths>;
