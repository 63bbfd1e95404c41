import { hash } from "node:crypto";
import { readFileSync, type watch as watchPath } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openSiteSession, type SiteChange } from "../export/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import { createBoundedServer, type ServerLimits } from "../lib/http/index.js";
import { builtFile } from "../lib/package-root.js";
import type { PreviewState, PreviewStyles } from "../lib/preview-state.js";
import { encodePath, nameOf } from "../lib/url/index.js";
import { createAnswer, createContentCache, readRequestPath, withoutHost } from "../serve/index.js";
import { notFoundPath } from "./bundle-shape.js";
import { hiddenPages, markOf, pointedAt, problemOf } from "./page-state.js";
import { changedSheets, createPreviewBundle, type MadePage } from "./preview-bundle.js";
import { createEventHub, foreignRequest, isLoopback, listen, sendWaitingPage, type Viewer } from "./preview-server.js";
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
  /** Stops the start. */
  readonly signal?: AbortSignal | undefined;
  /** That of Node. */
  readonly watch?: typeof watchPath | undefined;
}

export interface Preview {
  readonly port: number;
  /** With a slash at the end. */
  readonly url: string;
  /** Ends everything within a second. */
  close(): Promise<void>;
}

export const previewHost = "127.0.0.1";
const cacheBytes = 64 * 1024 * 1024;

/**
 * Serves a site as an export would make it, and makes pages again when their files change.
 *
 * @throws {Error} of the system, if the port is taken, or nothing can be written in the temporary folder.
 */
export async function openPreview(options: PreviewOptions): Promise<Preview> {
  const startedAt = performance.now();
  const { host = previewHost, onEvent = () => {} } = options;
  const source = resolve(options.source);
  const { cacheFolder, audience, signal } = options;
  const session = await openSiteSession({ source, cacheFolder, audience, signal });
  const hub = createEventHub();
  const script = readFileSync(builtFile("client/preview.js"));
  const scriptPath = `/_offprint/preview.${hash("sha256", script, "hex").slice(0, 8)}.js`;
  const scriptTag = (version: string): string =>
    `<script src="${scriptPath}" data-events="${hub.path}" data-version="${version}" defer></script>`;
  const bundle = createPreviewBundle({
    session,
    scriptTag,
    onPage: ({ outputPath, sourcePath }, ms) =>
      onEvent({ type: "page", path: pathOf(outputPath), source: sourcePath, ms }),
  });
  let hasFailed = false;
  let closed = false;

  const reported = new Map<string | undefined, readonly Diagnostic[]>();
  const report = (path: string | undefined, diagnostics: readonly Diagnostic[]): void => {
    if (isDeepStrictEqual(reported.get(path) ?? [], diagnostics)) return;
    reported.set(path, diagnostics);
    onEvent({ type: "diagnostics", ...(path !== undefined && { path }), diagnostics });
  };
  const fail = (error: unknown): void => {
    if (!closed) onEvent({ type: "error", message: error instanceof Error ? error.message : String(error) });
  };

  const apply = (change: SiteChange): void => {
    if (change.kind !== "none") hasFailed = change.kind === "failed";
    bundle.changed(change);
    report(undefined, pointedAt(session.diagnostics(), source));
  };
  apply(session.plan() ? { kind: "plan" } : { kind: "failed", sourcePaths: new Set() });

  /** Requests wait until the site is known as it is now. */
  let updating: Promise<void> = Promise.resolve();
  const update = async (paths: ReadonlySet<string> | undefined): Promise<void> => {
    const begunAt = performance.now();
    try {
      const change = await session.update(paths);
      if (change.kind === "none" || closed) return;
      apply(change);
      const files = paths && [...paths].sort();
      onEvent({ type: "changed", files, isPlan: change.kind === "plan", ms: performance.now() - begunAt });
    } catch (error) {
      // A file that vanishes while it is read: the next look finds the site without it.
      fail(error);
      setTimeout(() => changed(undefined), retryMs).unref();
    }
  };
  let refreshing: Promise<void> = Promise.resolve();
  const changed = (paths: ReadonlySet<string> | undefined): void => {
    if (closed) return;
    updating = updating.then(() => update(paths));
    refreshing = Promise.all([updating, refreshing])
      .then(() => refresh([...(paths ?? [])].filter(bundle.isStatic)))
      .catch(fail);
  };

  const refresh = async (files: readonly string[]): Promise<void> => {
    for (const viewer of hub.viewers()) await refreshViewer(viewer, files);
  };
  /** @param files that pages show, such as pictures, and that have changed */
  const refreshViewer = async (viewer: Viewer, files: readonly string[] = []): Promise<void> => {
    if (closed || !session.plan()) return viewer.send("state", stateOf(undefined, []));
    const outputPath = bundle.pageAt(viewer.path);
    const before = bundle.lastMade(outputPath);
    const page = await bundle.page(outputPath);
    const showsOthers = files.some((path) => page.html.includes(encodePath(nameOf(path))));
    if (page.version === viewer.version && showsOthers) return viewer.send("reload", {});
    if (page.version !== viewer.version) {
      const sheets = before?.version === viewer.version ? changedSheets(before.html, page.html) : undefined;
      viewer.version = page.version;
      if (!sheets) return viewer.send("reload", {});
      viewer.send("styles", { version: page.version, sheets } satisfies PreviewStyles);
    }
    const faults = await bundle.linkFaults(page);
    viewer.send("state", stateOf(page, faults));
  };

  const stateOf = (page: MadePage | undefined, faults: readonly Diagnostic[]): PreviewState => {
    const { site } = session.plan() ?? {};
    const ofSite = pointedAt(session.diagnostics(), source);
    const isOwn = ({ severity, location }: Diagnostic): boolean =>
      (hasFailed && severity === "error") || (page !== undefined && location?.sourcePath === page.sourcePath);
    const own = [...ofSite.filter(isOwn), ...pointedAt([...(page?.record.diagnostics ?? []), ...faults], source)];
    if (page) report(pathOf(page.outputPath), own);
    const toProblem = (each: Diagnostic) => problemOf(each, source);
    const plan = site?.pages.find(({ outputPath }) => outputPath === page?.outputPath);
    return {
      problems: own.map(toProblem),
      others: ofSite
        .filter((each) => !isOwn(each))
        .slice(0, mostOthers)
        .map(toProblem),
      outdated: hasFailed && site ? "site" : page?.isBroken && page.wasGood ? "page" : undefined,
      mark: plan && markOf(plan),
      hidden: site ? hiddenPages(site) : [],
    };
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
    const reason = foreignRequest(request.headers, host);
    response.setHeader("cross-origin-resource-policy", "same-origin");
    response.setHeader("x-content-type-options", "nosniff");
    if (reason !== undefined) {
      response.writeHead(403, { "content-type": "text/plain; charset=utf-8" }).end(`${reason}\n`);
      return;
    }
    const target = withoutHost(request.url ?? "/");
    const [path = ""] = target.split("?", 1);
    if (path === hub.path) {
      await updating;
      await refreshViewer(hub.open(request, response));
      return;
    }
    if (path === scriptPath) {
      response.writeHead(200, { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" });
      response.end(script);
      return;
    }
    await updating;
    if (!session.plan()) return sendWaitingPage(request, response, scriptTag(""));
    const asked = readRequestPath(target, "");
    await bundle.prepare(asked?.path ?? notFoundPath);
    if (asked && request.headers.accept?.includes("text/html")) void reportPage(asked.path).catch(fail);
    await answer(request, response);
  };
  /** Editors without a browser learn what is wrong with a page, too. */
  const reportPage = async (path: string): Promise<void> => {
    const page = bundle.lastMade(bundle.pageAt(path));
    if (page) stateOf(page, await bundle.linkFaults(page));
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
    if (closed) return;
    closed = true;
    stopWatching();
    hub.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await session.close();
  };
  try {
    const port = await listen(server, host, options.port);
    stopWatching = watchSite(source, {
      poll: options.poll,
      watch: options.watch,
      onChange: changed,
      onPolling: (reason) => fail(`The folder cannot be watched (${reason}): its files are compared every second.`),
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

const retryMs = 300;

/** Findings about other parts of the site that a page shows. */
const mostOthers = 50;

/** `/guides/install` of `guides/install.html`. */
const pathOf = (outputPath: string): string => `/${outputPath.replace(/(?:^|(?<=\/))index\.html$|\.html$/, "")}`;

/** What a preview reports, for terminals and editors. */
export type PreviewEvent =
  | { readonly type: "ready"; readonly url: string; readonly port: number; readonly pages: number; readonly ms: number }
  /** Files of the site have changed. `files` is absent if any may have. */
  | {
      readonly type: "changed";
      readonly files?: readonly string[] | undefined;
      readonly isPlan: boolean;
      readonly ms: number;
    }
  /** A page has been made. */
  | { readonly type: "page"; readonly path: string; readonly source: string; readonly ms: number }
  /** All findings about a page, or about the site if there is no `path`. Sent when they change. */
  | { readonly type: "diagnostics"; readonly path?: string; readonly diagnostics: readonly Diagnostic[] }
  /** Something outside of the site fails; the preview goes on. */
  | { readonly type: "error"; readonly message: string };
