import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, ftruncateSync, mkdtempSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { test } from "vitest";
import { openPromise } from "yauzl";
import {
  createArchive,
  createBundleWriter,
  createManifest,
  manifestName,
  printManifest,
} from "../../../src/bundle/archive/index.js";
import { localHeader, type ZipMember, zipDirectory } from "../../../src/bundle/archive/write-zip.js";

const temporary = (): string => mkdtempSync(join(tmpdir(), "offprint-zip-"));
const python = (script: string, ...args: string[]): string =>
  execFileSync("python3", ["-c", `import sys, zipfile\nfile = zipfile.ZipFile(sys.argv[1])\n${script}`, ...args], {
    encoding: "utf8",
  }).trim();

const line = "A sentence of the documentation, again and again.\n";
const contents: Record<string, string | Uint8Array> = {
  "empty.txt": "",
  "large.txt": line.repeat((17 * 1024 * 1024) / line.length),
  "large.png": Buffer.alloc(17 * 1024 * 1024, randomBytes(1000)),
  "noise.txt": randomBytes(10_000),
  "page.html": line.repeat(100),
  "picture.png": randomBytes(10_000),
};

test("text is deflated, packed formats and noise are stored, and large files are read in pieces", async () => {
  const folder = temporary();
  const write = createBundleWriter(folder);
  const files = Object.entries(contents).map(([path, content]) => write(path, content));
  const about = { engineVersion: "0", siteName: "x", pageCount: 1, deployment: "cloud" };
  write(manifestName, printManifest(createManifest(about, files)));
  const place = temporary();
  const { path } = await createArchive(folder, join(place, "x.zip"));
  assert.deepEqual(readdirSync(place), ["x.zip"]);
  const methods = python("for each in file.infolist(): print(each.filename, each.compress_type)", path).split("\n");
  assert.deepEqual(methods, [
    "offprint.json 8",
    ...["empty.txt 0", "large.png 0", "large.txt 8", "noise.txt 0", "page.html 8", "picture.png 0"],
  ]);
  const target = temporary();
  const unzipped = spawnSync("unzip", ["-q", path, "-d", target], { encoding: "utf8" });
  assert.equal(unzipped.status, 0, unzipped.stderr);
  for (const { path: each } of files)
    assert.ok(readFileSync(join(target, each)).equals(readFileSync(join(folder, each))), each);
  assert.equal(python("print(file.testzip())", path), "None");
});

test("an archive may have more than 65,535 files", async () => {
  const chunks: Buffer[] = [];
  const members: (ZipMember & { offset: number })[] = [];
  let offset = 0;
  for (let index = 0; index < 66_000; index++) {
    const member = { path: `${index}.html`, crc32: 0, size: 0, packedSize: 0, isDeflated: false };
    const header = localHeader(member);
    chunks.push(header);
    members.push({ ...member, offset });
    offset += header.length;
  }
  const path = join(temporary(), "many.zip");
  const out = openSync(path, "w");
  for (const chunk of [...chunks, zipDirectory(members, offset)]) writeSync(out, chunk);
  closeSync(out);
  assert.equal(python("print(len(file.namelist()), file.namelist()[-1])", path), "66000 65999.html");
  const zip = await openPromise(path);
  assert.equal(zip.entryCount, 66_000);
  zip.close();
});

test("files and offsets may be above 4 GB", async () => {
  const path = join(temporary(), "large.zip");
  const large = { path: "a.bin", crc32: 0, size: 2 ** 32 + 10, packedSize: 2 ** 32 + 10, isDeflated: false };
  const after = { path: "b.txt", crc32: crc32("after"), size: 5, packedSize: 5, isDeflated: false };
  const out = openSync(path, "w");
  writeSync(out, localHeader(large));
  const offset = localHeader(large).length + large.size;
  // A hole: it takes no room on the disk.
  ftruncateSync(out, offset);
  const tail = Buffer.concat([localHeader(after), Buffer.from("after")]);
  const members = [
    { ...large, offset: 0 },
    { ...after, offset },
  ];
  writeSync(out, Buffer.concat([tail, zipDirectory(members, offset + tail.length)]), 0, undefined, offset);
  closeSync(out);
  assert.equal(
    python("print([each.file_size for each in file.infolist()], file.read('b.txt').decode())", path),
    "[4294967306, 5] after",
  );
  const zip = await openPromise(path);
  const sizes: number[] = [];
  for await (const entry of zip.eachEntry()) sizes.push(entry.uncompressedSize);
  assert.deepEqual(sizes, [2 ** 32 + 10, 5]);
  zip.close();
});
