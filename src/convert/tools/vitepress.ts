import { matchGlob } from "../../lib/regexp/match-glob.js";
import { joinPath } from "../../lib/url/index.js";
import { asData, asList, asText, type Data, isData, valueAt } from "../data.js";
import { mapText } from "../page-text.js";
import type { NavEntry, NavTab, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { Unknown, unknownPart } from "../settings/evaluate.js";
import { vueSlugs, wasAttribute, withoutAttributes } from "../steps/anchors.js";
import { attribute, calloutTags, colonBlocks, element, fenceInfos, noTags } from "../steps/blocks.js";
import { landingHead, landingPage } from "../steps/landing.js";
import { attributeText, type ElementTable, replaceElements } from "../steps/tags.js";
import { tabMarks, vueIncludes, vueTemplates } from "../steps/vue.js";
import { folderEntries } from "./navigation.js";
import {
  addressOf,
  byAddressOf,
  fileIn,
  findFile,
  inside,
  isGenerated,
  isInLanguage,
  isUnreadable,
  labelOf,
  logoOf,
  navbarOf,
  noteMissing,
  pagesBelow,
  pictureReader,
  publicPath,
  relativeTo,
  settingsData,
  withPages,
} from "./shared.js";

const config = /(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/;

export const vitepress: Tool = {
  name: "VitePress",
  detect: (files, start) => findFile(files, config, start)?.replace(/\/?\.vitepress\/.*/, ""),
  read,
  convert(text, context) {
    const body = vueTemplates(tabMarks(vueIncludes(text, context)), context);
    const blocks = colonBlocks(
      asText(context.frontmatter["layout"]) === "home" ? [...landingPage(context.frontmatter), ...body] : body,
      (name, rest) => blockTags(name, rest.trim()),
      ({ line }, name) => context.report("container", `"::: ${name}" is not known; its text stays.`, line),
    );
    const fences = fenceInfos(blocks, (info) =>
      info
        .replace(/:(?:no-)?line-numbers(?:=\d+)?/g, (mark) => (mark.startsWith(":no") ? "" : " lines"))
        .replace(/\[([^\]]+)\]\s*$/, "$1")
        .replace(/^(\w+)\{/, "$1 {")
        .replace(/^([\w-]+)-vue\b/, "$1"),
    );
    const hasFormulas = fences.some(({ text: line, code }) => !code && line.includes("$"));
    return replaceElements(
      mapText(fences, (part, { text: whole }) =>
        /^[ \t>]*#/.test(whole) ? part : withoutAttributes(part.replace(/^\[\[toc\]\]$/i, ""), hasFormulas),
      ),
      elements,
    );
  },
  frontmatter: (data) => ({ ...data, ...(isData(data["hero"]) ? landingHead(data) : {}) }),
  isMarkdown: () => true,
  emoji: "before anchors",
  slugs: vueSlugs,
};

function blockTags(name: string, title: string) {
  if (name === "details")
    return element("Accordion", attribute("title", title.replace(/\s*\{[^{}]*\}$/, "") || "Details"));
  if (name === "code-group" || name === "code") return element("CodeGroup");
  if (name === "tabs") return element("Tabs");
  if (name === "raw" || name === "v-pre") return noTags;
  // Containers of themes.
  if (/^(?:left|center|right|justify)$/.test(name)) return element("div", ` style={{ textAlign: "${name}" }}`);
  return calloutTags(name, title.replace(/\s*\{[^{}]*\}$/, ""));
}

const badgeColors: Readonly<Record<string, string>> = { tip: "green", info: "gray", warning: "yellow", danger: "red" };

const elements: ElementTable = {
  VPTeamMembers: () => noTags,
  Content: () => noTags,
  Badge(tag) {
    const badge = element("Badge", attribute("color", badgeColors[attributeText(tag, "type") ?? "tip"]));
    return tag.isEmpty ? { ...badge, open: badge.open + wasAttribute + (attributeText(tag, "text") ?? "") } : badge;
  },
};

/** Additional settings next to the pages, such as `config.ts` and `zh/config.ts`, by the address prefix of their folder. */
async function additionalSettings(
  settings: Data,
  root: string,
  context: ToolContext,
): Promise<ReadonlyMap<string, Data>> {
  const prefixes = ["", ...Object.keys(asData(settings["locales"])).map((key) => `${key}/`)];
  const configs = prefixes.flatMap((prefix) => {
    const file = fileIn(
      context.files,
      [joinPath(root, prefix)],
      ["config.ts", "config.js", "config.mts", "config.mjs"],
    );
    return file === undefined ? [] : [[prefix, file] as const];
  });
  if (configs.length === 0) return new Map();
  const values = await context.evaluate(configs.map(([, file]) => file));
  return new Map(configs.map(([prefix, file]) => [prefix, asData(values.get(file))]));
}

interface Locale {
  readonly key: string;
  readonly label: string;
  readonly code: string;
  /** The address prefix: "" or `zh/`. */
  readonly prefix: string;
  readonly theme: Data;
}

/** The languages that have pages here; others are links to other sites. */
function localesOf(settings: Data, pages: readonly ProjectPage[], additional: ReadonlyMap<string, Data>): Locale[] {
  const theme = asData(settings["themeConfig"]);
  return Object.entries(asData(settings["locales"])).flatMap(([key, written]): Locale[] => {
    const locale = asData(written);
    const prefix = key === "root" ? "" : `${key}/`;
    if (!pages.some(({ address }) => address.startsWith(prefix))) return [];
    const themeOfLocale = { ...asData(locale["themeConfig"]), ...asData(additional.get(prefix)?.["themeConfig"]) };
    return [
      {
        key,
        label: asText(locale["label"]) ?? key,
        code: asText(locale["lang"]) ?? key,
        prefix,
        theme: { ...theme, ...themeOfLocale },
      },
    ];
  });
}

async function read(context: ToolContext): Promise<Project> {
  const configPath = findFile(context.files, config, context.start)!;
  const settings = settingsData((await context.evaluate([configPath])).get(configPath), configPath, context);
  return readSite(context, configPath, withLocales(settings));
}

/** Before version 1, the theme had the languages, by their paths: `/zh/`. */
function withLocales(settings: Data): Data {
  const themes = Object.entries(asData(valueAt(settings, "themeConfig.locales")));
  if (themes.length === 0) return settings;
  const locales = themes.map(([path, theme]) => {
    const locale = asData(asData(settings["locales"])[path]);
    return [joinPath("", path) || "root", { label: valueAt(theme, "label"), ...locale, themeConfig: theme }];
  });
  return { ...settings, locales: Object.fromEntries(locales) };
}

/** Reads a site by settings with the names of VitePress. @param writtenAddress the address that a page itself names */
export async function readSite(
  context: ToolContext,
  configPath: string,
  settings: Data,
  writtenAddress: (source: string) => string | undefined = () => undefined,
): Promise<Project> {
  const { files, base } = context;
  const root = context.path(base, asText(settings["srcDir"]) ?? ".");
  const excluded = asList(settings["srcExclude"]).filter((glob) => typeof glob === "string");
  const isExcluded = (path: string): boolean =>
    /(?:^|\/)(?:\.v(?:ite|ue)press|node_modules)\//.test(path) || excluded.some((glob) => matchGlob(`./${glob}`, path));
  const rewrites = Object.entries(asData(settings["rewrites"])).flatMap(([from, to]) =>
    typeof to === "string" ? [[rewritePattern(from), to] as const] : [],
  );
  const rewritten = (path: string): string => {
    for (const [pattern, to] of rewrites) {
      const groups = pattern.exec(path)?.groups;
      if (groups) return to.replace(/:(\w+)[*+?]?(?:\([^)]*\))?/g, (whole, name: string) => groups[name] ?? whole);
    }
    return path;
  };
  const all = pagesBelow(files, root, (path, source) => writtenAddress(source) ?? addressOf(rewritten(path))).filter(
    ({ source }) => !isExcluded(relativeTo(root, source)),
  );
  const isDynamic = ({ source }: ProjectPage): boolean => /\[[\w-]+\]/.test(source);
  for (const { source } of all.filter(isDynamic))
    context.note(source, "page", "Pages are generated from this file; write each of them as a separate file.");
  const pages = all.filter((page) => !isDynamic(page));
  const theme = asData(settings["themeConfig"]);
  const assets = joinPath(root, asText(settings["publicDir"]) ?? "public");
  const { picture, copied } = pictureReader(configPath, context, (written) => [
    assets + publicPath(written),
    publicPath(written),
  ]);
  const through = asText(settings["$through"]);
  if (through !== undefined && !JSON.stringify(settings).includes('"sidebar":'))
    context.note(
      configPath,
      "navigation",
      `The settings pass through "${through}", which is not part of the repository; if it makes a sidebar or languages, list them in docs.json.`,
    );
  const additional = await additionalSettings(settings, root, context);
  const locales = localesOf(settings, pages, additional);
  const main = locales.find(({ key }) => key === "root");
  const inLanguage = (prefix: string) => sidebarContext(pages, configPath, context, root, prefix);
  const tabs: NavTab[] =
    locales.length > 1
      ? locales.map(({ code, label, theme: own, prefix }) => ({
          kind: "language",
          code,
          label,
          entries: [],
          parts: tabsOf(own, prefix, locales, inLanguage(prefix)),
        }))
      : tabsOf(main?.theme ?? { ...theme, ...asData(additional.get("")?.["themeConfig"]) }, "", [], inLanguage(""));
  const nav = navItems(main?.theme ?? theme);
  return {
    name: asText(settings["title"]),
    url: asText(valueAt(settings, "sitemap.hostname")),
    pages,
    isLeftOut: (path) => isExcluded(relativeTo(root, path)),
    tabs,
    settings: {
      description: asText(settings["description"]),
      logo: logoOf(
        picture(asText(theme["logo"]) ?? valueAt(theme, "logo.light") ?? valueAt(theme, "logo.src")),
        picture(valueAt(theme, "logo.dark")),
      ),
      navbar: navbarOf(nav.map((item) => [valueAt(item, "text"), valueAt(item, "link")])),
    },
    look: { files: [configPath], data: settings },
    files: copied,
    assetFolders: [assets],
    basePath: (asText(settings["base"]) ?? "/").replace(/\/$/, ""),
  };
}

/** `packages/:pkg/src/(.*)` with named groups. At most two may match several folders, which bounds the time of a match. */
const rewritePattern = (from: string): RegExp => {
  const names = new Set<string>();
  let longNames = 0;
  const escaped = from.replace(/\([^)]*\)/g, "").replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  const pattern = escaped.replace(/:(\w+)(\*|\\\+|\?)?/g, (_, name: string, many?: string) => {
    if (names.has(name)) return "[^/]+";
    names.add(name);
    return many && ++longNames <= 2 ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`;
  });
  return new RegExp(`^${pattern}$`);
};

type SidebarContext = ReturnType<typeof sidebarContext>;

/** @param language the address prefix of the language, which a program may add to the links */
function sidebarContext(
  pages: readonly ProjectPage[],
  file: string,
  context: ToolContext,
  root: string,
  language: string,
) {
  const byAddress = byAddressOf(pages);
  const sources = pages.map(({ source }) => source);
  const text = context.files.has(file) ? context.files.readText(file) : "";
  /** Whether the settings themselves have a group without entries, which no reader of the old site could use. */
  const isWrittenEmpty = (label: string): boolean =>
    /^.{0,100}\b(?:items|children)['"]?\s*:\s*\[\s*\]/s.test(
      text.slice(text.indexOf(label) + label.length).slice(0, 200),
    );
  const entriesOf = (items: unknown, prefix: string, depth = 0): NavEntry[] => {
    if (isUnreadable(items, depth, file, context)) return [];
    // The path of a folder: the label of a folder in it is the title of its README.md, which it opens.
    if (typeof items === "string") {
      const index = (path: string): string | undefined => sources.find((source) => source === `${path}/README.md`);
      const factsOf = (path: string) => (index(path) === undefined ? {} : { label: "", root: index(path) });
      const folder = joinPath(root, items);
      return folderEntries(
        sources.filter((source) => inside(folder, source)),
        folder,
        factsOf,
      );
    }
    return asList(items).flatMap((item): NavEntry[] => {
      if (isUnreadable(item, depth, file, context)) return [];
      const entry = asData(item);
      const items = entry["items"] ?? entry["children"];
      if ([entry["text"], entry["link"]].some((part) => isUnreadable(part, depth, file, context))) return [];
      const base = asText(entry["base"]) ?? prefix;
      const label = (asText(entry["text"] ?? entry["title"]) ?? "").replace(/<[^<>]*>/g, "").trim();
      const link = asText(entry["link"]);
      const isOutside = link !== undefined && /^(?:[a-z]+:|\/\/)/.test(link);
      const written =
        link === undefined || isOutside
          ? undefined
          : addressOf(joinPath("", base + link.replace(/[?#].*$|\.html$|\/$/g, "")));
      const sourceAt = (path = ""): string | undefined => byAddress.get(path.toLowerCase());
      const isBelow = written !== undefined && sourceAt(written) === undefined && sourceAt(language + written);
      const address = isBelow ? language + written : written;
      const source = written === undefined ? undefined : sourceAt(address);
      const isPart = link?.includes("#") === true;
      if (address !== undefined && source === undefined) noteMissing(link!, label, file, context.note);
      const entries = entriesOf(items ?? [], base, depth + 1);
      const isEmpty = typeof items === "string" ? entries.length === 0 : Array.isArray(items) && items.length === 0;
      if (isEmpty && source === undefined && !isWrittenEmpty(label))
        context.note(
          file,
          "navigation",
          `The group "${label}" has no entries; they may be generated. List its pages in docs.json.`,
        );
      // A list without a title, which only sets its entries apart.
      if (items !== undefined && label === "" && source === undefined) return entries;
      if (items !== undefined)
        return [{ kind: "group", label, root: source, expanded: entry["collapsed"] === false, entries }];
      if (isOutside) return [{ kind: "link", label, href: link }];
      if (source === undefined) return [];
      return [
        isPart ? { kind: "link", label, href: `/${address}${/#.*$/.exec(link)![0]}` } : { kind: "page", source, label },
      ];
    });
  };
  return { byAddress, entriesOf, pages, root };
}

/** The tabs of a language. @param prefix the address prefix of the language */
function tabsOf(
  theme: Data,
  prefix: string,
  locales: readonly Locale[],
  { byAddress, entriesOf, pages, root }: SidebarContext,
): NavTab[] {
  const sidebar = theme["sidebar"];
  const prefixes = locales.map((locale) => locale.prefix);
  const sources = pages.flatMap(({ address, source }) => (isInLanguage(address, prefix, prefixes) ? [source] : []));
  if (sidebar === undefined || sidebar === false)
    return [{ label: "", entries: folderEntries(sources, joinPath(root, prefix)) }];
  const home = byAddress.get(prefix.replace(/\/$/, ""));
  if (!isData(sidebar) || isGenerated(sidebar)) {
    const entries = entriesOf(sidebar, "");
    // If a program makes the sidebar, list the pages of the folder.
    const isUnknown = entries.length === 0 && !Array.isArray(sidebar);
    return [
      { label: "", entries: isUnknown ? folderEntries(sources, joinPath(root, prefix)) : withPages([home], entries) },
    ];
  }
  const nav = navItems(theme);
  const paths = Object.keys(sidebar).toSorted((a, b) => b.length - a.length);
  /** The path of the sidebar that a page shows: the longest that its address begins with. */
  const sidebarOf = (link: string): string | undefined => paths.find((path) => link !== "/" && link.startsWith(path));
  const tabs = new Map<string, NavTab & { readonly place: number }>();
  for (const [path, written] of Object.entries(sidebar)) {
    const isList = !isData(written) || written instanceof Unknown;
    let entries = entriesOf(isList ? written : written["items"], isList ? "" : (asText(written["base"]) ?? ""));
    // The paths that a program adds are unknown; the note about them is made.
    if (path === unknownPart) continue;
    // If a program makes the entries, list the pages of the folder.
    if (!/"kind":"(?:page|link)"/.test(JSON.stringify(entries))) {
      const folder = joinPath(root, path);
      entries = folderEntries(
        sources.filter((source) => inside(folder, source)),
        folder,
      );
    }
    const at = nav.findIndex((item) => sidebarOf(asText(valueAt(item, "link")) ?? "") === path);
    const label = asText(valueAt(nav[at], "text")) ?? (labelOf(path.replace(/\/$/, "")) || "Guide");
    const place = at < 0 ? nav.length : at;
    // Several paths may have the same sidebar.
    const key = JSON.stringify(entries);
    if (!tabs.has(key)) tabs.set(key, { label: uniqueLabel(label, [...tabs.values()]), entries, place });
  }
  const [first, ...others] = [...tabs.values()].toSorted((a, b) => a.place - b.place);
  return first === undefined ? [] : [{ ...first, entries: withPages([home], first.entries) }, ...others];
}

/** The links of the header, with those of its menus. */
const navItems = (theme: Data): unknown[] =>
  asList(theme["nav"]).flatMap((item) => [item, ...asList(valueAt(item, "items"))]);

const uniqueLabel = (label: string, tabs: readonly NavTab[]): string => {
  let unique = label;
  for (let n = 2; tabs.some((tab) => tab.label === unique); n++) unique = `${label} ${n}`;
  return unique;
};
