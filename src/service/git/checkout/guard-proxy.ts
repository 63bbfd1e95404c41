import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AddressInfo, isIP, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { Refusal, type Target } from "../../../lib/fetch/index.js";
import { type AllowedTargets, type Environment, refusedHost } from "./allowed-targets.js";
import { SourceFault } from "./git-source.js";

export type GuardProxy = Awaited<ReturnType<typeof startGuardProxy>>;

/**
 * A proxy on 127.0.0.1 for one checkout: every https connection of git, redirects included, is made by `dial`. Requests
 * without its password, and requests other than CONNECT, are refused.
 */
export async function startGuardProxy(dial: (authority: string) => Promise<Socket>) {
  const password = randomBytes(24).toString("base64url");
  const authorization = hashOf(`Basic ${Buffer.from(`git:${password}`).toString("base64")}`);
  const sockets = new Set<Socket>();
  let failure: Error | undefined;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
  };
  const server = createServer((_, response) => response.writeHead(405).end()).on("connection", track);
  server.on("connect", async (request, client: Socket, head: Buffer) => {
    if (!timingSafeEqual(hashOf(request.headers["proxy-authorization"] ?? ""), authorization))
      return client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="git"\r\n\r\n');
    const authority = request.url ?? "";
    try {
      const remote = await dial(authority);
      track(remote);
      if (client.destroyed) return remote.destroy();
      client.write("HTTP/1.1 200 Connected\r\n\r\n");
      remote.write(head);
      pipeline(client, remote, client, () => {
        client.destroy();
        remote.destroy();
      });
    } catch (error) {
      failure ??=
        error instanceof Refusal ? refusedHost(authority.replace(/:443$/, ""), error.message) : (error as Error);
      client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    /** With its password; a secret. */
    url: `http://git:${password}@127.0.0.1:${port}`,
    password,
    /** Why the first connection that failed was not made: a `SourceFault` if it was refused. */
    failure: () => failure,
    async close(): Promise<void> {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** Comparable in constant time. */
const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** To one address, in milliseconds. */
const connectMs = 10_000;

/** A connection to the first of a host's addresses that accepts one, and that address. */
export async function connectTo(
  { address, otherAddresses, port }: Target,
  { network }: AllowedTargets,
): Promise<{ readonly socket: Socket; readonly address: string }> {
  let fault: unknown;
  for (const next of [address, ...otherAddresses]) {
    const socket = network.connect(next, port);
    try {
      if (socket.connecting) await once(socket, "connect", { signal: AbortSignal.timeout(connectMs) });
      return { socket, address: next };
    } catch (error) {
      socket.on("error", () => {}).destroy();
      fault = error;
    }
  }
  throw fault;
}

/**
 * Connects to a host of https, through the operator's proxy if the environment names one. The proxy gets the name,
 * since many allow only certain names: the worker refuses addresses that it can resolve and that are not allowed.
 */
export async function dial(authority: string, targets: AllowedTargets, environment: Environment): Promise<Socket> {
  const proxy = proxyFor(authority, environment);
  if (proxy === undefined) return (await connectTo(await targets.targetOf(authority), targets)).socket;
  await targets.targetOf(authority).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
  });
  return connectThrough(proxy, authority);
}

/** By the variables that curl reads. @throws {SourceFault} if the proxy is of a kind that is not supported. */
function proxyFor(authority: string, environment: Environment): URL | undefined {
  const read = (...names: string[]): string | undefined =>
    names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== "");
  const proxy = read("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY");
  if (proxy === undefined) return undefined;
  const host = new URL(`https://${authority}`).hostname;
  const excluded = (read("no_proxy", "NO_PROXY") ?? "")
    .split(/[\s,]+/)
    .map((entry) => entry.toLowerCase().replace(/^\*?\./, ""));
  if (excluded.some((entry) => entry === "*" || host === entry || (!isIP(host) && host.endsWith(`.${entry}`))))
    return undefined;
  const text = proxy.includes("://") ? proxy : `http://${proxy}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new SourceFault(
      "The worker's HTTPS_PROXY or ALL_PROXY is not a URL that starts with http:// or https://.",
      false,
      { ofWorker: true },
    );
  return new URL(text);
}

async function connectThrough(proxy: URL, authority: string): Promise<Socket> {
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization = `Basic ${Buffer.from(user).toString("base64")}`;
  const request = (proxy.protocol === "http:" ? httpRequest : httpsRequest)({
    hostname: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || (proxy.protocol === "http:" ? 80 : 443),
    method: "CONNECT",
    path: authority,
    agent: false,
    signal: AbortSignal.timeout(2 * connectMs),
    headers: { host: authority, ...(user === ":" ? {} : { "proxy-authorization": authorization }) },
  });
  request.end();
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  request.once("connect", ({ statusCode }, socket, head) => {
    if (statusCode === 200) {
      if (head.length > 0) socket.unshift(head);
      return resolve(socket as Socket);
    }
    socket.destroy();
    reject(new Error(`the worker's proxy answered ${statusCode}`));
  });
  request.once("response", ({ statusCode }) => reject(new Error(`the worker's proxy answered ${statusCode}`)));
  request.once("error", reject);
  return promise;
}
