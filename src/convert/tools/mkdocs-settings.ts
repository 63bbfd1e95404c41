/** The settings of MkDocs, ProperDocs and Zensical: the files that contain them, the meaning of their parts, and the languages of the site. */
import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asList, asText, type Data, isData, valueAt } from "../data.js";
import type { NavEntry, ToolContext } from "../project.js";
import { dataFile, findFile, inside, isTrue, pagesBelow } from "./shared.js";

const config = /(?:^|\/)(?:(?:mkdocs|properdocs)\.ya?ml|zensical\.(?:toml|ya?ml))$/;
/** Settings for one of several builds: `mkdocs-online.yml`, `mkdocs.en.yml`. */
const buildConfig = /(?:^|\/)mkdocs[-_.][\w.-]+\.ya?ml$/;

/** The settings file of a site; if each of several builds has one, that with the site's address comes first. */
export function configsOf(files: SiteFiles, start: string): readonly string[] {
  const main = findFile(files, config, start);
  if (main !== undefined) return [main];
  const first = findFile(files, buildConfig, start);
  const all = files.paths.filter((path) => buildConfig.test(path) && folderOf(path) === folderOf(first ?? "/"));
  return all.toSorted((a, b) => rankOf(files, a) - rankOf(files, b));
}
const rankOf = (files: SiteFiles, path: string): number => {
  const settings = dataFile(files, path);
  const rank = ["site_url", "INHERIT", "site_name"].findIndex((name) => settings[name] !== undefined);
  return rank < 0 ? 3 : rank;
};

/** Turns rules of .gitignore, one a line, into glob patterns. A rule with `!` is ignored. */
export const globsOf = (rules: string): string[] =>
  rules.split("\n").flatMap((line) => {
    const rule = line.trim().replace(/\/$/, "");
    if (rule === "" || /^[#!]/.test(rule)) return [];
    const glob = rule.includes("/") ? rule.replace(/^\//, "") : `**/${rule}`;
    return [glob, `${glob}/**`];
  });

/** The options of each plugin or extension by its name. */
export const pluginsOf = (written: unknown): Data =>
  Object.fromEntries(
    (Array.isArray(written) ? (written as unknown[]) : [written]).flatMap((plugin) =>
      Object.entries(typeof plugin === "string" ? { [plugin]: {} } : asData(plugin)),
    ),
  );

/** The primary colors of Material for MkDocs by their names. */
const primaryColors: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "red #ef5552,pink #e92063,purple #ab47bd,deep-purple #7e56c2,indigo #4051b5,blue #2094f3,light-blue #02a6f2," +
    "cyan #00bdd6,teal #009485,green #4cae4f,light-green #8bc34b,lime #cbdc38,yellow #ffec3d,amber #ffc105," +
    "orange #ffa724,deep-orange #ff6e42,brown #795649,grey #757575,blue-grey #546d78"
  )
    .split(",")
    .map((entry) => entry.split(" ")),
);

export function colorsOf(settings: Data) {
  const name = [valueAt(settings, "theme.palette")]
    .flat()
    .map((palette) => asText(valueAt(palette, "primary"))?.replaceAll(" ", "-") ?? "")
    .find((color) => Object.hasOwn(primaryColors, color));
  return name === undefined ? undefined : { primary: primaryColors[name] };
}

/** Merges objects at every level; a list replaces the earlier one. */
const mergedData = (first: Data, second: Data, depth = 0): Data => {
  const both = Object.entries(second).map(([key, value]) => {
    const other = first[key];
    return [key, isData(value) && isData(other) && depth < 20 ? mergedData(other, value, depth + 1) : value];
  });
  return { ...first, ...Object.fromEntries(both) };
};

/** The settings of a file, with those that it inherits. */
export function inherited(path: string, context: ToolContext, depth = 0): Data {
  const written = dataFile(context.files, path);
  const settings = path.endsWith(".toml") ? asData(written["project"]) : written;
  const parent = asText(settings["INHERIT"]);
  if (parent === undefined || depth > 5) return settings;
  return mergedData(inherited(context.path(folderOf(path), parent), context, depth + 1), settings);
}

export interface SiteLanguage {
  readonly code: string;
  /** The folder that the paths of the navigation are relative to. */
  readonly folder: string;
  /** The file of each page by its path in the navigation. */
  readonly sourceOf: ReadonlyMap<string, string>;
  /** Settings of the language, such as another navigation. */
  readonly own: Data;
  /** The file with these settings, if they are in one of their own. */
  readonly config?: string | undefined;
}

/** The languages of a site, the default one first: those of the plugin `i18n`, or those that Material for MkDocs links to. */
export function languagesOf(settings: Data, plugins: Data, root: string, { files, base }: ToolContext): SiteLanguage[] {
  const all = pagesBelow(files, root).map(({ source }) => source);
  const sameIn = (sources: readonly string[]) => new Map(sources.map((source) => [source, source] as const));
  const options = asData(plugins["i18n"]);
  const locales = Array.isArray(options["languages"])
    ? options["languages"].map(asData)
    : Object.entries(asData(options["languages"])).map(([locale, own]) => ({ locale, ...asData(own) }));
  const codes = locales.flatMap((locale: Data) => asText(locale["locale"]) ?? []).filter((code) => code !== "default");
  const main =
    asText(options["default_language"]) ??
    asText(locales.find((locale: Data) => isTrue(locale["default"]))?.["locale"]) ??
    codes[0];
  if (main !== undefined)
    return [main, ...codes.filter((code) => code !== main)].map((code): SiteLanguage => {
      const own = locales.find(({ locale }) => locale === code) ?? {};
      if (asText(options["docs_structure"]) === "folder") {
        const folder = joinPath(root, code);
        return { code, folder, own, sourceOf: sameIn(all.filter((path) => inside(folder, path))) };
      }
      // Translations stand next to each other: `about.md` and `about.fr.md`.
      const sourceOf = new Map<string, string>();
      for (const source of all) {
        const [, stem, end = ""] = /^(.*)\.([\w-]+)\.md$/.exec(source) ?? [];
        const isNamed = codes.includes(end);
        if ((isNamed ? end : main) === code) sourceOf.set(isNamed ? `${stem}.md` : source, source);
      }
      return { code, folder: root, own, sourceOf };
    });
  const linked = asList(valueAt(settings, "extra.alternate")).flatMap((item): SiteLanguage[] => {
    const link = asText(valueAt(item, "link")) ?? "";
    // The language at the top of the host has no code in its link, but one before its name: "zh - 中文".
    const written = link === "/" ? /^\S+(?= - )/.exec(asText(valueAt(item, "name")) ?? "")?.[0] : link;
    const code = /^\/?([A-Za-z]{2,3}(?:-[A-Za-z]{2,4})?)\/?$/.exec(written ?? "")?.[1];
    const candidates =
      code === undefined ? [] : [joinPath(folderOf(base), `${code}/${nameOf(root)}`), joinPath(root, code)];
    const folder = candidates.find(
      (candidate) => candidate !== root && files.paths.some((path) => inside(candidate, path) && path.endsWith(".md")),
    );
    if (code === undefined || folder === undefined) return [];
    // Each language may have a navigation in settings of its own.
    const config = joinPath(folderOf(folder), "mkdocs.yml");
    const nav = folderOf(folder) === base ? undefined : dataFile(files, config)["nav"];
    const own = nav === undefined ? { own: {} } : { own: { nav }, config };
    return [{ code, folder, ...own, sourceOf: sameIn(pagesBelow(files, folder).map(({ source }) => source)) }];
  });
  const others = new Set(linked.flatMap(({ sourceOf }) => [...sourceOf.keys()]));
  const code = asText(valueAt(settings, "theme.language")) ?? "en";
  return [{ code, folder: root, own: {}, sourceOf: sameIn(all.filter((source) => !others.has(source))) }, ...linked];
}

/** The entries with the files and labels of a language. */
export function inLanguage(
  entries: readonly NavEntry[],
  { sourceOf, own = {} }: Pick<SiteLanguage, "sourceOf"> & Partial<SiteLanguage>,
): NavEntry[] {
  const words = asData(own["nav_translations"]);
  const translated = (entry: NavEntry): NavEntry => {
    const label = entry.label === undefined ? undefined : (asText(words[entry.label]) ?? entry.label);
    if (entry.kind === "page") return { ...entry, source: sourceOf.get(entry.source) ?? entry.source, label };
    if (entry.kind === "link") return { ...entry, label: label ?? "" };
    const root = entry.root === undefined ? undefined : (sourceOf.get(entry.root) ?? entry.root);
    return { ...entry, label: label ?? "", root, entries: entry.entries.map(translated) };
  };
  // Hide groups that have no translated page.
  const isShown = (entry: NavEntry): boolean =>
    entry.kind !== "group" || entry.root !== undefined || entry.entries.some(isShown);
  return entries.filter(isShown).map(translated);
}
