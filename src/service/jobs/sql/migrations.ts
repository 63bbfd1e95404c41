import type { Transaction } from "./database.js";
import migrations from "./migrations.json" with { type: "json" };

/**
 * `tables` and the first of `versions` are version 1. Do not edit a released version.
 *
 * The row of a removed project stays as long as its jobs, to sign their webhooks. Its domain is free at once.
 */
const [indexes = [], ...later] = migrations.versions;
const tables = Object.entries(migrations.tables).map(([table, columns]) => {
  const listed = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
  return `create table ${table} (${listed.join(", ")})`;
});
const versions = [[...tables, ...indexes], ...later];

/**
 * Migrates the tables. The caller's transaction excludes other processes.
 *
 * @param counting type of an auto-increment key.
 * @throws {Error} if a newer version of this program has migrated the database.
 */
export async function migrate(transaction: Transaction, counting: string): Promise<void> {
  await transaction.query("create table if not exists migrations (version integer primary key)");
  const [row] = await transaction.query("select coalesce(max(version), 0) as version from migrations");
  const version = row!["version"] as number;
  if (version > versions.length)
    throw new Error(
      `The database is of version ${version}, but this program knows versions up to ${versions.length}: ` +
        "install the newer program, or restore an earlier backup.",
    );
  for (const [index, statements] of versions.entries()) {
    if (index < version) continue;
    for (const statement of statements) await transaction.query(statement.replace("$counting", counting));
    await transaction.query("insert into migrations (version) values ($1)", [index + 1]);
  }
}
