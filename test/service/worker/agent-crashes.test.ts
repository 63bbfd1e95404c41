import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { repositoryOf } from "../../../src/service/git/forge/index.js";
import { openAgentWorld } from "../../support/agent-world.js";
import { temporaryFolder } from "../../support/cli.js";
import { type ModelRequest, type ModelTurn, startScriptedModel } from "../../support/scripted-model.js";
import { openTestStore } from "../../support/test-store.js";
import { waitUntil } from "../../support/wait-until.js";
import { startWorkerProcess } from "../../support/worker-processes.js";

const page = (text: string): string => `---\ntitle: Page\n---\n\n${text}\n`;
const files = { "index.mdx": page("[Install](/guides/INSTALL)"), "guides/install.mdx": page("Text.") };

const soaking = process.env["OFFPRINT_SOAK"] !== undefined;

/** When the first worker of a job is killed: after an event, or after a share of the time that a whole run takes. */
const points: readonly (string | number)[] = soaking
  ? Array.from({ length: 30 }, (_, index) => (index + 0.5) / 30)
  : ["edit_file", "Pushed the branch"];

/** A model that changes a page. */
const script = ({ messages }: ModelRequest): ModelTurn =>
  messages.at(-1)!.role === "tool"
    ? { text: "Done." }
    : { calls: [["edit_file", { path: "guides/install.mdx", old: "Text.", new: "Run it." }]] };

test("an agent job whose workers are killed has one branch and one pull request in the end", async () => {
  const world = await openAgentWorld({ files });
  const model = await startScriptedModel(script);
  const { forges } = world;
  const each = await openTestStore(temporaryFolder(), { leaseMs: 5000, backoffMs: 50 }, { forges });
  const { agents, accounts, jobs } = each.store;
  const { organizationId, projectId, domain } = each.project;
  await accounts.changeProject(organizationId, projectId, { source: world.source, deployment: "cloud" });
  const stop = new AbortController();
  const maintaining = (async () => {
    while (!stop.signal.aborted) {
      await jobs.maintain();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  onTestFinished(async () => {
    stop.abort();
    await maintaining;
  });
  const agent = { ...world.settings, languageModel: model.options };
  const { prefix, token } = world.access.credential;
  await each.store.credentials.add({ organizationId, kind: "token", prefix, secret: token }, { actor: "test" });
  const start = () =>
    startWorkerProcess({
      store: each.options,
      workFolder: join(each.folder, "work"),
      cacheFolder: join(each.folder, "cache"),
      concurrency: 1,
      keepSpare: false,
      agent,
    });
  const target = {
    repository: repositoryOf(world.source.url).webUrl,
    mode: "model",
    model: "openai/scripted",
  } as const;
  const create = async (): Promise<string> => {
    const created = await agents.create({ organizationId, projectId, domain, asDraft: false, ...target }, "Do it.");
    if (!("job" in created)) throw new Error(created.kind);
    return created.job.agentJobId;
  };
  const untilEnded = (id: string) =>
    waitUntil("the end of the job", async () => {
      const found = await agents.get(id);
      return found && found.status !== "active" && found;
    });
  const hasEvent = async (id: string, text: string): Promise<boolean> =>
    (await agents.events(id, { limit: 100 })).events.some(({ message }) => message.includes(text));

  let wholeMs = 0;
  let expected = 0;
  for (const point of soaking ? [1, ...points] : points) {
    const id = await create();
    const started = performance.now();
    const killed = start();
    if (typeof point === "string") await waitUntil(`the event "${point}"`, () => hasEvent(id, point));
    else if (wholeMs === 0) await untilEnded(id);
    else await new Promise((resolve) => setTimeout(resolve, wholeMs * point));
    wholeMs ||= performance.now() - started;
    killed.kill("SIGKILL");
    const second = start();
    const job = await untilEnded(id);
    second.kill("SIGKILL");
    expected++;
    expect([point, job.status, job.error]).toEqual([point, "completed", undefined]);
    expect(world.forge.pulls).toHaveLength(expected);
    expect(world.forge.pulls.at(-1)).toMatchObject({ url: job.pullRequest, branch: job.ref });
    expect(world.branches()).toHaveLength(expected + 1);
    expect(world.commitsOf(job.ref!)).toBe(2);
    expect(world.fileOf(job.ref!, "guides/install.mdx")).toContain("Run it.");
  }
}, 1_800_000);
