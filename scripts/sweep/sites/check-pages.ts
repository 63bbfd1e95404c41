// Every page of the source compared with its page in the bundle, without a browser.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DefaultTreeAdapterMap, parse } from "parse5";
import type { Counts } from "../specs/tally.ts";
import { inlineElements, silentElements, wordsIn } from "../specs/words.ts";
import { attribute, rawTextIn } from "../specs/written-page.ts";
import { readSourcePage, type SourcePageText, type SourceText } from "./source-page.ts";
import { bundlePathsOf, type SourceSite } from "./source-site.ts";

type HtmlNode = DefaultTreeAdapterMap["node"];
type Element = DefaultTreeAdapterMap["element"];

/** A page of the source that the bundle has. */
export interface MatchedPage {
  readonly file: string;
  /** In the bundle. */
  readonly path: string;
  readonly isInNavigation: boolean;
  readonly source: SourcePageText;
}

export function checkPages(site: SourceSite, bundle: string, counts: Counts): MatchedPage[] {
  const matched: MatchedPage[] = [];
  const read = site.pages.map((page) => ({ ...page, source: readSourcePage(site.folder, page.file, site.variables) }));
  // A page can have this name, which the navigation of all others shows.
  const isLinkPage = ({ file, source: { frontMatter } }: (typeof read)[number]): boolean =>
    [file.replace(/^.*\/|\.mdx?$/g, ""), frontMatter["title"], frontMatter["sidebarTitle"]].some((name) =>
      /^link$/i.test(String(name)),
    );
  const names = read.some(isLinkPage) ? "\nLink" : "";
  for (const { file, isInNavigation, source: page } of read) {
    const source = { ...page, written: page.written + names };
    const stem = file.replace(/\.mdx?$/, "");
    // Such a page is only an entry of the navigation.
    if (typeof source.frontMatter["url"] === "string" || site.redirected.has(stem)) continue;
    const path = bundlePathsOf(file).find((each) => existsSync(join(bundle, each)));
    const kind = isInNavigation ? "page of the navigation" : "page of a file";
    counts.check(kind, path !== undefined, file, () => "no page in the bundle");
    if (path === undefined) continue;
    matched.push({ file, path, isInNavigation, source });
    checkPage(source, file, readBundlePage(bundle, path), counts);
  }
  return matched;
}

export interface BundlePage {
  readonly path: string;
  /** Of the main part, and of the whole document. */
  readonly words: string;
  readonly allWords: string;
  /** Texts of all `pre`. */
  readonly code: readonly string[];
  readonly hasDiagram: boolean;
  /** Notes of a failure, and words that stand in place of a value. */
  readonly notes: readonly { readonly kind: string; readonly text: string; readonly selector: string }[];
}

/** @throws if the file cannot be read. */
export function readBundlePage(bundle: string, path: string): BundlePage {
  const document = parse(readFileSync(join(bundle, path), "utf8"));
  const code: string[] = [];
  const notes: { kind: string; text: string; selector: string }[] = [];
  const all: string[] = [];
  const main: string[] = [];
  let hasDiagram = false;
  const visit = (node: HtmlNode, isInMain: boolean, isInCode: boolean): void => {
    if (node.nodeName === "#text" && "value" in node) {
      all.push(node.value);
      if (isInMain) main.push(node.value);
      // A longer name may break after each of its words: `Payment<wbr>Link`.
      const parent = node.parentNode as Element;
      // A text directly in a template has no element around it.
      if (!("tagName" in parent)) return;
      // The type of a field can be null.
      const isType = /\bfield-pill\b/.test(attribute(parent, "class") ?? "");
      if (!isInCode && !isType && isPlaceholder(node.value.trim()) && isPlaceholder(rawTextIn(parent).trim()))
        notes.push({ kind: "placeholder word", text: node.value.trim(), selector: selectorOf(parent) });
      return;
    }
    if (!("childNodes" in node)) return;
    let isMain = isInMain;
    let isCode = isInCode;
    const isBlock = "tagName" in node && !inlineElements.has(node.tagName);
    if ("tagName" in node) {
      const names = attribute(node, "class") ?? "";
      if (/diagram|mermaid/.test(names)) hasDiagram = true;
      if (/\b(?:error-box|live-code-note|island-failed)\b/.test(names)) {
        const kind = names.includes("error-box") ? "error box" : "note of failure";
        notes.push({ kind, text: rawTextIn(node).replace(/\s+/g, " ").trim(), selector: selectorOf(node) });
      }
      for (const key of ["aria-label", "title", "alt", "href", "src", "placeholder"]) {
        const value = attribute(node, key);
        if (value !== undefined && (isPlaceholder(value) || /\[object Object\]|(?:^|\/)undefined(?:\/|$)/.test(value)))
          notes.push({ kind: "placeholder word", text: `${key}="${value}"`, selector: selectorOf(node) });
      }
      if (node.tagName === "pre") code.push(rawTextIn(node));
      if (silentElements.has(node.tagName) && !["head", "template"].includes(node.tagName)) return;
      if (node.tagName === "head") return;
      isMain ||= node.tagName === "main";
      isCode ||= node.tagName === "pre" || node.tagName === "code";
    }
    const gap = (): void => {
      all.push(" ");
      if (isMain) main.push(" ");
    };
    if (isBlock) gap();
    const children = "content" in node ? (node.content as { childNodes: HtmlNode[] }).childNodes : node.childNodes;
    for (const child of children) visit(child as HtmlNode, isMain, isCode);
    if (isBlock) gap();
  };
  visit(document, false, false);
  return { path, words: wordsIn(main.join("")), allWords: wordsIn(all.join("")), code, hasDiagram, notes };
}

const isPlaceholder = (text: string): boolean =>
  /^(?:undefined|NaN|null|\[object Object\]|Invalid Date)$/.test(text) ||
  text === "Link" ||
  /\[object Object\]/.test(text);

function selectorOf(element: Element): string {
  const names = (attribute(element, "class") ?? "").split(/\s+/).filter(Boolean).slice(0, 2);
  const id = attribute(element, "id");
  return id === undefined ? [element.tagName, ...names].join(".") : `${element.tagName}#${id}`;
}

function checkPage(source: SourcePageText, file: string, page: BundlePage, counts: Counts): void {
  const check = (kind: string, isThere: boolean, what: string): void =>
    counts.check(kind, isThere, file, () => what.trim().replace(/\s+/g, " ").slice(0, 160), page.path);
  for (const kind of ["error box", "note of failure"]) {
    const note = page.notes.find((each) => each.kind === kind);
    check(kind, note === undefined, note?.text ?? "");
  }
  const words = page.notes.filter(
    ({ kind, text }) => kind === "placeholder word" && !isWrittenBy(source.written, text),
  );
  check("placeholder word", words.length === 0, words.map(({ text, selector }) => `${text} in ${selector}`).join(", "));
  // The bundle has no part of the page.
  if (page.notes.some(({ kind }) => kind === "error box")) return;
  const codes = page.code.map(normalCode);
  let from = 0;
  for (const each of source.texts) {
    if (each.isOptional && each.kind !== "prose") continue;
    if (each.kind === "code") checkCode(each.text, each.otherReadings);
    else if (each.kind === "diagram")
      check("diagram", page.hasDiagram || codes.includes(normalCode(each.text)), each.text);
    else checkWords(each);
  }

  function checkCode(text: string, otherReadings: readonly string[] = []): void {
    const code = normalCode(text);
    if (/\[\\?!code|\[\^|twoslash/.test(code)) return;
    // A fence that nobody closed ends where the next begins, or at the end of the file: both readings are right.
    if (/^[ \t]*(?:`{3,}|~{3,})\w/m.test(code)) {
      const lost = text
        .split("\n")
        .find((line) => !/^[ \t]*[`~]{3}/.test(line) && !page.allWords.includes(wordsIn(line)));
      check("code", lost === undefined, lost ?? "");
      return;
    }
    const isVerbatim = [code, ...otherReadings.map(normalCode)].some((each) =>
      codes.some((shown) => shown.includes(each)),
    );
    const isThere = isVerbatim || page.allWords.includes(wordsIn(text));
    check("code", isThere, text);
    if (isThere) check("code letter by letter", isVerbatim, text);
  }

  function checkWords({ kind, text, isOrdered, isOptional }: SourceText): void {
    // Items beside each other, such as links in a row, touch where no word separates them; inside of a text, spaces count.
    const isThere = page.allWords.includes(text) || page.allWords.includes(text.trim());
    const name = kind === "prose" ? "words" : kind;
    check(isOptional ? "words in a component of the site" : name, isThere, text);
    // A short text can be anywhere by chance.
    if (!isThere || kind !== "prose" || !isOrdered || isOptional || text.split(" ").length < 6) return;
    const at = page.words.indexOf(text, from);
    check("order of the words", at >= 0, text);
    if (at >= 0) from = at + text.length - 1;
  }
}

const isWrittenBy = (written: string, note: string): boolean => {
  const word = /^(?:[\w-]+=")?(.*?)"?$/.exec(note)![1]!;
  return written.includes(word);
};

/** Without the indentation that all lines have, since a block can be indented more than its fence. */
function normalCode(text: string): string {
  const lines = text
    .replace(/\u200B|\uFEFF/g, "")
    .replaceAll("\t", "    ")
    .split("\n");
  const widths = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const width = Math.min(...widths, 1_000);
  return lines
    .map((line) => line.slice(width).trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
}
