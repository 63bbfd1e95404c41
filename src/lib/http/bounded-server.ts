import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { attempt } from "../attempt.js";
import { addressMatcher, clientAddress, networkOf } from "../client-address.js";
import { hostFault } from "./request-headers.js";

/** Limits of what clients may use of a server. Times are in milliseconds. */
export interface ServerLimits {
  /** Open connections; further ones are closed at once. */
  readonly maxConnections: number;
  /**
   * Open connections of a client's address (IPv6: of its /64 network). A further one replaces the oldest one that is idle
   * or still sends its request, so that slow connections starve no others of the address. If there is none, the new
   * connection is closed at once.
   * Connections of trusted proxies do not count, since they carry the requests of all clients. Instead, a client behind
   * them may have this many requests in progress; further ones get 429.
   */
  readonly connectionsPerAddress: number;
  /** Longest time to receive the head of a request. */
  readonly headMs: number;
  /** Longest time to receive a request with its body. */
  readonly requestMs: number;
  /** Idle connections are closed after this. */
  readonly idleMs: number;
  /** A connection without traffic is closed after this, even during a response. */
  readonly quietMs: number;
  /** A response that waits for its reader for longer than this must be read at `minReadBytesPerSecond` on average. */
  readonly slowReadMs: number;
  readonly minReadBytesPerSecond: number;
  /** How long a refused connection stays open, so that the client can read the reason. */
  readonly lingerMs: number;
  readonly maxHeaderBytes: number;
}

export function serverLimits(given: Partial<ServerLimits> = {}): ServerLimits {
  // A third of the descriptors, so that two listeners leave enough for files and the database.
  const maxConnections = Math.min(10_000, Math.floor(maxDescriptors() / 3));
  return {
    maxConnections,
    connectionsPerAddress: Math.min(256, Math.ceil(maxConnections / 4)),
    headMs: 10_000,
    requestMs: 30_000,
    // More than the 60 seconds of common load balancers.
    idleMs: 65_000,
    // More than the longest `?wait=`.
    quietMs: 120_000,
    slowReadMs: 30_000,
    minReadBytesPerSecond: 1024,
    lingerMs: 1000,
    maxHeaderBytes: 16 * 1024,
    ...given,
  };
}

export interface Refusal {
  readonly status: 400 | 408 | 429 | 431;
  /** The reason, written for the client. */
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface BoundedServerOptions {
  readonly limits?: Partial<ServerLimits>;
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Writes the body of a response that the server sends by itself. Default: plain text. */
  readonly bodyOf?: (message: string) => { readonly type: string; readonly body: string };
  /** Answers a request that must not be handled. Default: with `bodyOf`. */
  readonly refuse?: (incoming: IncomingMessage, outgoing: ServerResponse, refusal: Refusal) => void;
  /** Messages for the operator, each at most once a minute. */
  readonly warn?: (message: string, facts: Readonly<Record<string, string>>) => void;
}

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Creates a server of `node:http` on which no client can occupy all connections by sending or reading slowly. */
export function createBoundedServer(handle: Handle, options: BoundedServerOptions = {}): Server {
  const limits = serverLimits(options.limits);
  const { headMs, requestMs, idleMs, quietMs, maxHeaderBytes } = limits;
  const { trustedProxies = [], bodyOf = plainText } = options;
  const { refuse = (_, outgoing, refusal) => sendRefusal(outgoing, refusal, bodyOf) } = options;
  const isTrusted = addressMatcher(trustedProxies);
  const warn = atMostOnceAMinute(options.warn ?? (() => {}));
  /** Connections by network, the oldest first. */
  const byNetwork = new Map<string, Set<OpenConnection>>();
  const requests = createTally(limits.connectionsPerAddress);
  const open = new Map<Duplex, OpenConnection>();
  const refused = new WeakSet<Duplex>();

  const server = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      maxHeaderSize: maxHeaderBytes,
      connectionsCheckingInterval: Math.min(1000, headMs, requestMs),
    },
    (incoming, outgoing) => {
      // This is the end of a request that was refused as too slow.
      if (refused.has(incoming.socket)) return;
      const fault = hostFault(incoming.rawHeaders);
      if (fault !== undefined) return refuse(incoming, outgoing, { status: 400, message: fault, headers: {} });
      const connection = open.get(incoming.socket);
      if (connection) connection.request = incoming;
      outgoing.once("close", () => {
        if (connection?.request === incoming) connection.request = undefined;
      });
      const proxy = connection?.address;
      const forwardedFor = incoming.headers["x-forwarded-for"];
      if (proxy !== undefined && forwardedFor !== undefined) {
        const client = clientAddress(proxy, String(forwardedFor), isTrusted)!;
        if (trustedProxies.length === 0 && isPrivate(proxy)) warn(unnamedProxy, { address: proxy });
        // Without another address, the request is the proxy's own, such as a probe.
        if (client !== proxy) {
          if (!requests.add(client)) return refuse(incoming, outgoing, tooManyRequests);
          outgoing.once("close", () => requests.remove(client));
        }
      }
      handle(incoming, outgoing);
    },
  );
  server.maxConnections = limits.maxConnections;
  server.timeout = quietMs;
  server.on("drop", () => warn("The server has reached its limit of connections and closes new ones.", {}));
  server.on("connection", (socket) => {
    const address = clientAddress(socket.remoteAddress, undefined, isTrusted);
    if (address === undefined) return void socket.destroy();
    const connection = { socket, address, request: undefined, waitingSince: undefined, readBytes: 0 };
    if (!isTrusted(address)) {
      const network = networkOf(address);
      const others = byNetwork.get(network) ?? new Set();
      if (others.size >= limits.connectionsPerAddress) {
        warn("A client address has reached its limit of connections; slow and new ones are closed.", { address });
        const replaced = [...others].find(isReplaceable);
        if (!replaced) return void socket.destroy();
        others.delete(replaced);
        replaced.socket.destroy();
      }
      byNetwork.set(network, others.add(connection));
      socket.once("close", () => {
        others.delete(connection);
        if (others.size === 0 && byNetwork.get(network) === others) byNetwork.delete(network);
      });
    }
    open.set(socket, connection);
    socket.once("close", () => open.delete(socket));
  });
  const sweep = setInterval(
    () => {
      for (const connection of open.values()) if (readsTooSlowly(connection, limits)) connection.socket.destroy();
    },
    Math.min(1000, limits.slowReadMs),
  ).unref();
  server.once("close", () => clearInterval(sweep));

  // If the connection has already carried a response, another one may be in progress, so it is closed without an answer.
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return;
    if (!socket.writable || error.code === "ECONNRESET" || (socket as Socket).bytesWritten > 0)
      return void socket.destroy();
    refused.add(socket);
    const { status, message } = wireRefusals[error.code ?? ""] ?? notHttp;
    const { type, body } = bodyOf(message);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: ${type}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    // If the socket were closed at once, the system would discard the answer together with unread input.
    const linger = setTimeout(() => socket.destroy(), limits.lingerMs);
    socket.once("close", () => clearTimeout(linger));
  });
  return server;
}

interface OpenConnection {
  readonly socket: Socket;
  /** Address of the client, or of a proxy. */
  readonly address: string;
  /** The latest request, while it has no complete response. */
  request: IncomingMessage | undefined;
  /** When unread bytes began to accumulate, by `performance.now()`; undefined while there are none. */
  waitingSince: number | undefined;
  /** Bytes that the client had read by then. */
  readBytes: number;
}

/** Whether the connection is idle, or its request has not fully arrived. */
const isReplaceable = ({ request }: OpenConnection): boolean => request === undefined || !request.complete;

/** Allows the time to read everything that was written, since a large write counts as read only when all of it is. */
function readsTooSlowly(connection: OpenConnection, limits: ServerLimits): boolean {
  const { socket, waitingSince, readBytes } = connection;
  if (socket.writableLength === 0) {
    connection.waitingSince = undefined;
    return false;
  }
  if (waitingSince === undefined) {
    connection.waitingSince = performance.now();
    connection.readBytes = socket.bytesWritten - socket.writableLength;
    return false;
  }
  const allowedMs = limits.slowReadMs + ((socket.bytesWritten - readBytes) / limits.minReadBytesPerSecond) * 1000;
  return performance.now() - waitingSince > allowedMs;
}

/** Counts by network, up to `max` for each. */
function createTally(max: number) {
  const counts = new Map<string, number>();
  return {
    /** Adds one. Returns false and counts nothing if the network has `max` already. */
    add(address: string): boolean {
      const network = networkOf(address);
      const count = counts.get(network) ?? 0;
      if (count < max) counts.set(network, count + 1);
      return count < max;
    },
    remove(address: string): void {
      const network = networkOf(address);
      const count = counts.get(network)! - 1;
      if (count > 0) counts.set(network, count);
      else counts.delete(network);
    },
  };
}

function sendRefusal(
  outgoing: ServerResponse,
  { status, message, headers }: Refusal,
  bodyOf: NonNullable<BoundedServerOptions["bodyOf"]>,
): void {
  const { type, body } = bodyOf(message);
  outgoing.writeHead(status, {
    ...headers,
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  outgoing.end(body);
}

const plainText = (message: string) => ({ type: "text/plain; charset=utf-8", body: `${message}\n` });

const notHttp = {
  status: 400,
  message: "The request is not valid HTTP. Check its path and its Host header.",
} as const;
export const notHttpMessage = notHttp.message;

const wireRefusals: Readonly<Record<string, Pick<Refusal, "status" | "message">>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: "The request headers are too large. Send fewer or shorter headers.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive. Send it again." },
};

const tooManyRequests: Refusal = {
  status: 429,
  message: "Your address has too many requests in progress. Wait until some of them have finished.",
  headers: { "Retry-After": "1" },
};

/** Addresses that proxies usually have: this machine and private networks. */
const isPrivate = addressMatcher(
  "127.0.0.0/8 10.0.0.0/8 100.64.0.0/10 172.16.0.0/12 192.168.0.0/16 ::1 fc00::/7".split(" "),
);

const unnamedProxy =
  "A request has X-Forwarded-For, but OFFPRINT_TRUSTED_PROXIES is empty: limits treat all clients behind the proxy as one. " +
  "Set OFFPRINT_TRUSTED_PROXIES to the proxy's address.";

function atMostOnceAMinute(warn: NonNullable<BoundedServerOptions["warn"]>): typeof warn {
  const warnedAt = new Map<string, number>();
  return (message, facts) => {
    if (performance.now() - (warnedAt.get(message) ?? Number.NEGATIVE_INFINITY) < 60_000) return;
    warnedAt.set(message, performance.now());
    warn(message, facts);
  };
}

/** Number of files and connections that this process may open; `Infinity` if the system does not report it. */
function maxDescriptors(): number {
  const limits = attempt(() => readFileSync("/proc/self/limits", "utf8")) ?? "";
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}

/** The bytes of a body; undefined as soon as there are more than `maxBytes`. */
export async function readBody(body: Request["body"], maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The most names in memory; above it, the least recently used one is dropped. */
const maxNames = 50_000;

/**
 * Limits uses by name, in this process, within `windowMs` from the first use.
 *
 * @returns a function that returns the seconds to wait; 0 if the uses are within `limit` and were counted.
 */
export function createUseLimit(limit: number, windowMs: number, now: () => number) {
  const windows = new Map<string, { readonly since: number; uses: number }>();
  return (name: string, uses: number): number => {
    const last = windows.get(name);
    const window = last && Math.abs(now() - last.since) < windowMs ? last : { since: now(), uses: 0 };
    if (window.uses + uses > limit) return Math.max(1, Math.ceil((window.since + windowMs - now()) / 1000));
    window.uses += uses;
    windows.delete(name);
    windows.set(name, window);
    if (windows.size > maxNames) windows.delete(windows.keys().next().value!);
    return 0;
  };
}
