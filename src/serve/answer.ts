import type { IncomingMessage, ServerResponse } from "node:http";
import { wantsMarkdown } from "../lib/http/index.js";
import { encodePath } from "../lib/url/index.js";
import type { ContentCache } from "./content-cache.js";
import type { ServerStatus } from "./reconciler.js";
import { sendFile } from "./send-file.js";
import type { Route, ServedBundle } from "./served-bundle.js";

interface AnswerOptions {
  /** Prefix of all paths of the site: "" or `/docs`. */
  readonly basePath: string;
  readonly status: () => ServerStatus;
  /** The bundle that is served now, if any. */
  readonly bundle: () => AnswerBundle | undefined;
  /** The bundle before it: its open pages still request their styles and scripts. */
  readonly previous: () => AnswerBundle | undefined;
  readonly cache: ContentCache;
  /** Called for an internal error; the client gets no details. */
  readonly onError: (error: Error) => void;
}

/** What an answer needs of a bundle. */
export type AnswerBundle = Pick<ServedBundle, "routes" | "rules" | "notFound">;

/** Answers one request for a file of the bundle, or for the state of the server. Never rejects. */
export function createAnswer(options: AnswerOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await answer(request, response, options);
    } catch (error) {
      options.onError(error as Error);
      if (response.headersSent) response.destroy();
      else say(request, response, 500, "Internal server error.");
    }
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, options: AnswerOptions): Promise<void> {
  const { method, url = "/" } = request;
  if (method !== "GET" && method !== "HEAD") {
    say(request, response, 405, "Only GET and HEAD are allowed.", ["allow", "GET, HEAD", "connection", "close"]);
    return;
  }
  const target = withoutHost(url);
  if (/^\/(?:healthz|readyz)(?:\?|$)/.test(target)) {
    report(request, response, options.status(), target.startsWith("/healthz"));
    return;
  }
  const { basePath, cache } = options;
  const bundle = options.bundle();
  if (bundle === undefined) {
    if (options.status().state === "disabled") say(request, response, 404, "This site is not served.");
    else say(request, response, 503, "The site is being downloaded. Try again in a few seconds.", ["retry-after", "5"]);
    return;
  }
  const asked = readRequestPath(target, basePath);
  if (asked === undefined) {
    const toBase = basePath !== "" && (target === basePath || target.startsWith(`${basePath}?`));
    if (toBase) return move(request, response, 308, `${basePath}/${target.slice(basePath.length)}`);
    return await sayNotFound(request, response, bundle, cache);
  }
  const { path, query } = asked;
  const moved = exactMove(bundle, path);
  if (moved !== undefined) return move(request, response, moved.status, located(moved.target, basePath, query));
  const route = bundle.routes.get(path) ?? hashedFileOf(options.previous(), path);
  if (route?.kind === "file") {
    const { file, markdown } = route;
    const chosen = markdown !== undefined && wantsMarkdown(request.headers.accept) ? markdown : file;
    const vary = markdown === undefined ? undefined : "Accept";
    return await sendFile(request, response, { file: chosen, cache, status: 200, vary });
  }
  if (route?.kind === "moved")
    return move(request, response, 308, located(`/${encodePath(route.to)}`, basePath, query));
  const wild = bundle.rules.wildcard(`/${path}`);
  if (wild !== undefined && wild.target !== `/${encodePath(path)}`)
    return move(request, response, wild.status, located(wild.target, basePath, query));
  await sayNotFound(request, response, bundle, cache);
}

/** A rule also applies to its path with `.html` or a slash at the end. The export refuses rules that hide a page. */
function exactMove({ rules }: AnswerBundle, path: string) {
  const plain = path.replace(/(?:\.html|\/)$/, "");
  const move = rules.exact(`/${path}`) ?? (plain === path ? undefined : rules.exact(`/${plain}`));
  return move === undefined || move.target === `/${encodePath(path)}` ? undefined : move;
}

/** Names with a hash never change their content. */
const hashedFileOf = (previous: AnswerBundle | undefined, path: string): Route | undefined =>
  path.startsWith("_offprint/") ? previous?.routes.get(path) : undefined;

/** The query of the target wins over that of the request. */
function located(target: string, basePath: string, query: string): string {
  const [withoutHash = "", hash] = splitAt(target, "#");
  const whole =
    (withoutHash.includes("?") ? withoutHash : withoutHash + query) + (hash === undefined ? "" : `#${hash}`);
  return target.startsWith("/") ? basePath + whole : whole;
}

function splitAt(text: string, sign: string): [before: string, after?: string] {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

async function sayNotFound(
  request: IncomingMessage,
  response: ServerResponse,
  { notFound }: AnswerBundle,
  cache: ContentCache,
): Promise<void> {
  if (notFound === undefined) say(request, response, 404, "This page does not exist.");
  else await sendFile(request, response, { file: notFound, cache, status: 404 });
}

function move(request: IncomingMessage, response: ServerResponse, status: number, location: string): void {
  say(request, response, status, `Moved to ${location}`, ["location", location]);
}

function report(request: IncomingMessage, response: ServerResponse, status: ServerStatus, isHealth: boolean): void {
  const isReady = isHealth || status.state === "serving";
  const body = isHealth ? { status: "ok" } : status;
  send(request, response, isReady ? 200 : 503, "application/json", `${JSON.stringify(body)}\n`, [
    "cache-control",
    "no-store",
  ]);
}

function say(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: readonly string[] = [],
): void {
  send(request, response, status, "text/plain; charset=utf-8", `${text}\n`, ["cache-control", "no-cache", ...headers]);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: readonly string[],
): void {
  const body = Buffer.from(text);
  response.writeHead(status, [
    ...["content-type", type, "content-length", String(body.length)],
    ...["x-content-type-options", "nosniff", "content-security-policy", "default-src 'none'; sandbox"],
    ...headers,
  ]);
  response.end(request.method === "HEAD" ? undefined : body);
}

/** The path and query of a request. */
interface RequestPath {
  /** Decoded once, NFC, without the slash in front. */
  readonly path: string;
  /** `?query`, as sent, or empty. */
  readonly query: string;
}

/**
 * Reads the target of a request line below `basePath`.
 *
 * Undefined if it cannot be the path of a file: outside of the base, not decodable, with an encoded slash, backslash or
 * NUL, with an empty name or one that leads up. The caller looks the path up in a list of files, so it cannot reach any
 * other file.
 */
export function readRequestPath(target: string, basePath: string): RequestPath | undefined {
  const end = target.search(/[?#]/);
  const written = end < 0 ? target : target.slice(0, end);
  if (!written.startsWith(`${basePath}/`)) return undefined;
  const encoded = written.slice(basePath.length + 1);
  const query = end >= 0 && target[end] === "?" ? target.slice(end) : "";
  if (/^[\w/.~-]*$/.test(encoded)) return leadsUp(encoded) ? undefined : { path: encoded, query };
  if (/%2f|%5c|%00|\\/i.test(encoded)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(encoded).normalize("NFC");
  } catch {
    return undefined;
  }
  return leadsUp(path) ? undefined : { path, query };
}

const leadsUp = (path: string): boolean => /(?:^|\/)\.{0,2}\/|(?:^|\/)\.{1,2}$/.test(path);

/** Removes the scheme and host that some clients send in the request line. */
export const withoutHost = (target: string): string => target.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, "") || "/";
