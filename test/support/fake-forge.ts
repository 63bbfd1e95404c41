import { execFileSync } from "node:child_process";
import { type KeyObject, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ForgeKind } from "../../src/service/git/forge/index.js";

export interface PullRequestOfForge {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly url: string;
  isOpen: boolean;
}

export interface FakeForge {
  /** Address of its API. */
  readonly url: string;
  readonly pulls: PullRequestOfForge[];
  /** `GET /repos/acme/docs/pulls?…` of each request. */
  readonly seen: string[];
  /** How the next requests are answered: with a status, `drop`: the connection ends once the work is done. */
  readonly next: (number | "drop" | "work")[];
  close(): void;
}

export const forgeToken = "forge-token-1234567890";

interface Shape {
  readonly path: string;
  readonly header: readonly [name: string, value: string];
  readonly fields: readonly string[];
  readonly query: (branch: string) => Readonly<Record<string, string>>;
  /** From the body of a request. */
  read(body: Record<string, unknown>): Omit<PullRequestOfForge, "url" | "isOpen">;
  write(pull: PullRequestOfForge): object;
}

const named = (body: Record<string, unknown>, names: readonly string[]) => names.map((name) => String(body[name]));
const withPrefix = (title: string, prefix: string) => ({
  title: title.replace(prefix, ""),
  isDraft: title.startsWith(prefix),
});

/** What each forge documents of its requests and answers. */
const shapes: Readonly<Record<Exclude<ForgeKind, "none">, Shape>> = {
  github: {
    path: "/repos/acme/docs/pulls",
    header: ["authorization", `Bearer ${forgeToken}`],
    fields: ["title", "head", "base", "body", "draft"],
    query: (branch) => ({ head: `acme:${branch}`, state: "open" }),
    read(sent) {
      const [title, branch, base, body] = named(sent, ["title", "head", "base", "body"]) as [
        string,
        string,
        string,
        string,
      ];
      return { title, branch, base, body, isDraft: sent["draft"] === true };
    },
    write: ({ url, branch }) => ({ html_url: url, url: "https://api.example/pulls/1", head: { ref: branch } }),
  },
  gitlab: {
    path: "/projects/acme%2Fdocs/merge_requests",
    header: ["private-token", forgeToken],
    fields: ["title", "source_branch", "target_branch", "description"],
    query: (branch) => ({ source_branch: branch, state: "opened" }),
    read(sent) {
      const [branch, base, body] = named(sent, ["source_branch", "target_branch", "description"]) as [
        string,
        string,
        string,
      ];
      return { branch, base, body, ...withPrefix(String(sent["title"]), "Draft: ") };
    },
    write: ({ url, branch }) => ({ web_url: url, source_branch: branch }),
  },
  gitea: {
    path: "/repos/acme/docs/pulls",
    header: ["authorization", `token ${forgeToken}`],
    fields: ["title", "head", "base", "body"],
    query: () => ({ state: "open", limit: "50" }),
    read(sent) {
      const [branch, base, body] = named(sent, ["head", "base", "body"]) as [string, string, string];
      return { branch, base, body, ...withPrefix(String(sent["title"]), "WIP: ") };
    },
    write: ({ url, branch }) => ({ html_url: url, head: { ref: branch } }),
  },
};

/** As GitHub checks it: the signature, the issuer, and that it holds for ten minutes at most. */
function isOfApp(
  { headers }: IncomingMessage,
  { id, publicKey }: { readonly id: string; readonly publicKey: KeyObject },
): boolean {
  const [, head = "", claims = "", signature = ""] =
    /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(headers.authorization ?? "") ?? [];
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString() || "{}");
  const { iat, exp, iss } = read(claims);
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(`${head}.${claims}`),
    publicKey,
    Buffer.from(signature, "base64url"),
  );
  return isSigned && read(head).alg === "RS256" && iss === id && iat < exp && exp - iat <= 600;
}

/** The pull requests of `bare`, as one kind of forge has them: every field of a request is checked. */
export async function startFakeForge(
  kind: Exclude<ForgeKind, "none">,
  bare: string,
  app?: { readonly id: string; readonly publicKey: KeyObject },
): Promise<FakeForge> {
  const shape = shapes[kind];
  const pulls: PullRequestOfForge[] = [];
  const seen: string[] = [];
  const next: FakeForge["next"] = [];
  const hasBranch = (branch: string): boolean => {
    try {
      execFileSync("git", ["-C", bare, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
      return true;
    } catch {
      return false;
    }
  };
  const answer = (request: IncomingMessage, sent: string): [status: number, body: unknown] => {
    const url = new URL(request.url!, "http://forge");
    if (app && url.pathname === "/repos/acme/docs/installation")
      return isOfApp(request, app) ? [200, { id: 7 }] : [401, { message: "A JSON web token could not be decoded" }];
    if (app && url.pathname === "/app/installations/7/access_tokens") {
      const wanted = { repositories: ["docs"], permissions: { contents: "write", pull_requests: "write" } };
      if (!isOfApp(request, app)) return [401, { message: "A JSON web token could not be decoded" }];
      if (request.method !== "POST" || JSON.stringify(JSON.parse(sent)) !== JSON.stringify(wanted)) return [422, {}];
      return [201, { token: forgeToken, expires_at: new Date(Date.now() + 60 * 60_000).toISOString() }];
    }
    if (url.pathname !== shape.path) return [404, { message: "Not Found" }];
    if (request.headers[shape.header[0]] !== shape.header[1]) return [401, { message: "Bad credentials" }];
    if (request.method === "GET") {
      const { page: pageNumber, ...query } = Object.fromEntries(url.searchParams);
      const wanted = [...pulls]
        .reverse()
        .find(({ branch }) => JSON.stringify(shape.query(branch)) === JSON.stringify(query));
      const isList = kind === "gitea" && JSON.stringify(query) === JSON.stringify(shape.query(""));
      const found = isList ? pulls : wanted ? pulls.filter(({ branch }) => branch === wanted.branch) : [];
      const page = Number(pageNumber ?? 1);
      return [
        200,
        found
          .filter(({ isOpen }) => isOpen)
          .slice(50 * (page - 1), 50 * page)
          .map(shape.write),
      ];
    }
    const body = JSON.parse(sent) as Record<string, unknown>;
    const isComplete = JSON.stringify(Object.keys(body).sort()) === JSON.stringify([...shape.fields].sort());
    if (request.headers["content-type"] !== "application/json" || !isComplete) return [400, { message: "fields" }];
    const read = shape.read(body);
    if (!hasBranch(read.branch) || !hasBranch(read.base)) return [422, { message: "Validation Failed" }];
    if (pulls.some(({ branch, isOpen }) => branch === read.branch && isOpen))
      return [kind === "github" ? 422 : 409, { message: "already exists" }];
    const pull = { ...read, url: `https://forge.example/acme/docs/pull/${pulls.length + 1}`, isOpen: true };
    pulls.push(pull);
    return [201, shape.write(pull)];
  };
  const server = createServer((request, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      seen.push(`${request.method} ${request.url}`);
      const scripted = next.shift();
      if (typeof scripted === "number") return response.writeHead(scripted).end("{}");
      const [status, body] = answer(request, Buffer.concat(chunks).toString());
      if (scripted === "drop") return response.destroy();
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pulls,
    seen,
    next,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
