import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { openFolderCache } from "../../../src/lib/cache/index.js";

const folder = (): string => mkdtempSync(join(tmpdir(), "offprint-cache-"));
const key = "00ff".repeat(16);

test("another cache on the same folder reads the bytes that were put", () => {
  const place = folder();
  openFolderCache(place).put(key, Buffer.from([0, 1, 255]));
  assert.deepEqual(openFolderCache(place).get(key), Buffer.from([0, 1, 255]));
});

test("an unknown key gives undefined", () => {
  assert.equal(openFolderCache(folder()).get(key), undefined);
});

test("a damaged entry counts as missing", () => {
  const place = folder();
  const cache = openFolderCache(place);
  cache.put(key, Buffer.from("whole"));
  writeFileSync(join(place, key.slice(0, 2), key.slice(2)), "0123456789abcdefdamaged");
  assert.equal(cache.get(key), undefined);
});

test("no draft is left next to an entry", () => {
  const place = folder();
  openFolderCache(place).put(key, Buffer.from("x"));
  assert.deepEqual(readdirSync(join(place, key.slice(0, 2))), [key.slice(2)]);
});

test("a folder that cannot be written is not an error", () => {
  const file = join(folder(), "file");
  writeFileSync(file, "");
  openFolderCache(join(file, "below")).put(key, Buffer.from("x"));
});

test("a key that could leave the folder is refused", () => {
  assert.throws(() => openFolderCache(folder()).get("../../etc/passwd"), RangeError);
});
