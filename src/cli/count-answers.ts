import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Manifest, publishedPaths } from "../bundle/archive/index.js";
import type { Log } from "../lib/log.js";
import { builtFile } from "../lib/package-root.js";
import type { AnswerRecord } from "../serve/index.js";
import { type Visit, visitHeaders } from "../service/analytics/index.js";
import type { ServeArguments } from "./commands/serve-options.js";
import type { CountTask, FromCounter, ToCounter } from "./count-messages.js";
import { addressReader } from "./counting.js";
import type { Environment } from "./environment.js";
import { UsageError } from "./environment.js";

export interface AnswerCounter {
  count(answer: AnswerRecord): void;
  /** Stores what was counted. */
  close(): Promise<void>;
}

/** How long answers are collected before the thread gets them, in milliseconds. */
const collectMs = 50;
const mostCollected = 500;
/** Answers that the thread has not counted yet; further ones are dropped. */
const mostWaiting = 100_000;
const countedStatuses = new Set([200, 304, 404]);

/**
 * Counts what `offprint serve` answers, in the database of the service.
 *
 * @param manifest of the bundle that is served.
 * @throws {UsageError} if the service does not know the site.
 */
export async function openAnswerCounter(
  { countFor: domain = "", serviceData, basePath: given = "", agentRanges }: ServeArguments,
  environment: Environment,
  manifest: () => Manifest | undefined,
  log: Log,
): Promise<AnswerCounter> {
  const basePath = given.replace(/\/+$/, "");
  const addressOf = await addressReader(environment);
  const task: CountTask = {
    domain,
    basePath,
    ...(serviceData !== undefined && { serviceData }),
    ...(agentRanges !== undefined && { agentRanges }),
  };
  const thread = new Worker(builtFile("count-thread.js"), { workerData: task });
  const send = (message: ToCounter): void => thread.postMessage(message);
  const [first] = (await once(thread, "message")) as [FromCounter];
  if (first.kind === "refused") {
    await thread.terminate();
    throw new UsageError(first.message);
  }

  let visits: Visit[] = [];
  let timer: NodeJS.Timeout | undefined;
  let waiting = 0;
  let current: Manifest | undefined;
  let isRunning = true;
  thread.on("message", (message: FromCounter) => {
    if (message.kind === "counted") waiting -= message.visits;
  });
  thread.on("error", (error) => log("error", "Page views are not counted any more.", { error: String(error) }));
  const ended = once(thread, "exit").finally(() => {
    isRunning = false;
  });
  ended.catch(() => {});

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const now = manifest();
    if (now !== current) {
      current = now;
      send({ kind: "pages", paths: now ? publishedPaths(now) : new Set() });
    }
    waiting += visits.length;
    send({ kind: "visits", visits });
    visits = [];
  };
  return {
    count({ method, path, status, address, headers }) {
      // Most requests are for styles, scripts and images.
      if (method !== "GET" || !countedStatuses.has(status) || path.startsWith(`${basePath}/_offprint/`)) return;
      if (!isRunning || waiting + visits.length >= mostWaiting) return;
      const forwarded = headers["x-forwarded-for"];
      visits.push({
        method,
        path,
        status,
        address: addressOf(address, Array.isArray(forwarded) ? forwarded.join(",") : forwarded),
        headers: pick(headers),
        at: Date.now(),
      });
      if (visits.length >= mostCollected) flush();
      else timer ??= setTimeout(flush, collectMs).unref();
    },
    async close() {
      flush();
      send({ kind: "close" });
      await ended.catch(() => {});
    },
  };
}

function pick(headers: AnswerRecord["headers"]): Visit["headers"] {
  const picked: Record<string, string> = {};
  for (const name of visitHeaders) {
    const value = headers[name];
    // Node joins the values of a header that is repeated.
    if (typeof value === "string") picked[name] = value;
  }
  return picked;
}
