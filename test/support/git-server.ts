import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { lazy } from "../../src/lib/memo.js";

const checkoutFixture = (name: string): string => new URL(`../service/git/${name}`, import.meta.url).pathname;

export interface GitServer {
  /** `https://127.0.0.1:port` */
  readonly url: string;
  /** Path of its certificate, which clients must trust. */
  readonly certificate: string;
  /** Method, path and user of each request: `GET /docs.git/info/refs -`, `… bot:secret`. */
  readonly seen: string[];
  /** Sum over all answers. */
  sentBytes(): number;
  close(): Promise<void>;
}

export interface GitServerOptions {
  /** `user:password` that requests must have. */
  readonly credential?: string;
  /** Paths with these prefixes are redirected with status 302; with "authorized", only requests with the credential. */
  readonly redirects?: ReadonlyMap<string, string>;
}

/** Serves the repositories in `root` with git's `http-backend` over https. `/stall` never answers, `/500` fails. */
export async function startGitServer(root: string, options: GitServerOptions = {}): Promise<GitServer> {
  const seen: string[] = [];
  let sentBytes = 0;
  const server = createServer(
    {
      key: readFileSync(checkoutFixture("test-only-key.pem")),
      cert: readFileSync(checkoutFixture("test-only-certificate.pem")),
    },
    (request, response) => {
      const { pathname, search } = new URL(request.url!, "https://git.example");
      const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
      const given = basic && Buffer.from(basic, "base64").toString();
      seen.push(`${request.method} ${pathname} ${given ?? "-"}`);
      const { redirects, credential } = options;
      const isAuthorized = credential === undefined || given === credential;
      const redirect =
        (isAuthorized || !redirects?.get("authorized")) &&
        [...(redirects ?? [])].find(([from]) => pathname.startsWith(from));
      if (pathname.startsWith("/stall")) return;
      if (pathname.startsWith("/500")) response.writeHead(500).end();
      else if (redirect)
        response.writeHead(302, { location: `${redirect[1]}${pathname.slice(redirect[0].length)}${search}` }).end();
      else if (!isAuthorized) response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      else void answerByGit(root, request, response);
    },
  );
  server.on("secureConnection", (socket) => socket.on("close", () => (sentBytes += socket.bytesWritten)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate: checkoutFixture("test-only-certificate.pem"),
    seen,
    sentBytes: () => sentBytes,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The port of `git-backend.js`, which runs for all test files of this process. */
const backendPort = lazy(
  () =>
    new Promise<number>((resolve, reject) => {
      const child = fork(fileURLToPath(new URL("./git-backend.js", import.meta.url)), { execArgv: [] });
      child.once("message", (port) => resolve(Number(port))).once("error", reject);
      child.unref();
      child.channel?.unref();
    }),
);

const agent = new Agent({ keepAlive: true });

async function answerByGit(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const options = {
    port: await backendPort(),
    host: "127.0.0.1",
    method: request.method,
    path: request.url,
    headers: { ...request.headers, "x-served": encodeURIComponent(root) },
    agent,
  } as const;
  const forwarded = httpRequest(options, (answer) => {
    const { connection: _, "keep-alive": __, ...headers } = answer.headers;
    response.writeHead(answer.statusCode!, headers);
    answer.pipe(response);
  });
  forwarded.on("error", () => response.destroy());
  request.on("close", () => request.complete || forwarded.destroy());
  request.pipe(forwarded);
}
