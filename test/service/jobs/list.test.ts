import { expect, test } from "vitest";
import type { Job, NewJob } from "../../../src/service/jobs/index.js";
import { bundleOf, createJob, describeStates, newJob, type TestState } from "./open-test-state.js";

const { organizationId } = newJob();

async function create(state: TestState, count: number): Promise<Job[]> {
  const jobs = [];
  for (let i = 0; i < count; i++) jobs.push(await createJob(state));
  return jobs;
}

const idsOf = (jobs: readonly Job[]): string[] => jobs.map((job) => job.jobId);

describeStates("the list of jobs", (open) => {
  test("shows each job once, newest first, even if jobs are added between pages", async () => {
    const state = await open();
    const before = await create(state, 25);
    const shown: Job[] = [];
    let cursor: string | undefined;
    do {
      const page = await state.jobs.list(organizationId, { limit: 4, cursor });
      expect(page.jobs.length).toBeLessThanOrEqual(4);
      shown.push(...page.jobs);
      cursor = page.next;
      await create(state, 3);
    } while (cursor);
    expect(idsOf(shown)).toEqual(idsOf(before).reverse());
  });

  test("has the newest export of a project: the completed job of its whole site that was created last", async () => {
    const state = await open();
    const { projectId } = newJob();
    const complete = async (fields: Partial<NewJob> = {}): Promise<Job> => {
      const { jobId } = await createJob(state, fields);
      const lease = (await state.jobs.take("worker"))!;
      expect(lease.job.jobId).toBe(jobId);
      expect(await state.jobs.complete(lease, bundleOf("a"), 1)).toBe(true);
      return (await state.jobs.get(jobId))!;
    };
    expect(await state.jobs.newestExport(projectId)).toBeUndefined();
    await complete();
    const tagged = await complete({ version: "v2" });
    await complete({ paths: ["index"] });
    await complete({ projectId: "prj_other" });
    const failed = await createJob(state);
    await state.jobs.cancel(failed.jobId, "cancelled");
    const forStaff = await complete({ audience: ["partners", "staff"] });
    const forPartners = await complete({ audience: ["partners"] });
    await createJob(state);
    expect(await state.jobs.newestExport(projectId)).toEqual(tagged);
    expect(await state.jobs.newestExport(projectId, ["partners", "staff"])).toEqual(forStaff);
    expect(await state.jobs.newestExport(projectId, ["staff"])).toBeUndefined();
    expect(await state.jobs.newestExports(projectId)).toEqual([tagged, forPartners, forStaff]);
  });

  test("has the newest job of each project of an organization", async () => {
    const state = await open();
    await create(state, 2);
    const other = await createJob(state, { projectId: "prj_other" });
    const [newest] = await create(state, 1);
    await createJob(state, { projectId: "prj_foreign", organizationId: "org_other" });
    expect(idsOf(await state.jobs.latest(organizationId)).sort()).toEqual([other.jobId, newest!.jobId].sort());
    expect(await state.jobs.latest("org_none")).toEqual([]);
  });

  test("ends with a full page without a cursor", async () => {
    const state = await open();
    await create(state, 4);
    const first = await state.jobs.list(organizationId, { limit: 2 });
    const second = await state.jobs.list(organizationId, { limit: 2, cursor: first.next });
    expect(second.jobs).toHaveLength(2);
    expect(second.next).toBeUndefined();
  });

  test("continues after a removed job", async () => {
    const state = await open();
    const jobs = await create(state, 4);
    const first = await state.jobs.list(organizationId, { limit: 2 });
    await state.jobs.cancel(jobs[2]!.jobId, "cancelled");
    await state.jobs.remove(jobs[2]!.jobId);
    const second = await state.jobs.list(organizationId, { limit: 2, cursor: first.next });
    expect(idsOf(second.jobs)).toEqual([jobs[1]!.jobId, jobs[0]!.jobId]);
  });

  test("is limited to one organization, and filtered by status and domain", async () => {
    const state = await open();
    const [first] = await create(state, 2);
    const other = await createJob(state, { domain: "other.acme.com" });
    await createJob(state, { organizationId: "org_other" });
    await state.jobs.cancel(first!.jobId, "cancelled");
    const list = async (fields: object) =>
      idsOf((await state.jobs.list(organizationId, { limit: 100, ...fields })).jobs);
    expect(await list({})).toHaveLength(3);
    expect(await list({ status: "failed" })).toEqual([first!.jobId]);
    expect(await list({ domain: "other.acme.com" })).toEqual([other.jobId]);
    expect(await list({ domain: "other.acme.com", status: "failed" })).toEqual([]);
  });

  test.each(["", "p", "-1", "p-1", "cDk5OTk5OTk5OTk5OTk5OTk5OTk5", "' or 1=1 --", "\u0000"])(
    "is empty for an invalid cursor: %j",
    async (cursor) => {
      const state = await open();
      await create(state, 1);
      expect(await state.jobs.list(organizationId, { limit: 10, cursor })).toEqual({ jobs: [], next: undefined });
    },
  );
});

describeStates("the count of jobs", (open) => {
  test("is by status, with live workers and the age of the oldest job", async () => {
    const state = await open({ workerTimeoutMs: 30_000 });
    expect(await state.jobs.counts()).toEqual({
      queued: 0,
      running: 0,
      completed: 0,
      failed: 0,
      workers: 0,
      oldestQueuedMs: 0,
    });
    await create(state, 2);
    await state.advance(5_000);
    await create(state, 3);
    const done = await state.jobs.take("a");
    await state.jobs.complete(done!, bundleOf("1"), 1);
    await state.jobs.take("a");
    const failed = await state.jobs.take("b");
    await state.jobs.fail(failed!, "fault", false);
    await state.jobs.workerHeartbeat("a");
    await state.advance(20_000);
    await state.jobs.workerHeartbeat("b");
    await state.jobs.workerHeartbeat("c");
    await state.jobs.removeWorker("c");
    const counts = { queued: 2, running: 1, completed: 1, failed: 1 };
    expect(await state.jobs.counts()).toEqual({ ...counts, workers: 2, oldestQueuedMs: 20_000 });
    await state.advance(10_000);
    expect(await state.jobs.counts()).toEqual({ ...counts, workers: 1, oldestQueuedMs: 30_000 });
  });
});

describeStates("outdated jobs", (open) => {
  test("are listed oldest first and removed one by one; unfinished jobs are not", async () => {
    const state = await open({ retentionMs: 86_400_000 });
    const jobs = await create(state, 4);
    for (const job of jobs.slice(0, 3)) {
      await state.jobs.cancel(job.jobId, "cancelled");
      await state.advance(1_000);
    }
    expect(await state.jobs.outdated(10)).toEqual([]);
    await state.advance(86_400_000 - 2_000);
    expect(idsOf(await state.jobs.outdated(10))).toEqual(idsOf(jobs.slice(0, 2)));
    expect(idsOf(await state.jobs.outdated(1))).toEqual([jobs[0]!.jobId]);
    await state.jobs.remove(jobs[0]!.jobId);
    await state.jobs.remove(jobs[0]!.jobId);
    await state.jobs.remove(jobs[3]!.jobId);
    expect(await state.jobs.get(jobs[0]!.jobId)).toBeUndefined();
    expect(await state.jobs.get(jobs[3]!.jobId)).toBeDefined();
    expect(idsOf(await state.jobs.outdated(10))).toEqual([jobs[1]!.jobId]);
  });
});
