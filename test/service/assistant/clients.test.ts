import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { type AnswerEvent, AnswerFailure } from "../../../src/service/assistant/index.js";
import { listen } from "../../../src/service/http/index.js";
import { openApiWorld } from "../../support/api-world.js";
import {
  type ChatClient,
  type ChatSettings,
  laterClients,
  openLaterClient,
  openUseChat,
} from "../../support/chat-clients.js";
import { startLoopTimer } from "../../support/machine-time.js";
import { answerWith, passage, scriptedAssistant } from "../../support/scripted-assistant.js";
import { waitUntil } from "../../support/wait-until.js";

const clients: readonly (readonly [name: string, open: (settings: ChatSettings) => Promise<ChatClient>])[] = [
  ["useChat of ai 4", openUseChat],
  ...laterClients.map((name) => [name, (settings: ChatSettings) => openLaterClient(name, settings)] as const),
];

/** A model that searches and reads further, also after its first words. */
async function* lookFurther(): AsyncGenerator<AnswerEvent> {
  yield { kind: "search", query: "deno", passages: [] };
  yield { kind: "search", query: "deno; runtime", passages: [passage] };
  yield { kind: "text", text: "Let me look." };
  yield { kind: "read", path: passage.path, passages: [passage] };
  yield { kind: "text", text: "\n\nIt does. [1]" };
  yield { kind: "source", id: "1", url: passage.url, title: passage.title };
  yield { kind: "end", outcome: "answered", usage: { promptTokens: 30, completionTokens: 4 } };
}

const hard = 'a\u2028b\u2029\n\n"<&\u0000 \ud83d\ude80 \\n data: [DONE]\n\n0:';
const long = hard.repeat(Math.ceil(2 ** 20 / hard.length));

test("the clients of ai 4 to 7 get text, sources and the thread, and recognize failures, resets and stops", async () => {
  const assistant = scriptedAssistant();
  const { settings, asked } = assistant;
  const world = await openApiWorld({}, {}, assistant);
  const { secret: key } = await world.newKey({ kind: "assistant", scopes: [] });
  // The HTTP server prints why it resets a connection.
  const printing = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => printing.mockRestore());
  let resetsAfter = Number.POSITIVE_INFINITY;
  let isCut = false;
  const api: typeof world.api = {
    async fetch(request, info) {
      const response = await world.api.fetch(request, info);
      const body = response.body!.pipeThrough(breakAfter(resetsAfter));
      return new Response(isCut ? body.pipeThrough(cutBytes()) : body, response);
    },
  };
  const listening = await listen({ api, port: 0, host: "127.0.0.1" });
  onTestFinished(() => listening.close());

  for (const [name, open] of clients) {
    const chat = await open({ url: listening.url, key });
    try {
      asked.length = 0;
      settings.script = () => answerWith("It needs ", "Node 22. [1]");
      await chat.send("Which Node?");
      const state = { name, status: chat.status(), error: chat.error(), text: chat.text(), sources: chat.sources() };
      const sources = [{ url: passage.url, title: passage.title }];
      expect(state).toEqual({ name, status: "ready", error: undefined, text: "It needs Node 22. [1]", sources });
      const threadId = chat.threadId();
      expect([name, threadId]).toEqual([name, expect.stringMatching(/^[0-9A-Z]{26}$/)]);

      // With a sentence of the source, which these clients do not know.
      const cited = `Node 22 is what Acme needs [1](${passage.url}).`;
      settings.script = () => answerWith(cited);
      await chat.send("And pnpm?");
      expect([name, chat.status(), chat.text(), chat.sources()]).toEqual([name, "ready", cited, sources]);
      expect([name, chat.error(), chat.threadId(), chat.messageCount()]).toEqual([name, undefined, threadId, 4]);
      const turns = [{ question: "Which Node?", answer: "It needs Node 22. [1]" }];
      // The client sends the whole conversation; turns that the thread has stored are not quoted.
      expect([name, asked[1]]).toEqual([name, expect.objectContaining({ text: "And pnpm?", turns, quoted: [] })]);

      settings.script = lookFurther;
      await chat.send("And Deno?");
      expect([name, chat.status(), chat.error()]).toEqual([name, "ready", undefined]);
      expect([name, chat.text(), chat.sources()]).toEqual([name, "Let me look.\n\nIt does. [1]", sources]);

      settings.script = async function* () {
        yield { kind: "text", text: "It " };
        throw new AnswerFailure("The model is overloaded.");
      };
      await chat.send("Again?");
      expect([name, chat.status(), chat.error()]).toEqual([name, "error", "The model is overloaded."]);

      settings.script = () => answerWith("It needs ", "Node 22. [1]");
      resetsAfter = 3;
      await chat.send("Again?");
      resetsAfter = Number.POSITIVE_INFINITY;
      expect([name, chat.status(), chat.error()]).toEqual([name, "error", expect.anything()]);

      let spent = (): number => 0;
      let abortedMs: number | undefined;
      settings.script = async function* (_question, signal) {
        signal.addEventListener("abort", () => {
          abortedMs = spent();
        });
        yield { kind: "search", query: "node", passages: [] };
        yield { kind: "text", text: "Half an " };
        await sleep(10_000, undefined, { signal });
      };
      const sending = chat.send("Stop!");
      await waitUntil("the first text", () => chat.text().startsWith("Half"));
      spent = startLoopTimer();
      chat.stop();
      await sending;
      expect([name, chat.status()]).toEqual([name, "ready"]);
      expect(await waitUntil("the abort", () => abortedMs)).toBeLessThan(500);
      const stored = () => world.store.threads.find(threadId!);
      await waitUntil("the turn", async () => (await stored())!.turns.at(-1)!.question === "Stop!");
      expect((await stored())!.turns.at(-1)).toEqual({ question: "Stop!", answer: "Half an " });

      settings.script = () => answerWith(...cut(long));
      isCut = true;
      await chat.send("All of it?");
      isCut = false;
      expect([name, chat.status(), chat.error()]).toEqual([name, "ready", undefined]);
      expect(chat.text() === long, `${name}: a text of 1 MB`).toBe(true);
    } finally {
      await chat.close();
    }
  }
});

/** Pieces of random lengths, also within surrogate pairs. */
function cut(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0, seed = 1; start < text.length; ) {
    seed = (seed * 16_807) % 2_147_483_647;
    const length = 1 + (seed % 40_000);
    pieces.push(text.slice(start, start + length));
    start += length;
  }
  return pieces;
}

/** Cuts the bytes at random places, also within a letter, an event or a mark of its end. */
function cutBytes() {
  let seed = 1;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      for (let start = 0; start < chunk.length; ) {
        seed = (seed * 16_807) % 2_147_483_647;
        // Every other piece is short: events begin and end there.
        const end = start + 1 + (seed % (seed % 2 === 0 ? 4 : 4_000));
        controller.enqueue(chunk.slice(start, end));
        start = end;
      }
    },
  });
}

/** Breaks the stream before the chunk with that number. */
const breakAfter = (count: number) => {
  let left = count;
  return new TransformStream({
    transform(chunk, controller) {
      if (left-- === 0) throw new Error("The process dies.");
      controller.enqueue(chunk);
    },
  });
};
