import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { test } from "vitest";
import { parseCommandLine } from "../../src/cli/command-line.js";
import type { Environment } from "../../src/cli/environment.js";
import { temporaryFolder } from "../support/cli.js";

/** What `offprint export` prints, by exit code. */
async function exported(...words: string[]) {
  let stdout = "";
  const write = (text: string): void => {
    stdout += stripVTControlCharacters(text);
  };
  const environment = { stdout: { write }, stderr: { write() {} }, env: {}, platform: "linux", on() {}, off() {} };
  const { command, input } = parseCommandLine(["export", ...words]);
  const { parse, run } = await command.load();
  return { code: await run(await parse(input, {}), environment as unknown as Environment), stdout };
}

test("two machines make a shard each, in folders of their own, and a third one finds the pages of both", async () => {
  const place = temporaryFolder();
  const cache = join(place, "cache");
  const machine = (name: string): string => {
    const site = join(place, name, "docs");
    mkdirSync(site, { recursive: true });
    const pages = ["index", "a", "b", "c", "d"];
    writeFileSync(join(site, "docs.json"), JSON.stringify({ name: "Acme", theme: "mint", navigation: { pages } }));
    for (const page of pages) writeFileSync(join(site, `${page}.mdx`), `---\ntitle: ${page}\n---\n\nText.\n`);
    return site;
  };
  const made: number[] = [];
  for (const shard of ["1/2", "2/2"]) {
    const { code, stdout } = await exported(machine(shard[0]!), "--shard", shard, "--cache", cache);
    assert.equal(code, 0, stdout);
    const [, pages, now] =
      /^Shard \d of 2 of "Acme": (\d) of 5 pages, (\d) made now, in [\d.]+ s\n$/.exec(stdout) ?? [];
    assert.ok(pages === now, stdout);
    made.push(Number(now));
  }
  assert.equal(made[0]! + made[1]!, 5);
  const site = machine("third");
  const last = await exported(site, "--cache", cache, "-q", "-o", join(place, "out"));
  assert.equal(last.code, 0);
  assert.ok(existsSync(join(place, "out/index.html")));
  const again = await exported(site, "--cache", cache, "--shard", "1/1", "--json");
  const { type, shard, made: now } = JSON.parse(again.stdout);
  assert.deepEqual({ type, shard, now }, { type: "result", shard: { index: 1, count: 1 }, now: 0 });
});
