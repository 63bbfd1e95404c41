import { escapeHtml, unescapeHtml } from "../../lib/html/escape.js";
import { decodePercent, folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asList, asText, type Data, valueAt } from "../data.js";
import { codeLines, type Line, mapRuns, mapText, type PageText } from "../page-text.js";
import type { NavEntry, NavTab, PageContext, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { githubSlugs } from "../steps/anchors.js";
import { attribute, type BlockTags, calloutTags, element, liquidBlocks, noTags } from "../steps/blocks.js";
import { iconName } from "../steps/icons.js";
import { fenced, videoFrame } from "../steps/parts.js";
import { stepHeadings } from "../steps/step-headings.js";
import { listEntries } from "./navigation.js";
import {
  addressOf,
  dataFile,
  findFile,
  headOf,
  insertFiles,
  inside,
  labelOf,
  linkedEntries,
  packageName,
  pagesBelow,
  redirectsOf,
  relativeTo,
} from "./shared.js";

const summary = /(?:^|\/)SUMMARY\.md$/;
/** Whether a SUMMARY.md lists the pages of a book. Other projects have a file of this name that sums something up. */
const isBook = (files: SiteFiles, start: string, path: string): boolean =>
  folderOf(path) === start ||
  [
    ...files
      .readText(path)
      .slice(0, 100_000)
      .matchAll(/^[ \t]*[-*+][ \t].{0,500}\]\(<?([^()<>#\n]{1,500}\.md)/gm),
  ].some(
    ([, href = ""]) => nameOf(href) !== "README.md" && files.has(joinPath(folderOf(path), decodePercent(href.trim()))),
  );

export const gitbook: Tool = {
  name: "GitBook",
  detect: (files, start) => {
    const settings = dataFile(files, joinPath(start, ".gitbook.yaml"));
    const name = asText(valueAt(settings, "structure.summary")) ?? "SUMMARY.md";
    const named = joinPath(start, `${asText(settings["root"]) ?? "."}/${name}`);
    const file = files.has(named) ? named : findFile(files, summary, start, (path) => isBook(files, start, path));
    return file === undefined ? undefined : folderOf(file);
  },
  read,
  convert(text, context) {
    const inserted = insertFiles(text, context, ({ text, code }) =>
      code ? undefined : /^\s*\{%\s*include\s+"([^"]+)"\s*%\}\s*$/.exec(text)?.[1],
    );
    const fenceOptions: string[] = [];
    const withBlocks = liquidBlocks(inserted, (name, attributes, line) => {
      if (name === "code") {
        const options = [
          attributes["title"],
          attributes["lineNumbers"] === "true" ? "lines" : "",
          attributes["overflow"] === "wrap" ? "wrap" : "",
        ];
        fenceOptions.push(options.filter(Boolean).join(" "));
        return { open: codeMark, close: codeMark };
      }
      if (/^(?:content|page)-ref$/.test(name)) {
        const url = attributes["url"] ?? attributes["page"] ?? "";
        const path = pathOf(url, context);
        return card(path === undefined ? url : (pageTitle(context, path) ?? labelOf(url)), url);
      }
      const tags = Object.hasOwn(blocks, name) ? blocks[name]!(attributes) : undefined;
      const advice = /^openapi|^swagger/.test(name)
        ? "shows an operation of an API; add the specification as openapi in docs.json, which makes a page of each."
        : "has no counterpart; the text in it stays.";
      if (!tags) context.report("block", `{% ${name} %} ${advice}`, line.line);
      return tags ?? noTags;
    });
    let next = 0;
    let isMarked = false;
    const marked = withBlocks.flatMap((line): Line[] => {
      if (line.text.trim() === codeMark) {
        isMarked = !isMarked;
        if (!isMarked) next++;
        return [];
      }
      const options = isMarked && line.opens ? fenceOptions[next] : undefined;
      return [options ? { ...line, text: `${line.text}${/[`~]$/.test(line.text) ? "text" : ""} ${options}` } : line];
    });
    // GitBook's editor leaves empty headings behind. Buttons in a row become links.
    const named = mapText(marked, (part) =>
      part
        .replace(/^#{1,6}[ \t]+[*_]{2,}[ \t]*$/, "")
        .replace(/<\/a>[ \t]*(?=<a\s[^<>]{0,500}\sclass="button\b)/g, "</a> · "),
    );
    return convertHtml(stepHeadings(named), context);
  },
  isMarkdown: () => true,
  emoji: "before anchors",
  // Signs at the ends, such as the blank after an emoji, leave no hyphen.
  slugs: { ...githubSlugs, slug: (text) => githubSlugs.slug(text).replace(/^-+|-+$/g, "") },
};

const codeMark = "\u{F0010}";

/** The replacement of each block, by its attributes. */
const blocks: Readonly<Record<string, (attributes: Readonly<Record<string, string>>) => BlockTags | undefined>> = {
  hint: ({ style }) => calloutTags(style ?? "info"),
  tabs: () => element("Tabs"),
  tab: ({ title }) => element("Tab", attribute("title", title ?? "Tab")),
  stepper: () => element("Steps"),
  step: () => element("Step"),
  columns: () => element("Columns", " cols={2}"),
  column: () => element("Column"),
  updates: () => noTags,
  if: () => noTags,
  vars: () => noTags,
  update: ({ date, title }) => element("Update", attribute("label", date ?? title ?? "Update")),
  prompt: ({ description }) => element("Prompt", attribute("description", description ?? "Prompt")),
  embed: ({ url = "" }) => embedded(url),
  "@github-files/github-code-block": ({ url }) =>
    url === undefined ? undefined : card(url.replace(/^https?:\/\//, ""), url),
  file: ({ src = "" }) => card(labelOf(src), src, ' icon="download"'),
};

/** Replaces a block and its content by a card. */
const card = (title: string, href: string, icon = ""): BlockTags => ({
  open: `<Card${attribute("title", title)}${icon}${attribute("href", href)} horizontal />`,
  close: "",
  drop: true,
});

/** A player for a video; a card for any other address. */
function embedded(url: string): BlockTags {
  const frame = videoFrame(url);
  if (frame !== undefined) return { open: frame.open + frame.close, close: "", drop: true };
  return card(/^https?:\/\/([^/]+)/.exec(url)?.[1] ?? url, url);
}

/** Figures get a frame; HTML that only GitBook's own pages need is removed. */
const convertHtml = (lines: PageText, context: PageContext): PageText =>
  mapRuns(lines, (text) =>
    inlineIcons(tableCards(text))
      // A mention is a link whose text is the title of its page.
      .replace(/(<a data-mention href="([^"]{1,500})">)[^<>]{1,300}(?=<\/a>)/g, (whole, open: string, url: string) => {
        const path = pathOf(url, context);
        return path === undefined ? whole : open + escapeHtml(pageTitle(context, path) ?? labelOf(url));
      })
      .replace(
        /<figure>\s*(<img [^<>]{1,2000}>)\s*(?:<figcaption>([\s\S]{0,1000}?)<\/figcaption>)?\s*<\/figure>/g,
        (_, image: string, caption = "") => {
          const words = String(caption)
            .replace(/<[^<>]*>/g, "")
            .trim();
          return `<Frame${attribute("caption", words)}>${image}</Frame>`;
        },
      )
      .replace(
        /<pre(?:\s+class="(?:language|lang)-([\w+#-]+)")?[^<>]{0,500}><code[^<>]{0,500}>([\s\S]{0,50000}?)<\/code><\/pre>/g,
        (_, language: string | undefined, code: string) =>
          codeLines(fenced(unescapeHtml(code.replace(/<[^<>]{0,2000}>/g, "")), language ?? "text")),
      )
      .replace(/^(#{1,6} .{0,500}?)\s*<a href="#[^"]*" id="([^"]{1,200})"><\/a>[ \t]*$/gm, "$1 {#$2}"),
  );

/** The page that an address in a page leads to. */
function pathOf(url: string, { files, page }: PageContext): string | undefined {
  const target = joinPath(folderOf(page.source), url.replace(/[?#].*$/, "").replace(/\/$/, ""));
  return [target, `${target}/README.md`].find((path) => files.has(path) && path.endsWith(".md"));
}

function pageTitle({ files }: ToolContext, path: string): string | undefined {
  return (
    asText(headOf(files, path)["title"]) ?? /^#\s+(.{1,200})$/m.exec(files.readText(path).slice(0, 20_000))?.[1]?.trim()
  );
}

/** A book with a SUMMARY.md, and its place in the site. */
interface Space {
  readonly label: string;
  readonly root: string;
  /** The path that its addresses begin with: "" or `guides`. */
  readonly path: string;
}

function read(context: ToolContext): Project {
  const { files, start } = context;
  const site = dataFile(files, joinPath(start, "docs.yaml"));
  const startSettings = dataFile(files, joinPath(start, ".gitbook.yaml"));
  const root = joinPath(start, asText(startSettings["root"]) ?? context.base);
  const spaces = [...spacesOf(asData(site["site"]), start, context)];
  if (spaces.length === 0) {
    const books = files.paths
      .filter((path) => summary.test(path) && inside(start, path) && isBook(files, start, path))
      .map(folderOf);
    const isNamed = asText(startSettings["root"]) !== undefined || books.includes(start);
    // Several books without settings are the parts of a site.
    for (const folder of isNamed || books.length < 2 ? [root] : books)
      spaces.push({
        label: labelOf(folder),
        root: folder,
        path: folder === root && (isNamed || books.length < 2) ? "" : relativeTo(start, folder),
      });
  }
  const pages: ProjectPage[] = [];
  const summaries: string[] = [];
  const redirects: (readonly [string, unknown])[] = [];
  const tabs = spaces.map(({ label, root: folder, path }): NavTab => {
    const settings = { ...startSettings, ...dataFile(files, joinPath(folder, ".gitbook.yaml")) };
    const file = joinPath(folder, asText(valueAt(settings, "structure.summary")) ?? "SUMMARY.md");
    summaries.push(file);
    const home = joinPath(folder, asText(valueAt(settings, "structure.readme")) ?? "README.md");
    const spacePages = pagesBelow(files, folder, (name, source) =>
      joinPath(path, source === home ? "" : publishedAt(name)),
    ).filter(
      ({ source }) =>
        source !== file &&
        !source.includes(".gitbook/") &&
        !spaces.some((other) => other.root !== folder && inside(folder, other.root) && inside(other.root, source)),
    );
    pages.push(...spacePages);
    for (const [from, to] of Object.entries(asData(settings["redirects"])))
      redirects.push([joinPath(path, from), typeof to === "string" ? joinPath(path, publishedAt(to)) : to]);
    const sources = new Set(spacePages.map(({ source }) => source));
    if (!files.has(file)) context.note(file, "navigation", "The book has no SUMMARY.md; list its pages in docs.json.");
    return {
      label,
      entries: files.has(file) ? entriesOf(files.readText(file), folderOf(file), sources, file, context) : [],
    };
  });
  const roots = [...new Set(spaces.map((space) => space.root))];
  const settingsFiles = ["book.json", ".gitbook.yaml", "docs.yaml"]
    .map((name) => joinPath(start, name))
    .filter((path) => files.has(path));
  const book = dataFile(files, joinPath(start, "book.json"));
  return {
    name: asText(valueAt(site, "site.title")) ?? asText(book["title"]) ?? packageName(files, start),
    settings: { description: asText(book["description"]) },
    ...(settingsFiles.length > 0 && {
      look: { files: settingsFiles, data: { ...book, ...startSettings, ...asData(site["site"]) } },
    }),
    pages,
    navigationFiles: summaries,
    tabs: tabs.length > 1 ? tabs : [{ label: "", entries: tabs[0]?.entries ?? [] }],
    assetFolders: [
      joinPath(start, ".gitbook"),
      ...roots.flatMap((folder) => (folder === "" ? [] : [`${folder}/.gitbook`, folder])),
    ],
    redirects: redirectsOf(redirects),
  };
}

/** The address that GitBook gives to a file: `guides/page (1).md` is published at `guides/page-1`. */
const publishedAt = (name: string): string =>
  addressOf(name)
    .split("/")
    .map((part) =>
      /[\s()]/.test(part)
        ? part
            .toLowerCase()
            .replace(/[\s()-]+/g, "-")
            .replace(/^-|-$/g, "")
        : part,
    )
    .join("/");

/** The spaces of a site by its `docs.yaml`, in their order. A section without pages here is left out. */
function spacesOf(site: Data, start: string, { files, note }: ToolContext): Space[] {
  const visit = (items: unknown, path: string, label: string): Space[] =>
    asList(items).flatMap((item): Space[] => {
      const node = asData(item);
      const title = asText(node["title"]) ?? label;
      const isDefault = asText(node["default"]) === "true";
      const inner = node["type"] === "section" && !isDefault ? joinPath(path, asText(node["path"]) ?? "") : path;
      const directory = asText(valueAt(node, "content.directory"));
      if (node["type"] !== "space") return visit(node["children"], inner, title);
      if (directory === undefined || directory === "null") {
        note(
          joinPath(start, "docs.yaml"),
          "space",
          `The space "${title}" has no folder here; its pages are only in GitBook.`,
        );
        return [];
      }
      return [{ label: label || title, root: joinPath(start, directory), path }];
    });
  return visit(valueAt(site, "structure"), "", "").filter(({ root }) => files.paths.some((file) => inside(root, file)));
}

/** The entries of a SUMMARY.md: nested lists of links below headings. */
function entriesOf(
  text: string,
  folder: string,
  sources: ReadonlySet<string>,
  file: string,
  context: ToolContext,
): NavEntry[] {
  const targetOf = (href: string) => {
    const source = joinPath(folder, decodePercent(href.replace(/[?#].*$/, "")));
    return sources.has(source) ? { source, part: /#.*$/.exec(href)?.[0] } : {};
  };
  let above = 0;
  return text.split(/^(?=##\s)/m).flatMap((part): NavEntry[] => {
    const heading = /^##\s+(.+?)\s*$/m.exec(part.split("\n")[0]!)?.[1];
    const partEntries = linkedEntries(listEntries(part), { targetOf, file, note: context.note, above });
    above += part.split("\n").length - 1;
    return heading === undefined
      ? partEntries
      : [{ kind: "group", label: heading.replace(/\s*<a [^<>]*><\/a>\s*/g, ""), entries: partEntries }];
  });
}

/** Tables of GitBook that it shows as cards: a card for each row. */
const tableCards = (text: string): string =>
  text.replace(
    /<table([^<>]{0,500}data-view="cards"[^<>]{0,500})>\s*<thead>([\s\S]{0,20000}?)<\/thead>\s*<tbody>([\s\S]{0,50000}?)<\/tbody>\s*<\/table>/g,
    (table, options: string, head: string, body: string) => {
      const columns = [...head.matchAll(/<th(?=[\s>])([^<>]{0,500})>/g)].map(([, column]) => column!);
      const cards = [...body.matchAll(/<tr[^<>]{0,200}>([\s\S]{0,20000}?)<\/tr>/g)].map(([, row]) =>
        cardOf(
          [...row!.matchAll(/<td[^<>]{0,200}>([\s\S]{0,20000}?)<\/td>/g)].map(([, cell]) => cell!.trim()),
          columns,
        ),
      );
      const size = options.includes('data-card-size="large"') ? 2 : 3;
      return cards.length === 0
        ? table
        : `\n<CardGroup cols={${Math.min(size, cards.length)}}>\n${cards.join("\n")}\n</CardGroup>\n`;
    },
  );

/** The first cell with words is the title. Columns say which cells are the target of the card, its picture, or hidden. */
function cardOf(cells: readonly string[], columns: readonly string[]): string {
  const cellOf = (mark: RegExp): string => cells[columns.findIndex((column) => mark.test(column))] ?? "";
  const address = (cell: string): string | undefined =>
    unescapeHtml(/\s(?:href|src)="([^"<>]{1,2000})"/.exec(cell)?.[1] ?? "");
  const shown = cells.filter((_, i) => !/data-hidden|data-card-/.test(columns[i] ?? ""));
  const title = shown.findIndex((cell) => wordsOf(cell) !== "");
  const icon = iconMark.exec(shown.slice(0, title + 1).join(" "))?.[1];
  const rest = shown
    .slice(title + 1)
    .filter((cell) => wordsOf(cell) !== "" || cell.includes("<img"))
    .map((cell) => cell.replace(/<(\/?)h\d[^<>]{0,200}>/g, "<$1strong>"));
  const attributes = [
    attribute("title", wordsOf(shown[title] ?? "")),
    attribute("icon", icon === undefined ? undefined : iconName(icon)),
    attribute("href", address(cellOf(/data-card-target/))),
    attribute("img", address(cellOf(/data-card-cover(?!-)/))),
  ];
  return `<Card${attributes.join("")}>\n\n${rest.join("\n\n")}\n\n</Card>`;
}

const iconMark = /<i class="(fa-[\w -]{1,100})">[^<>]{0,100}<\/i>/;

const wordsOf = (html: string): string =>
  unescapeHtml(html.replace(new RegExp(iconMark, "g"), "").replace(/<[^<>]{0,2000}>/g, ""))
    .replace(/\s+/g, " ")
    .trim();

/** Icons in text: `<i class="fa-rocket">:rocket:</i>`. One that no set has stays. */
const inlineIcons = (text: string): string =>
  text.replace(new RegExp(iconMark, "g"), (whole, written: string) => {
    const name = iconName(written);
    return name === undefined ? whole : `<Icon icon="${name}" />`;
  });
