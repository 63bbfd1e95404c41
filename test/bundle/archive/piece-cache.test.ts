/** An archive that takes its pieces from the previous one has the bytes of one that is made from nothing. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import zlib, { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, test } from "vitest";
import {
  createBundleWriter,
  createManifest,
  manifestName,
  openStaging,
  printManifest,
} from "../../../src/bundle/archive/index.js";
import { joinCrc } from "../../../src/bundle/archive/write-tar.js";
import { type Cache, openFolderCache } from "../../../src/lib/cache/index.js";

const packs = { bytes: 0 };
const { deflateRawSync } = zlib;
beforeAll(() => {
  zlib.deflateRawSync = (content, options) => {
    packs.bytes += (content as Uint8Array).length;
    return deflateRawSync(content, options);
  };
  syncBuiltinESMExports();
});
afterAll(() => {
  zlib.deflateRawSync = deflateRawSync;
  syncBuiltinESMExports();
});

const temporary = (): string => mkdtempSync(join(tmpdir(), "offprint-pieces-"));
const text = (n: number): string => `${`Sentence ${n} of the documentation. `.repeat(800 + 10 * (n % 40))}\n`;

type Files = Record<string, string | Uint8Array>;
const site: Files = {
  ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`guides/page-${n}.html`, text(n)])),
  "guides/日本語.html": text(500),
  [`${"deep/".repeat(30)}end.html`]: text(501),
  "empty.txt": "",
  "large.bin": Buffer.alloc(5 * 1024 * 1024, text(3)),
  "picture.png": randomBytes(40_000),
};

/** Exports these files into an archive; gives its bytes and how many bytes were deflated. */
async function pack(archive: string, files: Files, cache?: Cache): Promise<{ bytes: Buffer; deflated: number }> {
  const staging = await openStaging({ archive });
  try {
    const write = createBundleWriter(staging.folder);
    const written = Object.entries(files).map(([path, content]) => write(path, content));
    const about = { engineVersion: "0", siteName: "x", pageCount: 1, deployment: "cloud" };
    write(manifestName, printManifest(createManifest(about, written)));
    packs.bytes = 0;
    await staging.commit(undefined, cache);
    return { bytes: readFileSync(archive), deflated: packs.bytes };
  } finally {
    await staging.discard();
  }
}

const edits: readonly (readonly [rule: string, edit: (files: Files) => Files])[] = [
  ["nothing changed", (files) => files],
  ["a file changed", (files) => ({ ...files, "guides/page-30.html": `${text(30)}More.` })],
  ["a file is new", (files) => ({ ...files, "guides/page-30a.html": text(900) })],
  ["a file is gone", ({ "guides/page-7.html": _, ...files }) => files],
  ["a file moved", ({ "guides/page-7.html": moved, ...files }) => ({ ...files, "z.html": moved! })],
  [
    "a part of a large file changed",
    (files) => {
      const large = Buffer.from(files["large.bin"]!);
      large.fill(1, 5_000_000);
      return { ...files, "large.bin": large };
    },
  ],
];
const all = Object.values(site).reduce((sum, content) => sum + content.length, 0);

for (const extension of [".zip", ".tar.gz"])
  describe(extension, () => {
    const archive = join(temporary(), `x${extension}`);
    const cache = openFolderCache(temporary());

    beforeAll(async () => void (await pack(archive, site, cache)));

    test("is made from scratch if there is no previous one", async () => {
      const first = await pack(join(temporary(), `x${extension}`), site, cache);
      assert.ok(first.deflated > all * 0.9, `${first.deflated} of ${all}`);
      assert.ok(first.bytes.equals((await pack(join(temporary(), `x${extension}`), site)).bytes));
    });

    test.each(edits)("has the bytes of a new archive if %s", async (_, edit) => {
      const files = edit(site);
      const { bytes, deflated } = await pack(archive, files, cache);
      assert.ok(bytes.equals((await pack(join(temporary(), `x${extension}`), files)).bytes));
      assert.ok(deflated < all * (files["large.bin"] === site["large.bin"] ? 0.25 : 0.8), `${deflated} of ${all}`);
    });

    test("is read by Python, and by unzip or tar", async () => {
      const changed = edits[1]![1](site);
      await pack(archive, changed, cache);
      const [one, other] = [temporary(), temporary()];
      execFileSync("python3", [
        "-c",
        "import shutil,sys; shutil.unpack_archive(sys.argv[1], sys.argv[2])",
        archive,
        one,
      ]);
      if (extension === ".zip") execFileSync("unzip", ["-q", archive, "-d", other]);
      else execFileSync("tar", ["-xzf", archive, "-C", other]);
      if (extension === ".tar.gz") execFileSync("gzip", ["-t", archive]);
      for (const folder of [one, other])
        for (const [path, content] of Object.entries(changed))
          assert.ok(readFileSync(join(folder, path)).equals(Buffer.from(content as string)), path);
    });

    /** Each must lead to the bytes of a new archive, whatever became of the previous one. */
    const faults: readonly (readonly [rule: string, spoil: (archive: string) => void])[] = [
      ["is gone", (archive) => rmSync(archive)],
      [
        "is a pipe now",
        (archive) => {
          rmSync(archive);
          execFileSync("mkfifo", [archive]);
        },
      ],
      ["is longer", (archive) => appendFileSync(archive, "x")],
      ["is cut short", (archive) => writeFileSync(archive, readFileSync(archive).subarray(0, 5000))],
      ["is another archive of its size", (archive) => writeFileSync(archive, randomBytes(statSync(archive).size))],
      [
        "is a copy with the old time",
        (archive) => {
          const { atime, mtime } = statSync(archive);
          const bytes = readFileSync(archive);
          bytes.fill(7, 2000, 2100);
          rmSync(archive);
          writeFileSync(archive, bytes);
          utimesSync(archive, atime, mtime);
        },
      ],
      [
        "is a link to another file",
        (archive) => {
          const elsewhere = join(temporary(), "elsewhere");
          copyFileSync(archive, elsewhere);
          rmSync(archive);
          symlinkSync(elsewhere, archive);
        },
      ],
    ];
    test.each(faults)("is made from scratch if the previous one %s", async (_, spoil) => {
      const { bytes } = await pack(archive, site, cache);
      spoil(archive);
      const second = await pack(archive, site, cache);
      assert.ok(second.bytes.equals(bytes));
      assert.ok(second.deflated > all * 0.9);
    });

    test("makes a damaged part again, even if its file seems unchanged", async () => {
      const archive = join(temporary(), `x${extension}`);
      const stored = new Map<string, Uint8Array>();
      const cache: Cache = { get: (key) => stored.get(key), put: (key, value) => void stored.set(key, value) };
      const { bytes } = await pack(archive, site, cache);
      const [key, value] = [...stored][0]!;
      const record = JSON.parse(Buffer.from(value).toString()) as { pieces: [string, number, number][] };
      const [, offset, length] = record.pieces.toSorted((a, b) => b[2] - a[2]).find(([name]) => !name.includes(" "))!;
      const middle = offset + Math.floor(length / 2);
      writeFileSync(archive, Buffer.from(bytes).fill(7, middle, middle + 10));
      // As if the clock of the file system had not moved.
      const { dev, ino, size, mtimeNs, ctimeNs } = statSync(archive, { bigint: true });
      stored.set(key, Buffer.from(JSON.stringify({ ...record, state: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}` })));
      const second = await pack(archive, site, cache);
      assert.ok(second.bytes.equals(bytes));
      assert.ok(second.deflated > 20_000 && second.deflated < all * 0.8, `${second.deflated}`);
    });
  });

test("the checksum of two concatenated texts follows from theirs", () => {
  for (const [first, second] of [
    ["", ""],
    ["a", ""],
    ["", "b"],
    ["one", "another"],
    [text(1), text(2)],
  ] as const)
    assert.equal(joinCrc(crc32(first), crc32(second), second.length), crc32(first + second));
});
