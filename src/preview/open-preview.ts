import { hash } from "node:crypto";
import { readFileSync, type watch as watchPath } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openSiteSession, type SiteChange } from "../export/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import { createBoundedServer, type ServerLimits } from "../lib/http/index.js";
import { builtFile } from "../lib/package-root.js";
import { createAnswer, readRequestPath, withoutHost } from "../serve/answer.js";
import { createContentCache } from "../serve/content-cache.js";
import { createPreviewBundle, notFoundPath } from "./preview-bundle.js";
import {
  createViewers,
  eventsPath,
  foreignRequest,
  isLoopback,
  listen,
  pointedAt,
  sendWaitingPage,
} from "./preview-server.js";
import { watchSite } from "./watch-site.js";

export interface PreviewOptions {
  /** Folder that holds docs.json or mint.json. */
  readonly source: string;
  /** Default: 3000, or the next free one. 0 picks any. */
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly cacheFolder?: string | undefined;
  /** See `CheckOptions`. */
  readonly audience?: readonly string[] | undefined;
  /** Compares the files every second in place of watching them. */
  readonly poll?: boolean | undefined;
  readonly onEvent?: ((event: PreviewEvent) => void) | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces `watch` of Node. */
  readonly watch?: typeof watchPath | undefined;
}

export interface Preview {
  readonly port: number;
  /** With a slash at the end. */
  readonly url: string;
  /** Ends everything within a second. */
  close(): Promise<void>;
}

/** The events of a preview, for terminals and editors. */
export type PreviewEvent =
  | { readonly type: "ready"; readonly url: string; readonly port: number; readonly pages: number; readonly ms: number }
  /** Files of the site have changed. Without `files`, any may have. */
  | {
      readonly type: "changed";
      readonly files?: readonly string[] | undefined;
      readonly isPlan: boolean;
      readonly ms: number;
    }
  /** A page has been rendered. */
  | { readonly type: "page"; readonly path: string; readonly source: string; readonly ms: number }
  /** All findings about a page, or about the site if there is no `path`. Sent when they change. */
  | { readonly type: "diagnostics"; readonly path?: string; readonly diagnostics: readonly Diagnostic[] }
  /** Something outside of the site fails; the preview goes on. */
  | { readonly type: "error"; readonly message: string };

export const previewHost = "127.0.0.1";
const cacheBytes = 64 * 1024 * 1024;
const retryMs = 300;

/**
 * Serves a site as an export would write it. Pages are rendered when they are requested, and again when their files
 * change; open pages reload. Only a temporary folder is written.
 *
 * @throws {Error} of the system, if the port is taken, or nothing can be written in the temporary folder
 */
export async function openPreview(options: PreviewOptions): Promise<Preview> {
  const startedAt = performance.now();
  const { host = previewHost, onEvent = () => {} } = options;
  const source = resolve(options.source);
  const { cacheFolder, audience, signal } = options;
  const session = await openSiteSession({ source, cacheFolder, audience, signal });
  const streamPath = eventsPath();
  const script = readFileSync(builtFile("client/preview.js"));
  const scriptPath = `/_offprint/preview.${hash("sha256", script, "hex").slice(0, 8)}.js`;
  const scriptTag = (version: string): string =>
    `<script src="${scriptPath}" data-events="${streamPath}" data-version="${version}" defer></script>`;
  let hasFailed = false;
  let isClosed = false;

  const fail = (error: unknown): void => {
    if (!isClosed) onEvent({ type: "error", message: error instanceof Error ? error.message : String(error) });
  };
  const reported = new Map<string | undefined, readonly Diagnostic[]>();
  const report = (path: string | undefined, diagnostics: readonly Diagnostic[]): void => {
    if (isDeepStrictEqual(reported.get(path) ?? [], diagnostics)) return;
    reported.set(path, diagnostics);
    onEvent({ type: "diagnostics", ...(path !== undefined && { path }), diagnostics });
  };

  const bundle = createPreviewBundle({
    session,
    scriptTag,
    onPage: ({ outputPath, sourcePath }, ms) =>
      onEvent({ type: "page", path: pathOf(outputPath), source: sourcePath, ms }),
  });
  const viewers = createViewers({
    source,
    session,
    bundle,
    hasFailed: () => hasFailed,
    onFaults: ({ outputPath }, faults) => report(pathOf(outputPath), faults),
  });

  const apply = (change: SiteChange): void => {
    if (change.kind !== "none") hasFailed = change.kind === "failed";
    bundle.changed(change);
    report(undefined, pointedAt(session.diagnostics(), source));
  };
  apply(session.plan() ? { kind: "plan" } : { kind: "failed", sourcePaths: new Set() });

  const update = async (paths: ReadonlySet<string> | undefined): Promise<void> => {
    const begunAt = performance.now();
    try {
      const change = await session.update(paths);
      if (change.kind === "none" || isClosed) return;
      apply(change);
      const files = paths && [...paths].sort();
      onEvent({ type: "changed", files, isPlan: change.kind === "plan", ms: performance.now() - begunAt });
    } catch (error) {
      // A file was deleted while it was read: the next update finds the site without it.
      fail(error);
      setTimeout(() => onChange(undefined), retryMs).unref();
    }
  };
  /** Requests wait until the site is read as it is now. */
  let updating: Promise<void> = Promise.resolve();
  let refreshing: Promise<void> = Promise.resolve();
  const onChange = (paths: ReadonlySet<string> | undefined): void => {
    if (isClosed) return;
    updating = updating.then(() => update(paths));
    refreshing = Promise.all([updating, refreshing])
      .then(() => (isClosed ? undefined : viewers.refreshAll([...(paths ?? [])].filter(bundle.isStatic))))
      .catch(fail);
  };

  const answer = createAnswer({
    basePath: "",
    status: () => ({ state: "serving" }),
    bundle: () => bundle,
    previous: () => undefined,
    cache: createContentCache(cacheBytes),
    onError: fail,
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader("cross-origin-resource-policy", "same-origin");
    response.setHeader("x-content-type-options", "nosniff");
    const refusal = foreignRequest(request.headers, host);
    if (refusal !== undefined) {
      response.writeHead(403, { "content-type": "text/plain; charset=utf-8" }).end(`${refusal}\n`);
      return;
    }
    const target = withoutHost(request.url ?? "/");
    const [path = ""] = target.split("?", 1);
    if (path === scriptPath) {
      response.writeHead(200, { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" });
      response.end(script);
      return;
    }
    await updating;
    if (path === streamPath) return viewers.open(request, response);
    if (!session.plan()) return sendWaitingPage(request, response, scriptTag(""));
    const requested = readRequestPath(target, "");
    const moved = requested && bundle.movedTo(requested.path);
    if (moved !== undefined) {
      response.writeHead(302, { location: moved, "cache-control": "no-store" }).end();
      return;
    }
    await bundle.prepare(requested?.path ?? notFoundPath);
    if (requested && request.headers.accept?.includes("text/html"))
      void viewers.report(bundle.pageAt(requested.path)).catch(fail);
    await answer(request, response);
  };
  const server = createBoundedServer(
    (request, response) => {
      handle(request, response).catch((error: unknown) => {
        fail(error);
        if (response.headersSent) response.destroy();
        else sendWaitingPage(request, response, "");
      });
    },
    { limits: options.limits },
  );

  let stopWatching = (): void => {};
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    stopWatching();
    viewers.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await session.close();
  };
  try {
    const port = await listen(server, host, options.port);
    stopWatching = watchSite(source, {
      poll: options.poll,
      watch: options.watch,
      onChange,
      onPolling: (reason) =>
        fail(`The folder cannot be watched (${reason}), so its files are compared every second instead.`),
    });
    const isHere = isLoopback(host) || host === "0.0.0.0" || host === "::";
    const name = isHere ? "localhost" : host.includes(":") ? `[${host}]` : host;
    const url = `http://${name}:${port}/`;
    const pages = session.plan()?.site.pages.length ?? 0;
    onEvent({ type: "ready", url, port, pages, ms: performance.now() - startedAt });
    return { port, url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** `/guides/install` of `guides/install.html`. */
const pathOf = (outputPath: string): string => `/${outputPath.replace(/(?:^|(?<=\/))index\.html$|\.html$/, "")}`;
