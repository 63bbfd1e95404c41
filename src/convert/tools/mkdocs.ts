import { joinPath } from "../../lib/url/index.js";
import { at, dataOf, listOf, textOf } from "../data.js";
import { mapText, type PageText } from "../page-text.js";
import type { NavEntry, NavTab, PageContext, Project, Tool, ToolContext } from "../project.js";
import { attribute, calloutTags, element, fenceInfos, indentedBlocks } from "../steps/blocks.js";
import {
  dataFile,
  findFile,
  findFolder,
  folderEntries,
  insertFiles,
  pageEntry,
  pagesBelow,
  redirectsOf,
} from "./shared.js";

const config = /(?:^|\/)mkdocs\.ya?ml$/;

export const mkdocs: Tool = {
  name: "MkDocs",
  detect: (files) => findFolder(files, config),
  read,
  convert(text, context) {
    const inserted = insertFiles(
      withSnippetBlocks(text),
      context,
      ({ text }) => /^\s*-{1,}8<-{1,}\s+["']([^"':]+)(?::[^"']*)?["']\s*$/.exec(text)?.[1],
    );
    return convertInline(fenceInfos(indentedBlocks(inserted, tagsOf), fenceInfo), context);
  },
  frontmatter: (data) => data,
  isMarkdown: () => true,
};

function tagsOf(mark: string, rest: string) {
  if (mark.startsWith("="))
    return element("Tab", attribute("title", /^["'](.*)["']$/.exec(rest.trim())?.[1] ?? rest.trim()));
  const [, name = "", title] =
    /^([\w-]+)(?:[ \t]+(?:inline|end|left|right))*(?:[ \t]+(?:"(.*)"|'.*'))?\s*$/.exec(rest) ?? [];
  if (name === "") return undefined;
  if (mark.startsWith("?"))
    return element(
      "Accordion",
      `${attribute("title", title || name.replace(/^\w/, (letter) => letter.toUpperCase()))}${mark.endsWith("+") ? " defaultOpen" : ""}`,
    );
  // A kind that the writer has defined in a style sheet.
  return calloutTags(name, title) ?? element("Note", attribute("title", title ?? name));
}

const fenceInfo = (info: string): string => {
  const braces = /^\{\s*\.([\w+-]+)\s*(.*)\}$/.exec(info);
  return (braces ? `${braces[1]} ${braces[2]}` : info)
    .replace(/\blinenums="[^"]*"/g, "lines")
    .replace(/\bhl_lines="([\d\s-]+)"/g, (_, list: string) => `{${list.trim().replace(/\s+/g, ",")}}`)
    .replace(/\s*\{\s*\.annotate\s*\}|\s\.annotate\b/g, "")
    .trim();
};

/** A block of `--8<--` lines names one file on each line. */
function withSnippetBlocks(lines: PageText): PageText {
  let inside = false;
  return lines.flatMap((line) => {
    const isMark = /^\s*-{1,}8<-{1,}\s*$/.test(line.text.slice(0, 200));
    if (isMark) inside = !inside;
    if (isMark) return [];
    return inside && line.text.trim() !== "" ? [{ ...line, text: `--8<-- "${line.text.trim()}"` }] : [line];
  });
}

/** Syntax of MkDocs extensions within lines. */
function convertInline(lines: PageText, { report }: PageContext): PageText {
  const reported = new Set<string>();
  const reportOnce = (kind: string, what: string, line: number): void => {
    if (!reported.has(kind)) report(kind, what, line);
    reported.add(kind);
  };
  return mapText(lines, (text, { line, made }) => {
    if (made) return text;
    if (text.includes("{{") || text.includes("{%"))
      reportOnce("macro", "The page uses macros ({{ … }}), which stay as text.", line);
    if (/^\*\[[^\]]+\]:/.test(text)) {
      reportOnce("abbreviation", "Abbreviations are left out; <Tooltip> explains a word.", line);
      return "";
    }
    return text
      .replace(/^(#{1,6} [^{}]{0,500}?) {0,9}\{ {0,9}:? {0,9}(#[\w.:-]{1,200})[^{}]{0,500}\} {0,9}$/, "$1 {$2}")
      .replace(/(?<=[\])`*_])\{[^{}#]{0,500}\}/g, "")
      .replace(/^\s*\[TOC\]\s*$/i, "")
      .replace(/\+\+([\w+-]{1,100})\+\+/g, (_, keys: string) =>
        keys
          .split("+")
          .map((key) => `<kbd>${key}</kbd>`)
          .join("+"),
      )
      .replace(/==([^=\s][^=]*)==/g, "<mark>$1</mark>")
      .replace(/:(?:material|fontawesome|octicons|simple)-[\w-]+:\s?/g, () => {
        reportOnce("icon", "Icons in the text are left out; <Icon> shows one.", line);
        return "";
      })
      .replace(/(<\w{1,30}[^<>]{0,500}?)\s{1,9}markdown(?:="[^"]*")?(?=[\s>])/g, "$1");
  });
}

const maxDepth = 30;

function read(context: ToolContext): Project {
  const { files, base } = context;
  const configPath = findFile(files, config)!;
  const settings = dataFile(files, configPath);
  if (Object.keys(settings).length === 0)
    context.note(configPath, "settings", "The settings cannot be read: set name and navigation in docs.json.");
  const root = joinPath(base, textOf(settings["docs_dir"]) ?? "docs");
  const pages = pagesBelow(files, root);
  const sources = pages.map(({ source }) => source);
  const leaf = (path: string, label?: string): NavEntry[] => {
    if (/^https?:/.test(path)) return [{ kind: "link", label: label ?? path, href: path }];
    const source = joinPath(root, path);
    return pageEntry(sources.includes(source) ? source : undefined, path, label, configPath, context);
  };
  const entriesOf = (written: unknown, depth = 0): NavEntry[] =>
    (depth > maxDepth ? [] : listOf(written)).flatMap((item): NavEntry[] => {
      if (typeof item === "string") return leaf(item);
      return Object.entries(dataOf(item)).flatMap(([label, value]): NavEntry[] =>
        Array.isArray(value)
          ? [{ kind: "group", label, entries: entriesOf(value, depth + 1) }]
          : leaf(textOf(value) ?? "", label),
      );
    });
  const nav = settings["nav"];
  const entries = nav === undefined ? folderEntries(sources, root) : entriesOf(nav);
  const [logo, favicon] = ["theme.logo", "theme.favicon"].map((name) => {
    const path = textOf(at(settings, name));
    return path !== undefined && files.has(joinPath(root, path)) ? joinPath("", path) : undefined;
  });
  const repository = textOf(settings["repo_url"]);
  const redirects = listOf(settings["plugins"]).flatMap((plugin) =>
    Object.entries(dataOf(at(plugin, "redirects.redirect_maps"))),
  );
  return {
    name: textOf(settings["site_name"]),
    url: textOf(settings["site_url"])?.replace(/\/$/, ""),
    pages,
    tabs: listOf(at(settings, "theme.features")).includes("navigation.tabs")
      ? tabsOf(entries)
      : [{ label: "", entries }],
    settings: {
      description: textOf(settings["site_description"]),
      logo: logo && `/${logo}`,
      favicon: favicon && `/${favicon}`,
      navbar:
        repository && /github\.com/.test(repository) ? { links: [{ type: "github", href: repository }] } : undefined,
    },
    files: [logo, favicon].flatMap((path) => (path === undefined ? [] : [joinPath(root, path)])),
    assetFolders: [root],
    redirects: redirectsOf(redirects),
  };
}

/** The groups at the top are tabs; loose pages are in the tab before them. */
function tabsOf(entries: readonly NavEntry[]): NavTab[] {
  const tabs: { label: string; entries: NavEntry[] }[] = [];
  for (const entry of entries) {
    if (entry.kind === "group") tabs.push({ label: entry.label, entries: [...entry.entries] });
    else if (tabs.length === 0 || tabs.at(-1)!.label !== "Home")
      tabs.push({
        label: tabs.length === 0 ? "Home" : entry.kind === "page" ? (entry.label ?? "More") : entry.label,
        entries: [entry],
      });
    else tabs.at(-1)!.entries.push(entry);
  }
  return tabs;
}
