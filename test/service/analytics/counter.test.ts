import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type CountedSite,
  createDaySalts,
  createViewTally,
  openViewCounter,
  sitePathOf,
  type Visit,
  type Way,
} from "../../../src/service/analytics/index.js";
import { openSqliteState, type ViewCounts } from "../../../src/service/jobs/index.js";
import { temporaryFolder } from "../../support/cli.js";
import { waitUntil } from "../../support/wait-until.js";

const dayMs = 24 * 60 * 60_000;
const midnight = Date.parse("2026-06-02T00:00:00Z");
const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const pages = new Set(["/", "/a", "/guides/install", "/ä b", "/llms.txt"]);
const site: CountedSite = {
  projectId: "prj_1",
  basePath: "/docs",
  has: (path) => pages.has(path),
  humansFrom: "server",
  agentsFrom: "server",
};
const visit = (path: string, fields: Partial<Visit> = {}): Visit => ({
  method: "GET",
  path,
  status: 200,
  address: "203.0.113.7",
  headers: { "user-agent": chrome, accept: "text/html", "sec-fetch-mode": "navigate" },
  ...fields,
});
const withHeader = (headers: Visit["headers"]): Partial<Visit> => ({ headers: { "user-agent": chrome, ...headers } });

function newTally(way: Way = "server", time = midnight) {
  const clock = { ms: time };
  const tally = createViewTally({ way, salts: { of: (day) => `salt of ${day}` }, now: () => clock.ms });
  return Object.assign(tally, { clock });
}

test.each([
  // address                        base path  path               Markdown
  ["/", "", "/", false],
  ["/index.html", "", "/", false],
  ["/index.md", "", "/", true],
  ["/a", "", "/a", false],
  ["/a/?utm_source=x", "", "/a", false],
  ["/a.html#b", "", "/a", false],
  ["/a/index.html", "", "/a", false],
  ["/a.md", "", "/a", true],
  ["/docs", "/docs", "/", false],
  ["/docs/", "/docs", "/", false],
  ["/docs/guides/%C3%A4.html", "/docs", "/guides/ä", false],
  ["/docs/%E4", "/docs", "/%E4", false],
  ["/docs/llms.txt", "/docs", "/llms.txt", true],
  ["/docs/skill.md", "/docs", "/skill.md", true],
])("the address %s in %s/ is the page %s", (address, basePath, path, isMarkdown) =>
  expect(sitePathOf(address, basePath)).toEqual({ path, isMarkdown }),
);

test("an address outside of the site's folder is no page", () => {
  expect(sitePathOf("/docsearch", "/docs")).toBe(undefined);
  expect(sitePathOf("http://elsewhere", "/docs")).toBe(undefined);
});

test.each([
  ["a page", visit("/docs/a"), "human"],
  ["a page that the browser still has", visit("/docs/a", { status: 304 }), "human"],
  ["an agent's Markdown", visit("/docs/a.md", withHeader({ "user-agent": "curl/8" })), "ai"],
  ["Markdown by negotiation", visit("/docs/a", withHeader({ "user-agent": "node", accept: "text/markdown" })), "ai"],
  [
    "the counts that the server sent decide",
    visit("/docs/a", { ...withHeader({ "user-agent": "node" }), isMarkdown: true }),
    "ai",
  ],
  ["the list of pages for agents", visit("/docs/llms.txt", withHeader({ "user-agent": "curl/8" })), "ai"],
  ["a crawler", visit("/docs/a", withHeader({ "user-agent": "GPTBot/1.2" })), "training"],
  ["HEAD", visit("/docs/a", { method: "HEAD" }), "method"],
  ["a range", visit("/docs/a", { status: 206 }), "status"],
  ["a redirect", visit("/docs/a", { status: 308 }), "status"],
  ["a prefetch", visit("/docs/a", withHeader({ "sec-purpose": "prefetch;prerender" })), "prefetch"],
  ["a preview", visit("/docs/a", withHeader({ "x-purpose": "preview" })), "prefetch"],
  ["an asset", visit("/docs/assets/site.css"), "no-page"],
  ["another folder of the host", visit("/a"), "no-page"],
  ["an address without a page", visit("/docs/old?x=1", { status: 404 }), "missing"],
  ["a scanner's address", visit("/docs/wp-login.php", { status: 404, headers: { "user-agent": "curl/8" } }), "status"],
])("%s: %#", (_, seen, outcome) => expect(newTally().count(site, seen)).toBe(outcome));

test("a view counts once, in the way that the site has chosen for it", () => {
  const agent = visit("/docs/a", withHeader({ "user-agent": "GPTBot/1.2" }));
  const counted = (way: Way, fields: Partial<CountedSite>) => {
    const tally = newTally(way);
    const outcomes = [
      tally.count({ ...site, ...fields }, visit("/docs/a")),
      tally.count({ ...site, ...fields }, agent),
    ];
    return [...outcomes, tally.size];
  };
  expect(counted("server", { humansFrom: "beacon" })).toEqual(["other-way", "training", 1]);
  expect(counted("beacon", { humansFrom: "beacon" })).toEqual(["human", "training", 1]);
  expect(counted("logs", { humansFrom: "beacon", agentsFrom: "logs" })).toEqual(["other-way", "training", 1]);
  expect(counted("logs", {})).toEqual(["other-way", "other-way", 0]);
});

test("views before and after midnight belong to their days, and a visitor counts again on the next day", () => {
  const tally = newTally("server", midnight - 1);
  for (let i = 0; i < 3; i++) tally.count(site, visit("/docs/a"));
  tally.clock.ms = midnight;
  tally.count(site, visit("/docs/a"));
  tally.count(site, visit("/docs/a", { at: midnight - dayMs }));
  tally.count(site, visit("/docs/a", { at: midnight + 5 * dayMs }));
  const { hits, visitors, rules } = tally.take();
  const today = midnight / dayMs;
  expect(hits.map(({ day, views }) => [day - today, views])).toEqual([
    [-1, 4],
    [0, 2],
  ]);
  expect(new Set(visitors.map(({ visitor }) => visitor)).size).toBe(2);
  expect(visitors.map(({ visitor }) => visitor)).toEqual(Array(2).fill(expect.stringMatching(/^[\w-]{11}$/)));
  expect([rules, tally.size, tally.take().hits]).toEqual([1, 0, []]);
});

test("visitors are distinguished by address, user agent and site, but not those that object", () => {
  const tally = newTally();
  const seen = (fields: Partial<Visit>, of = site) => tally.count(of, visit("/docs/a", fields));
  seen({});
  seen({});
  seen({ address: "203.0.113.8" });
  seen({ address: "2001:db8:1:2::1" });
  seen({ address: "2001:db8:1:2:ffff::9" });
  seen(withHeader({ "user-agent": chrome.replace("142", "141") }));
  seen({}, { ...site, projectId: "prj_2" });
  seen({ address: undefined });
  seen({ address: "203.0.113.9", ...withHeader({ "sec-gpc": "1" }) });
  seen({ address: "203.0.113.9", ...withHeader({ dnt: "1" }) });
  seen({ address: "203.0.113.9", ...withHeader({ "user-agent": "GPTBot/1.2" }) });
  const { hits, visitors } = tally.take();
  expect(hits.reduce((sum, { views }) => sum + views, 0)).toBe(11);
  expect(new Set(visitors.map(({ visitor }) => visitor)).size).toBe(5);
  expect(JSON.stringify([hits, visitors])).not.toContain("203.0.113");
});

test("a million invented addresses create no rows", async () => {
  const state = await openSqliteState({ file: join(temporaryFolder(), "state.db") });
  onTestFinished(() => state.close());
  const { organizationId } = await state.accounts.organization("Acme");
  const source = { kind: "folder", path: "/docs" } as const;
  const { projectId } = await state.accounts.addProject({
    organizationId,
    domain: "docs.acme.com",
    source,
    deployment: "cloud",
  });
  const invaded = { ...site, projectId };
  const tally = newTally();
  for (let i = 0; i < 1_000_000; i++) tally.count(invaded, visit(`/docs/invented-${i}`));
  expect(tally.size).toBe(0);
  for (let i = 0; i < 3000; i++) tally.count(invaded, visit(`/docs/invented-${i}`, { status: 404 }));
  await state.views.add(tally.take());
  expect((await state.views.missing(projectId, 5000)).length).toBe(1000);
  expect((await state.views.views(projectId, {}, { limit: 1, offset: 0, allKinds: true })).views).toEqual([]);
});

test("counts are stored within a second or with 20,000 hits, in order, and again after the database failed", async () => {
  const stored: ViewCounts[] = [];
  const lines: string[] = [];
  let isBroken = false;
  const counter = await openViewCounter({
    way: "server",
    views: {
      async add(counts) {
        if (isBroken) throw new Error("broken");
        stored.push(counts);
        return true;
      },
    },
    accounts: { salt: async (name) => `salt of ${name}` },
    log: (_, message) => void lines.push(message),
  });
  const views = () => stored.flatMap(({ hits }) => hits).reduce((sum, row) => sum + row.views, 0);
  for (let i = 0; i < 20_000; i++) counter.count(site, visit("/docs/a"));
  await counter.flush();
  expect([views(), stored.length, stored[0]!.visitors.length]).toEqual([20_000, 1, 1]);
  counter.count(site, visit("/docs/a"));
  await waitUntil("the view", () => views() === 20_001);
  isBroken = true;
  counter.count(site, visit("/docs/a"));
  await counter.flush();
  counter.count(site, visit("/docs/guides/install"));
  await counter.flush();
  expect([views(), lines]).toEqual([20_001, Array(2).fill("failed to store page views, retrying")]);
  isBroken = false;
  await waitUntil("the views", () => views() === 20_003);
  counter.count(site, visit("/docs/a"));
  await counter.close();
  expect(views()).toBe(20_004);
});

test("a burst is one transaction, and views that arrive while it is written wait for the next", async () => {
  const stored: number[] = [];
  const counter = await openViewCounter({
    way: "server",
    views: {
      async add({ hits }) {
        stored.push(hits.reduce((sum, { views }) => sum + views, 0));
        // Readers come while the database writes.
        if (stored.length < 10) counter.count(site, visit("/docs/a"));
        return true;
      },
    },
    accounts: { salt: async (name) => `salt of ${name}` },
    log: () => {},
  });
  for (let i = 0; i < 20_100; i++) counter.count(site, visit("/docs/a"));
  await counter.flush();
  expect(stored).toEqual([20_100, 1]);
  await counter.close();
});

test("the salt of a day is read before the day begins, and a past day's is made up", async () => {
  const clock = { ms: midnight - 60 * 60_000 };
  const asked: string[] = [];
  const salt = async (name: string, endsAt: number) => {
    asked.push(`${name} until ${new Date(endsAt).toISOString()}`);
    return `salt of ${name}`;
  };
  const salts = createDaySalts({ salt }, () => clock.ms);
  const today = Math.floor(clock.ms / dayMs);
  expect(salts.of(today)).toBe(undefined);
  await salts.prepare();
  clock.ms = midnight - 5 * 60_000;
  await salts.prepare();
  await salts.prepare();
  expect(asked).toEqual([
    `visitors ${today} until 2026-06-02T00:00:00.000Z`,
    `visitors ${today + 1} until 2026-06-03T00:00:00.000Z`,
  ]);
  clock.ms = midnight + 1;
  expect([today, today + 1].map((day) => salts.of(day))).toEqual(
    [today, today + 1].map((day) => `salt of visitors ${day}`),
  );
  const past = salts.of(today - 9);
  expect([past, salts.of(today - 9), asked.length]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), past, 2]);
});
