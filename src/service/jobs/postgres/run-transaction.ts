import type pg from "pg";
import type { Param, Row, Transaction } from "../sql/database.js";
import { bellChannel } from "./listen.js";

/** How often something is tried that others are in the way of, or that found its connection dead. */
const maxTries = 4;

type Query = (sql: string, params?: readonly unknown[]) => Promise<readonly Row[]>;

/** What the calls below work on. */
export interface Server {
  readonly driver: typeof pg;
  readonly pool: pg.Pool;
}

/** Reads; over another connection if one had died while nobody used it. */
export async function read(server: Server, sql: string, params: readonly Param[] = []): Promise<readonly Row[]> {
  for (let tries = 1; ; tries++) {
    const client = await server.pool.connect();
    try {
      return await onClient(server, client, (query) => query(sql, params));
    } catch (error) {
      if (!isConnectionFault(server, error) || tries === maxTries) throw error;
    }
  }
}

/**
 * Runs `change` in a transaction: again if it met others who wanted the same rows, or a connection that had died while
 * nobody used it.
 */
export async function runTransaction<Result>(
  server: Server,
  change: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const client = await server.pool.connect();
    let hasBegun = false;
    try {
      return await onClient(server, client, async (query) => {
        await query("begin");
        hasBegun = true;
        const rung = new Set<string>();
        const result = await change({ query, ring: async (topic) => void rung.add(topic) });
        if (rung.size > 0)
          await query("select pg_notify($1, topic) from unnest($2::text[]) as topic", [bellChannel, [...rung]]);
        await query("commit");
        return result;
      });
    } catch (error) {
      const mayTryAgain = hasBegun ? isInTheWay(server, error) : isConnectionFault(server, error);
      if (!mayTryAgain || tries === maxTries) throw error;
    }
  }
}

/** Gives the connection back when `use` has ended, without a transaction that it may have left open. */
async function onClient<Result>(
  server: Server,
  client: pg.PoolClient,
  use: (query: Query) => Promise<Result>,
): Promise<Result> {
  // A connection that breaks says so by the query that it breaks in.
  const ignore = (): void => {};
  client.on("error", ignore);
  let isBroken = false;
  const query: Query = async (sql, params = []) => {
    try {
      return (await client.query(sql, [...params])).rows;
    } catch (error) {
      isBroken ||= isConnectionFault(server, error);
      throw error;
    }
  };
  try {
    return await use(query);
  } catch (error) {
    // On a broken connection nobody would answer; the server undoes what was not committed when it notices.
    if (!isBroken) await query("rollback").catch(() => {});
    throw error;
  } finally {
    client.off("error", ignore);
    client.release(isBroken);
  }
}

/** Serialization failure, deadlock. */
const isInTheWay = ({ driver }: Server, error: unknown): boolean =>
  error instanceof driver.DatabaseError && (error.code === "40001" || error.code === "40P01");

/** An answer that did not come, or the server's last words on the connection (an operator ended it, or the server ends). */
const isConnectionFault = ({ driver }: Server, error: unknown): boolean =>
  !(error instanceof driver.DatabaseError) || error.code?.startsWith("57P") === true;
