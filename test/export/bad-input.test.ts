import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { sweeping } from "../quality/bundle.js";
import {
  type CliRun,
  callCli,
  canRunAsOther,
  cli,
  contentOf,
  finish,
  page,
  runCli,
  runCliWithin,
  start,
  temporaryFolder,
  writeSite,
} from "../support/cli.js";
import { localTargets, readDocument } from "../support/html.js";

/** A correct site, and a bundle that an earlier export made of it. */
const prepared = mkdtempSync(join(tmpdir(), "offprint-prepared-"));
beforeAll(async () => {
  const site = writeSite(join(prepared, "site"), { "index.mdx": page("Start", "Welcome.") });
  assert.equal((await callCli(["export", site, "-o", join(prepared, "out"), "-q"])).code, 0);
});
afterAll(() => rmSync(prepared, { recursive: true }));

function siteAndBundle(): { place: string; site: string; output: string } {
  const place = temporaryFolder();
  cpSync(prepared, place, { recursive: true });
  return { place, site: join(place, "site"), output: join(place, "out") };
}

describe("a site that cannot be exported ends with exit code 1 and keeps the previous output:", () => {
  const docs = (navigation: string) => `{"theme":"mint","name":"A","colors":{"primary":"#0a6c5b"},${navigation}}`;
  const cases: readonly (readonly [string, Readonly<Record<string, string>> | undefined, RegExp, RegExp])[] = [
    // the site is                 its files                            the fact                           the fix
    ["no folder", undefined, /SITE_NOT_FOUND\n {2}The site folder \S+ does not exist/, /fix: write \S+site$/m],
    [
      "a folder without docs.json and pages",
      { "note.txt": "Hi" },
      /CONFIG_NOT_FOUND \/.*docs\.json/,
      /create docs\.json/,
    ],
    ["broken JSON", { "docs.json": '{\n  "theme": "mint"\n  "name": "A"\n}' }, /docs\.json:3:3/, /fix: write ","/],
    ["JSON of another kind", { "docs.json": "[]" }, /docs\.json:1:1/, /fix: /],
    ["an empty file", { "docs.json": "" }, /docs\.json/, /fix: /],
    ["without pages", { "docs.json": docs('"navigation":{"pages":[]}') }, /SITE_EMPTY \/.*docs\.json/, /add a page/],
    ["binary", { "docs.json": "\0\u0001\ufffd" }, /docs\.json:1:1/, /fix: /],
  ];
  for (const [name, files, fact, fix] of cases)
    test(name, async () => {
      const { place, output } = siteAndBundle();
      const site = join(place, "bad");
      if (files) {
        mkdirSync(site);
        for (const [path, text] of Object.entries(files)) writeFileSync(join(site, path), text);
      }
      const before = contentOf(place);
      const run = await callCli(["export", site, "-o", output]);
      assert.equal(run.code, 1, run.stderr);
      assert.match(run.stderr, fact);
      assert.match(run.stderr, fix);
      assert.match(run.stdout, /^Nothing could be exported\./);
      assert.deepEqual(contentOf(place), before);
    });

  test("a file in place of a folder", async () => {
    const { place, site, output } = siteAndBundle();
    const before = contentOf(place);
    const run = await callCli(["export", join(site, "index.mdx"), "-o", output]);
    assert.equal(run.code, 1);
    assert.match(run.stderr, /index\.mdx is a file\.\n {2}fix: give its parent folder/);
    assert.deepEqual(contentOf(place), before);
  });
});

describe("hostile pages affect only themselves:", () => {
  const bomb = ["---", "title: Bomb", "a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 12; i++) bomb.push(`a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}*a${i - 1}]`);
  const pages: Readonly<Record<string, string>> = {
    "five-megabytes": page("Five megabytes", "All work and no play makes a dull page. ".repeat(131_072)),
    "nested-emphasis": page("Nested emphasis", "*a **b ".repeat(8_000)),
    "open-tags": page("Open tags", "<div>".repeat(20_000)),
    "yaml-bomb": `${bomb.join("\n")}\n---\n\nStill here.\n`,
    "yaml-depth": `---\ntitle: ${"[".repeat(30_000)}\n---\n\nStill here.\n`,
    "one-line": page("One line", "a".repeat(1_000_000)),
    "many-cells": page(
      "Many cells",
      `|${"a|".repeat(5_000)}\n|${"-|".repeat(5_000)}\n${`|${"b|".repeat(10)}\n`.repeat(500)}`,
    ),
    "null-characters": page("Null characters", "a\0b\u0001c\ufffe"),
    "lone-surrogate": page("Lone surrogate", "a &#xD800; b"),
    // test/page/content/hostile.test.ts reads pages like these.
    ...(sweeping && {
      "closed-emphasis": page("Closed emphasis", `${"*a ".repeat(9_000)}${" a*".repeat(9_000)}`),
      "nested-quotes": page("Nested quotes", `${">".repeat(50_000)} deep`),
      "nested-lists": page("Nested lists", `${"- ".repeat(20_000)}deep`),
      "open-brackets": page("Open brackets", "[".repeat(100_000)),
      "open-links": page("Open links", "[a](".repeat(20_000)),
      "open-braces": page("Open braces", `{${"[".repeat(50_000)}}`),
    }),
  };

  test("the other pages are complete, the export takes bounded time and ends with exit code 0", async () => {
    const place = temporaryFolder();
    const whole = { "index.mdx": page("Start", "Welcome."), "last.mdx": page("Last", "## The end\n\nGood bye.") };
    const hostile = Object.fromEntries(Object.entries(pages).map(([name, text]) => [`${name}.mdx`, text]));
    const site = writeSite(join(place, "site"), { ...whole, ...hostile });
    const run = await runCliWithin(200, ["export", site, "-o", join(place, "out")]);
    assert.deepEqual([run.code, run.signal], [0, null], run.stderr);
    assert.match(readFileSync(join(place, "out/index.html"), "utf8"), /<p>Welcome\.<\/p>/);
    assert.match(readFileSync(join(place, "out/last.html"), "utf8"), /<p>Good bye\.<\/p>/);
    assert.match(readFileSync(join(place, "out/yaml-bomb.html"), "utf8"), /<p>Still here\.<\/p>/);
    for (const name of Object.keys(pages)) {
      const html = readFileSync(join(place, `out/${name}.html`), "utf8");
      assert.match(html, /^<!doctype html>/);
      assert.match(html, /<\/html>\n$/);
      assert.ok(!html.includes("\0"), name);
      assert.ok(html.isWellFormed(), name);
    }
    assert.match(run.stderr, /error PAGE_TOO_LARGE \/.*five-megabytes\.mdx:1:1[\s\S]*?fix: split it/);
    assert.match(run.stderr, /error FRONTMATTER_TOO_LARGE \/.*yaml-bomb\.mdx:\d+:\d+/);
    assert.deepEqual(readdirSync(place).toSorted(), ["out", "site"]);
  });
});

describe("file names that are difficult on some system or in URLs:", () => {
  const names = [
    "with blank",
    'with "quotes"',
    "it's",
    "c#",
    "100%",
    "50%25",
    "%2e%2e",
    "a+b",
    "a&b;c",
    "what?",
    "semi;colon",
    "brackets [x](y)",
    "braces {x}",
    "日本語",
    "e\u0301 combined",
    "zero\u200bwidth",
    "emoji 🚀",
    "<tag>",
    "a:b",
    "star*",
    "pipe|",
    "tilde~63on",
    "trailing dot.",
    "dots..inside",
    "n".repeat(200),
    "m".repeat(251),
    "語".repeat(83),
    "con",
    "folder with blank/aux",
    "COM1/page",
    "-dash",
    "CamelCase",
    "$dollar",
    "`tick`",
    "a=b",
    "@at",
    "index.html",
    "page.md",
    "sitemap.xml",
  ];

  test("every page is reached through the emitted links, and the archives unpack to the same files", async () => {
    const place = temporaryFolder();
    const files: Record<string, string> = {};
    const links = names.map((name, i) => `- [page ${i}](</${encodeURI(name).replace(/[?#]/g, encodeURIComponent)}>)`);
    files["index.mdx"] = page("Start", links.join("\n"));
    for (const [i, name] of names.entries()) files[`${name}.mdx`] = page(`Page ${i}`, "Here. Back to [start](/).");
    const site = writeSite(join(place, "site"), files);
    const output = join(place, "out");
    const run = await callCli([
      "export",
      site,
      "-o",
      output,
      "-a",
      join(place, "x.zip"),
      "--report",
      join(place, "r.json"),
    ]);
    assert.equal(run.code, 0, run.stderr);
    const codes = (JSON.parse(readFileSync(join(place, "r.json"), "utf8")) as { diagnostics: { code: string }[] })
      .diagnostics;
    assert.deepEqual([...new Set(codes.map((each) => each.code))], ["NAME_NOT_PORTABLE"], run.stderr);

    const titles = new Set<string>();
    const seen = new Set(["index.html"]);
    for (const path of seen) {
      const document = readDocument(output, path);
      titles.add(/<title>([^<]*?) - Acme/.exec(document.html)?.[1] ?? path);
      for (const target of localTargets(document, path)) {
        assert.ok(existsSync(join(output, target.path)), `${target.reference} in ${path}`);
        if (target.path.endsWith(".html")) seen.add(target.path);
      }
    }
    assert.deepEqual(titles, new Set(["Start", ...names.map((_, i) => `Page ${i}`)]));
    for (const path of readdirSync(output, { recursive: true, encoding: "utf8" }))
      for (const name of path.split("/")) {
        assert.ok(Buffer.byteLength(name) <= 255);
        assert.doesNotMatch(name, /[<>:"|?*\\]|[. ]$|^(?:con|aux|com1|nul|prn)(?:\.|$)/i);
      }

    assert.equal((await callCli(["export", site, "-a", join(place, "x.tar.gz"), "-q"])).code, 0);
    for (const archive of ["x.zip", "x.tar.gz"]) {
      const unpacked = join(place, `from ${archive}`);
      const script = "import shutil,sys; shutil.unpack_archive(sys.argv[1], sys.argv[2])";
      execFileSync("python3", ["-c", script, join(place, archive), unpacked]);
      assert.deepEqual(contentOf(unpacked), contentOf(output), archive);
    }
  });
});

describe("an output or archive that cannot be written:", () => {
  type Given = { place: string; site: string; output: string };
  const cases: readonly (readonly [string, (given: Given) => readonly string[], number, RegExp])[] = [
    [
      "the output is a file",
      ({ site }) => ["-o", join(site, "index.mdx")],
      2,
      /is a file, not a folder\. Name a folder/,
    ],
    ["the output is below a file", ({ site }) => ["-o", join(site, "index.mdx/out")], 2, /is inside a file\. Name/],
    [
      "the output has other files",
      ({ site }) => ["-o", site],
      2,
      /contains files that do not come from an export.*Name an empty or new/,
    ],
    ["the output contains the site", ({ place }) => ["-o", place], 2, /contains files that do not come from an export/],
    [
      "the system cannot create the folder",
      () => ["-o", "/proc/offprint"],
      3,
      /ENOENT.*\n {2}fix: .*choose another folder/,
    ],
    ["the archive's folder cannot be made", () => ["-a", "/proc/offprint/x.zip"], 3, /ENOENT.*\n {2}fix: /],
    [
      "the archive is below a file",
      ({ site }) => ["-a", join(site, "docs.json/x.zip")],
      3,
      /\n {2}fix: a part of that path is a file/,
    ],
    ["the archive is a folder", ({ place }) => ["-a", join(place, "folder.zip")], 2, /is a folder\. Name a file/],
    [
      "the archive is inside the output",
      ({ output }) => ["-o", output, "-a", join(output, "x.zip")],
      2,
      /Name a path outside/,
    ],
    [
      "the archive has another extension",
      ({ place }) => ["-a", join(place, "x.rar")],
      2,
      /ends in \.zip, \.tar\.gz or \.tgz/,
    ],
    [
      "the archive's name is too long",
      ({ place }) => ["-a", join(place, `${"x".repeat(300)}.zip`)],
      3,
      /choose a shorter one/,
    ],
    [
      "the report cannot be written",
      ({ output }) => ["-o", output, "--report", "/proc/x/r.json"],
      3,
      /the report was not written/,
    ],
  ];
  for (const [name, args, code, message] of cases)
    test(`${name}: exit code ${code}, and nothing changes`, async () => {
      const given = siteAndBundle();
      mkdirSync(join(given.place, "folder.zip"));
      const before = contentOf(given.place);
      const run = await callCli(["export", given.site, "-q", ...args(given)]);
      assert.equal(run.code, code, run.stderr);
      assert.match(run.stderr, message);
      assert.doesNotMatch(run.stderr, /bug of Offprint/);
      assert.deepEqual(contentOf(given.place), before);
    });

  test("a missing folder of the archive is created", async () => {
    const { place, site } = siteAndBundle();
    assert.equal((await callCli(["export", site, "-q", "-a", join(place, "new/deep/x.zip")])).code, 0);
    assert.deepEqual(readdirSync(join(place, "new/deep")), ["x.zip"]);
  });
});

describe.runIf(canRunAsOther)("for a user with limited permissions:", () => {
  /** Run as root: becomes a user who owns nothing. */
  const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const env = { ...process.env, HOME: "/nonexistent" };
  const asSomebody = (args: readonly string[]): Promise<CliRun> => runCli(args, { ...somebody, env, cwd: "/" });

  test("a writable output in a folder without write permission is replaced", async () => {
    const { place, site, output } = siteAndBundle();
    const locked = join(place, "locked");
    mkdirSync(locked);
    cpSync(output, join(locked, "out"), { recursive: true });
    for (const path of [...readdirSync(join(locked, "out"), { recursive: true, encoding: "utf8" }), "."])
      chmodSync(join(locked, "out", path), 0o777);
    chmodSync(locked, 0o555);
    chmodSync(place, 0o755);
    writeFileSync(join(site, "index.mdx"), page("Start", "Changed."));
    const run = await asSomebody(["export", site, "-q", "-o", join(locked, "out")]);
    assert.equal(run.code, 0, run.stderr);
    assert.match(readFileSync(join(locked, "out/index.html"), "utf8"), /<p>Changed\.<\/p>/);
    assert.deepEqual(readdirSync(join(locked, "out")).toSorted(), readdirSync(output).toSorted());
  });
});

/** Runs a shell script with its own `/mnt`, over which it may mount; undefined if the system forbids that. */
const mounts = ["-m", "-rm"].find(
  (flag) => spawnSync("unshare", [flag, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0,
);
if (mounts === undefined) console.warn("Tests of full disks and mounts are left out: this system lets nobody mount.");

describe.skipIf(mounts === undefined)("on a disk of its own", () => {
  const onDisk = (size: string, script: string, values: Readonly<Record<string, string>>): Promise<CliRun> =>
    finish(
      start("unshare", [mounts!, "sh", "-c", `set -u; mount -t tmpfs -o size=${size} tmpfs /mnt; ${script}`], {
        env: { ...process.env, ...values, OFFPRINT: `${process.execPath} ${cli}` },
      }),
    );
  const list = "find /mnt -type f | sort | xargs -r sha256sum";

  test("a full disk ends with exit code 3 and the fix; the previous output stays, and nothing is left next to it", async () => {
    const { place, site } = siteAndBundle();
    const big = join(place, "big");
    cpSync(site, big, { recursive: true });
    writeFileSync(join(big, "movie.mp4"), Buffer.alloc(4_000_000, 1));
    const text = join(place, "text");
    writeSite(
      text,
      Object.fromEntries(["index", "a", "b", "c"].map((name) => [`${name}.mdx`, page(name, "word ".repeat(90_000))])),
    );
    for (const [full, archive] of [
      [big, ""],
      [text, ""],
      [site, "-a /mnt/x.zip"],
      [text, "-a /mnt/x.tar.gz"],
    ] as const) {
      const script = `$OFFPRINT export $SITE -q -o /mnt/out -a /mnt/x.zip -q && cp /mnt/x.zip /mnt/x.tar.gz; ${list} > $PLACE/before
        [ $FULL = $SITE ] && head -c 1100000 /dev/zero > /mnt/ballast && ${list} > $PLACE/before
        $OFFPRINT export $FULL --no-cache -o /mnt/out ${archive} -q; echo "code $?"
        ${list} | cmp - $PLACE/before && echo same; rm $PLACE/before; find /mnt -name '.*.offprint-*'`;
      const run = await onDisk("2m", script, { PLACE: place, SITE: site, FULL: full });
      assert.match(
        run.stderr,
        /ENOSPC.*\n {2}fix: the disk is full; free some space/,
        `${full} ${archive}: ${run.stdout}${run.stderr}`,
      );
      assert.equal(run.stdout, "code 3\nsame\n", run.stderr);
    }
  });

  test("an output that is a mount point, as in a container, is replaced", async () => {
    const { site } = siteAndBundle();
    const script = `for i in 1 2; do $OFFPRINT export $SITE -q -o /mnt; echo "code $?"; done; find /mnt -name '.*offprint*'; test -f /mnt/index.html && echo there`;
    const run = await onDisk("20m", script, { SITE: site });
    assert.equal(run.stdout, "code 0\ncode 0\nthere\n", run.stderr);
  });
});

test("symbolic links that lead out of the site folder are not followed", async () => {
  const { place, site } = siteAndBundle();
  writeFileSync(join(place, "secret.txt"), "secret");
  symlinkSync("../secret.txt", join(site, "secret.txt"));
  symlinkSync("..", join(site, "up"));
  const run = await callCli(["export", site, "-o", join(place, "new")]);
  assert.equal(run.code, 0);
  assert.match(run.stderr, /SOURCE_LINK_OUTSIDE \/.*secret\.txt[\s\S]*fix: copy its target into the site folder/);
  assert.ok(!existsSync(join(place, "new/secret.txt")));
  assert.equal(dirname(site), place);
});
