// Counts page views at a steady rate beside the server that `serve-bundle.ts --ingest` measures: each message of its parent
// is a duration in milliseconds, and each answer says how many views were counted and stored in that time.
import { setTimeout as sleep } from "node:timers/promises";
import { lowerThreadPriority } from "../src/lib/queue/lower-priority.js";
import { type CountedSite, openViewCounter } from "../src/service/analytics/index.js";
import { openSqliteState } from "../src/service/jobs/index.js";
import { pagePaths, randomVisit } from "./random-visit.js";

const [file, domain, rate] = process.argv.slice(2);
if (file === undefined || domain === undefined || rate === undefined)
  throw new Error("usage: ingest-views.ts <database file> <domain> <hits a second>");
const tickMs = 5;
// As the thread of `offprint serve` that counts.
lowerThreadPriority();

const { accounts, views } = await openSqliteState({ file });
const { projectId } = (await accounts.projectByDomain(domain))!;
const paths = pagePaths(5000);
const known = new Set(paths);
const site: CountedSite = {
  projectId,
  basePath: "/docs",
  has: (path) => known.has(path),
  humansFrom: "server",
  agentsFrom: "server",
};
const log = (_: string, message: string): void => console.error(message);
const counter = await openViewCounter({ way: "server", views, accounts, log });
let made = 0;

process.on("message", async (ms: number) => {
  const first = made;
  const begun = performance.now();
  for (let passed = 0; passed < ms; passed = performance.now() - begun) {
    const due = first + Math.floor((passed / 1000) * Number(rate));
    while (made < due) counter.count(site, randomVisit(made++, paths));
    await sleep(tickMs);
  }
  const seconds = (performance.now() - begun) / 1000;
  await counter.flush();
  process.send!({ hitsPerSecond: Math.round((made - first) / seconds), stored: await stored(), made });
});
process.send!("ready");

/** Views of our own pages alone. */
async function stored(): Promise<number> {
  const { views: rows } = await views.views(projectId, {}, { limit: 100_000, offset: 0, allKinds: true });
  return rows
    .filter(({ path }) => known.has(path))
    .reduce((sum, { total, others }) => sum + total + others!.training, 0);
}
