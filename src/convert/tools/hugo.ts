import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asList, asText, type Data, splitPage, valueAt } from "../data.js";
import { mapText } from "../page-text.js";
import type { NavEntry, NavTab, PageContext, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { githubSlugs } from "../steps/anchors.js";
import { fenceInfos } from "../steps/blocks.js";
import { definitionLists } from "../steps/definitions.js";
import { stepHeadings } from "../steps/step-headings.js";
import { hugoShortcodes } from "./hugo-shortcodes.js";
import { inLanguage } from "./mkdocs-settings.js";
import { folderEntries } from "./navigation.js";
import {
  dataFile,
  hasPages,
  headOf,
  inside,
  isPage,
  isTrue,
  navbarOf,
  numberOf,
  redirectsOf,
  relativeTo,
} from "./shared.js";

const config = /(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml|json)$/;

/** The id in `{.lead #start}` as an anchor. */
const idOf = (attributes: string): string =>
  attributes.replace(/\{[^#]*(?:#([\w:-]+).*)?$/, (_, id?: string) => (id ? `<a id="${id}"></a>` : ""));

/** Attributes below a block: `{.lead #start}`. */
const blockAttributes =
  /^[ \t>]*\{[ \t]*(?:[.#][\w:-]+|[\w-]+=(?:"[^"{}]*"|[\w-]+))(?:[ \t]+[\w-]+=(?:"[^"{}]*"|[\w-]+)|[ \t]*[.#][\w:-]+)*[ \t]*\}[ \t]*$/;

export const hugo: Tool = {
  name: "Hugo",
  detect: (files, start) => siteFolder(files, start)?.base,
  read,
  convert(text, context) {
    const blocks = stepHeadings(hugoShortcodes(text, context, (name) => paramOf(context, name)));
    const plain = mapText(blocks, (part, { text: whole }) =>
      part === whole && part.length < 500 && blockAttributes.test(part) ? idOf(part) : part,
    );
    return fenceInfos(definitionLists(plain), (info) =>
      info.replace(/^([\w+#-]+)\s*\{([^{}]*)\}$/, (_, language: string, options: string) => {
        const marked = /hl_lines=(?:\[([^\]]*)\]|"([^"]*)"|'([^']*)')/.exec(options);
        const title = /(?:title|filename|file)="([^"]*)"/.exec(options)?.[1];
        const lines = (marked?.[1] ?? marked?.[2] ?? marked?.[3])
          ?.replace(/["'\s]+/g, ",")
          .replace(/,{2,}/g, ",")
          .replace(/^,|,$/g, "");
        return [
          language,
          title,
          /linenos=(?:true|"?(?:table|inline))/.test(options) ? "lines" : "",
          lines && `{${lines}}`,
        ]
          .filter(Boolean)
          .join(" ");
      }),
    );
  },
  frontmatter: (data) => ({
    ...inAnyCase(data),
    sidebarTitle: data["linkTitle"] ?? data["linktitle"],
    hidden: undefined,
    keywords: undefined,
  }),
  isMarkdown: ({ source }) => !source.endsWith(".mdx"),
  emoji: "after anchors",
  slugs: githubSlugs,
};

/** Front matter with the names also in lower case, since Hugo ignores their case. */
const inAnyCase = (data: Data): Data => ({
  ...Object.fromEntries(Object.entries(data).map(([name, value]) => [name.toLowerCase(), value])),
  ...data,
});

/** Pages of Hugo without settings: a site that has them elsewhere mounts the folder. Only Hugo has pages named `_index.md`. */
export const hugoContent: Tool = { ...hugo, detect: (files, start) => sectionsFolder(files, start) };

/** The innermost folder that contains all sections, if there are at least two. */
function sectionsFolder(files: SiteFiles, start: string): string | undefined {
  const indexes = files.paths.filter((path) => inside(start, path) && nameOf(path) === "_index.md");
  if (indexes.length < 2) return undefined;
  const [first = "", ...others] = indexes.map(folderOf);
  let folder = first;
  for (const other of others) while (folder !== other && !inside(folder, other)) folder = folderOf(folder);
  return folder;
}

const depthOf = (folder: string): number => folder.split("/").length;
const isGeneral = (file: string): boolean => nameOf(file).startsWith("config.");

/** Whether settings are those of Zola, which also has a `config.toml`. */
export const isZola = (files: SiteFiles, path: string): boolean =>
  files.sizeOf(path) < 1_000_000 && /^base_url\s*=/m.test(files.readText(path));

/** The settings nearest to the top that have pages next to them: themes have settings, too. */
function siteFolder(files: SiteFiles, start: string): { readonly file: string; readonly base: string } | undefined {
  return files.paths
    .filter(
      (path) => inside(start, path) && config.test(path) && !(nameOf(path) === "config.toml" && isZola(files, path)),
    )
    .map((file) => ({ file, base: folderOf(file).replace(/(?:^|\/)config\/_default$/, "") }))
    .filter(({ file, base }) => contentFolders(files, file).some((name) => hasPages(files, joinPath(base, name))))
    .toSorted(
      // If a folder has both hugo.toml and config.toml, Hugo reads the former.
      (a, b) => depthOf(a.base) - depthOf(b.base) || Number(isGeneral(a.file)) - Number(isGeneral(b.file)),
    )[0];
}

const contentSetting =
  /\bcontentDir\b["']?\s*[:=]\s*["']?([\w./-]+)|\bsource["']?\s*[:=]\s*["']?([\w./-]+)["']?[\s,]+target["']?\s*[:=]\s*["']?content\b/gi;

/** `content`, and the folders that settings use in its place: for a language, or mounted into it. */
function contentFolders(files: SiteFiles, file: string): string[] {
  const around = /(?:^|\/)config\/_default\//.test(file)
    ? files.paths.filter((path) => folderOf(path) === folderOf(file))
    : [file];
  const named = around
    .filter((path) => files.sizeOf(path) < 200_000)
    .flatMap((path) => [...files.readText(path).matchAll(contentSetting)]);
  return ["content", ...named.map(([, folder, mounted]) => (folder ?? mounted)!)];
}

const siteSettings = new WeakMap<SiteFiles, Data>();
function settingsOf({ files, base, start }: ToolContext): Data {
  const cached = siteSettings.get(files);
  if (cached) return cached;
  const main = siteFolder(files, start)?.file;
  const merged: Record<string, unknown> = main === undefined ? { contentDir: "." } : dataFile(files, main);
  for (const path of files.paths) {
    // `languages.fr.toml` has the settings of a language, and `menus.fr.toml` its menus.
    const [, name, code] =
      (inside(joinPath(base, "config/_default"), path) &&
        /^(\w+)(?:\.([\w-]+))?\.(?:toml|ya?ml|json)$/.exec(nameOf(path))) ||
      [];
    if (name === undefined || /^(?:hugo|config)$/.test(name)) continue;
    const table = dataFile(files, path);
    const earlier = asData(merged[name]);
    if (code === undefined) merged[name] = { ...earlier, ...table };
    else if (name === "languages") merged[name] = { ...earlier, [code]: { ...asData(earlier[code]), ...table } };
    else if (code === asText(merged["defaultContentLanguage"])) merged[name] = { ...table, ...earlier };
  }
  siteSettings.set(files, merged);
  return merged;
}

/** The value of a parameter: of the page, of the `cascade` of a section around it, or of the site. */
function paramOf(context: PageContext, name: string): string | undefined {
  const pageValue = asText(valueAt(context.frontmatter, name));
  if (pageValue !== undefined) return pageValue;
  for (let folder = folderOf(context.page.source); folder !== ""; folder = folderOf(folder)) {
    const index = `${folder}/_index.md`;
    const cascade = context.files.has(index) ? headOf(context.files, index)["cascade"] : undefined;
    for (const table of [cascade, ...asList(cascade)]) {
      const value = asText(valueAt(table, name)) ?? asText(valueAt(table, `params.${name}`));
      if (value !== undefined) return value;
    }
  }
  return asText(valueAt(settingsOf(context)["params"], name));
}

interface Language {
  readonly code: string;
  /** The folder that its paths are relative to. */
  readonly root: string;
  /** The path that its addresses begin with. */
  readonly prefix: string;
  /** The file of each page by its path in the folder of the content, into which settings may mount other folders. */
  readonly sourceOf: ReadonlyMap<string, string>;
  readonly label: string;
}

function languagesOf(settings: Data, context: ToolContext): Language[] {
  const { files, base } = context;
  const main = asText(settings["defaultContentLanguage"]) ?? "en";
  const content = joinPath(base, asText(settings["contentDir"]) ?? "content");
  const written = Object.entries(asData(settings["languages"]));
  const codes = new Set(written.map(([code]) => code.toLowerCase()));
  const mounts = contentMounts(settings, content, context);
  const hasLanguages = mounts.some(({ languages }) => languages.length > 0);
  const sourcesIn = (code: string, own: unknown): readonly [root: string, sourceOf: Map<string, string>] => {
    const sourceOf = new Map<string, string>();
    const folder = asText(valueAt(own, "contentDir"));
    const root = folder === undefined ? joinPath(content, code) : joinPath(base, folder);
    const isOfCode = (path: string): boolean => (languageIn(path, codes) ?? main.toLowerCase()) === code.toLowerCase();
    const isAlone = files.paths.some(
      (path) => inside(root, path) && isPage(path) && languageIn(path, codes) === undefined,
    );
    const isMounted = mounts.length > 0 && (hasLanguages || !isAlone || root === content);
    const folders = isMounted
      ? mounts.filter(({ languages }) =>
          languages.length === 0 ? !hasLanguages || code === main : languages.includes(code),
        )
      : [{ folder: isAlone ? root : content, target: isAlone ? root : content }];
    for (const { folder: from, target } of folders)
      for (const source of files.paths) {
        const path = source === from ? target : joinPath(target, relativeTo(from, source));
        if (!isPage(source) || !(source === from || inside(from, source)) || sourceOf.has(path)) continue;
        // Translations stand next to each other: `about.md` and `about.fr.md`.
        if (isAlone || (isMounted && hasLanguages) || isOfCode(source)) sourceOf.set(path, source);
      }
    return [isAlone && !isMounted ? root : content, sourceOf];
  };
  const languages = written.flatMap(([code, own]): Language[] => {
    const [root, sourceOf] = sourcesIn(code, own);
    const label = asText(valueAt(own, "label")) ?? asText(valueAt(own, "languageName")) ?? code;
    const isFirst = code === main && !isTrue(settings["defaultContentLanguageInSubdir"]);
    return sourceOf.size === 0 ? [] : [{ code, root, label, prefix: isFirst ? "" : `${code}/`, sourceOf }];
  });
  if (languages.length > 0) return languages.toSorted((a, b) => Number(b.code === main) - Number(a.code === main));
  const [root, sourceOf] = sourcesIn(main, { contentDir: relativeTo(base, content) });
  return [{ code: main, root, prefix: "", label: main, sourceOf }];
}

/** The folders and files that the settings mount into the content. */
const contentMounts = (settings: Data, content: string, { base, path }: ToolContext) =>
  asList(valueAt(settings, "module.mounts")).flatMap((mount) => {
    const target = joinPath("", asText(valueAt(mount, "target")) ?? "");
    if (!inside("content", `${target}/`)) return [];
    return [
      {
        folder: path(base, asText(valueAt(mount, "source")) ?? ""),
        target: joinPath(content, target.slice("content/".length)),
        languages: [valueAt(mount, "lang"), valueAt(mount, "sites.matrix.languages")]
          .flat()
          .flatMap((code) => asText(code) ?? []),
      },
    ];
  });

/** The language in the name of a page, `fr` in `about.fr.md`. */
function languageIn(path: string, codes: ReadonlySet<string>): string | undefined {
  const code = /\.([\w-]+)\.\w+$/i.exec(path)?.[1]?.toLowerCase();
  return code !== undefined && codes.has(code) ? code : undefined;
}

function read(context: ToolContext): Project {
  const { files, base } = context;
  const settings = settingsOf(context);
  const main = siteFolder(files, context.start)?.file;
  if (main === undefined)
    context.note(
      base,
      "setting",
      "The settings of Hugo are not in this folder, so menus, parameters and the name of the site are unknown; write what is missing in docs.json.",
    );
  const pages: ProjectPage[] = [];
  const aliases: (readonly [string, string])[] = [];
  const taken = new Set<string>();
  const languages = languagesOf(settings, context);
  const tabs = languages.map((language): NavTab => {
    const { root, prefix, code, label, sourceOf } = language;
    // A page that settings mount for several languages is listed in the first one.
    const all = [...sourceOf].flatMap(([path, source]) => (taken.has(source) ? [] : [path]));
    for (const source of sourceOf.values()) taken.add(source);
    /** The name of a file without the language in it. */
    const plainName = (path: string): string => path.replace(`.${code}.`, ".");
    const indexOf = (folder: string): string | undefined =>
      [`_index.md`, `index.md`, `_index.${code}.md`, `index.${code}.md`]
        .map((name) => `${folder}/${name}`)
        .find((path) => heads.has(path));
    const heads = new Map(all.map((path) => [path, inAnyCase(headOf(files, sourceOf.get(path)!))]));
    const bundles = new Set(all.filter((source) => plainName(nameOf(source)) === "index.md").map(folderOf));
    const hidden = all
      .filter(
        (source) => plainName(nameOf(source)) === "_index.md" && isUnrendered(asData(heads.get(source)!["cascade"])),
      )
      .map(folderOf);
    const sources = all.filter((source) => {
      const head = heads.get(source)!;
      const isPartOfBundle = plainName(nameOf(source)) !== "index.md" && bundles.has(folderOf(source));
      return (
        !isPartOfBundle &&
        !isTrue(head["headless"]) &&
        !isTrue(head["draft"]) &&
        !isUnrendered(head) &&
        !hidden.some((folder) => inside(folder, source) && (source !== indexOf(folder) || head["title"] === undefined))
      );
    });
    for (const path of sources) {
      const head = heads.get(path)!;
      const address = prefix + pageAddress(plainName(relativeTo(root, path)), head, asData(settings["permalinks"]));
      const source = sourceOf.get(path)!;
      const url = linkOf(head);
      // Of a page without text, only the link is left.
      const isLink = /^https?:/.test(url ?? "") && splitPage(files.readText(source)).body.trim() === "";
      pages.push({ source, address: address.replace(/\/$/, ""), ...(isLink && { head: { url } }) });
      for (const alias of asList(head["aliases"])) {
        const from = asText(alias);
        if (from !== undefined)
          aliases.push([from.startsWith("/") ? from : joinPath(folderOf(address), from), `/${address}`]);
      }
    }
    const factsOf = (path: string) => {
      const index = heads.has(path) ? path : indexOf(path);
      const head = index === undefined ? {} : heads.get(index)!;
      const weight = numberOf(head["weight"]) ?? numberOf(valueAt(head, "menus.docs.weight")) ?? 0;
      return {
        position: weight === 0 ? undefined : weight,
        label:
          asText(head["linkTitle"]) ??
          asText(head["linktitle"]) ??
          (index === path ? undefined : asText(head["title"])),
        root: index === path ? undefined : index,
      };
    };
    const listed = sources.filter((source) => !isTrue(heads.get(source)!["toc_hide"]));
    return {
      kind: "language",
      code,
      label,
      entries: inLanguage(withLinks(folderEntries(listed, root, factsOf), heads), language),
    };
  });
  const menus = Object.entries(asData(settings["menus"] ?? settings["menu"]));
  const menu = menus.flatMap(([name, items]) => (name === "footer" ? [] : asList(items)));
  return {
    name: asText(settings["title"]),
    url: asText(settings["baseURL"])?.replace(/\/$/, ""),
    ...(main !== undefined && { look: { files: [main], data: settings } }),
    settings: {
      description: asText(valueAt(settings, "params.description")),
      navbar: navbarOf(menu.map((item) => [valueAt(item, "name"), valueAt(item, "url") ?? valueAt(item, "pageRef")])),
    },
    pages,
    tabs: tabs.length > 1 ? tabs : [{ label: "", entries: tabs[0]!.entries }],
    isLeftOut: isPage,
    // Pictures next to a page are published next to it.
    assetFolders: [...["static", "assets"].map((name) => joinPath(base, name)), ...languages.map(({ root }) => root)],
    redirects: redirectsOf(aliases),
  };
}

/** Docsy's navigation opens this address in place of the page. */
const linkOf = (head: Data): string | undefined => asText(head["manualLink"]) ?? asText(head["manualLinkRelref"]);

/** The entries with links in place of the pages that the navigation does not open. */
const withLinks = (entries: readonly NavEntry[], heads: ReadonlyMap<string, Data>): NavEntry[] =>
  entries.map((entry): NavEntry => {
    if (entry.kind === "group") return { ...entry, entries: withLinks(entry.entries, heads) };
    const head = entry.kind === "page" ? heads.get(entry.source) : undefined;
    const [href, label] = head === undefined ? [] : [linkOf(head), asText(head["linkTitle"] ?? head["title"])];
    return href === undefined || label === undefined ? entry : { kind: "link", label, href };
  });

const isUnrendered = (head: Data): boolean =>
  ["build", "_build"].some((name) => ["never", "false"].includes(asText(valueAt(head, `${name}.render`)) ?? ""));

/** @param permalinks patterns of the settings by section: `blog: /:section/:year/:slug` */
function pageAddress(path: string, head: Data, permalinks: Data): string {
  const url = asText(head["url"]);
  if (url !== undefined) return joinPath("", url.replace(/\.html$/, ""));
  const plain = path.replace(/\.\w+$/, "").replace(/(?:^|\/)_?index$/, "");
  const slug = asText(head["slug"]);
  const section = plain.split("/")[0]!;
  const pattern = asText(permalinks[section]) ?? asText(valueAt(permalinks["page"], section));
  const byPattern =
    pattern === undefined || /(?:^|\/)_index\.\w+$/.test(path) ? undefined : permalink(pattern, plain, head);
  const address = byPattern ?? (slug === undefined ? plain : joinPath(folderOf(plain), slug));
  return address.toLowerCase().replaceAll(" ", "-");
}

/** The address by a pattern; undefined if the page lacks a part of it, such as its date. */
function permalink(pattern: string, path: string, head: Data): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(asText(head["date"]) ?? nameOf(path)) ?? [];
  const [name, slug] = [nameOf(path), asText(head["slug"])];
  const title = githubSlugs.slug(asText(head["title"]) ?? name).replace(/-+/g, "-");
  const parts: Readonly<Record<string, string | undefined>> = {
    ...{ year, month, day, title, filename: name, contentbasename: name },
    ...{ section: path.split("/")[0], sections: folderOf(path), slug: slug ?? title },
    ...{ slugorfilename: slug ?? name, slugorcontentbasename: slug ?? name },
  };
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, part]) => part!);
  if (names.some((part) => !Object.hasOwn(parts, part) || parts[part] === undefined)) return undefined;
  return joinPath(
    "",
    pattern.replace(/:(\w+)/g, (_, part: string) => parts[part]!),
  ).replace(/\/$/, "");
}
