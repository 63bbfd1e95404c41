import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AddressInfo, isIP, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { checkTarget, isPublicAddress, type Network, Refusal, type Target } from "../../../lib/fetch/index.js";
import { addressMatcher, isAddressRange } from "../../../lib/http/index.js";
import { isBelowPrefix } from "./git-credential.js";
import { SourceFault } from "./git-source.js";

export type GuardProxy = Awaited<ReturnType<typeof startGuardProxy>>;

/** A proxy on 127.0.0.1, with a password: git makes all its https connections, redirects included, by `dial`. */
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

/** Connects to a host of https, through the operator's proxy if there is one, which gets the name. */
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

export type Environment = Readonly<Record<string, string | undefined>>;

const variable = "OFFPRINT_GIT_ALLOW_PRIVATE";

export type AllowedTargets = ReturnType<typeof openTargets>;

/**
 * Where git may connect to, and which folders of this machine it may read: public addresses, and what the operator adds
 * in `OFFPRINT_GIT_ALLOW_PRIVATE`: hosts, addresses and ranges of private networks, and folders of this machine, as in
 * `git.internal,10.0.0.0/8,file:///srv/git/`.
 *
 * @throws {SourceFault} if the variable is invalid.
 */
export function openTargets(environment: Environment, network: Network) {
  const hosts = new Set<string>();
  const folders: string[] = [];
  const ranges: string[] = [];
  for (const entry of (environment[variable] ?? "").split(/[\s,]+/).filter((text) => text !== "")) {
    if (/^file:\/\/\//.test(entry)) folders.push(entry.replace(/\/*$/, "/"));
    else if (isAddressRange(entry)) ranges.push(entry);
    else if (/^[a-z0-9_]([\w.-]*\w)?$/i.test(entry)) hosts.add(entry.toLowerCase());
    else
      throw new SourceFault(
        `The worker's ${variable} contains "${entry}", which is not a host, an address range or a folder, such as git.internal, 10.0.0.0/8 or file:///srv/git/.`,
        false,
        { ofWorker: true },
      );
  }
  const isInRange = addressMatcher(ranges);
  const isListed = (host: string, addresses: readonly string[]): boolean =>
    hosts.has(host) || addresses.every((address) => isPublicAddress(address) || isInRange(address));
  const look = async (authority: string): Promise<Target> => {
    const url = `https://${authority}/`;
    const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, "") ?? "";
    const addresses = isIP(host) ? [host] : await network.resolve(host);
    return checkTarget(url, { ...network, resolve: async () => addresses }, isListed(host, addresses));
  };
  const targets = new Map<string, Promise<Target>>();
  return {
    network,
    /**
     * Resolves and checks a host once; later calls give the same addresses. Rejects with a `Refusal` if one is not
     * allowed, and with the system's error if the name is unknown.
     *
     * @param authority host with port: `git.example.com:443`, `[2001:db8::1]:22`.
     */
    targetOf(authority: string): Promise<Target> {
      const target = targets.get(authority) ?? look(authority);
      targets.set(authority, target);
      return target;
    },
    /** Whether the operator allows a `file://` address. */
    allowsFile: (url: string): boolean => folders.some((folder) => isBelowPrefix(url, folder)),
  };
}

/** A connection to a refused host, for API clients. */
export const refusedHost = (host: string, reason: string): SourceFault =>
  new SourceFault(
    `The worker is not allowed to fetch a repository from ${host}, because ${reason}. The operator of the service can allow private hosts with ${variable}.`,
  );

/** For API clients. */
export const refusedFile = (): SourceFault =>
  new SourceFault(
    `The worker is not allowed to read a local repository at this URL. The operator of the service can allow folders with ${variable}, such as file:///srv/git/.`,
    false,
    { ofWorker: true },
  );
