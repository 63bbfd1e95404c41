/**
 * `node markdown-process.js mdx|markdown BYTES MS <source >tree`: parses one text. It exits with code 2 and the reason
 * for a syntax error, and is killed when it exceeds its memory or processor time. Sätteri cannot be interrupted, so it
 * runs in a thread that the main thread watches.
 */

import { readFileSync, writeSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { attempt } from "../../../lib/attempt.js";
import { type MarkdownKind, serializedTree, spentLine } from "./parser-limits.js";

interface Reply {
  /** Otherwise the output is a syntax error. */
  readonly isTree: boolean;
  readonly output: Uint8Array | string;
}

function watch(): void {
  const kind = process.argv[2];
  const [maxBytes, maxMs] = process.argv.slice(3).map(Number) as [number, number];
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { kind, source: readFileSync(0, "utf8") },
    // As much as a page thread has.
    resourceLimits: { stackSizeMb: 64 },
  });
  const end = (limit: "memory" | "time" | ""): void => {
    clearInterval(timer);
    writeSync(2, `${limit}\n${spentLine(spentMs())}`);
    // Has no effect in a namespace, where the program that reads the limit kills this process.
    process.kill(process.pid, "SIGKILL");
  };
  const parent = process.ppid;
  // A new program starts with the peak of its parent.
  const ownPeak = Math.max(maxBytes, peakBytes() + maxBytes / 8);
  const timer = setInterval(() => {
    const bytes = currentBytes();
    if (bytes === undefined ? peakBytes() > ownPeak : bytes > maxBytes) end("memory");
    else if (spentMs() > maxMs) end("time");
    // The parent that waited for the tree is gone.
    else if (process.ppid !== parent) end("");
  }, 10);
  worker.on("message", (reply: Reply) => {
    clearInterval(timer);
    process.exitCode = reply.isTree ? 0 : 2;
    writeSync(2, spentLine(spentMs()));
    process.stdout.write(reply.output);
  });
}

function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const peakBytes = (): number => process.resourceUsage().maxRSS * 1024;

/** Undefined without /proc, which a namespace hides. */
const currentBytes = (): number | undefined => attempt(() => process.memoryUsage.rss());

async function parse(): Promise<void> {
  const { kind, source } = workerData as { kind: MarkdownKind; source: string };
  const satteri = await import("satteri");
  let reply: Reply;
  try {
    reply = { isTree: true, output: serializedTree(satteri, kind, source) };
  } catch (error) {
    reply = { isTree: false, output: (error as Error).message };
  }
  parentPort!.postMessage(reply);
}

if (isMainThread) watch();
else await parse();
