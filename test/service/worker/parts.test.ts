import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeSyntheticSite } from "../../../bench/synthetic-site.js";
import { isFinished, type Job, type JobRules } from "../../../src/service/jobs/index.js";
import { openStore, type Store, type StoreOptions } from "../../../src/service/open-store.js";
import { runServiceWorker } from "../../../src/service/run-service-worker.js";
import { temporaryFolder } from "../../support/cli.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { emptyDatabase } from "../../support/postgres.js";
import { startSwift } from "../../support/swift.js";
import { waitUntil } from "../../support/wait-until.js";
import { startWorkerProcess, type WorkerProcess } from "../../support/worker-processes.js";

/** Parts of the job that a worker says it took, or rendered. */
const partsOf = (worker: WorkerProcess, what: "took" | "rendered"): number[] =>
  worker
    .log()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line)] : []))
    .flatMap(({ message, part }) => (message === `${what} a part of a job` ? [part] : []));

/** How many pages the job's own worker has made. */
async function pagesMadeFor({ jobId }: Job, store: Store): Promise<number> {
  const { lines } = await store.jobs.log(jobId, { limit: 100 });
  return Number(/rendered: (\d+)/.exec(lines.map(({ message }) => message).join("\n"))![1]);
}

/** The part that a worker is at, once it has made another one. */
function secondPart(worker: WorkerProcess): number | undefined {
  const made = partsOf(worker, "rendered");
  return made.length === 0 ? undefined : partsOf(worker, "took").find((part) => !made.includes(part));
}

/** A store with a site, and the hash of its bundle if one process makes it. */
async function prepare(pageCount: number, rules: Partial<JobRules>, more: Partial<StoreOptions>) {
  const folder = temporaryFolder();
  const site = join(folder, "site");
  writeSyntheticSite(site, pageCount);
  const baseUrl = "https://docs.acme.com";
  const started = performance.now();
  const { archive } = await exportInProcess({ source: site, archive: join(folder, "own.tar.gz"), baseUrl });
  const aloneMs = Math.round(performance.now() - started);
  const options = { dataFolder: join(folder, "data"), publicUrl: "http://127.0.0.1:1", rules, ...more };
  const store = await openStore(options);
  onTestFinished(() => store.close());
  const { organizationId } = await store.accounts.organization("acme");
  const source = { kind: "folder", path: site } as const;
  const domain = "docs.acme.com";
  const { projectId } = await store.accounts.addProject({ organizationId, domain, source, deployment: "cloud" });
  let machines = 0;
  const folders = () => {
    machines++;
    return { cacheFolder: join(folder, `cache-${machines}`), workFolder: join(folder, `work-${machines}`) };
  };
  return {
    store,
    sha256: archive!.sha256,
    aloneMs,
    /** A separate machine: it shares only the store. */
    folders,
    startWorker: (splitAbove: number): WorkerProcess =>
      startWorkerProcess({ store: options, ...folders(), concurrency: 1, graceMs: 0, splitAbove }),
    async startJob(): Promise<string> {
      const created = await store.jobs.create({ organizationId, projectId, domain });
      return (created as { readonly job: Job }).job.jobId;
    },
  };
}

/** Polls a job until it ends; its progress never falls. */
async function endOf(
  store: Store,
  jobId: string,
  pageCount: number,
  timeoutMs?: number,
  poll = () => {},
): Promise<Job> {
  let [progress, pages] = [0, 0];
  return waitUntil(
    "the end of the job",
    async () => {
      const job = (await store.jobs.get(jobId))!;
      expect(job.progress).toBeGreaterThanOrEqual(progress);
      expect(job.pageCount).toBeGreaterThanOrEqual(pages);
      expect(job.pageCount).toBeLessThanOrEqual(pageCount);
      [progress, pages] = [job.progress, job.pageCount];
      poll();
      return isFinished(job) && job;
    },
    timeoutMs,
  );
}

test("two workers share an export through the store; if one is killed, only a part is made again", async () => {
  const pageCount = 60;
  const { store, sha256, folders, startWorker, startJob } = await prepare(pageCount, { leaseMs: 5000 }, {});
  const stop = new AbortController();
  const lines: string[] = [];
  let helper: WorkerProcess | undefined;
  let killed: number | undefined;
  // The job's own worker continues once the other one has died.
  const owner = runServiceWorker({
    ...folders(),
    concurrency: 1,
    splitAbove: 30,
    exportPriority: "normal",
    keepSpare: false,
    signal: stop.signal,
    log: (_, message) => void lines.push(message),
    store: {
      ...store,
      jobs: {
        ...store.jobs,
        async counts() {
          helper ??= startWorker(30);
          return waitUntil("two workers", async () => {
            const counts = await store.jobs.counts();
            return counts.workers === 2 && counts;
          });
        },
      },
      shards: {
        ...store.shards,
        async next(lease) {
          if (killed === undefined) {
            killed = await waitUntil("the second part of the other worker", () => secondPart(helper!));
            helper!.kill("SIGKILL");
          }
          return store.shards.next(lease);
        },
      },
    },
  });
  onTestFinished(async () => {
    stop.abort();
    await owner;
  });
  const job = await endOf(store, await startJob(), pageCount);
  expect(job).toMatchObject({ status: "completed", attempt: 1, pageCount });
  expect(job.bundle!.sha256).toBe(sha256);
  expect(lines.filter((line) => line === "job split")).toHaveLength(1);
  expect(partsOf(helper!, "rendered")).not.toContain(killed);
  expect(await pagesMadeFor(job, store)).toBeLessThan(pageCount);
});

async function s3Store(): Promise<NonNullable<StoreOptions["s3"]>> {
  const { endpoint, region, credentials, stop } = await startSwift();
  onTestFinished(stop);
  const { CreateBucketCommand, S3Client } = await import("@aws-sdk/client-s3");
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: "exports" }));
  return { bucket: "exports", endpoint, region, credentials, forcePathStyle: true };
}

/** In `npm run soak`. OFFPRINT_PARTS_PAGES: another number of pages. */
const largePages = Number(process.env["OFFPRINT_PARTS_PAGES"] ?? 16_000);
test.runIf(process.env["OFFPRINT_SOAK"] === "1")(
  "four workers share a large export on PostgreSQL and S3, and one is killed",
  { timeout: 60 * 60_000 },
  async () => {
    const databaseUrl = await emptyDatabase();
    const prepared = await prepare(largePages, { leaseMs: 10_000 }, { databaseUrl, s3: await s3Store() });
    const { store, sha256, aloneMs } = prepared;
    const workers = Array.from({ length: 4 }, () => prepared.startWorker(Math.ceil(largePages / 8)));
    await waitUntil("all workers", async () => (await store.jobs.counts()).workers === 4);
    const started = performance.now();
    let killed: { readonly worker: WorkerProcess; readonly part: number } | undefined;
    const job = await endOf(store, await prepared.startJob(), largePages, 55 * 60_000, () => {
      for (const worker of killed ? [] : workers) {
        const part = secondPart(worker);
        if (part === undefined) continue;
        worker.kill("SIGKILL");
        killed = { worker, part };
        break;
      }
    });
    expect(job).toMatchObject({ status: "completed", attempt: 1, pageCount: largePages });
    expect(job.bundle!.sha256).toBe(sha256);
    const made = workers.map((worker) => partsOf(worker, "rendered"));
    // A part that has been made is not made again.
    expect(new Set(made.flat()).size).toBe(made.flat().length);
    expect(partsOf(killed!.worker, "rendered")).not.toContain(killed!.part);
    // Parts differ little in size.
    const shareOfOthers = made.flat().length / (4 * workers.length);
    expect(await pagesMadeFor(job, store)).toBeLessThan(largePages * (1.05 - shareOfOthers));
    console.log(
      `${largePages} pages: one process ${aloneMs} ms, four workers ${Math.round(performance.now() - started)} ms; ` +
        `parts made by others: ${made.map((parts) => parts.length).join(", ")}; killed in part ${killed!.part}`,
    );
  },
);
