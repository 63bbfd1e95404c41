import { describe, expect, test } from "vitest";
import type { DayRange, State, ViewCount, ViewKind, VisitorSeen } from "../../../src/service/jobs/index.js";
import { dayOf, firstDayOf, monthOf, partsOf } from "../../../src/service/jobs/views/close-days.js";
import { describeStates, type TestState } from "./open-test-state.js";

const dayMs = 24 * 60 * 60_000;
const source = { kind: "folder", path: "/docs" } as const;

async function newProject(state: State, domain = "docs.acme.com") {
  const { organizationId } = await state.accounts.organization("Acme");
  const { projectId } = await state.accounts.addProject({ organizationId, domain, source, deployment: "cloud" });
  return { organizationId, projectId };
}

const hits = (
  projectId: string,
  rows: readonly (readonly [day: number, path: string, kind: ViewKind, views: number])[],
) => ({
  hits: rows.map(([day, path, kind, views]): ViewCount => ({ projectId, day, path, kind, views })),
  missing: [],
  visitors: [],
});

/** Numbers from 0 to 1 that are the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function everyPage(state: State, projectId: string, range: DayRange, limit: number) {
  const all = [];
  for (let offset = 0; ; offset += limit) {
    const page = await state.views.views(projectId, range, { limit, offset });
    all.push(...page.views);
    if (!page.hasMore) return { views: all, totals: page.totals };
    expect(page.views.length).toBe(limit);
  }
}

describeStates("the views' state", (open, kind) => {
  test("pages are sorted by their views, then by code point; only people and agents count", async () => {
    const state = await open();
    const { projectId } = await newProject(state);
    const today = dayOf(state.now());
    await state.views.add(
      hits(projectId, [
        [today, "/b", 0, 2],
        [today, "/b", 1, 1],
        [today, "/\u{1f600}", 0, 1],
        [today, "/\u{ff61}", 0, 1],
        [today, "/Z", 1, 1],
        [today, "/a", 0, 1],
        [today, "/crawled", 2, 9],
        [today, "/a", 5, 7],
      ]),
    );
    await state.views.add(hits(projectId, [[today, "/b", 0, 1]]));
    const list = await state.views.views(projectId, {}, { limit: 4, offset: 0 });
    expect(list).toEqual({
      totals: { human: 6, ai: 2, total: 8 },
      views: [
        { path: "/b", human: 3, ai: 1, total: 4 },
        { path: "/Z", human: 0, ai: 1, total: 1 },
        { path: "/a", human: 1, ai: 0, total: 1 },
        { path: "/\u{ff61}", human: 1, ai: 0, total: 1 },
      ],
      hasMore: true,
    });
    const rest = await state.views.views(projectId, {}, { limit: 4, offset: 4 });
    expect([rest.totals.total, rest.views.map(({ path }) => path), rest.hasMore]).toEqual([8, ["/\u{1f600}"], false]);
    const all = await state.views.views(projectId, {}, { limit: 9, offset: 0, allKinds: true });
    expect(all.totals).toEqual({ human: 6, ai: 2, total: 8, others: { search: 9, training: 0, otherAi: 0, bot: 7 } });
    expect(all.views.at(-1)).toMatchObject({ path: "/crawled", total: 0, others: { search: 9 } });
    expect(await state.views.byDay(projectId, {})).toEqual([{ day: today, human: 6, ai: 2, others: 16 }]);
    expect(await state.views.byDay(projectId, {}, "/a")).toEqual([{ day: today, human: 1, ai: 0, others: 7 }]);
    expect(await state.views.byDay(projectId, { from: today + 1 })).toEqual([]);
    expect(await state.views.views("prj_none", {}, { limit: 4, offset: 0 })).toEqual({
      totals: { human: 0, ai: 0, total: 0 },
      views: [],
      hasMore: false,
    });
  });

  test("months and the days at the edges add up to the days, and pages of any length to the whole list", async () => {
    const state = await open();
    const { projectId } = await newProject(state);
    const today = dayOf(state.now());
    const random = randomNumbers(7);
    const rows = Array.from({ length: 3000 }, () => {
      const day = today - Math.floor(random() * 400);
      const kind = Math.floor(random() * 3) as ViewKind;
      return [day, `/page-${Math.floor(random() ** 2 * 60)}`, kind, 1 + Math.floor(random() * 5)] as const;
    });
    for (let i = 0; i < rows.length; i += 1000) await state.views.add(hits(projectId, rows.slice(i, i + 1000)));

    const month = monthOf(today) - 5;
    const start = firstDayOf(month);
    const ranges: DayRange[] = [
      {},
      { from: start },
      { to: start },
      { from: start, to: firstDayOf(month + 2) },
      { from: start + 3, to: start + 20 },
      { from: start + 20, to: firstDayOf(month + 1) + 20 },
      { from: start + 2, to: firstDayOf(month + 1) + 2 },
      { from: start + 27, to: firstDayOf(month + 1) + 28 },
      { from: start + 5, to: start + 5 },
      { from: today, to: today + 1 },
      { from: today - 365 },
      { from: today - 380, to: today + 40 },
      ...Array.from({ length: 20 }, () => {
        const from = today - Math.floor(random() * 420);
        return { from, to: from + Math.floor(random() * 200) };
      }),
    ];
    for (const range of ranges) {
      const sums = new Map<string, { human: number; ai: number }>();
      for (const [day, path, kind, views] of rows) {
        if (kind > 1 || day < (range.from ?? 0) || day >= (range.to ?? Number.POSITIVE_INFINITY)) continue;
        const sum = sums.get(path) ?? { human: 0, ai: 0 };
        sum[kind === 0 ? "human" : "ai"] += views;
        sums.set(path, sum);
      }
      const expected = [...sums]
        .map(([path, { human, ai }]) => ({ path, human, ai, total: human + ai }))
        .sort((a, b) => b.total - a.total || (a.path < b.path ? -1 : 1));
      const { views, totals } = await everyPage(state, projectId, range, 1 + Math.floor(random() * 50));
      expect(views).toEqual(expected);
      const sum = (name: "human" | "ai" | "total") => expected.reduce((total, row) => total + row[name], 0);
      expect(totals).toEqual({ human: sum("human"), ai: sum("ai"), total: sum("total") });
    }
  });

  test("visitors count once a day, for the site and for each page, also after the day is closed", async () => {
    const state = await open();
    const { projectId } = await newProject(state);
    const today = dayOf(state.now());
    const seen = (day: number, path: string, kind: 0 | 1, visitor: string): VisitorSeen => ({
      projectId,
      day,
      path,
      kind,
      visitor,
    });
    const add = (visitors: readonly VisitorSeen[]) => state.views.add({ hits: [], missing: [], visitors });
    await add([
      seen(today, "/a", 0, "ann"),
      seen(today, "/a", 1, "ann"),
      seen(today, "/b", 0, "ann"),
      seen(today, "/a", 0, "bob"),
    ]);
    await add([seen(today, "/a", 0, "ann"), seen(today, "/b", 1, "bot")]);
    const expected = {
      totals: { human: 2, ai: 2, total: 3 },
      visitors: [
        { path: "/a", human: 2, ai: 1, total: 2 },
        { path: "/b", human: 1, ai: 1, total: 2 },
      ],
      hasMore: false,
    };
    const page = { limit: 10, offset: 0 };
    expect(await state.views.visitors(projectId, {}, page)).toEqual(expected);
    await state.views.closeDays(today);
    await state.advance(61_000);
    expect(await state.views.visitors(projectId, {}, page)).toEqual(expected);
    await state.advance(2 * dayMs);
    await state.views.closeDays(today + 1);
    expect(await state.views.visitors(projectId, { from: today, to: today + 1 }, page)).toEqual(expected);
    // The days of a range are added, and a log that is imported late adds to its day.
    await add([seen(today + 1, "/a", 0, "ann"), seen(today, "/a", 0, "carl")]);
    const sum = {
      totals: { human: 4, ai: 2, total: 5 },
      visitors: [
        { path: "/a", human: 4, ai: 1, total: 4 },
        { path: "/b", human: 1, ai: 1, total: 2 },
      ],
    };
    expect(await state.views.visitors(projectId, { from: today }, page)).toMatchObject(sum);
    await state.views.closeDays(today + 2);
    await state.advance(61_000);
    expect(await state.views.visitors(projectId, {}, page)).toMatchObject(sum);
    expect(await state.views.visitors(projectId, { from: today + 1 }, { limit: 1, offset: 0 })).toMatchObject({
      totals: { human: 1, ai: 0, total: 1 },
      hasMore: false,
    });
  });

  test("of URLs without a page the most wanted 1,000 are kept for 30 days", async () => {
    const state = await open();
    const { projectId } = await newProject(state);
    const lost = (path: string, views: number, lastSeenAt = state.now()) => ({ projectId, path, views, lastSeenAt });
    const add = (missing: readonly ReturnType<typeof lost>[]) => state.views.add({ hits: [], missing, visitors: [] });
    await add([lost("/old-name", 3), lost("/typo", 2)]);
    const invented = (from: number) => Array.from({ length: 1500 }, (_, i) => lost(`/invented-${from + i}`, 1));
    await add(invented(0));
    await add(invented(1500));
    await add([lost("/old-name", 1, state.now() + 5)]);
    const found = await state.views.missing(projectId, 2);
    expect(found).toEqual([
      { path: "/old-name", views: 4, lastSeenAt: new Date(state.now() + 5) },
      { path: "/typo", views: 2, lastSeenAt: new Date(state.now()) },
    ]);
    expect((await state.views.missing(projectId, 5000)).length).toBe(1000);
    expect((await state.views.views(projectId, {}, { limit: 5, offset: 0 })).views).toEqual([]);
    await state.advance(31 * dayMs);
    await state.views.closeDays(dayOf(state.now()));
    expect(await state.views.missing(projectId, 5)).toEqual([]);
  });

  test.runIf(kind === "sqlite")("a site has at most 20,000 paths", async () => {
    const state = await open();
    const { projectId } = await newProject(state);
    const today = dayOf(state.now());
    const rows = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => [today, `/page-${from + i}`, 0, 1] as const);
    await state.views.add(hits(projectId, rows(0, 19_999)));
    await state.views.add(hits(projectId, rows(19_990, 20_020)));
    const { totals } = await state.views.views(projectId, {}, { limit: 1, offset: 0 });
    expect(totals.human).toBe(19_999 + 10);
    await state.views.add(hits(projectId, [[today, "/one-more", 0, 1]]));
    expect((await state.views.views(projectId, {}, { limit: 1, offset: 0 })).totals.human).toBe(19_999 + 10);
  });

  test("two processes add to the same pages at once", async () => {
    const state = await open();
    const { projectId } = await newProject(state);
    const another = await state.another();
    const today = dayOf(state.now());
    const rows = Array.from({ length: 300 }, (_, i) => [today, `/page-${i}`, 0, 1] as const);
    await Promise.all(
      [state, another, state, another].map((each, i) =>
        each.views.add(hits(projectId, i % 2 === 0 ? rows : rows.toReversed())),
      ),
    );
    const { totals, views } = await state.views.views(projectId, {}, { limit: 300, offset: 0 });
    expect([totals.human, views.length, new Set(views.map(({ human }) => human))]).toEqual([1200, 300, new Set([4])]);
  });

  test("a part of a log is stored once, with its counts or not at all", async () => {
    const state = await open();
    const { projectId } = await newProject(state);
    const today = dayOf(state.now());
    const part = (fromByte: number, toByte: number) => ({ projectId, file: "f1", fromByte, toByte });
    const counts = hits(projectId, [[today, "/a", 0, 1]]);
    expect(await state.views.importedBytes(projectId, "f1")).toBe(0);
    expect(await state.views.add(counts, part(0, 100))).toBe(true);
    expect(await state.views.add(counts, part(0, 100))).toBe(false);
    expect(await state.views.add(counts, part(100, 150))).toBe(true);
    expect(await state.views.importedBytes(projectId, "f1")).toBe(150);
    expect((await state.views.views(projectId, {}, { limit: 1, offset: 0 })).totals.human).toBe(2);
  });

  test("a query is shown on days on which 3 visitors asked it, with its clicks", async () => {
    const state = await open();
    const { projectId } = await newProject(state);
    const today = dayOf(state.now());
    const page = { limit: 10, offset: 0 };
    const search = (query: string, visitor: string, clicked?: string, results = 4) => ({
      projectId,
      at: state.now(),
      query,
      visitor,
      results,
      ...(clicked === undefined ? {} : { clicked }),
    });
    await state.views.addSearches([
      search("Install  Node", "ann"),
      search(" install node", "bob"),
      search("install node", "bob", "/install"),
      search("my secret", "ann"),
      search("my secret", "ann"),
      search("my secret", "bob"),
      // Clicks alone make no asker.
      search("my secret", "carl", "/x"),
    ]);
    expect(await state.views.searches(projectId, {}, page)).toEqual({ searches: [], total: 0, hasMore: false });
    await state.views.addSearches([
      search("install node", "carl", undefined, 0),
      search("install node", "carl", "/install"),
    ]);
    const row = {
      query: "install node",
      searches: 3,
      clicks: 2,
      results: 4,
      topPath: "/install",
      lastSearched: new Date(state.now()),
    };
    const expected = { searches: [row], total: 3, hasMore: false };
    expect(await state.views.searches(projectId, {}, page)).toEqual(expected);
    await state.advance(dayMs);
    await state.views.closeDays(today + 1);
    expect(await state.views.searches(projectId, {}, page)).toEqual(expected);
    await state.views.addSearches(
      ["ann", "bob", "carl", "dora"].map((visitor) => search("zebra", visitor, undefined, 0)),
    );
    const both = await state.views.searches(projectId, { from: today }, { limit: 1, offset: 0 });
    expect(both).toMatchObject({ searches: [{ query: "zebra", searches: 4, results: 0 }], total: 7, hasMore: true });
    expect((await state.views.searches(projectId, { from: today }, { limit: 1, offset: 1 })).searches).toEqual([row]);
    expect((await state.views.searches(projectId, { to: today + 1 }, page)).total).toBe(3);
  });

  test("days are kept for 25 months and months for ever", async () => {
    const state = await open({ viewDayMonths: 2 });
    const { projectId } = await newProject(state);
    const today = dayOf(state.now());
    const old = firstDayOf(monthOf(today) - 2) - 1;
    await state.views.add(
      hits(projectId, [
        [old, "/a", 0, 1],
        [old + 1, "/a", 0, 2],
        [today, "/a", 0, 4],
      ]),
    );
    await state.views.closeDays(today);
    const human = async (range: DayRange) =>
      (await state.views.views(projectId, range, { limit: 1, offset: 0 })).totals.human;
    expect(await human({})).toBe(7);
    expect(await human({ to: old + 1 })).toBe(1);
    expect(await human({ from: old, to: old + 1 })).toBe(0);
    expect(await human({ from: old + 1, to: old + 2 })).toBe(2);
    expect((await state.views.byDay(projectId, {})).map(({ day }) => day)).toEqual([old + 1, today]);
  });

  test("a removed site takes its views with it", async () => {
    const state = await open();
    const { projectId, organizationId } = await newProject(state);
    const kept = await newProject(state, "docs.globex.com");
    const today = dayOf(state.now());
    const counts = (id: string) => ({
      ...hits(id, [[today, "/a", 0, 1]]),
      missing: [{ projectId: id, path: "/x", views: 1, lastSeenAt: state.now() }],
      visitors: [{ projectId: id, day: today, path: "/a", kind: 0 as const, visitor: "ann" }],
    });
    for (const id of [projectId, kept.projectId]) await state.views.add(counts(id));
    await state.erasures.erase({ kind: "site", organizationId, domain: "docs.acme.com" });
    await state.views.add(counts(projectId));
    const page = { limit: 1, offset: 0 };
    const read = async (id: string) => [
      (await state.views.views(id, {}, page)).totals.total,
      (await state.views.visitors(id, {}, page)).totals.total,
      (await state.views.missing(id, 1)).length,
    ];
    expect(await read(projectId)).toEqual([0, 0, 0]);
    await state.views.closeDays(today + 1);
    expect(await read(kept.projectId)).toEqual([1, 1, 1]);
    expect(await rowsOf(state)).toEqual({ view_sites: 1, view_paths: 1, view_days: 1, view_months: 1, view_totals: 1 });
  });
});

/** Rows of the tables with numbers, read past the store. */
async function rowsOf(state: TestState): Promise<Record<string, number>> {
  const tables = ["view_sites", "view_paths", "view_days", "view_months", "view_totals"];
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table] = await countRows(state.address, table);
  return counts;
}

async function countRows(address: string, table: string): Promise<number> {
  if (address.startsWith("postgresql:")) {
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    const { rows } = await client.query(`select count(*)::int as count from offprint.${table}`);
    await client.end();
    return rows[0].count;
  }
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(address, { readOnly: true });
  const row = database.prepare(`select count(*) as count from ${table}`).get() as { count: number };
  database.close();
  return row.count;
}

describe("the parts of a range", () => {
  const march = 2026 * 12 + 2;
  const first = firstDayOf(march);
  const today = first + 9;
  const parts = (range: DayRange, keptMonth = 0) =>
    partsOf(range, today, keptMonth).map(({ table, sign, from, to }) => [sign > 0 ? "+" : "-", table, from, to]);

  test.each([
    ["of a month so far is the month", { from: first }, [["+", "months", march, 1_000_000]]],
    [
      "from the end of one month into another are days",
      { from: first - 5, to: first + 5 },
      [
        ["+", "days", first - 5, first],
        ["+", "days", first, first + 5],
      ],
    ],
    [
      "from the beginning of a month is the month without the days before",
      { from: firstDayOf(march - 1) + 3 },
      [
        ["-", "days", firstDayOf(march - 1), firstDayOf(march - 1) + 3],
        ["+", "months", march - 1, 1_000_000],
      ],
    ],
    ["within a month are days", { from: first + 1, to: first + 3 }, [["+", "days", first + 1, first + 3]]],
    ["without days are none", { from: first, to: first }, []],
  ])("%s", (_, range, expected) => expect(parts(range)).toEqual(expected));

  test("of a month whose days are deleted are days, since nothing can be subtracted", () =>
    expect(parts({ from: firstDayOf(march - 1) + 3 }, march)).toEqual([
      ["+", "days", firstDayOf(march - 1) + 3, first],
      ["+", "months", march, 1_000_000],
    ]));
});
