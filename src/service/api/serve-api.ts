import { createServer, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { EnvironmentError } from "../../lib/environment-error.js";
import { ApiError, errorResponse } from "./api-error.js";
import type { Api } from "./create-api.js";
import { targetFault } from "./request-target.js";

export interface ListenOptions {
  readonly api: Api;
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Closes the server once it aborts. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<typeof listenDefaults>;
}

export interface Listening {
  /** Without trailing slash. */
  readonly url: string;
  /**
   * Accepts no new connections, ends long polls, and resolves once all connections are closed. Connections that are
   * still busy after `closeMs` are destroyed.
   */
  close(): Promise<void>;
}

export const listenDefaults = {
  /** Open connections; further ones are closed at once. */
  maxConnections: 10_000,
  /** Longest time to receive the head of a request, in milliseconds. */
  headMs: 10_000,
  /** Longest time to receive a request with its body. */
  requestMs: 30_000,
  /** Idle connections are closed after this; more than the 60 seconds of common load balancers. */
  idleMs: 65_000,
  /** A connection without traffic is closed after this, even during a response; more than the longest `?wait=`. */
  quietMs: 120_000,
  maxHeaderBytes: 16 * 1024,
  closeMs: 10_000,
};

/** Serves `api`. Rejects if it cannot listen on the address. */
export async function listen({ api, port, host, signal, limits }: ListenOptions): Promise<Listening> {
  const { maxConnections, headMs, requestMs, idleMs, quietMs, maxHeaderBytes, closeMs } = {
    ...listenDefaults,
    ...limits,
  };
  const closing = new AbortController();
  const answer = getRequestListener(
    async (request, bindings) => {
      const { incoming } = bindings as HttpBindings;
      const { remoteAddress } = incoming.socket;
      const info = { remoteAddress, refusal: targetFault(incoming), closing: closing.signal };
      return api.fetch(request, info);
    },
    { overrideGlobalObjects: false, errorHandler: () => errorResponse(notUnderstood, undefined) },
  );
  const server = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      maxHeaderSize: maxHeaderBytes,
      connectionsCheckingInterval: Math.min(1000, headMs),
    },
    (incoming, outgoing) => void (api.onNode?.(incoming, outgoing) || answer(incoming, outgoing)),
  );
  server.maxConnections = maxConnections;
  server.timeout = quietMs;
  server.on("clientError", refuse);
  const started = Promise.withResolvers<void>();
  server.once("error", started.reject).listen(port, host, started.resolve);
  try {
    await started.promise;
  } catch (cause) {
    throw new EnvironmentError(`The API cannot listen on ${host}:${port}. Choose another port or address.`, { cause });
  }
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= end(server, closing, closeMs));
  signal?.addEventListener("abort", close, { once: true });
  if (signal?.aborted) await close();
  return { url: urlOf(server.address() as AddressInfo | null, host, port), close };
}

async function end(server: Server, closing: AbortController, closeMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  closing.abort();
  // Busy connections become idle one by one.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const busy = setTimeout(() => server.closeAllConnections(), closeMs);
  await promise;
  clearInterval(idle);
  clearTimeout(busy);
}

const notUnderstood = new ApiError(
  400,
  "The request is not HTTP that can be understood: look at its path and Host header.",
);

/**
 * Answers a head that is too large, too slow, or malformed. If the connection has carried a response, another one may
 * be in progress, so it is closed without an answer.
 */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET" || (socket as Socket).bytesWritten > 0)
    return void socket.destroy();
  const [status, message] = refusals[error.code ?? ""] ?? [400, notUnderstood.message];
  const body = JSON.stringify({ error: message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The head of the request is too large. Send fewer or shorter headers."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive. Send it again."],
};

function urlOf(address: AddressInfo | null, host: string, port: number): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${address?.port ?? port}`;
}
