import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asList, asText, type Data, valueAt } from "../data.js";
import type { NavTab, PageContext, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { githubSlugs } from "../steps/anchors.js";
import { fenceInfos } from "../steps/blocks.js";
import { definitionLists } from "../steps/definitions.js";
import { stepHeadings } from "../steps/step-headings.js";
import { readToml } from "../toml.js";
import { folderEntries } from "./folder-navigation.js";
import { hugoShortcodes } from "./hugo-shortcodes.js";
import { dataFile, headOf, inside, isPage, isTrue, navbarOf, numberOf, redirectsOf, relativeTo } from "./shared.js";

const config = /(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml|json)$/;

export const hugo: Tool = {
  name: "Hugo",
  detect: (files, start) => siteFolder(files, start)?.base,
  read,
  convert(text, context) {
    const blocks = stepHeadings(hugoShortcodes(text, context, (name) => paramOf(context, name)));
    return fenceInfos(definitionLists(blocks), (info) =>
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
    ...data,
    sidebarTitle: data["linkTitle"] ?? data["linktitle"],
    hidden: undefined,
    keywords: undefined,
  }),
  isMarkdown: ({ source }) => !source.endsWith(".mdx"),
  emoji: "after anchors",
  slugs: githubSlugs,
};

/** The nearest settings with pages next to them: themes have settings, too. */
function siteFolder(files: SiteFiles, start: string): { readonly file: string; readonly base: string } | undefined {
  return files.paths
    .filter((path) => inside(start, path) && config.test(path))
    .map((file) => ({ file, base: folderOf(file).replace(/(?:^|\/)config\/_default$/, "") }))
    .filter(({ file, base }) => {
      const roots = contentFolders(files, file).map((name) => joinPath(base, name));
      return files.paths.some((path) => isPage(path) && roots.some((root) => inside(root, path)));
    })
    .toSorted((a, b) => a.base.split("/").length - b.base.split("/").length)[0];
}

/** `content`, and the folders that settings name in its place or for a language. */
function contentFolders(files: SiteFiles, file: string): string[] {
  const around = /(?:^|\/)config\/_default\//.test(file)
    ? files.paths.filter((path) => folderOf(path) === folderOf(file))
    : [file];
  const named = around
    .filter((path) => files.sizeOf(path) < 200_000)
    .flatMap((path) => [...files.readText(path).matchAll(/\bcontentDir\b["']?\s*[:=]\s*["']?([\w./-]+)/gi)]);
  return ["content", ...named.map(([, folder]) => folder!)];
}

const siteSettings = new WeakMap<SiteFiles, Data>();
function settingsOf({ files, base, start }: ToolContext): Data {
  const known = siteSettings.get(files);
  if (known) return known;
  const main = siteFolder(files, start)!.file;
  const merged: Record<string, unknown> = { ...tableFile(files, main) };
  for (const path of files.paths) {
    // `languages.fr.toml` has the settings of a language, and `menus.fr.toml` its menus.
    const [, name, code] =
      (inside(joinPath(base, "config/_default"), path) &&
        /^(\w+)(?:\.([\w-]+))?\.(?:toml|ya?ml|json)$/.exec(nameOf(path))) ||
      [];
    if (name === undefined || /^(?:hugo|config)$/.test(name)) continue;
    const table = tableFile(files, path);
    const known = asData(merged[name]);
    if (code === undefined) merged[name] = { ...known, ...table };
    else if (name === "languages") merged[name] = { ...known, [code]: { ...asData(known[code]), ...table } };
    else if (code === asText(merged["defaultContentLanguage"])) merged[name] = { ...table, ...known };
  }
  siteSettings.set(files, merged);
  return merged;
}

/** A value of the page, of the sections around it, which give theirs to their pages, or of the site. */
function paramOf(context: PageContext, name: string): string | undefined {
  const own = asText(valueAt(context.frontmatter, name));
  if (own !== undefined) return own;
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

const tableFile = (files: SiteFiles, path: string): Data =>
  path.endsWith(".toml") ? readToml(files.readText(path)) : dataFile(files, path);

interface Language {
  readonly code: string;
  readonly root: string;
  /** Beginning of its addresses. */
  readonly prefix: string;
  /** Whether a file is a page of the language. */
  readonly has: (path: string) => boolean;
  readonly label: string;
}

function languagesOf(settings: Data, { files, base }: ToolContext): Language[] {
  const main = asText(settings["defaultContentLanguage"]) ?? "en";
  const content = joinPath(base, asText(settings["contentDir"]) ?? "content");
  const written = Object.entries(asData(settings["languages"]));
  const codes = new Set(written.map(([code]) => code.toLowerCase()));
  const found = written.flatMap(([code, own]): Language[] => {
    const folder = asText(valueAt(own, "contentDir"));
    const root = folder === undefined ? joinPath(content, code) : joinPath(base, folder);
    const label = asText(valueAt(own, "label")) ?? asText(valueAt(own, "languageName")) ?? code;
    const isMain = code === main;
    const prefix = isMain && !isTrue(settings["defaultContentLanguageInSubdir"]) ? "" : `${code}/`;
    if (files.paths.some((path) => inside(root, path) && isPage(path) && languageIn(path, codes) === undefined))
      return [{ code, root, label, prefix, has: (path) => inside(root, path) }];
    // Translations stand next to each other: `about.md` and `about.fr.md`.
    const has = (path: string): boolean =>
      inside(content, path) && (languageIn(path, codes) ?? main.toLowerCase()) === code.toLowerCase();
    return files.paths.some((path) => isPage(path) && has(path)) ? [{ code, root: content, label, prefix, has }] : [];
  });
  return found.length > 0
    ? found.toSorted((a, b) => Number(b.code === main) - Number(a.code === main))
    : [{ code: main, root: content, prefix: "", label: main, has: (path) => inside(content, path) }];
}

/** The language in the name of a page, `fr` in `about.fr.md`. */
function languageIn(path: string, codes: ReadonlySet<string>): string | undefined {
  const code = /\.([\w-]+)\.mdx?$/i.exec(path)?.[1]?.toLowerCase();
  return code !== undefined && codes.has(code) ? code : undefined;
}

function read(context: ToolContext): Project {
  const { files, base } = context;
  const settings = settingsOf(context);
  const pages: ProjectPage[] = [];
  const aliases: (readonly [string, string])[] = [];
  const tabs = languagesOf(settings, context).map(({ root, prefix, code, label, has }): NavTab => {
    const all = files.paths.filter((path) => isPage(path) && has(path));
    /** The name of a file without the language in it. */
    const plainName = (path: string): string => path.replace(`.${code}.`, ".");
    const indexOf = (folder: string): string | undefined =>
      [`_index.md`, `index.md`, `_index.${code}.md`, `index.${code}.md`]
        .map((name) => `${folder}/${name}`)
        .find((path) => heads.has(path));
    const heads = new Map(all.map((source) => [source, headOf(files, source)]));
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
        !hidden.some((folder) => inside(folder, source) && source !== indexOf(folder))
      );
    });
    for (const place of [...hidden, ...all.filter((source) => isUnrendered(heads.get(source)!))])
      context.note(place, "part", "Hugo makes no page from what is here, which other pages show; it is left out.");
    for (const source of sources) {
      const head = heads.get(source)!;
      const address = prefix + pageAddress(plainName(relativeTo(root, source)), head);
      pages.push({ source, address: address.replace(/\/$/, "") });
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
    return { kind: "language", code, label, entries: folderEntries(listed, root, factsOf) };
  });
  for (const mount of asList(valueAt(settings, "module.mounts"))) {
    const [source, target] = [asText(valueAt(mount, "source")) ?? "", asText(valueAt(mount, "target")) ?? ""];
    const folder = context.path(base, source);
    const isRead = pages.some((page) => inside(folder, page.source));
    if (/^content(?:\/|$)/.test(target) && !isRead && files.paths.some((path) => inside(folder, path) && isPage(path)))
      context.note(folder, "page", `The settings mount these pages at "${target}"; copy them there and convert again.`);
  }
  const menu = asList(valueAt(settings, "menus.main") ?? valueAt(settings, "menu.main"));
  return {
    name: asText(settings["title"]),
    url: asText(settings["baseURL"])?.replace(/\/$/, ""),
    look: { files: [siteFolder(context.files, context.start)!.file], data: settings },
    settings: {
      description: asText(valueAt(settings, "params.description")),
      navbar: navbarOf(menu.map((item) => [valueAt(item, "name"), valueAt(item, "url")])),
    },
    pages,
    tabs: tabs.length > 1 ? tabs : [{ label: "", entries: tabs[0]!.entries }],
    assetFolders: ["static", "assets"].map((name) => joinPath(base, name)),
    redirects: redirectsOf(aliases),
  };
}

const isUnrendered = (head: Data): boolean =>
  ["build", "_build"].some((name) => ["never", "false"].includes(asText(valueAt(head, `${name}.render`)) ?? ""));

function pageAddress(path: string, head: Data): string {
  const url = asText(head["url"]);
  if (url !== undefined) return joinPath("", url.replace(/\.html$/, ""));
  const plain = path.replace(/\.mdx?$/i, "").replace(/(?:^|\/)_?index$/, "");
  const slug = asText(head["slug"]);
  return (slug === undefined ? plain : joinPath(folderOf(plain), slug)).toLowerCase().replaceAll(" ", "-");
}
