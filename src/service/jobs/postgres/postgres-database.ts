import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Bell } from "../sql/bell.js";
import { steadyNow } from "../sql/clock.js";
import type { Database } from "../sql/database.js";
import { migrate } from "../sql/migrations.js";
import { connectionOptions } from "./connection-options.js";
import { listenToBells } from "./listen.js";
import { read, runTransaction } from "./run-transaction.js";

export interface PostgresDatabase extends Database {
  /** Runs any SQL, also while all transactions that may be open are open and wait for it. */
  execute(sql: string, params?: unknown[]): Promise<pg.QueryResult>;
  /** The server's clock, in milliseconds since 1970: one for all machines. */
  now(): number;
}

/** How long the server has to end its side of a connection, in milliseconds. */
const farewellMs = 1_000;

/**
 * A PostgreSQL database, our tables in its schema `offprint`.
 *
 * Fails: rejects with what the server or the network says. A connection that has died without a word is noticed within
 * 5 s, and where nothing was begun on it another one is taken.
 */
export async function openPostgresDatabase(url: string, bell: Bell): Promise<PostgresDatabase> {
  const { default: driver } = await import("pg");
  const sockets = new Set<Socket>();
  const options = connectionOptions(driver, url, sockets);
  const pool = new driver.Pool({
    ...options,
    onConnect: async (client) => void (await client.query("set search_path to offprint")),
  });
  const aside = new driver.Pool({ ...options, max: 2 });
  // A connection that broke while nobody used it: the pool has dropped it.
  for (const each of [pool, aside]) each.on("error", () => {});
  const end = async (): Promise<void> => {
    await Promise.race([Promise.all([pool.end(), aside.end()]), sleep(farewellMs, undefined, { ref: false })]);
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
      await migrate(open, { counting: "bigint generated always as identity primary key" });
    });
    let offsetMs = 0;
    const listener = await listenToBells(driver, options, bell, (serverNow) => {
      offsetMs = serverNow - steadyNow();
    });
    return {
      read: (sql, params) => read({ driver, pool }, sql, params),
      transaction,
      execute: (sql, params) => aside.query(sql, params),
      now: () => steadyNow() + offsetMs,
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
