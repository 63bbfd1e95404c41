import { expect, test } from "vitest";
import type { Lease, ShardLease } from "../../../src/service/jobs/index.js";
import { bundleOf, createJob, describeStates, type TestState } from "./open-test-state.js";

const rules = { leaseMs: 15_000, maxAttempts: 2 };

async function split(state: TestState, count: number, organization = "0"): Promise<Lease> {
  await createJob(state, { organizationId: `org_${organization.repeat(32)}` });
  const lease = (await state.jobs.take("owner"))!;
  expect(await state.shards.split(lease, count)).toBe(true);
  return lease;
}
async function taken(state: TestState, workerId = "a"): Promise<ShardLease> {
  const lease = await state.shards.take(workerId);
  if (!lease) throw new Error("There is no part to take.");
  return lease;
}
/** Lets the leases of parts expire, not that of the job. */
async function expireShards(state: TestState, owner: Lease): Promise<void> {
  for (let step = 0; step < 3; step++) {
    await state.jobs.maintain();
    await state.advance(rules.leaseMs / 2 + 500);
    await state.jobs.heartbeat(owner, { progress: 1, pageCount: 1 });
  }
  await state.jobs.maintain();
}
const end = { kind: "end" };
const wait = { kind: "wait" };

describeStates("the parts of a job", (open) => {
  test("are each made once, by other workers or its own, and each is given to its own once", async () => {
    const state = await open(rules);
    const owner = await split(state, 3);
    const [first, second] = [await taken(state), await taken(state, "b")];
    expect([first.index, first.count, second.index, first.job.jobId]).toEqual([1, 3, 2, owner.job.jobId]);
    expect(await state.shards.next(owner)).toEqual({ kind: "make", index: 3 });
    expect(await state.shards.take("c")).toBeUndefined();
    expect(await state.shards.next(owner)).toEqual(wait);
    expect(await state.shards.heartbeat(first, 7)).toBe(true);
    expect(await state.shards.heartbeat(second, 5)).toBe(true);
    expect(await state.shards.pagesOfOthers(owner.job.jobId)).toBe(12);
    expect(await state.shards.complete(second, 9)).toBe(true);
    expect(await state.shards.pagesOfOthers(owner.job.jobId)).toBe(16);
    expect(await state.shards.complete(second, 9)).toBe(false);
    expect(await state.shards.next(owner)).toEqual({ kind: "made", index: 2 });
    expect(await state.shards.pagesOfOthers(owner.job.jobId)).toBe(7);
    expect(await state.shards.next(owner)).toEqual(wait);
    expect(await state.shards.complete(first, 8)).toBe(true);
    expect(await state.shards.next(owner)).toEqual({ kind: "made", index: 1 });
    expect(await state.shards.next(owner)).toEqual(end);
  });

  test("of a dead worker go to another one, alone; the dead one changes nothing any more", async () => {
    const state = await open(rules);
    const owner = await split(state, 2);
    const [dead, live] = [await taken(state), await taken(state, "b")];
    await state.shards.complete(live, 4);
    await state.shards.heartbeat(dead, 3);
    await expireShards(state, owner);
    expect(await state.shards.heartbeat(dead, 4)).toBe(false);
    expect(await state.shards.complete(dead, 4)).toBe(false);
    const again = await taken(state);
    expect(again.index).toBe(dead.index);
    expect(again.fence).not.toBe(dead.fence);
    expect(await state.shards.take("c")).toBeUndefined();
    expect(await state.shards.complete(again, 4)).toBe(true);
    expect(await state.jobs.get(owner.job.jobId)).toMatchObject({ status: "running", attempt: 1 });
  });

  test("stay leased as long as there are heartbeats", async () => {
    const state = await open(rules);
    const owner = await split(state, 1);
    const lease = await taken(state);
    for (let step = 0; step < 8; step++) {
      await state.jobs.maintain();
      await state.advance(rules.leaseMs / 2);
      expect(await state.shards.heartbeat(lease, step)).toBe(true);
      await state.jobs.heartbeat(owner, { progress: 1, pageCount: 1 });
    }
    expect(await state.shards.take("b")).toBeUndefined();
  });

  test("that fail too often are made by the job's worker; a shutdown does not count", async () => {
    const state = await open(rules);
    const owner = await split(state, 1);
    for (let time = 0; time < 4; time++) expect(await state.shards.release(await taken(state))).toBe(true);
    expect(await state.shards.fail(await taken(state))).toBe(true);
    await taken(state);
    await expireShards(state, owner);
    expect(await state.shards.take("b")).toBeUndefined();
    expect(await state.shards.next(owner)).toEqual({ kind: "make", index: 1 });
    expect(await state.shards.next(owner)).toEqual(end);
  });

  test("end with their job, and those of an earlier attempt with the next one", async () => {
    const state = await open(rules);
    const owner = await split(state, 2);
    const [first, second] = [await taken(state), await taken(state)];
    expect(await state.shards.split(owner, 4)).toBe(true);
    expect(await state.shards.heartbeat(first, 1)).toBe(false);
    const third = await taken(state);
    expect(third).toMatchObject({ index: 1, count: 4 });
    await state.jobs.cancel(owner.job.jobId, "Cancelled.");
    expect(await state.shards.heartbeat(third, 1)).toBe(false);
    expect(await state.shards.complete(second, 1)).toBe(false);
    expect(await state.shards.take("b")).toBeUndefined();
    expect(await state.shards.next(owner)).toEqual(end);
    expect(await state.shards.split(owner, 4)).toBe(false);
    const other = await split(state, 1);
    await state.jobs.complete(other, bundleOf("1"), 1);
    expect(await state.shards.take("b")).toBeUndefined();
  });

  test("of several organizations are made in turn", async () => {
    const state = await open(rules);
    const [one, two] = [await split(state, 5, "1"), await split(state, 2, "2")];
    const turns: string[] = [];
    for (let turn = 0; turn < 4; turn++) turns.push((await taken(state)).job.jobId);
    expect(turns).toEqual([one, two, one, two].map(({ job }) => job.jobId));
  });

  test("are leased to one of many workers that ask at once", async () => {
    const state = await open(rules);
    await split(state, 5);
    const others = await Promise.all([state.another(), state.another()]);
    const leases = await Promise.all(
      Array.from({ length: 9 }, (_, at) => (others[at % 2] ?? state).shards.take(`worker ${at}`)),
    );
    expect(leases.flatMap((lease) => (lease ? [lease.index] : [])).toSorted()).toEqual([1, 2, 3, 4, 5]);
  });
});
