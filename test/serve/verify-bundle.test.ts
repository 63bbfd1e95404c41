/** Untrusted archives: nothing is written outside the folder, and a bundle is accepted whole or not at all. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGzip, deflateRawSync, gzipSync } from "node:zlib";
import { type Header, pack } from "tar-stream";
import { describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { type BundleFile, createArchive, type Manifest } from "../../src/bundle/archive/index.js";
import { BundleRefused, bundleLimitDefaults } from "../../src/serve/refusal.js";
import { unpack } from "../../src/serve/verify-bundle.js";
import { contentOf, temporaryFolder } from "../support/cli.js";
import { type ZipEntry, zip64Extra, zip64Locator, zipFile } from "./zip-file.js";

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

type Format = ".tar.gz" | ".zip";
const formats = [".tar.gz", ".zip"] as const;

async function archiveOf(format: Format, ...entries: readonly Entry[]): Promise<string> {
  if (format === ".zip")
    return fileWith(
      zipFile(entries.map(([{ name, type }, content]) => ({ name, content, mode: modes.get(type ?? "file")! }))),
    );
  const tar = pack();
  for (const [header, content = ""] of entries) tar.entry({ ...header }, content as string);
  tar.finalize();
  return fileWith(await buffer(tar.pipe(createGzip())));
}

const modes = new Map([
  ["file", 0o100644],
  ["symlink", 0o120777],
  ["directory", 0o040755],
  ["character-device", 0o020644],
  ["fifo", 0o010644],
]);

/** Without an extension: the content says what it is. */
function fileWith(bytes: Buffer): string {
  const archive = join(temporaryFolder(), "bundle");
  writeFileSync(archive, bytes);
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

test.each(formats)("an archive that createArchive writes as %s is unpacked unchanged", async (format) => {
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
  const archive = await createArchive(folder, join(temporaryFolder(), `bundle${format}`));
  const unpacked = await tryUnpack(archive.path);
  expect(unpacked.outcome).toMatchObject({ bundleId: hashOf(readFileSync(join(folder, "offprint.json"))) });
  expect(contentOf(unpacked.folder)).toEqual(contentOf(folder));
});

const manifest = (...paths: readonly string[]): Entry => [
  { name: "offprint.json" },
  manifestOf(paths.map((path) => fileOf(path))),
];
const whole = [manifest("a.html", "b/c.html"), entry("a.html"), entry("b/c.html")] as const;

describe.each(formats)("refused is a %s", (format) => {
  const cases: readonly (readonly [rule: string, reason: RegExp, ...entries: readonly Entry[]])[] = [
    ["that is empty", /empty/],
    ["without a manifest", /starts with "a.html"/, entry("a.html")],
    ["whose manifest comes late", /starts with/, entry("a.html"), manifest("a.html")],
    ["whose manifest has another name", /starts with/, [{ name: "./offprint.json" }, "{}"]],
    ...["https://a.example; script-src *", "https://a.example/path", "javascript:alert(1)", "*", 1].map(
      (assistant) =>
        [
          `whose manifest has ${assistant} for an assistant`,
          /offprint\.json is damaged/,
          [{ name: "offprint.json" }, manifestOf([], { assistant })] as Entry,
        ] as const,
    ),
    [
      "whose manifest counts views at no origin",
      /offprint\.json is damaged/,
      [{ name: "offprint.json" }, manifestOf([], { analytics: "https://a.example/v1" })],
    ],
    ["that lacks a file", /"b\/c.html" is in the manifest but missing/, whole[0], whole[1]],
    ["with a file that is not listed", /"d.html", which its manifest does not list/, ...whole, entry("d.html")],
    ["with a file twice", /contains "a.html" twice/, ...whole, entry("a.html")],
    ["with a manifest twice", /does not list/, ...whole, whole[0]],
    ["with another content", /not the file/, whole[0], [{ name: "a.html" }, "b.html"], whole[2]],
    ["with another size", /not the file/, whole[0], [{ name: "a.html" }, "a.html "], whole[2]],
    ["with a file that leads up", /does not list/, ...whole, entry("../x")],
    ["with an absolute file", /does not list/, ...whole, entry("/tmp/x")],
    ["with a file on a drive", /does not list/, ...whole, entry("C:/x")],
    ["with a file behind a backslash", /does not list/, ...whole, entry("..\\x")],
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
    ["whose manifest lists itself", /is the path of the manifest itself/, manifest("offprint.json")],
  ];
  // A zip has no hard links.
  for (const [rule, reason, ...entries] of cases.filter(([rule]) => format === ".tar.gz" || !rule.includes("hard")))
    test(rule, async () => {
      const { outcome } = await tryUnpack(await archiveOf(format, ...entries));
      expect(outcome).toBeInstanceOf(BundleRefused);
      expect((outcome as Error).message).toMatch(reason);
    });

  const paths: readonly (readonly [path: string, reason: RegExp])[] = [
    ["", /empty/],
    ["/etc/passwd", /not relative/],
    ["//host/share", /not relative/],
    ["C:/x", /not relative/],
    ["c:x", /not relative/],
    ["../x", /within the folder/],
    ["a/../../x", /within the folder/],
    ["a/..", /within the folder/],
    ["./x", /within the folder/],
    ["a//x", /within the folder/],
    ["a/", /within the folder/],
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
      const archive = await archiveOf(
        format,
        [{ name: "offprint.json" }, manifestOf([{ ...fileOf("x"), path }])],
        entry("x"),
      );
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
      const { outcome } = await tryUnpack(
        await archiveOf(format, manifest(first, second), entry(first), entry(second)),
      );
      expect(outcome).toBeInstanceOf(BundleRefused);
    });

  test("that is not an archive, or incomplete", async () => {
    const good = readFileSync(await archiveOf(format, ...whole));
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from("<html>"),
      Buffer.from("PK"),
      gzipSync("<html>".repeat(200)),
      good.subarray(0, -20),
      good.subarray(0, 99),
    ])
      expect((await tryUnpack(fileWith(bytes))).outcome).toBeInstanceOf(BundleRefused);
  });
});

describe("refused is a zip", () => {
  const zipped = ([{ name }, content]: Entry, more: Partial<ZipEntry> = {}): ZipEntry => ({ name, content, ...more });
  const [listed, first, second] = whole.map((each) => zipped(each)) as [ZipEntry, ZipEntry, ZipEntry];
  /** As the first file, which has 6 bytes. */
  const withFile = (more: Partial<ZipEntry>): Buffer => zipFile([listed, { ...first, ...more }, second]);
  const good = zipFile([listed, first, second]);
  const max = 0xffffffff;
  const cases: readonly (readonly [rule: string, reason: RegExp, bytes: Buffer])[] = [
    ["with an encrypted file", /"a.html" is encrypted/, withFile({ flags: 0x801 })],
    ["with a strongly encrypted file", /strong encryption/, withFile({ flags: 0x841 })],
    ["with an encrypted manifest", /"offprint.json" is encrypted/, zipFile([{ ...listed, flags: 0x801 }])],
    ["of an unknown method", /"a.html" is compressed by the unknown method 12/, withFile({ method: 12 })],
    [
      "with more content than its size",
      /too many bytes/,
      withFile({ packed: deflateRawSync(Buffer.alloc(40_000_000)) }),
    ],
    ["with less content than its size", /not enough bytes/, withFile({ packed: deflateRawSync("a.h") })],
    ["with two sizes of a file that is not compressed", /size mismatch/, withFile({ method: 0, packedSize: 5 })],
    ["with content that is not compressed", /not a complete/, withFile({ packed: Buffer.from("\xff".repeat(9)) })],
    ["with the checksum of another file", /"a.html" does not have its checksum/, withFile({ crc: 1 })],
    ["with the checksum of another manifest", /"offprint.json" does not/, zipFile([{ ...listed, crc: 1 }])],
    ["with another size of the manifest", /not enough bytes/, zipFile([{ ...listed, size: 2000 }])],
    ["with two files in one place", /overlaps/, withFile({ offset: 0 })],
    ["with a file in the middle of another one", /overlaps/, withFile({ offset: 20 })],
    ["with a file that does not start", /local file header/, withFile({ offset: good.length - 60 })],
    ["with a file that does not end", /bounds/, withFile({ packedSize: 5000 })],
    ["with a file behind its end", /unexpected end/, withFile({ offset: max - 1 })],
    ["with a file behind all files", /unexpected end/, withFile({ offset: max, extra: zip64Extra(2n ** 64n - 1n) })],
    ["with a file of many bytes", /bounds/, withFile({ packedSize: max, extra: zip64Extra(2n ** 64n - 1n) })],
    ["with half a record", /extra field/, withFile({ extra: Buffer.from([1, 0, 8, 0, 1]) })],
    ["with a NUL in a name", /does not list/, withFile({ name: "a.html\0.png" })],
    ["with a directory behind its end", /unexpected end/, zipFile([listed], { start: max - 1 })],
    ["with a directory elsewhere", /signature/, zipFile([listed], { start: 3 })],
    [
      "with a larger directory behind all files",
      /unexpected end/,
      zipFile([listed], { before: zip64Locator(2n ** 64n - 1n) }),
    ],
    ["with a larger directory elsewhere", /zip64/, zipFile([listed], { before: zip64Locator(3n) })],
    ["of several disks", /multi-disk/, zipFile([listed], { disk: 1 })],
    ["with something behind its end", /extra bytes/, Buffer.concat([good, Buffer.from("<html>")])],
    ["with something before its start", /not a complete/, Buffer.concat([Buffer.from("#!/bin/sh\n"), good])],
    ["without files", /empty/, zipFile([])],
  ];
  for (const [rule, reason, bytes] of cases)
    test(rule, async () => {
      const { outcome } = await tryUnpack(fileWith(bytes));
      expect(outcome).toBeInstanceOf(BundleRefused);
      expect((outcome as Error).message).toMatch(reason);
    });

  test("with any damage to the parts that are read", async () => {
    const good = readFileSync(await archiveOf(".zip", manifest("a"), entry("a")));
    const intact = contentOf((await tryUnpack(fileWith(good))).folder);
    for (let at = 0; at < good.length; at++) {
      const damaged = Buffer.from(good);
      damaged[at]! ^= 0xff;
      const { outcome, folder } = await tryUnpack(fileWith(damaged));
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(BundleRefused);
      else expect(contentOf(folder)).toEqual(intact);
    }
  });

  test("but not one of the large format, of files without compression or of unknown length", async () => {
    const zip = new ZipFile();
    for (const [{ name }, content] of whole) {
      const bytes = Buffer.from(content!);
      if (name === "b/c.html") zip.addReadStream(Readable.from([bytes]), name, { forceZip64Format: true });
      else zip.addBuffer(bytes, name, { compress: false });
    }
    zip.end({ forceZip64Format: true, comment: "" });
    const { outcome } = await tryUnpack(fileWith(await buffer(zip.outputStream)));
    expect(outcome).toMatchObject({ bundleId: hashOf(whole[0][1]!) });
  });
});

describe.each(formats)("bounded in a %s is", (format) => {
  const listed = (content: Buffer): Entry => [
    { name: "offprint.json" },
    manifestOf([{ path: "a.bin", bytes: content.length, sha256: hashOf(content) }]),
  ];

  test("how much larger a bundle is than its archive", async () => {
    const zeros = Buffer.alloc(40_000_000);
    const archive = await archiveOf(format, listed(zeros), [{ name: "a.bin" }, zeros]);
    expect((await tryUnpack(archive)).outcome).toMatchObject({ message: expect.stringMatching("unpacks to more") });
    expect((await tryUnpack(archive, { maxRatio: 2000 })).outcome).toMatchObject({ bundleId: expect.any(String) });
  });

  test("the size of a bundle, by what its manifest says", async () => {
    const lies = { path: "a.bin", bytes: 2 ** 50, sha256: hashOf("a") };
    const archive = await archiveOf(format, [{ name: "offprint.json" }, manifestOf([lies])], [{ name: "a.bin" }, "a"]);
    const { outcome, folder } = await tryUnpack(archive);
    expect(outcome).toMatchObject({ message: expect.stringMatching("the limit is") });
    expect(existsSync(join(folder, "a.bin"))).toBe(false);
  });

  test("the size of a manifest, and how many files it lists", async () => {
    const archive = await archiveOf(format, [{ name: "offprint.json" }, manifestOf([fileOf("a"), fileOf("b")])]);
    expect((await tryUnpack(archive, { maxManifestBytes: 100 })).outcome).toMatchObject({
      message: expect.stringMatching("larger than 100"),
    });
    expect((await tryUnpack(archive, { maxFiles: 1 })).outcome).toMatchObject({
      message: expect.stringMatching("lists 2 files"),
    });
  });

  test("the time, by a signal", async () => {
    const archive = await archiveOf(format, listed(Buffer.from("a")), [{ name: "a.bin" }, "a"]);
    const folder = temporaryFolder();
    await expect(unpack(archive, folder, bundleLimitDefaults, AbortSignal.abort(new Error("enough")))).rejects.toThrow(
      "enough",
    );
  });
});

test("what follows the last file of a .tar.gz is bounded", async () => {
  const good = readFileSync(await archiveOf(".tar.gz", ...whole));
  const archive = fileWith(Buffer.concat([good, gzipSync(Buffer.alloc(200_000_000))]));
  expect((await tryUnpack(archive)).outcome).toMatchObject({ message: expect.stringMatching("unpacks to more") });
});
