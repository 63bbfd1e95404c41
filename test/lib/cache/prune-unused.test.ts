import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { openFolderCache, pruneCache } from "../../../src/lib/cache/index.js";
import { page, temporaryFolder, writeSite } from "../../support/cli.js";
import { exportInProcess } from "../../support/pool-in-process.js";

const day = 24 * 60 * 60_000;
const keys = ["aa".repeat(16), "ab".repeat(16), "bb".repeat(16)] as const;
const fileOf = (folder: string, key: string): string => join(folder, key.slice(0, 2), key.slice(2));
const daysOld = (path: string, days: number): void => {
  const then = new Date(Date.now() - days * day);
  utimesSync(path, then, then);
};

/** A cache of three entries, last used and last pruned so many days ago. */
function usedCache({ used, looked }: { used: number; looked: number | undefined }): string {
  const folder = mkdtempSync(join(tmpdir(), "offprint-forget-"));
  const cache = openFolderCache(folder);
  for (const key of keys) {
    cache.put(key, Buffer.from(key));
    daysOld(fileOf(folder, key), used);
  }
  if (looked !== undefined) {
    writeFileSync(join(folder, ".looked-through"), "");
    daysOld(join(folder, ".looked-through"), looked);
  }
  return folder;
}
const left = (folder: string): string[] => keys.filter((key) => existsSync(fileOf(folder, key)));

test("entries unused for 30 days are removed; entries read since stay", async () => {
  const folder = usedCache({ used: 31, looked: 2 });
  assert.ok(openFolderCache(folder).get(keys[1]));
  await pruneCache(folder);
  assert.deepEqual(left(folder), [keys[1]]);
});

test("an export prunes its cache folder", async () => {
  const folder = usedCache({ used: 31, looked: 2 });
  const source = writeSite(temporaryFolder(), { "index.mdx": page("Start", "```js\nlet a = 1;\n```") });
  await exportInProcess({ source, output: join(temporaryFolder(), "out"), cacheFolder: folder });
  assert.deepEqual(left(folder), []);
  assert.ok(
    readdirSync(folder).some((name) => /^[0-9a-f]{2}$/.test(name) && readdirSync(join(folder, name)).length > 0),
  );
});

test("younger entries stay", async () => {
  const folder = usedCache({ used: 29, looked: 2 });
  await pruneCache(folder);
  assert.deepEqual(left(folder), keys);
});

test("a cache is pruned at most once a day, and first a day after it is created", async () => {
  for (const looked of [undefined, 0.9]) {
    const folder = usedCache({ used: 31, looked });
    await pruneCache(folder);
    assert.deepEqual(left(folder), keys);
    daysOld(join(folder, ".looked-through"), 1.1);
    await pruneCache(folder);
    assert.deepEqual(left(folder), []);
    assert.ok(Date.now() - statSync(join(folder, ".looked-through")).mtimeMs < day / 2);
  }
});

test("files of other programs stay, even old ones", async () => {
  const folder = usedCache({ used: 31, looked: 2 });
  const others = ["git/00112233445566778899aabbccddeeff", "notes.txt", "aa/readme", `00ff00ff/${keys[0]}`];
  for (const path of others) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), "");
    daysOld(join(folder, path), 400);
  }
  await pruneCache(folder);
  assert.deepEqual(left(folder), []);
  for (const path of others) assert.ok(existsSync(join(folder, path)), path);
});

test("drafts of killed processes are removed too", async () => {
  const folder = usedCache({ used: 0, looked: 2 });
  const draft = `${fileOf(folder, keys[0])}.0123456789ab`;
  writeFileSync(draft, "half");
  daysOld(draft, 31);
  await pruneCache(folder);
  assert.deepEqual(readdirSync(join(folder, "aa")), [keys[0].slice(2)]);
});

test("a missing folder, or a file in its place, is not an error", async () => {
  const file = join(usedCache({ used: 0, looked: 0 }), "file");
  writeFileSync(file, "");
  await pruneCache(file);
  await pruneCache(join(file, "..", "nowhere"));
  assert.equal(existsSync(join(file, "..", "nowhere")), false);
});
