import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { EnvironmentError } from "../../../lib/system-error.js";
import { queryBy, type Row, sql, writeBy } from "./database.js";
import type { Notifier } from "./notifier.js";
import { listenForNotifications } from "./postgres-notifications.js";
import {
  isConnectionFault,
  type PostgresTransaction,
  read,
  runTransaction,
  type Server,
} from "./postgres-transaction.js";
import { type Dialect, migrate, schemaVersion } from "./schema.js";
import { steadyClock } from "./store-deps.js";

export type PostgresDatabase = Awaited<ReturnType<typeof openPostgresDatabase>>;

/** The server does not answer, or does not accept connections yet. */
export class DatabaseUnreachableError extends EnvironmentError {
  override readonly name = "DatabaseUnreachableError";
}

/** Time for an orderly end of the connections, in milliseconds. */
const closeTimeoutMs = 1_000;

/**
 * Compiling a query to machine code takes half a second, and parallel workers take the processors of other queries
 * without a gain: our longest query reads a year of page views in 0.15 s.
 */
const planning = "set jit to off; set max_parallel_workers_per_gather to 0";

const dialect: Dialect = {
  counting: "bigint generated always as identity primary key",
  clustered: "",
  codePoints: 'collate "C"',
};

/**
 * A PostgreSQL database with our tables in the schema `offprint`.
 *
 * Fails: rejects with a `DatabaseUnreachableError` or the error of the server. A dead connection is noticed within 5 s
 * and replaced, unless a transaction has begun on it.
 */
export async function openPostgresDatabase(url: string, notifier: Notifier) {
  const { default: driver } = await import("pg");
  const sockets = new Set<Socket>();
  const options = connectionOptions(driver, url, sockets);
  const pool = new driver.Pool({
    ...options,
    onConnect: async (client) => void (await client.query(`set search_path to offprint; ${planning}`)),
  });
  const queuePool = new driver.Pool({ ...options, max: 2 });
  // An idle connection broke: the pool has already removed it.
  for (const each of [pool, queuePool]) each.on("error", () => {});
  const end = async (): Promise<void> => {
    await Promise.race([Promise.all([pool.end(), queuePool.end()]), sleep(closeTimeoutMs, undefined, { ref: false })]);
    for (const socket of sockets) socket.destroy();
  };
  const server: Server = { driver, pool };
  const transaction = <Result>(change: (transaction: PostgresTransaction) => Promise<Result>): Promise<Result> =>
    runTransaction(server, change);

  try {
    await pool.query("select 1").catch((error: unknown) => {
      throw openingError(driver, url, error);
    });
    await transaction(async (open) => {
      await open.lock("migrations");
      await open.query`create schema if not exists offprint`;
      await migrate(open, dialect);
    });
    let offsetMs = 0;
    const listener = await listenForNotifications(driver, options, notifier, (serverNow) => {
      offsetMs = serverNow - steadyClock();
    });
    return {
      read: queryBy((statement) => read(server, statement)),
      write: writeBy(transaction),
      transaction,
      /** For pg-boss: on a pool of its own, since open transactions may occupy the main pool while they wait for this. */
      async execute(text: string, params: unknown[] = []): Promise<pg.QueryResult> {
        // The first statement replaces an idle connection that has died unnoticed: the second one must not run twice.
        await read({ driver, pool: queuePool }, sql`select 1`);
        return queuePool.query(text, params);
      },
      /** The server's clock, in milliseconds since 1970. A step of it, or a sleep of this machine, shows within 10 s. */
      now: () => steadyClock() + offsetMs,
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

/** The version of the tables at `url`, or 0 if there are none. Changes nothing. */
export async function postgresSchemaVersion(url: string): Promise<number> {
  const { default: driver } = await import("pg");
  const client = new driver.Client(connectionOptions(driver, url, new Set()));
  const query = queryBy(async ({ texts }): Promise<readonly Row[]> => (await client.query(texts.join(""))).rows);
  try {
    await client.connect().catch((error: unknown) => {
      throw openingError(driver, url, error);
    });
    const [table] = await query`select to_regclass('offprint.migrations')::text as name`;
    if (table!["name"] === null) return 0;
    await query`set search_path to offprint`;
    return await schemaVersion(query);
  } finally {
    await client.end();
  }
}

/** The message names only the host, since the URL contains a password. */
function openingError(driver: typeof pg, url: string, cause: unknown): Error {
  const { host } = new URL(url);
  if (isConnectionFault({ driver }, cause))
    return new DatabaseUnreachableError(`The database at ${host} cannot be reached.`, { cause });
  return new EnvironmentError(`The database at ${host} refused the connection.`, { cause });
}

/** A connection may be dead without an error, so queries have a timeout. */
const timeoutMs = 5_000;

/**
 * Options of our connections. Settings in the address win, so operators can set `?query_timeout=…`.
 *
 * @param sockets collects the open sockets, to close them without the server.
 * @throws {EnvironmentError} Its message does not contain the URL, which has a password.
 */
export function connectionOptions(driver: typeof pg, url: string, sockets: Set<Socket>): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new EnvironmentError("The URL of the database must look like postgresql://user:password@host:5432/name.");
  return {
    connectionString: url,
    application_name: "offprint",
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    // Releases the locks of a client that has disappeared.
    idle_in_transaction_session_timeout: timeoutMs,
    keepAlive: true,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    },
    types: { getTypeParser: ((oid: number, format?: "text") => parserOf(driver, oid, format)) as never },
  };
}

/** Our counts and times fit exactly into a double. */
const parserOf = (driver: typeof pg, oid: number, format?: "text") =>
  oid === driver.types.builtins.INT8 ? Number : driver.types.getTypeParser(oid, format);
