import { expect, test } from "vitest";
import { csvOf } from "../../../src/lib/csv.js";
import { readRange } from "../../../src/service/console/views/view-range.js";
import { fillConsole } from "../../support/console-data.js";
import { openConsoleWorld } from "../../support/console-world.js";

const now = Date.parse("2026-06-01T23:30:00Z");
const day = (date: string): number => Date.parse(date) / 86_400_000;

test.each([
  ["", "30d", "2026-05-03", "2026-06-01"],
  ["range=7d", "7d", "2026-05-26", "2026-06-01"],
  ["range=forever", "30d", "2026-05-03", "2026-06-01"],
  ["from=2026-01-01&to=2026-01-31", "custom", "2026-01-01", "2026-01-31"],
  ["from=2026-02-01&to=2026-01-01", "30d", "2026-05-03", "2026-06-01"],
  ["from=2026-02-30&to=2026-03-01", "30d", "2026-05-03", "2026-06-01"],
  ["from=0001-01-01&to=9999-12-31", "30d", "2026-05-03", "2026-06-01"],
])("the query %j shows the days of UTC that it names", (query, name, first, last) => {
  expect(readRange(new URLSearchParams(query), now)).toEqual({ name, first: day(first), last: day(last) });
});

test("cells of CSV are quoted, and no spreadsheet runs one", () => {
  expect(csvOf(["a,b", 'say "x"', "c"], [["=1+1", "-2", "@SUM(A1)", "two\nlines", -5]])).toBe(
    `"a,b","say ""x""",c\r\n'=1+1,'-2,'@SUM(A1),"two\nlines",-5\r\n`,
  );
});

test("views show people and agents by day and page, and the other programs apart", async () => {
  const world = await openConsoleWorld();
  const { site } = await fillConsole(world);
  const reader = await world.member("reader");
  const today = Math.floor(world.clock.ms / 86_400_000);
  const { totals, views } = await world.store.views.views(site, { from: today - 29 }, { limit: 250, offset: 0 });
  const { status, text } = await reader.get("/console/views?site=docs.acme.com");
  expect(status).toBe(200);
  for (const count of [totals.total, totals.human, totals.ai]) expect(text).toContain(count.toLocaleString("en"));
  expect(text.match(/class="chart-bar"/g)).toHaveLength(30);
  expect(text).toContain("/start/first-export");
  expect(text).toContain("/guides/instal");
  // A search without a result comes before one with.
  expect(text).toMatch(/kubernetes operator.*No result.*install/s);

  const onePage = await reader.get("/console/views?site=docs.acme.com&range=7d&path=%2Fguides%2Finstall");
  expect(onePage.text.match(/class="chart-bar"/g)).toHaveLength(7);
  expect(onePage.text).toContain("Views of this page");

  const csv = await reader.get("/console/views/csv?site=docs.acme.com");
  expect(csv.headers.get("Content-Disposition")).toMatch(/^attachment; filename="views-docs\.acme\.com-[\d-]+\.csv"$/);
  const rows = csv.text.trimEnd().split("\r\n");
  expect(rows[0]).toBe("path,human,ai,total,search,training,otherAi,bot");
  const { path, human, ai, total } = views[0]!;
  expect(rows[1]).toMatch(new RegExp(`^${path},${human},${ai},${total},\\d+,\\d+,\\d+,\\d+$`));
  expect(rows).toHaveLength(1 + views.length);
});

test("another organization's site has no views here", async () => {
  const world = await openConsoleWorld();
  const reader = await world.member("reader");
  for (const path of ["/console/views", "/console/views/csv"])
    expect((await reader.get(`${path}?site=docs.globex.com`)).status).toBe(404);
  const { text } = await reader.get("/console/views");
  expect(text).toContain("offprint serve ./offprint-out --count docs.acme.com");
});

test("questions show unanswered ones first, filter, and are exported by editors, who leave a trace", async () => {
  const world = await openConsoleWorld();
  const { thread } = await fillConsole(world);
  const [editor, reader] = [await world.member("editor"), await world.member("reader")];
  expect((await reader.get("/console/questions")).status).toBe(404);
  const { text } = await editor.get("/console/questions");
  expect(text).toMatch(/Is there a Kubernetes operator\?.*Unanswered.*Which versions of Node.*Answered/s);
  const unhelpful = await editor.get("/console/questions?show=unhelpful");
  expect(unhelpful.text).toContain("Is there a Kubernetes operator?");
  expect((await editor.get("/console/questions?site=api.acme.com")).text).toContain("No questions yet");

  const page = await editor.get(`/console/questions/${thread}`);
  for (const shown of [
    "I need this for our cluster.",
    "Not helpful",
    "Helpful",
    "https://docs.acme.com/start/first-export",
  ])
    expect(page.text).toContain(shown);
  const json = JSON.parse((await editor.get(`/console/questions/${thread}/json`)).text);
  expect(json.turns.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["unanswered", "answered"]);
  const csv = await editor.get("/console/questions/csv");
  expect(csv.text).toContain("docs.acme.com,01J0000000000000000000000A,");
  expect(csv.text.trimEnd().split("\r\n")).toHaveLength(4);
  const { entries } = await world.store.people.auditLog(world.acme.organizationId, { limit: 5 });
  expect(entries.map(({ action }) => action).slice(0, 2)).toEqual(["questions.export", "questions.export"]);

  expect((await editor.post(`/console/questions/${thread}/delete`)).to).toBe("/console/questions");
  expect((await editor.get(`/console/questions/${thread}`)).status).toBe(404);
});

test("a conversation with another organization's site is unknown", async () => {
  const world = await openConsoleWorld();
  const { thread } = await fillConsole(world);
  const stranger = await world.member("owner", world.globex.organizationId);
  for (const answer of [
    await stranger.get(`/console/questions/${thread}`),
    await stranger.get(`/console/questions/${thread}/json`),
    await stranger.post(`/console/questions/${thread}/delete`),
  ])
    expect(answer.status).toBe(404);
  expect(await world.store.threads.turns(thread)).toHaveLength(2);
});
