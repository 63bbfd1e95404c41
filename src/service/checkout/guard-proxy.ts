import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { pipeline } from "node:stream";
import { Refusal } from "../../lib/fetch/index.js";
import { refusedHost } from "./allowed-targets.js";

export interface GuardProxy {
  /** With its password; a secret. */
  readonly url: string;
  readonly password: string;
  /** Why the first connection that failed was not made: a `SourceFault` if it was refused. */
  failure(): Error | undefined;
  /** Closes all connections. */
  close(): Promise<void>;
}

/**
 * A proxy on 127.0.0.1 for one checkout: every https connection of git, redirects included, is made by `dial`. Requests
 * without its password, and requests other than CONNECT, are refused.
 */
export async function startGuardProxy(dial: (authority: string) => Promise<Socket>): Promise<GuardProxy> {
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
    url: `http://git:${password}@127.0.0.1:${port}`,
    password,
    failure: () => failure,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** Comparable in constant time. */
const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
