import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Manifest } from "../bundle/archive/index.js";
import type { GuardedDownloadOptions } from "../lib/fetch/index.js";
import { createBoundedServer, type ServerLimits } from "../lib/http/index.js";
import type { Log } from "../lib/log.js";
import { createAnswer } from "./answer.js";
import { createContentCache } from "./content-cache.js";
import { createReconciler, type ServerStatus } from "./reconciler.js";
import { type BundleLimits, BundleRefused, bundleLimitDefaults } from "./refusal.js";
import { createMcpRoutes, type McpOptions } from "./serve-mcp.js";
import { sourceOf } from "./source.js";

export interface ServeOptions {
  /** A values file (`.yaml`, `.json`), the folder of a bundle, its `.zip` or `.tar.gz`, or a link to one. */
  readonly source: string;
  /** 0 picks a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Path of the site on its host: `/docs`. */
  readonly basePath?: string;
  /** Where unpacked bundles are kept for the next start; by default a temporary folder that `close` removes. */
  readonly dataFolder?: string;
  /** How often the source is checked for a change, in milliseconds. */
  readonly checkIntervalMs?: number;
  /** Delay before the first retry of a failed link, in milliseconds; doubled for each further one. */
  readonly retryMs?: number;
  /** Size of the cache in memory for files and their compressed forms. */
  readonly cacheBytes?: number;
  readonly limits?: Partial<BundleLimits>;
  /** Limits for clients: connections, times, sizes of headers. */
  readonly connectionLimits?: Partial<ServerLimits>;
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is trusted, so that limits by address count the clients behind them. */
  readonly trustedProxies?: readonly string[];
  /** Lets agents search and read the bundle over MCP, at `/mcp`. Default: they cannot. */
  readonly mcp?: McpOptions;
  readonly download?: Omit<GuardedDownloadOptions, "maxBytes" | "allowPrivate">;
  readonly now?: () => number;
  /** Messages for the operator, without secrets. */
  readonly log?: Log;
  /** Called after each response. */
  readonly onAnswer?: (answer: AnswerRecord) => void;
  /** Closes the server. */
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
  /** From the request to the last byte of the response. */
  readonly ms: number;
  /** Address of the connection: of the proxy, if there is one. */
  readonly address: string | undefined;
  /** Headers of the request. */
  readonly headers: IncomingHttpHeaders;
}

export interface BundleServer {
  /** With a slash at the end. */
  readonly url: string;
  status(): ServerStatus;
  /** The manifest of the served bundle; undefined while nothing is served. */
  manifest(): Manifest | undefined;
  /** Fetches the desired bundle again; resolves when it is served or has failed. */
  reload(): Promise<void>;
  /** Refuses new requests, waits for the open ones, and stops. */
  close(): Promise<void>;
}

/** How long `close` waits for open requests. */
const closeTimeoutMs = 10_000;

/**
 * Serves a bundle over HTTP, and keeps it up to date with its source.
 *
 * Out:   resolves once it listens and has tried the source. A failed link is retried; until there is a bundle,
 *        `/readyz` and all pages answer 503. `/healthz` always answers 200.
 * Stops: once `signal` aborts, as by `close`.
 *
 * @throws {BundleRefused} if the source does not exist, or is local and not a bundle, and there is no bundle of an earlier run.
 * @throws {Error} of the system, if the port is taken or the data folder cannot be written.
 */
export async function serveBundle(options: ServeOptions): Promise<BundleServer> {
  options.signal?.throwIfAborted();
  const settings = { ...serveDefaults, ...options };
  const source = sourceOf(settings.source);
  const basePath = readBasePath(settings.basePath);
  const { log = () => {}, now = Date.now, onAnswer } = settings;
  const temporary = settings.dataFolder === undefined ? mkdtempSync(join(tmpdir(), "offprint-serve-")) : undefined;
  const reconciler = createReconciler(source, {
    dataFolder: settings.dataFolder ?? temporary!,
    limits: { ...bundleLimitDefaults, ...settings.limits },
    download: settings.download ?? {},
    retryMs: settings.retryMs,
    now,
    log,
  });
  const onError = (error: Error): void => log("error", `A request failed: ${error.message}`);
  const answer = createAnswer({
    basePath,
    status: reconciler.status,
    bundle: reconciler.bundle,
    previous: reconciler.previous,
    cache: createContentCache(settings.cacheBytes),
    onError,
  });
  const answerAgent =
    settings.mcp &&
    createMcpRoutes({
      ...settings.mcp,
      basePath,
      host: settings.host,
      trustedProxies: settings.trustedProxies,
      bundle: reconciler.bundle,
      now,
      onError,
    });
  const server = createBoundedServer(
    (request, response) => {
      if (onAnswer) observe(request, response, onAnswer);
      if (!answerAgent?.(request, response)) void answer(request, response);
    },
    {
      limits: settings.connectionLimits,
      trustedProxies: settings.trustedProxies,
      warn: (message, facts) => log("warn", message, facts),
    },
  );

  const stop = new AbortController();
  let updating: Promise<void> = Promise.resolve();
  /** One update at a time. */
  const update = (force: boolean): Promise<void> =>
    (updating = updating.then(() => reconciler.update(stop.signal, force)).catch(() => {}));
  let timer: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      clearInterval(timer);
      options.signal?.removeEventListener("abort", close);
      stop.abort(new Error("the server is closed"));
      const closed = new Promise((resolve) => server.close(resolve));
      const timeout = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
      await Promise.all([closed, updating]);
      clearTimeout(timeout);
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    })());
  options.signal?.addEventListener("abort", close, { once: true });

  try {
    await once(server.listen(settings.port, settings.host), "listening");
    log("info", "Listening.", { url: urlOf(server.address() as AddressInfo, basePath) });
    updating = reconciler
      .resume(stop.signal)
      .then(() => reconciler.update(stop.signal))
      .catch(() => {});
    await updating;
    options.signal?.throwIfAborted();
    const { state, fault } = reconciler.status();
    if (state === "starting" && source.kind !== "link" && source.kind !== "values") throw new BundleRefused(fault);
  } catch (error) {
    await close();
    throw error;
  }
  timer = setInterval(() => void update(false), settings.checkIntervalMs);
  return {
    url: urlOf(server.address() as AddressInfo, basePath),
    status: reconciler.status,
    manifest: () => reconciler.bundle()?.manifest,
    reload: () => update(true),
    close,
  };
}

/** With a slash at the start and none at the end. @throws {BundleRefused} */
function readBasePath(written: string): string {
  const path = written.replace(/\/+$/, "");
  if (path !== "" && !/^(?:\/[\w.~-]+)+$/.test(path))
    throw new BundleRefused(`The base path must be like /docs or /a/b, not "${written}".`);
  return path;
}

const urlOf = ({ address, port }: AddressInfo, basePath: string): string =>
  `http://${address.includes(":") ? `[${address}]` : address}:${port}${basePath}/`;

function observe(
  request: IncomingMessage,
  response: ServerResponse,
  onAnswer: NonNullable<ServeOptions["onAnswer"]>,
): void {
  const started = performance.now();
  // Read now: a closed connection has no address.
  const address = request.socket.remoteAddress;
  response.once("close", () =>
    onAnswer({
      method: request.method ?? "",
      path: (request.url ?? "").replace(/[?#].*$/s, "").slice(0, 1000),
      status: response.statusCode,
      ms: Math.round((performance.now() - started) * 10) / 10,
      address,
      headers: request.headers,
    }),
  );
}
