import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { lazy } from "../../../src/lib/memo.js";
import type { Job } from "../../../src/service/jobs/index.js";
import { runMaintenance } from "../../../src/service/run-service-worker.js";
import { bundleKey } from "../../../src/service/store/object-store.js";
import { temporaryFolder, writeManyPages } from "../../support/cli.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { openTestStore, sha256OfObject, type TestStore } from "../../support/test-store.js";
import { waitUntil } from "../../support/wait-until.js";
import {
  childrenOf,
  isAlive,
  isExport,
  startWorkerProcess,
  type WorkerProcess,
} from "../../support/worker-processes.js";

const rules = { leaseMs: 5000, backoffMs: 50, maxAttempts: 3 };
const isSoak = process.env["OFFPRINT_SOAK"] === "1";

const startWorker = (each: TestStore, concurrency = 1): WorkerProcess =>
  startWorkerProcess({
    store: each.options,
    cacheFolder: join(each.folder, "cache"),
    workFolder: join(each.folder, "work"),
    concurrency,
    graceMs: 0,
    keepSpare: isSoak,
  });

/** Stops a worker between two transactions: a stopped one would keep the lock of the database. */
async function pause(worker: WorkerProcess, { options }: TestStore): Promise<void> {
  const database = new DatabaseSync(join(options.dataFolder, "offprint.db"), { timeout: 0 });
  await waitUntil("a worker without the lock", () => {
    worker.kill("SIGCONT");
    worker.kill("SIGSTOP");
    try {
      database.exec("BEGIN IMMEDIATE; ROLLBACK");
      return true;
    } catch {
      return false;
    }
  });
  database.close();
}

const pageCount = 100;

/** The hash of the bundle of a site of so many pages, when nothing is killed. */
const undisturbed = lazy(async () => {
  const source = writeManyPages(temporaryFolder(), pageCount);
  const archive = join(temporaryFolder(), "own.tar.gz");
  return (await exportInProcess({ source, archive, baseUrl: "https://docs.acme.com" })).archive!.sha256;
});

/** Polls a job like a client. */
function watch(each: TestStore, jobId: string): { readonly stop: () => Promise<readonly Job[]> } {
  const seen: Job[] = [];
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const job = await each.store.jobs.get(jobId);
      if (job) seen.push(job);
      await sleep(25);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await looking;
      return seen;
    },
  };
}

function expectSteady(seen: readonly Job[]): void {
  const order = ["queued", "running", "completed"];
  for (const [i, job] of seen.entries()) {
    const before = seen[i - 1];
    expect(job.progress === 100).toBe(job.status === "completed");
    if (!before) continue;
    expect(order.indexOf(job.status)).toBeGreaterThanOrEqual(order.indexOf(before.status));
    expect(job.progress).toBeGreaterThanOrEqual(before.progress);
    expect(job.pageCount).toBeGreaterThanOrEqual(before.pageCount);
    expect(job.updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
  }
}

describe("a worker that is killed", () => {
  test("loses no job: another worker completes it with the same bundle as an undisturbed run", async () => {
    const expected = await undisturbed();
    const each = await openTestStore(writeManyPages(temporaryFolder(), pageCount), rules);
    let worker = startWorker(each);
    for (let round = 0; round < (isSoak ? 50 : 1); round++) {
      const jobId = await each.startJob();
      const watching = watch(each, jobId);
      await each.untilStatus(jobId, "running");
      await sleep(Math.random() * 1200);
      const exporting = childrenOf(worker.pid).filter(isExport);
      worker.kill("SIGKILL");
      worker = startWorker(each);
      const job = await each.untilFinished(jobId);
      expect(job).toMatchObject({ status: "completed", pageCount });
      expect(job.bundle!.sha256).toBe(expected);
      expect(sha256OfObject(each, job.bundle!.objectKey)).toBe(expected);
      expectSteady(await watching.stop());
      await waitUntil("the end of its children", () => !exporting.some(isAlive));
    }
  });

  test("by one of its jobs fails only that job, once it has run alone", async () => {
    const each = await openTestStore(writeManyPages(temporaryFolder(), 40), rules);
    const innocent = await each.startJob();
    const poison = await each.startJob();
    const attemptOf = async (jobId: string) => (await each.store.jobs.get(jobId))!.attempt;
    for (const attempt of [1, 2, 3]) {
      const worker = startWorker(each, 2);
      await waitUntil("the attempt", async () => (await attemptOf(poison)) === attempt);
      // The third attempt begins after the other job has run alone.
      if (attempt === 3) expect((await each.store.jobs.get(innocent))!.status).toBe("completed");
      else await waitUntil("the other job", async () => (await attemptOf(innocent)) === attempt);
      worker.kill("SIGKILL");
      await worker.ended;
      expect(worker.log().includes("running the job alone")).toBe(attempt === 3);
    }
    startWorker(each, 2);
    const job = await each.untilFinished(poison);
    expect(job.status).toBe("failed");
    expect(job.error).toMatch(/gave up on the export after 3 attempts.*worker stopped responding.*ran no other export/);
    expect(await attemptOf(innocent)).toBe(3);
  });
});

test("a worker that was stopped and continues after losing its lease publishes nothing", async () => {
  const expected = await undisturbed();
  const each = await openTestStore(writeManyPages(temporaryFolder(), pageCount), rules);
  const stale = startWorker(each);
  const jobId = await each.startJob();
  await each.untilStatus(jobId, "running");
  await pause(stale, each);
  const other = startWorker(each);
  const job = await each.untilFinished(jobId);
  expect(job).toMatchObject({ status: "completed", attempt: 2 });
  stale.kill("SIGCONT");
  await waitUntil("the loss of its lease", () => stale.log().includes("job's lease was lost"));
  await sleep(300);
  expect(await each.store.jobs.get(jobId)).toEqual(job);
  expect(sha256OfObject(each, job.bundle!.objectKey)).toBe(expected);
  expect(existsSync(each.objectFile(bundleKey(jobId, 1)))).toBe(false);
  for (const worker of [stale, other]) {
    worker.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
  }
});

test("a job that no worker takes fails with a reason", async () => {
  const each = await openTestStore(writeManyPages(temporaryFolder(), 2), { noWorkerMs: 800, workerTimeoutMs: 400 });
  const stop = new AbortController();
  const maintenance = runMaintenance({ store: each.store, signal: stop.signal });
  onTestFinished(async () => {
    stop.abort();
    await maintenance;
  });
  const job = await each.untilFinished(await each.startJob());
  expect(job.status).toBe("failed");
  expect(job.error).toContain("worker");
});
