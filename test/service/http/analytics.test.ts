import { describe, expect, test } from "vitest";
import { turnOfUlid, ulidOfTurn } from "../../../src/service/assistant/index.js";
import { dayBefore, dayIn } from "../../../src/service/http/analytics/query.js";
import type { NewTurn, ViewKind } from "../../../src/service/jobs/index.js";
import { openApiWorld } from "../../support/api-world.js";

const hourMs = 60 * 60_000;
const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / (24 * hourMs);

async function openAnalytics(options = {}) {
  const world = await openApiWorld(options);
  const [project] = await world.store.accounts.projects(world.acme.organizationId);
  const { projectId } = project!;
  const root = `/v1/analytics/${projectId}`;
  return {
    ...world,
    projectId,
    root,
    ask: (query: string, key = world.key) => world.call("GET", root + query, { key }),
    async add(rows: readonly (readonly [time: string, path: string, kind: ViewKind, views: number])[]) {
      const hits = rows.map(([time, path, kind, views]) => {
        return { projectId, day: Math.floor(Date.parse(time) / (24 * hourMs)), path, kind, views };
      });
      await world.store.views.add({ hits, missing: [], visitors: [] });
    },
  };
}

describe("page views", () => {
  test("include people and agents, in pages", async () => {
    const { ask, add } = await openAnalytics();
    await add([
      ["2026-05-30T23:59:59.999Z", "/a", 0, 1],
      ["2026-05-31T00:00:00Z", "/a", 0, 2],
      ["2026-05-31T23:59:59.999Z", "/a", 1, 4],
      ["2026-05-31T12:00:00Z", "/", 0, 3],
      ["2026-05-31T12:00:00Z", "/b", 3, 50],
      ["2026-06-01T00:00:00Z", "/a", 0, 8],
    ]);
    const { status, json, headers } = await ask("/views?limit=1");
    expect([status, json]).toEqual([
      200,
      {
        totals: { human: 14, ai: 4, total: 18 },
        views: [{ path: "/a", human: 11, ai: 4, total: 15 }],
        hasMore: true,
        range: { dateFrom: null, dateTo: null },
      },
    ]);
    expect(headers.get("RateLimit-Policy")).toBe('"analytics";q=100;w=3600');
    expect((await ask("/views?limit=1&offset=1")).json).toMatchObject({ views: [{ path: "/" }], hasMore: false });
    expect((await ask("/views?offset=2147483648")).json).toMatchObject({
      totals: { total: 18 },
      views: [],
      hasMore: false,
    });
    expect((await ask("/views?kinds=all&unknown=1")).json.totals).toEqual({
      human: 14,
      ai: 4,
      total: 18,
      search: 0,
      training: 50,
      otherAi: 0,
      bot: 0,
    });

    // The last day is not part of the range, unless a time says that it is at its end.
    for (const [from, to] of [
      ["2026-05-31", "2026-06-01"],
      ["2026-05-31T23:59:59.999Z", "2026-06-01T12:00:00Z"],
      ["2026-05-30T23:00:00-02:00", "2026-06-02T00:30:00+02:00"],
      ["2026-05-31T00:00:00Z", "2026-05-31T23:59:59Z"],
    ])
      expect(
        (await ask(`/views?dateFrom=${encodeURIComponent(from!)}&dateTo=${encodeURIComponent(to!)}`)).json,
      ).toMatchObject({
        totals: { human: 5, ai: 4, total: 9 },
        range: { dateFrom: "2026-05-31", dateTo: "2026-06-01" },
      });
    expect((await ask("/views?dateTo=2026-05-31")).json.totals.total).toBe(1);
    expect((await ask("/views?dateFrom=2026-06-01")).json.totals.total).toBe(8);
    expect((await ask("/views?dateFrom=2026-05-31&dateTo=2026-05-31")).json).toEqual({
      totals: { human: 0, ai: 0, total: 0 },
      views: [],
      hasMore: false,
      range: { dateFrom: "2026-05-31", dateTo: "2026-05-31" },
    });
  });

  test.each([
    ["dateFrom=2026-02-30", /"dateFrom" is "2026-02-30", but must be a date such as/],
    ["dateTo=yesterday", /"dateTo" is "yesterday"/],
    ["dateTo=2026-06-01T25:00Z", /"dateTo"/],
    ["dateFrom=", /"dateFrom" is ""/],
    ["dateFrom=2026-06-02&dateTo=2026-06-01", /"dateFrom" is after "dateTo"/],
    ["dateFrom=2026-06-01T00:00:00Z&dateTo=2026-06-01T12:00:00Z", /send dateFrom=2026-06-01&dateTo=2026-06-02/],
    ["limit=0", /"limit" is "0", but must be a whole number from 1 to 250/],
    ["limit=251", /"limit"/],
    ["limit=1.5", /"limit"/],
    ["limit=1e2", /"limit"/],
    ["offset=-1", /"offset" is "-1", but must be a whole number from 0 to 2147483648/],
    ["offset=2147483649", /"offset"/],
    ["limit=5&limit=5", /"limit" was sent 2 times/],
    ["kinds=some", /"kinds" is "some", but must be "readers" or "all"/],
    ["format=xml", /"format"/],
  ])("with %s are refused", async (query, message) => {
    const { ask } = await openAnalytics();
    const { status, json } = await ask(`/views?${query}`);
    expect([status, json]).toEqual([
      400,
      { error: expect.stringMatching(message), details: [{ message: json.error }] },
    ]);
  });

  test("with several faults are refused with each of them", async () => {
    const { call, key, root } = await openAnalytics();
    const { json, headers } = await call("GET", `${root}/views?limit=x&offset=y`, {
      key,
      headers: { Accept: "application/problem+json" },
    });
    expect(json).toMatchObject({ status: 400, title: "Bad Request" });
    expect(headers.get("RateLimit")).toBe('"analytics";r=99;t=3600');
    expect(json.details.map(({ message }: { message: string }) => message.slice(0, 8))).toEqual([
      '"limit" ',
      '"offset"',
    ]);
    expect(json.error).toBe(json.details.map(({ message }: { message: string }) => message).join(" "));
  });

  test("are for keys of the project's organization that may read", async () => {
    const { call, newKey, globex, root, key, specification } = await openAnalytics();
    const statuses = async (path: string, secret?: string) =>
      (await call("GET", path, secret ? { key: secret } : {})).status;
    const read = await newKey({ scopes: ["read"] });
    const assistant = await newKey({ kind: "assistant", scopes: [] });
    const foreign = await newKey({ organizationId: globex.organizationId });
    expect(await statuses(`${root}/views`)).toBe(401);
    expect(await statuses(`${root}/views`, assistant.secret)).toBe(403);
    expect(await statuses(`${root}/views`, read.secret)).toBe(200);
    const answers = await Promise.all([
      call("GET", `${root}/views`, { key: foreign.secret }),
      call("GET", "/v1/analytics/prj_none/views", { key }),
    ]);
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      Array(2).fill([404, '{"error":"The organization has no such project. Check the projectId."}']),
    );
    expect((await call("POST", `${root}/views`, { key })).status).toBe(405);
    const operation = specification.paths["/v1/analytics/{projectId}/views"]!["get"] as unknown as {
      readonly parameters: readonly { readonly name: string; readonly required?: boolean; readonly schema: object }[];
    };
    expect(operation.parameters.map(({ name, required = false }) => [name, required])).toEqual([
      ["projectId", true],
      ...["dateFrom", "dateTo", "limit", "offset", "format", "kinds"].map((name) => [name, false]),
    ]);
    expect(operation.parameters[3]!.schema).toMatchObject({ type: "integer", minimum: 1, maximum: 250, default: 50 });
  });

  test("come as a table, too", async () => {
    const { ask, add } = await openAnalytics();
    await add([
      ["2026-05-31T12:00:00Z", '/a,"b"', 0, 3],
      ...Array.from({ length: 60 }, (_, i) => ["2026-05-31T12:00:00Z", `/page-${i}`, 1, 1] as const),
    ]);
    const { headers, text } = await ask("/views?format=csv");
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="views.csv"');
    expect(text.split("\r\n").slice(0, 3)).toEqual(["path,human,ai,total", '"/a,""b""",3,0,3', "/page-0,0,1,1"]);
    expect(text.split("\r\n").length).toBe(63);
    expect((await ask("/views?format=csv&kinds=all&limit=1&offset=1")).text).toBe(
      "path,human,ai,total,search,training,otherAi,bot\r\n/page-0,0,1,1,0,0,0,0\r\n",
    );
  });
});

test("all routes of an organization share a limit of 100 requests an hour, whatever the answer", async () => {
  const { ask, call, newKey, globex, root, clock, store } = await openAnalytics();
  const second = await newKey();
  const queries = [
    "/views",
    "/visitors",
    "/missing",
    "/assistant",
    "/assistant/caller-stats",
    "/searches",
    "/views?limit=x",
  ];
  for (let i = 0; i < 100; i++) {
    const { status } = await ask(queries[i % queries.length]!, i % 2 === 0 ? second.secret : undefined);
    expect([200, 400]).toContain(status);
  }
  const { status, json, headers } = await ask("/visitors");
  expect([status, json]).toEqual([
    429,
    { error: "This organization can request analytics 100 times per hour. Try again in 3600 seconds." },
  ]);
  expect([headers.get("Retry-After"), headers.get("RateLimit")]).toEqual(["3600", '"analytics";r=0;t=3600']);
  expect((await ask("/views", second.secret)).status).toBe(429);
  const foreign = await newKey({ organizationId: globex.organizationId });
  const [foreignSite] = await store.accounts.projects(globex.organizationId);
  expect((await call("GET", `/v1/analytics/${foreignSite!.projectId}/views`, { key: foreign.secret })).status).toBe(
    200,
  );
  expect((await call("GET", `${root}/views`, { key: "svc_no" })).status).toBe(401);
  clock.ms += hourMs;
  expect((await ask("/views")).status).toBe(200);
});

test("visitors, URLs without a page and searches have lists of their own", async () => {
  const { ask, store, projectId, clock } = await openAnalytics();
  const today = day("2026-06-01");
  const seen = (path: string, kind: 0 | 1, visitor: string) => ({ projectId, day: today, path, kind, visitor });
  await store.views.add({
    hits: [],
    missing: [{ projectId, path: "/old", views: 2, lastSeenAt: clock.ms }],
    visitors: [seen("/a", 0, "ann"), seen("/b", 0, "ann"), seen("/a", 1, "ann"), seen("/a", 0, "bob")],
  });
  expect((await ask("/visitors?limit=1")).json).toEqual({
    totals: { human: 2, ai: 1, total: 2 },
    visitors: [{ path: "/a", human: 2, ai: 1, total: 2 }],
    hasMore: true,
    range: { dateFrom: null, dateTo: null },
  });
  expect((await ask("/visitors?format=csv")).text).toBe("path,human,ai,total\r\n/a,2,1,2\r\n/b,1,0,1\r\n");
  expect((await ask("/missing")).json).toEqual({
    missing: [{ path: "/old", views: 2, lastSeenAt: "2026-06-01T06:00:00.000Z" }],
  });
  expect((await ask("/missing?format=csv")).text).toBe("path,views,lastSeenAt\r\n/old,2,2026-06-01T06:00:00.000Z\r\n");

  const search = (query: string, visitor: string, clicked?: string) => ({
    projectId,
    at: clock.ms,
    query,
    visitor,
    results: 3,
    ...(clicked === undefined ? {} : { clicked }),
  });
  await store.views.addSearches(["ann", "bob", "carl", "dora"].map((visitor) => search("install", visitor)));
  await store.views.addSearches([
    search("install", "ann", "/a"),
    ...["ann", "bob", "carl"].map((who) => search("sso", who)),
  ]);
  const first = (await ask("/searches?limit=1")).json;
  expect(first).toEqual({
    searches: [
      { searchQuery: "install", hits: 4, ctr: 0.25, topClickedPage: "/a", lastSearchedAt: "2026-06-01T06:00:00.000Z" },
    ],
    totalSearches: 7,
    nextCursor: expect.any(String),
    range: { dateFrom: null, dateTo: null },
  });
  expect((await ask(`/searches?limit=1&cursor=${first.nextCursor}`)).json).toMatchObject({
    searches: [{ searchQuery: "sso", topClickedPage: null, ctr: 0 }],
    nextCursor: null,
  });
  expect((await ask("/searches?cursor=x")).status).toBe(400);
  expect((await ask("/searches?limit=101")).status).toBe(400);
});

test("questions to the assistant are listed, newest first, with their threads and callers", async () => {
  const { ask, store, projectId } = await openAnalytics();
  const thread = { threadId: "01J0000000000000000000000A", projectId, readerHash: "r", keyHash: "k" };
  const turn = (i: number, fields: Partial<NewTurn> = {}): NewTurn => ({
    thread,
    messageId: `msg_${i}`,
    askedAt: Date.parse("2026-05-30T12:00:00Z") + i * 24 * hourMs,
    question: `Question ${i}`,
    answer: `Answer ${i}`,
    sources: [{ url: "https://docs.acme.com/a", title: "A" }],
    outcome: "answered",
    caller: "web",
    promptTokens: 0,
    completionTokens: 0,
    ...fields,
  });
  await store.threads.add([turn(0), turn(1, { outcome: "unanswered", caller: "api" })]);
  await store.threads.add([turn(2, { thread: { ...thread, threadId: "01J0000000000000000000000B" } })]);
  await store.threads.add([
    turn(3, { thread: { ...thread, threadId: "01J0000000000000000000000C", projectId: "prj_other" } }),
  ]);
  const { json } = await ask("/assistant?limit=2");
  expect(json).toEqual({
    conversations: [
      expect.objectContaining({
        query: "Question 2",
        threadId: "01J0000000000000000000000B",
        resolutionStatus: "answered",
      }),
      {
        id: expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
        threadId: thread.threadId,
        timestamp: "2026-05-31T12:00:00.000Z",
        query: "Question 1",
        response: "Answer 1",
        responseType: "answer",
        sources: [{ title: "A", url: "https://docs.acme.com/a" }],
        resolutionStatus: "unanswered",
        queryCategory: null,
        pageUrl: null,
      },
    ],
    nextCursor: json.conversations[1].id,
    hasMore: true,
    range: { dateFrom: null, dateTo: null },
  });
  const rest = (await ask(`/assistant?limit=2&cursor=${json.nextCursor}`)).json;
  expect([rest.conversations.map(({ query }: { query: string }) => query), rest.nextCursor, rest.hasMore]).toEqual([
    ["Question 0"],
    null,
    false,
  ]);
  expect((await ask("/assistant?dateFrom=2026-05-31&dateTo=2026-06-01")).json.conversations).toHaveLength(1);
  expect((await ask("/assistant?cursor=msg_1")).status).toBe(400);
  expect((await ask("/assistant?limit=1001")).status).toBe(400);

  expect((await ask(`/assistant/threads/${thread.threadId.toLowerCase()}`)).json).toEqual({
    threadId: thread.threadId,
    createdAt: "2026-05-30T12:00:00.000Z",
    messages: [0, 1].flatMap((i) => {
      const createdAt = `2026-05-3${i}T12:00:00.000Z`;
      return [
        { id: `msg_${i}_question`, role: "user", content: `Question ${i}`, createdAt },
        { id: `msg_${i}`, role: "assistant", content: `Answer ${i}`, createdAt },
      ];
    }),
  });
  for (const id of ["01J0000000000000000000000C", "nothing"])
    expect((await ask(`/assistant/threads/${id}`)).status).toBe(404);
  const range = { dateFrom: null, dateTo: null };
  expect((await ask("/assistant/caller-stats")).json).toEqual({ web: 2, api: 1, other: 0, total: 3, range });
  expect((await ask("/assistant/caller-stats?dateTo=2026-05-31")).json).toEqual({
    ...{ web: 1, api: 0, other: 0, total: 1 },
    range: { dateFrom: null, dateTo: "2026-05-31" },
  });
});

test.each([
  ["2026-06-01", "2026-06-01"],
  ["2026-06-01T23:59:59.999Z", "2026-06-01"],
  ["2026-06-01t00:30:00+02:00", "2026-05-31"],
  ["2026-06-01T00:30:00 02:00", "2026-05-31"],
  ["2026-06-01T23:00:00-0200", "2026-06-02"],
  ["2024-02-29", "2024-02-29"],
  ["0001-01-01", "0001-01-01"],
])("the time %s is on the day %s", (text, date) => expect(dayIn(text)).toBe(day(date)));

test.each([
  ["2026-06-01", "2026-06-01"],
  ["2026-06-01T00:00:00Z", "2026-06-01"],
  ["2026-06-01T23:58:59Z", "2026-06-01"],
  ["2026-06-01T23:59Z", "2026-06-02"],
  ["2026-06-01T23:59:59.999999Z", "2026-06-02"],
  ["2026-06-02T01:59:59+02:00", "2026-06-02"],
])("results before %s are those before the day %s", (text, date) => expect(dayBefore(text)).toBe(day(date)));

test.each([
  "2025-02-29",
  "2026-6-1",
  "20260601",
  "2026-W23-1",
  "2026-06-01T",
  "2026-06-01T12",
  "2026-06-01T24:00Z",
  " 2026-06-01",
  "2026-06-01Z",
])("%s is not a day", (text) => expect(dayIn(text)).toBe(undefined));

test("the ULID of a turn has its time and its number", () => {
  expect(ulidOfTurn(7, Date.parse("2016-07-30T23:54:10.259Z"))).toBe("01ARZ3NDEK0000000000000007");
  expect(turnOfUlid(ulidOfTurn(123_456_789, Date.now()).toLowerCase())).toBe(123_456_789);
  expect([turnOfUlid(""), turnOfUlid("01ARZ3NDEKZZZZZZZZZZZZZZZZ")]).toEqual([undefined, undefined]);
});
