import { describe, expect, test } from "vitest";
import type { Project } from "../../../src/service/jobs/index.js";
import { type ApiWorld, openApiWorld } from "../../support/api-world.js";
import { smallBundle } from "../../support/small-bundle.js";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const path = "/v1/collect/docs.acme.com";
const origin = "https://docs.acme.com";
const files = ["index.html", "index.md", "guides/a.html", "guides/a.md", "old.html", "404.html"];

/** A site whose pages count its readers. */
async function open(counting: Partial<Project["counting"]> = { humansFrom: "beacon" }) {
  const world = await openApiWorld();
  await world.completedJob(await smallBundle(files, "https://www.acme.com/docs"));
  const { organizationId } = world.acme;
  const project = (await world.store.accounts.setCounting(organizationId, "docs.acme.com", counting))!;
  const send = async (
    body: unknown,
    headers: Record<string, string> = {},
    more: { from?: string; to?: string } = {},
  ) => {
    const answer = await world.call("POST", more.to ?? path, {
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "Content-Type": "text/plain;charset=UTF-8", Origin: origin, "User-Agent": firefox, ...headers },
      ...(more.from !== undefined && { from: more.from }),
    });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    return answer.headers.get("X-Counted");
  };
  return { ...world, project, send, sums: () => sumsOf(world, project.projectId) };
}

async function sumsOf({ collector, store }: ApiWorld, projectId: string) {
  await collector.flush();
  const { totals, views } = await store.views.views(projectId, {}, { limit: 10, offset: 0, allKinds: true });
  const visitors = await store.views.visitors(projectId, {}, { limit: 10, offset: 0 });
  return { totals, paths: views.map((each) => `${each.path} ${each.human}`), visitors: visitors.totals.human };
}

test("a view of a person is counted, and its visitor once a day", async () => {
  const { send, sums, clock, lines, store } = await open();
  for (const p of ["/guides/a", "/guides/a", "/"]) expect(await send({ p })).toBe("human");
  expect(await send({ p: "/guides/a" }, { Origin: "https://www.acme.com" }, { from: "198.51.100.8" })).toBe("human");
  // Who asks not to be followed is counted as a view.
  expect(await send({ p: "/" }, { "Sec-GPC": "1" }, { from: "198.51.100.9" })).toBe("human");
  const others = { search: 0, training: 0, otherAi: 0, bot: 0 };
  const { totals, paths } = await sums();
  expect([totals, paths]).toEqual([{ human: 5, ai: 0, total: 5, others }, ["/guides/a 3", "/ 2"]]);
  await store.views.closeDays(Math.floor(clock.ms / 86_400_000) + 1);
  expect((await sums()).visitors).toBe(2);
  const ours = lines.filter((line) => line.includes("collect"));
  expect([ours.length, ours.filter((line) => /198\.51\.100|Firefox/.test(line))]).toEqual([5, []]);
});

describe("nothing is counted", () => {
  const large = JSON.stringify({ p: `/${"a".repeat(1100)}` });
  const cases: readonly (readonly [what: string, body: unknown, outcome: string, headers?: Record<string, string>])[] =
    [
      ["of a page that does not exist", { p: "/guides/b" }, "no-page"],
      ["of a redirect", { p: "/old" }, "no-page"],
      ["of the page for unknown addresses", { p: "/404" }, "no-page"],
      ["of a body that is not JSON", "{p", "invalid"],
      ["of a body without a path", { p: 1 }, "invalid"],
      ["of a body that is null", "null", "invalid"],
      ["of a large body", large, "invalid"],
      ["of pages of another origin", { p: "/" }, "origin", { Origin: "https://evil.example" }],
      ["of files", { p: "/" }, "origin", { Origin: "null" }],
      ["of a browser that a program drives", { p: "/", w: 1 }, "bot"],
      [
        "of a crawler that runs scripts",
        { p: "/" },
        "search",
        { "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" },
      ],
      ["of a search without results' number", { q: "boats" }, "invalid"],
    ];
  test("of what no reader of the site sends", async () => {
    const { send, sums } = await open();
    for (const [what, body, outcome, headers] of cases)
      expect([what, await send(body, headers)]).toEqual([what, outcome]);
    expect(await send({ p: "/" }, {}, { to: "/v1/collect/docs.globex.com" })).toBe("origin");
    const globex = { Origin: "https://docs.globex.com" };
    expect(await send({ p: "/" }, globex, { to: "/v1/collect/docs.globex.com" })).toBe("no-export");
    expect(await send({ p: "/" }, {}, { to: "/v1/collect/nobody.example" })).toBe("unknown-site");
    expect(await sums()).toMatchObject({ totals: { total: 0 }, paths: [], visitors: 0 });
  });

  test("of people whom the server counts", async () => {
    const { send, sums } = await open({ humansFrom: "server" });
    expect(await send({ p: "/" })).toBe("other-way");
    expect((await sums()).totals.total).toBe(0);
  });

  test("of an address after 600 messages in a minute, until the next one", async () => {
    const { send, clock } = await open();
    for (let at = 0; at < 600; at++) await send("x");
    expect(await send({ p: "/" })).toBe("limit");
    expect(await send({ p: "/" }, {}, { from: "198.51.100.8" })).toBe("human");
    clock.ms += 60_000;
    expect(await send({ p: "/" })).toBe("human");
  });

  test("while the database does not answer; the page still gets its 204", async () => {
    const { send, store } = await open();
    store.accounts.projectByDomain = () => Promise.reject(new Error("gone"));
    expect(await send({ p: "/" })).toBe("unavailable");
  });
});

test("a search is shown once three readers asked it, with the result that they opened", async () => {
  const { send, collector, store, project } = await open();
  const search = (from: number, c?: string) =>
    send({ q: "  Winter   storage ", n: 4, ...(c && { c }) }, {}, { from: `198.51.100.${from}` });
  expect(await search(1, "/guides/a")).toBe("search-query");
  await search(2, "/invented");
  const shown = async () => {
    await collector.flush();
    await store.views.closeDays(Math.floor(Date.parse("2026-06-02") / 86_400_000));
    return (await store.views.searches(project.projectId, {}, { limit: 10, offset: 0 })).searches;
  };
  expect(await send({ q: "winter storage", n: 4 }, { DNT: "1" }, { from: "198.51.100.3" })).toBe("opted-out");
  expect(await send({ q: "winter storage", n: 4 }, { "User-Agent": "curl/8" }, { from: "198.51.100.4" })).toBe("bot");
  await search(5);
  const [row, ...rest] = await shown();
  expect([row, rest]).toMatchObject([{ query: "winter storage", searches: 3, clicks: 1, topPath: "/guides/a" }, []]);
});

test("a thumb is stored for a page of the site and read by analytics, as a list and by page", async () => {
  const world = await open({});
  const { send, project, call, key, clock } = world;
  expect(await send({ p: "/guides/a", h: 1 })).toBe("feedback");
  clock.ms += 60_000;
  expect(await send({ p: "/guides/a.html", h: 0 })).toBe("feedback");
  expect(await send({ p: "/", h: 1 })).toBe("feedback");
  expect(await send({ p: "/nothing", h: 1 })).toBe("missing");
  expect(await send({ p: "/", h: 2 })).toBe("invalid");
  expect(await send({ p: "/", h: 1 }, { Origin: "https://elsewhere.com" })).toBe("origin");
  expect(await send({ p: "/", h: 1 }, { "User-Agent": "GPTBot/1.0" })).toBe("bot");

  const root = `/v1/analytics/${project.projectId}/feedback`;
  const ask = async (query: string) => (await call("GET", `${root}${query}`, { key })).json;
  const first = await ask("?limit=2");
  expect(first).toEqual({
    feedback: [
      expect.objectContaining({ path: "/", helpful: true, createdAt: "2026-06-01T06:01:00.000Z" }),
      {
        id: expect.stringMatching(/^fb_/),
        path: "/guides/a",
        comment: null,
        createdAt: "2026-06-01T06:01:00.000Z",
        source: "contextual",
        status: "pending",
        helpful: false,
        contact: null,
      },
    ],
    nextCursor: expect.any(String),
    hasMore: true,
    range: { dateFrom: null, dateTo: null },
  });
  expect(await ask(`?limit=2&cursor=${first.nextCursor}`)).toMatchObject({
    feedback: [{ path: "/guides/a", helpful: true }],
    nextCursor: null,
    hasMore: false,
  });
  expect(await ask("/by-page?limit=1")).toEqual({
    feedback: [{ path: "/guides/a", thumbsUp: 1, thumbsDown: 1, code: 0, total: 2 }],
    hasMore: true,
    range: { dateFrom: null, dateTo: null },
  });
  for (const none of ["?source=agent", "?status=resolved,dismissed", "?dateTo=2026-06-01"])
    expect((await ask(none)).feedback).toEqual([]);
  expect((await ask("?status=pending,resolved&source=contextual&dateFrom=2026-06-01")).feedback).toHaveLength(3);
  for (const wrong of ["?source=some", "?status=open", "?limit=101", "?cursor=x"])
    expect((await call("GET", `${root}${wrong}`, { key })).status).toBe(400);

  const { organizationId, domain, projectId } = project;
  await world.store.erasures.erase({ kind: "site", organizationId, domain }, { actor: "test" });
  expect(await world.store.views.feedback(projectId, {}, { limit: 10 })).toEqual([]);
});
