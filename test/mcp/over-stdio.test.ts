/** `offprint mcp` in its own process, as an editor starts it. */
import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { exportSmallSite, newFolder, type SmallBundle } from "../serve/small-site.js";
import { cli, finish, runCli, startCli } from "../support/cli.js";
import { waitUntil } from "../support/wait-until.js";
import { callEverything, firstClient, newClient } from "./clients.js";

let bundle: SmallBundle;
const data = newFolder();
const wanted = { query: "Some text about it", path: "/guides/install", heading: "# Install" };

beforeAll(async () => {
  bundle = await exportSmallSite("Hello.");
});
afterAll(() => {
  for (const folder of [join(bundle.folder, ".."), data]) rmSync(folder, { recursive: true, force: true });
});

const commandOf = (source: string) => ({
  command: process.execPath,
  args: [cli, "mcp", source, "--data", data],
  stderr: "ignore" as const,
});

test("the first generation of the SDK's clients makes every call of its inspector", async () => {
  const client = await firstClient(new StdioClientTransport(commandOf(bundle.folder)) as never);
  assert.deepEqual(await client.ping(), {});
  assert.deepEqual(await client.setLoggingLevel("debug"), {});
  await callEverything(client, wanted);
});

test("the second generation makes every call, from an archive", async () => {
  await callEverything(await newClient(new NewTransport(commandOf(bundle.archive))), wanted);
});

const ping = (id: number) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" });
const search = (id: number, query: string) =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "search", arguments: { query } } });

/** Sends lines, closes stdin, and reads what comes back. */
async function exchange(lines: readonly string[], source = bundle.folder) {
  const child = startCli(["mcp", source, "--data", data], { stdio: "pipe" });
  // It may end before it has read everything.
  child.stdin!.on("error", () => {}).end(lines.map((line) => `${line}\n`).join(""));
  let answeredAt = performance.now();
  child.stdout!.on("data", () => {
    answeredAt = performance.now();
  });
  const ended = await finish(child);
  const closingMs = performance.now() - answeredAt;
  const answers = ended.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  return { ...ended, answers, closingMs };
}

test("requests sent before stdin closes are answered, and stdout has nothing else", async () => {
  const count = 200;
  const { code, answers } = await exchange([
    ...Array.from({ length: count }, (_, id) => search(id, `text ${id}`)),
    ping(count),
  ]);
  expect(code).toBe(0);
  expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual(Array.from({ length: count + 1 }, (_, id) => id));
});

test("text that is not a message is skipped, and a cancelled request keeps nobody waiting", async () => {
  const cancelled = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  const { code, answers, stderr, closingMs } = await exchange([
    "not JSON",
    "[]",
    "{}",
    search(1, "text"),
    cancelled,
    ping(2),
  ]);
  expect([code, answers.at(-1)]).toEqual([0, { jsonrpc: "2.0", id: 2, result: {} }]);
  expect(stderr).toContain("Failed to handle a message.");
  // It waits ten seconds for answers that are still to come.
  expect(closingMs).toBeLessThan(9000);
});

test("a message above 1 MB ends the connection", async () => {
  const { code, answers } = await exchange([ping(1), search(2, "x".repeat(2_000_000)), ping(3)]);
  expect([code, answers.map(({ id }) => id)]).toEqual([0, [1]]);
});

test("a signal ends it", async () => {
  const child = startCli(["mcp", bundle.folder], { stdio: "pipe" });
  const ended = finish(child);
  child.stdin!.write(`${ping(1)}\n`);
  await new Promise((resolve) => child.stdout!.once("data", resolve));
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
});

test("a bundle that is exported again is read from then on", async () => {
  const folder = join(newFolder(), "bundle");
  onTestFinished(() => rmSync(join(folder, ".."), { recursive: true, force: true }));
  cpSync(bundle.folder, folder, { recursive: true });
  const client = await firstClient(new StdioClientTransport(commandOf(folder)) as never);
  const read = async () => JSON.stringify(await client.callTool({ name: "read_page", arguments: { path: "/" } }));
  expect(await read()).toContain("Hello.");
  const next = await exportSmallSite("Good evening.");
  onTestFinished(() => rmSync(join(next.folder, ".."), { recursive: true, force: true }));
  rmSync(folder, { recursive: true });
  cpSync(next.folder, folder, { recursive: true });
  await waitUntil("the new page", async () => (await read()).includes("Good evening."));
});

test("a bundle that is missing, damaged or without a search is refused in a sentence", async () => {
  const place = newFolder();
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const damaged = join(place, "damaged");
  cpSync(bundle.folder, damaged, { recursive: true });
  writeFileSync(join(damaged, "guides/install.md"), "Changed.");
  const cut = join(place, "cut.tar.gz");
  writeFileSync(cut, readFileSync(bundle.archive).subarray(0, 5000));
  const searchless = join(place, "searchless");
  cpSync(bundle.folder, searchless, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(searchless, "offprint.json"), "utf8"));
  manifest.files = manifest.files.filter(({ path }: { path: string }) => path !== "offprint-search.js");
  writeFileSync(join(searchless, "offprint.json"), JSON.stringify(manifest));
  const cases = [
    [join(place, "none"), "There is no file or folder"],
    [place, "it has no offprint.json"],
    [damaged, "guides/install.md"],
    [cut, "is not a complete .tar.gz"],
    [searchless, "The bundle cannot be searched: The site has no search."],
  ] as const;
  for (const [source, sentence] of cases) {
    const { code, stdout, stderr } = await runCli(["mcp", source, "--data", join(place, "data")]);
    expect([source, code, stdout]).toEqual([source, 2, ""]);
    expect(stderr).toContain(sentence);
  }
});
