import { expect, test } from "vitest";
import { createJob, describeStates, newJob } from "./open-test-state.js";

const once = { key: "deploy-17", route: "POST /jobs", requestHash: "a" };

describeStates("creating a job", (open) => {
  test("returns the queued job as requested", async () => {
    const { jobs, now } = await open();
    const wanted = newJob({ version: "v2", paths: ["guides/install"], webhookUrl: "https://acme.com/hook" });
    const created = await jobs.create(wanted);
    if (!("job" in created)) throw new Error();
    expect(created.job).toEqual({
      ...wanted,
      jobId: expect.stringMatching(/^se_[0-9a-f]{32}$/),
      status: "queued",
      progress: 0,
      pageCount: 0,
      attempt: 0,
      createdAt: new Date(now()),
      updatedAt: new Date(now()),
    });
    expect(await jobs.get(created.job.jobId)).toEqual(created.job);
  });

  test("an unknown id gives undefined", async () => {
    const { jobs } = await open();
    for (const id of [
      "null",
      "",
      "se_",
      `se_${"0".repeat(32)}`,
      "'; drop table jobs; --",
      "\u0000",
      "x".repeat(10_000),
    ])
      expect(await jobs.get(id), id.slice(0, 20)).toBeUndefined();
  });

  test("100 concurrent calls with one key create one job, even from two processes", async () => {
    const state = await open();
    const other = await state.another();
    const calls = Array.from({ length: 100 }, (_, index) => (index % 2 ? state : other).jobs.create(newJob(), once));
    const created = await Promise.all(calls);
    expect(new Set(created.map((each) => "job" in each && each.job.jobId)).size).toBe(1);
    expect(created.filter((each) => each.kind === "created")).toHaveLength(1);
    expect(await state.jobs.counts()).toMatchObject({ queued: 1 });
    expect(await state.jobs.take("a")).toBeDefined();
    expect(await state.jobs.take("b")).toBeUndefined();
  });

  const repeats = [
    // the second call …                     organization      key                                result
    ["with another request", "org_a", { ...once, requestHash: "b" }, "mismatch"],
    ["with another key", "org_a", { ...once, key: "deploy-18" }, "created"],
    ["on another route", "org_a", { ...once, route: "POST /other" }, "created"],
    ["of another organization", "org_b", once, "created"],
    ["with the same request", "org_a", once, "repeated"],
    ["without a key", "org_a", undefined, "created"],
  ] as const;
  test.each(repeats)("a second call %s", async (_, organizationId, key, kind) => {
    const { jobs } = await open();
    await jobs.create(newJob({ organizationId: "org_a" }), once);
    expect((await jobs.create(newJob({ organizationId }), key)).kind).toBe(kind);
  });

  test("is refused above the limit of queued jobs, even to two processes at once, except for a repeated call", async () => {
    const rules = { maxQueued: 5 };
    const state = await open(rules);
    const other = await state.another();
    await state.jobs.create(newJob(), once);
    const calls = Array.from({ length: 20 }, (_, index) => (index % 2 ? state : other).jobs.create(newJob()));
    const created = await Promise.all(calls);
    expect(created.filter(({ kind }) => kind === "created")).toHaveLength(4);
    expect(created.find(({ kind }) => kind !== "created")).toEqual({ kind: "full", maxQueued: 5 });
    expect(await state.jobs.counts()).toMatchObject({ queued: 5 });
    expect((await state.jobs.create(newJob(), once)).kind).toBe("repeated");
    expect((await state.jobs.create(newJob({ organizationId: "org_b" }))).kind).toBe("created");
    // A job that has begun is not queued, even between two attempts.
    await state.jobs.fail((await state.jobs.take("a"))!, "fault", true);
    expect((await state.jobs.create(newJob())).kind).toBe("created");
    expect((await state.jobs.create(newJob())).kind).toBe("full");
  });

  test("a key is valid for its lifetime, after a restart, and after the job has ended", async () => {
    const state = await open({ idempotencyMs: 24 * 3_600_000 });
    const first = await state.jobs.create(newJob(), once);
    if (!("job" in first)) throw new Error();
    await state.jobs.cancel(first.job.jobId, "cancelled");
    await state.advance(24 * 3_600_000 - 1);
    await state.jobs.maintain();
    const { jobs } = await state.another();
    expect(await jobs.create(newJob(), once)).toMatchObject({ kind: "repeated", job: { status: "failed" } });
    await state.advance(1);
    const again = await jobs.create(newJob(), once);
    expect(again).toMatchObject({ kind: "created", job: { status: "queued" } });
    expect(await jobs.create(newJob(), once)).toEqual({ ...again, kind: "repeated" });
  });

  test("a key is deleted with its job", async () => {
    const { jobs } = await open();
    const first = await jobs.create(newJob(), once);
    if (!("job" in first)) throw new Error();
    await jobs.cancel(first.job.jobId, "cancelled");
    await jobs.remove(first.job.jobId);
    expect((await jobs.create(newJob(), once)).kind).toBe("created");
  });

  test("jobs are taken in the order of their creation", async () => {
    const state = await open();
    const ids = [];
    for (let i = 0; i < 5; i++) {
      ids.push((await createJob(state)).jobId);
      await state.advance(1);
    }
    const taken = [];
    for (let i = 0; i < 5; i++) taken.push((await state.jobs.take("a"))?.job.jobId);
    expect(taken).toEqual(ids);
  });
});
