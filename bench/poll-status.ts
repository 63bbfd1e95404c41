// How long does a client that polls the status of a job wait, also while an export uses the processors?
//
//   node bench/poll-status.ts                      200 requests a second for 20 seconds
//   node bench/poll-status.ts --export ./docs      the same while "offprint export ./docs" runs in a loop, in the
//                                                  background, as a worker starts its exports
//   node bench/poll-status.ts --rate 400 --seconds 5
//
// The API runs in its own process over a SQLite file with 2,000 jobs, and a worker reports progress on one of them. Waiting
// time counts from when a request was due, so that a stalled server is charged for delayed requests. Prints one JSON line.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type * as Sandbox from "../src/lib/sandbox/fork-sandboxed.ts";
import { bundleModule } from "../test/support/bundle-module.ts";
import type { ServedForPolls } from "./serve-status.ts";

const { values } = parseArgs({
  options: {
    export: { type: "string" },
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "20" },
  },
});
const rate = Number(values.rate);
const seconds = Number(values.seconds);
const folder = mkdtempSync(join(tmpdir(), "offprint-bench-"));
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const sandbox: typeof Sandbox = await import(bundleModule(path("../src/lib/sandbox/fork-sandboxed.ts")));
const background = await sandbox.findBackground();
const server = spawn(process.execPath, [bundleModule(path("./serve-status.ts")), join(folder, "state.db")], {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
let exporting: ChildProcess | undefined;
let exportsDone = 0;
try {
  const [{ url, key, jobIds }] = (await once(server, "message")) as [ServedForPolls];
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const poll = (index: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    get(`${url}/v1/static-export/jobs/${jobIds[index % jobIds.length]}`, {
      agent,
      headers: { Authorization: `Bearer ${key}` },
    })
      .on("response", (response) => response.resume().on("end", () => resolve(response.statusCode!)))
      .on("error", reject);
    return promise;
  };
  for (let index = 0; index < 200; index += 1) await poll(index);
  if (values.export !== undefined) exportInLoop(values.export);

  const waits: number[] = [];
  const begun = performance.now();
  const answers: Promise<void>[] = [];
  for (let index = 0; index < rate * seconds; index += 1) {
    const due = begun + (index * 1000) / rate;
    const leftMs = due - performance.now();
    if (leftMs > 0) await sleep(leftMs);
    answers.push(
      poll(index).then((status) => {
        if (status !== 200) throw new Error(`A poll was answered with status ${status}.`);
        waits.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(answers);
  server.send("usage");
  const [usage] = (await once(server, "message")) as [object];
  const sorted = waits.toSorted((a, b) => a - b);
  const share = (part: number): number => Number(sorted[Math.floor((sorted.length - 1) * part)]!.toFixed(2));
  console.log(
    JSON.stringify({
      case: values.export === undefined ? "poll-status" : "poll-status-beside-export",
      requests: waits.length,
      perSecond: rate,
      p50Ms: share(0.5),
      p99Ms: share(0.99),
      p999Ms: share(0.999),
      worstMs: share(1),
      exportsDone,
      ...usage,
      node: process.version,
    }),
  );
  agent.destroy();
} finally {
  exporting?.removeAllListeners("exit");
  for (const child of [server, exporting]) await stop(child);
  rmSync(folder, { recursive: true, force: true });
}

/** Stops a process before its folder is removed. */
async function stop(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return;
  child.kill();
  await once(child, "exit");
}

function exportInLoop(site: string): void {
  const output = join(folder, "out");
  const args = [path("../dist/cli/main.js"), "export", site, "--output", output, "--no-cache", "--quiet"];
  const [command, ...words] = [...background.prefix, process.execPath, ...args];
  exporting = spawn(command!, words, { stdio: "ignore" }).on("exit", (code) => {
    if (code !== 0) throw new Error(`The export of ${site} exited with code ${code}.`);
    exportsDone += 1;
    exportInLoop(site);
  });
  sandbox.yieldToOthers(exporting.pid!);
}
