// One repository: converted, exported, and each page compared with its source.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTreeAdapterMap, parse } from "parse5";
import { type ExportRun, runExport } from "../run-export.ts";
import { type Counts, createCounts } from "../specs/tally.ts";
import { inlineElements, silentElements, wordsIn } from "../specs/words.ts";
import { checkNavigation, type Note, readNavigation } from "./check-navigation.ts";
import { readRepository } from "./source-repository.ts";
import { readBlocks, shapesOf } from "./source-text.ts";

const command = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

export interface ImportResult {
  readonly name: string;
  readonly tool: string;
  /** By the reader of this folder. */
  readonly expectedTool: string | undefined;
  readonly exitCode: number | null;
  readonly seconds: number;
  readonly pages: number;
  readonly notes: number;
  readonly losses: number;
  readonly refused: string | undefined;
  readonly run: ExportRun | undefined;
  readonly counts: Counts;
}

interface InitResult {
  readonly tool?: string;
  readonly message?: string;
  readonly losses?: number;
  readonly notes?: readonly Note[];
  readonly pages?: readonly { readonly path: string; readonly source: string }[];
}

export async function checkImport(name: string, folder: string, work: string, examples: number): Promise<ImportResult> {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const site = join(work, "site");
  const started = performance.now();
  const init = spawnSync(process.execPath, [command, "init", "--from", folder, site, "--json"], {
    encoding: "utf8",
    maxBuffer: 1024 ** 3,
    timeout: 600_000,
  });
  const seconds = (performance.now() - started) / 1_000;
  const result = lastJson(init.stdout || init.stderr);
  const counts = createCounts(examples);
  const repository = readRepository(folder, new Set(result.pages?.map(({ source }) => source)));
  const base = {
    name,
    tool: result.tool ?? "",
    expectedTool: repository?.tool,
    exitCode: init.status,
    seconds,
    pages: result.pages?.length ?? 0,
    notes: result.notes?.filter(({ kind }) => kind !== "hint").length ?? 0,
    losses: result.losses ?? 0,
    refused: result.tool === undefined ? (result.message ?? init.stderr.slice(0, 300)) : undefined,
    counts,
  };
  if (result.tool === undefined || repository === undefined) return { ...base, run: undefined };
  const notes = result.notes ?? [];
  const pathOf = new Map((result.pages ?? []).map(({ path, source }) => [source, path]));
  const notedIn = Map.groupBy(notes, ({ sourcePath }) => sourcePath);
  const isNamed = (file: string, text = ""): boolean =>
    (notedIn.get(file) ?? []).some(({ what, kind }) => kind !== "hint" && what.includes(text));

  /** In a folder whose name says that it contains parts of other pages. */
  const inParts = (file: string): boolean =>
    notes.some(
      ({ kind, sourcePath }) =>
        (kind === "not a page" || kind === "site") &&
        (sourcePath === "." ? !file.includes("/") : file.startsWith(`${sourcePath}/`)),
    );
  const used = includedNames(folder, repository.pages);
  for (const file of repository.pages) {
    const isPart = used.has(file.replace(/^.*\//, "")) || /(?:^|\/)_/.test(file.replace(/\/_index\.mdx?$/, ""));
    counts.check(
      "page",
      pathOf.has(file) || isNamed(file) || isPart || inParts(file),
      file,
      () => "is not in the new site and not named",
    );
  }
  const newPath = (file: string) =>
    inParts(file) && !pathOf.has(file) ? null : pathOf.get(file)?.replace(/\.mdx$/, "");
  const converted = new Set([...pathOf.values()].map((path) => path.replace(/\.mdx$/, "")));
  checkNavigation(repository.navigation, readNavigation(site), notes, counts, newPath, converted);
  const run = await runExport(site, work, 900);
  counts.check("export", run.exitCode === 0 || run.exitCode === 1, name, () => run.lastLines);
  for (const file of repository.pages) {
    const path = pathOf.get(file);
    const html = path === undefined ? undefined : join(run.bundle, htmlPath(path));
    if (html === undefined || !existsSync(html)) continue;
    const page = readPage(readFileSync(html, "utf8"));
    const converted = wordsIn(readFileSync(join(site, path!), "utf8"));
    const written = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n");
    const source = readBlocks(written, repository.slug);
    for (const id of source.anchors)
      counts.check("anchor", page.ids.has(id) || isNamed(file, id), file, () => `lacks #${id}`);
    for (const segments of source.code) {
      const missing = segments.find(
        (words) => !page.text.includes(words) && !(!page.hasError && converted.includes(words)),
      );
      counts.check(
        "code block",
        missing === undefined || isNamed(file, "code") || (notedIn.get(file) ?? []).some(({ kind }) => kind === "code"),
        file,
        () => `lacks code: ${missing!.slice(0, 120)}`,
      );
    }
    const blocks = page.blocks.map(shapesOf);
    for (const [lines, all] of source.plain.map(shapesOf)) {
      const shown = blocks.filter(([other]) => other === lines);
      if (lines !== "" && shown.length > 0)
        counts.check(
          "code block",
          shown.some(([, other]) => other === all),
          file,
          () => `has other empty lines: ${lines.slice(0, 80)}`,
        );
    }
    const leftovers = [...page.prose.matchAll(leftover)].map(([text]) => text);
    const infos = (written.match(/^[ \t>]*(?:`{3,}|~{3,}).*$/gm) ?? []).join("\n");
    const unnamed = leftovers.filter(
      (text) =>
        // The authors have escaped it, or it is in the title of code.
        !written.includes(text.replace(/[{}]/g, "\\$&")) &&
        !infos.includes(text) &&
        !isNamed(file, text.slice(0, 40).trim()) &&
        !isNamed(file, text.replace(/^\{\{\s*|\s*\}\}$/g, "").slice(0, 30)),
    );
    counts.check("literal leftover", unnamed.length === 0, file, () => unnamed.slice(0, 3).join(" | "));
    counts.check("error box", !page.hasError, file, () => page.error);
  }
  return { ...base, run };
}

/** Syntax of other tools that readers would see. */
const leftover =
  /(?<![:\w]):::+\s?\w+|(?:^|\n)\s*::\w+|(?<!\w)!!![ \t]*\w+|(?<!\w)\?\?\?\+?[ \t]+\w+|(?:^|\n)\s*\/\/\/(?:\s+\w+)?\s*(?=\n)|=== "[^"]*"|\{\{[^\n{}]{0,60}\}\}|\{%[^\n]{0,60}|\{: ?[.#\w][^\n]{0,40}\}|\{#[\w-]+\}|(?:^|\n)\s*\{\.[\w-][^{}\n]*\}|\bv-(?:if|for|bind|html|else)=|(?:^|\n)\s*import \S.{0,60} from ["'][^\n]*|-{1,}8<-|<<< ?@?\/[^\s]+|\[block:\w+\]|\{\* [^*]*\*\}|\[!(?:NOTE|TIP|WARNING|IMPORTANT|CAUTION)\]|\[TOC\]|\[\[toc\]\]|!!!\s*include\(|\{:? ?(?:[\w-]+=(?:"[^"]*"|'[^']*') ?)+\}|<!--/g;

const htmlPath = (path: string): string =>
  path
    .replace(/\.mdx$/, "")
    .replace(/(?:^|\/)index$/, (end) => (end === "index" ? "index" : ""))
    .concat(".html");

function lastJson(text: string): InitResult {
  try {
    return JSON.parse(text.trim().split("\n").at(-1) ?? "{}") as InitResult;
  } catch {
    return {};
  }
}

/** Names of files that others include or import: parts of pages. */
function includedNames(folder: string, pages: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const file of pages)
    for (const [, path] of readFileSync(join(folder, file), "utf8").matchAll(
      /(?:@include:\s*|from\s+["']|include\s+["']|8<-+\s+["']|<include[^>]*>|#include\s+)([^\s"'}{<>]+\.mdx?)/g,
    ))
      names.add(path!.replace(/^.*\//, ""));
  return names;
}

type HtmlNode = DefaultTreeAdapterMap["node"];

const textIn = (node: HtmlNode): string =>
  "value" in node ? node.value : "childNodes" in node ? node.childNodes.map(textIn).join("") : "";

function readPage(html: string) {
  const ids = new Set<string>();
  let code = "";
  let prose = "";
  let text = "";
  let error = "";
  const blocks: string[] = [];
  const visit = (node: HtmlNode, isCode: boolean): void => {
    if (node.nodeName === "pre") blocks.push(textIn(node));
    if (node.nodeName === "#text" && "value" in node) {
      text += node.value;
      // Code in a line is one sign of its prose.
      if (isCode) [code, prose] = [code + node.value, `${prose}\u{FFFC}`];
      else prose += node.value;
    }
    // Lists of headings have code without its marks.
    if (!("childNodes" in node) || silentElements.has(node.nodeName) || node.nodeName === "nav") return;
    let inCode = isCode;
    if ("attrs" in node) {
      const value = (name: string): string => node.attrs.find((each) => each.name === name)?.value ?? "";
      if (value("id") !== "") ids.add(value("id"));
      if (value("class").split(" ").includes("error-box")) error = "error box";
      inCode ||= node.nodeName === "pre" || node.nodeName === "code" || node.nodeName === "kbd";
    }
    const isBlock = !inlineElements.has(node.nodeName);
    if (isBlock) [code, prose, text] = [`${code} `, `${prose}\n`, `${text} `];
    for (const child of node.childNodes) visit(child, inCode);
    if (isBlock) [code, prose, text] = [`${code} `, `${prose}\n`, `${text} `];
  };
  const from = html.indexOf("<main");
  visit(parse(html.slice(Math.max(0, from), html.indexOf("</main>"))), false);
  return { ids, blocks, code: wordsIn(code), prose, text: wordsIn(text), hasError: error !== "", error };
}
