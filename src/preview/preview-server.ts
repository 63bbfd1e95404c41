import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { hostname } from "node:os";
import { strictPolicy } from "../serve/index.js";

const defaultPort = 3000;

/** Ports that are tried after the default one. */
const mostTries = 50;

/**
 * Listens on the given port, or on the first free one from 3000 on. Gives the port.
 *
 * @throws {Error} of the system, if the given port is taken or none is free.
 */
export async function listen(server: Server, host: string, given: number | undefined): Promise<number> {
  for (let port = given ?? defaultPort; ; port++)
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (given !== undefined || !isTaken || port >= defaultPort + mostTries) throw error;
    }
}

/**
 * Why a request must not be answered: another site of the same browser has sent it, or a name of another site leads to
 * this machine (DNS rebinding). Undefined for a request that is fine.
 *
 * @param host address that the server listens on
 */
export function foreignRequest(headers: IncomingHttpHeaders, host: string): string | undefined {
  const asked = headers.host ?? "";
  const name = URL.canParse(`http://${asked}`) ? new URL(`http://${asked}`).hostname.replace(/^\[|\]$/g, "") : "";
  if (!isOwnName(name, host)) return `The preview is not at "${asked.slice(0, 100)}".`;
  if (headers.origin !== undefined && headers.origin !== `http://${asked}`)
    return "Another site may not read the preview.";
  // `same-site` is another port of this machine. A link may lead here, but nothing else.
  const site = headers["sec-fetch-site"];
  const isFromOther = site === "cross-site" || site === "same-site";
  return isFromOther && headers["sec-fetch-mode"] !== "navigate" ? "Another site may not load the preview." : undefined;
}

function isOwnName(name: string, host: string): boolean {
  if (isLoopback(name)) return true;
  // Nobody can make an address lead elsewhere than a name.
  return !isLoopback(host) && (isIP(name) !== 0 || [host, hostname(), `${hostname()}.local`].includes(name));
}

export const isLoopback = (name: string): boolean =>
  name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);

/** An open page of a browser. */
export interface Viewer {
  /** Decoded path of the page, without a slash in front. */
  readonly path: string;
  /** Of the page that it shows. */
  version: string;
  send(event: "reload" | "styles" | "state", data: unknown): void;
}

/** Tells browsers what has changed, by server-sent events. */
interface EventHub {
  /** Path of the stream. Only pages of the preview know it. */
  readonly path: string;
  /** The last to come first. */
  viewers(): readonly Viewer[];
  open(request: IncomingMessage, response: ServerResponse): Viewer;
  close(): void;
}

/** So that nothing between here and the browser takes the stream for dead. */
const beatMs = 20_000;

export function createEventHub(): EventHub {
  const path = `/_offprint/preview/${randomBytes(24).toString("base64url")}/events`;
  const open = new Map<ServerResponse, Viewer>();
  const beat = setInterval(() => {
    for (const response of open.keys()) response.write(":\n\n");
  }, beatMs);
  return {
    path,
    viewers: () => [...open.values()].reverse(),
    open(request, response) {
      const asked = new URL(request.url ?? "", "http://localhost").searchParams;
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write("retry: 500\n\n");
      const viewer: Viewer = {
        path: asked.get("path") ?? "",
        version: asked.get("version") ?? "",
        send: (event, data) => void response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
      };
      open.set(response, viewer);
      response.on("close", () => open.delete(response));
      return viewer;
    },
    close() {
      clearInterval(beat);
      for (const response of open.keys()) response.end();
    },
  };
}

/** Answers while there is no site to show. The script shows why, and reloads once there is one. */
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
