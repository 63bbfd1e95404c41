import { nameOf } from "../../lib/url/index.js";
import { wordsOf } from "../../site/config/index.js";
import { at, listOf, textOf } from "../data.js";
import { readYaml } from "../front-matter.js";
import { append, block, fenceOf, indentOf, type Line, mapText, type PageText } from "../page-text.js";
import type { NavEntry, PageContext, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { attribute, calloutTags, element } from "../steps/blocks.js";
import { attributeText, mapTags } from "../steps/tags.js";
import { magicBlocks } from "./readme-blocks.js";
import {
  below,
  findFile,
  folderEntries,
  folderOf,
  headOf,
  inside,
  isTrue,
  labelOf,
  numberOf,
  packageName,
  pagesBelow,
} from "./shared.js";

export const readme: Tool = {
  name: "ReadMe",
  detect(files) {
    const order = findFile(files, /(?:^|\/)_order\.yaml$/);
    if (order !== undefined) return topOf(order);
    const page = files.paths.find(
      (path) =>
        /(?:^|\/)(?:docs|v[\d.]+)\/.*\.md$/.test(path) &&
        (at(headOf(files, path), "excerpt") !== undefined || /^\[block:/m.test(files.readText(path).slice(0, 100_000))),
    );
    return page === undefined ? undefined : topOf(page);
  },
  read,
  convert(text, context) {
    const blocks = callouts(magicBlocks(codeTabs(text), context));
    return links(components(blocks), context);
  },
  frontmatter: (data) => ({
    ...data,
    description: textOf(data["excerpt"]) ?? at(data, "metadata.description"),
    hidden: data["hidden"],
  }),
  isMarkdown: () => true,
};

const topOf = (path: string): string => {
  const folder = /^(.*?)(?:^|\/)(?:docs|reference|custom_pages)\//.exec(path)?.[1];
  return folder ?? folderOf(folderOf(path));
};

/** `> 📘 Title` and its text. */
const emojis: Readonly<Record<string, string>> = {
  "📘": "info",
  ℹ: "info",
  "👍": "success",
  "✅": "success",
  "🚧": "warning",
  "⚠": "warning",
  "❗": "danger",
  "❌": "danger",
  "🛑": "danger",
};

function callouts(lines: PageText): PageText {
  const out: Line[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const [, emoji = "", title = ""] =
      (!line.code && line.text.length < 2000 && /^>\s*(\p{Extended_Pictographic})\uFE0F?\s*(.*)$/u.exec(line.text)) ||
      [];
    const tags =
      emoji === ""
        ? undefined
        : (calloutTags(emojis[emoji] ?? "note", title.replace(/^\*\*(.*)\*\*$/, "$1")) ?? element("Note"));
    if (!tags) {
      out.push(line);
      continue;
    }
    let end = i + 1;
    while (end < lines.length && /^>/.test(lines[end]!.text)) end++;
    const body = lines.slice(i + 1, end).map((each) => ({ ...each, text: each.text.replace(/^> ?/, "") }));
    append(out, [...block([tags.open], line.line), ...body, ...block([tags.close], line.line)]);
    i = end - 1;
  }
  return out;
}

/** Code blocks without a line between them are tabs. */
function codeTabs(lines: PageText): PageText {
  const out: Line[] = [];
  let start: number | undefined;
  let count = 0;
  const finish = (line: number): void => {
    if (start !== undefined && count > 1) {
      out.splice(start, 0, ...block(["<CodeGroup>"], line));
      out.push(...block(["</CodeGroup>"], line));
    }
    [start, count] = [undefined, 0];
  };
  for (const line of lines) {
    if (line.opens) {
      if (start === undefined) start = out.length;
      count++;
      const [mark, info] = fenceOf(line.text)!;
      // A block of a group has a title.
      const titled = info.trim() === "" ? `${mark}text` : line.text;
      out.push({ ...line, text: info.trim() === "" ? indentOf(line.text) + titled : titled });
      continue;
    }
    if (!line.code) finish(line.line);
    out.push(line);
  }
  finish(lines.at(-1)?.line ?? 1);
  return out;
}

function components(lines: PageText): PageText {
  const open: string[] = [];
  return mapTags(lines, (tag) => {
    if (tag.name === "Callout") {
      if (tag.isEnd) return open.pop();
      const tags =
        calloutTags(attributeText(tag, "theme") ?? emojis[attributeText(tag, "icon") ?? ""] ?? "info") ??
        element("Note");
      open.push(tags.close);
      return tags.open;
    }
    if (tag.name === "Image")
      return `<Frame${attribute("caption", attributeText(tag, "caption"))}><img${attribute("src", attributeText(tag, "src"))} alt=${JSON.stringify(attributeText(tag, "alt") ?? "")} /></Frame>`;
    if (tag.name === "Cards") return tag.isEnd ? "</CardGroup>" : "<CardGroup cols={2}>";
    return undefined;
  });
}

/** `doc:slug` and `ref:slug` are addresses; `<<name>>` is a variable of the reader. */
function links(lines: PageText, { note, page }: PageContext): PageText {
  let warned = false;
  return mapText(lines, (text, { line }) => {
    if (!warned && /<<[\w:]+>>/.test(text)) {
      warned = true;
      note({
        sourcePath: page.source,
        line,
        kind: "variable",
        what: "The page uses variables (<<name>>), which are text now; docs.json has variables of the site.",
      });
    }
    return text
      .replace(
        /\]\((doc|ref|changelog|page):([\w-]+)/g,
        (_, kind: string, slug: string) =>
          `](/${kind === "doc" ? "docs" : kind === "ref" ? "reference" : kind}/${slug}`,
      )
      .replace(/<<(?:glossary:)?([\w-]+)>>/g, "$1");
  });
}

function read({ files, base }: ToolContext): Project {
  const sections = ["docs", "reference"].filter((name) =>
    files.paths.some((path) => path.startsWith(below(base, `${name}/`)) && /\.(?:md|json|ya?ml)$/.test(path)),
  );
  const pages: ProjectPage[] = [];
  const tabs = sections.map((section) => {
    const folder = below(base, section);
    const own = pagesBelow(files, folder, (path) => {
      const stem = nameOf(path).replace(/\.mdx?$/i, "");
      return `${section}/${textOf(headOf(files, path)["slug"]) ?? (stem === "index" ? slugOfFolder(path) : stem)}`;
    });
    pages.push(...own);
    const heads = new Map(own.map(({ source }) => [source, headOf(files, source)]));
    const shown = own.filter(({ source }) => !isTrue(heads.get(source)?.["hidden"]));
    const orders = new Map<string, readonly string[]>();
    for (const path of files.paths)
      if (inside(folder, path) && nameOf(path) === "_order.yaml")
        orders.set(
          folderOf(path),
          listOf(readYaml(files.readText(path).slice(0, 1_000_000)).value).map((each) => textOf(each) ?? ""),
        );
    const factsOf = (path: string) => {
      const at = orders.get(folderOf(path))?.indexOf(nameOf(path).replace(/\.mdx?$/i, "")) ?? -1;
      return {
        position: at === -1 ? numberOf(heads.get(path)?.["order"]) : at,
        label: heads.has(path) ? undefined : wordsOf(nameOf(path)),
      };
    };
    const entries: NavEntry[] = folderEntries(
      shown.map(({ source }) => source),
      factsOf,
      folder,
    );
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
    return { label: section === "docs" ? "Guides" : "API reference", entries: [...entries, ...generated] };
  });
  return { name: packageName(files), settings: {}, pages, tabs, assetFolders: [], generated: "reference" };
}

const slugOfFolder = (path: string): string => nameOf(folderOf(path));
