import type pg from "pg";
import { queryBy, type Row, type Sql, type Transaction } from "./database.js";
import { notifyChannel } from "./postgres-notifications.js";
import { storable } from "./rows.js";

/** For conflicts with other transactions, and for dead connections. */
const maxTries = 4;

type Execute = (text: string, params?: readonly unknown[]) => Promise<readonly Row[]>;

export interface Server {
  readonly driver: typeof pg;
  readonly pool: pg.Pool;
}

export interface PostgresTransaction extends Transaction {
  /** For pg-boss, which writes its SQL itself. */
  readonly execute: Execute;
}

/** Reads; retries on another connection if an idle one has died. */
export async function read(server: Server, statement: Sql): Promise<readonly Row[]> {
  for (let tries = 1; ; tries++) {
    const client = await server.pool.connect();
    try {
      return await onClient(server, client, (execute) => execute(numbered(statement), statement.params));
    } catch (error) {
      if (!isConnectionFault(server, error) || tries === maxTries) throw error;
    }
  }
}

/** Runs `change` in a transaction, and again after a conflict, or if an idle connection has died. */
export async function runTransaction<Result>(
  server: Server,
  change: (transaction: PostgresTransaction) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const client = await server.pool.connect();
    let hasBegun = false;
    try {
      return await onClient(server, client, async (execute) => {
        await execute("begin");
        hasBegun = true;
        const notified = new Set<string>();
        const result = await change({
          query: queryBy((statement) => execute(numbered(statement), statement.params)),
          execute,
          lock: async (name) =>
            void (await execute("select pg_advisory_xact_lock(hashtext($1))", [`offprint ${name}`])),
          notify: async (topic) => void notified.add(topic),
        });
        if (notified.size > 0)
          await execute("select pg_notify($1, topic) from unnest($2::text[]) as topic", [notifyChannel, [...notified]]);
        await execute("commit");
        return result;
      });
    } catch (error) {
      const mayTryAgain = hasBegun ? isConflict(server, error) : isConnectionFault(server, error);
      if (!mayTryAgain || tries === maxTries) throw error;
    }
  }
}

/** Releases the connection after `use`, and rolls back a transaction that is still open. */
async function onClient<Result>(
  server: Server,
  client: pg.PoolClient,
  use: (execute: Execute) => Promise<Result>,
): Promise<Result> {
  // The query that the connection breaks in reports the error.
  const ignore = (): void => {};
  client.on("error", ignore);
  let isBroken = false;
  const execute: Execute = async (text, params = []) => {
    try {
      return (await client.query(text, params.map(storableParam))).rows;
    } catch (error) {
      isBroken ||= isConnectionFault(server, error);
      throw error;
    }
  };
  try {
    return await use(execute);
  } catch (error) {
    // On a broken connection the server rolls back by itself.
    if (!isBroken) await execute("rollback").catch(() => {});
    throw error;
  } finally {
    client.off("error", ignore);
    client.release(isBroken);
  }
}

/** `select $1, $2` */
const numbered = ({ texts }: Sql): string => texts.reduce((statement, text, index) => `${statement}$${index}${text}`);

/** A text of a request may have characters for which PostgreSQL refuses the whole query. */
const storableParam = (param: unknown): unknown =>
  typeof param === "string" ? storable(param) : Array.isArray(param) ? param.map(storableParam) : param;

/** Serialization failure, deadlock. */
const isConflict = ({ driver }: Server, error: unknown): boolean =>
  error instanceof driver.DatabaseError && (error.code === "40001" || error.code === "40P01");

/** No answer; or the server starts or shuts down, closed the connection, or has too many of them. */
export const isConnectionFault = ({ driver }: Pick<Server, "driver">, error: unknown): boolean =>
  !(error instanceof driver.DatabaseError) || error.code?.startsWith("57P") === true || error.code === "53300";
