import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { bundleModule } from "../../support/bundle-module.js";

test.skipIf(process.platform !== "linux")("a thread that lowers its priority leaves that of the process", () => {
  const address = pathToFileURL(
    bundleModule(new URL("../../../src/lib/queue/lower-priority.ts", import.meta.url).pathname),
  ).href;
  const script = `
    const { Worker } = require("node:worker_threads");
    const os = require("node:os");
    const task = 'import("${address}").then(({ lowerThreadPriority }) => { lowerThreadPriority();' +
      'const tid = Number(require("node:fs").readlinkSync("/proc/thread-self").replace(/.*\\\\//, ""));' +
      'require("node:worker_threads").parentPort.postMessage(require("node:os").getPriority(tid)) })';
    new Worker(task, { eval: true }).once("message", (priority) => console.log(priority, os.getPriority()));`;
  const before = execFileSync(process.execPath, ["-e", "console.log(require('node:os').getPriority())"]);
  const [thread, own] = execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })
    .trim()
    .split(" ")
    .map(Number);
  expect(own).toBe(Number(String(before)));
  expect(thread).toBe(19);
});
