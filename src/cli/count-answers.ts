import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type Manifest, publishedPaths } from "../bundle/archive/index.js";
import { addressMatcher, clientAddress, isAddressRange } from "../lib/http/index.js";
import type { Log } from "../lib/log.js";
import { builtFile } from "../lib/package-root.js";
import type { AnswerRecord } from "../serve/serve-bundle.js";
import { type KindRule, type Visit, visitHeaders } from "../service/analytics/index.js";
import type { Project } from "../service/jobs/index.js";
import type { Store } from "../service/open-store.js";
import { type Environment, UsageError } from "./environment.js";
import { trustedProxies } from "./settings/api.js";

/** The data that the counting thread starts with. */
export interface CountTask {
  readonly domain: string;
  readonly basePath: string;
  readonly serviceData?: string | undefined;
  readonly agentRanges?: string | undefined;
}

export type ToCounter =
  | { readonly kind: "visits"; readonly visits: readonly Visit[] }
  /** The pages of the bundle that is served from now on. */
  | { readonly kind: "pages"; readonly paths: ReadonlySet<string> }
  | { readonly kind: "close" };

export type FromCounter =
  | { readonly kind: "ready" }
  /** The command line is wrong. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "counted"; readonly visits: number };

export type AnswerCounter = Awaited<ReturnType<typeof openAnswerCounter>>;

/** How long answers are collected before the thread gets them, in milliseconds. */
const collectMs = 50;
const maxCollected = 500;
/** Answers that the thread has not counted yet; further ones are dropped. */
const maxWaiting = 100_000;
const countedStatuses = new Set([200, 304, 404]);

/** Counts answers in the service's database. @throws {UsageError} if the service does not know the site. */
export async function openAnswerCounter(
  task: CountTask,
  environment: Environment,
  manifest: () => Manifest | undefined,
  log: Log,
) {
  const basePath = task.basePath.replace(/\/+$/, "");
  const addressOf = addressReader(environment);
  const thread = new Worker(builtFile("count-thread.js"), { workerData: { ...task, basePath } });
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
  thread.on("error", (error) => log("error", "Page views are no longer counted.", { error: String(error) }));
  const ended = once(thread, "exit").finally(() => {
    isRunning = false;
  });
  ended.catch(() => {});

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const served = manifest();
    if (served !== current) {
      current = served;
      send({ kind: "pages", paths: served ? publishedPaths(served) : new Set() });
    }
    waiting += visits.length;
    send({ kind: "visits", visits });
    visits = [];
  };
  return {
    count({ method, path, status, address, headers }: AnswerRecord): void {
      // Most requests are for styles, scripts and images.
      if (method !== "GET" || !countedStatuses.has(status) || path.startsWith(`${basePath}/_offprint/`)) return;
      if (!isRunning || waiting + visits.length >= maxWaiting) return;
      const forwarded = headers["x-forwarded-for"];
      visits.push({
        ...{ method, path, status },
        address: addressOf(address, Array.isArray(forwarded) ? forwarded.join(",") : forwarded),
        headers: headersForCounting(headers),
        at: Date.now(),
      });
      if (visits.length >= maxCollected) flush();
      else timer ??= setTimeout(flush, collectMs).unref();
    },
    /** Stores the counts. */
    async close(): Promise<void> {
      flush();
      send({ kind: "close" });
      await ended.catch(() => {});
    },
  };
}

/** Node joins the values of repeated headers; only headers that are not counted have lists. */
const headersForCounting = (headers: AnswerRecord["headers"]): Visit["headers"] =>
  Object.fromEntries(
    visitHeaders.flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );

/** The site whose views are counted. @throws {UsageError} if the service does not know it. */
export async function countedProject({ accounts }: Store, domain: string): Promise<Project> {
  const project = await accounts.projectByDomain(domain);
  if (project) return project;
  throw new UsageError(
    `The service has no site ${domain}, so it cannot count its page views. See: offprint site list, offprint site add`,
  );
}

/** Finds the client's address behind trusted proxies. @throws {UsageError} if the environment names an invalid one. */
export function addressReader({ env }: Environment) {
  const isTrusted = addressMatcher(trustedProxies(env) ?? []);
  return (connection: string | undefined, forwardedFor: string | undefined): string | undefined =>
    clientAddress(connection, forwardedFor, isTrusted);
}

/** Reads the file of `--agent-ranges`. @throws {UsageError} if the file cannot be read or is invalid. */
export async function kindRule(file: string | undefined): Promise<KindRule | undefined> {
  if (file === undefined) return undefined;
  const { readAgentRanges } = await import("../service/analytics/user-agent-ranges.js");
  try {
    return readAgentRanges(readFileSync(file, "utf8"), (ranges) =>
      ranges.every(isAddressRange) ? addressMatcher(ranges) : undefined,
    );
  } catch (error) {
    throw new UsageError(`--agent-ranges ${file}: ${(error as Error).message}.`);
  }
}
