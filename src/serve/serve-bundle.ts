import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GuardedDownloadOptions } from "../lib/fetch/index.js";
import type { Log } from "../lib/log.js";
import { createAnswer } from "./answer.js";
import { createContentCache } from "./content-cache.js";
import { createDeployment, type DeploymentStatus } from "./deployment.js";
import { type BundleLimits, bundleLimitDefaults } from "./read-manifest.js";
import { BundleRefused } from "./refusal.js";
import { sourceOf } from "./source.js";

export interface ServeOptions {
  /** A values file (`.yaml`, `.json`), a bundle's folder, its `.tar.gz`, or a link to that. */
  readonly source: string;
  /** 0: any free one. */
  readonly port?: number;
  readonly host?: string;
  /** Where the site stands below its host: `/docs`. */
  readonly basePath?: string;
  /** Where unpacked bundles are kept, also for the next start; without it, in a temporary folder until `close`. */
  readonly dataFolder?: string;
  /** How often the source is looked at for a change, in milliseconds. */
  readonly checkIntervalMs?: number;
  /** Before the second try of a link that failed, in milliseconds; doubled for each one after. */
  readonly retryMs?: number;
  /** Of files and their packed forms that are kept in memory. */
  readonly cacheBytes?: number;
  readonly limits?: Partial<BundleLimits>;
  readonly download?: Omit<GuardedDownloadOptions, "maxBytes" | "allowPrivate">;
  readonly now?: () => number;
  /** What the operator should know, without secrets. */
  readonly log?: Log;
  /** Each answer, when it has gone out. */
  readonly onAnswer?: (answer: AnswerRecord) => void;
  /** Closes it. */
  readonly signal?: AbortSignal;
}
export const serveDefaults = {
  port: 8080,
  host: "127.0.0.1",
  basePath: "",
  checkIntervalMs: 10_000,
  retryMs: 5_000,
  cacheBytes: 128 * 1024 * 1024,
} as const satisfies Partial<ServeOptions>;

export interface AnswerRecord {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** From the request to the last byte. */
  readonly ms: number;
}

export interface ServedDeployment {
  /** With a slash at the end. */
  readonly url: string;
  status(): DeploymentStatus;
  /** Fetches what is wanted anew, at once; resolves when that has come about or failed. */
  reload(): Promise<void>;
  /** Takes no more requests, ends those that run, and resolves when all is done. */
  close(): Promise<void>;
}

/** How long answers that run may take once the server is to close. */
const farewellMs = 10_000;

/**
 * Serves a bundle over HTTP, and keeps it up to date with its source.
 *
 * Out:   resolves when it listens and the source was tried once. A link that fails is tried again, and until there is a
 *        bundle `/readyz` and all pages answer 503; `/healthz` answers from the beginning.
 * Stops: once `signal` aborts, as by `close`.
 *
 * @throws {BundleRefused} if there is no such source, or a local one is no bundle and there is none from before.
 * @throws {Error} of the system, if the port is taken or the data folder cannot be written.
 */
export async function serveBundle(options: ServeOptions): Promise<ServedDeployment> {
  options.signal?.throwIfAborted();
  const settings = { ...serveDefaults, ...options };
  const source = sourceOf(settings.source);
  const basePath = readBasePath(settings.basePath);
  const { log = () => {}, now = Date.now, onAnswer } = settings;
  const temporary = settings.dataFolder === undefined ? mkdtempSync(join(tmpdir(), "offprint-serve-")) : undefined;
  const deployment = createDeployment(source, {
    dataFolder: settings.dataFolder ?? temporary!,
    limits: { ...bundleLimitDefaults, ...settings.limits },
    download: settings.download ?? {},
    retryMs: settings.retryMs,
    now,
    log,
  });
  const answer = createAnswer({
    basePath,
    status: deployment.status,
    bundle: deployment.bundle,
    previous: deployment.previous,
    cache: createContentCache(settings.cacheBytes),
    onFault: (error) => log("error", `A request failed: ${error.message}`),
  });
  const server = createServer(
    { headersTimeout: 15_000, requestTimeout: 30_000, keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024 },
    (request, response) => {
      if (onAnswer) observe(request, response, onAnswer);
      void answer(request, response);
    },
  );
  // Who takes nothing for so long has gone.
  server.setTimeout(60_000);

  const stop = new AbortController();
  let working: Promise<void> = Promise.resolve();
  /** One after another: two at once would undo each other. */
  const update = (anew: boolean): Promise<void> =>
    (working = working.then(() => deployment.update(stop.signal, anew)).catch(() => {}));
  let timer: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      clearInterval(timer);
      options.signal?.removeEventListener("abort", close);
      stop.abort(new Error("the server is closed"));
      const closed = new Promise((resolve) => server.close(resolve));
      const impatience = setTimeout(() => server.closeAllConnections(), farewellMs);
      await Promise.all([closed, working]);
      clearTimeout(impatience);
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    })());
  options.signal?.addEventListener("abort", close, { once: true });

  try {
    await listen(server, settings.port, settings.host);
    log("info", "The server listens.", { url: urlOf(server.address() as AddressInfo, basePath) });
    working = deployment
      .resume(stop.signal)
      .then(() => deployment.update(stop.signal))
      .catch(() => {});
    await working;
    options.signal?.throwIfAborted();
    const { state, fault } = deployment.status();
    if (state === "starting" && source.kind !== "link" && source.kind !== "values") throw new BundleRefused(fault);
  } catch (error) {
    await close();
    throw error;
  }
  timer = setInterval(() => void update(false), settings.checkIntervalMs);
  return {
    url: urlOf(server.address() as AddressInfo, basePath),
    status: deployment.status,
    reload: () => update(true),
    close,
  };
}

/** One slash in front, none at the end. @throws {BundleRefused} */
function readBasePath(written: string): string {
  const path = written.replace(/\/+$/, "");
  if (path !== "" && !/^(?:\/[\w.~-]+)+$/.test(path))
    throw new BundleRefused(`The base path is like /docs or /a/b, not "${written}".`);
  return path;
}

const urlOf = ({ address, port }: AddressInfo, basePath: string): string =>
  `http://${address.includes(":") ? `[${address}]` : address}:${port}${basePath}/`;

function listen(server: ReturnType<typeof createServer>, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function observe(
  request: IncomingMessage,
  response: ServerResponse,
  onAnswer: NonNullable<ServeOptions["onAnswer"]>,
): void {
  const started = performance.now();
  response.once("close", () =>
    onAnswer({
      method: request.method ?? "",
      path: (request.url ?? "").replace(/[?#].*$/s, "").slice(0, 1000),
      status: response.statusCode,
      ms: Math.round((performance.now() - started) * 10) / 10,
    }),
  );
}
