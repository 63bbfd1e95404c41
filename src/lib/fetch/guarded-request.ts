import { request as httpRequest, type IncomingMessage } from "node:http";
import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { checkTarget, type Network, Refusal, realNetwork, type Target } from "./target.js";

/** Options of all functions that fetch. */
export interface GuardedOptions {
  /** Time limit of the whole request, from the name look-up to the last byte after redirects, in milliseconds. */
  readonly timeoutMs?: number;
  readonly maxRedirects?: number;
  /** Allows private networks, and http:// there: for addresses that an operator wrote, never for a site's. */
  readonly allowPrivate?: boolean;
  readonly network?: Network;
  /** Connections to reuse. Default: each request opens one. */
  readonly connections?: Connections | undefined;
}

export interface GuardedRequest extends GuardedOptions {
  readonly method: "GET" | "POST";
  /** Dropped when a redirect leads to another origin. */
  readonly headers: Readonly<Record<string, string>>;
  /** A request with a body follows no redirect. */
  readonly body?: string | Uint8Array;
  /** Passes an answer of any status to `use`, redirects included. */
  readonly acceptsAnyStatus?: boolean;
  readonly timeoutMs: number;
  /** Longest pause between two chunks, in milliseconds. */
  readonly idleMs?: number;
  readonly maxRedirects: number;
}

export interface Refused {
  readonly ok: false;
  /** Completes a sentence after "because": `it answered 404`. Contains only the host of the address. */
  readonly reason: string;
  readonly status?: number;
  /** No host answered: its name is unknown, it refuses connections, or the request ran out of time before an answer. */
  readonly unreachable?: true;
}

/**
 * Requests one address and passes the answer to `use`, with the address after all redirects. Unless every status is
 * accepted, an answer other than 200 (for a POST: 2xx) is refused.
 *
 * Fails: with a reason, if the host has an address that is not allowed, or the answer is not complete in time. The
 *        connection goes to the address that was checked, even if the name resolves differently by then.
 *        Throws what `use` throws, unless that is a `Refusal` or the connection broke.
 * Stops: once `signal` aborts, rejects with its reason.
 */
export async function guardedRequest<T>(
  url: string,
  request: GuardedRequest,
  use: (answer: IncomingMessage, stop: AbortSignal, answeredAt: URL) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | Refused> {
  const { timeoutMs } = request;
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
  let hasAnswered = false;
  try {
    const { answer, answeredAt } = await followed(url, request, stop);
    hasAnswered = true;
    try {
      return await use(answer, stop, answeredAt);
    } finally {
      answer.destroy();
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Refusal)
      return { ok: false, reason: error.message, ...(error.status === undefined ? {} : { status: error.status }) };
    if (error instanceof LocalFault) throw error.cause;
    const reason = deadline.aborted
      ? `it did not answer completely within ${timeoutMs / 1000} seconds`
      : `it could not be reached (${reasonOf(error)})`;
    return { ok: false, reason, ...(hasAnswered ? {} : { unreachable: true }) };
  }
}

/** Thrown by `use` for a fault of this machine. `guardedRequest` throws its cause. */
export class LocalFault extends Error {
  constructor(cause: unknown) {
    super("local fault", { cause });
  }
}

/** The answer after all redirects, and the address that gave it. */
async function followed(
  url: string,
  request: GuardedRequest,
  stop: AbortSignal,
): Promise<{ readonly answer: IncomingMessage; readonly answeredAt: URL }> {
  const { maxRedirects, acceptsAnyStatus = false, allowPrivate = false, network = realNetwork } = request;
  let at = url;
  let headers = request.headers;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const target = await orStopped(checkTarget(at, network, allowPrivate), stop);
    const answer = await askInTurn(target, { ...request, headers }, network, stop);
    const { location } = answer.headers;
    const status = answer.statusCode ?? 0;
    if (acceptsAnyStatus || (request.method === "POST" ? status >= 200 && status < 300 : status === 200))
      return { answer, answeredAt: target.url };
    answer.destroy();
    if (request.method === "POST" || !isRedirect(status) || location === undefined)
      throw new Refusal(`it answered ${status}`, status);
    if (!URL.canParse(location, target.url)) throw new Refusal("it sent a redirect without a URL");
    const next = new URL(location, target.url);
    if (next.origin !== target.url.origin) headers = {};
    at = next.href;
  }
  throw new Refusal(`it redirects more than ${maxRedirects} times`);
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** Rejects as soon as `signal` aborts, since a name look-up cannot be cancelled. */
const orStopped = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });

async function askInTurn(
  target: Target,
  request: GuardedRequest,
  network: Network,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const [next, ...otherAddresses] = target.otherAddresses;
  if (next === undefined) return ask(target, request, network, signal);
  try {
    return await ask(target, request, network, signal);
  } catch (error) {
    // If the connection was never made, nothing was sent, so another address may be tried.
    const isUnconnected = (error as NodeJS.ErrnoException).syscall === "connect";
    if (!isUnconnected || signal.aborted) throw error;
    return askInTurn({ ...target, address: next, otherAddresses }, request, network, signal);
  }
}

function ask(target: Target, request: GuardedRequest, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, address, port } = target;
  const { method, headers, body, idleMs, connections } = request;
  const options: RequestOptions = {
    signal,
    method,
    headers: {
      ...headers,
      "user-agent": "Offprint",
      ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
    },
    maxHeaderSize: 32 * 1024,
  };
  return new Promise((resolve, reject) => {
    // Node's agents, even with `agent: false`, would look the name up again. Without an agent, Node takes 80 for the default
    // port, so https must name its own for the Host header.
    const pinned: PinnedOptions = { ...options, defaultPort: 443, target, network };
    const asked =
      url.protocol === "http:"
        ? httpRequest(url, { ...options, createConnection: () => network.connect(address, port) })
        : httpsRequest(url, {
            ...pinned,
            ...(connections ? { agent: connections } : { createConnection: () => connectSecurely(target, network) }),
          });
    let begun: IncomingMessage | undefined;
    if (idleMs !== undefined)
      asked.setTimeout(idleMs, () => {
        (begun ?? asked).destroy(new Refusal(`it sent nothing for ${idleMs / 1000} seconds`));
      });
    asked.on("response", (answer) => {
      begun = answer;
      resolve(answer);
    });
    asked.on("error", (error) => {
      // A server may close a connection at the moment of its next use.
      const isClosed = asked.reusedSocket && begun === undefined && method === "GET" && !signal.aborted;
      if (isClosed) resolve(ask(target, { ...request, connections: undefined }, network, signal));
      else reject(error);
    });
    asked.end(body);
  });
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message ?? String(error);
}

/** Options that a request passes to `Connections`, in addition to Node's. */
export interface PinnedOptions extends RequestOptions {
  readonly target: Target;
  readonly network: Network;
}

/** Connects to the address that was checked, since the host's name may resolve to another one by now. */
export const connectSecurely = ({ host, address, port }: Target, network: Network): TLSSocket =>
  connectTls({
    socket: network.connect(address, port),
    ...(isIP(host) ? {} : { servername: host }),
    ...(network.ca === undefined ? {} : { ca: network.ca }),
    ALPNProtocols: ["http/1.1"],
  });

/**
 * Reuses connections for later requests: a handshake takes two round trips, and most of the processor time of a small file.
 * A request only gets a connection to the address that was checked for it. The owner must destroy this.
 */
export class Connections extends Agent {
  constructor() {
    // `timeout` closes idle connections.
    super({ keepAlive: true, timeout: 5_000 });
  }

  override getName(options?: RequestOptions): string {
    const { host, address, port } = (options as PinnedOptions).target;
    return `${host} ${address} ${port}`;
  }

  override createConnection(options: RequestOptions): TLSSocket {
    const { target, network } = options as PinnedOptions;
    return connectSecurely(target, network);
  }
}
