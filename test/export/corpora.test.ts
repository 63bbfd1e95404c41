import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createArchive, type ExportResult, exportSite, loadSite, type Site } from "offprint";
import { afterAll, beforeAll, describe, test } from "vitest";
import { openSiteIndex } from "../../src/service/assistant/retrieval/open-site-index.js";
import { writeIndex } from "../../src/service/assistant/retrieval/write-index.js";
import { violationsOf } from "../quality/axe.js";
import { sweeping } from "../quality/bundle.js";
import { unfold } from "../quality/look.js";
import { foreignQuestions, hitsIn, judgedSites, questionsOf, statesOf } from "../service/assistant/questions.js";
import { findChromium } from "../support/browser.js";
import { findCorpora } from "../support/corpora.js";
import { exportCache } from "../support/export-cache.js";
import { localTargets, readDocument } from "../support/html.js";
import { plainSpecs } from "../support/plain-specs.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { sharedExport } from "../support/shared-export.js";

const chromium = findChromium();
/** Of each site. */
const sampledPages = sweeping ? 30 : 6;
/** Of the sampled pages every so many is looked through by axe: of each site ten in a sweep, else two. */
const axeStep = sweeping ? 3 : 5;

interface Looked {
  readonly html: string;
  readonly prose: string;
  readonly targets: ReturnType<typeof localTargets>;
}

const all = findCorpora();
const sizeOf = (folder: string): number => readdirSync(folder, { recursive: true }).length;
const bySize = all.toSorted((a, b) => sizeOf(a.folder) - sizeOf(b.folder));
/** Of our own the one with the fewest files, of the real ones too, in every run; all of them in a sweep. */
const corpora = sweeping
  ? all
  : [...bySize.filter(({ isOwn }) => isOwn).slice(0, 1), ...bySize.filter(({ isOwn }) => !isOwn).slice(0, 1)];
if (corpora.length < all.length)
  console.info(`${corpora.length} of ${all.length} whole sites; npm run sweep takes all.`);
describe("of whole sites", () => {
  const browser = sharedBrowser(chromium);
  for (const corpus of corpora)
    describe(`the site ${corpus.name}`, () => {
      let output = mkdtempSync(join(tmpdir(), `offprint-${corpus.name}-`));
      let result: ExportResult;
      let site: Site;
      /** What is asked of pages, by output path: parsing them takes longest. */
      const documents = new Map<string, Looked>();
      const look = (outputPath: string): Looked => {
        let looked = documents.get(outputPath);
        if (!looked) {
          const document = readDocument(output, outputPath);
          const { html, prose } = document;
          looked = { html, prose, targets: localTargets(document, outputPath) };
          documents.set(outputPath, looked);
        }
        return looked;
      };

      beforeAll(async () => {
        if (corpus.isOwn) ({ folder: output, result } = await sharedExport(corpus.name as "gallery" | "handbook"));
        else result = await exportSite({ source: corpus.folder, output, cacheFolder: exportCache });
        const loaded = await loadSite({ source: corpus.folder });
        assert.ok(loaded.site);
        site = loaded.site;
      });
      afterAll(() => corpus.isOwn || rmSync(output, { recursive: true, force: true }));

      test("is complete: every page has its HTML file and its Markdown version", () => {
        assert.equal(result.ok, true);
        assert.equal(result.pageCount, site.pages.length);
        for (const page of site.pages) {
          assert.ok(existsSync(join(output, page.outputPath)), page.outputPath);
          assert.ok(existsSync(join(output, page.outputPath.replace(/html$/, "md"))), `twin of ${page.outputPath}`);
        }
      });

      test.skipIf(!judgedSites.includes(corpus.name))("the assistant finds pages that answer", async () => {
        const archive = join(output, "../", `${corpus.name}-${process.pid}.tar.gz`);
        const object = `${archive}.index`;
        try {
          await createArchive(output, archive);
          await writeIndex(archive, object, "https://docs.example.com");
          const { index } = await openSiteIndex(readFileSync(object), "https://docs.example.com");
          const { share, misses } = await hitsIn(index, questionsOf(corpus.name));
          assert.ok(share >= 0.9, misses.join("\n"));
          const { sure, nothing } = await statesOf(index, foreignQuestions);
          assert.ok(nothing.length >= 0.85 * foreignQuestions.length, `${nothing.length} foreign questions`);
          assert.ok(sure.length <= 0.02 * foreignQuestions.length, sure.join("\n"));
        } finally {
          for (const path of [archive, object]) rmSync(path, { force: true });
        }
      });

      test("every file of the manifest is there, and no other", () => {
        const listed = result.manifest?.files.map((file) => file.path) ?? [];
        const found = readdirSync(output, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(output.length + 1));
        assert.deepEqual(found.toSorted(), [...listed, "offprint.json"].toSorted());
      });

      test("every diagnostic names its file, and those of pages their line", () => {
        for (const each of result.diagnostics) {
          assert.ok(each.location?.sourcePath, JSON.stringify(each));
          assert.ok(each.what.length > 10, JSON.stringify(each));
        }
      });

      test("no page shows an unexpanded component or a wrong value", () => {
        const sources = new Map<string, string>();
        const sourceOf = (path: string): string => {
          if (!sources.has(path)) sources.set(path, readFileSync(join(corpus.folder, path), "utf8"));
          return sources.get(path) ?? "";
        };
        const shared = [
          ...site.snippets.map(sourceOf),
          JSON.stringify(site.config),
          ...site.pages.map((page) => page.sidebarTitle ?? page.title),
        ].join("\n");
        for (const page of site.pages) {
          const document = look(page.outputPath);
          const own = sourceOf(page.sourcePath);
          assert.ok(!document.html.includes("\0"), `U+0000 in ${page.outputPath}`);
          for (const wrong of ["undefined", "NaN", "[object Object]"])
            if (document.html.includes(wrong))
              assert.ok(own.includes(wrong) || shared.includes(wrong), `${wrong} in ${page.outputPath}`);
          const upper =
            document.html.match(/<\/?[A-Z][A-Za-z.]*[\s/>]/g)?.filter((tag) => !/<!doctype/i.test(tag)) ?? [];
          assert.deepEqual(upper, [], `component tags in ${page.outputPath}`);
          for (const [, name] of document.prose.matchAll(/<\/?([A-Z][A-Za-z.]*)[\s/>]/g))
            assert.match(
              own + shared,
              new RegExp(`(\\\\|&lt;|\`[^\`]*)</?${name}|&lt;/?${name}|{["'\`]<|\\\\<`),
              `<${name}> shown in ${page.outputPath}`,
            );
        }
      });

      test("diagnostics about specifications are true, and pages show their subjects", () => {
        const specs = plainSpecs(corpus.folder);
        const everything = [...specs.values()].flatMap((operations) => [...operations]);
        for (const { code, what, location } of result.diagnostics) {
          if (!/^(?:SPEC|OVERLAY|API|OPERATION|CHANNEL|SCHEMA)_/.test(code)) continue;
          // The gallery has a part for some readers alone.
          if (code === "SPEC_RESTRICTED") continue;
          assert.equal(code, "OPERATION_NOT_FOUND", what);
          const [, spec, method, path] = /"(?:\/?(\S+) )?([A-Z]+) ([^"]+)", but/.exec(what) ?? [];
          const known = spec === undefined ? everything : [...(specs.get(spec) ?? [])];
          assert.ok(!known.includes(`${method!.toLowerCase()} ${path}`), `${location?.sourcePath}: ${what}`);
        }

        for (const { api, outputPath } of site.pages) {
          if (api?.kind !== "operation") continue;
          assert.ok(specs.get(api.spec)?.has(`${api.method} ${api.path}`), `${api.path} of ${api.spec}`);
          const text = look(outputPath).html.replace(/<wbr>|<\/?(?:span|code)[^>]*>/g, "");
          assert.ok(text.includes(api.path.replaceAll("&", "&amp;")), `${api.path} on ${outputPath}`);
        }
      });

      test("every internal link and asset leads to a file, or is reported", () => {
        const reported = new Set(result.diagnostics.map((each) => each.location?.sourcePath));
        for (const page of site.pages)
          for (const { reference, path } of look(page.outputPath).targets)
            if (!existsSync(join(output, path)))
              assert.ok(
                reported.has(page.sourcePath) || site.snippets.some((snippet) => reported.has(snippet)),
                `${reference} in ${page.outputPath}`,
              );
      });

      test.skipIf(chromium === undefined)(
        `${sampledPages} pages open from file:// without a network, light and dark: nothing fails, and axe finds nothing in some of them`,
        async () => {
          const step = Math.max(1, Math.floor(site.pages.length / sampledPages));
          const sample = site.pages.filter((_, i) => i % step === 0).slice(0, sampledPages);
          const wanted = new Set(result.external.map((use) => use.url));
          const faults: string[] = [];
          const context = await browser().newContext({ offline: true, reducedMotion: "reduce" });
          const page = await context.newPage();
          let current = "";
          // What axe asks for is not the page's.
          let isMeasured = false;
          const note = (what: string, url: string): void => {
            if (!isMeasured && !wanted.has(url) && !wanted.has(decodeURI(url)))
              faults.push(`${current}: ${what} ${url}`);
          };
          // An icon still on its way when the next page is opened has not failed.
          const aborted = "net::ERR_ABORTED";
          page.on(
            "requestfailed",
            (request) => request.failure()?.errorText === aborted || note("failed", request.url()),
          );
          page.on(
            "request",
            (request) =>
              request.url().startsWith("file:") || request.url().startsWith("data:") || note("asked", request.url()),
          );
          page.on("console", (message) => message.type() === "error" && note(message.text(), message.location().url));
          page.on("pageerror", (error) => faults.push(`${current}: ${error.message}`));
          const isIn = (scheme: string) =>
            page.waitForFunction(
              (dark) => document.documentElement.classList.contains("dark") === dark,
              scheme === "dark",
            );
          for (const [index, plan] of sample.entries()) {
            // Half of them start in light colours and go dark, half the other way.
            const schemes = index % 2 === 0 ? (["light", "dark"] as const) : (["dark", "light"] as const);
            for (const [visit, colorScheme] of schemes.entries()) {
              current = `${plan.outputPath} (${colorScheme})`;
              await page.emulateMedia({ colorScheme });
              if (visit === 0)
                await page.goto(pathToFileURL(join(output, plan.outputPath)).href, { waitUntil: "load" });
              if (site.config.appearance.default === "system") await isIn(colorScheme);
            }
            if (index % axeStep > 0) continue;
            if (index % 2 === 0) await unfold(page);
            // The order of a site's own headings and other good practice are up to the site.
            isMeasured = true;
            const violations = await violationsOf(page, { bestPractice: false });
            await page.goto("about:blank");
            isMeasured = false;
            // Pages that lay themselves out choose their colours themselves.
            const bringsColors = /^(?:frame|custom)$/.test(String(plan.frontmatter["mode"]));
            const ours = violations.filter((each) => !bringsColors || !each.startsWith("color-contrast"));
            faults.push(...ours.map((violation) => `${current}: ${violation}`));
          }
          await context.close();
          assert.deepEqual(faults, []);
        },
      );
    });
});
