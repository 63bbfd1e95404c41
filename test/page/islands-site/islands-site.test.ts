/** The site of `fixtures/islands`: one export, opened from `file://` and over http under the strictest policy. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExportResult } from "offprint";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { sweeping } from "../../quality/bundle.js";
import { findChromium } from "../../support/browser.js";
import { localTargets, readDocument } from "../../support/html.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../../support/serve-folder.js";
import { actsAsReader, forget, sharedBrowser } from "../../support/shared-browser.js";
import { type Case, cases } from "./cases.js";
import { type Expected, fixChance, inSection, readerOptions, sectionsOf, stylesOf, takeStep } from "./reader.js";

const site = fileURLToPath(new URL("../../../fixtures/islands", import.meta.url));
const chromium = findChromium();
const pages = Object.keys(cases);
const caseOf = (name: string, id: string): Case | undefined => cases[name]?.[id];
const expectedOf = (name: string): Record<string, Expected> =>
  JSON.parse(readFileSync(join(site, "expected", `${name.replaceAll("/", "-")}.json`), "utf8"));
const expected = new Map(pages.map((name) => [name, expectedOf(name)]));

describe("the site of live components", () => {
  const output = mkdtempSync(join(tmpdir(), "offprint-islands-"));
  let result: ExportResult;
  let server: ServedFolder;
  const served: Record<string, string> = { file: `file://${output}/` };
  beforeAll(async () => {
    result = await exportInProcess({ source: site, output });
    server = await serveFolder(output, { policy: strictPolicy });
    served["http"] = server.url;
  });
  afterAll(async () => {
    await server?.close();
    rmSync(output, { recursive: true, force: true });
  });
  const htmlOf = (name: string): string => readFileSync(join(output, `${name}.html`), "utf8");

  test("reports islands that only a browser can render, and network use", () => {
    const found = result.diagnostics.map(({ code, location }) => `${code} ${location?.sourcePath}`);
    assert.deepEqual(found.toSorted(), [
      "ISLAND_CLIENT_ONLY reference/browser.mdx",
      "ISLAND_CLIENT_ONLY reference/browser.mdx",
      "ISLAND_CLIENT_ONLY reference/browser.mdx",
      "ISLAND_CLIENT_ONLY reference/browser.mdx",
      "ISLAND_CLIENT_ONLY reference/faults.mdx",
      "ISLAND_NETWORK snippets/service-status.jsx",
    ]);
  });

  test("loads scripts only on the pages with live components", () => {
    for (const name of pages) {
      const scripts = htmlOf(name).match(/_offprint\/(?:islands|i\/)[^"]*\.js/g) ?? [];
      assert.equal(scripts.length > 0, Object.keys(cases[name]!).length > 0, `${name}: ${scripts}`);
    }
  });

  test("links only to existing files, also in content that is not shown at first", () => {
    for (const name of pages)
      for (const { reference, path } of localTargets(readDocument(output, `${name}.html`), `${name}.html`))
        assert.ok(existsSync(join(output, path)), `${reference} in ${name}`);
  });

  test("has content that is not shown at first in the search and in the Markdown version", () => {
    const index = readdirSync(join(output, "_offprint/search"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
      .join("\n");
    const markdown = readFileSync(join(output, "reference/slots.md"), "utf8");
    for (const words of ["kelp forest moves with the", "Fresh water, with"]) {
      assert.ok(index.includes(words), `${words}, in the search index`);
      assert.ok(markdown.includes(words), `${words}, in the Markdown version`);
    }
    assert.match(markdown, /const neap = moon\.quarter;/);
    const install = readFileSync(join(output, "guides/install.md"), "utf8");
    for (const words of ["brew install tideline", "tideline read lock", "Mount the gauge", "levels/"])
      assert.ok(install.includes(words), `${words}, in the Markdown version`);
  });

  describe.skipIf(chromium === undefined)("the HTML without any script is what React renders", () => {
    const browser = sharedBrowser(chromium);
    let described: Promise<Record<string, Record<string, string>>> | undefined;
    const describeAll = async (): Promise<Record<string, Record<string, string>>> => {
      const page = await browser().newPage();
      const found: Record<string, Record<string, string>> = {};
      for (const name of pages) found[name] = await sectionsOf(page, name, htmlOf(name));
      await page.close();
      return found;
    };
    test("shows code samples and links without JavaScript, from the disk", async () => {
      const context = await browser().newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${served["file"]}guides/install.html`);
      const code = await page.locator("pre").allInnerTexts();
      for (const sample of ["https://api.tideline.example/{gauge}/forecast", "tideline read lock"])
        assert.ok(
          code.some((text) => text.includes(sample)),
          `${sample} in ${code.join("\n")}`,
        );
      await page.goto(`${served["file"]}index.html`);
      for (const [name, target] of [
        ["how to install", "guides/install.html"],
        ["one unit for all", "guides/configure.html#context"],
      ] as const) {
        const link = page.getByRole("link", { name, exact: true });
        assert.equal(await link.getAttribute("href"), target);
        await link.click();
        assert.equal(page.url(), `${served["file"]}${target}`);
        await page.goBack();
      }
      await context.close();
    });

    for (const [name, sections] of expected)
      for (const [id, { server }] of Object.entries(sections))
        test(`${name} #${id}`, async () => {
          described ??= describeAll();
          const found = (await described)[name]![id]!;
          if (caseOf(name, id)?.clientOnly) assert.match(found, /JavaScript/);
          else assert.equal(found, server);
        });
  });

  describe.skipIf(chromium === undefined)("in a browser", actsAsReader, () => {
    const browser = sharedBrowser(chromium);
    let page: Page | undefined;
    const problems: string[] = [];
    /** One page for all tests. */
    const open = async (): Promise<Page> => {
      if (page !== undefined) return page;
      const context = await browser().newContext(readerOptions);
      await fixChance(context);
      page = await context.newPage();
      page.on("pageerror", ({ message }) => problems.push(message));
      page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
      return page;
    };
    afterEach(async () => {
      if (page !== undefined) await forget(page);
      problems.length = 0;
    });

    /** The section, as soon as it has the expected text, or after a minute, so that each section that differs is told. */
    const sectionOf = async (name: string, id: string, wanted: string | undefined): Promise<string | undefined> => {
      const page = await open();
      for (const end = Date.now() + 60_000; ; ) {
        const found = (await sectionsOf(page, name))[id];
        if (found === wanted || Date.now() > end) return found;
        await page.waitForTimeout(20);
      }
    };

    // Over file every second page; in a sweep all.
    for (const scheme of ["http", "file"])
      for (const name of pages.filter((_, at) => scheme === "http" || sweeping || at % 2 === 0))
        test(`${name} answers its reader over ${scheme}`, async () => {
          const page = await open();
          await page.goto(`${served[scheme]}${name}.html`);
          const found: Record<string, unknown> = {};
          const wanted: Record<string, unknown> = {};
          for (const [id, { server, loaded = server }] of Object.entries(expected.get(name)!)) {
            // What throws keeps its note.
            const section = caseOf(name, id)?.clientOnly === "throws" ? undefined : await sectionOf(name, id, loaded);
            Object.assign(found, { [id]: section });
            Object.assign(wanted, { [id]: section === undefined ? section : loaded });
          }
          assert.deepEqual(found, wanted);
          // What the interpreter renders keeps its styles as written, like all of a page.
          const before = problems.splice(0).filter((each) => !each.includes("inline style"));
          assert.deepEqual(before, name === "reference/faults" ? before.slice(0, 1) : []);
          for (const [id, { steps = [], styles = [], refused }] of Object.entries(cases[name]!)) {
            // Over file the first step of each is enough.
            const taken = scheme === "http" || sweeping ? steps : steps.slice(0, 1);
            for (const [index, step] of taken.entries()) {
              const after = expected.get(name)![id]!.steps![index];
              await takeStep(page, id, step);
              assert.equal(await sectionOf(name, id, after), after, `#${id} after ${step.join(" ")}`);
            }
            const values = taken.length === steps.length ? await stylesOf(page, id, styles) : undefined;
            if (values)
              assert.deepEqual(
                values,
                styles.map(([, , value]) => value),
                `styles of #${id}`,
              );
            const reported = problems.splice(0);
            if (!refused) assert.deepEqual(reported, [], `#${id}`);
          }
        });

    test("keeps the nodes between the tags, and the reader's changes to them, when they move", async () => {
      const page = await open();
      await page.goto(`${served["file"]}reference/slots.html`);
      await inSection(page, "move", "summary").click();
      await inSection(page, "move", "details").evaluate((node) => Object.assign(node, { mark: "same" }));
      for (const side of ["right", "left"]) {
        await inSection(page, "move", "button").click();
        const found = await inSection(page, "move", `.${side} details`).evaluate((node: HTMLDetailsElement) => [
          node.open,
          (node as { mark?: string }).mark,
        ]);
        assert.deepEqual(found, [true, "same"], side);
      }
      assert.deepEqual(problems, []);
    });

    test("keeps the other components live when one of them throws", async () => {
      const page = await open();
      await page.goto(`${served["http"]}reference/faults.html`);
      await inSection(page, "effect", "button").click();
      await inSection(page, "sound", "[aria-label='One more']").click();
      assert.equal(await inSection(page, "sound", "output").textContent(), "5");
    });

    test("keeps the data that a component stored", async () => {
      const page = await open();
      await page.goto(`${served["file"]}guides/learn.html`);
      await inSection(page, "checklist", "label:has-text('Mount') input").click();
      await page.reload();
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>(".checklist input")?.checked);
      assert.deepEqual(problems, []);
    });

    test("gives static components their styles", async () => {
      const page = await open();
      await page.goto(`${served["http"]}index.html`);
      assert.deepEqual(
        await stylesOf(page, "hero", [
          [".hero", "background-color", ""],
          [".hero", "padding-left", ""],
          ["img", "margin-left", ""],
        ]),
        ["rgb(230, 244, 248)", "24px", "0px"],
      );
      assert.deepEqual(await stylesOf(page, "calendar", [[".spring", "font-weight", ""]]), ["700"]);
    });
  });
});
