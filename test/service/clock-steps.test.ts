import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AgentSettings } from "../../src/service/agent/index.js";
import { cached } from "../../src/service/http/health.js";
import { ApiError } from "../../src/service/http/index.js";
import { createRefusalLimit } from "../../src/service/http/rate-limit.js";
import { openAgentModel } from "../../src/service/worker/run-agent-job.js";
import type { JobRecord } from "../../src/service/worker/run-leased.js";
import { openWorkerFolder } from "../../src/service/worker/worker-machine.js";
import { temporaryFolder } from "../support/cli.js";
import { patience } from "../support/patience.js";
import { startScriptedModel } from "../support/scripted-model.js";

const daysMs = 3 * 24 * 60 * 60_000;

test("a value cached for a second is read again after the clock was set back", async () => {
  let time = 10 * daysMs;
  let reads = 0;
  const read = cached(
    async () => ++reads,
    1000,
    () => time,
  );
  expect([await read(), await read()]).toEqual([1, 1]);
  time -= daysMs;
  expect([await read(), await read()]).toEqual([2, 2]);
});

test("an address whose keys were refused is not refused for longer after the clock was set back", () => {
  let time = 10 * daysMs;
  const limit = createRefusalLimit(1, 60_000, () => time);
  const statusOf = () => limit(new ApiError(401, "Unknown key."), "198.51.100.7").status;
  expect([statusOf(), statusOf()]).toEqual([401, 429]);
  time -= daysMs;
  expect([statusOf(), statusOf()]).toEqual([401, 429]);
});

test("an agent run has its whole time when the clock is set ahead", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const { options: languageModel } = await startScriptedModel([{ text: "Done." }]);
  const run = { job: { mode: "model" }, prompt: "", earlier: [] } as unknown as Parameters<typeof openAgentModel>[0];
  const record = { add: async () => {} } as unknown as JobRecord;
  const model = openAgentModel(run, { languageModel } as AgentSettings, record, patience())!;
  vi.setSystemTime(Date.now() + daysMs);
  expect(await model.answers["ask model"]({ kind: "ask model", body: '{"messages":[]}' })).toEqual({
    body: expect.stringContaining("Done."),
  });
});

test("a step of the clock removes the folder of a dead worker, and of no live one", async () => {
  const root = temporaryFolder();
  let [time, steady] = [10 * daysMs, 500];
  const clocks = [() => time, () => steady] as const;
  const a = await openWorkerFolder(root, "a", ...clocks);
  const b = await openWorkerFolder(root, "b", ...clocks);
  const dead = join(root, "dead");
  mkdirSync(dead);
  utimesSync(dead, time / 1000, time / 1000);
  const refresh = async (...folders: readonly (typeof a)[]) => {
    for (const folder of folders) await folder.refresh();
    return ["a", "b", "dead"].filter((name) => existsSync(join(root, name)));
  };
  expect(await refresh(a, b)).toEqual(["a", "b", "dead"]);
  for (const step of [daysMs, -2 * daysMs]) {
    time += step;
    // The folder of b has the time of before the step.
    expect(await refresh(a)).toEqual(["a", "b", "dead"]);
    expect(await refresh(b, a)).toEqual(["a", "b", "dead"]);
    steady += 5_000;
    expect(await refresh(b, a)).toEqual(["a", "b", "dead"]);
  }
  steady += 30_000;
  expect(await refresh(b, a)).toEqual(["a", "b"]);
});
