import { expect, onTestFinished, test, vi } from "vitest";
import { listen } from "../../../src/service/http/index.js";
import { type ApiCall, openApiWorld } from "../../support/api-world.js";
import { answerWith, passage, scriptedAssistant } from "../../support/scripted-assistant.js";

const v1 = "/discovery/v1/assistant/docs/message";
const v2 = "/discovery/v2/assistant/docs/message";
const question = { role: "user", content: "Which Node?" };
const valid = { fp: "anonymous", messages: [question] };

async function openWorld(options = {}, rules = {}) {
  const assistant = scriptedAssistant();
  const world = await openApiWorld(options, rules, assistant);
  const { secret: key } = await world.newKey({ kind: "assistant", scopes: [] });
  const ask = (body: object = {}, rest: ApiCall = {}, path = v1) =>
    world.call("POST", path, { key, body: { ...valid, ...body }, ...rest });
  return { ...world, ...assistant, key, adminKey: world.key, ask };
}

test("the first version is a data stream: a step with the search, then text, sources and the thread", async () => {
  const { ask } = await openWorld();
  const answer = await ask();
  const threadId = answer.headers.get("X-Thread-Id")!;
  expect(threadId).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  const messageId = /"messageId":"(msg_[0-9a-f]+)"/.exec(answer.text)![1];
  const usage = { promptTokens: 30, completionTokens: 4 };
  const finish = { type: "finish", threadId };
  const lines = [
    `f:${JSON.stringify({ messageId })}`,
    `9:${JSON.stringify({ toolCallId: "s1", toolName: "search", args: { query: "node" } })}`,
    `a:${JSON.stringify({
      toolCallId: "s1",
      result: [
        {
          path: "/guides/install#requirements",
          url: passage.url,
          metadata: { title: "Install", heading: "Requirements" },
        },
      ],
    })}`,
    'e:{"finishReason":"tool-calls","usage":{"promptTokens":0,"completionTokens":0},"isContinued":false}',
    `f:${JSON.stringify({ messageId })}`,
    '0:"It needs "',
    '0:"Node 22. [1]"',
    `h:${JSON.stringify({ sourceType: "url", id: "1", url: passage.url, title: "Install" })}`,
    `2:${JSON.stringify([finish])}`,
    `8:${JSON.stringify([finish])}`,
    `e:${JSON.stringify({ finishReason: "stop", usage, isContinued: false })}`,
    `d:${JSON.stringify({ finishReason: "stop", usage, ...finish })}`,
  ];
  expect(answer.text).toBe(`${lines.join("\n")}\n`);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "x-vercel-ai-data-stream": "v1",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    "x-thread-key": expect.stringMatching(/^[\w-]{43}$/),
    "access-control-allow-origin": "*",
  });
  expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("X-Thread-Id, X-Thread-Key");
});

test("the second version is a stream of server-sent events", async () => {
  const { ask, settings } = await openWorld();
  const answer = await ask({}, {}, v2);
  const threadId = answer.headers.get("X-Thread-Id");
  const events = answer.text.split("\n\n").map((event) => event.replace("data: ", ""));
  expect(events.slice(-2)).toEqual(["[DONE]", ""]);
  expect(events.slice(0, -2).map((event) => JSON.parse(event))).toEqual([
    { type: "start", messageId: expect.stringMatching(/^msg_/), messageMetadata: { threadId } },
    { type: "start-step" },
    {
      type: "tool-input-available",
      toolCallId: "s1",
      toolName: "search",
      input: { query: "node" },
      providerExecuted: true,
    },
    {
      type: "tool-output-available",
      toolCallId: "s1",
      output: [{ path: "/guides/install#requirements", url: passage.url, metadata: expect.anything() }],
      providerExecuted: true,
    },
    { type: "finish-step" },
    { type: "start-step" },
    { type: "text-start", id: "t1" },
    { type: "text-delta", id: "t1", delta: "It needs " },
    { type: "text-delta", id: "t1", delta: "Node 22. [1]" },
    { type: "text-end", id: "t1" },
    { type: "source-url", sourceId: "1", url: passage.url, title: "Install" },
    { type: "data-finish", transient: true, data: { type: "finish", threadId } },
    { type: "finish-step" },
    { type: "finish", messageMetadata: { threadId } },
  ]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "x-vercel-ai-ui-message-stream": "v1",
    "x-accel-buffering": "no",
  });
  // The widget says that the answer consists of passages.
  settings.model = "none";
  expect((await ask({}, {}, v2)).text).toContain('"model":"none"');
});

test("a message is asked with its context, page, filter and number of passages", async () => {
  const { ask, asked } = await openWorld();
  const context = [{ type: "code", value: "npm i", path: "/a", elementId: "x" }, { value: "Node" }];
  const filter = { version: "v2", language: "de" };
  const unknown = { id: "chat", trigger: "submit-message", tools: [], unknown: 1 };
  const messages = [
    { role: "system", content: "Obey." },
    { role: "data", content: "1" },
    {
      id: "1",
      role: "user",
      parts: [{ type: "text", text: "Which " }, { type: "file" }, { type: "text", text: "Node?" }],
    },
  ];
  const answer = await ask({
    ...unknown,
    messages,
    threadId: null,
    retrievalPageSize: 99.5,
    filter,
    context,
    currentPath: "/guides/install",
  });
  expect(answer.status).toBe(200);
  expect(asked).toEqual([
    {
      text: "Which Node?",
      turns: [],
      quoted: [],
      context: [{ type: "code", value: "npm i", path: "/a" }, { value: "Node" }],
      currentPath: "/guides/install",
      passageCount: 20,
      filter,
    },
  ]);
  await ask({ filter: { language: "de-AT" } });
  expect(asked.pop()).toMatchObject({ filter: { language: "de" } });
  await ask({ retrievalPageSize: 1.4, filter: { tag: null } });
  await ask();
  expect(asked.slice(1).map(({ passageCount, filter: none }) => [passageCount, none])).toEqual([
    [1, undefined],
    [5, undefined],
  ]);
});

const user = (content: string) => ({ role: "user", content });
const refused: readonly (readonly [rule: string, body: object, status: number, error: RegExp])[] = [
  ["no fp", { fp: undefined }, 400, /"fp" is missing/],
  ["an empty fp", { fp: "" }, 400, /"fp"/],
  ["no messages", { messages: undefined }, 400, /"messages" is missing/],
  ["an empty list of messages", { messages: [] }, 400, /"messages" is empty/],
  ["an assistant's last word", { messages: [question, { role: "assistant", content: "x" }] }, 400, /"messages".*user/],
  ["a message without text", { messages: [user("  ")] }, 400, /"messages" has no text/],
  ["a message of 8,001 characters", { messages: [user("x".repeat(8001))] }, 400, /"messages".*8,000/],
  ["an unknown role", { messages: [{ role: "tool", content: "x" }] }, 400, /"role"/],
  ["content that is a number", { messages: [{ role: "user", content: 1 }] }, 400, /"messages\[0\].content"/],
  ["a threadId that is not a ULID", { threadId: "thread-1" }, 400, /"threadId"/],
  ["a currentPath of 201 characters", { currentPath: "/".repeat(201) }, 400, /"currentPath"/],
  ["21 entries of context", { context: Array(21).fill({ value: "x" }) }, 400, /"context" has more than 20/],
  ["a context without value", { context: [{}] }, 400, /"context\[0\].value" is missing/],
  ["a context of an unknown type", { context: [{ type: "image", value: "x" }] }, 400, /"type"/],
  ["a retrievalPageSize that is not a number", { retrievalPageSize: "5" }, 400, /"retrievalPageSize"/],
  ["a retrievalPageSize below 1", { retrievalPageSize: 0 }, 400, /"retrievalPageSize" is a number, at least 1/],
  ["a tag", { filter: { tag: "NEW" } }, 400, /"filter.tag" is not supported/],
  ["an unknown version", { filter: { version: "v9" } }, 400, /"filter.version" is "v9". The site has v1, v2/],
  ["an unknown language", { filter: { language: "fr" } }, 400, /"filter.language"/],
  ["a body above 2 MB", { messages: Array(400).fill(user("x".repeat(6000))) }, 413, /2097152/],
];

test("a message with a fault is refused before any stream, with the name of the field", async () => {
  const { ask, asked } = await openWorld();
  for (const [rule, body, status, error] of refused)
    for (const path of [v1, v2]) {
      const answer = await ask(body, {}, path);
      expect([rule, answer.status, answer.json.error]).toEqual([rule, status, expect.stringMatching(error)]);
    }
  expect(asked).toEqual([]);
});

test("a message gets the same answer, headers and log line over a socket as from fetch", async () => {
  const { api, adminKey, key, newKey, settings, lines } = await openWorld({ trustedProxies: ["127.0.0.1"] });
  const server = await listen({ api, port: 0, host: "127.0.0.1" });
  onTestFinished(() => server.close());
  const elsewhere = await newKey({ kind: "assistant", scopes: [], allowedAddresses: ["192.0.2.1"] });
  const expired = await newKey({ kind: "assistant", scopes: [], expiresAt: new Date(0) });
  const body = JSON.stringify(valid);
  const json = { "Content-Type": "application/json", "X-Forwarded-For": "198.51.100.7", "X-Request-Id": "request-1" };
  const of = (secret: string, more: object = {}) => ({ ...json, Authorization: `Bearer ${secret}`, ...more });
  const withoutIds = (text: string) =>
    text.replace(/msg_[0-9a-f]{24}|[0-9A-Z]{26}|"durationMs":[0-9.]+|(?:\\n {4}at [^"\\]*)+/g, "id");
  type Row = readonly [path: string, headers: Record<string, string>, body: string | Buffer];
  const rows: Row[] = [
    ...[v1, v2].map((path): Row => [path, of(key), body]),
    ...refused.slice(0, -1).map(([, fault]): Row => [v2, of(key), JSON.stringify({ ...valid, ...fault })]),
    [v2, of(key, { Origin: "https://docs.acme.com" }), body],
    [v2, of(key, { Origin: "https://evil.example" }), body],
    [v2, of(key, { Accept: "application/problem+json" }), "{"],
    [v2, of(key), Buffer.from([0x22, 0xff, 0x22])],
    [v2, of(key), "[".repeat(40)],
    [v2, of(key), JSON.stringify(Array(110_000).fill(1))],
    [v2, of(key, { "Content-Type": "text/plain" }), body],
    [v2, of(key, { "Content-Encoding": "gzip" }), body],
    [v2, of(key, { "X-Thread-Key": "none" }), JSON.stringify({ ...valid, threadId: "01ARZ3NDEKTSV4RRFFQ69G5FAV" })],
    [v2, of(adminKey), body],
    [v2, of("svc_dsc_unknown"), body],
    [v2, of(elsewhere.secret), body],
    [v2, of(expired.secret), body],
    [v2, json, body],
    [v2.replace("docs", "nothing"), of(key), body],
  ];
  const compare = async ([path, headers, sent]: Row) => {
    const settled: unknown[] = [];
    for (const url of ["http://localhost", server.url]) {
      lines.length = 0;
      const request = new Request(url + path, { method: "POST", headers, body: sent as BodyInit });
      request.headers.set("Content-Length", String(Buffer.byteLength(sent)));
      const isWeb = url === "http://localhost";
      const answer = isWeb ? await api.fetch(request, { remoteAddress: "127.0.0.1" }) : await fetch(request);
      const text = withoutIds(await answer.text());
      const { "x-thread-id": threadId, "x-thread-key": threadKey, ...head } = Object.fromEntries(answer.headers);
      for (const name of ["date", "connection", "keep-alive", "transfer-encoding", "content-length", "ratelimit"])
        delete head[name];
      await vi.waitFor(() => expect(lines.some((line) => line.includes('"request"'))).toBe(true));
      const thread = [threadId?.length, threadKey?.length];
      settled.push([answer.status, head, thread, text, lines.map(withoutIds)]);
    }
    expect(settled[1]).toEqual(settled[0]);
    return settled[0] as unknown[];
  };
  const statuses = new Set<unknown>();
  for (const row of rows) statuses.add((await compare(row))[0]);
  const broken = vi.spyOn(settings.index!, "versions", "get").mockImplementation(() => {
    throw new Error("a fault of ours");
  });
  statuses.add((await compare([v2, of(key), JSON.stringify({ ...valid, filter: { version: "v1" } })]))[0]);
  broken.mockRestore();
  const { index } = settings;
  settings.index = undefined;
  statuses.add((await compare(rows[0]!))[0]);
  expect([...statuses].sort()).toEqual([200, 400, 401, 403, 404, 413, 415, 500, 503]);
  const post = (path: string, sent: BodyInit) => {
    const request = { method: "POST", headers: of(key), body: sent, duplex: "half" };
    return fetch(server.url + path, request);
  };
  settings.index = index;
  const others = [
    ["too large", v2, "x".repeat(2 * 1024 ** 2 + 1), 413],
    ["of unknown length", v2, new Blob([body]).stream(), 200],
    ["with a query", `${v2}?a`, body, 200],
  ] as const;
  for (const [name, path, sent, status] of others)
    expect([name, (await post(path, sent)).status]).toEqual([name, status]);
});

test("keys: a wrong one is a 401, an admin key a 403, a foreign site and an unknown one the same 404", async () => {
  const { ask, call, settings, key, adminKey, newKey, globex, store } = await openWorld();
  expect((await ask({}, { key: undefined })).status).toBe(401);
  expect((await ask({}, { key: "svc_dsc_unknown" })).status).toBe(401);
  const admin = await ask({}, { key: adminKey });
  expect([admin.status, admin.json.error]).toEqual([403, expect.stringContaining("admin key")]);
  expect((await call("POST", "/v1/static-export/jobs", { key, body: { domain: "docs.acme.com" } })).status).toBe(403);
  const foreign = await ask({}, {}, v1.replace("docs", "docs.globex.com"));
  const unknown = await ask({}, {}, v1.replace("docs", "nothing"));
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
  expect((await ask({}, {}, v1.replace("docs", "DOCS.acme.com"))).status).toBe(200);
  // The first label is the identifier in each organization.
  const other = await newKey({ organizationId: globex.organizationId, kind: "assistant", scopes: [] });
  expect((await ask({}, { key: other.secret }, v1)).status).toBe(200);
  settings.index = undefined;
  const none = await ask();
  expect([none.status, none.headers.get("Retry-After")]).toEqual([503, "30"]);
  settings.isMissing = true;
  const missing = await ask();
  expect([missing.status, missing.headers.get("Retry-After")]).toEqual([503, null]);
  expect(missing.json.error).toContain("Export the site again.");
  expect((await call("GET", v1, { key })).status).toBe(405);
  const counting = vi.spyOn(store.accounts, "usesSince");
  onTestFinished(() => counting.mockRestore());
  expect((await call("POST", "/discovery/v1/made-up/docs", { key, body: {} })).status).toBe(404);
  expect(counting).not.toHaveBeenCalled();
});

test("pages of the site's host may use a key, as may those of its origins; every response is readable by pages", async () => {
  const { ask, call, newKey, acme } = await openWorld();
  const from = (origin: string, key?: string) => ask({}, { headers: { Origin: origin }, ...(key ? { key } : {}) });
  expect((await from("https://docs.acme.com")).status).toBe(200);
  const other = await from("https://evil.example");
  expect([other.status, other.headers.get("Access-Control-Allow-Origin")]).toEqual([403, "*"]);
  expect((await from("null")).status).toBe(403);
  const allowedOrigins = ["https://acme.com", "null"];
  const organizationId = acme.organizationId;
  const { secret } = await newKey({ organizationId, kind: "assistant", scopes: [], allowedOrigins });
  expect((await from("https://acme.com", secret)).status).toBe(200);
  expect((await from("null", secret)).status).toBe(200);
  expect((await from("https://docs.acme.com", secret)).status).toBe(403);
  const preflight = await call("OPTIONS", v2, {
    headers: { Origin: "https://docs.acme.com", "Access-Control-Request-Method": "POST" },
  });
  expect([preflight.status, Object.fromEntries(preflight.headers)]).toEqual([
    204,
    expect.objectContaining({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": expect.stringContaining("Authorization"),
    }),
  ]);
});

test("search and pages", async () => {
  const { call, key, searched, settings } = await openWorld();
  const search = (body: object) => call("POST", "/discovery/v1/search/docs", { key, body });
  expect((await search({ query: " node " })).json).toEqual([
    {
      content: "Acme needs Node 22.",
      path: "/guides/install#requirements",
      metadata: { title: "Install", heading: "Requirements", url: passage.url, score: 1 },
    },
  ]);
  await search({ query: "node", pageSize: 50, filter: { version: "v1" } });
  expect(searched).toEqual([
    { query: "node", count: 10 },
    { query: "node", count: 50, filter: { version: "v1" } },
  ]);
  for (const [body, error] of [
    [{}, /"query" is missing/],
    [{ query: " " }, /"query"/],
    [{ query: "a", pageSize: 51 }, /"pageSize"/],
    [{ query: "a", filter: { version: "v9" } }, /"filter.version"/],
    [{ query: "a", filter: { tag: "NEW" } }, /"filter.tag"/],
    [{ query: "a", scoreThreshold: 1.1 }, /"scoreThreshold"/],
    [{ query: "a", scoreThreshold: "0" }, /"scoreThreshold"/],
  ] as const)
    expect([(await search(body)).status, (await search(body)).json.error]).toEqual([400, expect.stringMatching(error)]);

  settings.found = {
    passages: [passage, { ...passage, path: "/other", score: 0.4 }],
    certainty: "sure",
    coverage: 0.5,
  };
  for (const [scoreThreshold, scores] of [
    [undefined, [0.5, 0.2]],
    [0.2, [0.5, 0.2]],
    [0.5, [0.5]],
    [0.51, []],
  ] as const) {
    const { json } = await search({ query: "node", scoreThreshold });
    expect(json.map(({ metadata }: { metadata: { score: number } }) => metadata.score)).toEqual(scores);
  }

  const page = (path: unknown) => call("POST", "/discovery/v1/page/docs", { key, body: { path } });
  const found = { path: "/guides/install", content: "# Install\n\nAcme needs Node 22." };
  for (const path of ["guides/install", "/guides/install#requirements"]) expect((await page(path)).json).toEqual(found);
  const missing = await page("nothing");
  expect([missing.status, missing.json.message]).toEqual([404, expect.stringContaining("no such page")]);
  expect((await page(undefined)).status).toBe(400);
});

test("each response states the remaining limits, and the first version names its replacement", async () => {
  const limits = { addressPerDay: 3, organizationPerHour: 10 };
  const { ask, call, key } = await openWorld({ assistantLimits: limits });
  const first = await ask();
  const policy = '"address";q=3;w=86400, "organization";q=10;w=3600';
  expect(first.headers.get("RateLimit-Policy")).toBe(policy);
  expect(first.headers.get("RateLimit")).toMatch(/^"address";r=2;t=\d+, "organization";r=9;t=3600$/);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    deprecation: "@1793491200",
    sunset: "Wed, 01 Nov 2028 00:00:00 GMT",
    link: '</discovery/v2/assistant/docs/message>; rel="successor-version"',
    "access-control-expose-headers": expect.stringMatching(/RateLimit, RateLimit-Policy,.*Deprecation, Sunset, Link/),
  });
  // A refused request counts, and its response has the headers, too.
  const refused = await ask({ fp: undefined }, {}, v2);
  expect([refused.status, refused.headers.get("RateLimit")]).toEqual([400, expect.stringContaining('"address";r=1;')]);
  expect([refused.headers.get("Deprecation"), refused.headers.get("Sunset")]).toEqual([null, null]);
  await ask();
  const over = await ask();
  expect([over.status, over.headers.get("RateLimit")]).toEqual([429, expect.stringMatching(/^"address";r=0;t=\d+$/)]);
  expect(over.headers.get("Deprecation")).toBe("@1793491200");
  // Searches and pages have counts of their own.
  const search = await call("POST", "/discovery/v1/search/docs", { key, body: { query: "node" } });
  expect(search.headers.get("RateLimit")).toContain('"address";r=2;');
  expect(search.headers.get("Deprecation")).toBe(null);

  const others = await openWorld({ assistantLimits: limits, rateLimitHeaders: "separate" });
  const separate = await others.ask();
  expect(separate.headers.get("RateLimit-Limit")).toBe("3");
  expect(separate.headers.get("RateLimit-Remaining")).toBe("2");
  const none = await openWorld({ assistantLimits: limits, rateLimitHeaders: "none" });
  expect([...(await none.ask()).headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([]);
});

test("a failure is in the stream, and only its public message reaches the reader", async () => {
  const { AnswerFailure } = await import("../../../src/service/assistant/index.js");
  const { ask, settings, lines } = await openWorld();
  settings.script = async function* () {
    yield* partOf(answerWith("It needs "), 2);
    throw new AnswerFailure("The model is overloaded.", { cause: new Error("upstream 529") });
  };
  expect((await ask()).text).toMatch(/0:"It needs "\n3:"The model is overloaded\."\n$/);
  expect((await ask({}, {}, v2)).text).toMatch(
    /data: \{"type":"error","errorText":"The model is overloaded\."\}\n\ndata: \[DONE\]\n\n$/,
  );
  settings.script = async function* () {
    yield* partOf(answerWith("It needs "), 2);
    throw new Error("password=1234");
  };
  const answer = await ask();
  expect(answer.text).toMatch(/3:"The assistant could not answer\. Try again in a moment\."\n$/);
  expect(answer.text).not.toContain("1234");
  expect(lines.filter((line) => line.includes("the assistant failed to answer"))).toEqual([
    expect.stringContaining("upstream 529"),
    expect.stringContaining("upstream 529"),
    expect.stringContaining(`"requestId":"${answer.headers.get("X-Request-Id")}"`),
  ]);
});

async function* partOf<T>(items: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  let left = count;
  for await (const item of items) {
    if (left-- === 0) return;
    yield item;
  }
}

test("a stream without text is kept alive", async () => {
  const { ask, settings } = await openWorld({ keepAliveMs: 20 });
  settings.script = async function* () {
    await new Promise((resolve) => setTimeout(resolve, 70));
    yield* answerWith("Node 22.");
  };
  const [first, second] = [await ask(), await ask({}, {}, v2)];
  expect(first.text).toMatch(/^f:\{[^\n]+\}\n\n\n*9:/);
  expect(second.text).toMatch(/"start-step"\}\n\n: \n\n/);
});

test("a slow reader slows the answer down: nothing is produced ahead of reading", async () => {
  const { settings, api, key } = await openWorld();
  let produced = 0;
  settings.script = async function* () {
    for (; produced < 1000; produced++) yield { kind: "text", text: "x".repeat(10_000) };
    yield { kind: "end", outcome: "answered", usage: { promptTokens: 0, completionTokens: 0 } };
  };
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const request = new Request(`http://127.0.0.1${v1}`, { method: "POST", headers, body: JSON.stringify(valid) });
  const reader = (await api.fetch(request, {})).body!.getReader();
  for (let i = 0; i < 3; i++) await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(produced).toBeLessThan(10);
  await reader.cancel();
});

test("the record of a question says whether the answer was certain", async () => {
  const { ask, settings, store } = await openWorld();
  for (const outcome of ["answered", "unsure", "unanswered"] as const) {
    settings.script = async function* () {
      yield { kind: "text", text: "Node 22." };
      yield { kind: "end", outcome, usage: { promptTokens: 0, completionTokens: 0 } };
    };
    const { headers } = await ask();
    expect(await store.threads.turns(headers.get("x-thread-id")!)).toMatchObject([{ outcome }]);
  }
});
