/** T-N.5, T-N.7: a reader is counted by one way only, and nothing of who it was is kept. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { addressMatcher } from "../../../src/lib/http/index.js";
import type { Log } from "../../../src/lib/log.js";
import {
  createDaySalts,
  createViewTally,
  importLogs,
  openCollector,
  openViewCounter,
  pagesOf,
  readAgentRanges,
} from "../../../src/service/analytics/index.js";
import type { Counting } from "../../../src/service/jobs/index.js";
import { openStore } from "../../../src/service/open-store.js";
import { temporaryFolder } from "../../support/cli.js";

/** They must appear nowhere. */
const canary = {
  address: "203.0.113.77",
  agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 Canary/9",
};
const gptUser = "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)";
const now = Date.UTC(2026, 5, 10, 12);

/** One person and one agent read a page, and each way counts what it can see. */
async function readBy(counting: Counting) {
  const folder = temporaryFolder();
  const lines: string[] = [];
  const log: Log = (...words) => lines.push(JSON.stringify(words));
  const store = await openStore({ dataFolder: join(folder, "data"), publicUrl: "http://127.0.0.1:1" });
  onTestFinished(() => store.close());
  const { organizationId } = await store.accounts.organization("Acme");
  const { projectId } = await store.accounts.addProject({
    organizationId,
    domain: "docs.acme.com",
    source: { kind: "folder", path: folder },
    deployment: "cloud",
  });
  await store.accounts.setCounting(organizationId, "docs.acme.com", counting);
  const { views, accounts } = store;
  const has = (path: string): boolean => path === "/a";
  const site = { projectId, basePath: "", has, ...counting };
  const clock = () => now;
  const visits = [canary, { address: canary.address, agent: gptUser }];

  const server = await openViewCounter({ way: "server", views, accounts, log, now: clock });
  for (const { address, agent } of visits)
    server.count(site, { method: "GET", path: "/a", status: 200, address, headers: { "user-agent": agent } });
  await server.close();

  const pages = pagesOf({ files: ["a.html", "a.md"].map((path) => ({ path })) });
  const collector = await openCollector({ store, log, now: clock, pages: { of: async () => pages } });
  await collector.collect(
    "docs.acme.com",
    { p: "/a" },
    { address: canary.address, headers: { "user-agent": canary.agent }, origin: "https://docs.acme.com" },
  );
  await collector.close();

  const salts = createDaySalts(accounts, clock);
  await salts.prepare();
  const tally = createViewTally({ way: "logs", salts, now: clock });
  const path = join(folder, "access.log");
  const line = ({ address, agent }: { address: string; agent: string }) =>
    `${address} - - [10/Jun/2026:11:59:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "${agent}"\n`;
  writeFileSync(path, visits.map(line).join(""));
  const counted = { count: tally.count.bind(tally, site), take: tally.take };
  await importLogs([path], { views, projectId, format: "combined", kinds: ["humans", "agents"], tally: counted });
  return { store, projectId, folder, lines };
}

const owners: readonly Counting[] = (["server", "beacon", "logs"] as const).flatMap((humansFrom) =>
  (["server", "logs"] as const).map((agentsFrom) => ({ humansFrom, agentsFrom })),
);
test.each(owners)("a reader and an agent that are seen in all ways are counted once each, for %j", async (counting) => {
  const { store, projectId, folder, lines } = await readBy(counting);
  const { totals } = await store.views.views(projectId, {}, { limit: 10, offset: 0 });
  expect(totals).toEqual({ human: 1, ai: 1, total: 2 });
  await store.views.closeDays(Math.floor(now / 86_400_000) + 1);
  const visitors = await store.views.visitors(projectId, {}, { limit: 10, offset: 0 });
  expect(visitors.totals).toEqual({ human: 1, ai: 1, total: 2 });

  const data = join(folder, "data");
  const kept = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(kept.length).toBeGreaterThan(1);
  const texts = kept.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  for (const text of [...texts, ...lines])
    for (const word of [canary.address, "Canary", "ChatGPT-User"]) expect(text).not.toContain(word);
});

test("an agent from an address that its operator does not name is a bot", () => {
  const kindOf = readAgentRanges('{"ChatGPT-User": ["198.51.100.0/24"]}', addressMatcher);
  const kind = (agent: string, address: string | undefined) =>
    kindOf({ method: "GET", path: "/a", status: 200, address, headers: { "user-agent": agent } }, "page");
  expect(kind(gptUser, "198.51.100.9")).toBe(1);
  expect([kind(gptUser, "203.0.113.9"), kind(gptUser, undefined)]).toEqual([5, 5]);
  expect([kind("GPTBot/1.2", "203.0.113.9"), kind(canary.agent, "203.0.113.9")]).toEqual([3, 0]);
  for (const wrong of ["[]", "{", '{"GPTBot": "203.0.113.0/24"}', '{"GPTBot": [1]}'])
    expect(() => readAgentRanges(wrong, addressMatcher)).toThrow(/203\.0\.113\.0\/24/);
});
