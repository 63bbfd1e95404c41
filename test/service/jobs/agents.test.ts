import { expect, test } from "vitest";
import type { AgentJob, Lease, NewAgentJob } from "../../../src/service/jobs/index.js";
import { createJob, describeStates, type TestState } from "./open-test-state.js";

const dayMs = 24 * 60 * 60_000;
const rules = { leaseMs: 15_000, maxAttempts: 2 };
const once = (key: string, requestHash = "hash") => ({ key, route: "POST agent", requestHash });

async function newProject(state: TestState, domain = "docs.acme.com"): Promise<NewAgentJob> {
  const { organizationId } = await state.accounts.organization("Acme");
  const source = { kind: "git", url: "https://git.acme.com/docs.git" } as const;
  const { projectId } = await state.accounts.addProject({ organizationId, domain, source, deployment: "cloud" });
  const repository = "https://git.acme.com/docs";
  return { organizationId, projectId, domain, repository, mode: "repair", model: "offprint/repair", asDraft: false };
}
async function create(state: TestState, job: NewAgentJob, prompt = "Mend it."): Promise<AgentJob> {
  const created = await state.agents.create(job, prompt);
  if (!("job" in created)) throw new Error(created.kind);
  return created.job;
}
async function takeRun(state: TestState, workerId = "a"): Promise<Lease> {
  const lease = await state.jobs.take(workerId);
  expect(lease?.job.agentJobId).toMatch(/^aj_/);
  return lease!;
}

describeStates("an agent job", (open) => {
  test("is active until its run ends, and has the run's branch and pull request", async () => {
    const state = await open(rules);
    const project = await newProject(state);
    const job = await create(state, { ...project, requestedBy: "pipeline" });
    expect(job).toMatchObject({ status: "active", repository: project.repository, requestedBy: "pipeline" });
    expect([job.ref, job.pullRequest, job.archivedAt, job.finishedAt]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    const lease = await takeRun(state);
    expect(lease.job).toMatchObject({ jobId: job.runId, agentJobId: job.agentJobId });
    expect(await state.agents.update(lease, { ref: "offprint/agent-1" })).toBe(true);
    expect(await state.agents.get(job.agentJobId)).toMatchObject({ status: "active", ref: "offprint/agent-1" });
    const result = { ref: "offprint/agent-1", pullRequest: "https://git.acme.com/docs/pulls/1" };
    expect(await state.agents.complete(lease, result)).toBe(true);
    expect(await state.agents.complete(lease, result)).toBe(true);
    const ended = await state.agents.get(job.agentJobId);
    expect(ended).toMatchObject({ status: "completed", ...result, finishedAt: new Date(state.now()) });
    expect(await state.jobs.take("a")).toBeUndefined();
  });

  test("becomes active again with a message, whose run gets the earlier prompts", async () => {
    const state = await open(rules);
    const project = await newProject(state);
    const { agentJobId } = await create(state, project, "First.");
    const first = await takeRun(state);
    expect(await state.agents.storeReply(first, "Done.")).toBe(true);
    await state.jobs.fail(first, "The forge is gone.", false);
    expect(await state.agents.get(agentJobId)).toMatchObject({ status: "failed", error: "The forge is gone." });
    const said = await state.agents.addMessage(agentJobId, { prompt: "Second.", domain: project.domain });
    expect(said).toMatchObject({ kind: "created", job: { agentJobId, status: "active" } });
    const lease = await takeRun(state);
    const run = await state.agents.run(lease.job.jobId);
    expect(run).toMatchObject({
      runId: lease.job.jobId,
      prompt: "Second.",
      earlier: [{ prompt: "First.", reply: "Done." }],
      job: { agentJobId },
    });
    expect(await state.agents.messages(agentJobId)).toMatchObject([
      { prompt: "First.", reply: "Done." },
      { prompt: "Second." },
    ]);
  });

  test("runs alone in its project, after the earlier ones; those of other projects run meanwhile", async () => {
    const state = await open(rules);
    const acme = await newProject(state);
    const [first, second] = [await create(state, acme), await create(state, acme)];
    const other = await create(state, await newProject(state, "api.acme.com"));
    const lease = await takeRun(state, "a");
    expect(lease.job.jobId).toBe(first.runId);
    expect((await takeRun(state, "b")).job.jobId).toBe(other.runId);
    expect(await state.jobs.take("c")).toBeUndefined();
    await createJob(state, acme);
    expect((await state.jobs.take("c"))?.job.agentJobId).toBeUndefined();
    await state.agents.complete(lease, {});
    expect((await takeRun(state, "c")).job.jobId).toBe(second.runId);
  });

  test("of a dead worker is taken over by another; the dead one changes nothing any more", async () => {
    const state = await open(rules);
    const job = await create(state, await newProject(state));
    const dead = await takeRun(state, "dead");
    for (let step = 0; step < 3; step++) {
      await state.jobs.maintain();
      await state.advance(rules.leaseMs);
    }
    await state.jobs.maintain();
    await state.advance(2000);
    const lease = await takeRun(state, "live");
    expect(lease.fence).toBeGreaterThan(dead.fence);
    expect(await state.agents.update(dead, { ref: "offprint/agent-dead" })).toBe(false);
    expect(await state.agents.complete(dead, { ref: "offprint/agent-dead" })).toBe(false);
    expect(await state.agents.get(job.agentJobId)).toMatchObject({ status: "active" });
    expect((await state.agents.get(job.agentJobId))!.ref).toBeUndefined();
    expect(await state.agents.complete(lease, { ref: "offprint/agent-live" })).toBe(true);
  });

  test("that is cancelled has failed; one that is archived stays so and takes no message", async () => {
    const state = await open(rules);
    const project = await newProject(state);
    const { agentJobId } = await create(state, project);
    const lease = await takeRun(state);
    await state.agents.addMessage(agentJobId, { prompt: "And this.", domain: project.domain });
    expect(await state.agents.cancel(agentJobId, "Cancelled.")).toMatchObject({
      status: "failed",
      error: "Cancelled.",
    });
    expect(await state.agents.complete(lease, {})).toBe(false);
    expect(await state.jobs.take("a")).toBeUndefined();
    const archived = await state.agents.archive(agentJobId);
    expect(archived).toMatchObject({ status: "archived", archivedAt: new Date(state.now()) });
    await state.advance(1000);
    expect((await state.agents.archive(agentJobId))!.archivedAt).toEqual(archived!.archivedAt);
    expect(await state.agents.addMessage(agentJobId, { prompt: "More.", domain: project.domain })).toBeUndefined();
    for (const call of [state.agents.get, state.agents.archive]) expect(await call("aj_none")).toBeUndefined();
    expect(await state.agents.cancel("aj_none", "")).toBeUndefined();
    expect(await state.agents.addMessage("aj_none", { prompt: "More.", domain: "" })).toBeUndefined();
  });

  test("is archived 90 days after its end, and its prompts are deleted; the site's removal deletes it", async () => {
    const state = await open(rules);
    const project = await newProject(state);
    const { agentJobId } = await create(state, project, "A secret plan.");
    const lease = await takeRun(state);
    expect(await state.agents.storePatch(lease, "+secret\0")).toBe(true);
    expect(await state.agents.patch(lease.job.jobId)).toBe("+secret�");
    await state.agents.complete(lease, {});
    expect(await state.agents.storePatch(lease, "late")).toBe(false);
    await state.advance(90 * dayMs - 1);
    await state.jobs.maintain();
    expect((await state.agents.get(agentJobId))!.status).toBe("completed");
    await state.advance(1);
    await state.jobs.maintain();
    expect((await state.agents.get(agentJobId))!.status).toBe("archived");
    expect((await state.agents.messages(agentJobId)).map(({ prompt }) => prompt)).toEqual([""]);
    expect(await state.agents.patch(lease.job.jobId)).toBeUndefined();
    await state.erasures.erase({ kind: "site", organizationId: project.organizationId, domain: project.domain });
    await state.jobs.maintain();
    expect(await state.agents.get(agentJobId)).toBeUndefined();
    expect(await state.accounts.projectById(project.projectId)).toBeUndefined();
  });

  test("is created once per Idempotency-Key, as is a message", async () => {
    const state = await open(rules);
    const project = await newProject(state);
    const first = await state.agents.create(project, "Mend it.", once("a"));
    const repeated = await state.agents.create(project, "Mend it.", once("a"));
    expect(first.kind).toBe("created");
    expect(repeated).toEqual({ ...first, kind: "repeated" });
    expect(await state.agents.create(project, "Mend it.", once("a", "other"))).toEqual({ kind: "mismatch" });
    const { agentJobId } = (first as { readonly job: AgentJob }).job;
    const say = () => state.agents.addMessage(agentJobId, { prompt: "More.", domain: project.domain }, once("b"));
    expect([(await say())!.kind, (await say())!.kind]).toEqual(["created", "repeated"]);
    expect(await state.agents.messages(agentJobId)).toHaveLength(2);
    expect((await state.agents.list({ organizationId: project.organizationId, limit: 10 })).jobs).toHaveLength(1);
  });

  test("is listed newest first, by project and status, in pages; never among the exports", async () => {
    const state = await open(rules);
    const project = await newProject(state);
    const { organizationId, projectId } = project;
    const created = [await create(state, project), await create(state, project), await create(state, project)];
    const ids = created.map(({ agentJobId }) => agentJobId).reverse();
    await state.agents.archive(ids[2]!);
    await state.agents.complete(await takeRun(state), {});
    const list = async (page: object) => await state.agents.list({ organizationId, limit: 10, ...page });
    const idsOf = async (page: object) => (await list(page)).jobs.map(({ agentJobId }) => agentJobId);
    expect(await idsOf({})).toEqual(ids);
    expect(await idsOf({ projectId, status: "archived" })).toEqual([ids[2]]);
    expect(await idsOf({ status: "completed" })).toEqual([ids[1]]);
    expect(await idsOf({ status: "active" })).toEqual([ids[0]]);
    expect(await idsOf({ status: "failed" })).toEqual([]);
    expect(await idsOf({ projectId: "prj_other" })).toEqual([]);
    const first = await list({ limit: 2 });
    expect(first.jobs).toHaveLength(2);
    expect(await idsOf({ limit: 2, cursor: first.next })).toEqual([ids[2]]);
    expect((await state.jobs.list(organizationId, { limit: 10 })).jobs).toEqual([]);
    expect(await state.jobs.latest(organizationId)).toEqual([]);
    expect(await state.jobs.newestExport(projectId)).toBeUndefined();
    expect(await state.jobs.countsOf(organizationId, new Date(0))).toMatchObject({
      queued: 0,
      completed: 0,
      failed: 0,
    });
  });

  test("has the events of all its runs, in order and in pages", async () => {
    const state = await open(rules);
    const project = await newProject(state);
    const { agentJobId, runId } = await create(state, project);
    await state.jobs.addLog(runId, "info", "First.");
    await state.agents.complete(await takeRun(state), {});
    const said = await state.agents.addMessage(agentJobId, { prompt: "More.", domain: project.domain });
    await state.jobs.addLog((said as { readonly job: AgentJob }).job.runId, "warning", "Second.");
    const page = await state.agents.events(agentJobId, { limit: 3 });
    expect(page.events.map(({ message }) => message)).toEqual([
      "The job is queued.",
      "First.",
      "The job is completed.",
    ]);
    const rest = await state.agents.events(agentJobId, { limit: 2, cursor: page.next! });
    expect(rest).toMatchObject({ events: [{ level: "info" }, { message: "Second.", level: "warning" }] });
    expect(rest.next).toBeUndefined();
  });
});
