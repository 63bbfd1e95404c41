import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

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
      else answerByGit(root, request, response);
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

/** The output of a CGI program: headers, an empty line, the body. */
function answerByGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url!, "https://git.example");
  const git = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: searchParams.toString(),
      CONTENT_TYPE: request.headers["content-type"],
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
      GIT_PROTOCOL: request.headers["git-protocol"] as string | undefined,
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(git.stdin);
  git.stdin.on("error", () => {});
  let head = Buffer.alloc(0);
  const readHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    git.stdout.off("data", readHead);
    const headers = head
      .subarray(0, end)
      .toString()
      .split("\r\n")
      .map((line) => line.split(/:\s*/, 2) as [string, string]);
    const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== "Status")));
    response.write(head.subarray(end + 4));
    git.stdout.pipe(response);
  };
  git.stdout.on("data", readHead);
  git.stdout.on("end", () => response.end());
}
