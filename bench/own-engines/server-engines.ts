import { hash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { Agent, createServer, get, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import send from "send";
import { Connections, guardedBytes } from "../../src/lib/fetch/index.js";
import { createBoundedServer } from "../../src/lib/http/index.js";
import { createWorkerPool } from "../../src/lib/queue/worker-pool.js";
import { sendFile } from "../../src/serve/answer.js";
import { createContentCache } from "../../src/serve/content-cache.js";
import { bundleModule } from "../../test/support/bundle-module.js";
import { type Engine, requireSame } from "./engine.ts";

const requests = 2_000;
const pageBytes = 32 * 1024;

/** Sends the requests one after the other on one connection, and returns the text of the last answer. */
async function ask(server: Server, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let text = "";
  for (let i = 0; i < requests; i++)
    text = await new Promise<string>((resolve, reject) => {
      get(urlOf(server), { agent, headers }, (answer) => {
        let body = "";
        answer.setEncoding("latin1").on("data", (part: string) => (body += part));
        answer.on("end", () => resolve(`${answer.statusCode} ${body}`));
      }).on("error", reject);
    });
  agent.destroy();
  return text;
}

function listen(server: Server): Promise<Server> {
  // The process ends with the measurement.
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.unref())));
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`;

/** A page of 32 kB from a folder. The client is part of both figures. */
export async function ranges(_: readonly string[], folder: string): Promise<Engine> {
  const path = join(folder, "page.html");
  const content = randomBytes(pageBytes / 2).toString("hex");
  writeFileSync(path, content);
  const file = {
    path,
    bytes: content.length,
    sha256: hash("sha256", content, "hex"),
    isCompressible: true,
    headers: ["content-type", "text/html; charset=utf-8"],
  };
  const cache = createContentCache(1024 * 1024);
  const ourServer = await listen(
    createServer((request, response) => void sendFile(request, response, { file, cache, status: 200 })),
  );
  const theirServer = await listen(
    createServer((request, response) => void send(request, "page.html", { root: folder }).pipe(response)),
  );
  return {
    library: "send",
    unit: "requests",
    count: requests,
    async compare() {
      for (const range of ["bytes=0-99", "bytes=100-", "bytes=-5"])
        requireSame("part", await ask(ourServer, { range }), await ask(theirServer, { range }));
    },
    ours: () => ask(ourServer),
    theirs: () => ask(theirServer),
  };
}

const answer: RequestListener = (_, response) => response.end("x".repeat(pageBytes));

/** Requests to another host, whose address ours checks. The server is part of both figures. */
export async function fetching(): Promise<Engine> {
  const server = await listen(createServer(answer));
  const url = urlOf(server);
  const connections = new Connections();
  const ours = async () => {
    let bytes = 0;
    for (let i = 0; i < requests; i++) {
      const outcome = await guardedBytes(url, { allowPrivate: true, connections });
      if (!outcome.ok) throw new Error(outcome.reason);
      bytes += outcome.bytes.length;
    }
    return bytes;
  };
  const theirs = async () => {
    let bytes = 0;
    for (let i = 0; i < requests; i++) bytes += (await (await fetch(url)).arrayBuffer()).byteLength;
    return bytes;
  };
  return {
    library: "undici, as Node has it",
    unit: "requests",
    count: requests,
    compare: async () => requireSame("size", await ours(), await theirs()),
    ours,
    theirs,
  };
}

/** The cost of limiting connections for a request: no library limits them. The client is part of both figures. */
export async function limits(): Promise<Engine> {
  const [bounded, bare] = await Promise.all([listen(createBoundedServer(answer)), listen(createServer(answer))]);
  return {
    library: "node:http without limits",
    unit: "requests",
    count: requests,
    compare: async () => requireSame("answer", await ask(bounded), await ask(bare)),
    ours: () => ask(bounded),
    theirs: () => ask(bare),
  };
}

/**
 * Short tasks for two threads, which are started before. The reference has neither a queue nor deadlines: it sends each thread
 * all its tasks at once. Libraries are in between.
 */
export async function threads(_: readonly string[], folder: string): Promise<Engine> {
  const inputs = Array.from({ length: 5_000 }, (_, i) => ({ do: "double", value: i }));
  const script = bundleModule(join(process.cwd(), "test/lib/queue/task-worker.ts"), {
    outfile: join(folder, "task-worker.mjs"),
    withPackages: true,
  });
  const pool = createWorkerPool<(typeof inputs)[0], number>({
    script: pathToFileURL(script),
    workerData: {},
    size: 2,
    deadlineMs: 60_000,
  });
  const echo =
    'const { parentPort } = require("node:worker_threads"); parentPort.on("message", ({ at, value }) => parentPort.postMessage({ at, result: value * 2 }));';
  const workers = [0, 1].map(() => new Worker(echo, { eval: true }));
  const ours = () =>
    Promise.all(inputs.map(async (input) => ((await pool.run(input)) as { readonly result: number }).result));
  const theirs = () =>
    new Promise<number[]>((resolve) => {
      const results: number[] = [];
      let left = inputs.length;
      for (const worker of workers)
        worker.removeAllListeners("message").on("message", ({ at, result }) => {
          results[at] = result;
          if (--left === 0) resolve(results);
        });
      for (const [at, { value }] of inputs.entries()) workers[at % 2]!.postMessage({ at, value });
    });
  return {
    library: "worker_threads alone",
    unit: "tasks",
    count: inputs.length,
    compare: async () => requireSame("results", await ours(), await theirs()),
    ours,
    theirs,
    close: () => Promise.all([pool.close(), ...workers.map((worker) => worker.terminate())]),
  };
}
