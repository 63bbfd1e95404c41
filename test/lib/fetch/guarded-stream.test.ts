import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guardedFetch, guardedStream, type Network } from "../../../src/lib/fetch/index.js";
import { startLoopTimer } from "../../support/machine-time.js";

let server: Server;
let base = "";
let latest: {
  response: ServerResponse;
  body: string;
  headers: NodeJS.Dict<string | string[]>;
  closed: Promise<unknown>;
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const closed = once(response, "close");
      latest = { response, body: Buffer.concat(chunks).toString(), headers: request.headers, closed };
      const [, status = "200"] = /^\/(\d{3})/.exec(request.url!) ?? [];
      const headers =
        request.url === "/gzip" ? { "content-encoding": "gzip" } : { "content-type": "text/event-stream" };
      response.writeHead(Number(status), { ...headers, location: "/200" }).write("one ");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const options = { headers: { "x-a": "b" }, body: "é", maxBytes: 1000, timeoutMs: 20_000, allowPrivate: true };
const post = (path: string, more: Partial<typeof options> = {}, signal?: AbortSignal): Promise<Response> =>
  guardedStream(base + path, { ...options, ...more }, signal);
const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();

test("an answer is read while it arrives", async () => {
  const response = await post("/");
  expect(latest).toMatchObject({ body: "é", headers: { "x-a": "b", "accept-encoding": "identity" } });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const reader = response.body!.getReader();
  expect(text((await reader.read()).value)).toBe("one ");
  latest.response.end("two");
  expect(text((await reader.read()).value)).toBe("two");
  expect(await reader.read()).toMatchObject({ done: true });
});

for (const status of [307, 401, 500])
  test(`an answer with status ${status} is passed on`, async () => {
    const response = await post(`/${status}`);
    latest.response.end("wrong key");
    expect([response.status, await response.text()]).toEqual([status, "one wrong key"]);
  });

test("an abort closes the connection at once", async () => {
  const controller = new AbortController();
  const response = await post("/", {}, controller.signal);
  const reader = response.body!.getReader();
  await reader.read();
  const spent = startLoopTimer();
  controller.abort();
  await latest.closed;
  expect(spent()).toBeLessThan(500);
  await expect(reader.read()).rejects.toThrow();
});

test("a cancelled body closes the connection at once", async () => {
  const reader = (await post("/")).body!.getReader();
  await reader.read();
  const spent = startLoopTimer();
  await reader.cancel();
  await latest.closed;
  expect(spent()).toBeLessThan(500);
});

test("a body that is too large, late or cut off fails", async () => {
  await expect((await post("/", { maxBytes: 3 })).text()).rejects.toThrow("it is larger than 3 bytes");
  await expect((await post("/", { timeoutMs: 100 })).text()).rejects.toThrow();
  await latest.closed;
  const response = await post("/");
  latest.response.destroy();
  await expect(response.text()).rejects.toThrow();
});

test("an encoded answer, a public address over http and a private one without permission are refused", async () => {
  await expect(post("/gzip")).rejects.toThrow('its content is encoded as "gzip"');
  await expect(post("/", { allowPrivate: false })).rejects.toThrow("only https://");
  const network: Network = { resolve: async () => ["93.184.215.14"], connect: () => expect.fail("connected") };
  const sent = guardedStream("http://model.example/", { ...options, network });
  await expect(sent).rejects.toThrow("http:// is only allowed in private networks");
});

test("a name with two addresses is reached at the one that listens", async () => {
  const tried: string[] = [];
  const port = Number(new URL(base).port);
  const network: Network = {
    resolve: async () => ["127.0.0.9", "127.0.0.1"],
    connect: (address) => {
      tried.push(address);
      // Nothing listens at port 1.
      return connect({ host: "127.0.0.1", port: address === "127.0.0.1" ? port : 1 });
    },
  };
  const response = await guardedStream("http://localhost/", { ...options, network });
  expect([response.status, tried]).toEqual([200, ["127.0.0.9", "127.0.0.1"]]);
  await response.body!.cancel();
  latest.response.destroy();
  const none = { ...network, resolve: async () => ["127.0.0.9", "127.0.0.8"] };
  expect(await guardedFetch("http://localhost/", { allowPrivate: true, network: none })).toMatchObject({
    ok: false,
    reason: "it could not be reached (ECONNREFUSED)",
  });
});
