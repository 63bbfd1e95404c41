import assert from "node:assert/strict";
import { hash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "vitest";
import {
  createBundleWriter,
  manifestName,
  OutputNotOursError,
  OutputReplacedError,
  openStaging,
} from "../../../src/bundle/archive/index.js";
import { contentOf } from "../../support/cli.js";

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

test("the files of a run in progress are left alone", async () => {
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

/** An output of several files, and a run that keeps all of them but the manifest. */
async function updating() {
  const place = parent();
  const output = bundle(place);
  for (const path of ["a/x.html", "a/y.html", "b/z.html", "gone/w.html"]) {
    mkdirSync(dirname(join(output, path)), { recursive: true });
    writeFileSync(join(output, path), path);
  }
  const staging = await openStaging({ output });
  for (const path of ["old.html", "a/x.html", "a/y.html", "b/z.html"]) staging.keep(path);
  return { place, output, staging, before: contentOf(output) };
}

test("unchanged files stay the same files; changed ones are replaced, and all others are removed with their folders", async () => {
  const { place, output, staging } = await updating();
  const write = createBundleWriter(staging.folder);
  assert.equal(readFileSync(staging.placeOf("a/y.html"), "utf8"), "a/y.html");
  for (const path of [manifestName, "a/y.html", "new/v.html"]) write(path, "new");
  assert.equal(readFileSync(staging.placeOf("a/y.html"), "utf8"), "new");
  symlinkSync("a", join(output, "link"));
  const { ino } = statSync(join(output, "b/z.html"));
  await staging.commit();
  await staging.discard();
  const names = readdirSync(output, { recursive: true, encoding: "utf8" });
  const files = [manifestName, "a", "a/x.html", "a/y.html", "b", "b/z.html", "new", "new/v.html", "old.html"];
  assert.deepEqual(names.toSorted(), files.toSorted());
  for (const path of [manifestName, "a/y.html", "new/v.html"])
    assert.equal(readFileSync(join(output, path), "utf8"), "new");
  assert.equal(statSync(join(output, "b/z.html")).ino, ino);
  assert.deepEqual(readdirSync(place), ["out"]);
});

test("an update that fails midway leaves the output as it was", async () => {
  const { place, output, staging, before } = await updating();
  const write = createBundleWriter(staging.folder);
  write("a/y.html", "new");
  write("new/v.html", "new");
  // A file at the path of a folder that stays: a mistake of ours, as a full disk would be one of the machine.
  write("b", "new");
  await assert.rejects(staging.commit());
  assert.deepEqual(contentOf(output), before);
  await staging.discard();
  assert.deepEqual(readdirSync(place), ["out"]);
});

test("an output that another run has replaced is not updated", async () => {
  const { output, staging } = await updating();
  createBundleWriter(staging.folder)("a/y.html", "new");
  const other = await openStaging({ output });
  for (const path of [manifestName, "a/x.html", "a/y.html", "b/z.html", "old.html"])
    createBundleWriter(other.folder)(path, "other");
  await other.commit();
  await other.discard();
  const theirs = contentOf(output);
  await assert.rejects(staging.commit(), OutputReplacedError);
  await staging.discard();
  assert.deepEqual(contentOf(output), theirs);
});

test("unchanged files are linked if the output is packed, or if one of them is behind a link", async () => {
  for (const isPacked of [true, false]) {
    const { place, output } = await updating();
    const archive = isPacked ? join(place, "x.tar.gz") : undefined;
    const staging = await openStaging({ output, ...(archive !== undefined && { archive }) });
    if (!isPacked) {
      renameSync(join(output, "a"), join(place, "elsewhere"));
      symlinkSync("../elsewhere", join(output, "a"));
    }
    for (const path of ["a/x.html", "b/z.html", "old.html"]) staging.keep(path);
    const write = createBundleWriter(staging.folder);
    for (const path of [manifestName, "new.html"]) write(path, '{"files":[]}');
    await staging.commit();
    await staging.discard();
    const entries = readdirSync(output, { recursive: true, withFileTypes: true });
    const names = entries.map(({ name }) => name).toSorted();
    assert.deepEqual(names, ["a", "b", "new.html", manifestName, "old.html", "x.html", "z.html"]);
    assert.equal(entries.find(({ name }) => name === "a")?.isDirectory(), true);
  }
});

for (const [when, steps] of Object.entries({
  "the first file had gone": 1,
  "all but the last had come": 4,
  "all had come": 5,
}))
  test(`the output is restored if a run was killed while it was updated: when ${when}`, async () => {
    const place = parent();
    const output = bundle(place);
    mkdirSync(join(output, "a"));
    writeFileSync(join(output, "a/x.html"), "x");
    const before = contentOf(output);
    const work = join(place, ".out.offprint-999999999-abc");
    const [previous, old] = [join(work, "previous"), join(work, "old/a")];
    mkdirSync(old, { recursive: true });
    renameSync(output, previous);
    writeFileSync(join(work, "added"), JSON.stringify({ files: ["a", "new/v.html"], folders: ["new"] }));
    const done: readonly (() => void)[] = [
      () => renameSync(join(previous, "a/x.html"), join(old, "x.html")),
      () => rmdirSync(join(previous, "a")),
      () => mkdirSync(join(previous, "new")),
      () => writeFileSync(join(previous, "new/v.html"), "new"),
      () => writeFileSync(join(previous, "a"), "new"),
    ];
    for (const step of done.slice(0, steps)) step();
    await (await openStaging({ output })).discard();
    assert.deepEqual(readdirSync(place), ["out"]);
    assert.deepEqual(contentOf(output), before);
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

test("a file that many pages write is written twice at most, and a changed one again", async () => {
  const staging = await openStaging({ output: join(parent(), "out") });
  const write = createBundleWriter(staging.folder);
  const file = join(staging.folder, "fields.js");
  const times = ["a", "a", "a", "b", "b", "a"].map((content) => {
    const { sha256 } = write("fields.js", content);
    assert.equal(readFileSync(file, "utf8"), content);
    assert.equal(sha256, hash("sha256", content));
    return statSync(file, { bigint: true }).mtimeNs;
  });
  assert.equal(times[1], times[2]);
  assert.equal(times[3], times[4]);
  await staging.discard();
});
