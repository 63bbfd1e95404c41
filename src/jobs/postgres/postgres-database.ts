import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Bell } from "../sql/bell.js";
import { steadyNow } from "../sql/clock.js";
import type { Database, Param, Row, Transaction } from "../sql/database.js";
import { migrate } from "../sql/migrations.js";
import { bellChannel, listenToBells } from "./listen.js";

export interface PostgresDatabase extends Database {
  /** Runs any SQL, also while all transactions that may be open are open and wait for it. */
  execute(sql: string, params?: unknown[]): Promise<pg.QueryResult>;
  /** The server's clock, in milliseconds since 1970: one for all machines. */
  now(): number;
}

/** Longest a query waits for its answer, in milliseconds: a connection may be dead without anybody having said so. */
const patienceMs = 10_000;
/** How long the server has to end its side of a connection, in milliseconds. */
const farewellMs = 1_000;
/** How often a transaction is tried that others are in the way of. */
const maxTries = 5;

/**
 * A PostgreSQL database, our tables in its schema `offprint`.
 *
 * Fails: rejects with what the server or the network says; a query on a dead connection within 10 s. The next call takes
 * another connection.
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
  const transaction: Database["transaction"] = async (change) => {
    for (let tries = 1; ; tries++) {
      try {
        return await runTransaction(pool, change);
      } catch (error) {
        if (!isInTheWay(error) || tries === maxTries) throw error;
      }
    }
  };

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
      read: async (sql, params) => (await pool.query(sql, [...(params ?? [])])).rows,
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

async function runTransaction<Result>(
  pool: pg.Pool,
  change: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // One that breaks says so by the query that it breaks in.
  const ignore = (): void => {};
  client.on("error", ignore);
  const rung = new Set<string>();
  const query = async (sql: string, params: readonly Param[] = []): Promise<readonly Row[]> =>
    (await client.query(sql, [...params])).rows;
  let broken = true;
  try {
    await client.query("begin");
    const result = await change({ query, ring: async (topic) => void rung.add(topic) });
    if (rung.size > 0)
      await client.query("select pg_notify($1, topic) from unnest($2::text[]) as topic", [bellChannel, [...rung]]);
    await client.query("commit");
    broken = false;
    return result;
  } catch (error) {
    // Whatever state the connection is in, the server undoes what was not committed when it goes.
    broken = await client.query("rollback").then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.off("error", ignore);
    client.release(broken);
  }
}

/** @throws {Error} that does not repeat the address, which holds a password. */
function connectionOptions(driver: typeof pg, url: string, sockets: Set<Socket>): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new Error("The address of the database has another form than postgresql://user:password@host:5432/name.");
  return {
    connectionString: url,
    application_name: "offprint",
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    // A transaction whose client has vanished lets go of its rows.
    idle_in_transaction_session_timeout: patienceMs,
    keepAlive: true,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    },
    types: { getTypeParser: ((oid: number, format?: "text") => parserOf(driver, oid, format)) as never },
  };
}

/** Our counts and times are exact in a double. */
const parserOf = (driver: typeof pg, oid: number, format?: "text") =>
  oid === driver.types.builtins.INT8 ? Number : driver.types.getTypeParser(oid, format);

/** Serialization failure, deadlock. */
const isInTheWay = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "40001" || error.code === "40P01");
