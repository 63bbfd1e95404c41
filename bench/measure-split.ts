// What does it cost to share a job among several workers? Prints the processor time of all of them, in percent of one
// worker that makes the job alone, as one JSON line.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "offprint/service";
import { waitUntil } from "../test/support/wait-until.ts";
import { createMeter } from "./processor-time.ts";

const [site, output, ...flags] = process.argv.slice(2);
if (site === undefined || output === undefined) throw new Error("usage: measure-split.ts <site> <data folder>");
const workerCount = Number(flags[0] ?? 4);
const script = fileURLToPath(new URL("../test/support/worker-process.ts", import.meta.url));
const domain = "docs.example.com";

/** Exports once, on machines that share nothing but the store. */
async function exportWith(workers: number) {
  const options = { dataFolder: join(output!, "data"), publicUrl: "http://127.0.0.1:1" };
  const store = await openStore(options);
  const { organizationId } = await store.accounts.organization("acme");
  const source = { kind: "folder", path: site! } as const;
  const { projectId } = await store.accounts.addProject({ organizationId, domain, source, deployment: "cloud" });
  let log = "";
  const processes = Array.from({ length: workers }, (_, machine) => {
    const [cacheFolder, workFolder] = [join(output!, `cache-${machine}`), join(output!, `work-${machine}`)];
    const own = { store: options, cacheFolder, workFolder, concurrency: 1, graceMs: 0, keepSpare: false };
    const worker = { ...own, splitAbove: workers > 1 ? 1 : 0 };
    const child = spawn(process.execPath, ["--no-warnings", script, JSON.stringify(worker)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    return child;
  });
  await waitUntil("all workers", async () => (await store.jobs.counts()).workers === workers, 60_000);
  const meters = processes.map(({ pid }) => createMeter(pid!));
  const started = performance.now();
  const created = await store.jobs.create({ organizationId, projectId, domain });
  const { jobId } = (created as { readonly job: { readonly jobId: string } }).job;
  const job = await waitUntil(
    "the end of the job",
    async () => {
      const now = await store.jobs.get(jobId);
      return now && ["completed", "failed"].includes(now.status) && now;
    },
    3_600_000,
  );
  const seconds = (performance.now() - started) / 1000;
  if (job.status !== "completed") throw new Error(JSON.stringify(job));
  const exited = processes.map((child) => once(child, "exit"));
  const eachMs = meters.map((meter) => meter.end());
  for (const child of processes) child.kill("SIGTERM");
  await Promise.all(exited);
  await store.close();
  rmSync(output!, { recursive: true });
  return { cpuMs: eachMs.reduce((sum, ms) => sum + ms, 0), eachMs, seconds, log, job };
}

const alone = await exportWith(1);
const shared = await exportWith(workerCount);
const aloneAgain = await exportWith(1);
if (new Set([alone, shared, aloneAgain].map(({ job }) => job.bundle!.sha256)).size > 1)
  throw new Error("The bundles differ.");
const aloneMs = (alone.cpuMs + aloneAgain.cpuMs) / 2;
console.log(
  JSON.stringify({
    pages: alone.job.pageCount,
    workers: workerCount,
    parts: shared.log.split('"part of a job made"').length - 1,
    aloneCpuMs: aloneMs,
    aloneSeconds: Number(((alone.seconds + aloneAgain.seconds) / 2).toFixed(1)),
    sharedCpuMs: shared.cpuMs,
    eachCpuMs: shared.eachMs,
    sharedSeconds: Number(shared.seconds.toFixed(1)),
    cpuPercent: Math.round((100 * shared.cpuMs) / aloneMs),
  }),
);
