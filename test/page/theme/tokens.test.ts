import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { contrast, parseHex } from "../../../src/lib/color.js";
import { themeTraits } from "../../../src/page/theme/theme-options.js";

const read = (name: string) => `\n${readFileSync(`src/page/theme/styles/${name}.css`, "utf8")}`;
const themes = Object.keys(themeTraits);

/** Values of a sheet's first rule with this selector, by property name. */
function tokens(css: string, selector: string): Map<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const block = start < 0 ? "" : css.slice(start, css.indexOf("\n}", start));
  return new Map([...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((match) => [match[1]!, match[2]!]));
}

for (const theme of themes) {
  const [base, own] = [read("tokens"), read(`themes/${theme}`)];
  const light = tokens(own, `html[data-theme="${theme}"]`);
  const dark = tokens(own, `html.dark[data-theme="${theme}"]`);

  test(`${theme} has a dark value for every colour it sets`, () => {
    const missing = [...light].filter(
      ([name, value]) =>
        name.startsWith("--color-") && !value.startsWith("var(") && value !== "transparent" && !dark.has(name),
    );
    // A colour that a theme changes only in light mode keeps the base's dark value, unless it is a text background.
    assert.deepEqual(
      missing.map(([name]) => name).filter((name) => !/border/.test(name)),
      [],
    );
  });

  for (const [mode, values] of [
    ["light", new Map([...tokens(base, ":root"), ...light])],
    ["dark", new Map([...tokens(base, ":root"), ...tokens(base, "html.dark"), ...light, ...dark])],
  ] as const) {
    test(`text is readable on every background of ${theme} in ${mode} mode`, () => {
      for (const text of ["text", "muted", "faint", "heading"])
        for (const ground of ["bg", "surface", "sunken", "hover"]) {
          const [front, back] = [values.get(`--color-${text}`), values.get(`--color-${ground}`)].map((value) =>
            parseHex(value!),
          );
          if (front && back) assert.ok(contrast(front, back) >= 4.5, `${text} on ${ground}`);
        }
      for (const kind of ["note", "info", "tip", "warning", "danger"]) {
        const [front, back, body] = [`--color-${kind}`, `--color-${kind}-bg`, "--color-text"].map(
          (name) => parseHex(values.get(name)!)!,
        );
        assert.ok(contrast(front!, back!) >= 4.5 && contrast(body!, back!) >= 4.5, kind);
      }
    });
  }
}
