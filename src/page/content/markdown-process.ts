/**
 * `node markdown-process.js mdx|markdown BYTES MS <source >tree`: parses one text. It ends with code 2 and the reason for a
 * fault of syntax, and is killed once it takes more memory or processor time. Sätteri cannot be interrupted, so it runs in
 * a thread that the main thread watches.
 */
import { readFileSync, writeSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type MarkdownKind, serializedTree } from "./serialized-tree.js";

interface Reply {
  /** Otherwise the output is a fault of syntax. */
  readonly isTree: boolean;
  readonly output: Uint8Array | string;
}

function watch(): void {
  const [kind, maxBytes, maxMs] = process.argv.slice(2);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { kind, source: readFileSync(0, "utf8") },
    // As much as the thread of a page has.
    resourceLimits: { stackSizeMb: 64 },
  });
  const end = (limit: "memory" | "time" | ""): void => {
    writeSync(2, limit);
    process.kill(process.pid, "SIGKILL");
  };
  const parent = process.ppid;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (process.memoryUsage.rss() > Number(maxBytes)) end("memory");
    else if ((user + system) / 1000 > Number(maxMs)) end("time");
    // Nobody waits for the tree.
    else if (process.ppid !== parent) end("");
  }, 10);
  worker.on("message", (reply: Reply) => {
    clearInterval(timer);
    process.exitCode = reply.isTree ? 0 : 2;
    process.stdout.write(reply.output);
  });
}

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
