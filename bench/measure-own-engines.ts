// How much processor time does an engine of ours take, and how much the library that could take its place? Both get the same
// input, in turns, and what they make is compared first. Prints one JSON line.
//
//   measure-own-engines.ts <engine> <site> <output>
import { execFileSync } from "node:child_process";
import { createWriteStream, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Root } from "hast";
import { parseFragment, serialize } from "parse5";
import rehypeStringify from "rehype-stringify";
import remarkRehype from "remark-rehype";
import { createHighlighter as createShiki } from "shiki";
import { unified } from "unified";
import { ZipFile } from "yazl";
import { deflateLevel } from "../src/bundle/archive/archive-pieces.js";
import { createArchive } from "../src/bundle/archive/index.js";
import { manifestName } from "../src/bundle/archive/manifest.js";
import { writeHtml } from "../src/lib/html/write-html.js";
import { loadParsers } from "../src/page/content/parse/markdown-parsers.js";
import { createHighlighter } from "../src/page/highlight/highlighter.js";
import { resolveLanguage } from "../src/page/highlight/languages.js";

/** What both do in a round. */
interface Engine {
  readonly library: string;
  readonly unit: string;
  readonly count: number;
  /** Throws if what they make differs. */
  compare(): void | Promise<void>;
  ours(): unknown;
  theirs(): unknown;
}

const rounds = 5;
const [name, site, output] = process.argv.slice(2);
const engines: Readonly<Record<string, (texts: readonly string[], folder: string) => Promise<Engine>>> = {
  highlight,
  parse,
  html,
  zip,
};
const open = engines[name ?? ""];
if (open === undefined || site === undefined || output === undefined)
  throw new Error(`usage: measure-own-engines.ts <${Object.keys(engines).join("|")}> <site> <output>`);

const texts = globSync("**/*.{md,mdx}", { cwd: site })
  .toSorted()
  .map((path) => readFileSync(join(site, path), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "offprint-engines-"));
try {
  const engine = await open(texts, folder);
  await engine.compare();
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round <= rounds; round++)
    for (const side of round % 2 === 0 ? (["ours", "theirs"] as const) : (["theirs", "ours"] as const)) {
      const before = process.cpuUsage();
      await engine[side]();
      const { user, system } = process.cpuUsage(before);
      // The first round compiles the code.
      if (round > 0) times[side].push((user + system) / 1000);
    }
  const [oursMs, theirsMs] = [median(times.ours), median(times.theirs)];
  const { library, unit, count } = engine;
  console.log(
    JSON.stringify({ engine: name, library, [unit]: count, oursMs, theirsMs, share: round2(oursMs / theirsMs) }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function median(values: readonly number[]): number {
  return round2(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!);
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Blocks of code in one pair of themes: HTML with classes against HTML with styles. */
async function highlight(pages: readonly string[]): Promise<Engine> {
  const themes = { light: "github-light", dark: "github-dark" };
  const custom = { byName: new Map(), registrations: new Map(), diagnostics: [] };
  const style = { mode: "theme", theme: themes, customLanguages: [] } as const;
  const blocks = pages
    .flatMap((text) => [...text.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```/gm)])
    .map(([, language, code]) => ({ id: resolveLanguage(language!, custom.byName).id, code: code! }))
    .filter(({ id }) => id !== "text");
  const ids = [...new Set(blocks.map(({ id }) => id))];
  const shiki = await createShiki({ langs: ids, themes: Object.values(themes) });
  // A new one each time, since a highlighter remembers what it has highlighted. So its rules are compiled each time, too.
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

/** Markdown to a tree. The test `differential` compares the trees. */
async function parse(pages: readonly string[]): Promise<Engine> {
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
async function html(pages: readonly string[]): Promise<Engine> {
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
async function zip(pages: readonly string[], folder: string): Promise<Engine> {
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
