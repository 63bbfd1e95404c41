import assert from "node:assert/strict";
import type { Element } from "hast";
import { describe, test } from "vitest";
import { writeHtml } from "../../../src/lib/html/write-html.js";
import { messagesFor } from "../../../src/lib/language/index.js";
import { codeGroup, requestExample } from "../../../src/page/components/CodeGroup.js";
import { codeThemeCss } from "../../../src/page/highlight/code-theme-css.js";
import { type CodeOptions, createCode } from "../../../src/page/highlight/create-code.js";
import { createIcons } from "../../../src/page/icons/create-icons.js";
import type { CodeblockStyle } from "../../../src/site/config/site-config.js";
import type { SiteFiles } from "../../../src/site/source/site-files.js";
import { withinCpu } from "../../support/machine-time.js";

const style: CodeblockStyle = {
  mode: "system",
  theme: { light: "github-light-default", dark: "dark-plus" },
  customLanguages: [],
};
const pages = { light: [255, 255, 255], dark: [11, 12, 14] } as const;
const location = { sourcePath: "a.mdx", line: 3, column: 1 };
const icons = createIcons({ library: "lucide" });
const drawIcon = (name: string) => icons.icon({ name }).node;

function filesOf(texts: Readonly<Record<string, string>>): SiteFiles {
  return {
    root: "/site",
    paths: Object.keys(texts),
    has: (path) => path in texts,
    sizeOf: (path) => Buffer.byteLength(texts[path]!),
    readText: (path) => texts[path]!,
    readBytes: (path) => new TextEncoder().encode(texts[path]),
    absolutePath: (path) => `/site/${path}`,
  };
}

const messages = messagesFor("en");
const surroundings = { location, messages, icon: drawIcon };

function codeOf(more: Partial<CodeOptions> = {}): ReturnType<typeof createCode> {
  return createCode({
    style,
    files: filesOf({}),
    locationOfGrammar: () => ({ sourcePath: "docs.json" }),
    version: "test",
    ...more,
  });
}

async function blockOf(code: string, language?: string, meta?: string, port = codeOf()) {
  await port.prepare([{ value: code, lang: language ?? null, meta: meta ?? null }]);
  return port.block(code, language, meta, surroundings);
}

test("long code has its lines in groups of fifty, which do not change its text", async () => {
  const codeFor = (count: number) => Array.from({ length: count }, (_, i) => `line ${i} < &`).join("\n");
  const htmlOf = async (count: number, meta?: string) => {
    const html = writeHtml((await blockOf(codeFor(count), "text", meta)).node).match(
      /<code[^>]*>([\s\S]*)<\/code>/,
    )![1]!;
    const text = html
      .replace(/<[^>]+>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    assert.equal(text, codeFor(count));
    return html;
  };
  const sizesOf = (html: string) =>
    [...html.matchAll(/<span class="lines">([^<]*)<\/span>/g)].map(([, group]) => group!.trim().split("\n").length);
  assert.deepEqual(sizesOf(await htmlOf(200)), [50, 50, 50, 50]);
  assert.deepEqual(sizesOf(await htmlOf(199)), [50, 50, 50]);
  assert.doesNotMatch(await htmlOf(149), /"lines"/);
  assert.doesNotMatch(await htmlOf(200, "lines"), /"lines"/);
  assert.doesNotMatch(await htmlOf(200, "{3}"), /"lines"/);
});

const htmlOf = (node: unknown): string => writeHtml(node as Element);

async function htmlOfBlock(code: string, language?: string, meta?: string): Promise<string> {
  return htmlOf((await blockOf(code, language, meta)).node);
}

test("a block without title is a frame and its text", async () => {
  const html = await htmlOfBlock("a < b\n& c");
  assert.match(html, /^<div class="code-block" data-component-part="code-block-root">/);
  assert.match(html, /<pre class="code-block-scroll" tabindex="0" role="group" aria-label="Code">/);
  assert.ok(html.includes("<code>a &lt; b\n&amp; c</code>"));
});

test("a title makes it a figure with a caption", async () => {
  const html = await htmlOfBlock("x", "ts", `src/"a".ts`);
  assert.match(html, /^<figure [^>]*data-language="TypeScript"><figcaption class="code-block-header"/);
  assert.match(html, /data-component-part="code-block-header-filename">src\/"a"\.ts<\/span>/);
  assert.match(html, /aria-label="src\/&quot;a&quot;\.ts"/);
});

const marks = [
  // a fence with …        options            the HTML holds
  ["lines", "lines", /<code class="has-line-numbers">/],
  ["marked lines", "{2}", /<span class="line line-highlight">/],
  ["focus", "focus={1}", /<code class="has-focused"><span class="line line-focus">/],
  ["wrap", "wrap", /class="code-block code-block-wrap"/],
] as const;
for (const [rule, meta, wanted] of marks)
  test(`a fence with ${rule} gets its class`, async () =>
    assert.match(await htmlOfBlock("a\nb", "text", meta), wanted));

test("a diff marks its lines", async () => {
  const html = await htmlOfBlock("a = 1; // [!code --]\na = 2; // [!code ++]", "js");
  assert.match(html, /class="line line-diff line-remove"/);
  assert.match(html, /class="line line-diff line-add"/);
  assert.doesNotMatch(html, /!code/);
});

test("a long block is collapsed, a short one is not", async () => {
  const long = await htmlOfBlock("x\n".repeat(20), "text", "expandable");
  assert.match(long, /class="code-block code-block-folded"[\s\S]*<details class="code-block-fold">/);
  assert.doesNotMatch(await htmlOfBlock("x\ny", "text", "expandable"), /details/);
});

test("nocopy, as an option or as the language, leaves out the button", async () => {
  assert.doesNotMatch(await htmlOfBlock("x", "js", "nocopy"), /<button/);
  assert.doesNotMatch(await htmlOfBlock("x", "nocopy"), /<button/);
});

test("options are read when the language is missing", async () => {
  assert.match(await htmlOfBlock("x", `title="a`, `b"`), /header-filename">a b</);
  assert.match(await htmlOfBlock("a\nb", "js{2}"), /line line-highlight/);
});

test("an icon is shown in the header", async () => {
  const { node } = await blockOf("x", "js", "a.js icon=bolt");
  assert.match(htmlOf(node), /<span class="code-block-icon"[^>]*><svg class="icon"/);
});

const languages = [
  // language        label            diagnostic
  ["ts", "TypeScript", undefined],
  ["TypeScript", "TypeScript", undefined],
  ["bash", "Bash", undefined],
  ["curl", "cURL", undefined],
  ["jsonc", "JSON", undefined],
  ["console", "Console", undefined],
  ["c#", "C#", undefined],
  ["dockerfile", "Dockerfile", undefined],
  ["text", undefined, undefined],
  ["output", undefined, undefined],
  ["erb", "ERB", undefined],
  ["kusto", "Kusto", undefined],
  ["gradle", "Gradle", undefined],
  ["pgsql", "SQL", undefined],
  ["conf", "INI", undefined],
  ["result", undefined, undefined],
  [
    "zzzzzz",
    undefined,
    'write "text" for plain text, or add a grammar for the language to styling.codeblocks.languages.custom.',
  ],
  ["pyhton", undefined, 'write "python".'],
  ["javascrpt", undefined, 'write "javascript".'],
] as const;
for (const [written, label, fix] of languages) {
  test(`the language "${written}" is known as ${label}`, async () => {
    const { info, diagnostics } = await blockOf("x", written);
    assert.equal(info.language, label);
    assert.equal(diagnostics[0]?.fix, fix);
    assert.equal(diagnostics[0]?.code, fix && "UNKNOWN_LANGUAGE");
  });
}

test("an overlong block is shown without colours, and quickly", async () => {
  await withinCpu(5000, async () => {
    const port = codeOf();
    const line = `const a = "${"x".repeat(20_000)}";`;
    assert.doesNotMatch(htmlOf((await blockOf(line, "ts", "", port)).node), /class="[ld]\d/);
    const big = "const a = 1;\n".repeat(20_000);
    assert.doesNotMatch(htmlOf((await blockOf(big, "ts", "", port)).node), /class="[ld]\d/);
  });
});

test("the style sheet has a rule for every class, and none for the default colour", async () => {
  const css = await codeThemeCss(style, pages);
  const html = await htmlOfBlock(`const a: string = f(\`x\${1}\`); // c`, "ts");
  const names = new Set([...html.matchAll(/<span class="([^"]+)"/g)].flatMap((match) => match[1]!.split(" ")));
  names.delete("line");
  assert.ok(names.size > 4);
  for (const name of names) assert.ok(css.includes(`pre .${name}{`), name);
  assert.ok(Buffer.byteLength(css) < 4000);
});

test("a site that is dark in both modes has one set of rules", async () => {
  const css = await codeThemeCss({ ...style, mode: "dark" }, pages);
  assert.doesNotMatch(css, /html/);
  assert.match(css, /--code-bg:#0b0c0e/);
});

test("a code theme chosen by the site sets the background", async () => {
  const css = await codeThemeCss({ ...style, mode: "theme", theme: { light: "dracula", dark: "dracula" } }, pages);
  assert.match(css, /--code-bg:#282a36/i);
});

test("the theme css-variables uses the site's variables, with the page's colours as fallbacks", async () => {
  const css = await codeThemeCss(
    { ...style, mode: "theme", theme: { light: "css-variables", dark: "css-variables" } },
    pages,
  );
  assert.match(css, /var\(--mint-token-string, var\(--color-tip\)\)/);
  assert.match(css, /--code-fg:var\(--mint-color-text, var\(--color-text\)\)/);
});

test("a grammar of the site highlights its language", async () => {
  const grammar = {
    name: "Acme",
    scopeName: "source.acme",
    fileTypes: ["ac"],
    patterns: [{ match: "\\bgo\\b", name: "keyword.control" }],
  };
  const port = codeOf({
    style: { ...style, customLanguages: ["/grammars/acme.json"] },
    files: filesOf({ "grammars/acme.json": JSON.stringify(grammar) }),
  });
  const { node, info } = await blockOf("go home", "ac", "", port);
  assert.equal(info.language, "Acme");
  assert.match(htmlOf(node), /<span class="l\d+ d\d+">go<\/span> home/);
});

test("a broken grammar is reported, and its language is plain text", async () => {
  const port = codeOf({
    style: { ...style, customLanguages: ["bad.json", "missing.json"] },
    files: filesOf({ "bad.json": "{" }),
  });
  assert.deepEqual(
    port.diagnostics.map(({ code, location: at }) => [code, at?.sourcePath]),
    [
      ["CODE_GRAMMAR_INVALID", "bad.json"],
      ["CODE_GRAMMAR_INVALID", "docs.json"],
    ],
  );
});

describe("blocks stored between runs", () => {
  const blocks = ["const a = 1;", "let b = 2;", "var c = 3;"];
  /** Renders pages with these blocks; gives their HTML, and how many cache entries were read and written. */
  async function run(cache: Map<string, Uint8Array>, pages: Readonly<Record<string, readonly string[]>>) {
    const counts = { read: 0, written: 0 };
    const port = codeOf({
      cache: {
        get: (key) => {
          counts.read++;
          return cache.get(key);
        },
        put: (key, value) => {
          counts.written++;
          cache.set(key, value);
        },
      },
    });
    const html: string[] = [];
    for (const [name, texts] of Object.entries(pages)) {
      port.beginPage(name);
      await port.prepare(texts.map((value) => ({ value, lang: "ts" })));
      for (const text of texts) html.push(htmlOf(port.block(text, "ts", "", surroundings).node));
      port.endPage();
    }
    return { html, ...counts };
  }
  const lengthOf = (cache: Map<string, Uint8Array>) => [...cache.values()].map((value) => value.length);

  test("cached blocks are one entry for each page, read once, and written if a block is new", async () => {
    const cache = new Map<string, Uint8Array>();
    const cold = await run(cache, { a: blocks, b: [], c: ["none"] });
    assert.deepEqual([cold.read, cold.written], [2, 2]);
    const warm = await run(cache, { a: blocks, b: [], c: ["none"] });
    assert.deepEqual(warm, { ...cold, written: 0 });
  });
  test("cached blocks are found again after the page's first block changes", async () => {
    const cache = new Map<string, Uint8Array>();
    await run(cache, { a: blocks });
    const kept = [...cache.values()][0]!;
    // If the others were highlighted again, this would not appear.
    const marked = Buffer.from(kept).toString("utf8").replaceAll("</span>", "</SPAN>");
    for (const key of cache.keys()) cache.set(key, Buffer.from(marked));
    const { html } = await run(cache, { a: ["new(1);", ...blocks.slice(1)] });
    assert.deepEqual(
      html.map((each) => each.includes("</SPAN>")),
      [false, true, true],
    );
    assert.equal(cache.size, 1);
  });
  test("cached blocks of pages with the same start have separate entries, and deleted ones are dropped", async () => {
    const cache = new Map<string, Uint8Array>();
    await run(cache, { a: [blocks[0]!, blocks[1]!], b: [blocks[0]!, blocks[2]!] });
    const [first, second] = lengthOf(cache);
    assert.ok(Math.abs(first! - second!) < 20);
    await run(cache, { a: ["while (1);"] });
    assert.ok(lengthOf(cache)[0]! < first!);
  });
});

test("the same code gives the same HTML, regardless of earlier blocks", async () => {
  const [a, b] = ["const x = `$" + "{y}`;", "function f<T>(): void {}"];
  const first = codeOf();
  const second = codeOf();
  const one = [await blockOf(a, "ts", "", first), await blockOf(b, "ts", "", first)].map(({ node }) => htmlOf(node));
  const two = [await blockOf(b, "ts", "", second), await blockOf(a, "ts", "", second)].map(({ node }) => htmlOf(node));
  assert.deepEqual(one, two.reverse());
});

test("a group shows its blocks under their titles, without headers", async () => {
  const [npm, plain] = [await blockOf("npm i", "bash", "npm"), await blockOf("x = 1", "python")];
  const items = [npm, plain].map(({ node, info }) => ({ name: "code", props: info, children: [node] }));
  const html = htmlOf(codeGroup.render({ items, children: [], messages }));
  assert.match(html, /role="tab"[^>]*aria-selected="true"[^>]*data-tab-title="npm"/);
  assert.match(html, /<p class="tab-title code-group-title">Python<\/p>/);
  assert.equal(html.match(/role="tabpanel"/g)?.length, 2);
  assert.doesNotMatch(html, /code-block-header|figure/);
});

test("an example without content renders nothing", () => {
  assert.equal(htmlOf(requestExample.render({ children: [], items: [], messages })), "");
});
