import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import { sampleOf } from "../../quality/bundle.js";
import { withinCpu } from "../../support/machine-time.js";
import { patienceMs } from "../../support/patience.js";
import { outline, readPage } from "./read-page.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const many = (text: string, count: number): string => text.repeat(count);

/** Each breaks at most its own page, within a few seconds. */
const pages: readonly (readonly [what: string, source: string])[] = [
  ["56 kB of nested emphasis", many("*a **a ", 8000)],
  ["emphasis one within the other", many("*a ", 8000) + many("b*", 8000)],
  ["200,000 letters after the language of a code block", `\`\`\`js ${many("a", 200_000)}\nx\n\`\`\`\n`],
  ["50,000 quote signs", `${many(">", 50_000)}a`],
  ["5,000 list signs on a line", `${many("- ", 5000)}a`],
  ["a list 1,000 deep", Array.from({ length: 1000 }, (_, level) => `${many("  ", level)}- a`).join("\n")],
  ["4,000 brackets in an expression", `{${many("[", 4000)}${many("]", 4000)}}`],
  ["50,000 brackets in an expression", `{${many("[", 50_000)}${many("]", 50_000)}}`],
  ["600 brackets in an expression", `{${many("[", 600)}${many("]", 600)}}`],
  ["brackets that close in strings", `{${many('["]",', 20_000)}}`],
  ["4,000 templates", `{${many("`${", 4000)}1${many("}`", 4000)}}`],
  ["50,000 exclamation marks", `{${many("!", 50_000)}1}`],
  ["50,000 words that nest", `{${many("typeof ", 50_000)}1}`],
  ["20,000 conditionals", `{${many("a?b:", 20_000)}1}`],
  ["20,000 arrows", `export const a = ${many("a=>", 20_000)}1`],
  ["20,000 ifs", `export function a() {${many("if(a)", 20_000)}b}`],
  ["20,000 elses", `export function a() {${many("if(a){}else ", 20_000)}b}`],
  ["20,000 powers", `{${many("a**", 20_000)}1}`],
  ["20,000 elements in an expression", `{${many("<a>", 20_000)}${many("</a>", 20_000)}}`],
  ["20,000 attributes within attributes", `${many("<a b={", 20_000)}1${many("}/>", 20_000)}`],
  ["20,000 classes", `{${many("class extends ", 20_000)}a${many("{}", 20_000)}}`],
  ["1,600 tags", `${many("<a>", 1600)}${many("</a>", 1600)}`],
  ["20,000 open braces", many("{", 20_000)],
  ["20,000 open tags", many("<a ", 20_000)],
  ["20,000 open tags with quotes", many('<a b="', 20_000)],
  ["20,000 comments that are not closed", many("<!-- ", 20_000)],
  ["100,000 dollars", many("$a ", 100_000)],
  ["100,000 double dollars", many("$$a\n\n", 50_000)],
  ["100,000 signs of headings", many("# a {#", 30_000)],
  ["runs of backticks", Array.from({ length: 2000 }, (_, length) => many("`", length % 300)).join(" ")],
  ["50,000 brackets of links", many("[", 50_000)],
  ["20,000 links that are not closed", many("[a](", 20_000)],
  ["a row of pipes", `|${many("a|", 20_000)}\n|${many("-|", 20_000)}\n|${many("$b|", 20_000)}`],
  ["20,000 references without a definition", many("[word][name]\n\n", 20_000)],
  ["100,000 spaces before front matter that is not one", `${many(" ", 100_000)}title: a`],
  ["100,000 spaces within front matter that is not one", `--${many(" ", 100_000)}a`],
  ["20,000 variables", many("{{a}} ", 20_000)],
  ["5,000 unknown names", many("{a} ", 5000)],
  ["30 mistakes and more", many("a <3\n\n", 200)],
  [
    "a string that doubles",
    `export const a = "${many("x", 1000)}"\n${Array.from({ length: 30 }, (_, n) => `export const a${n} = ${n === 0 ? "a + a" : `a${n - 1} + a${n - 1}`}`).join("\n")}\n\n{a29}`,
  ],
  [
    "a list that doubles",
    `${Array.from({ length: 30 }, (_, n) => `export const a${n} = ${n === 0 ? "[1]" : `[...a${n - 1}, ...a${n - 1}]`}`).join("\n")}\n\n{a29}`,
  ],
  [
    "content that doubles",
    `${Array.from({ length: 30 }, (_, n) => `export const a${n} = ${n === 0 ? "<b/>" : `<b>{a${n - 1}}{a${n - 1}}</b>`}`).join("\n")}\n\n{a29}`,
  ],
  [
    "components that double",
    `${Array.from({ length: 30 }, (_, n) => `export const A${n} = () => ${n === 0 ? "<b/>" : `<b><A${n - 1}/><A${n - 1}/></b>`}`).join("\n")}\n\n<A29/>`,
  ],
  [
    "lists of lists",
    `${Array.from({ length: 30 }, (_, n) => `export const a${n} = ${n === 0 ? "[1]" : `[a${n - 1}, a${n - 1}]`}`).join("\n")}\n\n{a29} {\`\${a29}\`} <b a={a29} {...{b: a29}}/>`,
  ],
  [
    "a tree that grows by a level a line",
    Array.from({ length: 3000 }, (_, n) => `export const a${n} = ${n === 0 ? "<b/>" : `<b>{a${n - 1}}</b>`}`).join(
      "\n",
    ) + Array.from({ length: 3000 }, (_, n) => `\n\n{a${n}}`).join(""),
  ],
  ["components without end", "export const A = ({n}) => <A n={n + 1}/>\n\n<A n={1}/>"],
  ["null characters", `a${many("\0", 1000)}{b}`],
  ["lone surrogates", `# \ud800\n\n{"\udc00"} $\ud800$`],
  ["only our own placeholders", many("\uE000\uF8FF", 20_000)],
];
for (const [what, source] of sampleOf(pages, 9))
  test(`a hostile page of ${what} is read within five seconds`, async () => {
    const page = await withinCpu(5000, () => readPage(source));
    expect(outline(page.tree).length).toBeLessThan(30_000_000);
    for (const { what: text } of page.diagnostics) expect(text.length).toBeLessThan(500);
  });

test("20,000 signs that look like open tags cost two parses, and are text", async () => {
  const page = await withinCpu(2500, () => readPage(many("<a ", 20_000)));
  expect(page.diagnostics.map(({ code }) => code)).toEqual(["MDX_SYNTAX"]);
  expect(outline(page.tree)).toContain("<a <a <a");
});

test("nesting deeper than any page needs is refused with a diagnostic", async () => {
  const page = await readPage(`a\n\n{${many("[", 3000)}${many("]", 3000)}}`);
  expect(page.diagnostics).toMatchObject([{ code: "NESTING_TOO_DEEP", location: { line: 3, column: 1 } }]);
});

test("no null character gets into the page", async () => {
  const page = await readPage("---\ntitle: x\n---\na\0b `c\0` {'d\\0'} <A x='\0' y={'\\0'}/>\n\n```\n\0\n```");
  const strings = JSON.stringify(page.tree);
  expect(strings).not.toContain("\\u0000");
  expect(strings.match(/\uFFFD/g)).toHaveLength(7);
});

test("lists and quotes can be nested a hundred levels deep", async () => {
  const deep = await readPage(`${many("> ", 150)}a`);
  expect(deep.diagnostics).toEqual([]);
  const deeper = await readPage(`${many("> ", 1000)}a`);
  expect(deeper.diagnostics.map(({ code }) => code)).toEqual(["NESTING_TOO_DEEP"]);
});

test("a page of 5 MB is refused, one of 1.9 MB is read", async () => {
  const big = await readPage(
    `${many("word and word\n\n", 350_000)}## The end\n\n${many("word and word\n\n", 300_000)}`,
  );
  expect(big.ok).toBe(false);
  expect(big.diagnostics).toMatchObject([
    { code: "PAGE_TOO_LARGE", fix: 'split it into several pages, for example before "## The end" on line 700001.' },
  ]);
  const large = await readPage(many(`${many("word and word ", 80)}\n\n`, 1_700));
  expect(large.ok).toBe(true);
});

test("embedded pictures do not count as text of the page", async () => {
  const picture = (megabytes: number) =>
    `Before\n\n<img src="data:image/png;base64,${many("iVBORw0KGgoAAAAN", megabytes * 65_536)}" />\n\nAfter`;
  // In a process that has compiled many patterns, the engine stops optimizing them: one that takes in a whole picture fails.
  setFlagsFromString("--no-regexp-optimization");
  try {
    for (const text of [picture(5), picture(7.9), picture(7.9).replace('<img src="', "![](").replace('" />', ")")]) {
      const page = await readPage(text);
      expect(page.ok).toBe(true);
      expect(page.tree.children).toHaveLength(3);
    }
  } finally {
    setFlagsFromString("--regexp-optimization");
  }
  expect((await readPage(picture(9))).diagnostics).toMatchObject([{ code: "PAGE_TOO_LARGE" }]);
});

test("a page may show fewer code blocks than paragraphs, since an empty block becomes 600 bytes of HTML", async () => {
  const page = await readPage(many("```\n```\n\n", 41_000));
  expect(page.diagnostics).toMatchObject([{ code: "PAGE_TOO_MANY_NODES", location: { line: 120_001, column: 1 } }]);
  expect(page.tree.children).toHaveLength(40_000);
});

test("formulas count as nodes of their page", async () => {
  const page = await readPage(many(`${many("$x$ ", 8)}\n\n`, 8000));
  expect(page.diagnostics).toMatchObject([{ code: "PAGE_TOO_MANY_NODES", location: { line: 15_385, column: 9 } }]);
});

test("a passage that would keep the native parser busy for minutes is refused; the same signs in many passages are read", async () => {
  for (const signs of ["a&nbsp;", "{a}", "<b>x</b> "]) {
    const passage = await readPage(many(signs, 50_000));
    expect(passage.diagnostics).toMatchObject([{ code: "PASSAGE_TOO_LARGE", location: { line: 1 } }]);
  }
  const passages = await readPage(many(`${many("a&nbsp;", 10)}\n\n`, 5_000));
  expect(passages.ok).toBe(true);
  const fenced = await readPage(`\`\`\`json\n${many('{ "a": "<b>" }\n', 30_000)}\`\`\`\n\nText.`);
  expect(fenced.ok).toBe(true);
});

test("in a worker thread, whose stack is smaller, no page ends the process", () => {
  // Within the project, so that the bundle finds its packages.
  const bundle = join(root, ".cache", `content-${process.pid}.mjs`);
  try {
    buildSync({
      entryPoints: [join(root, "src/page/content/index.ts")],
      outfile: bundle,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
    });
    const script = fileURLToPath(new URL("./hostile-thread.js", import.meta.url));
    const outcome = spawnSync(process.execPath, [script, bundle], { encoding: "utf8", timeout: patienceMs });
    expect(outcome.stderr).toBe("");
    expect(outcome.signal).toBeNull();
    expect(outcome.status).toBe(0);
  } finally {
    rmSync(bundle, { force: true });
  }
});
