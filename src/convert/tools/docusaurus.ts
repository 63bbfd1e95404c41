import { joinPath } from "../../lib/url/index.js";
import { asData, asList, asText, type Data, readYaml, valueAt } from "../data.js";
import type { NavTab, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { githubSlugs } from "../steps/anchors.js";
import { calloutTags, colonBlocks, fenceInfos, plainOptions } from "../steps/blocks.js";
import { highlightComments } from "../steps/code-comments.js";
import { mdxImports } from "../steps/imports.js";
import { mdxElements } from "../steps/mdx-elements.js";
import { withoutMdxFences } from "../steps/parts.js";
import { type Docs, sidebarFile, sidebarTabs } from "./docusaurus-sidebars.js";
import { withoutNumber } from "./navigation.js";
import {
  addressOf,
  clientRedirects,
  dataFile,
  fileIn,
  findFile,
  findFolder,
  hasPages,
  headOf,
  inside,
  isPage,
  labelOf,
  languageTab,
  logoOf,
  navbarOf,
  notePrograms,
  pagesBelow,
  pictureReader,
  publicPath,
  relativeTo,
  settingsData,
} from "./shared.js";

const config = /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/;

export const docusaurus: Tool = {
  name: "Docusaurus",
  detect: (files, start) => findFolder(files, config, start),
  read,
  convert(text, context) {
    const blocks = colonBlocks(
      mdxImports(withoutMdxFences(text), context),
      (name, rest) => calloutTags(name, /^\s*\[(.*)\]/.exec(rest)?.[1] ?? /title="([^"]*)"/.exec(rest)?.[1] ?? rest),
      ({ line }, name) => context.report("admonition", `":::${name}" is not a known callout; its text stays.`, line),
    );
    return mdxElements(fenceInfos(highlightComments(blocks), fenceInfo), context);
  },
  frontmatter: (data) => ({ ...data, sidebarTitle: data["sidebar_label"], hidden: data["unlisted"] }),
  isMarkdown: () => false,
  emoji: "after anchors",
  slugs: githubSlugs,
};

const fenceInfo = (info: string): string => plainOptions(info).replace(/\bshowLineNumbers\b(?:=\d+)?/g, "lines");

async function read(context: ToolContext): Promise<Project> {
  const { files, base } = context;
  const configPath = findFile(files, config, context.start)!;
  const settings = settingsData((await context.evaluate([configPath])).get(configPath), configPath, context);
  const defaultLocale = asText(valueAt(settings, "i18n.defaultLocale")) ?? "en";
  const pages: ProjectPage[] = [];
  const tabsIn = async (locale?: string): Promise<NavTab[]> => {
    const tabs: NavTab[] = [];
    for (const options of instancesOf(settings, "docs", context))
      tabs.push(...(await instanceTabs(settings, options, context, pages, locale)));
    return tabs;
  };
  const tabs = [...(await tabsIn()), ...blogTabs(settings, context, pages)];
  pages.push(...plainPages(context, joinPath(base, "src/pages"), ""));
  const locales = asList(valueAt(settings, "i18n.locales")).flatMap((code) => asText(code) ?? []);
  const translated = locales.filter(
    (code) => code !== defaultLocale && hasPages(files, joinPath(base, `i18n/${code}`)),
  );
  const languages: NavTab[] = [];
  for (const code of translated) {
    languages.push(languageTab(code, [...(await tabsIn(code)), ...blogTabs(settings, context, pages, code)]));
    pages.push(...plainPages(context, joinPath(base, `i18n/${code}/docusaurus-plugin-content-pages`), code));
  }
  notePrograms(context, joinPath(base, "src/pages"), /\.[jt]sx?$/);
  // Docusaurus 2 uses MDX 1, which is Markdown with components.
  const version = valueAt(dataFile(files, joinPath(base, "package.json")), "dependencies.@docusaurus/core");
  const isOld = /^[^\d]*[12]\./.test(asText(version) ?? "");
  const format = asText(valueAt(settings, "markdown.format"));
  return {
    isMarkdown: ({ source }) => isOld || format === "md" || (format === "detect" && source.endsWith(".md")),
    name: asText(settings["title"]),
    url: asText(settings["url"]),
    look: { files: [configPath], data: settings },
    ...lookOf(settings, configPath, pages, context),
    pages,
    // Pages of a version or language that the settings do not list.
    isLeftOut: (path) => isPage(path) && /(?:^|\/)(?:i18n|\w*versioned_docs)\//.test(path),
    tabs: languages.length === 0 ? tabs : [languageTab(defaultLocale, tabs), ...languages],
    languages: ["", ...translated.map((code) => `${code}/`)],
    assetFolders: [joinPath(base, "static")],
    basePath: (asText(settings["baseUrl"]) ?? "/").replace(/\/$/, ""),
    redirects: clientRedirects(pluginsNamed(settings, "client-redirects", context)),
  };
}

/** Options of plugins, in the form `["name", { … }]`. A plugin of the repository may extend the one that has the name. */
function pluginsNamed(settings: Data, name: string, { files, base, path }: ToolContext): Data[] {
  const extendsIt = (plugin: string): boolean => {
    const file = /^\.{0,2}\//.test(plugin) ? path(base, plugin) : undefined;
    const found = file === undefined ? undefined : fileIn(files, [file], ["", ".js", ".ts", "index.js", "index.ts"]);
    return found !== undefined && files.sizeOf(found) < 1_000_000 && files.readText(found).includes(`/plugin-${name}`);
  };
  return asList(settings["plugins"]).flatMap((plugin) => {
    const [written, options] = [plugin].flat();
    const called = asText(written) ?? "";
    return called.includes(name) || extendsIt(called) ? [asData(options)] : [];
  });
}

/** The options of each instance of a content plugin. On most sites, a preset contains those of the first. */
function instancesOf(settings: Data, plugin: "docs" | "blog", context: ToolContext): Data[] {
  const preset = asList(settings["presets"])
    .flatMap((entry) => (Array.isArray(entry) ? [asData(entry[1])[plugin]] : []))
    .find((options) => options !== undefined);
  return [...(preset === false ? [] : [asData(preset)]), ...pluginsNamed(settings, `content-${plugin}`, context)];
}

/** The folder of the translations of an instance of a plugin. */
function translations(base: string, locale: string, plugin: "docs" | "blog", options: Data): string {
  const id = asText(options["id"]) ?? "default";
  return joinPath(base, `i18n/${locale}/docusaurus-plugin-content-${plugin}${id === "default" ? "" : `-${id}`}`);
}

/** The tabs of an instance, or its versions with their tabs. Adds its pages. */
async function instanceTabs(
  settings: Data,
  options: Data,
  context: ToolContext,
  pages: ProjectPage[],
  locale?: string,
): Promise<NavTab[]> {
  const { files, base, path } = context;
  const id = asText(options["id"]) ?? "default";
  const prefix = id === "default" ? "" : `${id}_`;
  const route = (asText(options["routeBasePath"]) ?? "docs").replace(/^\/|\/$/g, "");
  const translated = locale === undefined ? undefined : translations(base, locale, "docs", options);
  const versionsFile = joinPath(base, `${prefix}versions.json`);
  const written = files.has(versionsFile) ? readYaml(files.readText(versionsFile)).value : [];
  const names = asList(written).flatMap((name) => asText(name) ?? []);
  const only = asList(options["onlyIncludeVersions"]).flatMap((name) => asText(name) ?? []);
  const all = [...(options["includeCurrentVersion"] === false ? [] : ["current"]), ...names].filter(
    (name) => only.length === 0 || only.includes(name),
  );
  const last = asText(options["lastVersion"]) ?? names.find((name) => all.includes(name)) ?? "current";
  // The blog and other instances have no versions, so the versions of this one go into its tab.
  const label = labelOf(id === "default" ? route || "docs" : id);
  const versions: NavTab[] = [];
  // All languages have the sidebars of the first, so only the first has notes about them.
  let untranslated = 0;
  const count: ToolContext["note"] = (_, kind) => kind !== "navigation" || untranslated++;
  const noted = locale === undefined ? context : { ...context, note: count };
  for (const name of all.toSorted((a, b) => Number(b === last) - Number(a === last))) {
    const settingsOfVersion = asData(asData(options["versions"])[name]);
    const isCurrent = name === "current";
    const folder =
      translated !== undefined
        ? joinPath(translated, isCurrent ? "current" : `version-${name}`)
        : isCurrent
          ? path(base, asText(options["path"]) ?? "docs")
          : joinPath(base, `${prefix}versioned_docs/version-${name}`);
    const part = asText(settingsOfVersion["path"]) ?? (name === last ? "" : isCurrent ? "next" : name);
    const docs = readDocs(noted, folder, [locale, route, part].filter(Boolean).join("/"), pages);
    const file = isCurrent
      ? sidebarFile(options["sidebarPath"] === false ? undefined : asText(options["sidebarPath"]), context)
      : joinPath(base, `${prefix}versioned_sidebars/version-${name}-sidebars.json`);
    const version = asText(settingsOfVersion["label"]) ?? (isCurrent ? "Next" : name);
    const links = navbarItems(settings).filter((item) => (asText(item["docsPluginId"]) ?? "default") === id);
    const opened = navbarItems(settings).find(({ to }) => route !== "" && inside(route, `${asText(to)?.slice(1)}/`));
    const only = id === "default" ? undefined : (asText(opened?.["label"]) ?? label);
    const tabs = await sidebarTabs(links, file, docs, only);
    if (docs.sources.length > 0) versions.push({ kind: "version", label: version, entries: [], parts: tabs });
    else if (translated === undefined)
      context.note(folder, "page", "The settings list this folder for pages, but it contains none.");
  }
  const message = `Entries of the navigation whose pages are not translated are in the first language only; this language lacks ${untranslated}.`;
  if (untranslated > 0) context.note(translated!, "translation", message);
  return versions.length > 1 ? [{ label, entries: [], parts: versions }] : (versions[0]?.parts?.slice() ?? []);
}

/** Whether the file is a part of other pages. */
const isPart = (folder: string, path: string): boolean => /(?:^|\/)_/.test(relativeTo(folder, path));

/** The pages of a folder, which are added to those of the site. */
function readDocs(context: ToolContext, folder: string, route: string, pages: ProjectPage[]): Docs {
  const { files } = context;
  const sources = files.paths.filter((path) => isPage(path) && inside(folder, path) && !isPart(folder, path));
  const heads = new Map(sources.map((source) => [source, headOf(files, source)]));
  const ids = new Map<string, string>();
  for (const source of sources) {
    const path = relativeTo(folder, source).replace(/\.mdx?$/i, "");
    const names = path.split("/").map(withoutNumber);
    const head = heads.get(source)!;
    ids.set([...names.slice(0, -1), asText(head["id"]) ?? names.at(-1)!].join("/"), source);
    pages.push({ source, address: [route, docAddress(names, head)].filter(Boolean).join("/") });
  }
  return { context, folder, sources, ids, heads, route, indexes: new Map() };
}

/** The address below the route of the docs. */
function docAddress(names: readonly string[], head: Data): string {
  const slug = asText(head["slug"]);
  const folder = names.slice(0, -1).join("/");
  if (slug !== undefined) return joinPath(slug.startsWith("/") ? "" : folder, slug);
  const last = asText(head["id"]) ?? names.at(-1)!;
  // A page with the name of its folder has the address of the folder.
  return last === names.at(-2) ? folder : addressOf(joinPath(folder, `${last}.md`));
}

/** The posts of the blogs, newest first. */
function blogTabs(settings: Data, context: ToolContext, pages: ProjectPage[], locale?: string): NavTab[] {
  const { files, base, path } = context;
  return instancesOf(settings, "blog", context).flatMap((options): NavTab[] => {
    const own = path(base, asText(options["path"]) ?? "blog");
    const folder = locale === undefined ? own : translations(base, locale, "blog", options);
    const route = (asText(options["routeBasePath"]) ?? "blog").replace(/^\/|\/$/g, "");
    const posts = files.paths
      .filter((source) => isPage(source) && inside(folder, source) && !isPart(folder, source))
      .map((source) => {
        const head = headOf(files, source);
        const name = relativeTo(folder, source).replace(/(?:\/index)?\.mdx?$/i, "");
        const [, date = "", rest = name] = /(?:^|\/)(\d{4}-\d{2}-\d{2})[-/](.*)$/.exec(name) ?? [];
        const slug = asText(head["slug"]) ?? [...date.split("-"), rest].filter(Boolean).join("/");
        return { source, date: asText(head["date"]) ?? date, address: joinPath(locale ?? "", `${route}/${slug}`) };
      })
      .toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
    pages.push(...posts.map(({ source, address }) => ({ source, address })));
    const opened = navbarItems(settings).find(({ to }) => joinPath("", asText(to) ?? "") === route);
    const label = asText(opened?.["label"]) ?? asText(options["blogTitle"]) ?? labelOf(route || "blog");
    return posts.length === 0 ? [] : [{ label, entries: posts.map(({ source }) => ({ kind: "page", source })) }];
  });
}

/** Markdown in `src/pages`, or its translation. */
function plainPages({ files }: ToolContext, folder: string, prefix: string): ProjectPage[] {
  return pagesBelow(files, folder, (path, source) =>
    joinPath(prefix, asText(headOf(files, source)["slug"]) ?? addressOf(path)),
  ).filter(({ source }) => !isPart(folder, source));
}

/** The links of the header, with those of its menus. */
const navbarItems = (settings: Data): Data[] =>
  asList(valueAt(settings, "themeConfig.navbar.items")).flatMap((item) =>
    [item, ...asList(valueAt(item, "items"))].map(asData),
  );

/** Where a link of the header leads: to the address, or to the page with the id. */
function linkTarget({ href, to, docId }: Data, pages: readonly ProjectPage[], { files }: ToolContext): unknown {
  const isMeant = ({ source }: ProjectPage): boolean => {
    const names = source
      .replace(/\.mdx?$/i, "")
      .split("/")
      .map(withoutNumber);
    const id = asText(headOf(files, source)["id"]) ?? names.at(-1);
    return [...names.slice(0, -1), id].join("/").endsWith(`/${asText(docId)}`);
  };
  const page = (href ?? to ?? docId) === docId ? pages.find(isMeant) : undefined;
  return href ?? to ?? (page === undefined ? docId : `/${page.address}`);
}

function lookOf(settings: Data, file: string, pages: readonly ProjectPage[], context: ToolContext) {
  const { picture, copied } = pictureReader(file, context, (written) => [
    joinPath(context.base, `static${publicPath(written)}`),
    publicPath(written),
  ]);
  const logo = asData(valueAt(settings, "themeConfig.navbar.logo"));
  return {
    settings: {
      description: asText(settings["tagline"]),
      logo: logoOf(picture(logo["src"]), picture(logo["srcDark"])),
      favicon: picture(settings["favicon"]),
      navbar: navbarOf(navbarItems(settings).map((item) => [item["label"], linkTarget(item, pages, context)])),
    },
    files: copied,
  };
}
