import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Bell } from "../sql/bell.js";

export const bellChannel = "offprint";

/** How often the connection is tried out, and how soon a broken one is replaced, in milliseconds. */
const checkMs = 10_000;
const pauseMs = 1_000;

/**
 * Rings `bell` for the changes of all processes, over a connection of its own that is replaced when it breaks. Whatever
 * was missed meanwhile is made good by ringing for everything.
 *
 * @param onServerNow is told the server's time whenever the connection is tried out, first before this resolves.
 */
export async function listenToBells(
  driver: typeof pg,
  options: pg.ClientConfig,
  bell: Bell,
  onServerNow: (serverNow: number) => void,
): Promise<{ close(): Promise<void> }> {
  const stop = new AbortController();
  let { client, ended } = await connect();
  const running = keep();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };

  async function connect(): Promise<{ readonly client: pg.Client; readonly ended: Promise<void> }> {
    const next = new driver.Client(options);
    const ended = new Promise<void>((resolve) => next.once("end", resolve));
    // It is noticed by the next check at the latest.
    next.on("error", () => {});
    next.on("notification", ({ payload }) => bell.ring(payload ?? ""));
    try {
      await next.connect();
      await next.query(`listen ${bellChannel}`);
      await tellTime(next);
      return { client: next, ended };
    } catch (error) {
      void next.end().catch(() => {});
      throw error;
    }
  }

  async function tellTime(from: pg.Client): Promise<void> {
    const asked = performance.now();
    const { rows } = await from.query("select extract(epoch from clock_timestamp()) * 1000 as ms");
    onServerNow(Number(rows[0].ms) + (performance.now() - asked) / 2);
  }

  /** Until it is closed. */
  async function keep(): Promise<void> {
    while (!stop.signal.aborted) {
      const woken = sleep(checkMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      await Promise.race([ended, woken]);
      if (!stop.signal.aborted) await tellTime(client).catch(() => replace());
    }
    void client.end().catch(() => {});
  }

  async function replace(): Promise<void> {
    void client.end().catch(() => {});
    while (!stop.signal.aborted) {
      try {
        ({ client, ended } = await connect());
        return bell.ringAll();
      } catch {
        await sleep(pauseMs, undefined, { signal: stop.signal }).catch(() => {});
      }
    }
  }
}
