import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Log } from "../../../src/lib/log.js";
import { createUseTallies } from "../../../src/service/assistant/use-tallies.js";
import { openSqliteState } from "../../../src/service/jobs/index.js";
import { temporaryFolder } from "../../support/cli.js";
import { bundleOf, createJob, describeStates, type TestState } from "./open-test-state.js";

const [minuteMs, hourMs] = [60_000, 3_600_000];
const [ahead, back] = [72 * hourMs, -72 * hourMs];
const rules = { leaseMs: 15_000, maxAttempts: 3, backoffMs: 2_000, deadlineMs: 600_000, noWorkerMs: 900_000 };
const noProgress = { progress: 0, pageCount: 0 };
const silent: Log = () => {};

async function person({ accounts, people, now }: TestState) {
  const { organizationId } = await accounts.organization("Acme");
  const endsAt = new Date(now() + 24 * hourMs);
  const invite = { email: "ada@acme.com", organizationId, role: "owner", endsAt } as const;
  const { secret } = await people.invite(invite);
  const { personId } = (await people.acceptInvite(secret, { name: "Ada", passwordHash: "x" }))!;
  return { personId, invite };
}

describeStates("a clock that is set", (open, kind) => {
  test("three days ahead ends no attempt that sends heartbeats, and ends the attempt of a dead worker on time", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    await state.jobs.workerHeartbeat("a");
    const lease = (await state.jobs.take("a"))!;
    await state.jobs.maintain();
    await state.stepClock(ahead);
    // pg-boss measures the time between two heartbeats by the server's clock, so one has to come first.
    if (kind === "postgres") expect(await state.jobs.heartbeat(lease, noProgress)).toBe(true);
    for (let seconds = 0; seconds < 60; seconds += 5) {
      expect(await state.jobs.maintain()).toBe(0);
      expect(await state.jobs.heartbeat(lease, noProgress)).toBe(true);
      await state.advance(5_000);
    }
    expect(await state.jobs.maintain()).toBe(0);
    await state.advance(rules.leaseMs + 1_000);
    expect(await state.jobs.maintain()).toBe(1);
    expect(await state.jobs.get(jobId)).toMatchObject({ status: "running", error: undefined });
    expect(await state.jobs.heartbeat(lease, noProgress)).toBe(false);
  });

  test("three days back neither ends a lease that is renewed nor extends that of a dead worker", async () => {
    const state = await open(rules);
    const { jobId } = await createJob(state);
    const lease = (await state.jobs.take("a"))!;
    await state.jobs.maintain();
    await state.stepClock(back);
    for (let seconds = 0; seconds < 60; seconds += 5) {
      expect(await state.jobs.heartbeat(lease, noProgress)).toBe(true);
      expect(await state.jobs.maintain()).toBe(0);
      await state.advance(5_000);
    }
    await state.stepClock(back);
    await state.advance(rules.leaseMs + 1_000);
    expect(await state.jobs.maintain()).toBe(1);
    expect(await state.jobs.complete(lease, bundleOf("1"), 1)).toBe(false);
    await state.advance(2 * rules.backoffMs);
    const second = (await state.jobs.take("b"))!;
    expect(second).toMatchObject({ fence: 2, job: { jobId } });
    // The attempt has the time that an attempt has, in spite of the steps.
    await state.advance(5_000);
    expect(await state.jobs.heartbeat(second, noProgress)).toBe(true);
    expect(await state.jobs.complete(second, bundleOf("2"), 1)).toBe(true);
  });

  test("three days back delays neither a queued job, nor a retry, nor a webhook", async () => {
    const state = await open(rules);
    await createJob(state, { webhookUrl: "https://acme.com/hook" });
    await state.jobs.cancel((await createJob(state, { webhookUrl: "https://acme.com/hook" })).jobId, "cancelled");
    await state.stepClock(back);
    await state.jobs.maintain();
    expect(await state.jobs.takeDelivery(30_000)).toMatchObject({ attempt: 1 });
    const lease = (await state.jobs.take("a"))!;
    await state.jobs.fail(lease, "fault", true);
    await state.stepClock(back);
    await state.jobs.maintain();
    expect(await state.jobs.take("a")).toMatchObject({ fence: 2 });
  });

  test("by three days fails no queued job early, and fails a job without a worker on time", async () => {
    for (const step of [ahead, back]) {
      const state = await open(rules);
      const { jobId } = await createJob(state);
      await state.jobs.maintain();
      await state.advance(rules.noWorkerMs / 2);
      await state.stepClock(step);
      await state.jobs.maintain();
      await state.advance(rules.noWorkerMs - 1_000);
      expect(await state.jobs.maintain()).toBe(0);
      await state.advance(1_000);
      expect(await state.jobs.maintain()).toBe(1);
      expect((await state.jobs.get(jobId))!.error).toContain("No worker picked up the export");
    }
  });

  test("three days back revives no dead worker", async () => {
    const state = await open(rules);
    await state.jobs.workerHeartbeat("dead");
    await state.stepClock(back);
    expect(await state.jobs.counts()).toMatchObject({ workers: 0 });
    await state.jobs.workerHeartbeat("alive");
    expect((await state.jobs.workers()).filter(({ isAlive }) => isAlive).map(({ workerId }) => workerId)).toEqual([
      "alive",
    ]);
  });

  test("three days ahead ends sessions, invites and keys at their date", async () => {
    const state = await open();
    const { personId, invite } = await person(state);
    const { people, accounts } = state;
    const session = await people.createSession({ personId, stage: "open", browser: "" });
    const { secret } = await people.invite({ ...invite, email: "bob@acme.com" });
    const key = { kind: "admin", name: "", scopes: [], allowedAddresses: [] } as const;
    const { organizationId } = invite;
    const created = await accounts.createKey({ ...key, organizationId, expiresAt: new Date(state.now() + hourMs) });
    await state.stepClock(ahead);
    expect(await people.findSession(session)).toBe(undefined);
    expect(await people.findInvite(secret)).toBe(undefined);
    expect(await people.acceptInvite(secret, { name: "Bob", passwordHash: "x" })).toBe(undefined);
    expect(await accounts.rotateKey(organizationId, created.key.keyId, 0)).toBe(undefined);
    // New sessions, invites and keys are valid at once.
    const later = await people.invite({ ...invite, email: "bob@acme.com", endsAt: new Date(state.now() + hourMs) });
    expect(await people.findInvite(later.secret)).toMatchObject({ createdAt: new Date(state.now()) });
    await people.addAuditEntry({ organizationId, action: "x", subject: "", detail: "" });
    expect((await people.auditLog(organizationId, { limit: 1 })).entries[0]!.at).toEqual(new Date(state.now()));
  });

  test("three days back keeps no session beyond its idle time, nor one that waits for the identity provider", async () => {
    const state = await open();
    const { personId } = await person(state);
    const { people } = state;
    const session = { personId, stage: "open", browser: "" } as const;
    const old = await people.createSession(session);
    await state.stepClock(back);
    expect(await people.findSession(old)).toBe(undefined);
    const next = await people.createSession({ ...session, recheckMs: hourMs });
    await state.stepClock(-2 * hourMs);
    expect(await people.findSession(next)).toMatchObject({
      stage: "recheck",
      seenAt: new Date(state.now() + 2 * hourMs),
    });
    // That use was noted at the new time, so the idle time begins there.
    await state.advance(12 * hourMs);
    expect(await people.findSession(next)).toBe(undefined);
  });

  test("three days back, codes of the second factor still work, and none works twice", async () => {
    const state = await open();
    const { personId } = await person(state);
    const stepNow = () => Math.floor(state.now() / 30_000);
    const first = stepNow();
    expect(await state.people.useTotpStep(personId, first)).toBe(true);
    await state.stepClock(-minuteMs);
    expect(await state.people.useTotpStep(personId, stepNow())).toBe(false);
    await state.stepClock(back);
    expect(await state.people.useTotpStep(personId, stepNow())).toBe(true);
    expect(await state.people.useTotpStep(personId, stepNow())).toBe(false);
    await state.stepClock(ahead);
    expect(await state.people.useTotpStep(personId, stepNow())).toBe(true);
  });

  test("by three days keeps no limit reached, and the limits count on", async () => {
    const state = await open();
    const { accounts } = state;
    const use = () => accounts.countUse("login", 2, hourMs);
    const hours = { bucketMs: 5 * minuteMs, buckets: 13 };
    const tallies = createUseTallies(accounts, state.now, silent);
    for (const step of [ahead, 2 * back, back]) {
      for (const left of [1, 0, 0]) expect((await use()).left).toBe(left);
      expect((await use()).useId).toBe(undefined);
      expect((await tallies.take("requests", hours, 1)).retrySeconds).toBe(0);
      expect((await tallies.take("requests", hours, 1)).retrySeconds).toBeGreaterThan(0);
      await state.stepClock(step);
    }
    expect((await use()).left).toBe(1);
  });

  test("three days back shows the next use of a key", async () => {
    const state = await open();
    const { accounts } = state;
    const { organizationId } = await accounts.organization("Acme");
    const key = { organizationId, kind: "admin", name: "", scopes: [], allowedAddresses: [] } as const;
    const { secret } = await accounts.createKey(key);
    await accounts.markKeyUsed((await accounts.findKey(secret))!);
    await state.stepClock(back);
    await accounts.markKeyUsed((await accounts.findKey(secret))!);
    expect((await accounts.findKey(secret))!.lastUsedAt).toEqual(new Date(state.now()));
  });
});

test.each([ahead, back])(
  "a process with a SQLite file takes the machine's clock when it is set by %i ms",
  async (byMs) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const state = await openSqliteState({ file: join(temporaryFolder(), "state.db") });
    onTestFinished(() => state.close());
    vi.setSystemTime(Date.now() + byMs);
    const { organizationId } = await state.accounts.organization("Acme");
    const invite = { email: "ada@acme.com", organizationId, role: "owner" } as const;
    const valid = await state.people.invite({ ...invite, endsAt: new Date(Date.now() + minuteMs) });
    expect(valid.invite.createdAt).toEqual(new Date());
    expect(await state.people.findInvite(valid.secret)).toEqual(valid.invite);
    const over = await state.people.invite({ ...invite, endsAt: new Date(Date.now() - 1) });
    expect(await state.people.findInvite(over.secret)).toBe(undefined);
  },
);
