import { EnvironmentError } from "../../../lib/system-error.js";
import { type Query, raw, type Transaction } from "./database.js";
import { schema } from "./schema.js";

/**
 * Statements by version of the tables, from version 1. Do not edit a released version: add one.
 *
 * Programs of two releases use the database at once during a rollout. So a release only adds to the tables. A later
 * release removes unused columns and tables, with `removes`: programs that know only earlier versions then refuse
 * the database.
 */
const versions: readonly { readonly statements: string; readonly removes?: true }[] = [{ statements: schema }];

/** Parts of the SQL that differ between SQLite and PostgreSQL. */
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
  await transaction.query`create table if not exists migrations
    (version integer primary key, oldest_program integer not null default 0)`;
  const version = await schemaVersion(transaction.query);
  for (let next = version + 1; next <= latestVersion; next++) {
    const { statements, removes } = versions[next - 1]!;
    for (const statement of inDialect(statements, dialect).split(";"))
      if (statement.trim()) await transaction.query`${raw(statement)}`;
    await transaction.query`insert into migrations (version, oldest_program) values (${next}, ${removes ? next : 0})`;
  }
}

const inDialect = (statements: string, dialect: Dialect): string =>
  statements.replace(/\$(counting|clustered|codePoints)/g, (_, name: keyof Dialect) => dialect[name]);

/**
 * The version of a database that has the table `migrations`.
 *
 * @throws {EnvironmentError} if a newer version of this program has migrated it, and this one can no longer use it.
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
