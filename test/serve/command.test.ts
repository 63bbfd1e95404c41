/** `offprint serve` as in a container: controlled by a file and signals, observed by its log. */
import type { ChildProcess } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { finish, page, runCli, startCli, temporaryFolder, writeSite } from "../support/cli.js";
import { waitUntil } from "../support/wait-until.js";
import { ask } from "./ask.js";
import { type BundleHost, openBundleHost, secret } from "./bundle-host.js";
import { bytesOf, exportSmallSite, type SmallBundle } from "./small-site.js";

let first: SmallBundle;
let second: SmallBundle;
let host: BundleHost;

beforeAll(async () => {
  first = await exportSmallSite("The first one.");
  second = await exportSmallSite("The second one.");
  host = await openBundleHost();
  host.content.set("/bundle.tar.gz", bytesOf(first.archive));
});
afterAll(async () => {
  await host.close();
  for (const { folder } of [first, second]) rmSync(join(folder, ".."), { recursive: true, force: true });
});

/** Resolves with the URL in its log. */
async function addressOf(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stderr!.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    text += chunk;
    const url = /"url":"([^"]+)"/.exec(text)?.[1];
    if (url !== undefined && text.includes("Serving")) return url;
  }
  throw new Error(`The server ended: ${text}`);
}

test("fetches again at SIGHUP, stops cleanly at SIGTERM, and logs no secret", async () => {
  const folder = temporaryFolder();
  const values = join(folder, "values.yaml");
  writeFileSync(values, `staticExport:\n  enabled: true\n  bundleUrl: "${host.link("/bundle.tar.gz")}"\n`);
  const child = startCli(["serve", values, "--port", "0", "--data", join(folder, "data"), "--access-log"]);
  const ended = finish(child);
  const url = await addressOf(child);
  expect((await ask(url, "/?key=value")).body.toString()).toContain("The first one.");
  host.content.set("/bundle.tar.gz", bytesOf(second.archive));
  child.kill("SIGHUP");
  await waitUntil("the second bundle", async () => (await ask(url, "/")).body.includes("The second one."));
  child.kill("SIGTERM");
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);
  expect(stdout.split("\n")[0]).toMatch(/"message":"answered","method":"GET","path":"\/","status":200/);
  expect(stdout + stderr).not.toContain(secret);
  expect(stdout).not.toContain("key=value");
});

test("serves the .zip that an export wrote, from the disk and from a link", async () => {
  const folder = temporaryFolder();
  const site = writeSite(join(folder, "site"), {
    "docs.json": JSON.stringify({ theme: "mint", name: "Acme", navigation: { pages: ["index"] } }),
    "index.mdx": page("Start", "The zipped one."),
  });
  const archive = join(folder, "bundle.zip");
  expect(await runCli(["export", site, "--archive", archive, "--quiet"])).toMatchObject({ code: 0 });
  host.content.set("/download", bytesOf(archive));
  for (const source of [archive, host.link("/download")]) {
    const child = startCli(["serve", source, "--port", "0", "--data", join(folder, "data")]);
    const ended = finish(child);
    const answer = await ask(await addressOf(child), "/");
    expect([answer.status, answer.body.includes("The zipped one.")]).toEqual([200, true]);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  }
});

describe("the command line", () => {
  const wrong: readonly (readonly [rule: string, words: readonly string[], reason: RegExp])[] = [
    ["without a source", [], /needs <bundle>\. Example: offprint serve/],
    ["with two sources", ["a", "b"], /remove "b"/],
    ["with a source that does not exist", ["/nowhere/at/all"], /There is no file or folder "\/nowhere\/at\/all"/],
    ["with an unknown option", ["a", "--prot", "1"], /no option --prot\. Did you mean "--port"/],
    ["with an invalid port", ["a", "--port", "70000"], /--port must be a whole number from 0 to 65535/],
    ["with an interval of 0", ["a", "--check-interval", "0"], /--check-interval must be a whole number from 1/],
  ];
  for (const [rule, words, reason] of wrong)
    test(`${rule} is wrong usage`, async () => {
      const { code, stderr } = await runCli(["serve", ...words]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(reason)]);
    });

  test("suggests another port if the port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await runCli(["serve", first.folder, "--port", String(port), "--data", temporaryFolder()]);
    other.close();
    expect([code, stderr]).toEqual([3, expect.stringMatching(/EADDRINUSE.*\n.*choose another one \(--port\)/)]);
  });
});
