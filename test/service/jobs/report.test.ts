import { expect, test } from "vitest";
import { bundleOf, createJob, describeStates } from "./open-test-state.js";

const report = { errors: 1, warnings: 2, diagnosticsKey: "static-exports/a/1/diagnostics.jsonl" };

describeStates("the record of a job", (open) => {
  test("has the report of the export that ended it", async () => {
    const state = await open();
    const { jobId } = await createJob(state);
    expect((await state.jobs.get(jobId))!.report).toBeUndefined();
    const lease = (await state.jobs.take("worker"))!;
    expect(await state.jobs.complete(lease, bundleOf("1"), 3, report)).toBe(true);
    expect((await state.jobs.get(jobId))!.report).toEqual(report);
    const failing = await createJob(state);
    const counts = { errors: 4, warnings: 0 };
    expect(await state.jobs.fail((await state.jobs.take("worker"))!, "wrong", false, counts)).toBe(true);
    expect((await state.jobs.get(failing.jobId))!.report).toEqual(counts);
  });

  test("has no report of a worker that has lost its lease", async () => {
    const state = await open();
    const { jobId } = await createJob(state);
    const lease = (await state.jobs.take("worker"))!;
    await state.jobs.cancel(jobId, "cancelled");
    expect(await state.jobs.fail(lease, "wrong", false, report)).toBe(false);
    expect((await state.jobs.get(jobId))!.report).toBeUndefined();
  });

  test("has a log in order, in pages, bounded in lines and length, and deleted with the job", async () => {
    const state = await open();
    const { jobId } = await createJob(state);
    const other = await createJob(state);
    await state.jobs.addLog(other.jobId, "error", "Of another job.");
    await state.jobs.addLog(jobId, "warning", `a\0\ud800${"b".repeat(3000)}`);
    await Promise.all(Array.from({ length: 10 }, (_, i) => state.jobs.addLog(jobId, "info", `${i}`)));
    await state.advance(1000);
    await state.jobs.cancel(jobId, "Enough.");
    const first = await state.jobs.log(jobId, { limit: 11 });
    expect(first.lines).toHaveLength(11);
    expect(first.lines[0]).toEqual({
      time: new Date(state.now() - 1000),
      level: "warning",
      message: `a��${"b".repeat(1996)}…`,
    });
    const last = await state.jobs.log(jobId, { limit: 11, cursor: first.next });
    expect(last).toEqual({
      lines: [{ time: new Date(state.now()), level: "error", message: "The job failed. Enough." }],
      next: undefined,
    });
    for (let i = 0; i < 500; i++) await state.jobs.addLog(jobId, "info", "more");
    let count = 0;
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page = await state.jobs.log(jobId, { limit: 100, ...(cursor && { cursor }) });
      count += page.lines.length;
      cursor = page.next;
    }
    expect(count).toBe(500);
    await state.jobs.remove(jobId);
    expect((await state.jobs.log(jobId, { limit: 1 })).lines).toEqual([]);
    await state.jobs.addLog(jobId, "info", "After its end.");
    expect((await state.jobs.log(jobId, { limit: 1 })).lines).toEqual([]);
  });
});
