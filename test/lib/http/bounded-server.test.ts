import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBoundedServer, type ServerLimits } from "../../../src/lib/http/index.js";
import { lazy } from "../../../src/lib/memo.js";
import { serveBundle } from "../../../src/serve/serve-bundle.js";
import { consoleApi } from "../../../src/service/http/index.js";
import { previewSite } from "../../preview/preview-site.js";
import { exportSmallSite } from "../../serve/small-site.js";
import { openApiWorld } from "../../support/api-world.js";
import { page } from "../../support/cli.js";
import { openConsoleWorld } from "../../support/console-world.js";
import { exchange, serve } from "../../support/raw-http.js";
import { answerWith, scriptedAssistant } from "../../support/scripted-assistant.js";
import { waitUntil } from "../../support/wait-until.js";

const bundle = lazy(() => exportSmallSite("Long text. ".repeat(20_000)));
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

interface Listener {
  readonly url: string;
  /** A request with a large response. */
  readonly request: string;
}

async function apiListener(limits: Partial<ServerLimits>): Promise<Listener> {
  const { url } = await serve(await openApiWorld(), limits);
  return { url, request: get("/openapi.json") };
}

async function consoleListener(limits: Partial<ServerLimits>): Promise<Listener> {
  const world = await openConsoleWorld();
  await world.person("ada@acme.com");
  const { url } = await serve({ api: consoleApi(world.console, [], () => {}) }, limits);
  return { url, request: get("/console/login") };
}

async function assistantListener(limits: Partial<ServerLimits>): Promise<Listener> {
  const texts = Array<string>(2000).fill("a".repeat(10_000));
  const world = await openApiWorld(
    {},
    {},
    scriptedAssistant(() => answerWith(...texts)),
  );
  const { secret } = await world.newKey({ kind: "assistant", scopes: [] });
  const { url } = await serve(world, limits);
  const body = JSON.stringify({ fp: "a", messages: [{ role: "user", content: "Which Node?" }] });
  const head =
    "POST /discovery/v1/assistant/docs.acme.com/message HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  return { url, request: `${head}Authorization: Bearer ${secret}\r\nContent-Length: ${body.length}\r\n\r\n${body}` };
}

async function serveListener(limits: Partial<ServerLimits>): Promise<Listener> {
  const { folder } = await bundle();
  const { url, close } = await serveBundle({ source: folder, port: 0, connectionLimits: limits });
  onTestFinished(close);
  return { url, request: get("/") };
}

async function previewListener(limits: Partial<ServerLimits>): Promise<Listener> {
  const files = {
    "docs.json": JSON.stringify({ theme: "mint", name: "Acme", navigation: { pages: ["index"] } }),
    "index.mdx": page("Start", "Long text. ".repeat(20_000)),
  };
  const { preview } = await previewSite(files, { limits });
  return { url: preview.url, request: get("/") };
}

const listeners = {
  "the API": apiListener,
  "the console": consoleListener,
  "the stream of the assistant": assistantListener,
  "offprint serve": serveListener,
  "offprint preview": previewListener,
};

interface Attacker {
  readonly socket: Socket;
  readonly received: () => string;
  /** Whether the server has ended the connection. */
  readonly ended: () => boolean;
}

/** Connects and, as long as the connection is open, sends `piece` every 20 ms, at most 1000 times. */
function attack(url: string, start: string, piece: string): Attacker {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace("localhost", "127.0.0.1"), port: Number(port), allowHalfOpen: true });
  let received = "";
  let ended = false;
  socket
    .on("error", () => {})
    .on("end", () => (ended = true))
    .on("close", () => (ended = true))
    .on("data", (data) => {
      received = (received + data.toString("latin1")).slice(0, 1000);
    });
  socket.write(start);
  let pieces = 0;
  const drip = setInterval(() => (socket.destroyed || ++pieces > 1000 ? clearInterval(drip) : socket.write(piece)), 20);
  onTestFinished(() => {
    clearInterval(drip);
    socket.destroy();
  });
  return { socket, received: () => received, ended: () => ended };
}

/** Connections of the server at that port that take a descriptor, of any state but LISTEN; those that it has closed have no inode. */
function heldConnections(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  const rows = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((row) => row.trim().split(/\s+/));
  return rows.filter(
    ([, local, , state, , , , , , inode]) => local?.endsWith(`:${port}`) && state !== "0A" && inode !== "0",
  ).length;
}

const patient = { headMs: 60_000, requestMs: 60_000, quietMs: 60_000, slowReadMs: 60_000 };

describe.each(Object.entries(listeners))("%s", (_, open) => {
  test("leaves connections to others while one address opens thirty that send nothing", async () => {
    const { url, request } = await open({ ...patient, connectionsPerAddress: 8 });
    const attackers = Array.from({ length: 30 }, () => attack(url, "", ""));
    await waitUntil("22 refused connections", () => attackers.filter(({ ended }) => ended()).length === 22);
    expect(heldConnections(url)).toBe(8);
    const { port } = new URL(url);
    const other = connect({ host: "127.0.0.1", port: Number(port), localAddress: "127.0.0.2" });
    other.write(request);
    expect(String((await once(other, "data"))[0])).toMatch(/^HTTP\/1\.1 200/);
    other.destroy();
  });

  test("closes the connections of clients that drip a head or a body, also if they never stop", async () => {
    const { url } = await open({ headMs: 200, requestMs: 400, lingerMs: 100 });
    const heads = Array.from({ length: 5 }, () => attack(url, "GET / HTTP/1.1\r\nHost: localhost\r\nX: ", "a"));
    const bodies = Array.from({ length: 5 }, () =>
      attack(url, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n", "a"),
    );
    const attackers = [...heads, ...bodies];
    await waitUntil("the end of all connections", () => attackers.every(({ ended }) => ended()));
    await waitUntil("no open connection", () => heldConnections(url) === 0);
    for (const { received } of heads) expect(received()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("closes the connection of a client that reads a byte now and then", async () => {
    const { url, request } = await open({ slowReadMs: 200, minReadBytesPerSecond: 10 ** 9 });
    const slow = attack(url, request, request.repeat(50));
    await once(slow.socket, "data");
    slow.socket.pause();
    const reading = setInterval(() => slow.socket.read(1), 50);
    onTestFinished(() => clearInterval(reading));
    await waitUntil("no open connection", () => heldConnections(url) === 0);
  });

  test.each([
    ["two Host headers", "Host: localhost\r\nHost: b"],
    ["an invalid Host header", "Host: local host/x"],
    ["an empty Host header", "Host:"],
  ])("answers %s with 400", async (_rule, hosts) => {
    const { url } = await open({});
    expect(await exchange(url, `GET / HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

/** Holds each response until the test ends. */
async function openHolding(options: Parameters<typeof createBoundedServer>[1]) {
  const held: ServerResponse[] = [];
  const server = createBoundedServer((_: IncomingMessage, outgoing) => void held.push(outgoing), options);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const ask = (client: string) => attack(url, `GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`, "");
  return { ask, held, url };
}

test("a slow connection of an address makes room for the next one, but a request in progress does not", async () => {
  const { ask, held, url } = await openHolding({ limits: { ...patient, connectionsPerAddress: 3 } });
  const inProgress = ask("192.0.2.1");
  await waitUntil("a request", () => held.length === 1);
  const slow = Array.from({ length: 6 }, () => attack(url, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n", ""));
  await waitUntil("4 closed connections", () => slow.filter(({ ended }) => ended()).length === 4);
  ask("192.0.2.1");
  await waitUntil("a second request", () => held.length === 2);
  ask("192.0.2.1");
  await waitUntil("a third request", () => held.length === 3);
  expect(slow.every(({ ended }) => ended())).toBe(true);
  const fourth = ask("192.0.2.1");
  await waitUntil("a refused connection", () => fourth.ended());
  expect([inProgress.ended(), held.length]).toEqual([false, 3]);
});

test("behind a trusted proxy, each client has its own share, and the proxy's connections have no bound", async () => {
  const { ask, held } = await openHolding({ trustedProxies: ["127.0.0.0/8"], limits: { connectionsPerAddress: 3 } });
  for (let client = 0; client < 5; client++) for (let i = 0; i < 3; i++) ask(`192.0.2.${client}`);
  await waitUntil("15 requests", () => held.length === 15);
  const fourth = ask("192.0.2.0");
  await waitUntil("an answer", () => fourth.received() !== "");
  expect(fourth.received()).toMatch(/^HTTP\/1\.1 429 .*Retry-After: 1\r\n.*too many requests in progress/s);
  held[0]!.end();
  await waitUntil("a free place", () => {
    if (held.length === 15) ask("192.0.2.0");
    return held.length > 15;
  });
});

test("X-Forwarded-For without a named proxy is reported once, and gives a client no further connections", async () => {
  const warnings: string[] = [];
  const { ask, held } = await openHolding({
    limits: { connectionsPerAddress: 3 },
    warn: (message) => void warnings.push(message),
  });
  const attackers = Array.from({ length: 6 }, (_, client) => ask(`192.0.2.${client}`));
  await waitUntil("3 refused connections", () => attackers.filter(({ ended }) => ended()).length === 3);
  expect(held.length).toBe(3);
  expect(warnings.toSorted()).toEqual([
    expect.stringContaining("A client address has reached its limit of connections"),
    expect.stringContaining("A request has X-Forwarded-For, but OFFPRINT_TRUSTED_PROXIES is empty"),
  ]);
});
