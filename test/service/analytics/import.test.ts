/** T-N.6: a log that is read twice, rotated, packed or cut gives the same sums. */
import { appendFileSync, copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import {
  createDaySalts,
  createViewTally,
  type ImportDeps,
  importLogs,
  LogsRefused,
  type ViewerKind,
} from "../../../src/service/analytics/index.js";
import type { LogFormat } from "../../../src/service/analytics/logs/log-formats.js";
import { openSqliteState } from "../../../src/service/jobs/index.js";
import { temporaryFolder } from "../../support/cli.js";

const now = Date.UTC(2026, 5, 10, 12);
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const agents = [firefox, "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)", "GPTBot/1.2"];
const paths = ["/", "/a", "/a/b?x=1", "/llms.txt", "/nothing", "/style.css"];
const two = (number: number): string => String(number).padStart(2, "0");

/** 3,000 requests of three days, the newest today. */
const lines = Array.from({ length: 3000 }, (_, at) => {
  const time = new Date(now - (3000 - at) * 60_000);
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(":");
  const stamp = `${two(time.getUTCDate())}/Jun/2026:${clock} +0000`;
  const path = paths[at % paths.length]!;
  const status = path === "/nothing" ? 404 : 200;
  return `203.0.113.${at % 7} - - [${stamp}] "GET ${path} HTTP/1.1" ${status} 10 "-" "${agents[at % agents.length]}"`;
});
const log = `${lines.join("\n")}\n`;
const middle = 1501;
const half = (from: number, to?: number): string => `${lines.slice(from, to).join("\n")}\n`;

async function openWorld() {
  const folder = temporaryFolder();
  const state = await openSqliteState({ file: join(folder, "state.db"), now: () => now });
  const { organizationId } = await state.accounts.organization("Acme");
  const { projectId } = await state.accounts.addProject({
    organizationId,
    domain: "docs.acme.com",
    source: { kind: "folder", path: folder },
    deployment: "cloud",
  });
  const known = new Set(["/", "/a", "/a/b", "/llms.txt"]);
  const has = (path: string): boolean => known.has(path);
  const siteOf = (kinds: readonly ViewerKind[]) => ({
    ...{ projectId, basePath: "", has },
    humansFrom: kinds.includes("humans") ? ("logs" as const) : ("server" as const),
    agentsFrom: kinds.includes("agents") ? ("logs" as const) : ("server" as const),
  });
  const both: readonly ViewerKind[] = ["humans", "agents"];
  const run = async (
    files: readonly string[],
    format: LogFormat = "combined",
    signal?: AbortSignal,
    kinds: readonly ViewerKind[] = both,
  ) => {
    const salts = createDaySalts(state.accounts, () => now);
    await salts.prepare();
    const tally = createViewTally({ way: "logs", salts, now: () => now });
    const counting: ImportDeps["tally"] = {
      count: (entry, counted) => tally.count(siteOf(counted), entry),
      take: tally.take,
    };
    return importLogs(files, {
      views: state.views,
      projectId,
      format,
      kinds,
      tally: counting,
      ...(signal && { signal }),
    });
  };
  const write = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const sums = async () => ({
    views: await state.views.views(projectId, {}, { limit: 100, offset: 0, allKinds: true }),
    days: await state.views.byDay(projectId, {}),
    missing: (await state.views.missing(projectId, 10)).map(({ path, views }) => [path, views]),
  });
  return { state, projectId, folder, run, write, sums };
}

test("a log counts once, however often it is read, rotated, compressed or truncated", async () => {
  const whole = await openWorld();
  const summary = await whole.run([whole.write("access.log", log)]);
  expect([summary.lines, summary.unreadable.count, summary.outcomes.get("human")]).toEqual([3000, 0, 500]);
  const expected = await whole.sums();
  expect(expected.views.totals).toMatchObject({ human: 500, ai: 1000, others: { training: 500 } });
  const again = await whole.run([join(whole.folder, "access.log")]);
  expect([again.lines, again.unchanged]).toEqual([0, [join(whole.folder, "access.log")]]);
  expect(await whole.sums()).toEqual(expected);

  const rotated = await openWorld();
  const live = rotated.write("access.log", half(0, middle));
  await rotated.run([live]);
  // The server wrote on before the file was rotated, and packs it later.
  appendFileSync(live, half(middle, 2000));
  renameSync(live, `${live}.1`);
  rotated.write("access.log", half(2000));
  await rotated.run([live, `${live}.1`]);
  rotated.write("access.log.2.gz", gzipSync(readFileSync(`${live}.1`)));
  await rotated.run([live, `${live}.2.gz`]);
  expect(await rotated.sums()).toEqual(expected);

  const grown = await openWorld();
  const path = grown.write("access.log", log.slice(0, 30));
  for (const end of [90, 100, 700, 5000, 5001, log.length / 3, log.length]) {
    writeFileSync(path, log.slice(0, end));
    await grown.run([path]);
  }
  copyFileSync(path, `${path}.copy`);
  await grown.run([`${path}.copy`, path]);
  expect(await grown.sums()).toEqual(expected);

  const cut = await openWorld();
  const packed = gzipSync(log);
  await cut.run([cut.write("a.gz", packed.subarray(0, packed.length / 2))]);
  await cut.run([cut.write("b.gz", packed), cut.write("c.log", log)]);
  expect(await cut.sums()).toEqual(expected);
});

test("two logs with the same comments at the start are two logs", async () => {
  const { run, write, sums } = await openWorld();
  const head = "#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent)\n";
  const line = (minute: number) =>
    `2026-06-10\t11:${two(minute)}:00\t203.0.113.7\tGET\t/a\t200\t${encodeURI(firefox)}\n`;
  await run([write("empty", head)], "cloudfront");
  const first = write("first", head + line(1));
  await run([first], "cloudfront");
  await run([write("second", head + line(2)), first], "cloudfront");
  appendFileSync(first, line(3));
  const { lines: added } = await run([first], "cloudfront");
  expect([added, (await sums()).views.totals.human]).toEqual([1, 3]);
});

test("a log in another format is refused, and nothing of it is stored; a few bad lines are reported", async () => {
  const { run, write, sums } = await openWorld();
  const none = await sums();
  const wrong = write("wrong.log", lines.map((line, at) => (at % 19 === 0 ? "?" : line)).join("\n"));
  await expect(run([wrong])).rejects.toThrow(LogsRefused);
  await expect(run([write("ok.log", log), wrong], "json")).rejects.toThrow(/6000 of 6000|5999 of 5999/);
  expect(await sums()).toEqual(none);
  const few = write("few.log", lines.map((line, at) => (at % 100 === 2 ? "?" : line)).join("\n"));
  const { unreadable } = await run([few]);
  expect([unreadable.count, unreadable.examples.length]).toEqual([30, 5]);
  expect(unreadable.examples[1]).toEqual({ file: few, line: 103 });
});

test("an import that is stopped goes on where it was, and two at once count once", async () => {
  const many = Array.from({ length: 8 }, () => log).join("");
  const [stopped, alone] = [await openWorld(), await openWorld()];
  await alone.run([alone.write("access.log", many)]);
  const path = stopped.write("access.log", many);
  const controller = new AbortController();
  const { add } = stopped.state.views;
  stopped.state.views.add = async (...given) => {
    controller.abort(new Error("stopped"));
    return add(...given);
  };
  await expect(stopped.run([path], "combined", controller.signal)).rejects.toThrow();
  stopped.state.views.add = add;
  expect((await stopped.sums()).views.totals.human).toBeGreaterThan(1000);
  const both = await Promise.all([stopped.run([path]), stopped.run([path])]);
  expect(both[0]!.lines + both[1]!.lines).toBeLessThan(24_000);
  expect(await stopped.sums()).toEqual(await alone.sums());
});

test("people that an import left out are counted once the site counts them from logs, and agents are not counted twice", async () => {
  const [late, together] = [await openWorld(), await openWorld()];
  await together.run([together.write("access.log", log)]);
  const path = late.write("access.log", half(0, middle));
  const first = await late.run([path], "combined", undefined, ["agents"]);
  expect([first.outcomes.get("human"), first.outcomes.get("other-way")]).toEqual([undefined, 251]);
  appendFileSync(path, half(middle));
  const second = await late.run([path]);
  expect(second.outcomes.get("human")).toBe(500);
  expect(await late.sums()).toEqual(await together.sums());
  // A copy that ends before the others is read only to its end.
  const short = late.write("short.log", half(0, 100));
  expect((await late.run([short, path], "combined", undefined, ["humans"])).lines).toBe(0);
  expect((await late.run([path])).unchanged).toEqual([path]);
  expect(await late.sums()).toEqual(await together.sums());
});
