/** Nothing that an API specification says puts a script into a page, however it is called. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { findChromium } from "../support/browser.js";
import { addressesIn, brokenXml, dangersIn, exported, inspectBundle, opened } from "./exported-site.js";
import { hostileSpecs } from "./hostile-specs.js";
import { payloads } from "./payloads.js";
import { filesIn } from "./site-folder.js";
import { firesOf } from "./trap.js";

const chromium = findChromium();
const browser = opened(chromium);
const sampledPages = 30;

describe("payloads in specifications", () => {
  const site = exported(hostileSpecs);

  test("become pages", () => {
    const { result } = site();
    assert.ok(result.pageCount > 1.5 * payloads.length, `${result.pageCount} pages`);
    assert.deepEqual(
      result.diagnostics.filter(({ code }) => code === "PAGE_FAILED" || code === "PAGE_LOST"),
      [],
    );
  });

  test("put nothing into a document that could run", () => {
    const documents = inspectBundle(site());
    assert.deepEqual(dangersIn(documents), []);
    const shown = [...documents.values()].map(({ text }) => text).join("\n");
    const names = payloads.filter((payload) => shown.includes(payload.trim()));
    assert.ok(names.length > payloads.length / 2, `${names.length} payloads are names`);
  });

  test("leave XML well-formed", () => assert.deepEqual(brokenXml(site()), []));

  test("end no string in the scripts beside pages", () => {
    const { output } = site();
    for (const path of filesIn(output).filter((each) => /\.md\.js$|_offprint\/.*(?:md|nav)[^/]*\.js$/.test(each)))
      assert.doesNotThrow(() => new Function(readFileSync(join(output, path), "utf8")), path);
  });

  test.skipIf(chromium === undefined)(
    "do not run in a browser, whatever is clicked",
    async () => {
      const addresses = addressesIn(site().output, /\.html$/);
      const step = Math.ceil(addresses.length / sampledPages);
      assert.deepEqual(
        await firesOf(
          browser(),
          addresses.filter((_, i) => i % step === 0),
        ),
        [],
      );
    },
    120_000,
  );
});
