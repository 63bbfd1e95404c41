import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { hostname } from "node:os";
import { strictPolicy } from "../serve/page-policy.js";

const defaultPort = 3000;
/** Ports that are tried after the default one. */
const maxTries = 50;

/**
 * Listens on the given port, or on the first free one from 3000 on. Returns the port.
 *
 * @throws {Error} of the system, if the given port is taken or none is free.
 */
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
