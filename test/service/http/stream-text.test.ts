import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, test } from "vitest";
import type { Api } from "../../../src/service/http/create-api.js";
import { type Listening, listen } from "../../../src/service/http/serve-api.js";
import { streamText } from "../../../src/service/http/stream-text.js";

let server: Listening | undefined;
let socket: Socket | undefined;
afterEach(async () => {
  socket?.destroy();
  await server?.close();
});

/** The end of the text that a client has received, and how often the stream was closed. */
async function request(chunks: AsyncGenerator<string>, keepAliveMs = 10_000) {
  const state = { received: "", length: 0, closed: 0 };
  const onClose = (): void => void state.closed++;
  const body = streamText({ chunks, keepAlive: "~", keepAliveMs, onClose });
  const api: Api = { fetch: async () => new Response(body, { headers: { "X-Kind": "text" } }) };
  server = await listen({ api, port: 0, host: "127.0.0.1" });
  socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.on("error", () => {}).setEncoding("utf8");
  socket.on("data", (text: string) => {
    state.received = (state.received + text).slice(-1000);
    state.length += text.length;
  });
  await once(socket, "connect");
  socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
  return { state, socket };
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await sleep(5);
};

test("the parts of a text arrive in order, after the head", async () => {
  const { state } = await request(
    (async function* () {
      yield "one ";
      yield "two";
      await sleep(20);
      yield "three";
      yield "!";
    })(),
  );
  await until(() => state.received.endsWith("0\r\n\r\n"));
  const [head, ...body] = state.received.split("\r\n\r\n");
  assert.match(head!, /^HTTP\/1\.1 200 OK\r\n.*x-kind: text/is);
  assert.equal(body.join("\r\n\r\n").replace(/^[0-9a-f]+\r\n|\r\n[0-9a-f]+\r\n|\r\n$/g, ""), "one twothree!");
  await until(() => state.closed > 0);
  assert.equal(state.closed, 1);
});

test("a stream sends a keep-alive while it has no text", async () => {
  const kept = Promise.withResolvers<void>();
  const { state } = await request(
    (async function* () {
      yield "a";
      await kept.promise;
      yield "b";
    })(),
    40,
  );
  await until(() => state.received.includes("~"));
  kept.resolve();
  await until(() => state.received.endsWith("0\r\n\r\n"));
  assert.match(state.received, /1\r\na\r\n(?:1\r\n~\r\n)+1\r\nb\r\n0\r\n\r\n$/);
});

test("the text of a stream ends when its reader leaves", async () => {
  let hasEnded = false;
  const { state, socket } = await request(
    (async function* () {
      try {
        for (;;) {
          yield "more";
          await sleep(5);
        }
      } finally {
        hasEnded = true;
      }
    })(),
  );
  await until(() => state.received.includes("more"));
  socket.destroy();
  await until(() => hasEnded && state.closed > 0);
  assert.equal(state.closed, 1);
});

test("a text that fails resets the connection", async () => {
  const { state, socket } = await request(
    // biome-ignore lint/correctness/useYield: it fails before it could.
    (async function* (): AsyncGenerator<string> {
      await sleep(5);
      throw new Error("broken");
    })(),
  );
  await once(socket, "close");
  assert.ok(!state.received.endsWith("0\r\n\r\n"));
  await until(() => state.closed > 0);
  assert.equal(state.closed, 1);
});

test("a slow reader slows the text down", async () => {
  let sent = 0;
  const part = "x".repeat(1024 ** 2);
  const { state, socket } = await request(
    (async function* () {
      for (; sent < 100; sent++) yield part;
    })(),
  );
  socket.pause();
  await until(() => sent > 0);
  await sleep(200);
  assert.ok(sent < 50, `${sent} MB`);
  socket.resume();
  await until(() => state.received.endsWith("0\r\n\r\n"));
  assert.ok(state.length > 100 * 1024 ** 2);
});
