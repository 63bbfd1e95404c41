/** Page views as an operator counts them: by `offprint serve`, and from logs, in the data folder of the service. */

import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/service/open-store.js";
import { ask } from "../serve/ask.js";
import { callCli, finish, page, startCli, writeSite } from "../support/cli.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { waitUntil } from "../support/wait-until.js";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const domain = "docs.acme.com";
let folder: string;
let bundle: string;
let site: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "offprint-views-"));
  site = writeSite(join(folder, "site"), { "index.mdx": page("Start", "Hello."), "guides/a.mdx": page("A", "Text.") });
  bundle = join(folder, "bundle");
  expect((await exportInProcess({ source: site, output: bundle, baseUrl: `https://${domain}/docs` })).ok).toBe(true);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A data folder with the site. */
async function newData(name: string): Promise<string> {
  const data = join(folder, name);
  expect(await callCli(["site", "add", domain, "--folder", site, "--data", data])).toMatchObject({ code: 0 });
  return data;
}

async function sumsIn(data: string) {
  const store = await openStore({ dataFolder: data, publicUrl: "http://127.0.0.1:1" });
  try {
    const { projectId } = (await store.accounts.projectByDomain(domain))!;
    const { totals, views } = await store.views.views(projectId, {}, { limit: 10, offset: 0, allKinds: true });
    const missing = await store.views.missing(projectId, 10);
    return {
      totals,
      paths: views.map((each) => `${each.path} ${each.human} ${each.ai}`),
      missing: missing.map((each) => each.path),
    };
  } finally {
    await store.close();
  }
}

async function startServing(data: string, env: NodeJS.ProcessEnv = {}) {
  const options = ["--port", "0", "--base-path", "/docs", "--data", join(data, "served")];
  const child = startCli(["serve", bundle, ...options, "--count", domain, "--service-data", data], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = finish(child);
  let text = "";
  child.stderr!.on("data", (chunk: string) => (text += chunk));
  const url = await waitUntil(
    "the server",
    () => text.includes("Serving") && /"url":"([^"]+?)\/docs\/"/.exec(text)?.[1],
  );
  return { child, ended, url };
}

test("offprint serve counts who reads what, and stores nothing about the readers", async () => {
  const data = await newData("serving");
  const { child, ended, url } = await startServing(data, { OFFPRINT_TRUSTED_PROXIES: "127.0.0.0/8" });
  const canary = { "user-agent": `${firefox} Canary/9`, "x-forwarded-for": "203.0.113.77" };
  const get = async (path: string, headers: Record<string, string>, method?: string) =>
    (await ask(url, path, headers, method)).status;
  expect(await get("/docs/", canary)).toBe(200);
  expect(await get("/docs/guides/a?from=mail", canary)).toBe(200);
  expect(await get("/docs/guides/a.html", { "user-agent": firefox })).toBe(200);
  expect(await get("/docs/guides/a", { "user-agent": "GPTBot/1.2" })).toBe(200);
  expect(await get("/docs/guides/a", { "user-agent": "curl/8", accept: "text/markdown" })).toBe(200);
  expect(await get("/docs/guides/a.md", { "user-agent": "curl/8" })).toBe(200);
  expect(await get("/docs/llms.txt", { "user-agent": "Claude-User/1.0" })).toBe(200);
  expect(await get("/docs/guides/a/", canary)).toBe(308);
  expect(await get("/docs/guides/a", canary, "HEAD")).toBe(200);
  expect(await get("/docs/guides/a", { ...canary, "sec-purpose": "prefetch" })).toBe(200);
  expect(await get("/docs/guides/b", canary)).toBe(404);
  child.kill("SIGTERM");
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);
  expect(await sumsIn(data)).toEqual({
    totals: { human: 3, ai: 3, total: 6, others: { search: 0, training: 1, otherAi: 0, bot: 0 } },
    paths: ["/guides/a 2 2", "/ 1 0", "/llms.txt 0 1"],
    missing: ["/guides/b"],
  });
  const kept = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = kept.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  for (const text of [stdout, stderr, ...texts])
    expect(/203\.0\.113\.77|Canary|Claude-User/.exec(text)?.[0]).toBeUndefined();
});

test("a server that is killed only loses what it counted in the last second", async () => {
  const data = await newData("killed");
  const { child, ended, url } = await startServing(data);
  const read = async (times: number) => {
    for (let at = 0; at < times; at++) await ask(url, "/docs/guides/a", { "user-agent": firefox });
  };
  await read(40);
  await waitUntil("the first views", async () => (await sumsIn(data)).totals.human === 40);
  await read(20);
  child.kill("SIGKILL");
  expect((await ended).signal).toBe("SIGKILL");
  const { totals } = await sumsIn(data);
  expect(totals.human).toBeGreaterThanOrEqual(40);
  expect(totals.human).toBeLessThanOrEqual(60);
});

test("offprint serve counts only for a site of the service", async () => {
  const data = join(folder, "empty");
  const unknown = await callCli(["serve", bundle, "--count", domain, "--service-data", data, "--port", "0"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/no site docs\.acme\.com/)]);
  const alone = await callCli(["serve", bundle, "--service-data", data]);
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringMatching(/can only be used with --count <domain>/)]);
});

test("offprint analytics import counts a log once, says what it did, and follows it", async () => {
  const data = await newData("importing");
  const log = join(folder, "access log.log");
  const line = (path: string, agent: string, status = 200) =>
    `203.0.113.77 - - [10/Jun/2026:11:59:00 +0000] "GET ${path} HTTP/1.1" ${status} 1 "-" "${agent}"\n`;
  writeFileSync(
    log,
    line("/docs/", firefox) + line("/docs/guides/a", "GPTBot/1.2") + line("/docs/guides/b", firefox, 404),
  );
  const run = (...words: string[]) => callCli(["analytics", "import", domain, ...words, "--data", data]);
  const options = ["--format", "combined", "--bundle", bundle];
  const early = await run(log, ...options);
  expect([early.code, early.stderr]).toEqual([
    2,
    expect.stringMatching(/site set-counting docs\.acme\.com --humans-from logs --agents-from logs/),
  ]);
  const owner = ["site", "set-counting", domain, "--humans-from", "logs", "--agents-from", "logs", "--data", data];
  expect(await callCli(owner)).toMatchObject({ code: 0 });
  expect((await run(log, "--format", "combined")).stderr).toMatch(/has not exported docs\.acme\.com.*--bundle/);

  const first = await run(log, ...options);
  expect(first.stderr).toBe("");
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringMatching(/New lines: 3\nViews:\n +1 {2}people\n +1 {2}training crawlers\n/),
  ]);
  const second = await run(log, ...options, "--json");
  expect(JSON.parse(second.stdout)).toMatchObject({ lines: 0, outcomes: {}, unchanged: [log] });
  const wrong = await run(log, "--format", "cloudfront", "--bundle", bundle);
  expect(wrong.code).toBe(0);
  const bad = join(folder, "bad.log");
  writeFileSync(bad, "hello\n".repeat(20));
  const refused = await run(bad, ...options);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/20 of 20 lines do not match this format.*\n.*bad\.log, line 1/),
  ]);

  const child = startCli(["analytics", "import", domain, log, ...options, "--follow", "--data", data]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = finish(child);
  await sleep(1500);
  appendFileSync(log, line("/docs/guides/a", firefox));
  await waitUntil("the new line", async () => (await sumsIn(data)).totals.human === 2);
  child.kill("SIGTERM");
  const { code, stdout } = await ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/New lines: 1\n/)]);
  expect(await sumsIn(data)).toMatchObject({
    totals: { human: 2, ai: 0, others: { training: 1 } },
    paths: ["/ 1 0", "/guides/a 1 0"],
    missing: ["/guides/b"],
  });
});

test("an import that does not count people warns about it, and counts them after the command that it prints", async () => {
  const data = await newData("half");
  const log = join(folder, "half.log");
  const line = (agent: string) =>
    `203.0.113.77 - - [10/Jun/2026:11:59:00 +0000] "GET /docs/ HTTP/1.1" 200 1 "-" "${agent}"\n`;
  writeFileSync(log, line(firefox) + line("Claude-User/1.0"));
  const run = (...words: string[]) => callCli([...words, "--data", data]);
  await run("site", "set-counting", domain, "--agents-from", "logs");
  const options = ["analytics", "import", domain, log, "--format", "combined", "--bundle", bundle];
  const first = await run(...options);
  expect(first.stdout).toMatch(/1 {2}AI agents\n.*\n +1 {2}counted elsewhere/s);
  const advised = /Views of people were not counted.*run this and import again: offprint (.+)\n/.exec(
    first.stderr,
  )![1]!;
  await run(...advised.split(" "));
  const second = await run(...options);
  expect([second.stderr, second.stdout]).toEqual(["", expect.stringMatching(/1 {2}people\n/)]);
  expect((await sumsIn(data)).totals).toMatchObject({ human: 1, ai: 1 });
});
