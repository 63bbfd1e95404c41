/** VuePress. Its pages differ from those of VitePress in a few blocks, and its settings have other names. */
import { folderOf, joinPath } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asText, type Data, isData } from "../data.js";
import type { Line } from "../page-text.js";
import type { PageContext, Project, Tool, ToolContext } from "../project.js";
import { Call, Unknown } from "../settings/evaluate.js";
import { attribute, element, noTags } from "../steps/blocks.js";
import { fenced, languageOf, linesIn } from "../steps/parts.js";
import { attributeText, replaceElements } from "../steps/tags.js";
import {
  addressOf,
  dataFile,
  findFile,
  headOf,
  insertFiles,
  inside,
  isGenerated,
  isTrue,
  settingsData,
} from "./shared.js";
import { readSite, vitepress } from "./vitepress.js";

const config = /(?:^|\/)(?:\.vuepress\/config(?:\/index)?|vuepress\.config)\.[cm]?[jt]s$/;

/** The folder of the pages. With `vuepress.config.ts`, the command has it: `vuepress build docs`. */
function baseOf(files: SiteFiles, configPath: string): string {
  if (configPath.includes(".vuepress/")) return configPath.replace(/\/?\.vuepress\/.*/, "");
  const folder = folderOf(configPath);
  const commands = JSON.stringify(dataFile(files, joinPath(folder, "package.json"))["scripts"] ?? "");
  return joinPath(folder, /\bvuepress(?:-vite|-webpack)? (?:build|dev) ([\w./-]{1,200})/.exec(commands)?.[1] ?? "docs");
}

export const vuepress: Tool = {
  ...vitepress,
  name: "VuePress",
  detect(files, start) {
    const path = findFile(files, config, start);
    return path === undefined ? undefined : baseOf(files, path);
  },
  read,
  convert(text, written) {
    const context = { ...written, include: includeNamed(written), frontmatter: withHero(written.frontmatter) };
    return vitepress.convert(
      replaceElements(insertFiles(text, context, codePath, codeOf), {
        CodeGroup: () => element("Tabs"),
        Catalog() {
          written.lists.add(written.page.source);
          return noTags;
        },
        CodeGroupItem: (tag) => element("Tab", attribute("title", attributeText(tag, "title") ?? "Code")),
      }),
      context,
    );
  },
  frontmatter: (data) => vitepress.frontmatter!(withHero(data)),
};

/** The front matter of a start page with the names of VitePress. */
const withHero = (data: Data): Data => {
  if (!isTrue(data["home"])) return data;
  const { heroText, tagline, heroImage, heroAlt, actions } = data;
  return {
    ...data,
    layout: "home",
    hero: { name: heroText, tagline, actions, image: { src: heroImage, alt: heroAlt } },
  };
};

async function read(context: ToolContext): Promise<Project> {
  const configPath = findFile(context.files, config, context.start)!;
  const written = settingsData((await context.evaluate([configPath])).get(configPath), configPath, context);
  // VuePress 2 calls a theme with its settings; a site may wrap a theme in its own.
  const { theme } = written;
  if (theme instanceof Unknown)
    context.note(
      configPath,
      "navigation",
      `The theme is made by "${theme.name}", which is not part of the repository; list the pages in docs.json.`,
    );
  const settings = asData(theme instanceof Call ? theme.args.find(isData) : (written["themeConfig"] ?? theme));
  const themeLocales = asData(settings["locales"]);
  const hasSidebar = [settings, ...Object.values(themeLocales).map(asData)].some(
    (own) => (own["sidebar"] ?? own["series"]) !== undefined,
  );
  // A theme may read settings files of its own.
  const isOtherFile = (path: string): boolean =>
    inside(joinPath(context.base, ".vuepress"), path) &&
    /\.[cm]?[jt]s$/.test(path) &&
    /\bsidebar["']?\s{0,9}:/.test(context.files.readText(path));
  const [otherKey = hasSidebar ? undefined : context.files.paths.find(isOtherFile)] =
    Object.entries(settings).find(([, value]) => /"sidebar":/.test(JSON.stringify(value) ?? "")) ?? [];
  if (!hasSidebar && otherKey !== undefined)
    context.note(
      configPath,
      "navigation",
      `The sidebar is in "${otherKey}", which only a theme of the site reads; write its entries as the navigation in docs.json.`,
    );
  const locales = Object.entries(asData(written["locales"])).map(([path, locale]) => {
    const localeTheme = asData(themeLocales[path]);
    const label = localeTheme["selectLanguageName"] ?? localeTheme["label"] ?? asData(locale)["lang"];
    return [joinPath("", path) || "root", { ...asData(locale), label, themeConfig: themeOf(localeTheme) }] as const;
  });
  const first = asData(asData(written["locales"])["/"]);
  const site = {
    ...first,
    ...written,
    srcDir: undefined,
    publicDir: ".vuepress/public",
    sitemap: { hostname: settings["hostname"] },
    locales: locales.length > 1 ? Object.fromEntries(locales) : undefined,
    themeConfig: { ...themeOf(settings), ...(locales.length === 1 ? locales[0]![1].themeConfig : {}) },
  };
  return readSite(context, configPath, site, (source) => {
    const permalink = asText(headOf(context.files, source)["permalink"]);
    return permalink?.startsWith("/") && !permalink.includes(":") ? addressOf(joinPath("", permalink)) : undefined;
  });

  function themeOf(options: Data): Data {
    const sidebar = plain(options["sidebar"] ?? options["series"]);
    const nav = plain(options["navbar"] ?? options["nav"]);
    return {
      ...(options["logo"] !== undefined && { logo: options["logo"] }),
      ...(options["repo"] !== undefined && { socialLinks: socialLinks(options) }),
      ...(nav !== undefined && { nav: itemsOf(nav, "/") }),
      ...(sidebar !== undefined && {
        sidebar:
          isData(sidebar) && !isGenerated(sidebar)
            ? Object.fromEntries(Object.entries(sidebar).map(([path, items]) => [path, itemsOf(items, path)]))
            : typeof sidebar === "string"
              ? undefined
              : itemsOf(sidebar, "/"),
      }),
    };
  }

  /** Sidebar entries with the names of VitePress. @param prefix the address prefix of the entries */
  function itemsOf(written: unknown, prefix: string): unknown {
    const items = plain(written);
    // The theme makes the list from the files.
    if (typeof items === "string") return `/${joinPath("", prefix)}`;
    if (!Array.isArray(items)) return items;
    return items.map((item: unknown) => {
      if (isGenerated(item)) return item;
      const [path, label] = Array.isArray(item) ? (item as readonly unknown[]) : [item];
      const entry: Data = isData(path) ? path : { link: path, text: label };
      const link = asText(entry["link"] ?? entry["path"]);
      const inner = entry["children"] ?? entry["items"];
      const innerPrefix = absolute(asText(entry["prefix"]) ?? "", prefix);
      return {
        text: entry["text"] ?? entry["title"],
        ...((link !== undefined || entry["link"] === "") && { link: absolute(link ?? "", prefix) }),
        ...(inner !== undefined && {
          items: itemsOf(inner, innerPrefix),
          collapsed: entry["collapsible"] === true || entry["collapsable"] !== false,
        }),
      };
    });
  }
}

/** Functions of themes with these names return their argument: `sidebar({ … })`, `arraySidebar([ … ])`. */
function plain(value: unknown): unknown {
  const isCall = value instanceof Call || value instanceof Unknown;
  if (!isCall || !/(?:sidebar|navbar)(?:Config)?(?:\(\).*)?$/i.test(value.name)) return value;
  return value instanceof Call ? value.args[0] : value.list.length > 0 ? value.list : value;
}

const absolute = (link: string, prefix: string): string =>
  /^(?:\/|[a-z]+:)/.test(link) ? link : `${prefix.replace(/\/$/, "")}/${link}`;

const socialLinks = ({ repo }: Data): readonly Data[] => {
  const path = asText(repo);
  const link = path?.includes(":") ? path : `https://github.com/${path}`;
  return path === undefined ? [] : [{ icon: /\bgithub\b/.test(link) ? "github" : "website", link }];
};

/** `@[code{1-3} js](./a.js)` is a part of a file. */
const codeMark = /^\s*@\[code(?:\{(\d*-\d*)\})?\s*([\w+-]*)[^\]]*\]\(([^()\s]+)\)\s*$/;

const codePath = ({ text, code }: Line): string | undefined => (code ? undefined : codeMark.exec(text)?.[3]);

function codeOf(text: string, path: string, line: string): string {
  const [, range = "", language] = codeMark.exec(line)!;
  return fenced(linesIn(text, range, "-"), language || languageOf(path));
}

/** Resolves a path that begins with an alias of the settings, `@snippets/a.js`, to the only file whose path ends that way. */
const includeNamed =
  ({ include, files }: PageContext): PageContext["include"] =>
  (path, from) => {
    if (!path.startsWith("@")) return include(path, from);
    const end = path.replace(/^@\/?/, "/");
    const matches = files.paths.filter((file) => `/${file}`.endsWith(end));
    return matches.length === 1 ? include(`/${matches[0]}`, "") : undefined;
  };
