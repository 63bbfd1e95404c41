import { nameOf } from "../../lib/url/index.js";
import { at, type Data, dataOf, listOf, readYaml, textOf } from "../data.js";
import { append, block, fenceOf, indentOf, type Line, linesOf, mapText, type PageText } from "../page-text.js";
import type { NavEntry, PageContext, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { attribute, calloutTags, element } from "../steps/blocks.js";
import { attributeText, mapTags } from "../steps/tags.js";
import { readableName } from "./folder-navigation.js";
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

const slugOfFolder = (path: string): string => nameOf(folderOf(path));

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
        label: heads.has(path) ? undefined : readableName(nameOf(path)),
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

/** `[block:callout]` with JSON, to `[/block]`. */
function magicBlocks(lines: PageText, context: PageContext): PageText {
  const out: Line[] = [];
  let end = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const kind = line.code ? undefined : /^\s*\[block:([\w-]+)\]\s*$/.exec(line.text.slice(0, 200))?.[1];
    if (kind !== undefined && end <= i) end = nextEnd(lines, i + 1);
    if (kind === undefined || end === lines.length) {
      out.push(line);
      continue;
    }
    const json = lines
      .slice(i + 1, end)
      .map(({ text }) => text)
      .join("\n");
    append(out, blockOf(kind, json, line, context));
    i = end;
  }
  return out;
}

/** Where the next block ends; the number of lines if none does. */
function nextEnd(lines: PageText, from: number): number {
  let at = from;
  while (at < lines.length && lines[at]!.text.trim() !== "[/block]") at++;
  return at;
}

function blockOf(kind: string, json: string, line: Line, { page, note }: PageContext): PageText {
  const data = parsed(json);
  if (data === undefined) {
    note({
      sourcePath: page.source,
      line: line.line,
      kind: "block",
      what: `[block:${kind}] has no valid JSON; it is left out.`,
    });
    return [];
  }
  const text = (written: unknown): PageText =>
    linesOf(textOf(written) ?? "", 1).map((each) => ({ ...each, line: line.line }));
  switch (kind) {
    case "callout": {
      const tags = calloutTags(textOf(data["type"]) ?? "info", textOf(data["title"])) ?? element("Note");
      return [...block([tags.open], line.line), ...text(data["body"]), ...block([tags.close], line.line)];
    }
    case "code": {
      const codes = listOf(data["codes"]).map(dataOf);
      const fences = codes.flatMap((each) =>
        text(
          `\`\`\`\`${textOf(each["language"]) ?? "text"} ${textOf(each["name"]) ?? ""}\n${textOf(each["code"]) ?? ""}\n\`\`\`\``,
        ),
      );
      return codes.length < 2
        ? fences
        : [...block(["<CodeGroup>"], line.line), ...fences, ...block(["</CodeGroup>"], line.line)];
    }
    case "image":
      return listOf(data["images"]).flatMap((each) => {
        const { image, caption } = dataOf(each);
        const [src, , alt] = listOf(image).map(textOf);
        return block(
          [
            `<Frame${attribute("caption", textOf(caption))}>`,
            `<img${attribute("src", src)}${` alt=${JSON.stringify(alt ?? "")}`} />`,
            "</Frame>",
          ],
          line.line,
        );
      });
    case "api-header":
      return text(`## ${textOf(data["title"]) ?? ""}`);
    case "parameters":
      return text(tableOf(data));
    case "embed":
      return block(
        [
          `<Card${attribute("title", textOf(data["title"]) ?? textOf(data["url"]))}${attribute("href", textOf(data["url"]))} horizontal />`,
        ],
        line.line,
      );
    case "html":
      note({
        sourcePath: page.source,
        line: line.line,
        kind: "block",
        what: "A block of HTML is left out; write it as components.",
      });
      return [];
    default:
      note({
        sourcePath: page.source,
        line: line.line,
        kind: "block",
        what: `[block:${kind}] has no counterpart; it is left out.`,
      });
      return [];
  }
}

function parsed(json: string): Data | undefined {
  try {
    return dataOf(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Cells of a table are at `row-column`, its head at `h-column`. */
function tableOf(table: Data): string {
  const data = dataOf(table["data"]);
  const [rows, cols] = [Math.min(numberOf(table["rows"]) ?? 0, 2000), Math.min(numberOf(table["cols"]) ?? 0, 50)];
  const row = (name: string | number): string =>
    `| ${Array.from({ length: cols }, (_, col) => (textOf(data[`${name}-${col}`]) ?? "").replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
  return [row("h"), `|${" --- |".repeat(cols)}`, ...Array.from({ length: rows }, (_, i) => row(i))].join("\n");
}
