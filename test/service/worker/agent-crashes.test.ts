import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openAgentWorld } from "../../support/agent-world.js";
import { temporaryFolder } from "../../support/cli.js";
import { openTestStore } from "../../support/test-store.js";
import { waitUntil } from "../../support/wait-until.js";
import { startWorkerProcess } from "../../support/worker-processes.js";

const page = (text: string): string => `---\ntitle: Page\n---\n\n${text}\n`;
const files = { "index.mdx": page("[Install](/guides/INSTALL)"), "guides/install.mdx": page("Text.") };

/** The events after which the worker is killed; it may have done more by then. */
const points = ["The repository is ready", "is pushed"];

test("an agent job whose workers are killed has one branch and one pull request in the end", async () => {
  const world = await openAgentWorld({ files });
  const each = await openTestStore(temporaryFolder(), { leaseMs: 2000, backoffMs: 50 });
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
  const agent = { ...world.settings, forges: [...world.settings.forges] };
  const start = () =>
    startWorkerProcess({
      store: each.options,
      workFolder: join(each.folder, "work"),
      cacheFolder: join(each.folder, "cache"),
      concurrency: 1,
      keepSpare: false,
      agent,
    });
  let expected = 0;
  for (const point of points) {
    const target = { repository: "https://forge.example/acme/docs", mode: "repair", model: "offprint/repair" } as const;
    const created = await agents.create({ organizationId, projectId, domain, asDraft: false, ...target }, "Mend it.");
    if (!("job" in created)) throw new Error(created.kind);
    const { agentJobId } = created.job;
    const killed = start();
    await waitUntil(`the event "${point}"`, async () =>
      (await agents.events(agentJobId, { limit: 100 })).events.some(({ message }) => message.includes(point)),
    );
    killed.kill("SIGKILL");
    const second = start();
    const job = await waitUntil("the end of the job", async () => {
      const found = await agents.get(agentJobId);
      return found && found.status !== "active" && found;
    });
    second.kill("SIGKILL");
    expected++;
    expect([point, job.status, job.error]).toEqual([point, "completed", undefined]);
    expect(world.forge.pulls).toHaveLength(expected);
    expect(world.forge.pulls.at(-1)).toMatchObject({ url: job.pullRequest, branch: job.ref });
    expect(world.branches()).toHaveLength(expected + 1);
    expect(world.commitsOf(job.ref!)).toBe(2);
  }
}, 300_000);
