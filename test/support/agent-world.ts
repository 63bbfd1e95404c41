import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AgentSettings } from "../../src/service/agent/index.js";
import type { AgentAccess } from "../../src/service/git/credentials/index.js";
import type { ForgeKind } from "../../src/service/git/forge/index.js";
import { temporaryFolder, writeSite } from "./cli.js";
import { type FakeForge, forgeToken, startFakeForge } from "./fake-forge.js";
import { startGitServer } from "./git-server.js";

export interface AgentWorldOptions {
  readonly kind?: Exclude<ForgeKind, "none">;
  readonly files: Readonly<Record<string, string>>;
  /** Made in the clone before the first commit. */
  readonly links?: Readonly<Record<string, string>>;
  readonly programs?: readonly string[];
  /** Paths of other repositories. */
  readonly submodules?: readonly string[];
}

/** A repository behind git's own server, and the REST interface of a forge that reads its branches. */
export async function openAgentWorld({
  kind = "gitea",
  files,
  links = {},
  programs = [],
  submodules = [],
}: AgentWorldOptions) {
  const folder = temporaryFolder();
  const bare = join(folder, "served", "acme", "docs.git");
  cpSync(repositoryOf({ files, links, programs, submodules }), bare, { recursive: true });
  const server = await startGitServer(join(folder, "served"), { credential: `x-access-token:${forgeToken}` });
  onTestFinished(() => server.close());
  const forge: FakeForge = await startFakeForge(kind, bare);
  onTestFinished(() => forge.close());
  const host = new URL(server.url).host;
  const settings: AgentSettings = {
    secrets: [],
    environment: {
      PATH: process.env["PATH"],
      GIT_SSL_CAINFO: server.certificate,
      OFFPRINT_GIT_ALLOW_PRIVATE: "127.0.0.1",
    },
    retryMs: 1,
  };
  return {
    folder,
    bare,
    forge,
    server,
    settings,
    /** What runs on the host, as the operator says it. */
    forges: [{ key: host, prefix: `https://${host}/`, kind, api: forge.url }] as const,
    /** The features that the site's organization may use. */
    access: {
      credential: { kind: "token", prefix: `${server.url}/acme/`, user: "x-access-token", token: forgeToken },
      forge: { kind, api: forge.url, isOperators: true, token: forgeToken },
    } satisfies AgentAccess,
    host,
    source: { kind: "git", url: `${server.url}/acme/docs.git` } as const,
    git,
    branches: (): string[] => git(bare, "for-each-ref", "--format=%(refname:short)", "refs/heads").trim().split("\n"),
    fileOf: (branch: string, path: string): string => git(bare, "show", `${branch}:${path}`),
    commitsOf: (branch: string): number => Number(git(bare, "rev-list", "--count", branch)),
  };
}

const repositories = new Map<string, string>();

/** A bare repository of the site, made once for all worlds that have the same. */
function repositoryOf(site: Required<Omit<AgentWorldOptions, "kind">>): string {
  const key = JSON.stringify(site);
  const bare = repositories.get(key) ?? makeRepository(site);
  repositories.set(key, bare);
  return bare;
}

function makeRepository({ files, links, programs, submodules }: Required<Omit<AgentWorldOptions, "kind">>): string {
  const clone = writeSite(mkdtempSync(join(tmpdir(), "offprint-world-")), files);
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(clone, path));
  for (const path of programs) chmodSync(join(clone, path), 0o755);
  git(clone, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(clone, ".git", "info", "attributes"), "* -text\n");
  git(clone, "add", "--all", "--force");
  for (const path of submodules) git(clone, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},${path}`);
  git(clone, "commit", "--quiet", "-m", "The site.");
  git(clone, "config", "core.bare", "true");
  git(clone, "config", "http.receivepack", "true");
  return join(clone, ".git");
}

const git = (at: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@acme.com", ...args], {
    cwd: at,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    stdio: ["ignore", "pipe", "pipe"],
  }).toString();

export type AgentWorld = Awaited<ReturnType<typeof openAgentWorld>>;
