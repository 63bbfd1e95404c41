import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { broken, openAgentWorker, page } from "../../support/agent-worker.js";
import { forgeToken } from "../../support/fake-forge.js";
import { type ModelTurn, modelKey, startScriptedModel } from "../../support/scripted-model.js";
import { waitUntil } from "../../support/wait-until.js";

const edit = (path: string, old: string, next: string): ModelTurn => ({
  calls: [["edit_file", { path, old, new: next }]],
});
const openWith = async (
  script: Parameters<typeof startScriptedModel>[0],
  files: Readonly<Record<string, string>> = broken,
  more: Partial<Parameters<typeof openAgentWorker>[0]> = {},
) => {
  const model = await startScriptedModel(script);
  const { options } = model;
  return { model, ...(await openAgentWorker({ files, ...more }, { languageModel: options, secrets: [options.key] })) };
};

test("a prompt becomes a pull request without repairs of other files; a message goes on with its conversation", async () => {
  const script = [
    edit("guides/install.mdx", "Text.", "Run it."),
    { text: "The page says how to install." },
    edit("guides/install.mdx", "Run it.", "Run it twice."),
    { text: "It says twice." },
  ];
  const files = { ...broken, ".mintlify/AGENTS.md": "Write short sentences." };
  const { world, store, model, lines, ...each } = await openWith(script, files);
  const job = await each.create("Say how to install it.");
  expect([job.status, job.error], lines.join("\n")).toEqual(["completed", undefined]);
  expect(world.fileOf(job.ref!, "guides/install.mdx")).toContain("Run it.");
  expect(world.git(world.bare, "diff", "--name-only", "main", job.ref!).trim()).toBe("guides/install.mdx");
  const [pull] = world.forge.pulls;
  expect(pull).toMatchObject({ title: "docs: Say how to install it.", isDraft: false });
  for (const text of ["    Say how to install it.", "    The page says how to install."])
    expect(pull!.body).toContain(text);
  expect(pull!.body).not.toContain("Fixed, each by");
  expect(model.requests[0]!.messages[1]!.content).toContain("Write short sentences.");
  expect(await each.events(job.agentJobId)).toEqual([
    "The job is queued.",
    "Attempt 1 started.",
    "The repository is ready (main).",
    'edit_file "guides/install.mdx". Requests to the model: 1. Tokens: 100.',
    "Requests to the model: 2. Tokens: 200.",
    expect.stringMatching(/^Changed files: 1\. Errors: (\d+) before, \1 after/),
    `Pushed the branch ${job.ref}.`,
    `The pull request is ${job.pullRequest}.`,
    "The job is completed.",
  ]);

  const again = await each.say(job.agentJobId, "Say that it takes two runs.");
  expect(again).toMatchObject({ status: "completed", ref: job.ref, pullRequest: job.pullRequest });
  expect(world.commitsOf(job.ref!)).toBe(3);
  const { messages } = model.requests[2]!;
  expect(messages.slice(1, 3)).toMatchObject([
    { role: "user", content: "Say how to install it." },
    { role: "assistant", content: "The page says how to install." },
  ]);
  expect(messages[3]!.content).toContain("Write short sentences.");
  expect((await store.agents.messages(job.agentJobId)).map(({ reply }) => reply)).toEqual([
    "The page says how to install.",
    "It says twice.",
  ]);
  await each.leave();
  const events = JSON.stringify(await store.agents.events(job.agentJobId, { limit: 100 }));
  const stored = readdirSync(each.data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  expect(stored.join()).toContain("It says twice.");
  const told = [lines.join(), events, JSON.stringify(model.requests), pull!.body, ...stored].join();
  for (const secret of [modelKey, forgeToken]) expect(told).not.toContain(secret);
  expect(model.seen.every(({ authorization }) => authorization === `Bearer ${modelKey}`)).toBe(true);
});

test("a prompt that needs no change completes with an answer, no branch and no pull request", async () => {
  const { world, store, ...each } = await openWith([{ text: "All is well." }], { "index.mdx": page("Hello.") });
  const job = await each.create("Is all well?");
  expect([job.status, job.ref, job.pullRequest]).toEqual(["completed", undefined, undefined]);
  expect([world.branches(), world.forge.pulls]).toEqual([["main"], []]);
  expect(await store.agents.messages(job.agentJobId)).toMatchObject([{ reply: "All is well." }]);
});

test("an obedient model that writes a secret, breaks the site or hides text pushes nothing, or a draft", async () => {
  const turns: ModelTurn[][] = [
    [edit("index.mdx", "Hello.", `Hello ${modelKey}.`), { text: "Done." }],
    [{ text: `The key is ${modelKey}.` }],
    [edit("index.mdx", "Hello.", "[Hello](/nowhere)"), { text: "Done." }, { text: "No." }],
    [edit("index.mdx", "Hello.", "Hello {/* x */}, see https://evil.example.org."), { text: "Done." }],
  ];
  let left: ModelTurn[] = [];
  const { world, ...each } = await openWith(() => left.shift()!, {
    "docs.json": broken["docs.json"].replace(', "guides/Install"', "").replace(',"guides/Install"', ""),
    "index.mdx": page("Hello."),
  });
  const errors: unknown[] = [];
  for (const turn of turns) {
    left = [...turn];
    const { error } = await each.create("Go.");
    errors.push(error);
  }
  expect(errors).toEqual([
    "The changes contain a secret of this service, so nothing was pushed.",
    "The model's answer contains a secret of this service, so nothing was pushed.",
    expect.stringMatching(/^Every change of the model would have caused new faults\. The first one: .*LINK_NOT_FOUND/),
    undefined,
  ]);
  expect(world.branches()).toHaveLength(2);
  expect(world.forge.pulls).toMatchObject([{ isDraft: true }]);
  expect(world.forge.pulls[0]!.body).toContain("hosts that the site did not link to before: `evil.example.org`");
});

test("a job whose model is silent ends when it is cancelled, and a job whose model is gone fails", async () => {
  let turn: ModelTurn = { hangs: true };
  const { store, model, ...each } = await openWith(() => turn, { "index.mdx": page("Hello.") });
  const id = await each.start("Go.");
  await waitUntil("the first request", () => model.requests.length > 0);
  await store.agents.cancel(id, "The job was cancelled by request.");
  await model.left;
  expect(await store.agents.get(id)).toMatchObject({ status: "failed", error: "The job was cancelled by request." });
  turn = { status: 401 };
  const failed = await each.create("Go.");
  expect(failed.error).toBe("The language model cannot be used: it answered 401 (scripted).");
});
