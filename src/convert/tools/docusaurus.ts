import { joinPath } from "../../lib/url/index.js";
import { asData, asList, asText, type Data, isData, valueAt } from "../data.js";
import { fenceOf, type Line, type PageText } from "../page-text.js";
import type { NavEntry, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { readJs } from "../read-js.js";
import { attribute, calloutTags, colonBlocks, element, fenceInfos } from "../steps/blocks.js";
import { mdxImports } from "../steps/imports.js";
import { attributeText, type ElementTable, replaceElements, type Tag } from "../steps/tags.js";
import { folderEntries, withoutNumber } from "./folder-navigation.js";
import {
  addressOf,
  dataFile,
  findFile,
  findFolder,
  headOf,
  inside,
  isPage,
  isUnreadable,
  labelOf,
  logoOf,
  navbarOf,
  noteUnreadable,
  numberOf,
  pageEntry,
  publicPath,
  redirectsOf,
  relativeTo,
} from "./shared.js";

const config = /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/;

export const docusaurus: Tool = {
  name: "Docusaurus",
  detect: (files) => findFolder(files, config),
  read,
  convert(text, context) {
    const blocks = colonBlocks(
      mdxImports(text, context),
      (name, rest) => calloutTags(name, /^\s*\[(.*)\]/.exec(rest)?.[1] ?? /title="([^"]*)"/.exec(rest)?.[1] ?? rest),
      ({ line }, name) => context.report("admonition", `":::${name}" is not a kind of callout; its text stays.`, line),
    );
    return replaceElements(fenceInfos(highlightComments(blocks), fenceInfo), elements);
  },
  frontmatter: (data) => ({ ...data, sidebarTitle: data["sidebar_label"], hidden: data["unlisted"] }),
  isMarkdown: () => false,
};

const fenceInfo = (info: string): string =>
  info.replace(/\s+(?:npm2yarn|live|noInline)\b(?:=\S+)?/g, "").replace(/\bshowLineNumbers\b(?:=\d+)?/g, "lines");

/** Tags whose addresses may be JavaScript: `src={require("./a.png").default}`. */
function withPlainAddress({ name, written, isEmpty }: Tag) {
  const plain = written.replace(/\{\s*(?:require|useBaseUrl)\(\s*(["'])([^"']*)\1\s*\)(?:\.default)?\s*\}/g, '"$2"');
  if (plain === written) return undefined;
  return { open: `<${name}${plain}${isEmpty ? " /" : ""}>`, close: isEmpty ? "" : `</${name}>` };
}

const elements: ElementTable = {
  Tabs: () => element("Tabs"),
  TabItem: (tag) =>
    element("Tab", attribute("title", attributeText(tag, "label") ?? labelOf(attributeText(tag, "value") ?? "Tab"))),
  Admonition: (tag) =>
    calloutTags(attributeText(tag, "type") ?? "note", attributeText(tag, "title")) ?? element("Note"),
  Link: (tag) => element("a", attribute("href", attributeText(tag, "to") ?? attributeText(tag, "href"))),
  DocCardList: ({ isEmpty }) => (isEmpty ? { open: "", close: "" } : undefined),
  img: withPlainAddress,
  source: withPlainAddress,
  a: withPlainAddress,
};

const mark = /^\s*(?:\/\/|#|--|;|\/\*|<!--|\{\/\*)\s*highlight-(next-line|start|end)\s*(?:\*\/\}?|-->)?\s*$/;

/** Comments that mark lines of code become numbers after the fence: ```js {2,4-5}. */
function highlightComments(lines: PageText): PageText {
  const out: Line[] = [];
  let opening = -1;
  let count = 0;
  let inMarks = false;
  let marked: number[] = [];
  const finish = (): void => {
    const line = out[opening];
    if (line && marked.length > 0 && !/\{[\d,-]+\}/.test(line.text))
      out[opening] = { ...line, text: `${line.text} {${marked.join(",")}}` };
    opening = -1;
  };
  for (const line of lines) {
    if (line.opens || !line.code) finish();
    if (line.opens) {
      [opening, count, marked, inMarks] = [out.length, 0, [], false];
      out.push(line);
      continue;
    }
    const found = line.code && opening !== -1 && line.text.length < 1000 ? mark.exec(line.text)?.[1] : undefined;
    if (found === "next-line") marked.push(count + 1);
    if (found !== undefined && found !== "next-line") inMarks = found === "start";
    if (found !== undefined) continue;
    count++;
    if (inMarks && fenceOf(line.text) === undefined) marked.push(count);
    out.push(line);
  }
  finish();
  return out;
}

/** What the sidebars refer to. */
interface Docs {
  readonly context: ToolContext;
  readonly folder: string;
  readonly sources: readonly string[];
  /** Source by id. */
  readonly ids: ReadonlyMap<string, string>;
  readonly heads: ReadonlyMap<string, Data>;
}

/** Parts of a site that are not converted, by folder. */
const leftOut = [
  ["blog", "blog", "The blog is not converted."],
  [
    "src/pages",
    "pages",
    "Pages in src/pages are programs; write them as MDX. The first page of the navigation is the start page.",
  ],
  [
    "versioned_docs",
    "versions",
    "Only the current version is converted; navigation.versions of docs.json holds others.",
  ],
  ["i18n", "languages", "Only the default language is converted; navigation.languages of docs.json holds others."],
] as const;

function read(context: ToolContext): Project {
  const { files, base, note } = context;
  const configPath = findFile(files, config)!;
  const settings = asData(readJs(files, configPath));
  if (Object.keys(settings).length === 0) noteUnreadable(context, configPath, "name, logo and links");
  const options = docsOptions(settings);
  const folder = joinPath(base, asText(options["path"]) ?? "docs");
  const route = (asText(options["routeBasePath"]) ?? "docs").replace(/^\/|\/$/g, "");
  const isHidden = (path: string): boolean => /(?:^|\/)_/.test(relativeTo(folder, path));
  const sources = files.paths.filter((path) => isPage(path) && inside(folder, path) && !isHidden(path));
  const heads = new Map(sources.map((source) => [source, headOf(files, source)]));
  const ids = new Map<string, string>();
  const pages = sources.map((source): ProjectPage => {
    const path = relativeTo(folder, source).replace(/\.mdx?$/i, "");
    const names = path.split("/").map(withoutNumber);
    const head = heads.get(source)!;
    ids.set([...names.slice(0, -1), asText(head["id"]) ?? names.at(-1)!].join("/"), source);
    return { source, address: [route, docAddress(names, head)].filter(Boolean).join("/") };
  });
  for (const [path, kind, what] of leftOut)
    if (files.paths.some((file) => inside(joinPath(base, path), file))) note(joinPath(base, path), kind, what);
  return {
    name: asText(settings["title"]),
    url: asText(settings["url"]),
    ...lookOf(settings, context),
    pages,
    tabs: tabsOf(settings, asText(options["sidebarPath"]), { context, folder, sources, ids, heads }),
    assetFolders: [joinPath(base, "static")],
    basePath: (asText(settings["baseUrl"]) ?? "/").replace(/\/$/, ""),
    redirects: redirectsOf(
      asList(pluginOptions(settings, "client-redirects")["redirects"]).flatMap((redirect) =>
        [valueAt(redirect, "from")].flat().flatMap((from) => {
          const source = asText(from);
          return source === undefined ? [] : [[source, valueAt(redirect, "to")] as const];
        }),
      ),
    ),
  };
}

/** Options of the docs plugin, which a preset holds in most sites. */
function docsOptions(settings: Data): Data {
  const presets = asList(settings["presets"]).flatMap((preset) => (Array.isArray(preset) ? [asData(preset[1])] : []));
  return asData(presets.map((preset) => preset["docs"]).find(isData));
}

const pluginOptions = (settings: Data, name: string): Data =>
  asData(
    asList(settings["plugins"]).flatMap((plugin) =>
      Array.isArray(plugin) && String(plugin[0]).includes(name) ? [plugin[1]] : [],
    )[0],
  );

/** The address below the route of the docs. */
function docAddress(names: readonly string[], head: Data): string {
  const slug = asText(head["slug"]);
  const folder = names.slice(0, -1).join("/");
  if (slug !== undefined) return joinPath(slug.startsWith("/") ? "" : folder, slug);
  const last = asText(head["id"]) ?? names.at(-1)!;
  // A page with the name of its folder has the address of the folder.
  return last === names.at(-2) ? folder : addressOf(joinPath(folder, `${last}.md`));
}

const navbarItems = (settings: Data): Data[] => asList(valueAt(settings, "themeConfig.navbar.items")).map(asData);

function lookOf(settings: Data, { files, base }: ToolContext) {
  const copied: string[] = [];
  const picture = (written: unknown): string | undefined => {
    const path = publicPath(asText(written));
    const source = joinPath(base, `static${path}`);
    if (path === undefined || !files.has(source)) return undefined;
    copied.push(source);
    return path;
  };
  const logo = asData(valueAt(settings, "themeConfig.navbar.logo"));
  return {
    settings: {
      description: asText(settings["tagline"]),
      logo: logoOf(picture(logo["src"]), picture(logo["srcDark"])),
      favicon: picture(settings["favicon"]),
      navbar: navbarOf(navbarItems(settings).map(({ label, href }) => [label, href])),
    },
    files: copied,
  };
}

function tabsOf(settings: Data, sidebarPath: string | undefined, docs: Docs): Project["tabs"] {
  const { files, base } = docs.context;
  const candidates = ["js", "ts", "cjs", "mjs", "json"].map((extension) => `sidebars.${extension}`);
  const file = [sidebarPath ?? [], candidates]
    .flat()
    .map((path) => joinPath(base, path))
    .find((path) => files.has(path));
  const sidebars = file === undefined ? {} : asData(readJs(files, file));
  const tabs = Object.entries(sidebars).map(([name, written]) => {
    const item = navbarItems(settings).find((candidate) => candidate["sidebarId"] === name);
    const label = asText(item?.["label"]) ?? labelOf(name.replace(/Sidebar$/, ""));
    return { label, entries: sidebarEntries(written, docs, file!) };
  });
  return tabs.length > 0 ? tabs : [{ label: "", entries: autogenerated(docs, docs.folder) }];
}

function autogenerated({ context: { files }, heads, sources }: Docs, folder: string): NavEntry[] {
  return folderEntries(sources, folder, (path) => {
    const head = heads.get(path);
    if (head) return { position: numberOf(head["sidebar_position"]) };
    const file = ["json", "yml", "yaml"]
      .map((extension) => joinPath(path, `_category_.${extension}`))
      .find((candidate) => files.has(candidate));
    const category = file === undefined ? {} : dataFile(files, file);
    return {
      position: numberOf(category["position"]),
      label: asText(category["label"]),
      expanded: asText(category["collapsed"]) === "false",
    };
  });
}

function sidebarEntries(written: unknown, docs: Docs, file: string, depth = 0): NavEntry[] {
  const { context, ids, folder } = docs;
  const page = (id: string, label?: string): NavEntry[] =>
    pageEntry(ids.get(id) ?? ids.get(id.split("/").map(withoutNumber).join("/")), id, label, file, context);
  if (isUnreadable(written, depth, file, context)) return [];
  if (typeof written === "string") return page(written);
  if (Array.isArray(written)) return written.flatMap((item) => sidebarEntries(item, docs, file, depth + 1));
  const entry = asData(written);
  const label = asText(entry["label"]);
  switch (entry["type"]) {
    case "doc":
    case "ref":
      return page(asText(entry["id"]) ?? "", label);
    case "link":
      return [{ kind: "link", label: label ?? "", href: asText(entry["href"]) ?? "" }];
    case "autogenerated":
      return autogenerated(docs, joinPath(folder, asText(entry["dirName"]) ?? "."));
    case "html":
      return [];
    case "category": {
      const link = asData(entry["link"]);
      const root = link["type"] === "doc" ? ids.get(asText(link["id"]) ?? "") : undefined;
      const entries = sidebarEntries(entry["items"] ?? [], docs, file, depth + 1);
      return [{ kind: "group", label: label ?? "", root, expanded: entry["collapsed"] === false, entries }];
    }
    default:
      // The short form: a category by its label.
      return Object.entries(entry).map(([name, items]) => ({
        kind: "group",
        label: name,
        entries: sidebarEntries(items, docs, file, depth + 1),
      }));
  }
}
