// How many page views can a process count and store, and how much time does it take to read a year of 5,000 pages? Counts
// random requests of people, agents and crawlers, stores them in SQLite or PostgreSQL, then reads ranges of a database
// with a view of each page on each day of a year. Prints one JSON line.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { type CountedSite, openViewCounter } from "../src/service/analytics/index.js";
import { type DayRange, openPostgresState, openSqliteState } from "../src/service/jobs/index.js";
import postgresOfTheRun, { emptyDatabase } from "../test/support/postgres.js";
import { pagePaths, randomVisit } from "./random-visit.js";

const [kind, folder] = process.argv.slice(2);
if ((kind !== "sqlite" && kind !== "postgres") || folder === undefined)
  throw new Error("usage: measure-views.ts sqlite|postgres <data folder>");
mkdirSync(folder);
const pageCount = 5000;
const hitCount = 300_000;
const dayMs = 24 * 60 * 60_000;
const year = 365;

const stopPostgres = kind === "postgres" ? await postgresOfTheRun() : undefined;
const file = join(folder, "state.db");
const url = stopPostgres && (await emptyDatabase());
const openState = () => (url === undefined ? openSqliteState({ file }) : openPostgresState({ url }));
const state = await openState();
const { organizationId } = await state.accounts.organization("Acme");
const source = { kind: "folder", path: "." } as const;
const site = { organizationId, domain: "docs.acme.com", source, deployment: "cloud" } as const;
const { projectId } = await state.accounts.addProject(site);
const paths = pagePaths(pageCount);

const ingest = await measureIngest();
await fillYear();
const today = Math.floor(Date.now() / dayMs);
const read = {
  year: await measureRead({ from: today - year }),
  unevenYear: await measureRead({ from: today - year, to: today - 14 }),
  month: await measureRead({ from: today - 30 }),
  day: await measureRead({ from: today - 1, to: today }),
};
await state.close();
await stopPostgres?.();
console.log(JSON.stringify({ ...ingest, ...read }));

async function measureIngest() {
  const known = new Set(paths);
  const counted: CountedSite = {
    projectId,
    basePath: "/docs",
    has: (path) => known.has(path),
    humansFrom: "server",
    agentsFrom: "server",
  };
  const visits = Array.from({ length: hitCount }, (_, i) => randomVisit(i, paths));
  const logged: string[] = [];
  const log = (_: string, message: string): void => void logged.push(message);
  const counter = await openViewCounter({ way: "server", views: state.views, accounts: state.accounts, log });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.cpuUsage();
  for (const [i, visit] of visits.entries()) {
    counter.count(counted, visit);
    // As between requests.
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await counter.close();
  const { user, system } = process.cpuUsage(before);
  delay.disable();
  const { totals } = await state.views.views(projectId, {}, { limit: 1, offset: 0, allKinds: true });
  if (totals.total + totals.others!.training !== hitCount || logged.length > 0) throw new Error("Views were lost.");
  return {
    hitsPerCpuSecond: Math.round(hitCount / ((user + system) / 1e6)),
    loopDelayP99Ms: Math.round(delay.percentile(99) / 1e6),
    longestLoopDelayMs: Math.round(delay.max / 1e6),
  };
}

/** A view of each page by people on every day, by agents on every second one. */
async function fillYear(): Promise<void> {
  const { run, end } = url === undefined ? openFile() : await openServer(url);
  const last = Math.floor(Date.now() / dayMs);
  const monthOf = (day: number): number => {
    const date = new Date(day * dayMs);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  for (const path of paths)
    await run(`insert into view_paths (site_id, path) values (1, '${path}') on conflict do nothing`);
  for (let day = last - year; day <= last; day++)
    for (const [by, every] of [
      [0, 1],
      [1, 2],
    ] as const)
      await run(
        `insert into view_days (site_id, kind, day, path_id, views)
         select site_id, ${by}, ${day}, path_id, 1 + path_id % 7 from view_paths where path_id % ${every} = ${day % every}
         on conflict (site_id, kind, day, path_id) do update set views = view_days.views + excluded.views`,
      );
  for (let month = monthOf(last - year); month <= monthOf(last); month++) {
    const [from, to] = [month, month + 1].map((each) => Date.UTC(Math.floor(each / 12), each % 12, 1) / dayMs);
    await run(
      `insert into view_months (site_id, kind, month, path_id, views)
       select site_id, kind, ${month}, path_id, sum(views) from view_days
       where site_id = 1 and kind in (0, 1) and day >= ${from} and day < ${to} group by site_id, kind, path_id
       on conflict (site_id, kind, month, path_id) do update set views = excluded.views`,
    );
  }
  // As the server does by itself within a minute.
  if (url !== undefined) await run("analyze view_days, view_months, view_paths");
  await end();
}

function openFile() {
  const database = new DatabaseSync(file);
  database.exec("pragma synchronous = off; begin");
  return {
    run: async (sql: string) => database.exec(sql),
    async end() {
      database.exec("commit");
      database.close();
    },
  };
}

async function openServer(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("set search_path to offprint");
  return { run: async (sql: string) => void (await client.query(sql)), end: () => client.end() };
}

/**
 * Milliseconds for the first page of a range, which is read for the first time: the median of three, and the time of this
 * process alone, which is all of it with SQLite.
 */
async function measureRead(range: DayRange) {
  const runs = [];
  for (let run = 0; run < 3; run++) {
    const opened = await openState();
    const begun = performance.now();
    const before = process.cpuUsage();
    const { views, hasMore } = await opened.views.views(projectId, range, { limit: 50, offset: 0 });
    const { user, system } = process.cpuUsage(before);
    runs.push({ ms: Math.round(performance.now() - begun), cpuMs: Math.round((user + system) / 1000) });
    await opened.close();
    if (views.length !== 50 || !hasMore) throw new Error("The list is not complete.");
  }
  return runs.toSorted((a, b) => a.ms - b.ms)[1]!;
}
