/** Rspress. Its settings are read with the names of VitePress; each folder has its part of the sidebar in `_meta.json`. */

import { matchGlob } from "../../lib/regexp/match-glob.js";
import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asList, asText, type Data, isData, readYaml } from "../data.js";
import type { Project, Tool, ToolContext } from "../project.js";
import { Call } from "../settings/evaluate.js";
import { attribute, colonBlocks, element } from "../steps/blocks.js";
import { landingHead, landingPage } from "../steps/landing.js";
import { docusaurus } from "./docusaurus.js";
import {
  addressOf,
  clientRedirects,
  dataFile,
  findFile,
  hasPages,
  inside,
  isPage,
  isTrue,
  relativeTo,
  settingsData,
} from "./shared.js";
import { readSite } from "./vitepress.js";

/** Rstack has the settings of several tools in one file: `define.doc({ … })`. */
const config = /(?:^|\/)(?:rspress|rstack)\.config\.[cm]?[jt]s$/;
const hasDocs = (files: SiteFiles, path: string): boolean =>
  nameOf(path).startsWith("rspress.") || (files.sizeOf(path) < 1_000_000 && /\bdoc\(/.test(files.readText(path)));

export const rspress: Tool = {
  ...docusaurus,
  name: "Rspress",
  detect: (files, start) => {
    const file = findFile(files, config, start, (path) => hasDocs(files, path));
    return file === undefined ? undefined : folderOf(file);
  },
  read,
  convert: (text, context) =>
    docusaurus.convert(
      [
        ...(asText(context.frontmatter["pageType"]) === "home" ? landingPage(context.frontmatter) : []),
        ...colonBlocks(text, (name, rest) =>
          name === "details" ? element("Accordion", attribute("title", rest.trim() || "Details")) : undefined,
        ),
      ],
      context,
    ),
  isMarkdown: ({ source }) => source.endsWith(".md"),
  frontmatter: (data) => ({ ...data, ...(isData(data["hero"]) ? landingHead(data) : {}) }),
};

async function read(context: ToolContext): Promise<Project> {
  const { files, base } = context;
  const configPath = findFile(files, config, context.start, (path) => hasDocs(files, path))!;
  const value = (await context.evaluate([configPath])).get(configPath);
  const settings = settingsData(isData(value) && "doc" in value ? value["doc"] : value, configPath, context);
  const theme = asData(settings["themeConfig"]);
  // A preset of a package has names of its own for the settings.
  const isFolder = (text: string): boolean => text !== "" && hasPages(files, joinPath(base, text));
  const isPreset = value instanceof Call || settings["$through"] !== undefined;
  const preset = isPreset ? textsIn(settings).find(isFolder) : undefined;
  const written = asText(settings["root"]) ?? preset ?? "docs";
  const root = context.path(base, written);
  const excluded = asList(asData(settings["route"])["exclude"]).flatMap((glob) => asText(glob) ?? []);
  const main = asText(settings["lang"]);
  const words = dataFile(files, joinPath(base, asText(settings["i18nSourcePath"]) ?? "i18n.json"));
  const multiVersion = asData(settings["multiVersion"]);
  const versions = asList(multiVersion["versions"]).flatMap((name) => asText(name) ?? []);
  const mainVersion = asText(multiVersion["default"]) ?? versions[0];
  const languages = [theme["locales"], settings["locales"]].flatMap(asList).map(asData);
  const codes = [...new Set(languages.flatMap(({ lang }) => asText(lang) ?? []))];
  /** Where the addresses of a version begin: the default one has no prefix. */
  const startOf = (version?: string): string => (version === undefined || version === mainVersion ? "" : `${version}/`);
  const themeOf = (version?: string, code?: string): Data => {
    const word = (text: unknown): string | undefined => {
      const key = asText(text);
      return key === undefined ? undefined : (asText(asData(words[key])[code ?? ""]) ?? key);
    };
    const prefix = `/${joinPath(startOf(version), code === undefined || code === main ? "" : code)}/`.replace(
      "//",
      "/",
    );
    const folder = joinPath(joinPath(root, version ?? ""), code ?? "");
    const own: Data = Object.assign({}, theme, ...languages.filter(({ lang }) => lang === code));
    const isListed = (path: string): boolean =>
      !excluded.some((glob) => matchGlob(`./${glob}`, joinPath(relativeTo(root, folder), path)));
    const tree = { files, folder, prefix, word, isListed };
    return {
      ...own,
      nav: navItems(own["nav"] ?? jsonFile(files, joinPath(folder, "_nav.json")), tree),
      sidebar: own["sidebar"] ?? sidebars(tree),
    };
  };
  const socialLinks = asList(theme["socialLinks"]).map((link) => ({ ...asData(link), link: asData(link)["content"] }));
  const readVersion = (version?: string): Promise<Project> => {
    const start = startOf(version);
    return readSite(context, configPath, {
      ...settings,
      srcDir: joinPath(inside(base, root) ? relativeTo(base, root) : written, version ?? ""),
      publicDir: version === undefined ? undefined : "../public",
      srcExclude: [...excluded, "public/**"],
      rewrites: {
        ...(codes.length > 0 && main !== undefined && { [`${main}/:rest*`]: `${start}:rest*` }),
        ...(start !== "" && { ":rest*": `${start}:rest*` }),
      },
      locales: Object.fromEntries(
        languages.map(({ lang, label }) => [
          joinPath(start, lang === main ? "" : (asText(lang) ?? "")) || "root",
          { lang, label, themeConfig: themeOf(version, asText(lang)) },
        ]),
      ),
      themeConfig: {
        ...(codes.length === 0 ? themeOf(version) : theme),
        logo: settings["logo"],
        ...(socialLinks.length > 0 && { socialLinks }),
      },
    });
  };
  const ordered = versions.toSorted((a, b) => Number(b === mainVersion) - Number(a === mainVersion));
  const parts = await Promise.all((ordered.length === 0 ? [undefined] : ordered).map(readVersion));
  const redirects = asList(settings["plugins"]).flatMap((plugin) =>
    plugin instanceof Call && /redirects$/i.test(plugin.name) ? [asData(plugin.args[0])] : [],
  );
  const project: Project = {
    ...parts[0]!,
    redirects: [
      ...(parts[0]!.redirects ?? []),
      ...clientRedirects(redirects).flatMap((redirect) =>
        plainRedirects(redirect, (what) => context.note(configPath, "redirect", what)),
      ),
    ],
    pages: parts.flatMap(({ pages }) => pages),
    tabs:
      ordered.length < 2
        ? parts[0]!.tabs
        : parts.map(({ tabs }, i) => ({ kind: "version", label: ordered[i]!, entries: [], parts: tabs })),
  };
  const prefixes = codes.flatMap((code) => (code === main ? [] : [`${code}/`]));
  // A link without a language stays in the language of its page.
  return { ...project, languages: codes.length > 1 ? ["", ...prefixes] : undefined };
}

/** The texts in settings, at every level. */
const textsIn = (value: unknown, depth = 0): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null && depth < 5
      ? Object.values(value).flatMap((part) => textsIn(part, depth + 1))
      : [];

interface Tree {
  readonly files: ToolContext["files"];
  /** The folder of a language. */
  readonly folder: string;
  /** The addresses of its pages begin with it. */
  readonly prefix: string;
  /** Whether a page of the folder is one of the site. */
  readonly isListed: (path: string) => boolean;
  /** A label in the language. */
  readonly word: (text: unknown) => string | undefined;
}

const jsonFile = (files: Tree["files"], path: string): unknown =>
  files.has(path) && files.sizeOf(path) < 1_000_000 ? readYaml(files.readText(path)).value : undefined;

const navItems = (items: unknown, { prefix, word }: Tree): Data[] =>
  asList(items).map((item) => {
    const { text, link, ...others } = asData(item);
    return { ...others, text: word(text), link: asText(link)?.replace(/^\//, prefix) };
  });

/** The sidebar of each folder with pages, or one for all if the top folder has a `_meta.json`. */
function sidebars(tree: Tree): Data {
  const { files, folder, prefix, isListed } = tree;
  const pages = pathsIn(folder, files.paths).filter((path) => isPage(path) && isListed(path));
  const isWhole = files.has(joinPath(folder, "_meta.json"));
  const folders = isWhole ? [""] : new Set(pages.flatMap((path) => /^(.+?)\//.exec(path)?.[1] ?? []));
  return Object.fromEntries(
    [...folders].map((name) => [
      `${prefix}${name === "" ? "" : `${name}/`}`,
      sidebarItems(tree, name, pathsIn(name, pages), 0),
    ]),
  );
}

const pathsIn = (folder: string, paths: readonly string[]): string[] =>
  paths.flatMap((path) => (inside(folder, path) ? [relativeTo(folder, path)] : []));

/** The entries of a folder in the order of its `_meta.json`, or all of its pages and folders, which have the paths. */
function sidebarItems(tree: Tree, below: string, paths: readonly string[], depth: number): Data[] {
  const { files, folder, prefix, word } = tree;
  const meta = jsonFile(files, joinPath(joinPath(folder, below), "_meta.json"));
  const names = [...new Set(paths.map((path) => addressOf(path.split("/")[0]!) || "index"))];
  const pageNames = new Set(paths.map((path) => path.replace(/\.mdx?$/, "")));
  const isFile = (name: string): boolean => pageNames.has(name);
  const all: Data[] = [];
  let items = all;
  for (const written of Array.isArray(meta) ? asList(meta) : names) {
    const entry: Data = isData(written) ? written : { name: written };
    const name = (asText(entry["name"]) ?? "").replace(/\.mdx?$/, "");
    const type = asText(entry["type"]) ?? (isFile(name) ? "file" : "dir");
    const path = joinPath(below, name);
    const text = word(entry["label"]);
    const inner = (): Data[] => (depth < maxDepth ? sidebarItems(tree, path, pathsIn(name, paths), depth + 1) : []);
    if (type === "divider") items = all;
    else if (type === "section-header" || type === "dir-section-header") {
      items = type === "dir-section-header" ? inner() : [];
      all.push({ text, items });
    } else if (type === "custom-link") items.push({ text, link: asText(entry["link"])?.replace(/^\//, prefix) });
    else if (type === "file") items.push({ text, link: prefix + path });
    else
      items.push({
        text: text ?? name,
        ...(isFile(name) && { link: prefix + path }),
        collapsed: isTrue(entry["collapsed"]),
        items: inner(),
      });
  }
  return all;
}
const maxDepth = 20;

/**
 * Rspress matches the old path as a regular expression. A choice such as `(a|b)` becomes one redirect for each path; any
 * other expression is noted, and left out.
 */
function plainRedirects(
  { source, destination }: { readonly source: string; readonly destination: string },
  note: (what: string) => void,
) {
  const path = source
    .replace(/^\/\^|\/?\$?$/g, "")
    .replace(/\(\?:\\\.html\)\??|\/\?$/g, "")
    .replace(/\\([/.-])/g, "$1");
  const [choice, words = ""] = /\((?:\?:)?([\w|/-]{1,300})\)/.exec(path) ?? [];
  const paths = choice === undefined ? [path] : words.split("|").map((word) => path.replace(choice, word));
  if (/[\\^$*+?()[\]{}|]/.test(paths[0]!)) {
    note(`The redirect from "${source}" is a pattern that docs.json does not support; write one redirect per path.`);
    return [];
  }
  return paths.map((each) => ({ source: `/${each.replace(/^\/+/, "")}`, destination }));
}
