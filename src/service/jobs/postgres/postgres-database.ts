import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { monotonicNow } from "../sql/clock.js";
import type { Database, Param } from "../sql/database.js";
import { migrate } from "../sql/migrations.js";
import type { Notifier } from "../sql/notifier.js";
import { connectionOptions } from "./connection-options.js";
import { listenForNotifications } from "./listen.js";
import { executeOnce, read, runTransaction } from "./run-transaction.js";

export type PostgresDatabase = Awaited<ReturnType<typeof openPostgresDatabase>>;

/** Time for an orderly end of the connections, in milliseconds. */
const closeTimeoutMs = 1_000;

/**
 * A PostgreSQL database with our tables in the schema `offprint`.
 *
 * Fails: rejects with the error of the server or the network. A dead connection is noticed within 5 s and replaced,
 * unless a transaction has begun on it.
 */
export async function openPostgresDatabase(url: string, notifier: Notifier) {
  const { default: driver } = await import("pg");
  const sockets = new Set<Socket>();
  const options = connectionOptions(driver, url, sockets);
  const pool = new driver.Pool({
    ...options,
    onConnect: async (client) => void (await client.query("set search_path to offprint")),
  });
  const queuePool = new driver.Pool({ ...options, max: 2 });
  // An idle connection broke: the pool has already removed it.
  for (const each of [pool, queuePool]) each.on("error", () => {});
  const end = async (): Promise<void> => {
    await Promise.race([Promise.all([pool.end(), queuePool.end()]), sleep(closeTimeoutMs, undefined, { ref: false })]);
    for (const socket of sockets) socket.destroy();
  };
  const transaction: Database["transaction"] = (change) => runTransaction({ driver, pool }, change);

  try {
    await pool.query("select 1").catch((error: unknown) => {
      throw new Error(`The database at ${new URL(url).host} cannot be reached.`, { cause: error });
    });
    await transaction(async (open) => {
      await open.query("select pg_advisory_xact_lock(hashtext('offprint migrations'))");
      await open.query("create schema if not exists offprint");
      await migrate(open, "bigint generated always as identity primary key");
    });
    let offsetMs = 0;
    const listener = await listenForNotifications(driver, options, notifier, (serverNow) => {
      offsetMs = serverNow - monotonicNow();
    });
    return {
      read: (sql: string, params?: readonly Param[]) => read({ driver, pool }, sql, params),
      transaction,
      /** Runs SQL on a separate pool, since open transactions may occupy the main pool while they wait for this. */
      execute: (sql: string, params?: unknown[]): Promise<pg.QueryResult> =>
        executeOnce({ driver, pool: queuePool }, sql, params),
      /** The server's clock, in milliseconds since 1970. */
      now: () => monotonicNow() + offsetMs,
      async close() {
        await listener.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
