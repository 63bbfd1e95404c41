import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createHighlighter as createShiki } from "shiki";
import { beforeAll, test } from "vitest";
import { type CodeTheme, loadCodeTheme } from "../../../src/page/highlight/code-theme.js";
import { createHighlighter } from "../../../src/page/highlight/highlighter.js";
import { resolveLanguage } from "../../../src/page/highlight/languages.js";
import { sampleOf } from "../../quality/bundle.js";
import { corporaFolder } from "../../support/corpora.js";
import { samples } from "./samples.js";

const themes = { light: "vitesse-light", dark: "github-dark" };
const noneCustom = { byName: new Map(), registrations: new Map(), diagnostics: [] };
const insideMarkdown: readonly string[] = ["shellscript", "json", "yaml", "javascript", "typescript", "python"];

let ours: ReturnType<typeof createHighlighter>;
let shiki: Awaited<ReturnType<typeof createShiki>>;
let light: CodeTheme;
let dark: CodeTheme;
beforeAll(async () => {
  const style = { mode: "theme", theme: themes, customLanguages: [] } as const;
  ours = createHighlighter({ style, custom: noneCustom, version: "test" });
  shiki = await createShiki({ langs: [], themes: [themes.light, themes.dark] });
  [light, dark] = await Promise.all([loadCodeTheme(themes.light), loadCodeTheme(themes.dark)]);
});

for (const [language, code] of sampleOf(samples, 16)) {
  test(`${language} has Shiki's colours in both themes`, async () => {
    const { differing, total, example } = await compare(language, code);
    assert.ok(total > 20);
    assert.equal(differing, 0, example);
  });
}

const corpus = join(corporaFolder, "plain");
test.skipIf(!existsSync(corpus))("more than 99 in 100 characters of real pages have Shiki's colours", async () => {
  let total = 0;
  let differing = 0;
  for (const { language, code } of fencesOf(corpus, 60)) {
    const result = await compare(language, code);
    total += result.total;
    differing += result.differing;
  }
  console.log(`${total - differing} of ${total} characters equal (${(100 - (100 * differing) / total).toFixed(3)} %)`);
  assert.ok(total > 10_000);
  assert.ok(differing / total < 0.01);
});

/** Counts the characters other than blanks that differ in a colour, slant, weight or line. */
async function compare(name: string, code: string): Promise<{ differing: number; total: number; example: string }> {
  const { id } = resolveLanguage(name, noneCustom.byName);
  if (id === "text") return { differing: 0, total: 0, example: "" };
  await ours.prepare([id]);
  const inner = { mdx: [...insideMarkdown, "tsx"], markdown: [...insideMarkdown, "html-derivative"] }[id] ?? [];
  const wanted = [...inner, id];
  for (const each of wanted) if (!shiki.getLoadedLanguages().includes(each)) await shiki.loadLanguage(each as "json");
  const looks = looksOf(ours.lines(code, id).join("\n"));
  // Shiki gives up on a line after half a second, which can happen on a busy machine.
  const options = { lang: id as "json", themes, defaultColor: false, tokenizeTimeLimit: 0 } as const;
  const { tokens } = shiki.codeToTokens(code, options);
  let total = 0;
  let differing = 0;
  let example = "";
  for (const token of tokens.flat()) {
    const look = lookOf(token.htmlStyle as Record<string, string>);
    for (let i = 0; i < token.content.length; i++) {
      const { char, look: own } = looks[token.offset + i]!;
      assert.equal(char, token.content[i]);
      if (/\s/.test(char)) continue;
      total++;
      if (own === look) continue;
      differing++;
      example ||= `${JSON.stringify(token.content)}: wanted ${look}, was ${own}`;
    }
  }
  return { differing, total, example };
}

function lookOf(style: Record<string, string>): string {
  const of = (mode: string): string => {
    const font = style[`--shiki-${mode}-font-style`] === "italic" ? "i" : "";
    const weight = style[`--shiki-${mode}-font-weight`] === "bold" ? "b" : "";
    const line = style[`--shiki-${mode}-text-decoration`] ?? "";
    return `${style[`--shiki-${mode}`]!.toLowerCase()}${font}${weight}${line.includes("underline") ? "u" : ""}${line.includes("through") ? "s" : ""}`;
  };
  return `${of("light")} ${of("dark")}`;
}

/** Each character of our HTML with the style of its classes. */
function looksOf(html: string): { char: string; look: string }[] {
  const result: { char: string; look: string }[] = [];
  for (const [, names = "", inside, outside] of html.matchAll(/<span class="([^"]*)">([^<]*)<\/span>|([^<]+)/g)) {
    const lightLook = lookIn("l", light, names);
    const darkLook = lookIn("d", dark, names);
    const text = (inside ?? outside ?? "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
    for (const char of text.split("")) result.push({ char, look: `${lightLook} ${darkLook}` });
  }
  return result;
}

function lookIn(mode: "l" | "d", theme: CodeTheme, names: string): string {
  const own = names
    .split(" ")
    .filter((name) => name.startsWith(mode))
    .map((name) => name.slice(1));
  const color = own.find((name) => /^\d+$/.test(name));
  const fonts = own.filter((name) => /^[a-z]$/.test(name)).join("");
  return `${color === undefined ? theme.foreground : theme.colors[Number(color)]}${fonts}`;
}

/** Every `step`th fence of the pages under a folder. */
function fencesOf(folder: string, step: number): { language: string; code: string }[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .sort();
  const fences = files.flatMap((file) => [
    ...readFileSync(join(folder, file), "utf8").matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)\n```$/gm),
  ]);
  return fences.filter((_, i) => i % step === 0).map(([, language = "", code = ""]) => ({ language, code }));
}
