import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { isFinished, type Job } from "../../../src/service/jobs/index.js";
import { openStore } from "../../../src/service/open-store.js";
import { page, temporaryFolder, writeSite } from "../../support/cli.js";
import { emptyDatabase } from "../../support/postgres.js";
import { sha256OfFile } from "../../support/test-store.js";
import { startWorkerProcess, type WorkerProcess } from "../../support/worker-processes.js";

// `npm run soak` kills workers at random for minutes.
const isSoak = process.env["OFFPRINT_SOAK"] === "1";
const jobCount = isSoak ? 1000 : 6;
const workerCount = isSoak ? 4 : 2;
/** Average time between two kills. */
const killEveryMs = 4000;
const rules = { leaseMs: 5000, backoffMs: 50, maxAttempts: 8 };

const databases: readonly (readonly [string, () => Promise<string | undefined>])[] = [
  ["PostgreSQL", emptyDatabase],
  // All other tests of workers use SQLite.
  ...(isSoak ? [["a SQLite file", async () => undefined] as const] : []),
];

describe.each(databases)(
  "many jobs in %s, with several workers that are killed at random in the soak",
  (_, database) => {
    test("are all completed, each once, and each with the same bundle", { timeout: 30 * 60_000 }, async () => {
      const folder = temporaryFolder();
      const site = writeSite(join(folder, "site"), {
        "index.mdx": page("Start", "Hello."),
        "a.mdx": page("A", "Text."),
      });
      const options = {
        dataFolder: join(folder, "data"),
        publicUrl: "http://127.0.0.1:1",
        databaseUrl: await database(),
        rules,
      };
      const store = await openStore(options);
      onTestFinished(() => store.close());
      const { organizationId } = await store.accounts.organization("acme");
      const source = { kind: "folder", path: site } as const;
      const domain = "docs.acme.com";
      const { projectId } = await store.accounts.addProject({ organizationId, domain, source, deployment: "cloud" });
      const accepted: string[] = [];
      for (let i = 0; i < jobCount; i++) {
        const created = await store.jobs.create({ organizationId, projectId, domain });
        if (created.kind === "created") accepted.push(created.job.jobId);
      }

      const startWorker = (): WorkerProcess =>
        startWorkerProcess({
          store: options,
          cacheFolder: join(folder, "cache"),
          workFolder: join(folder, "work"),
          concurrency: 1,
        });
      const workers = Array.from({ length: workerCount }, startWorker);
      let isOver = false;
      let killed = 0;
      const killing = (async () => {
        while (isSoak && !isOver) {
          await sleep(killEveryMs * (0.5 + Math.random()));
          const unlucky = Math.floor(Math.random() * workers.length);
          workers[unlucky]!.kill("SIGKILL");
          workers[unlucky] = startWorker();
          killed++;
        }
      })();
      const finished = new Map<string, Job>();
      while (finished.size < accepted.length) {
        await sleep(250);
        for (const jobId of accepted) {
          if (finished.has(jobId)) continue;
          const job = (await store.jobs.get(jobId))!;
          if (isFinished(job)) finished.set(jobId, job);
        }
      }
      isOver = true;
      await killing;

      const { completed, failed, queued, running } = await store.jobs.counts();
      expect({ queued, running, ended: completed + failed }).toEqual({ queued: 0, running: 0, ended: accepted.length });
      const jobs = [...finished.values()];
      expect(jobs.filter(({ status }) => status === "failed").map(({ error }) => error)).toEqual([]);
      expect(new Set(jobs.map(({ bundle }) => bundle!.sha256)).size).toBe(1);
      for (const { jobId, bundle } of jobs) {
        expect(sha256OfFile(join(options.dataFolder, "objects", bundle!.objectKey))).toBe(bundle!.sha256);
        // A finished job does not change.
        expect(await store.jobs.get(jobId)).toEqual(finished.get(jobId));
      }
      const attempts = jobs.reduce((sum, { attempt }) => sum + attempt, 0);
      if (isSoak) console.log(`${jobs.length} jobs, ${killed} workers killed, ${attempts} attempts`);
    });
  },
);
