import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bell } from "../sql/bell.js";
import type { Database, Param, Row, Transaction } from "../sql/database.js";
import { migrate } from "../sql/migrations.js";
import { leaseTable } from "./lease-queue.js";

/** Longest a transaction waits until no other process writes, in milliseconds. */
const patienceMs = 15_000;
/** How soon a change by another process is noticed, in milliseconds. */
const watchMs = 100;

/**
 * A SQLite file that several processes of one machine may use at once. What is committed outlives a power cut.
 *
 * Fails: rejects, naming the file, if it is no database, cannot be written, or others write for too long.
 */
export async function openSqliteDatabase(file: string, bell: Bell): Promise<Database> {
  const { reader, writer } = openConnections(file);
  const read = queryOf(reader);
  const query = queryOf(writer);
  const write = serial();
  const transaction: Database["transaction"] = (change) =>
    write(async () => {
      await begin(writer, file);
      const rung: string[] = [];
      const open: Transaction = {
        query: async (sql, params) => query(sql, params),
        ring: async (topic) => void rung.push(topic),
      };
      try {
        const result = await change(open);
        writer.exec("commit");
        for (const topic of rung) bell.ring(topic);
        return result;
      } catch (error) {
        rollback(writer);
        throw isSqlite(error) ? new Error(`The database ${file} does not work.`, { cause: error }) : error;
      }
    });

  await transaction(async (open) => {
    await migrate(open, { counting: "integer primary key autoincrement" });
    for (const statement of leaseTable) await open.query(statement);
  });

  const watch = setInterval(watchOthers(query, bell), watchMs).unref();
  return {
    read: async (sql, params) => read(sql, params),
    transaction,
    close: () =>
      write(async () => {
        clearInterval(watch);
        reader.close();
        writer.close();
      }),
  };
}

/** Two, so that nobody reads what is not yet committed. */
function openConnections(file: string): { readonly reader: DatabaseSync; readonly writer: DatabaseSync } {
  try {
    // It holds the secrets of webhooks. SQLite gives its other files the same mode.
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, "a", 0o600));
    chmodSync(file, 0o600);
    const writer = new DatabaseSync(file);
    writer.exec(`pragma busy_timeout = ${patienceMs}; pragma journal_mode = wal`);
    // FULL: a power cut takes nothing that was committed.
    writer.exec("pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 0");
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec(`pragma busy_timeout = ${patienceMs}`);
    return { writer, reader };
  } catch (error) {
    throw new Error(`The database ${file} cannot be opened.`, { cause: error });
  }
}

/** Waits for other processes without holding up this one. */
async function begin(writer: DatabaseSync, file: string): Promise<void> {
  const started = performance.now();
  for (let pauseMs = 1; ; pauseMs = Math.min(20, pauseMs * 2)) {
    try {
      return writer.exec("begin immediate");
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() - started > patienceMs)
        throw new Error(`The database ${file} has been locked by another process for ${patienceMs / 1000} s.`, {
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

/** SQLite itself has done so where a full disk or a broken one was the reason. */
function rollback(writer: DatabaseSync): void {
  try {
    writer.exec("rollback");
  } catch {
    // Then there is nothing to undo.
  }
}

type Query = (sql: string, params?: readonly Param[]) => readonly Row[];

/** Statements are prepared once. */
function queryOf(connection: DatabaseSync): Query {
  const prepared = new Map<string, StatementSync>();
  return (sql, params = []) => {
    const statement = prepared.get(sql) ?? connection.prepare(sql);
    prepared.set(sql, statement);
    const named = Object.fromEntries(params.map((value, index) => [`$${index + 1}`, value ?? null]));
    return statement.all(named) as unknown as readonly Row[];
  };
}

/** Runs one after the other, in the order of the calls. */
function serial(): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run, run);
    last = next.catch(() => {});
    return next;
  };
}

/** The file's version changes with every commit by another process. */
function watchOthers(query: Query, bell: Bell): () => void {
  let before: unknown;
  return () => {
    if (!bell.isAwaited) return;
    const version = query("pragma data_version")[0]?.["data_version"];
    if (version !== before) bell.ringAll();
    before = version;
  };
}
