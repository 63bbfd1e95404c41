import { EnvironmentError } from "../../../lib/system-error.js";
import { type Query, raw, type Transaction } from "./database.js";
import migrations from "./migrations.json" with { type: "json" };

/**
 * `tables` and the first of `versions` are version 1. Do not edit a released version.
 *
 * Programs of two releases use the database at once during a rollout. So a release only adds to the tables; what no
 * program uses any more is removed by a later release. `contracting` lists the versions that remove something: programs
 * that know only earlier versions refuse the database.
 *
 * The row of a removed project stays as long as its jobs, to sign their webhooks. Its domain is free at once.
 */
const [indexes = [], ...later] = migrations.versions;
const tables = Object.entries(migrations.tables).map(([table, columns]) => {
  const listed = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
  return `create table ${table} (${listed.join(", ")})`;
});
const versions = [[...tables, ...indexes], ...later];
/** From this version on, `migrations` has the column `oldest_program`. */
const oldestProgramVersion = 3;

/** What the tables are made of in one of the databases. */
export interface Dialect {
  /** Type of an auto-increment key. */
  readonly counting: string;
  /** Ends a table that is stored in the order of its key. */
  readonly clustered: string;
  /** Sorts a text by its code points. */
  readonly codePoints: string;
}

/** Version of the tables that this program needs. */
export const latestVersion = versions.length;

/**
 * Migrates the tables. The caller's transaction excludes other processes.
 *
 * @throws {EnvironmentError} as `schemaVersion` does.
 */
export async function migrate(transaction: Transaction, dialect: Dialect): Promise<void> {
  await transaction.query`create table if not exists migrations (version integer primary key)`;
  const version = await schemaVersion(transaction.query);
  for (const [index, statements] of versions.entries()) {
    const next = index + 1;
    if (next <= version) continue;
    for (const statement of statements) await transaction.query`${raw(inDialect(statement, dialect))}`;
    if (next < oldestProgramVersion) await transaction.query`insert into migrations (version) values (${next})`;
    else
      await transaction.query`insert into migrations (version, oldest_program)
        values (${next}, ${migrations.contracting.includes(next) ? next : 0})`;
  }
}

const inDialect = (statement: string, dialect: Dialect): string =>
  statement.replace(/\$(counting|clustered|codePoints)/g, (_, name: keyof Dialect) => dialect[name]);

/**
 * The version of a database that has the table `migrations`.
 *
 * @throws {EnvironmentError} if a newer version of this program has migrated it, and this one cannot use it any more.
 */
export async function schemaVersion(query: Query): Promise<number> {
  const [row] = await query`select coalesce(max(version), 0) as version from migrations`;
  const version = row!["version"] as number;
  if (version <= latestVersion) return version;
  const [newer] = await query`select max(oldest_program) as oldest from migrations`;
  if ((newer!["oldest"] as number) <= latestVersion) return version;
  throw new EnvironmentError(
    `This database was migrated by a newer Offprint: its tables have version ${version}, and this program knows ` +
      `versions up to ${latestVersion}. Install the newer Offprint, or restore a backup from before the migration.`,
  );
}
