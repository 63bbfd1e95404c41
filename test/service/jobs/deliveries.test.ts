import { expect, test } from "vitest";
import { bundleOf, createJob, describeStates, type TestState } from "./open-test-state.js";

const webhookUrl = "https://acme.com/hook";

async function ended(state: TestState): Promise<string> {
  const { jobId } = await createJob(state, { webhookUrl });
  await state.jobs.cancel(jobId, "cancelled");
  return jobId;
}

describeStates("the delivery to a webhook", (open) => {
  const ends = [
    ["completed", async (state) => state.jobs.complete((await state.jobs.take("a"))!, bundleOf("1"), 1)],
    ["failed", async (state) => state.jobs.fail((await state.jobs.take("a"))!, "fault", false)],
    ["failed", async (state, jobId) => state.jobs.cancel(jobId, "cancelled")],
  ] as const satisfies readonly (readonly [string, (state: TestState, jobId: string) => Promise<unknown>])[];
  test.each(ends)("is created exactly once for each event when a job is %s", async (event, end) => {
    const state = await open();
    const { jobId } = await createJob(state, { webhookUrl });
    expect(await state.jobs.takeDelivery(1_000)).toBeUndefined();
    await end(state, jobId);
    await state.jobs.cancel(jobId, "again");
    for (const each of event === "completed" ? [event, "bundle_ready"] : [event])
      expect(await state.jobs.takeDelivery(1_000)).toEqual({
        deliveryId: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        job: await state.jobs.get(jobId),
        attempt: 1,
        event: each,
      });
    expect(await state.jobs.takeDelivery(1_000)).toBeUndefined();
  });

  test("is not created for a job without a webhook", async () => {
    const state = await open();
    const { jobId } = await createJob(state);
    await state.jobs.cancel(jobId, "cancelled");
    expect(await state.jobs.takeDelivery(1_000)).toBeUndefined();
  });

  test("of a dead process is due again after the hold time, with the same id", async () => {
    const state = await open();
    await ended(state);
    const first = await state.jobs.takeDelivery(30_000);
    await state.advance(29_999);
    expect(await state.jobs.takeDelivery(30_000)).toBeUndefined();
    await state.advance(1);
    expect(await state.jobs.takeDelivery(30_000)).toEqual({ ...first, attempt: 2 });
  });

  test("is retried at the requested time, until it is ended", async () => {
    const state = await open();
    await ended(state);
    const first = await state.jobs.takeDelivery(30_000);
    await state.jobs.endDelivery(first!.deliveryId, new Date(state.now() + 60_000));
    await state.advance(59_999);
    expect(await state.jobs.takeDelivery(30_000)).toBeUndefined();
    await state.advance(1);
    const second = await state.jobs.takeDelivery(30_000);
    expect(second).toEqual({ ...first, attempt: 2 });
    await state.jobs.endDelivery(second!.deliveryId);
    await state.advance(3_600_000);
    expect(await state.jobs.takeDelivery(30_000)).toBeUndefined();
  });

  test("is taken by one process only, and many processes take different ones", async () => {
    const state = await open();
    const other = await state.another();
    const jobIds = [];
    for (let i = 0; i < 20; i++) jobIds.push(await ended(state));
    const taken = await Promise.all(
      Array.from({ length: 24 }, (_, index) => (index % 2 ? state : other).jobs.takeDelivery(30_000)),
    );
    const got = taken.flatMap((delivery) => (delivery ? [delivery.job.jobId] : []));
    expect(got.sort()).toEqual(jobIds.sort());
  });
});
