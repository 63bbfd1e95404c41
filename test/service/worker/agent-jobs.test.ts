import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { broken, openAgentWorker, page } from "../../support/agent-worker.js";
import { forgeToken } from "../../support/fake-forge.js";

const notCarriedOut = "This job repairs faults without a language model, so it does not carry out its prompt.";

test("an agent job repairs the faults of a site in its own process and opens a pull request", async () => {
  const each = await openAgentWorker({ files: broken });
  const { world, store } = each;
  const job = await each.create();
  expect([job.status, job.error], each.lines.join("\n")).toEqual(["completed", undefined]);
  expect(world.forge.pulls).toMatchObject([{ url: job.pullRequest, branch: job.ref, base: "main", isDraft: false }]);
  expect(world.fileOf(job.ref!, "index.mdx")).toContain("[Install](/guides/install)");
  expect(world.fileOf(job.ref!, "docs.json")).toContain('"guides/install"');
  expect(await store.agents.patch(job.runId)).toContain("+[Install](/guides/install)");
  expect(await each.events(job.agentJobId)).toEqual([
    "The job is queued.",
    "Attempt 1 started.",
    "The repository is ready (main).",
    notCarriedOut,
    expect.stringMatching(/^Changed files: 2\. Errors: \d+ before, 0 after/),
    `Pushed the branch ${job.ref}.`,
    `The pull request is ${job.pullRequest}.`,
    "The job is completed.",
  ]);

  const again = await each.say(job.agentJobId, "And once more.");
  expect((await each.events(job.agentJobId)).filter((event) => event === notCarriedOut)).toHaveLength(2);
  expect(again).toMatchObject({ status: "completed", ref: job.ref, pullRequest: job.pullRequest });
  expect(world.commitsOf(job.ref!)).toBe(2);
  expect(await each.events(job.agentJobId)).toContain("No changes were needed.");
  const another = await each.create("And from the start.");
  expect(another).toMatchObject({ status: "completed", ref: job.ref, pullRequest: job.pullRequest });
  expect([world.forge.pulls.length, world.commitsOf(job.ref!)]).toEqual([1, 2]);
  await each.leave();
  expect(
    [each.lines.join(), JSON.stringify(await store.agents.events(job.agentJobId, { limit: 100 }))].join(),
  ).not.toContain(forgeToken);
  expect(readdirSync(each.workFolder)).toEqual([]);
});

test("a faulty page behind a symbolic link is left alone and reported, and the job completes", async () => {
  const each = await openAgentWorker({
    files: { ...broken, "shared/linked.mdx": page("[Install](/guides/INSTALL)") },
    links: { "linked.mdx": "shared/linked.mdx" },
  });
  const job = await each.create();
  expect([job.status, job.error], each.lines.join("\n")).toEqual(["completed", undefined]);
  expect(each.world.fileOf(job.ref!, "shared/linked.mdx")).toContain("(/guides/install)");
  expect(each.world.forge.pulls[0]!.body).toContain("linked.mdx is behind a symbolic link.");
});

test("an agent job of a site without faults completes without a branch or pull request", async () => {
  const each = await openAgentWorker({ files: { "index.mdx": page("Hello.") } });
  const job = await each.create();
  expect(job).toMatchObject({ status: "completed" });
  expect([job.ref, job.pullRequest]).toEqual([undefined, undefined]);
  expect([each.world.branches(), each.world.forge.pulls]).toEqual([["main"], []]);
});

test("an agent job whose forge refuses the token fails with that reason", async () => {
  const each = await openAgentWorker({ files: broken });
  each.world.forge.next.push(403);
  const job = await each.create();
  expect(job).toMatchObject({
    status: "failed",
    error: expect.stringContaining("lacks a permission. The token needs"),
  });
});
