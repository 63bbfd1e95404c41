import { execFileSync } from "node:child_process";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Root } from "hast";
import { parse as parseOniguruma } from "oniguruma-parser/parser";
import { parseFragment, serialize } from "parse5";
import rehypeStringify from "rehype-stringify";
import remarkRehype from "remark-rehype";
import { createHighlighter as createShiki } from "shiki";
import { bundledLanguages } from "shiki/langs";
import { unified } from "unified";
import { ZipFile } from "yazl";
import { deflateLevel } from "../../src/bundle/archive/archive-pieces.js";
import { createArchive } from "../../src/bundle/archive/index.js";
import { manifestName } from "../../src/bundle/archive/manifest.js";
import { writeHtml } from "../../src/lib/html/write-html.js";
import { parsePattern } from "../../src/lib/textmate/parse-pattern.js";
import { loadParsers } from "../../src/page/content/parse/markdown-parsers.js";
import { createHighlighter } from "../../src/page/highlight/highlighter.js";
import { resolveLanguage } from "../../src/page/highlight/languages.js";
import type { Engine } from "./engine.ts";

/** Blocks of code in one pair of themes: HTML with classes against HTML with styles. */
export async function highlight(pages: readonly string[]): Promise<Engine> {
  const themes = { light: "github-light", dark: "github-dark" };
  const custom = { byName: new Map(), registrations: new Map(), diagnostics: [] };
  const style = { mode: "theme", theme: themes, customLanguages: [] } as const;
  const blocks = pages
    .flatMap((text) => [...text.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```/gm)])
    .map(([, language, code]) => ({ id: resolveLanguage(language!, custom.byName).id, code: code! }))
    .filter(({ id }) => id !== "text");
  const ids = [...new Set(blocks.map(({ id }) => id))];
  const shiki = await createShiki({ langs: ids, themes: Object.values(themes) });
  // A new highlighter each time, since it remembers earlier code. Its rules are therefore compiled each time, too.
  const ours = async () => {
    const highlighter = createHighlighter({ style, custom, version: "bench" });
    await highlighter.prepare(ids);
    return blocks.map(({ id, code }) => highlighter.lines(code, id).join("\n"));
  };
  const theirs = () => blocks.map(({ id, code }) => shiki.codeToHtml(code, { lang: id, themes, defaultColor: false }));
  return {
    library: "shiki",
    unit: "blocks",
    count: blocks.length,
    async compare() {
      const theirTexts = theirs().map(textOfHtml);
      for (const [i, html] of (await ours()).entries())
        if (textOfHtml(html).trimEnd() !== theirTexts[i]!.trimEnd()) throw new Error(`Block ${i} has another text.`);
    },
    ours,
    theirs,
  };
}

function textOfHtml(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll(/&#x([0-9a-fA-F]+);/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** The patterns of common grammars, to trees. */
export async function patterns(): Promise<Engine> {
  const languages =
    "typescript javascript python ruby php java csharp cpp rust go shellscript yaml html css markdown".split(" ");
  const sources = new Set<string>();
  const collect = (value: unknown, key = ""): void => {
    if (typeof value === "string" && /^(?:match|begin|end|while)$/.test(key)) sources.add(value);
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) collect(inner, name);
  };
  for (const language of languages)
    collect((await bundledLanguages[language as keyof typeof bundledLanguages]()).default);
  const all = [...sources];
  const theirs = () =>
    all.map((source) => parseOniguruma(source, { skipBackrefValidation: true, skipPropertyNameValidation: true }));
  return {
    library: "oniguruma-parser",
    unit: "patterns",
    count: all.length,
    compare() {
      const unread = all.filter((source) => parsePattern(source) === undefined).length;
      if (theirs().length !== all.length || unread > all.length / 50)
        throw new Error(`${unread} patterns are not read.`);
      return { leftToShiki: unread };
    },
    ours: () => all.map(parsePattern),
    theirs,
  };
}

/** Markdown to a tree. The test `differential` compares the trees. */
export async function parse(pages: readonly string[]): Promise<Engine> {
  const [native, reference] = await Promise.all([loadParsers("satteri"), loadParsers("remark")]);
  const count = (tree: { readonly children: readonly unknown[] }): number => tree.children.length;
  return {
    library: "remark-parse and remark-gfm",
    unit: "pages",
    count: pages.length,
    compare() {
      const differing = pages.filter(
        (text) => count(native.parseMarkdown(text)) !== count(reference.parseMarkdown(text)),
      );
      if (differing.length > pages.length / 100) throw new Error(`${differing.length} pages have other blocks.`);
    },
    ours: () => pages.map((text) => native.parseMarkdown(text)),
    theirs: () => pages.map((text) => reference.parseMarkdown(text)),
  };
}

/** A tree to HTML. */
export async function html(pages: readonly string[]): Promise<Engine> {
  const parser = await loadParsers("satteri");
  const toHtml = unified().use(remarkRehype).freeze();
  const trees = pages.map((text) => toHtml.runSync(parser.parseMarkdown(text)) as Root);
  const stringifier = unified().use(rehypeStringify).freeze();
  const read = (text: string): string => serialize(parseFragment(text));
  return {
    library: "rehype-stringify",
    unit: "pages",
    count: trees.length,
    compare() {
      for (const [i, tree] of trees.entries())
        if (read(writeHtml(tree)) !== read(stringifier.stringify(tree))) throw new Error(`Page ${i} reads otherwise.`);
    },
    ours: () => trees.map((tree) => writeHtml(tree)),
    theirs: () => trees.map((tree) => stringifier.stringify(tree)),
  };
}

/** Files of a bundle to a `.zip`, with the same level of compression. Ours also reuses unchanged files of the previous archive. */
export async function zip(pages: readonly string[], folder: string): Promise<Engine> {
  const bundle = join(folder, "bundle");
  mkdirSync(bundle);
  const files = pages.map((text, i) => ({ path: `page-${i}.md`, bytes: Buffer.byteLength(text) }));
  for (const [i, { path }] of files.entries()) writeFileSync(join(bundle, path), pages[i]!);
  writeFileSync(join(bundle, manifestName), JSON.stringify({ files }));
  const target = { ours: join(folder, "ours.zip"), theirs: join(folder, "theirs.zip") };
  const ours = () => createArchive(bundle, target.ours);
  const theirs = async () => {
    const archive = new ZipFile();
    for (const { path } of [{ path: manifestName }, ...files])
      archive.addFile(join(bundle, path), path, { mtime: new Date(0), compressionLevel: deflateLevel });
    archive.end();
    await pipeline(archive.outputStream, createWriteStream(target.theirs));
  };
  return {
    library: "yazl",
    unit: "files",
    count: files.length,
    async compare() {
      await Promise.all([ours(), theirs()]);
      const [first, second] = Object.values(target).map((path) =>
        execFileSync("unzip", ["-Z1", path], { encoding: "utf8" }),
      );
      if (first !== second) throw new Error("The archives hold other files.");
    },
    ours,
    theirs,
  };
}
