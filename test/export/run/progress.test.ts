import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExportProgress, ExportResult } from "offprint";
import { afterAll, beforeAll, describe, test } from "vitest";
import { callCli, contentOf, page, runCli, temporaryFolder, writeManyPages, writeSite } from "../../support/cli.js";
import { exportInProcess } from "../../support/pool-in-process.js";

const prepared = mkdtempSync(join(tmpdir(), "offprint-prepared-"));
const [many, faulty] = [join(prepared, "many"), join(prepared, "faulty")];
const pageCount = 10;
beforeAll(() => {
  writeManyPages(many, pageCount);
  const body = "Read [this](/nowhere), [that](/nowhere-else) and [more](/gone).\n\n<Wraning>Hot.</Wraning>\n\n";
  writeSite(faulty, { "index.mdx": page("Start", `${body}{1 + }`), "guide.mdx": page("Guide", "[Gone](/gone-too)") });
});
afterAll(() => rmSync(prepared, { recursive: true }));

/** The lines of a text that hold one JSON value each. */
const jsonLines = (text: string): { readonly type: string; readonly [key: string]: unknown }[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("progress", () => {
  for (const kind of ["an export with an archive", "an export", "a check"])
    test(`of ${kind} goes from 0 to 100, through the phases in order, and counts every page once`, async () => {
      const location = temporaryFolder();
      const seen: ExportProgress[] = [];
      await exportInProcess({
        source: many,
        ...(kind === "a check" ? {} : { output: join(location, "out") }),
        ...(kind === "an export with an archive" ? { archive: join(location, "x.zip") } : {}),
        onProgress: (progress) => seen.push(progress),
      });
      assert.equal(seen[0]?.progress, 0);
      assert.equal(seen.at(-1)?.progress, 100);
      for (let i = 1; i < seen.length; i++) {
        assert.ok(seen[i]!.progress >= seen[i - 1]!.progress);
        assert.ok(seen[i]!.pageCount >= seen[i - 1]!.pageCount);
      }
      assert.deepEqual([...new Set(seen.map(({ phase }) => phase))], ["read", "assets", "pages", "outputs", "archive"]);
      const counts = seen.filter(({ phase }) => phase === "pages").map(({ done, total }) => [done, total]);
      assert.deepEqual(
        counts,
        Array.from({ length: pageCount }, (_, i) => [i + 1, pageCount]),
      );
      assert.equal(seen.at(-1)?.pageCount, pageCount);
    });

  test("whose callback throws ends the export with that error and leaves nothing", async () => {
    const location = temporaryFolder();
    const onProgress = ({ phase }: ExportProgress): void => {
      if (phase === "pages") throw new Error("of the caller");
    };
    await assert.rejects(exportInProcess({ source: many, output: join(location, "out"), onProgress }), /of the caller/);
    assert.deepEqual(readdirSync(location), []);
  });
});

describe("in a pipe", () => {
  test("progress and diagnostics are plain lines on stderr, and the summary is on stdout", async () => {
    const location = temporaryFolder();
    const archive = join(location, "x.zip");
    const run = await runCli(["export", many, "-o", "out", "-a", archive], { cwd: location });
    assert.equal(run.code, 0);
    const lines = run.stderr.trimEnd().split("\n");
    assert.equal(lines[0], "Reading the site");
    assert.ok(lines.includes(`Rendering pages: ${pageCount} of ${pageCount}`));
    assert.equal(lines.at(-1), "Finishing");
    assert.ok(lines.length < 20, run.stderr);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not be there
    assert.doesNotMatch(run.stdout + run.stderr, /[\x1b\r]/);
    assert.match(
      run.stdout,
      /^Exported 10 pages of "Acme" in \d+\.\d s\n {2}\d+ files, \d+\.\d [kM]B: open out\/index\.html\n {2}x\.zip {2}\d+\.\d kB {2}sha256 [0-9a-f]{64}\n$/,
    );
  });

  test("a diagnostic shows its line; many of one code are shortened, with the way to see all", async () => {
    const lone = writeSite(join(temporaryFolder(), "site"), {
      "index.mdx": page("Start", Array.from({ length: 1200 }, (_, i) => `[${i}](/gone-${i})`).join("\n\n")),
    });
    const run = await callCli(["export", lone, "-o", join(lone, "../out")]);
    assert.equal(run.code, 0);
    assert.equal(run.stderr.match(/^warning LINK_NOT_FOUND/gm)?.length, 3);
    assert.match(run.stderr, /\n {2}5 \| \[0\]\(\/gone-0\)\n {4}\| {5}\^{7}\n/);
    assert.match(
      run.stderr,
      /… and 1,197 more LINK_NOT_FOUND in 1 file\n--all prints each, --report file\.json writes them\./,
    );
    assert.match(run.stdout, /\n {2}1,200 warnings\n {4}1,200 LINK_NOT_FOUND {2}\S.*\n/);
    assert.ok(`${run.stderr}${run.stdout}`.split("\n").length < 60);
    const check = await callCli(["check", lone, "--all"]);
    assert.equal(check.stderr.match(/^warning LINK_NOT_FOUND/gm)?.length, 1200);
  });
});

describe("--json", () => {
  test("gives progress as JSON lines on stderr; diagnostics and the result on stdout", async () => {
    const location = temporaryFolder();
    const run = await callCli(["export", faulty, "-o", join(location, "out"), "--json"]);
    assert.equal(run.code, 0);
    const progress = jsonLines(run.stderr);
    assert.ok(progress.length > 2);
    for (const line of progress) {
      assert.equal(line.type, "progress");
      assert.deepEqual(Object.keys(line), ["type", "phase", "done", "total", "progress", "pageCount"]);
    }
    assert.equal(progress.at(-1)!["progress"], 100);
    const lines = jsonLines(run.stdout);
    const result = lines.pop()!;
    assert.ok(lines.length >= 6);
    for (const line of lines) assert.equal(line.type, "diagnostic");
    assert.equal(result.type, "result");
    assert.equal(result["ok"], true);
    assert.equal(result["pageCount"], 2);
    assert.equal(result["output"], join(location, "out"));
    assert.ok(Number(result["fileCount"]) > 10);
  });

  const failures = [
    ["wrong usage", ["export", "--json"], 2],
    ["an output that is a file", ["export", "SITE", "-o", "SITE/index.mdx", "--json"], 2],
    ["a failure of the environment", ["export", "SITE", "-o", "/proc/offprint", "--json"], 3],
  ] as const;
  for (const [name, args, exitCode] of failures)
    test(`reports ${name} in a JSON line`, async () => {
      const run = await callCli(args.map((word) => word.replace("SITE", faulty)));
      assert.equal(run.code, exitCode);
      const last = jsonLines(run.stderr).at(-1)!;
      assert.deepEqual([last.type, last["exitCode"]], ["error", exitCode]);
      assert.equal(run.stdout, "");
    });

  test("reports a site that cannot be exported in its result", async () => {
    const location = temporaryFolder();
    const run = await callCli(["export", location, "-o", join(location, "out"), "--json"]);
    assert.equal(run.code, 1);
    const [diagnostic, result] = jsonLines(run.stdout);
    assert.deepEqual([diagnostic?.type, diagnostic?.["code"]], ["diagnostic", "CONFIG_NOT_FOUND"]);
    assert.deepEqual([result?.type, result?.["ok"]], ["result", false]);
  });
});

describe("--quiet", () => {
  test("prints nothing when the export succeeds, even if the site has mistakes", async () => {
    const run = await callCli(["export", faulty, "-o", join(temporaryFolder(), "out"), "-q"]);
    assert.deepEqual([run.code, run.stdout, run.stderr], [0, "", ""]);
  });
  test("says why nothing was exported", async () => {
    const location = temporaryFolder();
    const run = await callCli(["export", location, "-o", join(location, "out"), "-q"]);
    assert.deepEqual([run.code, run.stdout], [1, ""]);
    assert.match(run.stderr, /^error CONFIG_NOT_FOUND/);
  });
});

describe("--report", () => {
  test("writes the whole result and creates missing folders", async () => {
    const location = temporaryFolder();
    const file = join(location, "deep/report.json");
    const archive = join(location, "x.tar.gz");
    const run = await callCli(["export", faulty, "-o", join(location, "out"), "-a", archive, "--report", file, "-q"]);
    assert.equal(run.code, 0);
    const report = JSON.parse(readFileSync(file, "utf8")) as ExportResult;
    assert.equal(report.ok, true);
    assert.equal(report.siteName, "Acme");
    assert.equal(report.pageCount, 2);
    assert.equal(report.archive?.path, archive);
    assert.deepEqual(report.manifest, JSON.parse(readFileSync(join(location, "out/offprint.json"), "utf8")));
    const codes = report.diagnostics.map(({ code, location }) => `${code} ${location?.sourcePath}:${location?.line}`);
    assert.deepEqual(codes, [
      "LINK_NOT_FOUND guide.mdx:5",
      "LINK_NOT_FOUND index.mdx:5",
      "LINK_NOT_FOUND index.mdx:5",
      "LINK_NOT_FOUND index.mdx:5",
      "UNKNOWN_COMPONENT index.mdx:7",
      "MDX_SYNTAX index.mdx:9",
    ]);
    assert.ok(Object.keys(report.timings).length > 5);
  });
  test("is also written when nothing could be exported", async () => {
    const location = temporaryFolder();
    const run = await callCli(["check", location, "--report", join(location, "r.json"), "-q"]);
    assert.equal(run.code, 1);
    const report = JSON.parse(readFileSync(join(location, "r.json"), "utf8")) as ExportResult;
    assert.deepEqual([report.ok, report.diagnostics[0]?.code], [false, "CONFIG_NOT_FOUND"]);
  });
});

describe("--strict", () => {
  test("ends with exit code 1 if the site has an error, and keeps the previous output", async () => {
    const location = temporaryFolder();
    const args = ["-o", join(location, "out"), "-a", join(location, "x.zip")];
    assert.equal((await callCli(["export", many, ...args, "-q", "--strict"])).code, 0);
    const before = contentOf(location);
    const run = await callCli(["export", faulty, ...args, "--strict"]);
    assert.equal(run.code, 1);
    assert.match(run.stdout, /^Nothing was replaced: the site has errors\.\n {2}1 error\n {4,}1 MDX_SYNTAX {2,}\S.*\n/);
    assert.match(run.stderr, /error MDX_SYNTAX \/.*\/faulty\/index\.mdx:9:1/);
    assert.deepEqual(contentOf(location), before);
  });
  test("ignores warnings", async () => {
    const site = writeSite(join(temporaryFolder(), "site"), { "index.mdx": page("Start", "[Gone](/gone)") });
    assert.equal((await callCli(["export", site, "-o", join(site, "../out"), "-q", "--strict"])).code, 0);
  });
});

describe("a check", () => {
  test("fails if the site has an error, or more warnings than allowed", async () => {
    const { stderr, code } = await callCli(["check", "./faulty"], { cwd: prepared });
    assert.equal(code, 1);
    // A terminal finds the file from the working directory.
    assert.match(stderr, /error MDX_SYNTAX faulty\/index\.mdx:9:1/);
    const site = writeSite(join(temporaryFolder(), "site"), { "index.mdx": page("Start", "[Gone](/gone)") });
    assert.equal((await callCli(["check", site, "-q", "--max-warnings", "1"])).code, 0);
    assert.equal((await callCli(["check", site, "-q", "--max-warnings", "0"])).code, 1);
  });

  test("prints annotations for GitHub, and SARIF for code scanning", async () => {
    const site = writeSite(join(temporaryFolder(), "my site"), {
      "a,b.mdx": page("Start", "100 % [Gone](/gone) [It](/A,B)"),
    });
    const cwd = join(site, "..");
    const github = await callCli(["check", "my site", "--format", "github"], { cwd });
    assert.match(
      github.stdout,
      /^::warning file=my site\/a%2Cb\.mdx,line=\d+,col=\d+,endColumn=\d+,title=LINK_NOT_FOUND::The link "\/gone".*%0Afix: /m,
    );
    const sarif = await callCli(["check", "my site", "--format", "sarif", "--verbose"], { cwd });
    const { version, runs } = JSON.parse(sarif.stdout) as {
      version: string;
      runs: [{ results: { ruleId: string; fixes: [{ artifactChanges: [{ replacements: object[] }] }] }[] }];
    };
    assert.equal(version, "2.1.0");
    const found = runs[0].results.find(({ ruleId }) => ruleId === "LINK_NOT_FOUND");
    assert.match(JSON.stringify(found), /"uri":"my%20site\/a%2Cb\.mdx"},"region":{"startLine":\d+,"startColumn":\d+/);
    const mendable = runs[0].results.find(({ ruleId }) => ruleId === "LINK_CASE_DIFFERS");
    assert.deepEqual(mendable?.fixes[0].artifactChanges[0].replacements, [
      {
        deletedRegion: { startLine: 5, startColumn: 26, endLine: 5, endColumn: 30 },
        insertedContent: { text: "/a,b" },
      },
    ]);
    assert.match(sarif.stderr, /^ {2}"offprint fix" repairs 1 of these$/m);
    assert.match(sarif.stderr, /^ {2}pages +[\d,]+ ms$/m);
  });
});

test("--paths exports only these pages and reports a path that does not exist", async () => {
  const location = temporaryFolder();
  const output = join(location, "out");
  const run = await callCli(["export", many, "-o", output, "--paths", "/page-3,page-7.mdx,/page-777"]);
  assert.equal(run.code, 0, run.stderr);
  const pages = readdirSync(output).filter((name) => /^(?:index|page).*\.html$/.test(name));
  assert.deepEqual(pages.toSorted(), ["index.html", "page-3.html", "page-7.html"]);
  assert.match(readFileSync(join(output, "index.html"), "utf8"), /http-equiv="refresh" content="0; url=page-3\.html"/);
  assert.match(run.stderr, /PATH_UNKNOWN/);
  assert.match(run.stdout, /^Exported 2 pages/);
});

test("requirePaths fails before any page is made if one of the paths does not exist", async () => {
  const phases = new Set<string>();
  const onProgress = ({ phase }: { readonly phase: string }): void => void phases.add(phase);
  const output = join(temporaryFolder(), "out");
  const result = await exportInProcess({
    source: many,
    output,
    paths: ["/page-3", "/page-777"],
    requirePaths: true,
    onProgress,
  });
  assert.equal(result.ok, false);
  assert.deepEqual([...phases], ["read"]);
  assert.ok(result.diagnostics.some(({ code }) => code === "PATH_UNKNOWN"));
  assert.equal(existsSync(output), false);
});

test("--base-url adds canonical links and a sitemap; without it there are none", async () => {
  const location = temporaryFolder();
  const [with_, without] = [join(location, "with"), join(location, "without")];
  const run = await callCli(["export", faulty, "-o", with_, "-q", "--base-url", "https://docs.example.com/guide/"]);
  assert.equal(run.code, 0, run.stderr);
  assert.equal((await callCli(["export", faulty, "-o", without, "-q"])).code, 0);
  const html = readFileSync(join(with_, "guide.html"), "utf8");
  assert.match(html, /<link rel="canonical" href="https:\/\/docs\.example\.com\/guide\/guide">/);
  const sitemap = readFileSync(join(with_, "sitemap.xml"), "utf8");
  assert.deepEqual(sitemap.match(/(?<=<loc>)[^<]*/g), [
    "https://docs.example.com/guide",
    "https://docs.example.com/guide/guide",
  ]);
  assert.match(
    readFileSync(join(with_, "robots.txt"), "utf8"),
    /Sitemap: https:\/\/docs\.example\.com\/guide\/sitemap\.xml/,
  );
  assert.ok(!readdirSync(without).includes("sitemap.xml"));
  assert.doesNotMatch(readFileSync(join(without, "guide.html"), "utf8"), /canonical|og:url/);
});

test("a check writes nothing, not even to the temporary folder or next to the site", async () => {
  const location = temporaryFolder();
  const run = await runCli(["check", faulty, "--no-cache"], {
    cwd: location,
    env: { ...process.env, TMPDIR: location },
  });
  assert.equal(run.code, 1);
  assert.deepEqual(readdirSync(location), []);
  assert.match(run.stdout, /^Checked 2 pages of "Acme" in \d+\.\d s\n/);
  const nowhere = { ...process.env, TMPDIR: "/nonexistent", HOME: "/nonexistent" };
  assert.equal((await runCli(["check", many, "-q"], { env: nowhere })).code, 0);
});

test("an export with cached code gives the same files as one without", async () => {
  const location = temporaryFolder();
  const env = { ...process.env, XDG_CACHE_HOME: join(location, "cache") };
  assert.equal((await callCli(["export", many, "-o", join(location, "cold"), "-q"], { env })).code, 0);
  // Another process has nothing but the files.
  assert.equal((await runCli(["export", many, "-o", join(location, "warm"), "-q"], { env })).code, 0);
  assert.ok(readdirSync(join(location, "cache/offprint")).length > 0);
  assert.equal((await callCli(["export", many, "-o", join(location, "none"), "-q", "--no-cache"], { env })).code, 0);
  assert.deepEqual(contentOf(join(location, "warm")), contentOf(join(location, "cold")));
  assert.deepEqual(contentOf(join(location, "none")), contentOf(join(location, "cold")));
});
