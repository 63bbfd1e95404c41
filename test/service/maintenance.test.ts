import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runMaintenance } from "../../src/service/run-service-worker.js";
import { bundleKey, diagnosticsKey, indexKey } from "../../src/service/store/object-store.js";
import { page, temporaryFolder, writeSite } from "../support/cli.js";
import { openTestStore } from "../support/test-store.js";
import { waitUntil } from "../support/wait-until.js";

test("an old job is pruned after its bundle, index and diagnostics, and those of its lost attempts", async () => {
  const each = await openTestStore(writeSite(temporaryFolder(), { "index.mdx": page("Start", "Hello.") }), {
    retentionMs: 300,
    backoffMs: 1,
  });
  const { jobs, objects } = each.store;
  const archive = join(each.folder, "bundle.tar.gz");
  writeFileSync(archive, "bytes");
  const jobId = await each.startJob();
  const take = () => waitUntil("the job", () => jobs.take("worker"));
  const keys = [1, 2].flatMap((attempt) => [bundleKey, diagnosticsKey, indexKey].map((keyOf) => keyOf(jobId, attempt)));
  for (const key of keys) await objects.put(key, archive, "application/gzip");
  await jobs.fail(await take(), "The first attempt was lost.", true);
  await jobs.complete(await take(), { objectKey: bundleKey(jobId, 2), bytes: 5, sha256: "0".repeat(64) }, 1);
  const kept = await each.startJob();
  await waitUntil("its age", async () => (await jobs.outdated(1)).length === 1);

  const stop = new AbortController();
  let isReachable = false;
  const remove: typeof objects.remove = async (key) => {
    if (!isReachable) throw new Error("the store answers 503");
    await objects.remove(key);
  };
  const faults: string[] = [];
  const log = (_: string, message: string): void => void faults.push(message);
  const run = (): Promise<void> =>
    runMaintenance({ store: { ...each.store, objects: { ...objects, remove } }, log, signal: stop.signal });
  const first = run();
  await waitUntil("a fault", () => faults.length > 0);
  expect(await jobs.get(jobId)).toBeDefined();
  isReachable = true;
  const second = run();
  onTestFinished(async () => {
    stop.abort();
    await Promise.all([first, second]);
  });
  await waitUntil("the end of the job", async () => (await jobs.get(jobId)) === undefined);
  for (const key of keys) expect(existsSync(each.objectFile(key))).toBe(false);
  expect(await jobs.get(kept)).toBeDefined();
});

test("a day of page views is closed some minutes after it ended", async () => {
  const { store } = await openTestStore(writeSite(temporaryFolder(), { "index.mdx": page("Start", "Hello.") }));
  const dayMs = 24 * 60 * 60_000;
  const today = Math.floor(Date.now() / dayMs);
  const closed: number[] = [];
  const views = { ...store.views, closeDays: async (day: number) => void closed.push(day) };
  for (const [minutes, count] of [
    [4, 1],
    [6, 2],
  ] as const) {
    const stop = new AbortController();
    const time = today * dayMs + minutes * 60_000;
    const run = runMaintenance({ store: { ...store, views }, signal: stop.signal, now: () => time });
    await waitUntil("the closing", () => closed.length === count);
    stop.abort();
    await run;
  }
  expect(closed).toEqual([today - 1, today]);
});
