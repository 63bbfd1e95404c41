import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { listen } from "../../../src/service/http/index.js";
import { type ApiWorld, jobsPath, openApiWorld, publicUrl } from "../../support/api-world.js";
import { startLoopTimer } from "../../support/machine-time.js";
import { exchange, serve } from "../../support/raw-http.js";
import { waitUntil } from "../../support/wait-until.js";

const startHeaders = (key: string, idempotencyKey?: string) => ({
  Authorization: `Bearer ${key}`,
  "Content-Type": "application/json",
  ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
});

test("a hundred concurrent starts with one Idempotency-Key create one job and get the same response", async () => {
  const world = await openApiWorld();
  const { url } = await serve(world);
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const response = await fetch(url + jobsPath, {
        method: "POST",
        headers: startHeaders(world.key, "2f1c4b5e-8f0a-4d53-9a67-0d9a3c1c9f10"),
        body: JSON.stringify({ domain: "docs.acme.com" }),
      });
      return `${response.status} ${await response.text()}`;
    }),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatch(/^202 \{"jobId":"se_/);
  expect((await world.store.jobs.counts()).queued).toBe(1);
});

const body = JSON.stringify({ domain: "docs.acme.com" });
const head = (key: string, rest: string) =>
  `POST ${jobsPath} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\n${rest}\r\n\r\n`;

const wires: readonly [rule: string, pieces: (key: string) => string[], answer: RegExp][] = [
  [
    "a body with its length",
    (key) => [head(key, `Content-Length: ${body.length}`), body],
    /^HTTP\/1\.1 202 .*"queued"/s,
  ],
  [
    "a body in chunks",
    (key) => [
      head(key, "Transfer-Encoding: chunked"),
      `5\r\n${body.slice(0, 5)}\r\n`,
      `${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`,
    ],
    /^HTTP\/1\.1 202 .*"queued"/s,
  ],
  [
    "a body in chunks that grows too large",
    (key) => [head(key, "Transfer-Encoding: chunked"), `fff\r\n${" ".repeat(4095)}\r\n`],
    /^HTTP\/1\.1 413 .*\{"error":"The body exceeds the limit of 1000 bytes/s,
  ],
  [
    "a body that says it is too large",
    (key) => [head(key, "Content-Length: 99999999")],
    /^HTTP\/1\.1 413 .*\{"error":"The body exceeds the limit of 1000 bytes/s,
  ],
  [
    "a body that never ends",
    (key) => [head(key, "Content-Length: 500"), "{"],
    /^(HTTP\/1\.1 408 .*\{"error":"The request took too long to arrive)/s,
  ],
  [
    "a head that never ends",
    () => ["GET / HTTP/1.1\r\nHost: a\r\n"],
    /^HTTP\/1\.1 408 .*\{"error":"The request took too long/s,
  ],
  [
    "a head of 17 kB",
    (key) => [head(key, `X-Long: ${"a".repeat(17 * 1024)}`)],
    /^HTTP\/1\.1 431 .*\{"error":"The request headers are too large/s,
  ],
  [
    "two lengths",
    (key) => [head(key, "Content-Length: 5\r\nContent-Length: 6")],
    /^HTTP\/1\.1 400 .*\{"error":"The request is not valid HTTP/s,
  ],
  [
    "a length and chunks, which two servers would read as two requests",
    (key) => [head(key, "Content-Length: 5\r\nTransfer-Encoding: chunked")],
    /^HTTP\/1\.1 400 .*\{"error":"The request is not valid HTTP/s,
  ],
  ["no HTTP", () => ["\x16\x03\x01\r\n\r\n"], /^HTTP\/1\.1 400 .*\{"error":"The request is not valid HTTP/s],
  [
    "a Host that is none",
    () => ["GET /healthz HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n"],
    /^HTTP\/1\.1 400 .*\{"error":"The request is not valid HTTP/s,
  ],
];
for (const [rule, pieces, answer] of wires)
  test(`${rule} is answered ${answer.source.slice(0, 18).replace(/\\/g, "")}`, async () => {
    const world = await openApiWorld({ maxBodyBytes: 1000 });
    const { url } = await serve(world, { headMs: 1500, requestMs: 3000 });
    expect(await exchange(url, ...pieces(world.key))).toMatch(answer);
  });

test("more connections than allowed are closed at once", async () => {
  const { url } = await serve(await openApiWorld(), { maxConnections: 2 });
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  for (let index = 0; index < 2; index += 1) {
    sockets.push(connect(Number(port), hostname));
    await once(sockets[index]!, "connect");
  }
  expect(await exchange(url, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")).toBe("");
  for (const socket of sockets) socket.destroy();
});

test("a client that stops reading during a download is disconnected", async () => {
  const world = await openApiWorld();
  const { url } = await serve(world, { quietMs: 300 });
  const jobId = await world.completedJob("a".repeat(32 * 1024 * 1024));
  const { json } = await world.call("POST", `${jobsPath}/${jobId}/bundle`, { key: world.key });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  let bytes = 0;
  socket.on("data", (piece) => {
    bytes += piece.length;
  });
  socket.write(`GET ${json.bundleUrl.replace(publicUrl, "")} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await once(socket, "data");
  socket.pause();
  await sleep(1500);
  socket.resume();
  await once(socket, "close");
  expect(bytes).toBeLessThan(32 * 1024 * 1024);
});

test("a key's allowed addresses apply to the connection's address", async () => {
  const world = await openApiWorld();
  const { url } = await serve(world);
  const status = async (range: string) => {
    const { secret } = await world.newKey({ allowedAddresses: [range] });
    return (await fetch(url + jobsPath, { headers: { Authorization: `Bearer ${secret}` } })).status;
  };
  expect([await status("127.0.0.1"), await status("203.0.113.9")]).toEqual([200, 403]);
});

const metricsToken = "a-token-for-the-metrics";

/** Waits until as many requests wait for a change of their job. */
const untilWaiting = (world: ApiWorld, count: number): Promise<true> =>
  waitUntil(`${count} waiting requests`, async () => {
    const { text } = await world.call("GET", "/metrics", { key: metricsToken });
    return new RegExp(`^offprint_http_waiting_requests ${count}$`, "m").test(text);
  });

test("closing answers waiting requests, ends idle connections, and accepts no new ones", async () => {
  const world = await openApiWorld({ metricsToken });
  const server = await serve(world);
  const headers = { Authorization: `Bearer ${world.key}` };
  const jobId = await world.startJob();
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const waiting = fetch(`${server.url}${jobsPath}/${jobId}?wait=60`, { headers });
  await untilWaiting(world, 1);
  const spent = startLoopTimer();
  await server.close();
  expect(spent()).toBeLessThan(2000);
  expect(((await (await waiting).json()) as { status: string }).status).toBe("queued");
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
});

test("closing destroys connections that stay busy", async () => {
  const world = await openApiWorld();
  const server = await serve(world, {}, { closeMs: 200 });
  const answer = exchange(server.url, head(world.key, "Content-Length: 500"), "{");
  await sleep(100);
  await server.close();
  expect(await answer).toBe("");
});

test("the long poll of a disconnected client ends", async () => {
  const world = await openApiWorld({ metricsToken });
  const { url } = await serve(world);
  const jobId = await world.startJob();
  const gone = new AbortController();
  const headers = { Authorization: `Bearer ${world.key}` };
  const waiting = fetch(`${url}${jobsPath}/${jobId}?wait=60`, { headers, signal: gone.signal }).catch(() => {});
  await untilWaiting(world, 1);
  gone.abort();
  await waiting;
  await untilWaiting(world, 0);
});

test("a signal closes the server, and a port in use is an error", async () => {
  const world = await openApiWorld();
  const stop = new AbortController();
  const { url } = await listen({ api: world.api, port: 0, host: "127.0.0.1", signal: stop.signal });
  const port = Number(new URL(url).port);
  await expect(listen({ api: world.api, port, host: "127.0.0.1" })).rejects.toThrow(
    `The API cannot listen on 127.0.0.1:${port}. Choose another port or address.`,
  );
  stop.abort();
  await expect
    .poll(() =>
      fetch(`${url}/healthz`).then(
        () => "answers",
        () => "gone",
      ),
    )
    .toBe("gone");
});
