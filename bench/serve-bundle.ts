// How many requests a second does `offprint serve` answer, and how long do they take?
//
//   node bench/serve-bundle.ts ./out                 all pages of a bundle in turn, compressed, 16 connections, 5 runs of 2 s
//   node bench/serve-bundle.ts ./out --plain         the same, not compressed
//   node bench/serve-bundle.ts ./out --unchanged     conditional requests: each answer is 304
//   node bench/serve-bundle.ts ./out --count         with and without counting page views, in turns
//   node bench/serve-bundle.ts ./out --ingest 20000  the same at 500 requests a second, for 20 turns; while the counting
//                                                    server is measured, another process counts 20,000 views a second
//                                                    in the same database
//
// The server is the built command in its own process. The client uses plain sockets, since Node's HTTP client would take
// longer than the server. Prints one JSON line with the medians and the spread over the runs.
import { execFileSync, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Manifest } from "offprint";
import { bundleModule } from "../test/support/bundle-module.ts";

const { values, positionals } = parseArgs({
  options: {
    plain: { type: "boolean" },
    unchanged: { type: "boolean" },
    count: { type: "boolean" },
    ingest: { type: "string" },
  },
  allowPositionals: true,
});
const [bundle = "out"] = positionals;
const connections = 16;
const isPaced = values.ingest !== undefined;
const runs = isPaced ? 20 : 5;
const runMs = 2000;
/** Milliseconds between two requests of a connection; 0: each follows the previous answer. */
const everyMs = isPaced ? (connections * 1000) / 500 : 0;

const { files } = JSON.parse(readFileSync(join(bundle, "offprint.json"), "utf8")) as Manifest;
const pages = files.filter(({ path }) => path.endsWith(".html") && path !== "404.html" && !isRedirect(path));
const data = mkdtempSync(join(tmpdir(), "offprint-bench-"));
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const counting = ["--count", "docs.example.com", "--service-data", join(data, "service")];
const servers = await Promise.all((values.count || isPaced ? [[], counting] : [[]]).map(startServer));
const ingest = isPaced ? await startIngest(values.ingest!) : undefined;
try {
  const requests = pages.map(({ path, sha256 }) => requestFor(path, sha256));
  const status = values.unchanged ? 304 : 200;
  for (const { port } of servers) await run(port, requests, status, 1000);
  // In turns, so that other work on the machine slows all of them.
  for (let i = 0; i < runs; i++)
    for (const { port, measured, isCounting } of i % 2 === 0 ? servers : servers.toReversed()) {
      const counted = isCounting ? ingest?.during(runMs) : undefined;
      measured.push(await run(port, requests, status, runMs));
      await counted;
    }
  for (const { process: server, measured, isCounting } of servers) {
    const rates = measured.map(({ rate }) => rate).toSorted((a, b) => a - b);
    console.log(
      JSON.stringify({
        pages: pages.length,
        connections,
        answer: values.unchanged ? "304" : values.plain ? "plain" : "br",
        ...(servers.length > 1 && { isCounting }),
        requestsPerSecond: rates[Math.floor(runs / 2)],
        spread: [rates[0], rates.at(-1)],
        p50Ms: median(measured.map(({ p50 }) => p50)),
        p99Ms: median(measured.map(({ p99 }) => p99)),
        serverMegabytes: memoryOf(server.pid!),
        node: process.version,
      }),
    );
  }
  if (ingest) console.log(JSON.stringify(ingestSummary(ingest.rates)));
} finally {
  ingest?.stop();
  for (const { process: server } of servers) server.kill("SIGKILL");
  rmSync(data, { recursive: true, force: true });
}

async function startServer(more: readonly string[], index: number) {
  const isCounting = more.length > 0;
  if (isCounting) {
    const site = ["--git", "https://git.example.com/docs.git", "--data", join(data, "service")];
    execFileSync(process.execPath, [cli, "site", "add", "docs.example.com", ...site], { stdio: "ignore" });
  }
  const options = ["--port", "0", "--data", join(data, String(index)), ...more];
  const server = spawn(process.execPath, [cli, "serve", bundle, ...options], { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  while (!stderr.includes("Serving")) stderr += String((await once(server.stderr, "data"))[0]);
  server.stderr.resume();
  const port = Number(/:(\d+)\/"/.exec(stderr)![1]);
  return { process: server, port, isCounting, measured: [] as Measured[] };
}

/** Another process that counts views of the site, on demand. */
async function startIngest(rate: string) {
  const script = bundleModule(fileURLToPath(new URL("./ingest-views.ts", import.meta.url)));
  const child = fork(script, [join(data, "service", "offprint.db"), "docs.example.com", rate]);
  await once(child, "message");
  const rates: number[] = [];
  return {
    rates,
    async during(ms: number): Promise<void> {
      child.send(ms);
      const [{ hitsPerSecond, stored, made }] = await once(child, "message");
      if (stored !== made) throw new Error(`Of ${made} views, ${stored} are stored.`);
      rates.push(hitsPerSecond);
    },
    stop: () => void child.kill("SIGKILL"),
  };
}

/** The ratio is that of all turns together: ten requests make the p99 of one turn. */
function ingestSummary(rates: readonly number[]) {
  const [plain, counting] = servers.map(({ measured }) => measured) as [Measured[], Measured[]];
  const ratios = counting.map(({ p99 }, turn) => Number((p99 / plain[turn]!.p99).toFixed(2)));
  const sorted = ratios.toSorted((a, b) => a - b);
  const [plainMs, countingMs] = [plain, counting].map((turns) =>
    quantile(
      turns.flatMap(({ waits }) => waits),
      0.99,
    ),
  ) as [number, number];
  return {
    hitsPerSecond: median(rates),
    minHitsPerSecond: Math.min(...rates),
    p99Ms: { plain: plainMs, counting: countingMs },
    p99Ratio: Number((countingMs / plainMs).toFixed(2)),
    ratioOfTurns: median(ratios),
    ratios: sorted,
  };
}

function isRedirect(path: string): boolean {
  return readFileSync(join(bundle, path), "utf8").includes('http-equiv="refresh"');
}

function requestFor(path: string, sha256: string): string {
  const address = encodeURI(path.replace(/(?:index)?\.html$/, ""));
  const lines = [`GET /${address} HTTP/1.1`, "Host: localhost"];
  lines.push("User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");
  if (!values.plain) lines.push("Accept-Encoding: gzip, deflate, br");
  if (values.unchanged) lines.push(`If-None-Match: "${sha256.slice(0, 32)}${values.plain ? "" : "-br"}"`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

type Measured = Awaited<ReturnType<typeof run>>;

/** On each connection, sends requests one after the other, each after the previous answer. */
async function run(port: number, requests: readonly string[], status: number, durationMs: number) {
  const waits: number[] = [];
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: connections }, (_, index) => sendRequests(port, requests, index, status, durationMs, waits)),
  );
  const seconds = (performance.now() - begun) / 1000;
  return { waits, rate: Math.round(waits.length / seconds), p50: quantile(waits, 0.5), p99: quantile(waits, 0.99) };
}

function quantile(waits: readonly number[], share: number): number {
  const sorted = waits.toSorted((a, b) => a - b);
  return Number(sorted[Math.floor(sorted.length * share)]!.toFixed(2));
}

function sendRequests(
  port: number,
  requests: readonly string[],
  first: number,
  status: number,
  durationMs: number,
  waits: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const end = performance.now() + durationMs;
    let next = first;
    let dueAt = performance.now() + (everyMs * first) / connections;
    /** A late answer counts for the requests that wait for it, too; a late timer of this process does not count. */
    let waitsSince = dueAt;
    let received: Buffer = Buffer.alloc(0);
    const send = (since: number): void => {
      waitsSince = since;
      socket.write(requests[next++ % requests.length]!);
    };
    const sendNext = (): void => {
      const early = everyMs === 0 ? 0 : dueAt - performance.now();
      if (early > 0) setTimeout(() => send(performance.now()), early);
      else send(everyMs === 0 ? performance.now() : dueAt);
    };
    socket
      .once("connect", sendNext)
      .once("error", reject)
      .once("close", () => resolve());
    socket.on("data", (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const head = received.indexOf("\r\n\r\n");
      if (head < 0) return;
      const text = received.toString("latin1", 0, head);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (received.length < head + 4 + length) return;
      if (!text.startsWith(`HTTP/1.1 ${status} `)) return reject(new Error(`Expected status ${status}: ${text}`));
      waits.push(performance.now() - waitsSince);
      received = Buffer.alloc(0);
      dueAt += everyMs;
      if (performance.now() < end) sendNext();
      else socket.destroy();
    });
  });
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

function memoryOf(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024);
}
