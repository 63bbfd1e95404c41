import type pg from "pg";
import type { Row, Transaction } from "../sql/database.js";
import { bellChannel } from "./listen.js";

/** How often a transaction is tried that others are in the way of. */
const maxTries = 5;

/** Runs `change` in a transaction on a connection of its own; again if it met others who wanted the same rows. */
export async function runTransaction<Result>(
  driver: typeof pg,
  pool: pg.Pool,
  change: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await runOnce(driver, pool, change);
    } catch (error) {
      if (!isInTheWay(driver, error) || tries === maxTries) throw error;
    }
  }
}

async function runOnce<Result>(
  driver: typeof pg,
  pool: pg.Pool,
  change: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // A connection that breaks says so by the query that it breaks in.
  const ignore = (): void => {};
  client.on("error", ignore);
  let isBroken = false;
  const query = async (sql: string, params: readonly unknown[] = []): Promise<readonly Row[]> => {
    try {
      return (await client.query(sql, [...params])).rows;
    } catch (error) {
      isBroken ||= !(error instanceof driver.DatabaseError);
      throw error;
    }
  };
  const rung = new Set<string>();
  try {
    await query("begin");
    const result = await change({ query, ring: async (topic) => void rung.add(topic) });
    if (rung.size > 0)
      await query("select pg_notify($1, topic) from unnest($2::text[]) as topic", [bellChannel, [...rung]]);
    await query("commit");
    return result;
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
const isInTheWay = (driver: typeof pg, error: unknown): boolean =>
  error instanceof driver.DatabaseError && (error.code === "40001" || error.code === "40P01");
