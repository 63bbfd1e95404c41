import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asList, asText, type Data, readYaml, valueAt } from "../data.js";
import { foldersOf } from "../links.js";
import {
  block,
  fenceOf,
  indentOf,
  type Line,
  linesOf,
  mapText,
  type PageText,
  replaceGroups,
  textOfLines,
} from "../page-text.js";
import type { NavEntry, PageContext, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { githubSlugs } from "../steps/anchors.js";
import { attribute, calloutTags, element, namesByTheirs, quoteBlocks } from "../steps/blocks.js";
import { mdxImports } from "../steps/imports.js";
import names from "../steps/names.json" with { type: "json" };
import { attributeText, type ElementTable, replaceElements } from "../steps/tags.js";
import { folderEntries, readableName } from "./navigation.js";
import {
  findFile,
  headOf,
  inside,
  isPage,
  isTrue,
  labelOf,
  numberOf,
  packageName,
  pagesBelow,
  relativeTo,
} from "./shared.js";

export const readme: Tool = {
  name: "ReadMe",
  detect(files, start) {
    const order = findFile(files, /(?:^|\/)_order\.yaml$/, start);
    if (order !== undefined) return topOf(order);
    const page = files.paths.find(
      (path) =>
        inside(start, path) &&
        /(?:^|\/)(?:docs|v[\d.]+)\/.*\.md$/.test(path) &&
        (isExported(headOf(files, path)) || /^\[block:/m.test(files.readText(path).slice(0, 100_000))),
    );
    return page === undefined ? undefined : topOf(page);
  },
  read,
  convert(text, context) {
    const blocks = callouts(
      magicBlocks(codeTabs(isCode(context.files, context.page) ? mdxImports(text, context) : text), context),
    );
    return convertLinks(replaceElements(blocks, elements), context);
  },
  frontmatter: (data) => ({ ...data, description: asText(data["excerpt"]) ?? valueAt(data, "metadata.description") }),
  isMarkdown: () => true,
  emoji: "after anchors",
  slugs: githubSlugs,
};

/** Whether the page imports or defines components, so that its braces are code. */
const isCode = (files: SiteFiles, { source }: ProjectPage): boolean =>
  files.sizeOf(source) < 1_000_000 &&
  /^(?:import\s.{0,300}["'];?$|export\s+(?:const|function|default)\s)/m.test(files.readText(source));

/** Whether ReadMe has exported the page. An `excerpt` alone does not tell: blog posts have one, too. */
const isExported = (head: Data): boolean =>
  head["excerpt"] !== undefined && ["hidden", "deprecated", "category"].some((name) => head[name] !== undefined);

const topOf = (path: string): string => {
  const folder = /^(.*?)(?:^|\/)(?:docs|reference|custom_pages)\//.exec(path)?.[1];
  return folder ?? folderOf(folderOf(path));
};

/** `> 📘 Title` and its text. */
const emojis = namesByTheirs(names.readmeEmoji);

const callouts = (lines: PageText): PageText =>
  quoteBlocks(lines, (first, indent) => {
    const [, emoji, title = ""] = /^(\p{Extended_Pictographic})\uFE0F?\s*(.*)$/u.exec(first) ?? [];
    if (emoji === undefined || indent !== "") return undefined;
    return {
      tags: calloutTags(emojis.get(emoji) ?? "note", title.replace(/^\*\*(.*)\*\*$/, "$1")) ?? element("Note"),
      rest: "",
    };
  });

/** Code blocks that follow each other without a line between become tabs, of which each needs a title. */
const codeTabs = (lines: PageText): PageText =>
  replaceGroups(lines, (line, at) => {
    if (!line.opens) return undefined;
    let end = at;
    while (lines[end]?.code) end++;
    const blocks = lines.slice(at, end).map((each): Line => {
      const [mark, info = ""] = (each.opens && fenceOf(each.text)) || [];
      return mark !== undefined && info.trim() === "" ? { ...each, text: `${indentOf(each.text)}${mark}text` } : each;
    });
    const isGroup = blocks.filter(({ opens }) => opens).length > 1;
    const [open, close] = ["<CodeGroup>", "</CodeGroup>"].map((tag) => (isGroup ? block([tag], line.line) : []));
    return { end, lines: [...open!, ...blocks, ...close!] };
  });

const elements: ElementTable = {
  Callout(tag) {
    const theme = attributeText(tag, "theme") ?? emojis.get(attributeText(tag, "icon") ?? "") ?? "info";
    return calloutTags(theme) ?? element("Note");
  },
  Image(tag) {
    const [caption, src] = ["caption", "src"].map((name) => attribute(name, attributeText(tag, name)));
    const alt = JSON.stringify(attributeText(tag, "alt") ?? "");
    return { open: `<Frame${caption}><img${src} alt=${alt} /></Frame>`, close: "" };
  },
  Cards: () => element("CardGroup", " cols={2}"),
  Anchor: (tag) => element("a", attribute("href", attributeText(tag, "href"))),
  Table: () => element("table"),
  Embed: (tag) => ({ open: embedOf(attributeText(tag, "url"), attributeText(tag, "title")), close: "" }),
};

const embedOf = (url: string | undefined, title: string | undefined): string =>
  `<Card${attribute("title", title ?? url)}${attribute("href", url)} horizontal />`;

/** Resolves `doc:slug` and `ref:slug`, and replaces variables of the reader, `<<name>>`, by their name. */
function convertLinks(lines: PageText, { reportOnce }: PageContext): PageText {
  return mapText(lines, (text, { line }) => {
    if (/<<[\w:]+>>/.test(text))
      reportOnce(
        "variable",
        "The page uses variables (<<name>>), which are text now; docs.json has variables of the site.",
        line,
      );
    return text
      .replace(
        /\]\((doc|ref|changelog|page):([\w-]+)/g,
        (_, kind: string, slug: string) =>
          `](/${kind === "doc" ? "docs" : kind === "ref" ? "reference" : kind}/${slug}`,
      )
      .replace(/<<(?:glossary:)?([\w-]+)>>/g, "$1");
  });
}

/** The folders of a project by name: the start of their addresses, and the label of their tab, if they have one. */
const sectionNames: ReadonlyMap<string, readonly [address: string, label?: string]> = new Map([
  ["docs", ["docs", "Guides"]],
  ["reference", ["reference", "API reference"]],
  ["changelog", ["changelog", "Changelog"]],
  ["changelogs", ["changelog", "Changelog"]],
  ["custom_pages", ["page"]],
]);

function read({ files, base, note }: ToolContext): Project {
  const sections = [...sectionNames].filter(([name]) =>
    files.paths.some((path) => inside(joinPath(base, name), path) && /\.(?:mdx?|json|ya?ml)$/.test(path)),
  );
  for (const path of files.paths)
    if (/^(?:recipes|custom_blocks)\//.test(relativeTo(base, path)) && inside(base, path) && isPage(path))
      note(path, "page", "Recipes and blocks of ReadMe are not converted; copy the text into the page that shows it.");
  const pages: ProjectPage[] = [];
  const tabs = sections.flatMap(([section, [address, label]]) => {
    const folder = joinPath(base, section);
    const sectionPages = pagesBelow(files, folder, (_, source) => {
      const stem = nameOf(source).replace(/\.mdx?$/i, "");
      const slug = asText(headOf(files, source)["slug"]);
      return `${address}/${slug ?? (stem === "index" ? nameOf(folderOf(source)) : stem)}`;
    });
    pages.push(...sectionPages);
    if (label === undefined) return [];
    const heads = new Map(sectionPages.map(({ source }) => [source, headOf(files, source)]));
    const shown = sectionPages.flatMap(({ source }) => (isTrue(heads.get(source)?.["hidden"]) ? [] : [source]));
    const folders = new Set(shown.flatMap(foldersOf));
    /** The page of a folder may have the folder's name and be next to it: `guide.md` and `guide/`. */
    const parentOf = (path: string): string | undefined =>
      folders.has(path) ? [`${path}.md`, `${path}.mdx`].find((page) => shown.includes(page)) : undefined;
    const visible = shown.filter((path) => parentOf(path.replace(/\.mdx?$/, "")) !== path);
    const orders = new Map<string, readonly string[]>();
    for (const path of files.paths)
      if (inside(folder, path) && nameOf(path) === "_order.yaml")
        orders.set(
          folderOf(path),
          asList(readYaml(files.readText(path).slice(0, 1_000_000)).value).map((name) => asText(name) ?? ""),
        );
    const factsOf = (path: string) => {
      const at = orders.get(folderOf(path))?.indexOf(nameOf(path).replace(/\.mdx?$/i, "")) ?? -1;
      const root = heads.has(path) ? undefined : parentOf(path);
      const head = heads.get(root ?? path);
      return {
        position: at === -1 ? numberOf(head?.["order"]) : at,
        label: heads.has(path) ? undefined : (asText(head?.["title"]) ?? readableName(nameOf(path))),
        root,
      };
    };
    const entries = folderEntries(visible, folder, factsOf);
    const specs = files.paths.filter(
      (path) =>
        inside(folder, path) &&
        /\.(?:json|ya?ml)$/.test(path) &&
        /["']?(?:openapi|swagger)["']?\s*:/.test(files.readText(path).slice(0, 5000)),
    );
    const generated = specs.map(
      (path): NavEntry => ({
        kind: "group",
        label: /^(?:openapi|swagger)\b/i.test(nameOf(path)) ? "Endpoints" : labelOf(path),
        entries: [],
        openapi: path,
      }),
    );
    return [{ label, entries: [...entries, ...generated] }];
  });
  return {
    name: packageName(files),
    settings: {},
    pages,
    tabs,
    assetFolders: [],
    generated: "reference",
    isMarkdown: (page) => !isCode(files, page),
  };
}

/** `[block:callout]` with JSON, to `[/block]`. */
function magicBlocks(lines: PageText, context: PageContext): PageText {
  let last = 0;
  return replaceGroups(lines, (line, at) => {
    const kind = line.code ? undefined : /^\s*\[block:([\w-]+)\]\s*$/.exec(line.text.slice(0, 200))?.[1];
    if (kind === undefined) return undefined;
    // A search that has reached the end of the page is not repeated.
    if (last <= at) last = at + 1;
    while (last < lines.length && lines[last]!.text.trim() !== "[/block]") last++;
    if (last === lines.length) return undefined;
    return { end: last + 1, lines: blockOf(kind, textOfLines(lines.slice(at + 1, last)), line, context) };
  });
}

function blockOf(kind: string, json: string, { line }: Line, { report }: PageContext): PageText {
  const data = parseData(json);
  const leaveOut = (what: string): PageText => {
    report("block", what, line);
    return [];
  };
  if (data === undefined) return leaveOut(`[block:${kind}] has no valid JSON; it is left out.`);
  const text = (written: unknown): PageText => linesOf(asText(written) ?? "", 1).map((added) => ({ ...added, line }));
  switch (kind) {
    case "callout": {
      const tags = calloutTags(asText(data["type"]) ?? "info", asText(data["title"])) ?? element("Note");
      return [...block([tags.open], line), ...text(data["body"]), ...block([tags.close], line)];
    }
    case "code": {
      const codes = asList(data["codes"]).map(asData);
      const fences = codes.flatMap((sample) => {
        const info = `${asText(sample["language"]) ?? "text"} ${asText(sample["name"]) ?? ""}`;
        return text(`\`\`\`\`${info}\n${asText(sample["code"]) ?? ""}\n\`\`\`\``);
      });
      return codes.length < 2 ? fences : [...block(["<CodeGroup>"], line), ...fences, ...block(["</CodeGroup>"], line)];
    }
    case "image":
      return asList(data["images"]).flatMap((entry) => {
        const { image, caption } = asData(entry);
        const [src, , alt] = asList(image).map(asText);
        const picture = `<img${attribute("src", src)} alt=${JSON.stringify(alt ?? "")} />`;
        return block([`<Frame${attribute("caption", asText(caption))}>`, picture, "</Frame>"], line);
      });
    case "api-header":
      return text(`## ${asText(data["title"]) ?? ""}`);
    case "parameters":
      return text(tableOf(data));
    case "embed":
      return block([embedOf(asText(data["url"]), asText(data["title"]))], line);
    case "html":
      return leaveOut("A block of HTML is left out; write it as components.");
    default:
      return leaveOut(`[block:${kind}] has no counterpart; it is left out.`);
  }
}

function parseData(json: string): Data | undefined {
  try {
    return asData(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** The table as Markdown. Its cells have the keys `row-column`, those of its head `h-column`. */
function tableOf(table: Data): string {
  const data = asData(table["data"]);
  const [rows, cols] = [Math.min(numberOf(table["rows"]) ?? 0, 2000), Math.min(numberOf(table["cols"]) ?? 0, 50)];
  const row = (name: string | number): string =>
    `| ${Array.from({ length: cols }, (_, col) => (asText(data[`${name}-${col}`]) ?? "").replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
  return [row("h"), `|${" --- |".repeat(cols)}`, ...Array.from({ length: rows }, (_, i) => row(i))].join("\n");
}
