/** No text of an API specification puts a script into a page, whatever its place. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { sweeping } from "../quality/bundle.js";
import { findChromium } from "../support/browser.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { addressesIn, dangersIn, exported, inspectBundle } from "./exported-site.js";
import { testHarmlessBundle } from "./harmless-bundle.js";
import { hostileSpecs } from "./hostile-specs.js";
import { payloads } from "./payloads.js";
import { filesIn } from "./site-folder.js";
import { firesOf } from "./trap.js";

const chromium = findChromium();
const browser = sharedBrowser(chromium);
const sampledPages = sweeping ? 30 : 5;

describe("payloads in specifications", () => {
  const site = exported(hostileSpecs);

  test("become pages", () => {
    const { result } = site();
    assert.ok(result.pageCount > (sweeping ? 1.5 : 1) * payloads.length, `${result.pageCount} pages`);
    assert.deepEqual(
      result.diagnostics.filter(({ code }) => code === "PAGE_FAILED" || code === "PAGE_LOST"),
      [],
    );
  });

  testHarmlessBundle(site);

  test("end no string in the scripts next to pages", () => {
    const { output } = site();
    for (const path of filesIn(output).filter((each) => /\.md\.js$|_offprint\/.*(?:md|nav)[^/]*\.js$/.test(each)))
      assert.doesNotThrow(() => new Function(readFileSync(join(output, path), "utf8")), path);
  });

  test.skipIf(chromium === undefined)("do not run in a browser, whatever is clicked", async () => {
    const addresses = addressesIn(site().output, /\.html$/);
    const step = Math.ceil(addresses.length / sampledPages);
    assert.deepEqual(
      await firesOf(
        browser(),
        addresses.filter((_, i) => i % step === 0),
      ),
      [],
    );
  });
});

describe("texts that would end the part of a markdown version that contains them", () => {
  const breakout = "x\n```\n~~~\n````\n\n# Injected\n\n<!-- -->\n\n<script>alert(1)</script>";
  const schema = {
    type: "object",
    title: breakout,
    properties: {
      [breakout]: { type: "string", enum: [breakout], default: breakout, example: breakout, pattern: breakout },
    },
  };
  const operation = {
    summary: breakout,
    tags: [breakout],
    parameters: [{ in: "query", name: breakout, example: breakout, schema }],
    requestBody: { content: { [breakout]: { schema, example: breakout }, "application/json": { schema } } },
    responses: { [breakout]: { description: "Fine.", content: { "application/json": { schema } } } },
    security: [{ [breakout]: [breakout] }],
    servers: [{ url: breakout }],
    "x-codeSamples": [{ lang: breakout, label: breakout, source: breakout }],
  };
  const spec = {
    openapi: "3.1.0",
    info: { title: breakout, version: breakout },
    paths: { [`/${breakout}`]: { post: operation } },
    components: { securitySchemes: { [breakout]: { type: "apiKey", in: "header", name: breakout } } },
  };
  const site = exported(() => ({
    "docs.json": {
      theme: "mint",
      name: "Hostile",
      colors: { primary: "#0f766e" },
      navigation: { openapi: "api.json" },
    },
    "api.json": spec,
  }));

  test("stay in it", () => {
    const { output } = site();
    const twins = filesIn(output).filter((path) => path.endsWith(".md"));
    // The text of the operation, and that of the overview.
    assert.equal(twins.length, 2);
    for (const path of [...twins, "llms.txt", "llms-full.txt"]) {
      let fence = "";
      for (const line of readFileSync(join(output, path), "utf8").split("\n")) {
        // Backticks that more backticks follow begin a code span.
        const mark = /^\s*(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line);
        if (mark && fence === "") fence = mark[1]!;
        else if (mark && mark[1]!.startsWith(fence) && mark[2]!.trim() === "") fence = "";
        else if (fence === "") assert.doesNotMatch(line, /^\s*(?:[-*>]\s+)*(?:# Injected|<script|<!--)/, path);
      }
      assert.equal(fence, "", `an open fence in ${path}`);
    }
  });

  test("put nothing into the document that could run", () => assert.deepEqual(dangersIn(inspectBundle(site())), []));
});
