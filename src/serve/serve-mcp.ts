import type { IncomingMessage, ServerResponse } from "node:http";
import { addressMatcher, clientAddress, createUseLimit, networkOf } from "../lib/http/index.js";
import { discoveryFiles } from "../mcp/discovery.js";
import { addressless, type Documentation } from "../mcp/documentation.js";
import type { ServedBundle } from "./served-bundle.js";

const hourMs = 60 * 60_000;

/** How agents may ask the server. */
export interface McpOptions {
  /** Origins of pages that may ask, such as `https://app.example.com`; those of this machine always may. */
  readonly origins?: readonly string[];
  /** The most messages from one address (IPv6: from one /64 network) within an hour. */
  readonly messagesPerHour?: number;
}
const mcpDefaults = { origins: [] as readonly string[], messagesPerHour: 5000 } as const;

interface McpDeps extends McpOptions {
  /** Prefix of all paths of the site: "" or `/docs`. */
  readonly basePath: string;
  /** The address that the server listens on. */
  readonly host: string;
  readonly trustedProxies: readonly string[] | undefined;
  readonly bundle: () => ServedBundle | undefined;
  readonly now: () => number;
  readonly onError: (error: Error) => void;
}

/**
 * Answers requests of agents below `basePath`: `/mcp`, and the documents in `/.well-known/` that announce it, which are
 * at the root of the host as well. Returns false for all other requests.
 *
 * Agents read a bundle from memory: its index is loaded at the first request.
 */
export function createMcpRoutes(deps: McpDeps) {
  const { basePath, bundle, onError } = deps;
  const { origins, messagesPerHour } = { ...mcpDefaults, ...deps };
  const trustedProxies = deps.trustedProxies ?? [];
  const isTrusted = addressMatcher(trustedProxies);
  const limit = createUseLimit(messagesPerHour, hourMs, deps.now);
  const documentations = createDocumentations(onError);
  const endpoint = import("../mcp/endpoint.js").then((code) => ({ ...code, ...code.createEndpoint(onError) }));
  endpoint.catch(() => {});

  const answer = async (request: Request, incoming: IncomingMessage): Promise<Response> => {
    const { errorResponse, readMessages, messageCount, fetch } = await endpoint;
    const served = bundle();
    const origin = request.headers.get("Origin");
    if (origin !== null && !isAllowed(origin, [deps.host, ...namesOf(served)], origins))
      return errorResponse(
        403,
        `Pages from ${origin.slice(0, 200)} are not allowed to use this server. To allow them, start it with --mcp-origin ${origin.slice(0, 200)}.`,
      );
    const cors = origin === null ? {} : { ...corsHeaders, "Access-Control-Allow-Origin": origin };
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { ...cors, Allow: "POST" } });
    const response = await (async () => {
      if (served === undefined)
        return errorResponse(503, "The site is being downloaded. Try again in a few seconds.", { "Retry-After": "5" });
      const messages = request.method === "POST" ? await readMessages(request) : { body: undefined };
      if (messages instanceof Response) return messages;
      const address = clientAddress(incoming.socket.remoteAddress, forwardedFor(incoming), isTrusted) ?? "unknown";
      const waitSeconds = limit(networkOf(address), messageCount(messages.body));
      if (waitSeconds > 0)
        return errorResponse(
          429,
          `Your address has sent more than ${messagesPerHour} messages in an hour. Wait ${waitSeconds} s.`,
          {
            "Retry-After": String(waitSeconds),
          },
        );
      const docs = await documentations(served);
      if (docs === undefined)
        return errorResponse(503, "This bundle cannot be searched. See the server's log for the reason.");
      return fetch(request, docs, messages.body);
    })();
    for (const [name, value] of Object.entries<string>(cors)) response.headers.set(name, value);
    return response;
  };
  const listener = import("@hono/node-server").then(({ getRequestListener }) =>
    getRequestListener((request, bindings) => answer(request, bindings.incoming as IncomingMessage), {
      overrideGlobalObjects: false,
    }),
  );
  listener.catch(() => {});

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const path = (request.url ?? "").replace(/[?#].*$/s, "");
    const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length + 1) : undefined;
    if (below === "mcp" && !isForPage(request, bundle())) {
      void listener
        .then((listen) => listen(request, response))
        .catch((error: Error) => {
          onError(error);
          response.destroy();
        });
      return true;
    }
    const wellKnown = /^\/\.well-known\/mcp(?:$|[./])/.test(path) ? path.slice(1) : below;
    const served = bundle();
    if (!wellKnown?.startsWith(".well-known/mcp") || served === undefined) return false;
    const isSecure = isTrusted(request.socket.remoteAddress ?? "") && request.headers["x-forwarded-proto"] === "https";
    const url = `${isSecure ? "https" : "http"}://${request.headers.host ?? deps.host}${basePath}/mcp`;
    const name = wellKnown === ".well-known/mcp" ? `${wellKnown}.json` : wellKnown;
    const document = discoveryFiles(served.manifest.siteName, url).get(name);
    if (document === undefined || !["GET", "HEAD"].includes(request.method ?? "")) return false;
    const body = Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": body.length,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
    });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  };
}

const corsHeaders = {
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers":
    "Content-Type, Accept, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID",
  "Access-Control-Expose-Headers": "Mcp-Session-Id, Retry-After",
  "Access-Control-Max-Age": "7200",
  Vary: "Origin",
};

const forwardedFor = ({ headers }: IncomingMessage): string | undefined => {
  const value = headers["x-forwarded-for"];
  return value === undefined ? undefined : String(value);
};

/** Whether a browser requests the site's own page at /mcp. Agents do not ask for HTML. */
const isForPage = ({ method, headers }: IncomingMessage, served: ServedBundle | undefined): boolean =>
  (method === "GET" || method === "HEAD") &&
  /text\/html/.test(headers.accept ?? "") &&
  served?.routes.get("mcp") !== undefined;

/** The host name of the site's URL, if it is known. */
const namesOf = (served: ServedBundle | undefined): readonly string[] => {
  const url = URL.parse(served?.manifest.address?.baseUrl ?? "");
  return url ? [url.hostname] : [];
};

const thisMachine: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Whether pages of that origin may ask. DNS rebinding gives an origin that is not listed here. */
function isAllowed(origin: string, hosts: readonly string[], origins: readonly string[]): boolean {
  if (origins.includes(origin.toLowerCase())) return true;
  const hostname = URL.parse(origin)?.hostname;
  return hostname !== undefined && [...thisMachine, ...hosts].includes(hostname);
}

/** Opens the documentation of each bundle once. Undefined if it cannot be opened: then the next call tries again. */
export function createDocumentations(onError: (error: Error) => void) {
  const opened = new WeakMap<ServedBundle, Promise<Documentation>>();
  return async (bundle: ServedBundle): Promise<Documentation | undefined> => {
    const documentation = opened.get(bundle) ?? openDocumentation(bundle);
    opened.set(bundle, documentation);
    try {
      return await documentation;
    } catch (error) {
      opened.delete(bundle);
      onError(error as Error);
      return undefined;
    }
  };
}

/** @throws {Error} that says why the bundle cannot be searched. */
export async function openDocumentation({ folder, manifest }: ServedBundle): Promise<Documentation> {
  const { openFolderIndex } = await import("../service/assistant/retrieval/open-folder-index.js");
  return openFolderIndex(folder, manifest.files, addressless);
}
