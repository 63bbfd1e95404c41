import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Notifier } from "./notifier.js";

export const notifyChannel = "offprint";

/** Interval of connection checks, and delay between attempts to reconnect, in milliseconds. */
const checkMs = 10_000;
const reconnectMs = 1_000;

/**
 * Passes the notifications of all processes to `notifier`, over a dedicated connection. A broken connection is
 * replaced; then all waiters are woken, since notifications may have been missed.
 *
 * @param onServerNow receives the server's time at each check, first before this resolves.
 */
export async function listenForNotifications(
  driver: typeof pg,
  options: pg.ClientConfig,
  notifier: Notifier,
  onServerNow: (serverNow: number) => void,
): Promise<{ close(): Promise<void> }> {
  const stop = new AbortController();
  let { client, ended } = await connect();
  const running = checkUntilClosed();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };

  async function connect(): Promise<{ readonly client: pg.Client; readonly ended: Promise<void> }> {
    const next = new driver.Client(options);
    const ended = new Promise<void>((resolve) => next.once("end", resolve));
    // The next check notices a broken connection.
    next.on("error", () => {});
    next.on("notification", ({ payload }) => notifier.notify(payload ?? ""));
    try {
      await next.connect();
      await next.query(`listen ${notifyChannel}`);
      await syncClock(next);
      return { client: next, ended };
    } catch (error) {
      void next.end().catch(() => {});
      throw error;
    }
  }

  async function syncClock(from: pg.Client): Promise<void> {
    const sentAt = performance.now();
    const { rows } = await from.query("select extract(epoch from clock_timestamp()) * 1000 as ms");
    onServerNow(Number(rows[0].ms) + (performance.now() - sentAt) / 2);
  }

  async function checkUntilClosed(): Promise<void> {
    while (!stop.signal.aborted) {
      const timer = sleep(checkMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      await Promise.race([ended, timer]);
      if (!stop.signal.aborted) await syncClock(client).catch(() => replace());
    }
    void client.end().catch(() => {});
  }

  async function replace(): Promise<void> {
    void client.end().catch(() => {});
    while (!stop.signal.aborted) {
      try {
        ({ client, ended } = await connect());
        return notifier.notifyAll();
      } catch {
        await sleep(reconnectMs, undefined, { signal: stop.signal }).catch(() => {});
      }
    }
  }
}
