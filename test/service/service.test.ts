import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  callCli,
  cli,
  finish,
  page,
  runCli,
  start,
  temporaryFolder,
  writeManyPages,
  writeSite,
} from "../support/cli.js";
import { ask, startService, untilEnded } from "../support/service.js";
import { waitUntil } from "../support/wait-until.js";

test("the commands that offprint service prints work, and it stores no secret but the one it shows", async () => {
  const site = writeManyPages(temporaryFolder(), 100);
  const service = await startService(site, { OFFPRINT_METRICS_TOKEN: "a token for metrics" });
  const folder = temporaryFolder();
  const typed = `offprint() { "${process.execPath}" "${cli}" "$@"; }\n${service.stdout().split("\n\n")[1]!}`;
  const { code, stdout, stderr } = await finish(start("bash", ["-c", typed], { cwd: folder }));
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^bundle\.tar\.gz: \d+ bytes, 0 errors and 0 warnings/)]);
  expect(stderr).toMatch(/completed, 100 %, 100 pages\n$/);
  expect(readdirSync(folder)).toEqual(["bundle.tar.gz"]);
  const files = execFileSync("tar", ["-tzf", join(folder, "bundle.tar.gz")], { encoding: "utf8" })
    .trim()
    .split("\n");
  expect(files).toContain("index.html");
  expect(files.filter((path) => /^page-\d+\.html$/.test(path))).toHaveLength(99);
  // The worker is warm now; bench/ measures the time from the request to the bundle.
  const { body } = await ask(service, "POST", "", { domain: "docs.example.com" });
  expect(await untilEnded(service, body["jobId"]!)).toMatchObject({ status: "completed", pageCount: 100 });
  const authorization = "Bearer a token for metrics";
  const readMetrics = async () => (await fetch(`${service.url}/metrics`, { headers: { authorization } })).text();
  let metrics = "";
  // A job is completed a moment before its attempt has ended.
  await waitUntil("the attempt is counted", async () => {
    metrics = await readMetrics();
    return metrics.includes('offprint_job_attempt_duration_seconds_count{outcome="completed"} 2');
  });
  expect(metrics).toContain("offprint_job_queue_seconds_count 2");
  // The second job takes the archive of the first one.
  expect(metrics).toContain("offprint_page_duration_seconds_count 100");
  expect(service.stderr()).not.toContain(service.key);
  expect(service.stderr()).not.toContain("signature=");
  expect(await service.stop()).toBe(0);
});

test("offprint job run exports through the API, and the assistant answers from the export", async () => {
  const folder = temporaryFolder();
  const site = writeSite(temporaryFolder(), {
    "index.mdx": page("Start", "Welcome."),
    "garden.mdx": page("The garden", "## Trees\n\nThere are two apple trees."),
    "door.mdx": page("The front door", "## Colour\n\nThe front door is painted green."),
  });
  const service = await startService(site);
  const env = { ...process.env, OFFPRINT_SERVICE: service.url, OFFPRINT_KEY: service.key };
  const run = (...words: string[]) => callCli(["job", "run", "docs.example.com", ...words], { env, cwd: folder });
  const { code, stdout } = await run("--output", "out/bundle.tar.gz", "--json");
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: "completed", pageCount: 3 }]);
  expect(statSync(join(folder, "out/bundle.tar.gz")).size).toBeGreaterThan(1000);
  expect(await run("--wait", "--paths", "garden")).toMatchObject({
    ...{ code: 0, stdout: expect.stringMatching(/^se_\w+: 0 errors and 0 warnings in the site\n$/) },
  });
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^se_\w+\n$/), stderr: "" });

  const asking = ["ask", "docs.example.com", "Which", "colour is the front door?", "--service", service.url];
  const answer = await runCli([...asking, "--data", service.dataFolder]);
  expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining("The front door is painted green.") });
  expect(answer.stdout).toMatch(
    /\nSources\n {2}\[1\] The front door › Colour {2}https:\/\/docs\.example\.com\/door#colour\n/,
  );
  expect(service.stdout()).toMatch(/^offprint ask docs\.example\.com ".*" --service http\S+ --key svc_dsc_\w+$/m);
});

test("offprint job run ends at once if a key is wrong, a site is unknown or nothing answers, and says what to do", async () => {
  const service = await startService(writeManyPages(temporaryFolder(), 2));
  const failed = async (words: readonly string[], url = service.url) => {
    const env = { PATH: process.env["PATH"], OFFPRINT_KEY: service.key };
    const { code, stderr } = await callCli(["job", "run", ...words, "--wait", "--service", url], { env });
    return [code, stderr];
  };
  const wrong = await failed(["docs.example.com", "--key", "svc_wrong"]);
  expect(wrong).toEqual([
    1,
    expect.stringMatching(/rejected the key \(401: .*\)\. Create a new one: offprint key create/),
  ]);
  expect(await failed(["other.example.com"])).toEqual([1, expect.stringMatching(/rejected the request \(40\d: /)]);
  const nowhere = await failed(["docs.example.com"], "http://127.0.0.1:1");
  expect(nowhere).toEqual([3, expect.stringMatching(/Nothing answers at http.*Start the service: offprint service/)]);
  expect(nowhere[1]).not.toMatch(/\n +at /);
});

test("an empty list names the server that was asked", async () => {
  const folder = temporaryFolder();
  const env = { PATH: process.env["PATH"], XDG_DATA_HOME: folder };
  for (const words of [
    ["key", "list"],
    ["site", "list"],
  ]) {
    const { stderr } = await callCli(words, { env });
    expect(stderr).toContain(`yet in ${join(folder, "offprint")}. --data names another folder. Add one: offprint`);
  }
});

test("sites and keys can be managed while the service runs", async () => {
  const site = writeManyPages(temporaryFolder(), 2);
  const service = await startService(site);
  const offprint = (...words: string[]) => callCli([...words, "--data", service.dataFolder]);
  const status = async (key: string): Promise<number> =>
    (await ask({ ...service, key }, "POST", "", { domain: "docs.example.com" })).status;

  const created = await offprint("key", "create", "--name", "reader", "--scope", "read");
  const reader = created.stdout.trim();
  expect(reader).toMatch(/^svc_\w{40,}$/);
  expect(created.stderr).toContain("Save it now: it is not shown again.");
  expect(await status(reader)).toBe(403);
  const writer = (await offprint("key", "create", "--name", "writer")).stdout.trim();
  expect(await status(writer)).toBe(202);
  const list = (await offprint("key", "list")).stdout;
  expect(list).toMatch(
    new RegExp(`key_\\w+ +writer +admin +${writer.slice(-4)} +write +anywhere +\\d{4}-\\d\\d-\\d\\d +until`),
  );
  expect(list).not.toContain(writer);
  const id = /(key_\w+) +writer/.exec(list)![1]!;
  const rotated = (await offprint("key", "rotate", id, "--overlap", "1")).stdout.trim();
  expect([await status(writer), await status(rotated)]).toEqual([202, 202]);
  expect((await offprint("key", "revoke", id)).code).toBe(0);
  expect([await status(writer), await status(rotated)]).toEqual([401, 202]);
  expect((await offprint("key", "revoke", "key_0")).code).toBe(1);

  const [headings = "", listed = ""] = (await offprint("site", "list")).stdout.split("\n");
  expect(headings.split(/ {2,}/)).toEqual(["DOMAIN", "PROJECT ID", "IDENTIFIER", "SOURCE", "DEPLOYMENT"]);
  const ofSite = ["docs.example.com", expect.stringMatching(/^prj_[0-9a-f]{32}$/), "docs", site, "cloud"];
  expect(listed.split(/ {2,}/)).toEqual(ofSite);
  expect((await offprint("site", "secret", "docs.example.com")).stdout).toMatch(/^whsec_\S+\n$/);
  const secret = await offprint("site", "rotate-secret", "docs.example.com");
  expect(secret.stderr).toMatch(/^Until \d{4}-.*webhooks/);
  expect((await offprint("site", "secret", "docs.example.com")).stdout).toBe(secret.stdout);
  const again = await offprint("site", "add", "docs.example.com", "--folder", site);
  expect(again).toMatchObject({ code: 2 });
  expect(again.stderr).toContain("To free it: offprint site remove docs.example.com");
  expect((await offprint("site", "remove", "docs.example.com")).code).toBe(0);
  expect(await offprint("organization", "create", "acme", "--plan", "pro")).toMatchObject({ code: 0 });
  expect(await offprint("organization", "create", "acme")).toMatchObject({ code: 1 });
  expect(await offprint("organization", "set-plan", "acme")).toMatchObject({ code: 0 });
  expect((await offprint("organization", "list")).stdout).toMatch(/^acme +enterprise +org_\w+\ndefault +enterprise/m);
  const { status: unknown } = await ask(service, "POST", "", { domain: "docs.example.com" });
  expect(unknown).toBeGreaterThanOrEqual(400);
});

test.each([
  // arguments                             exit code and output
  [["service", "--site", "docs.example.com=/nowhere"], 2, "There is no docs.json in /nowhere"],
  [["service", "--host", "203.0.113.1"], 3, "cannot listen on 203.0.113.1"],
])("offprint %j ends with the reason", async (words, code, says) => {
  const ran = await runCli([...words, "--port", "0", "--data", temporaryFolder()]);
  expect(ran).toMatchObject({ code, stdout: "" });
  expect(ran.stderr).toContain(says);
});
