import { expect, test } from "vitest";
import { assistantLimitDefaults, createLimitCounter } from "../../../src/service/assistant/limits.js";
import { waitUntil } from "../../support/wait-until.js";
import { describeStates } from "../jobs/open-test-state.js";

const hourMs = 60 * 60_000;
const limit = 10;

describeStates("a limit within an hour", (open) => {
  test("counts the uses of at most an hour, and never makes anybody wait longer", async () => {
    const state = await open();
    const openCounter = () =>
      createLimitCounter(
        state.accounts,
        { ...assistantLimitDefaults, organizationPerHour: limit },
        state.now,
        () => {},
      );
    const counter = openCounter();
    const ask = async () => (await counter.request("search", "org_a", undefined)).refusal;
    const uses: number[] = [];
    // Steps of 97 seconds meet all seconds of a minute.
    for (let step = 0; step < 150; step++) {
      const refusal = await ask();
      const lastHour = uses.filter((at) => at > state.now() - hourMs).length;
      if (refusal) {
        expect(refusal.retrySeconds).toBeGreaterThan(0);
        expect(refusal.retrySeconds).toBeLessThanOrEqual(3600);
        expect(lastHour).toBe(limit);
      } else uses.push(state.now());
      await state.advance(97_000);
    }
    expect(uses.length).toBeGreaterThan(3 * limit);

    await state.advance(2 * hourMs);
    // At the beginning of a minute, so that the wait is as long as it can be.
    await state.advance(60_000 - (state.now() % 60_000));
    for (let i = 0; i < limit; i++) expect(await ask()).toBeUndefined();
    expect(await ask()).toEqual({ limit: "organizationPerHour", retrySeconds: 3600 });
    const stored = async () =>
      [...(await state.accounts.usesSince("search of org_a", state.now() - 60_000)).values()].reduce(
        (a, b) => a + b,
        0,
      );
    await waitUntil("stored uses", async () => (await stored()) === limit);
    // Another process with the same database.
    const elsewhere = await openCounter().request("search", "org_a", undefined);
    const full = { name: "organization", limit, windowSeconds: 3600, left: 0, resetSeconds: 3600 };
    expect(elsewhere).toEqual({ refusal: { limit: "organizationPerHour", retrySeconds: 3600 }, states: [full] });
    await state.advance(3600_000);
    expect(await ask()).toBeUndefined();
  });

  test("of single uses does not wait longer because another process has its clock ahead", async () => {
    const state = await open();
    const ahead = await state.another(13_000);
    await ahead.accounts.countUse("analytics:org_a", 1, hourMs);
    const { useId, resetsAt } = await state.accounts.countUse("analytics:org_a", 1, hourMs);
    expect([useId, resetsAt.getTime() - state.now()]).toEqual([undefined, hourMs]);
  });
});
