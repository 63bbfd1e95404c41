import { expect, test } from "vitest";
import { attemptDelay } from "../../../src/service/failed-attempts.js";
import { describeStates } from "./open-test-state.js";

describeStates("failures", (open) => {
  test("of two processes are counted together, and of many at once none is checked beyond the limit", async () => {
    const state = await open();
    const other = await state.another();
    const attempts = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? state : other).accounts.countFailure(["account", "address"], ([account]) =>
          attemptDelay(account!, 5, state.now()),
        ),
      ),
    );
    expect(attempts.filter(({ waitMs }) => waitMs === 0)).toHaveLength(5);
    expect(attempts.filter(({ waitMs }) => waitMs === 5000)).toHaveLength(15);
    expect((await other.accounts.failures("address")).count).toBe(5);
  });

  test("are taken back, forgotten on demand, and forgotten an hour after the last one", async () => {
    const state = await open();
    const { accounts } = state;
    const fail = () => accounts.countFailure(["ada\0@acme.com"], () => 0);
    const count = async () => (await accounts.failures("ada\0@acme.com")).count;
    await fail();
    const { before } = await fail();
    expect([await count(), before[0]!.count]).toEqual([2, 1]);
    await accounts.takeBackFailure("ada\0@acme.com", before[0]!.lastAt);
    expect(await count()).toBe(1);
    await state.advance(60 * 60_000 - 1);
    await state.jobs.maintain();
    expect(await count()).toBe(1);
    await state.advance(1);
    expect(await count()).toBe(0);
    await state.jobs.maintain();
    await fail();
    expect(await count()).toBe(1);
    await accounts.forgetFailures(["ada\0@acme.com"]);
    expect(await count()).toBe(0);
  });
});
