import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { contrast, parseHex } from "../../src/assets/color.js";

const css = readFileSync("src/theme/styles/tokens.css", "utf8");
const themes = ["mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"];

/** Values of a rule by property name. */
function tokens(selector: string): Map<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const block = start < 0 ? "" : css.slice(start, css.indexOf("\n}", start));
  return new Map([...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((match) => [match[1]!, match[2]!]));
}

for (const theme of themes) {
  const light = tokens(`html[data-theme="${theme}"]`);
  const dark = tokens(`html.dark[data-theme="${theme}"]`);

  test(`${theme} has a dark value for every colour it sets`, () => {
    const missing = [...light].filter(
      ([name, value]) =>
        name.startsWith("--color-") && !value.startsWith("var(") && value !== "transparent" && !dark.has(name),
    );
    // The dark base holds for colours that a theme changes in light mode alone, if they are no ground of text.
    assert.deepEqual(
      missing.map(([name]) => name).filter((name) => !/border/.test(name)),
      [],
    );
  });

  for (const [mode, own] of [
    ["light", new Map([...tokens(":root"), ...light])],
    ["dark", new Map([...tokens(":root"), ...tokens("html.dark"), ...light, ...dark])],
  ] as const) {
    test(`text can be read on every ground of ${theme} in ${mode} mode`, () => {
      for (const text of ["text", "muted", "faint", "heading"])
        for (const ground of ["bg", "surface", "sunken", "hover"]) {
          const [front, back] = [own.get(`--color-${text}`), own.get(`--color-${ground}`)].map((value) =>
            parseHex(value!),
          );
          if (front && back) assert.ok(contrast(front, back) >= 4.5, `${text} on ${ground}`);
        }
      for (const kind of ["note", "info", "tip", "warning", "check", "danger"]) {
        const [front, back, body] = [`--color-${kind}`, `--color-${kind}-bg`, "--color-text"].map(
          (name) => parseHex(own.get(name)!)!,
        );
        assert.ok(contrast(front!, back!) >= 4.5 && contrast(body!, back!) >= 4.5, kind);
      }
    });
  }
}
