import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { createBundleWriter, manifestName, OutputNotOursError, openStaging } from "../../src/archive/index.js";

const parent = (): string => mkdtempSync(join(tmpdir(), "offprint-staging-"));

/** An output that an export made before. */
function bundle(place: string): string {
  const output = join(place, "out");
  mkdirSync(output);
  writeFileSync(join(output, manifestName), "{}");
  writeFileSync(join(output, "old.html"), "old");
  return output;
}

test("commit puts the new bundle in place and leaves nothing beside it", async () => {
  const place = parent();
  const output = bundle(place);
  const staging = openStaging(output, manifestName);
  createBundleWriter(staging.folder)("guides/new.html", "new");
  assert.equal(readFileSync(join(output, "old.html"), "utf8"), "old");
  await staging.commit();
  assert.deepEqual(readdirSync(output), ["guides"]);
  assert.deepEqual(readdirSync(place), ["out"]);
});

test("discard leaves the previous bundle as it was", async () => {
  const place = parent();
  const output = bundle(place);
  const staging = openStaging(output, manifestName);
  createBundleWriter(staging.folder)("new.html", "new");
  await staging.discard();
  assert.deepEqual(readdirSync(output).toSorted(), [manifestName, "old.html"]);
  assert.deepEqual(readdirSync(place), ["out"]);
});

test("a folder with files of somebody else is not replaced", () => {
  const output = join(parent(), "home");
  mkdirSync(output);
  writeFileSync(join(output, "letter.txt"), "dear");
  assert.throws(() => openStaging(output, manifestName), OutputNotOursError);
  assert.ok(existsSync(join(output, "letter.txt")));
});

test("an empty folder, a new one and one below new folders will do", async () => {
  const place = parent();
  mkdirSync(join(place, "empty"));
  for (const name of ["empty", "new", "a/b/c"]) {
    const staging = openStaging(join(place, name), manifestName);
    createBundleWriter(staging.folder)("index.html", "x");
    await staging.commit();
    assert.equal(readFileSync(join(place, name, "index.html"), "utf8"), "x");
  }
});

test("what a killed run left behind is removed by the next", async () => {
  const place = parent();
  mkdirSync(join(place, ".out.offprint-999999999-new"));
  await openStaging(join(place, "out"), manifestName).discard();
  assert.deepEqual(readdirSync(place), []);
});

for (const path of ["../out.html", "a/../../b", "/etc/passwd", "a//b", "", "a\\b", "a\0b", "./a"])
  test(`the path ${JSON.stringify(path)} is refused`, () => {
    assert.throws(() => createBundleWriter(parent())(path, "x"), RangeError);
  });
