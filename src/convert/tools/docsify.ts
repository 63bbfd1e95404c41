import { decodePercent, folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asText } from "../data.js";
import { append, block, type Line, mapText, type PageText, replaceGroups } from "../page-text.js";
import type { NavEntry, NavTab, Project, SlugRule, Tool, ToolContext } from "../project.js";
import { attribute, calloutTags } from "../steps/blocks.js";
import { anchorOf, fenced, languageOf } from "../steps/parts.js";
import { vueTemplates } from "../steps/vue.js";
import { folderEntries, type ListItem, listEntries } from "./navigation.js";
import {
  findFile,
  hasPages,
  insertFiles,
  inside,
  isLanguageCode,
  labelOf,
  linkedEntries,
  navbarOf,
  packageName,
  pagesBelow,
  relativeTo,
  withPages,
} from "./shared.js";

/** Whether an index.html starts Docsify. Only the upper three levels of folders count: deeper ones are generated. */
export const isDocsify = (files: SiteFiles, path: string): boolean =>
  /^(?:[^/]+\/){0,3}index\.html$/.test(path) &&
  files.sizeOf(path) < 1_000_000 &&
  /\$docsify\b/.test(files.readText(path));

/** Files that Docsify shows around each page. */
const around = /^_(?:sidebar|navbar|coverpage|404)\.md$/;

const entities: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "39" };

/** Version 4 reads the HTML of the heading, so the names of its entities stay: `what39s-new`. */
const slugs: SlugRule = {
  slug: (text) =>
    text
      .trim()
      .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
      .replace(/[&<>"']/g, (sign) => entities[sign]!)
      .replace(/[\u2000-\u206F\u2E00-\u2E7F\\!#$%()*+,./:;=?@[\]^`{|}~]/g, "")
      .replace(/[\s-]+/g, "-")
      .replace(/^(?=\d)/, "_"),
  joint: "-",
};

export const docsify: Tool = {
  name: "Docsify",
  detect(files, start) {
    const index =
      findFile(files, /(?:^|\/)index\.html$/, start, (path) => isDocsify(files, path)) ??
      findFile(files, /(?:^|\/)_sidebar\.md$/, start);
    return index === undefined ? undefined : folderOf(index);
  },
  read,
  convert(text, context) {
    const inserted = insertFiles(
      text,
      context,
      ({ text: line, code }) => (code ? undefined : includeMark.exec(line)?.[1]),
      included,
    );
    return inline(vueTemplates(tabs(callouts(inserted)), context), context);
  },
  isMarkdown: () => true,
  emoji: "after anchors",
  slugs,
};

/** `[text](file ':include :type=code')` */
const includeMark = /^\s*\[[^\]]*\]\((\S+)\s+['"]:include([^'"]*)['"]\)\s*$/;

function included(text: string, path: string, line: string): string | undefined {
  const options = includeMark.exec(line)![2] ?? "";
  const fragment = /:fragment=(\S+)/.exec(options)?.[1];
  const part =
    fragment === undefined ? text : (anchorOf(text, fragment) ?? /\/\/\/\s*\[/.exec(text)?.[0]) ? text : undefined;
  if (part === undefined) return undefined;
  const isCode = /:type=code/.test(options) || !/\.md$/.test(path);
  return isCode ? fenced(part, /:type=code\s+([\w+-]+)/.exec(options)?.[1] ?? languageOf(path)) : part;
}

const calloutMark = /^\s*([?!])>\s?(.*)$/;

/** `?> tip` and `!> warning`, each a paragraph. */
const callouts = (lines: PageText): PageText =>
  replaceGroups(lines, (line, at) => {
    const markOf = ({ text, code }: Line) => (code || text.length > 5000 ? null : calloutMark.exec(text));
    const [, sign, rest = ""] = markOf(line) ?? [];
    if (sign === undefined) return undefined;
    const tags = calloutTags(sign === "?" ? "tip" : "warning")!;
    let end = at + 1;
    while (end < lines.length && !lines[end]!.code && lines[end]!.text.trim() !== "" && !markOf(lines[end]!)) end++;
    const text = [{ ...line, text: rest }, ...lines.slice(at + 1, end)];
    return { end, lines: [...block([tags.open], line.line), ...text, ...block([tags.close], lines[end - 1]!.line)] };
  });

/** The plugin docsify-tabs: `<!-- tabs:start -->`, bold lines and headings as titles, `<!-- tabs:end -->`. */
function tabs(lines: PageText): PageText {
  const out: Line[] = [];
  let isInside = false;
  let isOpen = false;
  for (const line of lines) {
    const mark = line.code ? undefined : /^\s*<!--\s*tabs:(start|end)\s*-->\s*$/.exec(line.text)?.[1];
    const title = isInside && !line.code ? /^\s*(?:#{1,6}\s+)?(\*\*|__)([^*]+)\1\s*$/.exec(line.text) : null;
    if (mark !== undefined || title) {
      if (isOpen) append(out, block(["</Tab>"], line.line));
      isOpen = title !== null;
      if (mark !== undefined) isInside = mark === "start";
      append(
        out,
        block([title ? `<Tab${attribute("title", title[2]!.trim())}>` : isInside ? "<Tabs>" : "</Tabs>"], line.line),
      );
    } else out.push(line);
  }
  return out;
}

/** Removes the options of headings and links, `:id=name`, `':ignore'`, `':size=50'`; an id becomes an anchor. */
function inline(lines: PageText, { base, files }: ToolContext): PageText {
  return mapText(lines, (text) => {
    return (
      text
        .replace(
          /^(#{1,6}\s.*?)\s+(?:<!--\s*)?\{?:(?:docsify-)?id=([\w.:-]{1,200})\}?(?:\s*-->)?\s*$/,
          (_, heading: string, id: string) => `${heading} {#${slugs.slug(id)}}`,
        )
        // A picture in HTML is relative to index.html.
        .replace(
          /(<img\s[^<>]{0,500}?\bsrc=["'])([\w.][^"'<>]{0,500})(?=["'])/g,
          (whole, start: string, path: string) =>
            files.has(joinPath(base, decodePercent(path))) ? `${start}/${path}` : whole,
        )
        .replace(/\s*(?:<!--\s*)?\{docsify-(?:ignore(?:-all)?|updated)\}(?:\s*-->)?/g, "")
        // An address has the page after a `#`, and the heading in the query: `#/guide?id=dig`.
        .replace(
          /(\]\(|\shref=["'])(?:#(?=\/))?(?![a-z]+:|\/\/)([^\s()"'?#<>]{0,500})(?:\?id=([^\s()"'?#<>&]{1,200}))?(?=[\s)"'])/gi,
          (_, start: string, path: string, id?: string) => start + path + (id === undefined ? "" : `#${id}`),
        )
        .replace(
          /(\]\([^\s()]{1,500})\s+(["']):(?:ignore|target|disabled|size|no-zoom|class|id|include)[^"']*\2\)/g,
          "$1)",
        )
    );
  });
}

function read(context: ToolContext): Project {
  const { files } = context;
  const index = joinPath(context.base, "index.html");
  const html = files.has(index) ? files.readText(index) : "";
  const setting = (name: string): string | undefined =>
    asText(new RegExp(`\\b${name}:\\s*(["'\`])([^"'\`]{1,200})\\1`).exec(html)?.[2]);
  const folder = joinPath(context.base, setting("basePath") ?? "");
  // The path may also be that of the published site.
  const base = hasPages(files, folder) ? folder : context.base;
  const [sidebarName, navbarName] = [setting("loadSidebar") ?? "_sidebar.md", setting("loadNavbar") ?? "_navbar.md"];
  const isAround = (source: string): boolean =>
    around.test(nameOf(source)) || [sidebarName, navbarName].some((name) => source === joinPath(base, name));
  const pages = pagesBelow(files, base).filter(({ source }) => !isAround(source));
  const sources = new Set(pages.map(({ source }) => source));
  if (files.has(joinPath(base, "_coverpage.md")))
    context.note(
      joinPath(base, "_coverpage.md"),
      "cover page",
      "The cover page is not converted; write a start page, for which mode: custom has room.",
    );
  const isRelative = /\brelativePath:\s*true\b/.test(html);
  // All sidebars in one top-level folder become one tab: they show the same list, each with another part open.
  const sidebars = new Map<string, NavEntry[]>();
  const sidebarFiles = files.paths.filter((path) => inside(base, path) && `/${path}`.endsWith(`/${sidebarName}`));
  for (const file of sidebarFiles.toSorted((a, b) => a.split("/").length - b.split("/").length)) {
    const folder = isRelative ? folderOf(file) : base;
    const listed = new Set<string>();
    const targetOf = (href: string, hasItems: boolean) => {
      const path = decodePercent(href.replace(/^\/?#?\//, "").replace(/[?#].*$/, ""));
      const source = [path, `${path}.md`, `${path}/README.md`, ...(path === "" ? ["README.md"] : [])]
        .flatMap((candidate) => [joinPath(folder, candidate), joinPath(folderOf(file), candidate)])
        .find((candidate) => sources.has(candidate));
      const id = /(?:[?&]id=|^[^#?]+#)([^&#/]+)$/.exec(href)?.[1];
      // A link to a heading of a page that already has an entry.
      const isPart = id !== undefined && source !== undefined && listed.has(source) && !hasItems;
      if (source !== undefined) listed.add(source);
      return { source, part: isPart ? `#${decodePercent(id)}` : undefined };
    };
    const entries = linkedEntries(listEntries(files.readText(file)), { targetOf, file, note: context.note });
    const top = relativeTo(base, folderOf(file)).split("/")[0]!;
    // A folder may repeat the top-level sidebar.
    if (top === "" || JSON.stringify(entries) !== JSON.stringify(sidebars.get("")))
      sidebars.set(top, merged(sidebars.get(top) ?? [], entries));
  }
  const navbar = joinPath(base, navbarName);
  const navbarText = files.has(navbar) ? files.readText(navbar) : "";
  const placeOf = (folder: string): number => (navbarText + html).indexOf(`${folder}/`) >>> 0;
  const folders = [...sidebars.keys()].filter((folder) => folder !== "");
  const isTranslated = folders.length > 0 && folders.every(isLanguageCode);
  const tabs = [...sidebars]
    .filter(([, entries]) => entries.length > 0)
    .toSorted(([a], [b]) => Number(b === "") - Number(a === "") || placeOf(a) - placeOf(b))
    .map(([folder, entries]): NavTab => {
      if (!isTranslated) return { label: labelOf(folder), entries };
      const code = folder || (/<html\s[^<>]{0,200}?\blang=["']?([\w-]{2,20})/.exec(html)?.[1] ?? "en");
      return { kind: "language", code, label: code, entries };
    });
  const home = pages.find(({ address }) => address === "")?.source;
  const [first = { label: "", entries: folderEntries([...sources], base) }, ...others] = tabs;
  const repository = setting("repo");
  const links = navbarLinks([...listEntries(navbarText), ...headerLinks(html)]);
  return {
    name: setting("name")?.replace(/<[^<>]*>/g, "") ?? packageName(files, base),
    look: { files: [index].filter((path) => files.has(path)) },
    settings: {
      navbar: navbarOf(
        links,
        repository === undefined || /^https?:/.test(repository) ? repository : `https://github.com/${repository}`,
      ),
    },
    pages,
    navigationFiles: files.paths.filter(isAround),
    languages: isTranslated ? ["", ...folders.map((name) => `${name}/`)] : undefined,
    tabs: [{ ...first, entries: withPages([home], first.entries) }, ...others],
    assetFolders: [base, context.base].filter(Boolean),
    linkFolder: isRelative ? undefined : base,
  };
}

/** The entries of two lists; those with the same label and page become one. */
function merged(first: readonly NavEntry[], second: readonly NavEntry[]): NavEntry[] {
  const keyOf = (entry: NavEntry): string => JSON.stringify({ ...entry, entries: undefined });
  const all = new Map(first.map((entry) => [keyOf(entry), entry]));
  for (const entry of second) {
    const same = all.get(keyOf(entry));
    if (same?.kind === "group" && entry.kind === "group")
      all.set(keyOf(entry), { ...same, entries: merged(same.entries, entry.entries) });
    else if (same === undefined) all.set(keyOf(entry), entry);
  }
  return [...all.values()];
}

/** The links in the first `<nav>` of index.html. */
function headerLinks(html: string): ListItem[] {
  const start = html.search(/<nav[\s>]/);
  const nav = start < 0 ? "" : html.slice(start, html.indexOf("</nav>", start) >>> 0);
  const line = html.slice(0, Math.max(0, start)).split("\n").length;
  return [...nav.matchAll(/<a\s[^<>]{0,500}?href=["']([^"'<>]{1,1000})["'][^<>]{0,500}>([^<>]{1,300})<\/a>/g)].map(
    ([, href, label = ""]) => ({ label: label.trim(), href, line, items: [] }),
  );
}

/** The links of the header, with those of its menus. */
const navbarLinks = (items: readonly ListItem[]): (readonly [label: string, href: string | undefined])[] =>
  items.flatMap(({ label, href, items: inner }) => [
    [label, href?.replace(/^#(?=\/)/, "")] as const,
    ...navbarLinks(inner),
  ]);
