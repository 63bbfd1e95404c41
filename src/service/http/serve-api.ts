import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { createBoundedServer, notHttpMessage, type ServerLimits } from "../../lib/http/index.js";
import type { Log } from "../../lib/log.js";
import { EnvironmentError } from "../../lib/system-error.js";
import { ApiError, errorResponse, tryLater } from "./api-error.js";
import type { Api } from "./create-api.js";

export interface ListenOptions {
  readonly api: Api;
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Closes the server once it aborts. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ServerLimits>;
  /** Connections that are still busy this long after `close` are destroyed. Default: 10 seconds. */
  readonly closeMs?: number;
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[];
  readonly log?: Log;
}

export interface Listening {
  /** Without trailing slash. */
  readonly url: string;
  /** Ends long polls, and resolves once all connections are closed; busy ones are destroyed after `closeMs`. */
  close(): Promise<void>;
}

/** Serves `api`. Rejects if it cannot listen on the address. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { api, port, host, signal, limits, trustedProxies, closeMs = 10_000, log } = options;
  const closing = new AbortController();
  const refusals = new WeakMap<IncomingMessage, ApiError>();
  const answer = getRequestListener(
    async (request, bindings) => {
      const { incoming } = bindings as HttpBindings;
      const { remoteAddress } = incoming.socket;
      const refusal = refusals.get(incoming as IncomingMessage) ?? targetFault(incoming.url);
      return api.fetch(request, { remoteAddress, refusal, closing: closing.signal });
    },
    {
      overrideGlobalObjects: false,
      errorHandler: () => errorResponse(new ApiError(400, notHttpMessage), undefined),
    },
  );
  const server = createBoundedServer((incoming, outgoing) => void answer(incoming, outgoing), {
    limits,
    trustedProxies,
    bodyOf: (error) => ({ type: "application/json", body: JSON.stringify({ error }) }),
    refuse(incoming, outgoing, { status, message, headers }) {
      refusals.set(incoming, new ApiError(status, message, headers));
      void answer(incoming, outgoing);
    },
    warn: (message, facts) => log?.("warn", message, facts),
  });
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
  // Busy connections become idle one by one, and are closed then.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const busy = setTimeout(() => server.closeAllConnections(), closeMs);
  await promise;
  clearInterval(idle);
  clearTimeout(busy);
}

function urlOf(address: AddressInfo | null, host: string, port: number): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${address?.port ?? port}`;
}

/** Requests wait this long for the service to start, in milliseconds. */
const patienceMs = 5_000;

const notStarted = "The service is starting: its database is not reachable yet.";

/** Answers for an API that is not ready yet: requests wait for a while, then they get 503. */
export function startingApi(ready: Promise<Api>): Api {
  return {
    async fetch(request, info) {
      const api = await Promise.race([ready, sleep(patienceMs, undefined, { ref: false })]);
      if (api) return api.fetch(request, info);
      // An orchestrator restarts a process that is not alive, which does not help here.
      if (new URL(request.url).pathname === "/healthz")
        return Response.json({ status: "degraded", problems: [notStarted] });
      return errorResponse(
        tryLater(503, `${notStarted} Try again in a few seconds.`, 5),
        request.headers.get("Accept") ?? undefined,
      );
    },
  };
}

/** Refuses paths with a segment "." or "..", even percent-encoded, which a proxy may read differently. */
function targetFault(url = ""): ApiError | undefined {
  const path = url.replace(/[?#].*$/s, "");
  if (path.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    return new ApiError(400, 'The path has a segment "." or "..", plain or encoded. Send the resolved path.');
  return undefined;
}
