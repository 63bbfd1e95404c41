import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { openPackedCache } from "../../../src/lib/cache/index.js";

const temporary = (): string => mkdtempSync(join(tmpdir(), "offprint-packed-"));
const keyOf = (name: string): string => hash("sha256", name, "hex");
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const textOf = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString();
/** All in one pack. */
const keys = Array.from({ length: 500 }, (_, at) => keyOf(`${at}`)).filter(
  (key) => Number.parseInt(key.slice(0, 8), 16) % 64 === 7,
);

test("an entry is found by all that share the folder, with the last value of a key", () => {
  const folder = temporary();
  const [one, two] = [openPackedCache(folder, "a"), openPackedCache(folder, "a")];
  const [first, second] = keys as [string, string];
  assert.equal(one.get(first), undefined);
  one.put(first, Buffer.from("1\n"));
  two.put(second, Buffer.from(""));
  assert.equal(textOf(two.get(first)), "1\n");
  assert.equal(textOf(one.get(second)), "");
  two.put(first, Buffer.from("2"));
  assert.equal(textOf(two.get(first)), "2");
  assert.equal(textOf(openPackedCache(folder, "a").get(first)), "2");
  assert.equal(openPackedCache(folder, "b").get(first), undefined);
  assert.equal(filesIn(folder).length, 1);
});

test("a pack that is damaged at any place loses entries, but has no wrong ones, and accepts new ones", () => {
  const damages: readonly ((file: string) => void)[] = [
    (file) => truncateSync(file, statSync(file).size - 3),
    (file) => truncateSync(file, 20),
    (file) => appendFileSync(file, "not an entry\n"),
    (file) => {
      const bytes = readFileSync(file);
      for (let at = 10; at < bytes.length; at += 97) bytes[at]! ^= 1;
      writeFileSync(file, bytes);
    },
    (file) => writeFileSync(file, ""),
  ];
  for (const [at, damage] of damages.entries()) {
    const folder = temporary();
    const before = openPackedCache(folder, "a");
    for (const key of keys) before.put(key, Buffer.from(`value of ${key}`));
    damage(filesIn(folder)[0]!);
    for (const [round, value] of [undefined, "new", "newer"].entries()) {
      const cache = openPackedCache(folder, "a");
      for (const key of keys.slice(1)) {
        const found = textOf(cache.get(key));
        assert.ok(found === undefined || found === `value of ${key}`, `${at}`);
      }
      if (round === 2) assert.equal(textOf(cache.get(keys[0]!)), "new", `${at}`);
      if (value) cache.put(keys[0]!, Buffer.from(value));
    }
  }
});

test("a pack that is mostly unused shrinks", () => {
  const folder = temporary();
  const [key, other] = keys as [string, string];
  const cache = openPackedCache(folder, "a");
  cache.put(other, Buffer.from("other"));
  for (let round = 0; round < 10; round++) cache.put(key, Buffer.alloc(50_000, `${round}`));
  const [file] = filesIn(folder) as [string];
  assert.ok(statSync(file).size > 500_000);
  const again = openPackedCache(folder, "a");
  assert.equal(textOf(again.get(other)), "other");
  assert.equal(textOf(again.get(key))?.[0], "9");
  assert.ok(statSync(file).size < 60_000);
  assert.equal(textOf(cache.get(other)), "other");
});

test("a folder that cannot be written is an empty cache", () => {
  const folder = join(temporary(), "file");
  writeFileSync(folder, "");
  const cache = openPackedCache(folder, "a");
  cache.put(keys[0]!, Buffer.from("x"));
  assert.equal(cache.get(keys[0]!), undefined);
});
