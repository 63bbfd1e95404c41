import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createConsole } from "../../../src/service/console/console.js";
import { createApi, listen } from "../../../src/service/http/index.js";
import { findChromium } from "../../support/browser.js";
import { openConsoleWorld } from "../../support/console-world.js";
import { actsAsReader, sharedBrowser } from "../../support/shared-browser.js";

test("the list of jobs has filters and pages, and says what fills it", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  expect((await owner.get("/console/jobs")).text).toMatch(
    /Open <a href="\/console\/sites\/prj_\w+">docs\.acme\.com<\/a>/,
  );
  const failed = await world.failedJob("The repository does not answer.");
  for (let i = 0; i < 31; i++) await world.startJob({ version: `v${i}` });
  const first = await owner.get("/console/jobs");
  expect(first.text.match(/class="row-link"/g)).toHaveLength(30);
  expect(first.text).not.toContain(failed);
  expect(first.text).toContain("test</td>");
  const next = /href="(\/console\/jobs\?after=[^"]+)"/.exec(first.text)![1]!;
  expect((await owner.get(next)).text).toContain(failed);
  const filtered = await owner.get("/console/jobs?status=failed&site=docs.acme.com");
  expect(filtered.text.match(/class="row-link"/g)).toHaveLength(1);
  expect((await owner.get("/console/jobs?site=none.acme.com")).text).toContain("No such jobs");
  expect((await owner.get("/console/jobs?status=nothing")).status).toBe(200);
  const home = await owner.get("/console");
  expect(home.text).toMatch(/Queued<\/span><span class="tile-value">31/);
  expect(home.text).toMatch(/tile-bad[^>]*><span class="tile-title">Failed<\/span><span class="tile-value">1</);
  expect(home.text).toContain("No worker is alive, and 31 jobs wait for one.");
});

test("the page of a job shows its facts, log and diagnostics; an editor cancels it and exports again", async () => {
  const world = await openConsoleWorld();
  const { jobs, objects } = world.store;
  const editor = await world.member("editor");
  const reader = await world.member("reader");
  const jobId = await world.startJob({ version: "v2", paths: ["a", "b"] });
  const path = `/console/jobs/${jobId}`;
  expect((await reader.get(path)).text).not.toContain("/cancel");
  expect((await editor.post(`${path}/cancel`)).to).toBe(path);
  expect((await editor.get(path)).text).toContain("The job was cancelled by editor.");
  const again = await editor.post(`${path}/again`);
  const second = again.to!.replace("/console/jobs/", "");
  expect(await jobs.get(second)).toMatchObject({ version: "v2", paths: ["a", "b"], requestedBy: "editor" });
  await jobs.addLog(second, "warning", "The page <b>a</b> has no title.");
  const lease = await world.takeJob();
  const found = {
    code: "LINK_BROKEN",
    severity: "error",
    what: "It leads <i>nowhere</i>.",
    fix: "Write /b.",
    location: { sourcePath: "a.mdx", line: 3 },
  };
  await objects.putBytes("d", Buffer.from(`${JSON.stringify(found)}\n`.repeat(51)), "application/jsonl");
  const bundle = { objectKey: "gone.tar.gz", bytes: 18_400_000, sha256: "ab".repeat(32) };
  await jobs.complete(lease, bundle, 2, { errors: 51, warnings: 0, diagnosticsKey: "d" });
  const { text } = await reader.get(`/console/jobs/${second}`);
  for (const shown of ["18.4 MB", "abab", "LINK_BROKEN", "a.mdx:3", "Write /b.", "51 errors, 0 warnings"])
    expect(text).toContain(shown);
  expect(text).toContain("It leads &lt;i>nowhere&lt;/i>.");
  expect(text).toContain("The page &lt;b>a&lt;/b> has no title.");
  expect(text.match(/class="finding"/g)).toHaveLength(50);
  const more = /href="(\/console\/jobs\/[^"]*after=[^"]+)"/.exec(text)![1]!;
  expect((await reader.get(more)).text.match(/class="finding"/g)).toHaveLength(1);
  expect((await reader.get(`/console/jobs/${second}?after=cDU`)).status).toBe(404);
  await reader.post(`/console/jobs/${second}/download`);
  expect((await reader.get(`/console/jobs/${second}`)).text).toContain("The bundle of this job has been deleted.");
  const whole = await world.completedJob("bundle");
  const download = await reader.post(`/console/jobs/${whole}/download`);
  expect(await (await objects.serveObject!(new Request(download.to!))).text()).toBe("bundle");
  const { entries } = await world.store.people.auditLog(world.acme.organizationId, { limit: 50 });
  const ofPeople = entries.filter(({ actor, action }) => actor.includes("@") && action.startsWith("job."));
  expect(ofPeople.map(({ action, subject }) => [action, subject])).toEqual([
    ["job.download", whole],
    ["job.start", second],
    ["job.cancel", jobId],
  ]);
});

test("events are of the organization's own jobs, and end with them", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  const stranger = await world.member("owner", world.globex.organizationId);
  const jobId = await world.startJob();
  const once = await owner.get(`/console/events?jobs=${jobId}&once`);
  expect(JSON.parse(once.text)).toMatchObject([{ id: jobId, status: "queued", progress: 0, pageCount: 0 }]);
  expect((await stranger.get(`/console/events?jobs=${jobId}&once`)).text).toBe("[]");
  const stream = owner.get(`/console/events?jobs=${jobId},se_other`);
  const lease = await world.takeJob();
  await world.store.jobs.heartbeat(lease, { progress: 40, pageCount: 7 });
  await world.store.jobs.fail(lease, "Broken.", false);
  const { text, headers } = await stream;
  expect(headers.get("Content-Type")).toBe("text/event-stream");
  expect(headers.get("X-Accel-Buffering")).toBe("no");
  expect(text).toMatch(/^retry: 3000\n\n/);
  expect(text).toMatch(/"status":"failed","progress":40,"pageCount":7.*\n\nevent: end\ndata: \n\n$/);
});

test("events end with the session, and once the person has left the organization", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const world = await openConsoleWorld();
  const { people } = world.store;
  const { organizationId } = world.acme;
  const path = `/console/events?jobs=${await world.startJob()}`;
  const { personId } = await world.person("grace@acme.com", "editor");
  await world.person("grace@acme.com", "reader", world.globex.organizationId);
  const by = { actor: "test" };
  const ends: readonly (() => Promise<unknown>)[] = [
    () => people.endSessions(personId),
    () => people.setRole(organizationId, personId, "reader", by),
    () => people.setRole(organizationId, personId, undefined, by),
  ];
  for (const end of ends) {
    const visitor = await world.browserOf(personId);
    const headers = { Cookie: `offprint=${visitor.cookies.get("offprint")}` };
    const response = await world.console.fetch(new Request(`http://127.0.0.1:1${path}`, { headers }));
    const text = response.text();
    await vi.advanceTimersByTimeAsync(10_000);
    await end();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await text).toContain('"status":"queued"');
  }
});

test("a hundred streams are enough; the next ones ask instead", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  const jobId = await world.startJob();
  const stop = new AbortController();
  const cookie = `offprint=${owner.cookies.get("offprint")}`;
  const open = (signal = stop.signal) =>
    world.console.fetch(
      new Request(`http://127.0.0.1:1/console/events?jobs=${jobId}`, {
        headers: { Cookie: cookie },
        signal,
      }),
    );
  const streams = await Promise.all(Array.from({ length: 100 }, () => open()));
  expect(streams.every(({ status }) => status === 200)).toBe(true);
  const before = process.threadCpuUsage();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const { user, system } = process.threadCpuUsage(before);
  // Less than 5 % of a core.
  expect((user + system) / 1000).toBeLessThan(100);
  const next = await open();
  expect([next.status, next.headers.get("Retry-After")]).toEqual([503, "5"]);
  stop.abort();
  const last = new AbortController();
  expect((await open(last.signal)).status).toBe(200);
  last.abort();
  expect(await (await open(last.signal)).text()).toBe("");
});

const chromium = findChromium();

describe.skipIf(chromium === undefined)("in a browser", actsAsReader, () => {
  const browser = sharedBrowser(chromium);

  test("the numbers of a job move without a reload, also after the server was away, and its end shows", async () => {
    const world = await openConsoleWorld();
    world.clock.ms = Date.now();
    const owner = await world.member("owner");
    const jobId = await world.startJob();
    const lease = await world.takeJob();
    const start = async (port: number) => {
      const console = await createConsole({
        store: world.store,
        publicUrl: "http://127.0.0.1",
        now: Date.now,
        log: () => {},
      });
      return listen({
        api: createApi({ store: world.store, console }),
        port,
        host: "127.0.0.1",
        closeMs: 100,
      });
    };
    const first = await start(0);
    const port = Number(new URL(first.url).port);
    const context = await browser().newContext();
    await context.addCookies([{ name: "offprint", value: owner.cookies.get("offprint")!, url: first.url }]);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (/Content Security Policy/.test(message.text())) faults.push(message.text());
    });
    const report = async (progress: number, pageCount: number) => {
      world.clock.ms += 1000;
      await world.store.jobs.heartbeat(lease, { progress, pageCount });
    };
    await page.goto(`${first.url}/console/jobs/${jobId}`);
    await page.evaluate(() => Object.assign(window, { isTheSame: true }));
    await report(20, 5);
    await page.getByText("20 %").waitFor();
    await report(35, 1200);
    await page.getByText("1,200").first().waitFor();
    await first.close();
    const second = await start(port);
    await report(60, 1500);
    await page.getByText("60 %").waitFor();
    expect(await page.evaluate(() => "isTheSame" in window)).toBe(true);
    await world.store.jobs.fail(lease, "The disk is full.", false);
    await page.getByText("The disk is full.").first().waitFor();
    expect(faults).toEqual([]);

    const plain = await browser().newContext({ javaScriptEnabled: false });
    await plain.addCookies([{ name: "offprint", value: owner.cookies.get("offprint")!, url: second.url }]);
    const still = await plain.newPage();
    await still.goto(`${second.url}/console/jobs`);
    expect(await still.getByText("Failed").count()).toBeGreaterThan(0);
    expect(await still.locator("time").first().textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    await second.close();
  });
});

test("an owner withdraws a bundle; it can no longer be downloaded", async () => {
  const world = await openConsoleWorld();
  const [owner, editor] = [await world.member("owner"), await world.member("editor")];
  const jobId = await world.completedJob("bundle");
  const path = `/console/jobs/${jobId}`;
  const { to } = await owner.post(`${path}/download`);
  expect((await editor.post(`${path}/withdraw`)).status).toBe(404);
  expect((await editor.get(path)).text).not.toContain("Withdraw");
  expect((await owner.get(path)).text).toContain("Withdraw");
  expect((await owner.post(`${path}/withdraw`)).to).toBe(path);
  const { text } = await owner.get(path);
  expect(text).toContain("The bundle was withdrawn.");
  expect(text).not.toContain("Download");
  expect((await world.store.objects.serveObject!(new Request(to!))).status).toBe(404);
  expect((await owner.post(`${path}/withdraw`)).to).toBe(path);
  expect((await owner.get(path)).text).toContain("This job has no bundle.");
});
