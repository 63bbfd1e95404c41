import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, temporaryFolder } from "../support/cli.js";

/** The content of the folder of compiled code after a command has run; undefined if there is no such folder. */
async function filesAfter(cache: string, ...words: readonly string[]): Promise<string[] | undefined> {
  const env = { OFFPRINT_CACHE: cache, NODE_COMPILE_CACHE: undefined };
  expect(await runCli(words, { env })).toMatchObject({ code: 0 });
  const folder = join(cache, "compiled");
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [entry.name] : [],
  );
}

test("compiled code is kept in a folder that only its user can read, and not with --no-cache or for the help", async () => {
  const cache = join(temporaryFolder(), "cache");
  expect(await filesAfter(cache, "--help")).toBeUndefined();
  expect((await filesAfter(cache, "explain"))?.length).toBeGreaterThan(0);
  const [build] = readdirSync(join(cache, "compiled"));
  expect(statSync(join(cache, "compiled", build!)).mode & 0o777).toBe(0o700);
});

test.skipIf(process.platform === "win32")("nothing is kept where another user can write", async () => {
  const cache = join(temporaryFolder(), "cache");
  mkdirSync(cache);
  chmodSync(cache, 0o777);
  expect(await filesAfter(cache, "explain")).toEqual([]);
});

test("the cache can be cleared, compiled code included", async () => {
  const cache = join(temporaryFolder(), "cache");
  await filesAfter(cache, "explain");
  const env = { OFFPRINT_CACHE: cache };
  expect((await runCli(["cache", "info"], { env })).stdout).toMatch(/^compiled +\d/m);
  await runCli(["cache", "clear"], { env });
  expect(existsSync(join(cache, "compiled"))).toBe(false);
});
