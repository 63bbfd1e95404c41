import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AgentSettings } from "../../src/service/agent/index.js";
import { repositoryOf } from "../../src/service/git/forge/index.js";
import type { AgentJob } from "../../src/service/jobs/index.js";
import { runWorker } from "../../src/service/worker/run-worker.js";
import { type AgentWorldOptions, openAgentWorld } from "./agent-world.js";
import { temporaryFolder } from "./cli.js";
import { openTestStore } from "./test-store.js";
import { waitUntil } from "./wait-until.js";

export const page = (text: string): string => `---\ntitle: Page\n---\n\n${text}\n`;
/** With a wrong link, and a wrong entry of the navigation, which are certain to mend. */
export const broken = {
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
export async function openAgentWorker(options: AgentWorldOptions, agent: Partial<AgentSettings> = {}) {
  const world = await openAgentWorld(options);
  const each = await openTestStore(temporaryFolder(), { backoffMs: 50 }, { forges: world.forges });
  const { agents, accounts } = each.store;
  const { organizationId, projectId, domain } = each.project;
  await accounts.changeProject(organizationId, projectId, { source: world.source, deployment: "cloud" });
  const { prefix, token } = world.access.credential;
  const by = { actor: "test" };
  await each.store.credentials.add({ organizationId, kind: "token", prefix, secret: token }, by);
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
    agent: { ...world.settings, ...agent },
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
  const start = async (prompt = "Mend the faults."): Promise<string> => {
    const created = await agents.create(
      {
        ...{ organizationId, projectId, domain, repository: repositoryOf(world.source.url).webUrl },
        ...(agent.languageModel
          ? { mode: "model", model: `openai/${agent.languageModel.model}`, asDraft: false }
          : { mode: "repair", model: "offprint/repair", asDraft: false }),
      },
      prompt,
    );
    if (!("job" in created)) throw new Error(created.kind);
    return created.job.agentJobId;
  };
  return {
    world,
    store: each.store,
    /** Of the database and the objects. */
    data: join(each.folder, "data"),
    lines,
    workFolder,
    leave,
    /** @returns its id, before it has ended. */
    start,
    untilEnded,
    create: async (prompt?: string): Promise<AgentJob> => untilEnded(await start(prompt)),
    async say(agentJobId: string, prompt: string): Promise<AgentJob> {
      await agents.addMessage(agentJobId, { prompt, domain });
      return untilEnded(agentJobId);
    },
    events: async (agentJobId: string) =>
      (await agents.events(agentJobId, { limit: 100 })).events.map(({ message }) => message),
  };
}
