// Starts the service from the command line with one site and prints one JSON line: how long a client waits from its
// request to the completed job, and how long a poll of the status takes meanwhile.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [source, output] = process.argv.slice(2);
if (source === undefined || output === undefined) throw new Error("usage: measure-service.ts <site> <data folder>");
mkdirSync(output);

const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const args = [cli, "service", "--port", "0", "--data", output, "--site", `docs.example.com=${source}`];
const started = performance.now();
const service = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
let stdout = "";
service.stdout.setEncoding("utf8").on("data", (text: string) => {
  stdout += text;
});
while (!/OFFPRINT_KEY=\S+\n/.test(stdout)) await once(service.stdout, "data");
const startMs = performance.now() - started;
const jobs = `${/listens on (\S+)/.exec(stdout)![1]}/v1/static-export/jobs`;
const headers = {
  authorization: `Bearer ${/OFFPRINT_KEY=(\S+)/.exec(stdout)![1]}`,
  "content-type": "application/json",
};

interface Status {
  readonly jobId: string;
  readonly status: string;
  readonly pageCount: number;
}

/** Exports once, polling ten times a second. `ms` is the time from the request to the answer "completed". */
async function exportOnce(): Promise<{ readonly ms: number; readonly pages: number; readonly pollMs: number[] }> {
  const pollMs: number[] = [];
  const begun = performance.now();
  const body = JSON.stringify({ domain: "docs.example.com" });
  const { jobId } = (await (await fetch(jobs, { method: "POST", headers, body })).json()) as Status;
  for (;;) {
    const asked = performance.now();
    const job = (await (await fetch(`${jobs}/${jobId}`, { headers })).json()) as Status;
    pollMs.push(performance.now() - asked);
    if (job.status === "completed") return { ms: performance.now() - begun, pages: job.pageCount, pollMs };
    if (job.status === "failed") throw new Error(JSON.stringify(job));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const cold = await exportOnce();
const warm = [];
for (let i = 0; i < 5; i++) warm.push(await exportOnce());
service.kill("SIGTERM");
await once(service, "exit");

const round = (ms: number): number => Math.round(ms * 10) / 10;
const sorted = warm.map(({ ms }) => ms).toSorted((a, b) => a - b);
const polls = warm.flatMap(({ pollMs }) => pollMs).toSorted((a, b) => a - b);
console.log(
  JSON.stringify({
    pages: cold.pages,
    startMs: round(startMs),
    firstMs: round(cold.ms),
    requestToCompletedMs: round(sorted[2]!),
    slowestMs: round(sorted.at(-1)!),
    pollMedianMs: round(polls[Math.floor(polls.length / 2)]!),
    pollWorstMs: round(polls.at(-1)!),
    node: process.version,
  }),
);
