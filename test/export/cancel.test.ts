import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExportPhase, exportSite } from "offprint";
import { afterAll, beforeAll, describe, test } from "vitest";
import {
  contentOf,
  finish,
  page,
  runCli,
  startCli,
  temporaryFolder,
  writeManyPages,
  writeSite,
} from "../support/cli.js";
import { startLoopTimer } from "../support/machine-time.js";

/** A site large enough to be interrupted, and a bundle that an earlier export made of a smaller one. */
const prepared = mkdtempSync(join(tmpdir(), "offprint-prepared-"));
const site = join(prepared, "site");
beforeAll(async () => {
  writeManyPages(site, 100);
  const small = writeSite(join(prepared, "small"), { "index.mdx": page("Small", "Welcome.") });
  const location = join(prepared, "location");
  await exportSite({ source: small, output: join(location, "out"), archive: join(location, "x.tar.gz") });
});
afterAll(() => rmSync(prepared, { recursive: true }));

function previousBundle(): { location: string; output: string; archive: string } {
  const location = temporaryFolder();
  cpSync(join(prepared, "location"), location, { recursive: true });
  return { location, output: join(location, "out"), archive: join(location, "x.tar.gz") };
}

describe("an abort", () => {
  const phases: readonly ExportPhase[] = ["read", "assets", "pages", "outputs", "archive"];
  for (const phase of phases)
    test(`while the phase is "${phase}" rejects with its reason at once, and leaves nothing`, async () => {
      const { location, output, archive } = previousBundle();
      const before = contentOf(location);
      const reason = new Error("enough");
      const stop = new AbortController();
      let spent = (): number => Number.POSITIVE_INFINITY;
      const running = exportSite({
        source: site,
        output,
        archive,
        signal: stop.signal,
        onProgress: (progress) => {
          if (progress.phase !== phase || stop.signal.aborted) return;
          if (phase === "pages" && progress.done < 50) return;
          spent = startLoopTimer();
          stop.abort(reason);
        },
      });
      await assert.rejects(running, (error) => error === reason);
      assert.ok(spent() < 1500);
      assert.deepEqual(contentOf(location), before);
    });

  test("while the archive is packed rejects with its reason", async () => {
    const { location, output, archive } = previousBundle();
    const before = contentOf(location);
    const stop = new AbortController();
    const running = exportSite({
      source: site,
      output,
      archive,
      signal: stop.signal,
      onProgress: ({ phase }) => phase === "archive" && setTimeout(() => stop.abort("enough"), 5),
    });
    await assert.rejects(running, (error) => error === "enough");
    assert.deepEqual(contentOf(location), before);
  });

  test("before the start starts nothing", async () => {
    const { location, output } = previousBundle();
    const before = contentOf(location);
    const signal = AbortSignal.abort(new Error("never"));
    await assert.rejects(exportSite({ source: site, output, signal }), /never/);
    assert.deepEqual(contentOf(location), before);
  });

  test("after the end changes nothing", async () => {
    const location = temporaryFolder();
    const stop = new AbortController();
    const result = await exportSite({
      source: join(prepared, "small"),
      output: join(location, "out"),
      signal: stop.signal,
    });
    stop.abort();
    assert.equal(result.ok, true);
    assert.ok(existsSync(join(location, "out/index.html")));
  });
});

describe("the command line", () => {
  /** Starts an export and waits until pages are being rendered. */
  async function startExport(args: readonly string[], env = process.env) {
    const child = startCli(["export", site, "--concurrency", "1", ...args], { env });
    const ended = finish(child);
    await new Promise<void>((resolve) => child.stderr?.on("data", (text) => /pages: \d/.test(text) && resolve()));
    return { child, ended };
  }

  for (const signal of ["SIGINT", "SIGTERM"] as const)
    test(`ends with exit code 130 on ${signal}, keeps the previous output, and leaves nothing in the temporary folder`, async () => {
      const { location, output, archive } = previousBundle();
      const before = contentOf(location);
      // Of its own, since other tests use the one of the run.
      const temporary = temporaryFolder();
      const { child, ended } = await startExport(["-o", output, "-a", archive], { ...process.env, TMPDIR: temporary });
      child.kill(signal);
      const run = await ended;
      assert.equal(run.code, 130, run.stderr);
      assert.match(run.stderr, /interrupted\. The previous output is unchanged\.\n$/);
      assert.deepEqual(contentOf(location), before);
      assert.deepEqual(readdirSync(temporary), []);
    });

  test("killed during an export leaves the previous output; the next run cleans up and succeeds", async () => {
    const { location, output, archive } = previousBundle();
    const before = contentOf(location);
    const { child, ended } = await startExport(["-o", output, "-a", archive]);
    child.kill("SIGKILL");
    assert.equal((await ended).signal, "SIGKILL");
    const left = readdirSync(location).filter((name) => name.includes(".offprint-"));
    assert.equal(left.length, 2);
    const kept = Object.entries(contentOf(location)).filter(([path]) => !left.some((name) => path.startsWith(name)));
    assert.deepEqual(Object.fromEntries(kept), before);
    const run = await runCli(["export", site, "-o", output, "-a", archive, "-q"]);
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(readdirSync(location).toSorted(), ["out", "x.tar.gz"]);
    assert.ok(existsSync(join(output, "page-99.html")));
  });
});

describe("a page that misses its deadline", () => {
  test("becomes an error page; the others are complete", async () => {
    const location = temporaryFolder();
    // This takes the reference parser half a minute; the other pages take milliseconds.
    const slow = Array.from({ length: 1800 }, (_, i) => "`".repeat(i + 1)).join(" ");
    const source = writeSite(join(location, "site"), {
      "index.mdx": page("Start", "Welcome."),
      "slow.mdx": page("Slow", slow),
      "last.mdx": page("Last", "Good bye."),
    });
    const output = join(location, "out");
    const result = await exportSite({ source, output, parser: "remark", pageTimeoutMs: 1500, concurrency: 2 });
    assert.equal(result.ok, true);
    assert.equal(result.pageCount, 3);
    assert.deepEqual(
      result.diagnostics.map(({ code, severity, location }) => [code, severity, location?.sourcePath]),
      [["PAGE_TOO_SLOW", "error", "slow.mdx"]],
    );
    assert.match(readFileSync(join(output, "index.html"), "utf8"), /<p>Welcome\.<\/p>/);
    assert.match(readFileSync(join(output, "last.html"), "utf8"), /<p>Good bye\.<\/p>/);
    const html = readFileSync(join(output, "slow.html"), "utf8");
    assert.match(html, /<h1[^>]*>Slow</);
    assert.match(html, /slow\.mdx/);
    assert.match(html, /not rendered in time/);
  });
});
