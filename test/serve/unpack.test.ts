/** Untrusted archives: nothing is written outside the folder, and a bundle is accepted whole or not at all. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createGzip, gzipSync } from "node:zlib";
import { type Header, pack } from "tar-stream";
import { describe, expect, test } from "vitest";
import { type BundleFile, createArchive, type Manifest } from "../../src/bundle/archive/index.js";
import { BundleRefused, bundleLimitDefaults } from "../../src/serve/index.js";
import { unpack } from "../../src/serve/unpack.js";
import { contentOf, temporaryFolder } from "../support/cli.js";

const hashOf = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");
const fileOf = (path: string, content = path): BundleFile => ({
  path,
  bytes: Buffer.byteLength(content),
  sha256: hashOf(content),
});
const manifestOf = (files: readonly unknown[], more: object = {}): string =>
  JSON.stringify({
    formatVersion: 1,
    engineVersion: "1",
    siteName: "Acme",
    pageCount: 1,
    deployment: "cloud",
    files,
    ...more,
  } satisfies Omit<Manifest, "files"> & { files: readonly unknown[] });

type Entry = readonly [header: Partial<Header> & { name: string }, content?: string | Buffer];

/** Each file's content is its path. */
const entry = (path: string): Entry => [{ name: path }, path];

async function archiveOf(...entries: readonly Entry[]): Promise<string> {
  const archive = join(temporaryFolder(), "bundle.tar.gz");
  const tar = pack();
  for (const [header, content = ""] of entries) tar.entry({ ...header }, content as string);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar.pipe(createGzip())) chunks.push(chunk as Buffer);
  writeFileSync(archive, Buffer.concat(chunks));
  return archive;
}

/** The folder is in an empty one, so that escaped files are noticed. */
async function tryUnpack(archive: string, limits: Partial<typeof bundleLimitDefaults> = {}) {
  const around = temporaryFolder();
  const folder = join(around, "bundle");
  mkdirSync(folder);
  const outcome = await unpack(archive, folder, { ...bundleLimitDefaults, ...limits }).catch((error: unknown) => error);
  expect(readdirSync(around)).toEqual(["bundle"]);
  return { outcome, folder };
}

test("what createArchive packs comes out as it went in", async () => {
  const folder = temporaryFolder();
  const paths = [
    "index.html",
    "guides/größe.html",
    `deep/${"long name ".repeat(18).trim()}/x.html`,
    "images/pixel.png",
  ];
  for (const path of paths) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
  writeFileSync(join(folder, "offprint.json"), manifestOf(paths.map((path) => fileOf(path))));
  const archive = await createArchive(folder, join(temporaryFolder(), "bundle.tar.gz"));
  const unpacked = await tryUnpack(archive.path);
  expect(unpacked.outcome).toMatchObject({ bundleId: hashOf(readFileSync(join(folder, "offprint.json"))) });
  expect(contentOf(unpacked.folder)).toEqual(contentOf(folder));
});

describe("refused is an archive", () => {
  const manifest = (...paths: readonly string[]): Entry => [
    { name: "offprint.json" },
    manifestOf(paths.map((path) => fileOf(path))),
  ];
  const whole = [manifest("a.html", "b/c.html"), entry("a.html"), entry("b/c.html")] as const;
  const cases: readonly (readonly [rule: string, reason: RegExp, ...entries: readonly Entry[]])[] = [
    ["that is empty", /empty/],
    ["without a manifest", /starts with "a.html"/, entry("a.html")],
    ["whose manifest comes late", /starts with/, entry("a.html"), manifest("a.html")],
    ["whose manifest has another name", /starts with/, [{ name: "./offprint.json" }, "{}"]],
    ["that lacks a file", /"b\/c.html" is in the manifest but missing/, whole[0], whole[1]],
    ["with a file that is not listed", /"d.html", which its manifest does not list/, ...whole, entry("d.html")],
    ["with a file twice", /contains "a.html" twice/, ...whole, entry("a.html")],
    ["with a manifest twice", /does not list/, ...whole, whole[0]],
    ["with another content", /not the file/, whole[0], [{ name: "a.html" }, "b.html"], whole[2]],
    ["with another size", /not the file/, whole[0], [{ name: "a.html" }, "a.html "], whole[2]],
    ["with a file that leads up", /does not list/, ...whole, entry("../x")],
    ["with an absolute file", /does not list/, ...whole, entry("/tmp/x")],
    [
      "with a symbolic link",
      /"a.html" is a symlink/,
      whole[0],
      [{ name: "a.html", type: "symlink", linkname: "/etc/passwd" }],
    ],
    ["with a hard link", /is a link/, whole[0], whole[1], [{ name: "b/c.html", type: "link", linkname: "a.html" }]],
    [
      "with a link for a folder",
      /is a symlink/,
      whole[0],
      [{ name: "b", type: "symlink", linkname: "/tmp" }],
      whole[2],
    ],
    ["with a folder", /is a directory/, whole[0], [{ name: "b", type: "directory" }]],
    ["with a device", /is a character-device/, whole[0], [{ name: "a.html", type: "character-device" }]],
    ["with a pipe", /is a fifo/, whole[0], [{ name: "a.html", type: "fifo" }]],
    ["whose manifest is a link", /is a symlink/, [{ name: "offprint.json", type: "symlink", linkname: "/etc/passwd" }]],
    ["whose manifest is not JSON", /not valid JSON/, [{ name: "offprint.json" }, "{"]],
    ["whose manifest is not an object", /not a manifest/, [{ name: "offprint.json" }, "[]"]],
    [
      "whose manifest is of another version",
      /version 1/,
      [{ name: "offprint.json" }, manifestOf([], { formatVersion: 2 })],
    ],
    ["whose manifest lacks a value", /damaged/, [{ name: "offprint.json" }, manifestOf([], { siteName: 5 })]],
    ["whose manifest lists no files", /damaged/, [{ name: "offprint.json" }, manifestOf([], { files: {} })]],
    ["whose manifest lists a number", /damaged/, [{ name: "offprint.json" }, manifestOf([5])]],
    ["whose manifest lists itself", /is that of the manifest/, manifest("offprint.json")],
  ];
  for (const [rule, reason, ...entries] of cases)
    test(rule, async () => {
      const { outcome } = await tryUnpack(await archiveOf(...entries));
      expect(outcome).toBeInstanceOf(BundleRefused);
      expect((outcome as Error).message).toMatch(reason);
    });

  const paths: readonly (readonly [path: string, reason: RegExp])[] = [
    ["", /empty/],
    ["/etc/passwd", /not relative/],
    ["//host/share", /not relative/],
    ["C:/x", /not relative/],
    ["c:x", /not relative/],
    ["../x", /its folder/],
    ["a/../../x", /its folder/],
    ["a/..", /its folder/],
    ["./x", /its folder/],
    ["a//x", /its folder/],
    ["a/", /its folder/],
    ["..\\x", /refuse/],
    ["a\\..\\x", /refuse/],
    ["a\0.html", /refuse/],
    ["a\nb", /refuse/],
    ["a\u001b[2Jb", /refuse/],
    ["a:stream", /refuse/],
    ["con", /refuse/],
    ["a/NUL.txt", /refuse/],
    ["a./x", /refuse/],
    ["a /x", /refuse/],
    ["... /x", /refuse/],
    ["\ud800", /refuse/],
    ["x".repeat(300), /refuse/],
    ["x/".repeat(600), /too long/],
  ];
  for (const [path, reason] of paths)
    test(`with the path ${JSON.stringify(path).slice(0, 30)}`, async () => {
      const archive = await archiveOf([{ name: "offprint.json" }, manifestOf([{ ...fileOf("x"), path }])], entry("x"));
      const { outcome } = await tryUnpack(archive);
      expect(outcome).toBeInstanceOf(BundleRefused);
      expect((outcome as Error).message).toMatch(reason);
    });

  const twins: readonly (readonly [rule: string, first: string, second: string])[] = [
    ["are one", "a.html", "a.html"],
    ["differ in case", "Guide.html", "guide.html"],
    ["differ in the form of Unicode", "gr\u00f6\u00dfe.html", "gro\u0308\u00dfe.html"],
    ["differ in the case of other letters", "straße.html", "STRASSE.html"],
    ["have folders that differ in case", "Guides/a.html", "guides/b.html"],
    ["are a file and a folder", "guides", "guides/a.html"],
    ["are a file and a folder of another case", "guides/a.html", "Guides"],
  ];
  for (const [rule, first, second] of twins)
    test(`with paths that ${rule}`, async () => {
      const { outcome } = await tryUnpack(await archiveOf(manifest(first, second), entry(first), entry(second)));
      expect(outcome).toBeInstanceOf(BundleRefused);
    });

  test("that is no archive, or not whole", async () => {
    const file = join(temporaryFolder(), "bundle.tar.gz");
    const good = readFileSync(await archiveOf(...whole));
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from("<html>"),
      gzipSync("<html>".repeat(200)),
      good.subarray(0, -20),
      good.subarray(0, 99),
    ]) {
      writeFileSync(file, bytes);
      expect((await tryUnpack(file)).outcome).toBeInstanceOf(BundleRefused);
    }
  });
});

describe("bounded is", () => {
  const listed = (content: Buffer): Entry => [
    { name: "offprint.json" },
    manifestOf([{ path: "a.bin", bytes: content.length, sha256: hashOf(content) }]),
  ];

  test("how much larger a bundle is than its archive", async () => {
    const zeros = Buffer.alloc(40_000_000);
    const archive = await archiveOf(listed(zeros), [{ name: "a.bin" }, zeros]);
    expect((await tryUnpack(archive)).outcome).toMatchObject({ message: expect.stringMatching("unpacks to more") });
    expect((await tryUnpack(archive, { maxRatio: 2000 })).outcome).toMatchObject({ bundleId: expect.any(String) });
  });

  test("what follows the last file", async () => {
    const small = Buffer.from("a");
    const good = readFileSync(await archiveOf(listed(small), [{ name: "a.bin" }, small]));
    const archive = join(temporaryFolder(), "bundle.tar.gz");
    writeFileSync(archive, Buffer.concat([good, gzipSync(Buffer.alloc(200_000_000))]));
    expect((await tryUnpack(archive)).outcome).toMatchObject({ message: expect.stringMatching("unpacks to more") });
  });

  test("the size of a bundle, by what its manifest says", async () => {
    const lies = { path: "a.bin", bytes: 2 ** 50, sha256: hashOf("a") };
    const archive = await archiveOf([{ name: "offprint.json" }, manifestOf([lies])], [{ name: "a.bin" }, "a"]);
    const { outcome, folder } = await tryUnpack(archive);
    expect(outcome).toMatchObject({ message: expect.stringMatching("the limit is") });
    expect(existsSync(join(folder, "a.bin"))).toBe(false);
  });

  test("the size of a manifest, and how many files it lists", async () => {
    const archive = await archiveOf([{ name: "offprint.json" }, manifestOf([fileOf("a"), fileOf("b")])]);
    expect((await tryUnpack(archive, { maxManifestBytes: 100 })).outcome).toMatchObject({
      message: expect.stringMatching("larger than 100"),
    });
    expect((await tryUnpack(archive, { maxFiles: 1 })).outcome).toMatchObject({
      message: expect.stringMatching("lists 2 files"),
    });
  });

  test("the time, by a signal", async () => {
    const archive = await archiveOf(listed(Buffer.from("a")), [{ name: "a.bin" }, "a"]);
    const folder = temporaryFolder();
    await expect(unpack(archive, folder, bundleLimitDefaults, AbortSignal.abort(new Error("enough")))).rejects.toThrow(
      "enough",
    );
  });
});
