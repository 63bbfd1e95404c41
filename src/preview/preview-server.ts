import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import type { SiteSession } from "../export/index.js";
import { codeFrame, type Diagnostic, locationText, placedFaults } from "../lib/diagnostic/index.js";
import type { HiddenPage, PreviewMark, PreviewProblem, PreviewState, PreviewStyles } from "../lib/preview-state.js";
import { encodePath, nameOf } from "../lib/url/index.js";
import { strictPolicy } from "../serve/served-bundle.js";
import type { PagePlan, Site } from "../site/site.js";
import type { MadePage, PreviewBundle } from "./preview-bundle.js";

const defaultPort = 3000;
/** Ports that are tried after the default one. */
const maxTries = 50;

/** Listens on the port, or the first free one from 3000 on. Returns it. @throws {Error} if it is taken. */
export async function listen(server: Server, host: string, chosenPort: number | undefined): Promise<number> {
  for (let port = chosenPort ?? defaultPort; ; port++)
    try {
      await once(server.listen(port, host), "listening");
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (chosenPort !== undefined || !isTaken || port >= defaultPort + maxTries) throw error;
    }
}

/**
 * The reason for refusing a request: another site in the same browser has sent it, or another host name points to this
 * machine (DNS rebinding). Undefined if it may be answered.
 *
 * @param host address that the server listens on
 */
export function foreignRequest(headers: IncomingHttpHeaders, host: string): string | undefined {
  const requested = headers.host ?? "";
  const name = URL.canParse(`http://${requested}`)
    ? new URL(`http://${requested}`).hostname.replace(/^\[|\]$/g, "")
    : "";
  if (!isOwnName(name, host)) return `The preview has nothing at "${requested.slice(0, 100)}".`;
  if (headers.origin !== undefined && headers.origin !== `http://${requested}`)
    return "Other sites are not allowed to read the preview.";
  // `same-site` is another port of this machine. A link may lead here, but nothing else.
  const site = headers["sec-fetch-site"];
  const isFromOther = site === "cross-site" || site === "same-site";
  return isFromOther && headers["sec-fetch-mode"] !== "navigate"
    ? "Other sites are not allowed to load the preview."
    : undefined;
}

function isOwnName(name: string, host: string): boolean {
  if (isLoopback(name)) return true;
  // DNS rebinding needs a name: an IP address leads nowhere else.
  return !isLoopback(host) && (isIP(name) !== 0 || [host, hostname(), `${hostname()}.local`].includes(name));
}

export const isLoopback = (name: string): boolean =>
  name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);

/** Answers while there is no site to show. The script shows the reason, and reloads once there is one. */
export function sendWaitingPage(request: IncomingMessage, response: ServerResponse, scriptTag: string): void {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Preview</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${scriptTag}</head>
<body></body></html>
`;
  const body = Buffer.from(html);
  response.writeHead(503, {
    "content-type": "text/html; charset=utf-8",
    "content-length": body.length,
    "content-security-policy": strictPolicy,
    "cache-control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

export interface ViewerOptions {
  /** Absolute folder of the site. */
  readonly source: string;
  readonly session: SiteSession;
  readonly bundle: PreviewBundle;
  /** Whether the site could not be read after its last change. */
  readonly hasFailed: () => boolean;
  /** Called with all findings about a page, whether or not they are new. */
  readonly onFaults: (page: MadePage, faults: readonly Diagnostic[]) => void;
}

/** An open page of a browser. */
interface Viewer {
  /** Decoded path of the page, without a slash in front. */
  readonly path: string;
  /** Version of the page that it shows. */
  version: string;
  send(event: "reload" | "styles" | "state", data: unknown): void;
}

/** The most problems of other parts of the site that a page shows. */
const maxOthers = 50;
const maxHidden = 100;
/** Interval of messages that keep proxies and browsers from closing an idle stream. */
const beatMs = 20_000;

/** Path of the stream of events. Only pages of the preview know it. */
export const eventsPath = (): string => `/_offprint/preview/${randomBytes(24).toString("base64url")}/events`;

/** Tells browsers what has changed, by server-sent events. */
export function createViewers({ source, session, bundle, hasFailed, onFaults }: ViewerOptions) {
  const open = new Map<ServerResponse, Viewer>();
  const beat = setInterval(() => {
    for (const response of open.keys()) response.write(":\n\n");
  }, beatMs);

  const stateOf = (page: MadePage | undefined, linkFaults: readonly Diagnostic[]): PreviewState => {
    const { site } = session.plan() ?? {};
    const siteFaults = pointedAt(session.diagnostics(), source);
    const isOfPage = ({ severity, location }: Diagnostic): boolean =>
      (hasFailed() && severity === "error") || (page !== undefined && location?.sourcePath === page.sourcePath);
    const ofPage = page?.record.diagnostics ?? [];
    const pageFaults = pointedAt([...ofPage, ...linkFaults], source);
    const shown = [...siteFaults.filter(isOfPage), ...pageFaults];
    const hints = ofPage.filter(({ severity }) => severity === "hint");
    if (page) onFaults(page, shown);
    const others = siteFaults.filter((fault) => !isOfPage(fault)).slice(0, maxOthers);
    const plan = site?.pages.find(({ outputPath }) => outputPath === page?.outputPath);
    return {
      problems: [...shown, ...hints].map((fault) => problemOf(fault, source)),
      others: others.map((fault) => problemOf(fault, source)),
      outdated: hasFailed() && site ? "site" : page?.isBroken && page.wasGood ? "page" : undefined,
      mark: plan && markOf(plan),
      hidden: site ? hiddenPages(site) : [],
    };
  };

  /** @param changedFiles files that pages show, such as pictures */
  const refresh = async (viewer: Viewer, changedFiles: readonly string[] = []): Promise<void> => {
    if (!session.plan()) return viewer.send("state", stateOf(undefined, []));
    const outputPath = bundle.pageAt(viewer.path);
    const before = bundle.lastMade(outputPath);
    const page = await bundle.page(outputPath);
    const showsChanged = changedFiles.some((path) => page.html.includes(encodePath(nameOf(path))));
    if (page.version === viewer.version && showsChanged) return viewer.send("reload", {});
    if (page.version !== viewer.version) {
      const sheets = before?.version === viewer.version ? changedSheets(before.html, page.html) : undefined;
      viewer.version = page.version;
      if (!sheets) return viewer.send("reload", {});
      viewer.send("styles", { version: page.version, sheets } satisfies PreviewStyles);
    }
    viewer.send("state", stateOf(page, await bundle.linkFaults(page)));
  };

  return {
    async open(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const query = new URL(request.url ?? "", "http://localhost").searchParams;
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write("retry: 500\n\n");
      const viewer: Viewer = {
        path: query.get("path") ?? "",
        version: query.get("version") ?? "",
        send: (event, data) => void response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
      };
      open.set(response, viewer);
      response.on("close", () => open.delete(response));
      await refresh(viewer);
    },
    /** @param changedFiles files that pages show, such as pictures */
    async refreshAll(changedFiles: readonly string[]): Promise<void> {
      // The page that was opened last comes first.
      for (const viewer of [...open.values()].reverse()) await refresh(viewer, changedFiles);
    },
    /** Reports the faults of a page to editors, even if no browser is open. */
    async report(outputPath: string): Promise<void> {
      const page = bundle.lastMade(outputPath);
      if (page) stateOf(page, await bundle.linkFaults(page));
    },
    close(): void {
      clearInterval(beat);
      for (const response of open.keys()) response.end();
      open.clear();
    },
  };
}

function problemOf({ severity, code, what, fix, location, related }: Diagnostic, source: string): PreviewProblem {
  const frame = location ? codeFrame(location, (path) => readSource(source, path), { related }) : [];
  return { severity, code, what, fix, ...(location && { where: locationText(location) }), frame };
}

/** Errors and warnings, without hints, with the exact place of their culprits. @param source folder of the site */
export const pointedAt = (diagnostics: readonly Diagnostic[], source: string): Diagnostic[] =>
  placedFaults(diagnostics, (path) => readSource(source, path)).filter(({ severity }) => severity !== "hint");

const readSource = (source: string, path: string): string | undefined =>
  path.split("/").includes("..") ? undefined : readFileSync(join(source, path), "utf8");

/** A label for pages that readers do not find. */
function markOf(page: PagePlan): PreviewMark | undefined {
  if (page.frontmatter["draft"] === true)
    return { label: "Draft", reason: "Its front matter says draft: true, so exports leave it out." };
  if (!page.listed) return { label: "Hidden page", reason: "It is not in the navigation of docs.json." };
  if (!page.visible)
    return { label: "Hidden page", reason: "It is marked as hidden, or is in a hidden part of the navigation." };
  return undefined;
}

const hiddenPages = ({ pages }: Site): HiddenPage[] =>
  pages
    .flatMap((page) => {
      const mark = page.api ? undefined : markOf(page);
      return mark ? [{ title: page.title, href: encodeURI(page.urlPath), label: mark.label }] : [];
    })
    .slice(0, maxHidden);

const sheetName = /(_offprint\/(?:[\w-]+\/)*[\w-]+)\.[0-9a-f]{8}\.css/g;

/** The style sheets with a new name, if the two versions do not differ otherwise. */
function changedSheets(before: string, now: string): readonly (readonly [string, string])[] | undefined {
  const withoutHashes = (html: string): string => html.replace(sheetName, "$1.css");
  const [oldNames, newNames] = [before.match(sheetName) ?? [], now.match(sheetName) ?? []];
  if (oldNames.length !== newNames.length || withoutHashes(before) !== withoutHashes(now)) return undefined;
  return oldNames.flatMap((name, at) => (name === newNames[at] ? [] : [[name, newNames[at]!] as const]));
}
