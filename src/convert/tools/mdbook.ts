import { decodePercent, joinPath } from "../../lib/url/index.js";
import { asData, asText, valueAt } from "../data.js";
import { append, fenceOf, generated, type Line, linesOf, mapText, type PageText, textOfLines } from "../page-text.js";
import type { NavEntry, PageContext, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { rustSlugs } from "../steps/anchors.js";
import { attribute, calloutTags, element, fenceInfos } from "../steps/blocks.js";
import { anchorOf, fenced, linesIn, withoutAnchors } from "../steps/parts.js";
import { readToml } from "../toml.js";
import { readableName } from "./folder-navigation.js";
import { addressOf, findFile, findFolder, insertFiles, isPage, navbarOf, redirectsOf } from "./shared.js";

const config = /(?:^|\/)book\.toml$/;

export const mdbook: Tool = {
  name: "mdBook",
  detect: (files, start) => findFolder(files, config, start),
  read,
  convert(text, context) {
    const inserted = insertFiles(text, context, ({ text: line }) => includeMark.exec(line)?.[2], included);
    return fenceInfos(visibleCode(helpers(admonitions(inserted, context), context)), (info) =>
      info.replace(/^([\w+#-]+)[,\s].*$/, "$1").replace(/^[,\s].*$/, ""),
    );
  },
  isMarkdown: () => true,
  slugs: rustSlugs,
};

/** `{{#include file.rs:anchor}}`, with lines as `:2:5`. */
const includeMark =
  /^\s*(?<!\\)\{\{#(include|rustdoc_include|playground|playpen)\s+([^\s:{}]+)(?::([^{}\s]*))?(?:\s[^{}]*)?\}\}\s*$/;

function included(text: string, path: string, line: string): string | undefined {
  const [, kind = "", , part = ""] = includeMark.exec(line)!;
  const [from = "", to] = part.split(":");
  const isLines = part === "" || /^\d*$/.test(from);
  const chosen = isLines
    ? linesIn(
        withoutAnchors(text.split("\n")).join("\n"),
        Number(from) || undefined,
        part.includes(":") ? Number(to) || undefined : Number(from) || undefined,
      )
    : anchorOf(text, from);
  if (chosen === undefined) return undefined;
  const code = chosen.replace(/\n+$/, "");
  return kind.startsWith("play") ? fenced(code, /\.rs$/.test(path) ? "rust" : "text") : code;
}

/** `{{#title …}}` is a setting of the page; other helpers are programs of the book. */
function helpers(lines: PageText, { report }: PageContext): PageText {
  return mapText(lines, (text, { line }) =>
    text.replace(/(\\?)(\{\{#([\w-]+)[^{}]*\}\})/g, (_, escaped: string, whole: string, name: string) => {
      if (escaped !== "") return whole;
      if (name === "title") return "";
      report("helper", `"${whole}" is made by a program of the book; write what readers see here.`, line);
      return "";
    }),
  );
}

/** Blocks of the preprocessor mdbook-admonish, ```admonish warning title="…", are callouts whose text is Markdown. */
function admonitions(lines: PageText, context: PageContext, depth = 0): PageText {
  const out: Line[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const [mark = "", info = ""] = (line.opens && fenceOf(line.text)) || [];
    const [, name = "note", rest] =
      (info.length < 1000 &&
        depth < maxDepth &&
        /^\s*admonish(?![\w-])(?:[\s,]+([\w-]+)(?![\w-]*=))?(.*)$/.exec(info)) ||
      [];
    if (rest === undefined) {
      out.push(line);
      continue;
    }
    let end = i + 1;
    while (end < lines.length && lines[end]!.code && !lines[end]!.opens) end++;
    const title = /(?:\btitle=|^[.\w-]*\s+)(["'])(.*?)\1/.exec(rest)?.[2];
    const known = calloutTags(name, title);
    if (!known)
      context.report("admonition", `"admonish ${name}" is not a kind of callout; it becomes a note.`, line.line);
    const tags = /\bcollapsible=["']?true/.test(rest)
      ? element("Accordion", attribute("title", title || readableName(name)))
      : (known ?? element("Note", attribute("title", title ?? readableName(name))));
    const isClosed = end > i + 1 && (fenceOf(lines[end - 1]!.text)?.[0].startsWith(mark) ?? false);
    const body = lines.slice(i + 1, isClosed ? end - 1 : end);
    const text = linesOf(textOfLines(body), 1).map((each, at) => ({ ...each, line: body[at]?.line ?? line.line }));
    // The marks of quotes and lists before the block: those of quotes are in each of its lines.
    const before = line.text.slice(0, line.text.indexOf(mark));
    const inner = before.replace(/[^>\s]/g, " ");
    const own = (prefix: string, written: string): Line => generated((prefix + written).trimEnd(), line.line);
    append(out, [own(inner, ""), own(before, tags.open), own(inner, "")]);
    append(out, admonitions(text, context, depth + 1));
    append(out, [own(inner, ""), { ...own(inner, tags.close), line: lines[end - 1]!.line }, own(inner, "")]);
    i = end - 1;
  }
  return out;
}
const maxDepth = 10;

/** Lines of Rust that begin with `#` are hidden from readers. */
function visibleCode(lines: PageText): PageText {
  let isRust = false;
  return lines.filter((line) => {
    if (line.opens) isRust = /^[ \t>]*(?:[-*+][ \t]+)?[`~]{3,}[ \t]*rust\b/.test(line.text);
    else if (!line.code) isRust = false;
    return !(isRust && line.code && !line.opens && /^[ \t>]*#(?:$|[ \t])/.test(line.text));
  });
}

function read(context: ToolContext): Project {
  const { files, base } = context;
  const configPath = findFile(files, config, context.start)!;
  const settings = readToml(files.readText(configPath));
  const book = asData(settings["book"]);
  const root = joinPath(base, asText(book["src"]) ?? "src");
  const summary = joinPath(root, "SUMMARY.md");
  const sources = new Set(files.paths.filter((path) => isPage(path) && path.startsWith(`${root}/`)));
  if (!files.has(summary))
    context.note(summary, "navigation", "The book has no SUMMARY.md; list its pages in docs.json.");
  const { entries, listed } = files.has(summary)
    ? summaryEntries(files.readText(summary), root, sources, summary, context)
    : { entries: [], listed: [] };
  // Only what SUMMARY.md lists is a page of the book; its first chapter is the start page.
  const pages = [...new Set(listed)].map(
    (source, i): ProjectPage => ({ source, address: i === 0 ? "" : addressOf(source.slice(root.length + 1)) }),
  );
  const repository = asText(valueAt(settings, "output.html.git-repository-url"));
  const first = pages[0];
  return {
    name: asText(book["title"]),
    look: { files: [configPath], data: settings },
    settings: {
      description: asText(book["description"]),
      navbar: navbarOf([], repository),
    },
    pages,
    tabs: [{ label: "", entries }],
    assetFolders: [root],
    redirects: redirectsOf([
      ...(first === undefined ? [] : [[addressOf(first.source.slice(root.length + 1)), "/"] as const]),
      ...Object.entries(asData(valueAt(settings, "output.html.redirect"))).map(
        ([from, to]) => [from.replace(/\.html$/, ""), asText(to)?.replace(/\.html(?=$|#)/, "")] as const,
      ),
    ]),
  };
}

/** Parts below headings, chapters in nested lists, and chapters without a list before and after them. */
function summaryEntries(
  text: string,
  folder: string,
  sources: ReadonlySet<string>,
  file: string,
  context: ToolContext,
) {
  const listed: string[] = [];
  const all: NavEntry[] = [];
  let part: NavEntry[] = all;
  let stack: { readonly indent: number; readonly entries: NavEntry[] }[] = [{ indent: -1, entries: all }];
  let isFirst = true;
  for (const [i, line] of text
    .replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ""))
    .split(/\r?\n/)
    .entries()) {
    if (line.length > 5000) continue;
    const heading = /^#\s+(.+?)\s*$/.exec(line)?.[1];
    if (heading !== undefined) {
      // The first heading is the title of the file.
      if (!isFirst || listed.length > 0) {
        part = [];
        all.push({ kind: "group", label: plain(heading), entries: part });
        stack = [{ indent: -1, entries: part }];
      }
      isFirst = false;
      continue;
    }
    if (/^\s*-{3,}\s*$/.test(line)) {
      [part, stack] = [all, [{ indent: -1, entries: all }]];
      continue;
    }
    const [, blanks = "", mark, label = "", href = ""] =
      /^(\s*)([-*+]\s+)?\[((?:[^[\]\\]|\\.|\[[^\]]*\])+)\]\(<?([^()<>]*(?:\([^()]*\))?[^()<>]*)>?\)\s*$/.exec(line) ??
      [];
    if (label === "") continue;
    const source = href === "" ? undefined : joinPath(folder, decodePercent(href.trim().replace(/[?#].*$/, "")));
    const isThere = source !== undefined && sources.has(source);
    if (!isThere)
      context.note(
        file,
        "navigation",
        href === ""
          ? `The chapter "${plain(label)}" is a draft without a page.`
          : `The chapter "${plain(label)}" is "${href}", which does not exist; write it, or remove the entry.`,
        i + 1,
      );
    else listed.push(source);
    if (mark === undefined) stack = [{ indent: -1, entries: listed.length > 1 && stack.length > 1 ? all : part }];
    while (stack.length > 1 && stack.at(-1)!.indent >= blanks.length) stack.pop();
    const own: NavEntry[] = [];
    stack
      .at(-1)!
      .entries.push({ kind: "group", label: plain(label), root: isThere ? source : undefined, entries: own });
    if (mark !== undefined && stack.length < 30) stack.push({ indent: blanks.length, entries: own });
  }
  return { entries: all, listed };
}

const plain = (label: string): string => label.replace(/\\(.)/g, "$1").replace(/[`*]|(?<!\w)_|_(?!\w)/g, "");
