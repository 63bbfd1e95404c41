import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import {
  createBundleWriter,
  manifestName,
  OutputNotOursError,
  openStaging,
} from "../../../src/bundle/archive/index.js";

const parent = (): string => mkdtempSync(join(tmpdir(), "offprint-staging-"));

/** An output of an earlier export. */
function bundle(place: string): string {
  const output = join(place, "out");
  mkdirSync(output);
  writeFileSync(join(output, manifestName), "{}");
  writeFileSync(join(output, "old.html"), "old");
  return output;
}

test("commit puts the new bundle in place and leaves nothing next to it", async () => {
  const place = parent();
  const output = bundle(place);
  const staging = await openStaging({ output });
  createBundleWriter(staging.folder)("guides/new.html", "new");
  assert.equal(readFileSync(join(output, "old.html"), "utf8"), "old");
  await staging.commit();
  await staging.discard();
  assert.deepEqual(readdirSync(output), ["guides"]);
  assert.deepEqual(readdirSync(place), ["out"]);
});

test("discard leaves the previous bundle as it was", async () => {
  const place = parent();
  const output = bundle(place);
  const staging = await openStaging({ output });
  createBundleWriter(staging.folder)("new.html", "new");
  await staging.discard();
  assert.deepEqual(readdirSync(output).toSorted(), [manifestName, "old.html"]);
  assert.deepEqual(readdirSync(place), ["out"]);
});

test("a folder with other files is not replaced", async () => {
  const place = parent();
  const output = join(place, "home");
  mkdirSync(output);
  writeFileSync(join(output, "letter.txt"), "dear");
  await assert.rejects(openStaging({ output }), OutputNotOursError);
  assert.equal(readFileSync(join(output, "letter.txt"), "utf8"), "dear");
  assert.deepEqual(readdirSync(place), ["home"]);
});

test("files that are added during the run are not replaced either", async () => {
  const output = join(parent(), "out");
  const staging = await openStaging({ output });
  createBundleWriter(staging.folder)("index.html", "x");
  mkdirSync(output);
  writeFileSync(join(output, "letter.txt"), "dear");
  await assert.rejects(staging.commit(), OutputNotOursError);
  await staging.discard();
  assert.deepEqual(readdirSync(output), ["letter.txt"]);
});

test("an empty folder, a new one and one below new folders are accepted", async () => {
  const place = parent();
  mkdirSync(join(place, "empty"));
  for (const name of ["empty", "new", "a/b/c"]) {
    const staging = await openStaging({ output: join(place, name) });
    createBundleWriter(staging.folder)("index.html", "x");
    await staging.commit();
    await staging.discard();
    assert.equal(readFileSync(join(place, name, "index.html"), "utf8"), "x");
  }
  assert.deepEqual(readdirSync(place).toSorted(), ["a", "empty", "new"]);
});

test("folders made for an output are removed if the run fails", async () => {
  const place = parent();
  const staging = await openStaging({ output: join(place, "a/b/out"), archive: join(place, "c/x.zip") });
  await staging.discard();
  assert.deepEqual(readdirSync(place), []);
});

test("the folder behind a symbolic link is replaced, and the link stays", async () => {
  const place = parent();
  const output = bundle(place);
  symlinkSync("out", join(place, "current"));
  const staging = await openStaging({ output: join(place, "current") });
  createBundleWriter(staging.folder)("new.html", "new");
  await staging.commit();
  await staging.discard();
  assert.deepEqual(readdirSync(output), ["new.html"]);
  assert.deepEqual(readdirSync(join(place, "current")), ["new.html"]);
});

test("two runs in one process do not disturb each other", async () => {
  const place = parent();
  const [a, b] = await Promise.all([0, 1].map(() => openStaging({ output: join(place, "out") })));
  createBundleWriter(a!.folder)("index.html", "a");
  createBundleWriter(a!.folder)(manifestName, "{}");
  createBundleWriter(b!.folder)("index.html", "b");
  await a!.commit();
  await a!.discard();
  assert.equal(readFileSync(join(b!.folder, "index.html"), "utf8"), "b");
  await b!.commit();
  await b!.discard();
  assert.equal(readFileSync(join(place, "out/index.html"), "utf8"), "b");
  assert.deepEqual(readdirSync(place), ["out"]);
});

test("the next run removes what a killed run left behind", async () => {
  const place = parent();
  for (const name of ["out", "x.zip"])
    mkdirSync(join(place, `.${name}.offprint-999999999-abc/bundle`), { recursive: true });
  const staging = await openStaging({ output: join(place, "out"), archive: join(place, "x.zip") });
  assert.equal(readdirSync(place).length, 2);
  await staging.discard();
  assert.deepEqual(readdirSync(place), []);
});

test("the files of a current run are left alone", async () => {
  const place = parent();
  const name = `.out.offprint-${process.ppid}-abc`;
  mkdirSync(join(place, name));
  await (await openStaging({ output: join(place, "out") })).discard();
  assert.deepEqual(readdirSync(place), [name]);
});

test("the output is restored if a run was killed between its two renames", async () => {
  const place = parent();
  const work = join(place, ".out.offprint-999999999-abc");
  mkdirSync(work);
  renameSync(bundle(place), join(work, "previous"));
  await (await openStaging({ output: join(place, "out") })).discard();
  assert.deepEqual(readdirSync(place), ["out"]);
  assert.equal(readFileSync(join(place, "out/old.html"), "utf8"), "old");
});

test("an output whose content was half replaced is restored", async () => {
  const output = bundle(parent());
  const previous = join(output, ".out.offprint-999999999-abc/previous");
  mkdirSync(previous, { recursive: true });
  for (const name of [manifestName, "old.html"]) renameSync(join(output, name), join(previous, name));
  writeFileSync(join(output, "old.html"), "new");
  await (await openStaging({ output })).discard();
  assert.deepEqual(readdirSync(output).toSorted(), [manifestName, "old.html"]);
  assert.equal(readFileSync(join(output, "old.html"), "utf8"), "old");
});

test("a name as long as file systems allow is accepted", async () => {
  const output = join(parent(), "o".repeat(255));
  const staging = await openStaging({ output });
  createBundleWriter(staging.folder)("index.html", "x");
  await staging.commit();
  await staging.discard();
  assert.deepEqual(readdirSync(output), ["index.html"]);
});

for (const path of [
  "../out.html",
  "a/../../b",
  "/etc/passwd",
  "a//b",
  "",
  "a\\b",
  "a\0b",
  "./a",
  "a/..",
  "a/.",
  "a/",
  "a/b\\c",
])
  test(`the path ${JSON.stringify(path)} is refused`, () => {
    const write = createBundleWriter(parent());
    assert.throws(() => write(path, "x"), RangeError);
    write("a/index.html", "x");
    write("index.html", "x");
    assert.throws(() => write(path, "x"), RangeError);
  });
