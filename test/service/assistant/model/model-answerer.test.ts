import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { AnswerFailure } from "../../../../src/service/assistant/answer.js";
import { createModelAnswerer } from "../../../../src/service/assistant/model/model-answerer.js";
import type { ModelOptions } from "../../../../src/service/assistant/model/open-model.js";
import { startLoopTimer } from "../../../support/machine-time.js";
import {
  contentText,
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  promptText,
  startModelServer,
} from "./model-server.js";
import { base, collected, indexOf, passage, question, textOf } from "./scripted-index.js";

const passages = [
  passage("/install", "node", "Acme needs Node 22. Install it with npm.", "Node"),
  passage("/keys", "", "Rotate a key every 90 days.", ""),
];
const index = indexOf(passages);
const forever = new AbortController().signal;

for (const provider of ["openai", "anthropic"] as const)
  describe(`a model that is reached as ${provider}`, () => {
    let server: ModelServer;
    let script: (reply: ModelReply, request: ModelRequest) => void | Promise<void>;
    const answererWith = (more: Partial<ModelOptions> = {}) =>
      createModelAnswerer({ provider, url: server.url, model: "tiny", key: "sk-canary", ...more });
    const answered = (more: Partial<ModelOptions> = {}, asked = question("How do I install it?")) =>
      collected(answererWith(more).answer(asked, index, forever));
    const failure = (more: Partial<ModelOptions> = {}): Promise<Error> =>
      answered(more).then(
        () => expect.fail("answered"),
        (error: unknown) => error as Error,
      );
    const last = (): ModelRequest => server.requests.at(-1)!;

    beforeAll(async () => {
      server = await startModelServer(provider, (request, reply) => script(reply, request));
    });
    afterAll(() => server.close());
    afterEach(() => server.requests.at(-1)?.closed);

    test("answers in the order search, text, sources, end", async () => {
      script = (reply) => {
        for (const piece of ["Install Node 22", " [", "1", "] with", " npm [1][7]. Keys last 90 days [2", "]."])
          reply.text(piece);
        reply.end();
      };
      const events = await answered();
      expect(events.map(({ kind }) => kind).join(" ")).toMatch(/^search( text)+ source source end$/);
      expect(events[0]).toEqual({ kind: "search", query: "How do I install it?", passages });
      const [one, two] = [`[1](${base}/install#node)`, `[2](${base}/keys)`];
      expect(textOf(events)).toBe(`Install Node 22 ${one} with npm ${one}. Keys last 90 days ${two}.`);
      expect(events.slice(-3)).toEqual([
        { kind: "source", id: "1", url: `${base}/install#node`, title: "Page › Node" },
        { kind: "source", id: "2", url: `${base}/keys`, title: "Page" },
        { kind: "end", outcome: "answered", usage: { promptTokens: 321, completionTokens: 45 } },
      ]);
      const { headers, body, path } = last();
      expect(path).toBe(provider === "openai" ? "/v1/chat/completions" : "/v1/messages");
      expect(provider === "openai" ? headers["authorization"] : headers["x-api-key"]).toMatch(/^(Bearer )?sk-canary$/);
      expect(body).toMatchObject({ model: "tiny", stream: true, max_tokens: 2000 });
      expect(body.tools?.map((tool) => tool.function?.name ?? tool.name)).toEqual(["search", "read_page"]);
    });

    test("passes on each chunk at once", async () => {
      const first = Promise.withResolvers<void>();
      script = async (reply) => {
        reply.text("One two ");
        await first.promise;
        reply.text("three [1].");
        reply.end();
      };
      const events = answererWith().answer(question("How?"), index, forever)[Symbol.asyncIterator]();
      expect((await events.next()).value).toMatchObject({ kind: "search" });
      expect((await events.next()).value).toEqual({ kind: "text", text: "One two" });
      first.resolve();
      expect((await events.next()).value).toMatchObject({ text: expect.stringMatching(/^ three/) });
      await events.return?.();
    });

    test("is asked whatever the search finds, and says if the documentation has no answer", async () => {
      const answers = [
        ["[0]", "The documentation does not seem to answer this question."],
        ["It will rain [7].", "It will rain.\n\nThe documentation does not seem to answer this question."],
        ["Regnen [0]", "Regnen\n\nDie Dokumentation scheint diese Frage nicht zu beantworten."],
      ] as const;
      for (const [said, shown] of answers)
        for (const poor of [indexOf(passages, "nothing"), indexOf([], "nothing")]) {
          script = (reply) => {
            reply.text(said);
            reply.end();
          };
          const asked = question(said.startsWith("Regnen") ? "Wie wird das Wetter?" : "How is the weather?");
          const events = await collected(answererWith().answer(asked, poor, forever));
          expect(textOf(events)).toBe(shown);
          expect(events.at(-1)).toMatchObject({ kind: "end", outcome: "unanswered" });
        }
    });

    test("is asked about a selection that the documentation does not mention", async () => {
      script = (reply) => {
        reply.text("It installs Acme.");
        reply.end();
      };
      const asked = question("What does this do?", {
        context: [{ type: "code", value: "npm i acme", path: "/install" }],
      });
      const events = await collected(answererWith().answer(asked, indexOf([], "nothing"), forever));
      expect(textOf(events)).toMatch(/^It installs Acme\.\n\nThe documentation does not/);
      expect(promptText(last().body)).toContain("Code of /install:\nnpm i acme");
    });

    test("gets stored turns as turns, and all that a program reports as quotation", async () => {
      script = (reply) => {
        reply.text("Yes [1].");
        reply.end();
      };
      const asked = question("And then?", {
        turns: [{ question: "First?", answer: `So [2](${base}/old#x).` }],
        quoted: [{ role: "assistant", text: "I promised you a refund." }],
        currentPath: "/install",
      });
      await answered({}, asked);
      const { messages } = last().body;
      expect(messages.map(({ role }) => role).filter((role) => role !== "system")).toEqual([
        "user",
        "assistant",
        "user",
      ]);
      const texts = messages.map(({ content }) => contentText(content));
      expect(texts.filter((_, at) => messages[at]!.role === "assistant")).toEqual(["So."]);
      const [, mark] = /<earlier-([0-9a-f]{12}) said-by="assistant">\nI promised you a refund\.\n<\/earlier-\1>/.exec(
        texts.at(-1)!,
      )!;
      expect(texts.at(-1)).toContain(
        `<passage-${mark} number="1">\nGuides > Page > Node (/install#node)\n\nAcme needs Node 22.`,
      );
      expect(texts.at(-1)).toMatch(/The reader is on the page \/install\n\nQuestion: And then\?$/);
      await answered({}, asked);
      expect(promptText(last().body)).not.toContain(mark!);
    });

    test("gets the same rules, tools and turns again, so that its server need not read them again", async () => {
      script = (reply) => {
        reply.text("Yes [1].");
        reply.end();
      };
      const turns = [{ question: "First?", answer: "So." }];
      const prefixes: string[] = [];
      for (const text of ["And then?", "What is a key?"]) {
        await answered({}, question(text, { turns }));
        const { system, tools, messages } = last().body;
        prefixes.push(JSON.stringify([system, tools, messages.slice(0, -1)]));
      }
      expect(prefixes[1]).toBe(prefixes[0]);
      if (provider === "anthropic") expect(prefixes[0]).toContain('"cache_control"');
    });

    test("gets no more than the prompt may have", async () => {
      script = (reply) => {
        reply.text("Yes [1].");
        reply.end();
      };
      const long = Array.from({ length: 20 }, (_, at) => passage(`/p${at}`, "", `start${at} ${"word ".repeat(300)}`));
      const asked = question("Question? ".repeat(800), {
        turns: Array.from({ length: 30 }, (_, at) => ({ question: `q${at}`, answer: `a${at} ${"word ".repeat(200)}` })),
        quoted: [{ role: "user", text: "x ".repeat(4000) }],
        context: [{ value: "y ".repeat(4000) }],
      });
      for (const maxPromptTokens of [1500, 4000, 8000]) {
        const events = await collected(answererWith({ maxPromptTokens }).answer(asked, indexOf(long), forever));
        expect(events[0]).toMatchObject({ passages: long.slice(0, 5) });
        const text = promptText(last().body);
        // Text of English has about four characters a token.
        expect(text.length / 4).toBeLessThan(maxPromptTokens);
        expect(text).toContain("start0 ");
        expect(text).not.toContain("start19 ");
      }
      expect(promptText(last().body)).toContain("start1 ");
    });

    test("reads more sections than the reader's program asked for, the further ones in part", async () => {
      script = (reply) => {
        reply.text("Yes [12].");
        reply.end();
      };
      const text = "Words fill this section. ".repeat(60);
      const many = Array.from({ length: 20 }, (_, at) => passage(`/p${at}`, "", text));
      const events = await collected(answererWith({}).answer(question("Question?"), indexOf(many), forever));
      expect(events[0]).toMatchObject({ passages: many.slice(0, 5) });
      const quoted = promptText(last().body).match(/<passage-\w+ number[\s\S]*?<\/passage-/g)!;
      const lengths = quoted.map((each) => each.length);
      expect(lengths.filter((length) => length > 1500)).toHaveLength(3);
      expect(Math.max(...lengths.slice(3))).toBeLessThan(700);
      expect(events.at(-2)).toMatchObject({ kind: "source", url: many[11]!.url });
    });

    test("may think before it answers", async () => {
      script = (reply) => {
        reply.reasoning("Hm. ");
        for (const piece of ["<th", "ink>Let me see [1].</th", "ink>\n\nYes [2]."]) reply.text(piece);
        reply.end();
      };
      const events = await answered();
      expect(textOf(events)).toBe(`Yes [2](${base}/keys).`);
    });

    test("has its answer marked if the token limit cuts it", async () => {
      script = (reply) => {
        reply.text("It is [1] and");
        reply.end("length");
      };
      expect(textOf(await answered())).toBe(`It is [1](${base}/install#node) and …`);
    });

    test("is stopped if it ignores the limit of tokens", async () => {
      script = (reply) => {
        for (let at = 0; at < 500; at++) reply.text("word [1] ");
      };
      const events = await answered({ maxAnswerTokens: 100 });
      expect(textOf(events).match(/word/g)!.length).toBeLessThan(100);
      expect(events.at(-1)).toMatchObject({ kind: "end", usage: { completionTokens: expect.any(Number) } });
      await last().closed;
    });

    const failures: readonly (readonly [
      when: string,
      reply: (reply: ModelReply) => void,
      message: RegExp,
      cause: RegExp,
    ])[] = [
      [
        "is refused",
        (reply) => reply.error(401, "invalid_api_key"),
        /not available/,
        /answered 401 \(invalid_api_key\)$/,
      ],
      [
        "is missing",
        (reply) => reply.error(404, "model_not_found"),
        /not available/,
        /answered 404 \(model_not_found\)$/,
      ],
      ["is busy", (reply) => reply.error(429, "rate_limit"), /busy/, /answered 429 \(rate_limit\)$/],
      ["answers nonsense", (reply) => reply.response.end("<html>"), /not available|cut off|no answer/, /./],
      [
        "fails in the middle",
        (reply) => {
          reply.text("It is");
          reply.error(500, "overloaded");
        },
        /not available/,
        /reported an error \((overloaded)\)$/,
      ],
      ["says nothing", (reply) => reply.end(), /no answer/, /no text/],
      [
        "is cut off",
        (reply) => {
          reply.text("It is");
          setTimeout(() => reply.response.destroy(), 50);
        },
        /not available|broke off/,
        /./,
      ],
    ];
    for (const [when, reply, message, cause] of failures)
      test(`fails with a message for the reader when it ${when}`, async () => {
        script = reply;
        const error = await failure();
        expect(error).toBeInstanceOf(AnswerFailure);
        expect(error.message).toMatch(message);
        const detail = String((error.cause as Error | undefined)?.message ?? "none");
        expect(detail).toMatch(cause);
        expect(`${error.message} ${detail}`).not.toMatch(/sk-canary|asked too much|install it/);
      });

    test("fails when it does not begin, and when it pauses", async () => {
      script = () => {};
      const late = await failure({ firstTokenMs: 100 });
      expect(late).toMatchObject({
        message: expect.stringContaining("too long"),
        cause: { message: "the model sent nothing for 0.1 seconds" },
      });
      await last().closed;
      script = (reply) => reply.text("It is");
      expect((await failure({ idleMs: 150 })).message).toContain("too long");
      await last().closed;
    });

    test("fails when it cannot be reached or its address is not allowed", async () => {
      const closed = await failure({ url: "http://127.0.0.1:1/v1" });
      expect((closed.cause as Error).message).toBe(
        "the model server was not used because it could not be reached (ECONNREFUSED)",
      );
      const network = { resolve: async () => ["93.184.215.14"], connect: () => expect.fail("connected") };
      const open = await failure({ url: "http://model.example/v1", network });
      expect((open.cause as Error).message).toContain("http:// is only allowed in private networks");
    });

    test("is cancelled within half a second when the reader leaves", async () => {
      script = (reply) => reply.text("It is so that ");
      const controller = new AbortController();
      const events = answererWith().answer(question("How?"), index, controller.signal)[Symbol.asyncIterator]();
      await events.next();
      await events.next();
      const spent = startLoopTimer();
      controller.abort();
      await expect(events.next()).rejects.toMatchObject({ name: "AbortError" });
      await last().closed;
      expect(spent()).toBeLessThan(500);
      // The same before the first word, and when the caller leaves the loop.
      script = () => {};
      const next = new AbortController();
      const waiting = collected(answererWith().answer(question("How?"), index, next.signal));
      const before = server.requests.length;
      while (server.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
      next.abort();
      await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
      await last().closed;
      script = (reply) => reply.text("It is so that ");
      for await (const event of answererWith().answer(question("How?"), index, forever))
        if (event.kind === "text") break;
      await last().closed;
    });

    test("does not get to repeat its instructions", async () => {
      script = (reply, { body }) => {
        const rules = promptText(body);
        for (let at = 0; at < rules.length; at += 7) reply.text(rules.slice(at, at + 7));
        reply.end();
      };
      expect(await failure()).toMatchObject({ message: "This question cannot be answered." });
    });
  });
