import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, test, vi } from "vitest";
import {
  createArchive,
  createBundleWriter,
  createManifest,
  manifestName,
  printManifest,
} from "../../../src/bundle/archive/index.js";

/** A bundle with difficult names, its files written in the given order. */
function bundle(paths: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "offprint-archive-"));
  const write = createBundleWriter(folder);
  const files = paths.map((path) => write(path, `content of ${path}`));
  write(
    manifestName,
    printManifest(createManifest({ engineVersion: "0", siteName: "x", pageCount: 1, deployment: "cloud" }, files)),
  );
  return folder;
}
const paths = [
  "index.html",
  "guides/with blank.html",
  "guides/日本語.html",
  "_offprint/app.css",
  `${"deep/".repeat(30)}end.html`,
];

for (const extension of [".zip", ".tar.gz", ".tgz"]) {
  test(`${extension}: the same bundle gives the same bytes in any order, at any time, in any time zone`, async () => {
    const first = bundle(paths);
    const second = bundle(paths.toReversed());
    utimesSync(join(second, "index.html"), 1, 1);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("TZ", "UTC");
    await createArchive(first, join(first, `../early-${process.pid}${extension}`));
    vi.stubEnv("TZ", "Asia/Kathmandu");
    const a = await createArchive(first, join(first, `../a-${process.pid}${extension}`));
    vi.stubEnv("TZ", "America/St_Johns");
    const b = await createArchive(second, join(second, `../b-${process.pid}${extension}`));
    assert.equal(a.sha256, b.sha256);
    const bytes = readFileSync(a.path);
    assert.equal(createHash("sha256").update(bytes).digest("hex"), a.sha256);
    assert.equal(bytes.length, a.bytes);
  });

  test(`${extension}: Python unpacks every file unchanged`, async () => {
    const folder = bundle(paths);
    const { path } = await createArchive(folder, join(mkdtempSync(join(tmpdir(), "offprint-")), `x${extension}`));
    const target = mkdtempSync(join(tmpdir(), "offprint-unpacked-"));
    execFileSync("python3", ["-c", "import shutil,sys; shutil.unpack_archive(sys.argv[1], sys.argv[2])", path, target]);
    for (const each of [...paths, manifestName])
      assert.deepEqual(readFileSync(join(target, each)), readFileSync(join(folder, each)), each);
  });
}

test("a failed archive leaves the old one unchanged and no partial file", async () => {
  const folder = bundle(paths);
  const archive = join(mkdtempSync(join(tmpdir(), "offprint-")), "x.zip");
  writeFileSync(archive, "old");
  await assert.rejects(createArchive(join(folder, "nowhere"), archive));
  assert.equal(readFileSync(archive, "utf8"), "old");
  const gone = new AbortController();
  gone.abort(new Error("enough"));
  await assert.rejects(createArchive(folder, archive, gone.signal), /enough/);
  assert.deepEqual(readdirSync(dirname(archive)), ["x.zip"]);
});

test("a name with another extension is refused", async () => {
  await assert.rejects(createArchive(bundle(paths), "x.rar"), RangeError);
});

test("two files with the same path are reported as our bug", () => {
  const file = { path: "a.html", bytes: 1, sha256: "" };
  assert.throws(
    () => createManifest({ engineVersion: "0", siteName: "x", pageCount: 1, deployment: "cloud" }, [file, file]),
    /written twice/,
  );
});
