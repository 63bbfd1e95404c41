import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import { asData, asList, asText, type Data, valueAt } from "../data.js";
import type { NavEntry, ToolContext } from "../project.js";
import { inside, isTrue, pagesBelow } from "./shared.js";

export interface SiteLanguage {
  readonly code: string;
  /** The folder that the paths of the navigation are relative to. */
  readonly folder: string;
  /** The file of each page by its path in the navigation. */
  readonly sourceOf: ReadonlyMap<string, string>;
  /** Settings of the language, such as another navigation. */
  readonly own: Data;
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
    const code = /^\/?([A-Za-z]{2,3}(?:-[A-Za-z]{2,4})?)\/?$/.exec(asText(valueAt(item, "link")) ?? "")?.[1];
    const candidates =
      code === undefined ? [] : [joinPath(folderOf(base), `${code}/${nameOf(root)}`), joinPath(root, code)];
    const folder = candidates.find(
      (candidate) => candidate !== root && files.paths.some((path) => inside(candidate, path) && path.endsWith(".md")),
    );
    if (code === undefined || folder === undefined) return [];
    return [{ code, folder, own: {}, sourceOf: sameIn(pagesBelow(files, folder).map(({ source }) => source)) }];
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
