import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AgentJob } from "../../../src/service/jobs/index.js";
import { runWorker } from "../../../src/service/worker/index.js";
import { type AgentWorldOptions, openAgentWorld } from "../../support/agent-world.js";
import { temporaryFolder } from "../../support/cli.js";
import { forgeToken } from "../../support/fake-forge.js";
import { openTestStore } from "../../support/test-store.js";
import { waitUntil } from "../../support/wait-until.js";

const page = (text: string): string => `---\ntitle: Page\n---\n\n${text}\n`;
const broken = {
  "docs.json": JSON.stringify({
    $schema: "https://mintlify.com/docs.json",
    name: "Acme",
    theme: "mint",
    colors: { primary: "#123456" },
    navigation: { pages: ["index", "guides/Install"] },
  }),
  "index.mdx": page("[Install](/guides/INSTALL)"),
  "guides/install.mdx": page("Text."),
};

/** A worker, and a site of the organization that comes from a repository behind a forge. */
async function openAgentWorker(options: AgentWorldOptions) {
  const world = await openAgentWorld(options);
  const each = await openTestStore(temporaryFolder(), { backoffMs: 50 });
  const { agents, accounts } = each.store;
  const { organizationId, projectId, domain } = each.project;
  await accounts.changeProject(organizationId, projectId, { source: world.source, deployment: "cloud" });
  const lines: string[] = [];
  const stop = new AbortController();
  const workFolder = join(each.folder, "work");
  const ended = runWorker({
    store: each.store,
    cacheFolder: join(each.folder, "cache"),
    workFolder,
    concurrency: 1,
    graceMs: 0,
    exportPriority: "normal",
    keepSpare: false,
    agent: world.settings,
    log: (level, message, facts) => lines.push(JSON.stringify({ level, message, ...facts })),
    signal: stop.signal,
  });
  const leave = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  onTestFinished(leave);
  const untilEnded = (agentJobId: string): Promise<AgentJob> =>
    waitUntil("the end of the agent job", async () => {
      const job = await agents.get(agentJobId);
      return job && job.status !== "active" && job;
    });
  return {
    world,
    store: each.store,
    lines,
    workFolder,
    leave,
    async create(prompt = "Mend the faults."): Promise<AgentJob> {
      const created = await agents.create(
        {
          ...{ organizationId, projectId, domain, repository: "https://forge.example/acme/docs" },
          ...{ mode: "repair", model: "offprint/repair", asDraft: false },
        },
        prompt,
      );
      if (!("job" in created)) throw new Error(created.kind);
      return untilEnded(created.job.agentJobId);
    },
    async say(agentJobId: string, prompt: string): Promise<AgentJob> {
      await agents.addMessage(agentJobId, { prompt, domain });
      return untilEnded(agentJobId);
    },
    events: async (agentJobId: string) =>
      (await agents.events(agentJobId, { limit: 100 })).events.map(({ message }) => message),
  };
}

test("an agent job mends the faults of a site in a process of its own and opens a pull request", async () => {
  const each = await openAgentWorker({ files: broken });
  const { world, store } = each;
  const job = await each.create();
  expect([job.status, job.error], each.lines.join("\n")).toEqual(["completed", undefined]);
  expect(world.forge.pulls).toMatchObject([{ url: job.pullRequest, branch: job.ref, base: "main", isDraft: false }]);
  expect(world.fileOf(job.ref!, "index.mdx")).toContain("[Install](/guides/install)");
  expect(world.fileOf(job.ref!, "docs.json")).toContain('"guides/install"');
  expect(await store.agents.patch(job.runId)).toContain("+[Install](/guides/install)");
  expect(await each.events(job.agentJobId)).toEqual([
    "Attempt 1 started.",
    "The repository is ready (main).",
    expect.stringMatching(/^Files to change: 2\. Errors: \d+ before, 0 after/),
    `The branch ${job.ref} is pushed.`,
    `The pull request is ${job.pullRequest}.`,
    "The job is completed.",
  ]);

  const again = await each.say(job.agentJobId, "And once more.");
  expect(again).toMatchObject({ status: "completed", ref: job.ref, pullRequest: job.pullRequest });
  expect(world.commitsOf(job.ref!)).toBe(2);
  expect(await each.events(job.agentJobId)).toContain("Nothing was to be changed.");
  await each.leave();
  expect(
    [each.lines.join(), JSON.stringify(await store.agents.events(job.agentJobId, { limit: 100 }))].join(),
  ).not.toContain(forgeToken);
  expect(readdirSync(each.workFolder)).toEqual([]);
});

test("an agent job of a site without faults completes with no branch and no pull request", async () => {
  const each = await openAgentWorker({ files: { "index.mdx": page("Hello.") } });
  const job = await each.create();
  expect(job).toMatchObject({ status: "completed" });
  expect([job.ref, job.pullRequest]).toEqual([undefined, undefined]);
  expect([each.world.branches(), each.world.forge.pulls]).toEqual([["main"], []]);
});

test("an agent job whose forge refuses the token fails and says so", async () => {
  const each = await openAgentWorker({ files: broken });
  each.world.forge.next.push(403);
  const job = await each.create();
  expect(job).toMatchObject({ status: "failed", error: expect.stringContaining("lacks a right. It needs") });
});
