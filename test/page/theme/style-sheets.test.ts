/** Style sheets make little work for browsers. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "lightningcss";
import { describe, test } from "vitest";
import { splitSelectors } from "../../../scripts/split-selectors.js";

describe("a list at the end of a selector", () => {
  const cases = [
    ["is written out", ":is(.a,.b):hover", ".a:hover,.b:hover"],
    ["is written out before a pseudo-element", ":is(.a,.b)::before", ".a:before,.b:before"],
    ["stays in :where()", ":where(h1,h2)", ":where(h1,h2)"],
    ["stays if it is long", ":is(.a,.b,.c,.d,.e)", ":is(.a,.b,.c,.d,.e)"],
    ["keeps its order of elements", ":is(.a>.b,.c>.d):hover", ":is(.a>.b):hover,:is(.c>.d):hover"],
    ["stays if its parts differ in specificity", ".a>:is(svg,.b)", ".a>:is(svg,.b)"],
    ["stays next to a class", ".a:is(.b,.c)", ".a:is(.b,.c)"],
    ["stays before a pseudo-element of few browsers", ":is(.a,.b)::details-content", ":is(.a,.b)::details-content"],
  ] as const;
  for (const [rule, selector, expected] of cases)
    test(rule, () => {
      const code = Buffer.from(`${selector}{top:0}`);
      const written = transform({ filename: "a.css", code, minify: true, visitor: splitSelectors });
      assert.equal(written.code.toString(), `${expected}{top:0}`);
    });
});

test("no change of a page makes browsers check every :has()", () => {
  const folder = "src/page/theme/styles";
  const sheets = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".css"));
  const found: string[] = [];
  for (const path of sheets)
    transform({
      filename: path,
      code: readFileSync(join(folder, path)),
      visitor: {
        Selector(selector) {
          for (const part of selector)
            if (part.type === "pseudo-class" && part.kind === "has")
              for (const argument of part.selectors)
                if (
                  argument.some(({ type, ...rest }) => type === "universal" || ("kind" in rest && rest.kind === "not"))
                )
                  found.push(`${path}: ${JSON.stringify(argument)}`);
        },
      },
    });
  assert.deepEqual(found, []);
});

test("a class of the page can hide an image in a frame, for example in dark mode", () => {
  const sheet = readFileSync("src/page/theme/styles/on-demand/frame.css", "utf8");
  const selectors = [...sheet.matchAll(/([^{}]+)\{([^}]*)\}/g)]
    .filter(([, selector, rules]) => /\bimg\b/.test(selector!) && /\bdisplay:/.test(rules!))
    .map(([, selector]) => selector!.replace(/\/\*.*?\*\//s, "").trim());
  assert.deepEqual(selectors, [":where(.frame-content) :is(img, video, iframe)"]);
});
