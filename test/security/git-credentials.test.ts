import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { repositoryOf } from "../../src/service/git/forge/index.js";
import type { SiteSource } from "../../src/service/jobs/index.js";
import { runWorker } from "../../src/service/worker/run-worker.js";
import { broken, page } from "../support/agent-worker.js";
import { temporaryFolder, writeSite } from "../support/cli.js";
import { startGitServer } from "../support/git-server.js";
import { openTestStore } from "../support/test-store.js";
import { waitUntil } from "../support/wait-until.js";

const operatorToken = "operator-token-1234567890";
const ownToken = "acme-token-1234567890";

/** Acme's private repository at one git server, an attacker's git server, and a worker with the operator's tokens. */
async function openWorld() {
  const folder = temporaryFolder();
  const served = join(folder, "served");
  mkdirSync(join(served, "acme"), { recursive: true });
  const clone = writeSite(join(folder, "clone"), { ...broken, "index.mdx": page("Only for Acme.") });
  const git = (at: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@acme.com", ...args], { cwd: at }).toString();
  git(clone, "init", "--quiet", "--initial-branch=main");
  git(clone, "add", "--all");
  git(clone, "commit", "--quiet", "-m", "The site.");
  git(folder, "clone", "--quiet", "--bare", clone, join(served, "acme", "docs.git"));
  const bare = join(served, "acme", "docs.git");
  git(bare, "config", "http.receivepack", "true");
  const acme = await startGitServer(served, { credential: `x-access-token:${ownToken}` });
  // It asks for a password and never accepts one.
  const attacker = await startGitServer(join(folder, "nothing"), { credential: "never:accepted" });
  onTestFinished(async () => void (await Promise.all([acme.close(), attacker.close()])));

  vi.stubEnv("GIT_SSL_CAINFO", acme.certificate);
  // Both servers of the test are on this machine.
  vi.stubEnv("OFFPRINT_GIT_ALLOW_PRIVATE", "127.0.0.1");
  onTestFinished(() => void vi.unstubAllEnvs());
  const environment = {
    PATH: process.env["PATH"],
    GIT_SSL_CAINFO: acme.certificate,
    OFFPRINT_GIT_ALLOW_PRIVATE: "127.0.0.1",
  };
  const host = new URL(acme.url).host;
  const forges = [{ key: host, prefix: `${acme.url}/`, kind: "none", api: "", token: operatorToken }] as const;
  const each = await openTestStore(folder, { backoffMs: 20 }, { forges });
  const { store } = each;
  const add = async (name: string, domain: string, url: string) => {
    const { organizationId } = await store.accounts.organization(name);
    const source: SiteSource = { kind: "git", url };
    return store.accounts.addProject({ organizationId, domain, source, deployment: "cloud" });
  };
  const lines: string[] = [];
  const stop = new AbortController();
  const ended = runWorker({
    store,
    cacheFolder: join(each.folder, "cache"),
    workFolder: join(each.folder, "work"),
    concurrency: 1,
    exportPriority: "normal",
    agent: { secrets: [], environment, retryMs: 1 },
    log: (level, message, facts) => lines.push(JSON.stringify({ level, message, ...facts })),
    signal: stop.signal,
  });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const exported = async ({ organizationId, projectId, domain }: Awaited<ReturnType<typeof add>>, version?: string) => {
    const created = await store.jobs.create({ organizationId, projectId, domain, version });
    if (!("job" in created)) throw new Error(created.kind);
    return each.untilFinished(created.job.jobId);
  };
  const agentJob = async (
    { organizationId, projectId, domain, source }: Awaited<ReturnType<typeof add>>,
    url?: string,
  ) => {
    const repository = repositoryOf(url ?? (source.kind === "git" ? source.url : "")).webUrl;
    const created = await store.agents.create(
      {
        ...{ organizationId, projectId, domain, repository },
        ...{ mode: "repair", model: "offprint/repair", asDraft: false },
      },
      "Mend it.",
    );
    if (!("job" in created)) throw new Error(created.kind);
    const { agentJobId } = created.job;
    return waitUntil("the end of the agent job", async () => {
      const job = await store.agents.get(agentJobId);
      return job && job.status !== "active" && job;
    });
  };
  const branches = (): string => git(bare, "for-each-ref", "--format=%(refname:short)", "refs/heads").trim();
  const commit = git(bare, "rev-parse", "main").trim();
  return { store, add, exported, agentJob, acme, attacker, lines, branches, commit };
}

test("an organization gets no credential for another one's repository or for an attacker's address", async () => {
  const { store, add, exported, agentJob, acme, attacker, lines, branches, commit } = await openWorld();
  const repository = `${acme.url}/acme/docs.git`;
  const owner = await add("acme", "acme.example", repository);
  const { credentialId } = await store.credentials.add(
    { organizationId: owner.organizationId, kind: "token", prefix: `${acme.url}/acme/`, secret: ownToken },
    { actor: "test" },
  );
  const stranger = await add("globex", "globex.example", repository);
  const trap = await add("globex", "trap.example", `${attacker.url}/acme/docs.git`);

  for (const site of [stranger, trap]) {
    const job = await exported(site);
    const { origin } = new URL(site === trap ? attacker.url : acme.url);
    const command = `add one: offprint credential add ${origin}/acme/ --organization globex --secret-file <token>`;
    expect(job).toMatchObject({ status: "failed", error: expect.stringContaining(command) });
    const agent = await agentJob(site);
    expect(agent).toMatchObject({ status: "failed", error: expect.stringContaining("has no credential for") });
  }
  // A job cannot name a repository that its site does not come from.
  const moved = await agentJob(trap, repository);
  expect(moved).toMatchObject({ status: "failed", error: expect.stringContaining("from another repository") });
  expect([...acme.seen, ...attacker.seen].filter((line) => !line.endsWith(" -"))).toEqual([]);
  expect(attacker.seen.length).toBeGreaterThan(0);
  expect(branches()).toBe("main");

  expect(await exported(owner)).toMatchObject({ status: "completed" });
  // The worker has these objects in its cache now.
  for (const version of [commit, "main"]) {
    const job = await exported(stranger, version);
    expect([job.status, job.bundle]).toEqual(["failed", undefined]);
  }
  expect(await agentJob(owner)).toMatchObject({ status: "completed", ref: expect.stringMatching(/^offprint\/agent-/) });
  expect(branches().split("\n")).toHaveLength(2);
  const used = acme.seen.map((line) => line.split(" ").at(-1)).filter((each) => each !== "-");
  expect(new Set(used)).toEqual(new Set([`x-access-token:${ownToken}`]));
  expect((await store.credentials.list(owner.organizationId))[0]).toMatchObject({
    credentialId,
    lastUsedAt: expect.any(Date),
  });

  await store.credentials.remove(owner.organizationId, credentialId, { actor: "test" });
  expect(await exported(owner)).toMatchObject({ status: "failed" });
  const { jobs } = await store.jobs.list(owner.organizationId, { limit: 100 });
  const logs = await Promise.all(jobs.map(({ jobId }) => store.jobs.log(jobId, { limit: 100 })));
  expect([...lines, JSON.stringify([jobs, logs])].join("\n")).not.toMatch(/operator-token|acme-token/);
});
