/** Nuxt Content and Docus: Markdown with components in blocks of colons, and the navigation in the names of the files. */
import { joinPath, nameOf } from "../../lib/url/index.js";
import { asData, asText, type Data, readYaml } from "../data.js";
import { block, generated, type Line, mapText, type PageText } from "../page-text.js";
import type { PageContext, Project, Tool, ToolContext } from "../project.js";
import { githubSlugs } from "../steps/anchors.js";
import { attribute, calloutTags, fenceInfos, namesByTheirs } from "../steps/blocks.js";
import { htmlNames } from "../steps/escape.js";
import { iconReader } from "../steps/icons.js";
import { mdxElements } from "../steps/mdx-elements.js";
import names from "../steps/names.json" with { type: "json" };
import { stepHeadings } from "../steps/step-headings.js";
import { folderEntries, type OrderFacts, withoutNumber } from "./navigation.js";
import { folderWithPackage } from "./nextra.js";
import {
  addressOf,
  dataFile,
  fileIn,
  findFolder,
  hasPages,
  headOf,
  isLanguageCode,
  isPage,
  languageTab,
  packageName,
  pagesBelow,
  relativeTo,
} from "./shared.js";

export const nuxt: Tool = {
  name: "Nuxt",
  detect(files, start) {
    const folder =
      findFolder(files, /(?:^|\/)(?:nuxt|docus)\.config\.[cm]?[jt]s$/, start) ??
      folderWithPackage(files, start, /^(?:docus|@nuxt\/content)$/);
    return folder !== undefined && hasPages(files, joinPath(folder, "content")) ? folder : undefined;
  },
  read,
  convert: (text, context) =>
    stepHeadings(
      mdxElements(
        fenceInfos(inlineComponents(componentBlocks(text, context)), (info) =>
          info.replace(/\s*\[([^\]]+)\]\s*/, " $1 ").replace(/^(\w+)\{/, "$1 {"),
        ),
        context,
      ),
    ),
  frontmatter: (data) => ({ ...asData(data["seo"]), ...data }),
  isMarkdown: () => true,
  emoji: "after anchors",
  slugs: githubSlugs,
};

function read(context: ToolContext): Project {
  const { files, base, note } = context;
  const root = joinPath(base, "content");
  const all = pagesBelow(files, root, (path) => addressOf(path.split("/").map(withoutNumber).join("/")));
  const pages = all.filter(({ source }) => !nameOf(source).startsWith("."));
  const heads = new Map(pages.map(({ source }) => [source, headOf(files, source)]));
  const iconOf = iconReader(note);
  const factsOf = (path: string): OrderFacts => {
    const file = fileIn(files, [path], [".navigation.yml", "_dir.yml"]);
    const head = heads.get(path);
    const folder = head || file === undefined ? {} : dataFile(files, file);
    const own = { ...folder, ...asData((head ?? folder)["navigation"]) };
    return { label: asText(own["title"]), icon: iconOf(asText(own["icon"]), file ?? path) };
  };
  const listed = pages.flatMap(({ source }) =>
    asText(heads.get(source)!["navigation"]) === "false" || /(?:^|\/)_/.test(source) ? [] : [source],
  );
  // A site in several languages has a folder for each.
  const folders = [...new Set(listed.flatMap((path) => /^([^/]+)\//.exec(relativeTo(root, path))?.[1] ?? []))];
  const languages = folders.length > 1 && folders.every(isLanguageCode) ? folders : [];
  const entriesIn = (folder: string) => folderEntries(listed, folder, factsOf);
  return {
    name: packageName(files, base),
    settings: {},
    pages,
    tabs:
      languages.length === 0
        ? [{ label: "", entries: entriesIn(root) }]
        : languages.map((code) => languageTab(code, [{ label: "", entries: entriesIn(joinPath(root, code)) }])),
    ...(languages.length > 0 && { languages: languages.map((code) => `${code}/`) }),
    isLeftOut: (path) => isPage(path) && nameOf(path).startsWith("."),
    assetFolders: [joinPath(base, "public")],
  };
}

/** Our components, or those of tools with MDX that have a replacement, for the components of Nuxt UI and Docus. */
const components = namesByTheirs(names.nuxtElements);

/** The tag of a component. @param content what it has instead of a block */
function tagOf(written: string, given: Data, content?: string): { readonly open: string; readonly close: string } {
  const name = written.replace(/^prose-/, "");
  const { to, label, color, class: _, ...rest } = given;
  const data: Record<string, unknown> = { ...rest, ...(to !== undefined && { href: to }) };
  let ours =
    components.get(name) ??
    (htmlNames.has(name) ? name : name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase()));
  let text = content;
  if (ours === "Callout") {
    // The colors of a theme mean nothing more than the usual one.
    const kind = color === "primary" || color === "neutral" ? "note" : color;
    data["type"] ??= kind ?? (calloutTags(name) ? name : "note");
    // A callout that is a link.
    if (data["href"] !== undefined) ours = "LinkCard";
  } else if (/^(?:Tab|Acc)/.test(ours)) data["title"] ??= label ?? data["name"];
  else if (ours === "Icon") data["icon"] ??= data["name"];
  else if (ours === "kbd") {
    text ||= asText(data["value"]);
    delete data["value"];
  } else text ||= asText(label);
  const attributes = Object.entries(data).map(([key, value]) =>
    !/^[A-Za-z][\w-]*$/.test(key)
      ? ""
      : value === "true"
        ? ` ${key}`
        : typeof value === "string"
          ? attribute(key, value)
          : ` ${key}={${JSON.stringify(value)}}`,
  );
  const open = `<${ours}${attributes.join("")}`;
  return content === undefined || text
    ? { open: `${open}>${text ?? ""}`, close: `</${ours}>` }
    : { open: `${open} />`, close: "" };
}

/** `{icon="i-lucide-info" :cols="2" .wide required}` */
function propertiesOf(written: string): Data {
  const data: Record<string, unknown> = {};
  for (const [, key = "", a, b, c] of written.matchAll(
    /(?<![\w.#])(:?[A-Za-z][\w-]*)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'{}]+)))?/g,
  )) {
    const text = a ?? b ?? c ?? "true";
    data[key.replace(/^:/, "")] = key.startsWith(":") ? (readYaml(text).value ?? text) : text;
  }
  return data;
}

const opening = /^([ \t]*)(:{2,})[ \t]*([a-z][\w-]*)[ \t]*(?:\[([^\]]*)\])?[ \t]*(?:\{(.*)\})?([^{}[\]:]*)$/i;
/** A component without anything: `:home-features`. */
const bare = /^([ \t]*)(?<!:):([a-z]\w*(?:-\w+)+)[ \t]*$/;

/**
 * `::name{title="x"}` to `::`; lines between `---` at its start are properties, and `#title` begins a slot. The indentation of a
 * block within another one says nothing.
 */
function componentBlocks(lines: PageText, { report }: PageContext): PageText {
  const out: Line[] = [];
  const open: { readonly colons: number; readonly close: string; readonly indent: string; readonly line: number }[] =
    [];
  const titles = new Set<Line>();
  /** The indentation of the outermost block. */
  let outer = "";
  const end = (line: number): void => {
    out.push(...block([outer + open.pop()!.close], line));
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (titles.has(line)) continue;
    const isPlain = line.code || line.text.length > 2000;
    const [, indent = "", colons = "", name = "", content, written = "", title = ""] =
      (!isPlain && opening.exec(line.text)) || [];
    if (name !== "") {
      if (open.length === 0) outer = indent;
      // Other tools have the title on the line.
      const slots: Record<string, string> = title.trim() === "" ? {} : { title: title.trim() };
      let data = propertiesOf(written);
      if (lines[i + 1]?.text.trim() === "---") {
        const inner = lines.slice(i + 2, i + maxProperties).map(({ text }) => text);
        const length = inner.findIndex((text) => text.trim() === "---");
        if (length >= 0) {
          data = { ...data, ...asData(readYaml(inner.slice(0, length).join("\n")).value) };
          i += length + 2;
        }
      }
      const [mark, slot] = components.has(name) ? titleSlot(lines.slice(i + 1, i + maxProperties)) : [];
      if (mark && slot) {
        slots["title"] = slot.text.trim().replace(span, "$1");
        titles.add(mark).add(slot);
      }
      const { description, ...rest } = data;
      const { open: tag, close } = tagOf(name, { ...rest, ...slots });
      out.push(...block([outer + tag], line.line));
      for (const text of [content, asText(description)])
        if (text !== undefined) out.push({ ...line, text: outer + text }, generated("", line.line));
      open.push({ colons: colons.length, close, indent, line: line.line });
    } else if (!isPlain && open.length > 0 && blockEnd.test(line.text)) {
      const at = open.findLastIndex((each) => each.colons === line.text.trim().length);
      while (open.length > Math.max(at, 0)) end(line.line);
    } else if (!isPlain && open.length > 0 && /^\s*#[a-z][\w-]*(?:\{.*\})?\s*$/.test(line.text))
      out.push(generated("", line.line));
    else {
      const own = open.at(-1)?.indent;
      const text = own !== undefined && line.text.startsWith(own) ? outer + line.text.slice(own.length) : line.text;
      out.push({ ...line, text: isPlain ? text : text.replace(bare, "$1:$2{}") });
    }
  }
  for (const each of open) report("component", "The block has no end, so it goes to the end of the page.", each.line);
  while (open.length > 0) end(lines.at(-1)!.line);
  return out;
}
const blockEnd = /^\s*:{2,}\s*$/;

/** The mark and the text of the title of a block, `#title` and the line below, by the lines after its start. */
function titleSlot(lines: PageText): PageText {
  let depth = 0;
  for (const [i, { text }] of lines.entries()) {
    if (blockEnd.test(text)) depth--;
    else if (opening.test(text.slice(0, 2000))) depth++;
    if (depth < 0) return [];
    if (depth === 0 && /^\s*#(?:title|label)\s*$/.test(text)) return lines.slice(i, i + 2);
  }
  return [];
}
/** Number of lines that the properties of a block may take. */
const maxProperties = 200;

/** `:icon{name="i-lucide-tag"}`, `:kbd[Enter]`; properties after a text in brackets, a link, an image or code are left out. */
const inlineComponents = (lines: PageText): PageText =>
  mapText(lines, (text, line) =>
    text
      .replace(inline, (_, name: string, content = "", a = "", b = "") => {
        const { open, close } = tagOf(name, propertiesOf(a || b), content);
        return open + close;
      })
      .replace(span, "$1")
      .replace(/(?<![\w:/\\]):br(?![\w:-])/g, "<br />")
      .replace(line.text.startsWith(text) ? afterLink : afterCode, "$1"),
  );
const inline =
  /(?<![\w:/\\]):([a-z][\w-]{0,40})(?:\[([^\][\n]{0,300})\](?:\{([^{}\n]{0,500})\})?|\{([^{}\n]{0,500})\})/g;
const property = String.raw`[.#:]?[A-Za-z][\w-]{0,60}(?:="[^"{}]{0,300}"|=[\w-]{1,60})?`;
const properties = String.raw`\{${property}(?:(?: {1,3}|(?=[.#]))${property}){0,40}\}`;
const span = new RegExp(String.raw`(?<![\]!\\])\[([^\][\n]{1,300})\]${properties}`, "g");
const afterLink = new RegExp(String.raw`(\]\([^()\s]{0,1000}\))${properties}`, "g");
const afterCode = new RegExp(String.raw`(^|\]\([^()\s]{0,1000}\))${properties}`, "g");
