import { randomInt } from "node:crypto";
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { EnvironmentError } from "../../../lib/system-error.js";
import * as db from "./database.js";
import type { Notifier } from "./notifier.js";
import { type Dialect, migrate, schemaVersion } from "./schema.js";
import { createLeaseWatch, type JobQueue, type StoreDeps } from "./store-deps.js";

/** Loaded on use: a static import would fail on a Node without SQLite before our own message about it. */
function sqlite() {
  const { emitWarning } = process;
  // Node 22 says that the module is experimental.
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Longest wait for another process that writes, in milliseconds. */
const lockTimeoutMs = 15_000;
/** Interval of the check for changes by other processes, in milliseconds. */
const watchMs = 100;

const dialect: Dialect = { counting: "integer primary key autoincrement", clustered: "without rowid", codePoints: "" };

/**
 * A SQLite file that several processes of one machine can share. Committed data survives a power failure.
 *
 * Fails: rejects, naming the file, if it is not a database, is not writable, or is locked for too long.
 */
export async function openSqliteDatabase(file: string, notifier: Notifier): Promise<db.Database> {
  const { reader, writer } = openConnections(file);
  const query = queryIn(writer);
  const inTurn = serial();
  const transaction: db.Database["transaction"] = (change) =>
    inTurn(async () => {
      await begin(writer, file);
      const notified: string[] = [];
      const open: db.Transaction = {
        query,
        // SQLite runs one writing transaction at a time.
        lock: async () => {},
        notify: async (topic) => void notified.push(topic),
      };
      try {
        const result = await change(open);
        writer.exec("commit");
        for (const topic of notified) notifier.notify(topic);
        return result;
      } catch (error) {
        rollback(writer);
        throw isSqlite(error) ? new Error(`The database ${file} failed.`, { cause: error }) : error;
      }
    });

  await transaction(async (open) => {
    await migrate(open, dialect);
    for (const statement of queueTable) await open.query`${db.raw(statement)}`;
  });

  const watch = setInterval(watchOthers(writer, notifier), watchMs).unref();
  return {
    read: queryIn(reader),
    write: db.writeBy(transaction),
    transaction,
    close: () =>
      inTurn(async () => {
        clearInterval(watch);
        reader.close();
        writer.close();
      }),
  };
}

/** The version of the tables in `file`, or 0 if there are none. Changes nothing. */
export async function sqliteSchemaVersion(file: string): Promise<number> {
  if (!existsSync(file)) return 0;
  const database = new (sqlite().DatabaseSync)(file, { readOnly: true });
  try {
    const query = queryIn(database);
    const [table] = await query`select name from sqlite_schema where name = 'migrations'`;
    return table ? await schemaVersion(query) : 0;
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    throw new EnvironmentError(`The database ${file} cannot be read.`, { cause: error });
  } finally {
    database.close();
  }
}

/** Two connections, so that reads do not see uncommitted data. */
function openConnections(file: string): { readonly reader: DatabaseSync; readonly writer: DatabaseSync } {
  try {
    // The file contains webhook secrets. SQLite gives its other files the same mode.
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, "a", 0o600));
    chmodSync(file, 0o600);
    const writer = new (sqlite().DatabaseSync)(file);
    writer.exec(`pragma busy_timeout = ${lockTimeoutMs}; pragma journal_mode = wal`);
    // FULL: committed data survives a power failure.
    writer.exec("pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 0");
    const reader = new (sqlite().DatabaseSync)(file, { readOnly: true });
    reader.exec(`pragma busy_timeout = ${lockTimeoutMs}`);
    return { writer, reader };
  } catch (error) {
    throw new EnvironmentError(`The database ${file} cannot be opened.`, { cause: error });
  }
}

/** Waits for other processes without blocking this one. */
async function begin(writer: DatabaseSync, file: string): Promise<void> {
  const started = performance.now();
  for (let pauseMs = 1; ; pauseMs = Math.min(20, pauseMs * 2)) {
    try {
      return writer.exec("begin immediate");
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() - started > lockTimeoutMs)
        throw new Error(`The database ${file} has been locked by another process for ${lockTimeoutMs / 1000} s.`, {
          cause: error,
        });
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
}

const sqliteBusy = 5;
const isSqlite = (error: unknown): error is Error & { readonly errcode: number } =>
  error instanceof Error && "errcode" in error;
const isBusy = (error: unknown): boolean => isSqlite(error) && (error.errcode & 0xff) === sqliteBusy;

/** SQLite rolls back by itself after a disk error. */
function rollback(writer: DatabaseSync): void {
  try {
    writer.exec("rollback");
  } catch {
    // There is no open transaction.
  }
}

function queryIn(connection: DatabaseSync): db.Query {
  const prepared = new Map<string, StatementSync>();
  return db.queryBy(async ({ texts, params }: db.Sql) => {
    const text = texts.join("?");
    const statement = prepared.get(text) ?? connection.prepare(text);
    prepared.set(text, statement);
    return statement.all(...params.map((value) => value ?? null)) as db.Row[];
  });
}

/** Runs the calls one after the other, in order. */
function serial(): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run, run);
    last = next.catch(() => {});
    return next;
  };
}

/** `data_version` changes with each commit of another process. */
function watchOthers(connection: DatabaseSync, notifier: Notifier): () => void {
  const dataVersion = connection.prepare("pragma data_version");
  let before: unknown;
  return () => {
    if (!notifier.hasWaiters) return;
    const version = dataVersion.get()?.["data_version"];
    if (version !== before) notifier.notifyAll();
    before = version;
  };
}

export const queueTable = [
  `create table if not exists queue (
    position integer primary key autoincrement,
    job_id text not null unique,
    organization_id text not null,
    attempts integer not null default 0,
    due_at integer not null default 0,
    heartbeats integer
  )`,
  "create index if not exists queue_leased on queue (organization_id) where heartbeats is not null",
];

/** A row per unfinished job. The holder of its lease increments `heartbeats`, which is null for a waiting job. */
export function createSqliteQueue(
  database: db.Database,
  { rules: { maxAttempts, backoffMs, leaseMs }, now, steadyNow }: Pick<StoreDeps, "rules" | "now" | "steadyNow">,
): JobQueue {
  const longestBackoffMs = backoffMs * 2 ** maxAttempts;
  const findExpired = createLeaseWatch(leaseMs, steadyNow);

  const remove = async (transaction: db.Transaction, jobId: string): Promise<void> => {
    await transaction.query`delete from queue where job_id = ${jobId}`;
  };

  return {
    async add(transaction, { jobId }, organizationId) {
      await transaction.query`insert into queue (job_id, organization_id) values (${jobId}, ${organizationId})`;
    },
    async lease(transaction, { jobId }) {
      const rows = await transaction.query`update queue
        set heartbeats = ${randomInt(2 ** 47)}, attempts = attempts + 1
        where job_id = ${jobId} and heartbeats is null returning job_id`;
      return rows.length > 0;
    },
    async renew(transaction, jobId) {
      const rows = await transaction.query`update queue set heartbeats = heartbeats + 1
        where job_id = ${jobId} and heartbeats is not null returning job_id`;
      return rows.length > 0;
    },
    async retry(transaction, jobId) {
      const retried = await transaction.query`update queue
        set heartbeats = null, due_at = ${now()} + ${backoffMs} * (1 << (attempts - 1))
        where job_id = ${jobId} and attempts < ${maxAttempts} returning job_id`;
      if (retried.length === 0) await remove(transaction, jobId);
      return retried.length > 0;
    },
    async requeue(transaction, jobId, delayMs) {
      await transaction.query`update queue
        set heartbeats = null, due_at = ${delayMs === 0 ? 0 : now() + delayMs}, attempts = attempts - 1
        where job_id = ${jobId}`;
    },
    end: remove,
    async expireLeases() {
      const leases =
        await database.read`select job_id as lease, heartbeats as heartbeat from queue where heartbeats is not null`;
      for (const { lease, heartbeat } of findExpired(leases))
        await database.write`update queue set heartbeats = null where job_id = ${lease} and heartbeats = ${heartbeat}`;
    },
    isLeased: db.sql`(select heartbeats is not null from queue where queue.job_id = jobs.job_id)`,
    // A due time beyond the longest back-off means that the clock was set back.
    isDue: (time) => db.sql`(select heartbeats is null and (due_at <= ${time} or due_at > ${time + longestBackoffMs})
      from queue where queue.job_id = jobs.job_id)`,
  };
}
