import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asList, asText, type Data, valueAt } from "../data.js";
import { linesOf, type PageText } from "../page-text.js";
import type { NavTab, PageContext, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { githubSlugs } from "../steps/anchors.js";
import { attribute, calloutTags, element, fenceInfos } from "../steps/blocks.js";
import { definitionLists } from "../steps/definitions.js";
import { languageOf } from "../steps/parts.js";
import { componentOf, type Replacement, type Shortcode, shortcodes } from "../steps/shortcodes.js";
import { readToml } from "../toml.js";
import { folderEntries } from "./folder-navigation.js";
import { dataFile, headOf, inside, isPage, isTrue, numberOf, redirectsOf, relativeTo } from "./shared.js";

const config = /(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml|json)$/;

export const hugo: Tool = {
  name: "Hugo",
  detect: (files, start) => siteFolder(files, start)?.base,
  read,
  convert(text, context) {
    return fenceInfos(definitionLists(replaceShortcodes(text, context, 0)), (info) =>
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
  slugs: githubSlugs,
};

/** The nearest settings with pages next to them: themes have settings, too. */
function siteFolder(files: SiteFiles, start: string): { readonly file: string; readonly base: string } | undefined {
  return files.paths
    .filter((path) => inside(start, path) && config.test(path))
    .map((file) => ({ file, base: folderOf(file).replace(/(?:^|\/)config\/_default$/, "") }))
    .filter(({ base }) => files.paths.some((path) => inside(joinPath(base, "content"), path) && isPage(path)))
    .toSorted((a, b) => a.base.split("/").length - b.base.split("/").length)[0];
}

/** Blocks of the usual themes and of Hugo itself, by the name of their shortcode. */
const callouts = "alert note notice hint callout admonition warning tip info caution danger important pageinfo".split(
  " ",
);
const dropped = new Set(["comment", "toc", "br", "clear", "rawhtml", "unsafe", "html", "markdown"]);

function replaceShortcodes(lines: PageText, context: PageContext, depth: number): PageText {
  /** Whether the panes around hold code. */
  const panes: boolean[] = [];
  return shortcodes(lines, (code): Replacement => {
    const { name, args, isPaired } = code;
    const get = (...names: readonly string[]): string | undefined =>
      names.map((each) => args[each]).find((value) => value !== undefined);
    if (callouts.includes(name)) {
      const kind =
        get("color", "type", "style") ??
        (name === "alert" ||
        name === "pageinfo" ||
        name === "notice" ||
        name === "callout" ||
        name === "hint" ||
        name === "admonition"
          ? (args["0"] ?? "note")
          : name);
      const title = get("title");
      return isPaired
        ? (calloutTags(bootstrap[kind] ?? kind, title) ?? element("Note", attribute("title", title)))
        : { text: "" };
    }
    switch (name) {
      case "highlight":
      case "code":
        return isPaired ? { info: get("0", "lang", "language") ?? "text" } : { text: "" };
      case "tabpane":
      case "tabs":
      case "tabgroup":
      case "code-tabs":
        panes.push(name === "tabpane" && !isTrue(args["text"]));
        return element("Tabs");
      case "tab": {
        const title = get("header", "name", "title", "0", "lang") ?? "Tab";
        if (!isPaired || isTrue(args["disabled"])) return { text: "" };
        return element("Tab", attribute("title", title));
      }
      case "figure":
      case "img":
      case "image":
      case "imgproc": {
        const source = get("src", "0");
        const picture = `<img${attribute("src", source)} alt=${JSON.stringify(get("alt", "caption", "title") ?? "")} />`;
        return source === undefined
          ? { text: "" }
          : { open: `<Frame${attribute("caption", get("caption", "title"))}>${picture}`, close: "</Frame>" };
      }
      case "youtube":
      case "vimeo": {
        const id = encodeURIComponent(get("id", "0") ?? "");
        const address =
          name === "youtube" ? `https://www.youtube.com/embed/${id}` : `https://player.vimeo.com/video/${id}`;
        return { open: `<iframe src="${address}" title="Video" allowFullScreen>`, close: "</iframe>" };
      }
      case "details":
      case "expand":
      case "accordion":
        return element("Accordion", attribute("title", get("summary", "title", "0") ?? "Details"));
      case "ref":
      case "relref":
        return { text: refAddress(get("path", "0") ?? "", context) };
      case "param": {
        const value =
          asText(valueAt(context.frontmatter, get("0", "name") ?? "")) ??
          asText(valueAt(siteParams(context), get("0", "name") ?? ""));
        if (value !== undefined) return { text: value };
        break;
      }
      case "include":
      case "readfile":
      case "include-md": {
        const path = get("file", "0") ?? "";
        const text = depth > 4 ? undefined : includedText(path, context);
        if (text === undefined) break;
        if (isTrue(args["code"])) return { text: `\n\n~~~~${get("lang") ?? languageOf(path)}\n${text}\n~~~~\n` };
        return {
          text: `\n\n${replaceShortcodes(linesOf(text, code.line), context, depth + 1)
            .map((line) => line.text)
            .join("\n")}\n`,
        };
      }
      default:
        if (dropped.has(name)) return { open: "", close: "" };
    }
    return unknownShortcode(code, context);
  }).flatMap((line) =>
    line.text.includes("\n") ? linesOf(line.text, line.line).map((each) => ({ ...each, line: line.line })) : [line],
  );
}

const bootstrap: Readonly<Record<string, string>> = { primary: "note", secondary: "note", "": "note" };

const layoutFolders = ["layouts/_shortcodes", "layouts/shortcodes"];

/** The template of a shortcode says whether its content is code. */
function unknownShortcode(code: Shortcode, { files, base }: PageContext): Replacement {
  const path = layoutFolders
    .map((folder) => joinPath(base, `${folder}/${code.name}.html`))
    .find((candidate) => files.has(candidate));
  const template = path === undefined || files.sizeOf(path) > 100_000 ? "" : files.readText(path);
  if (code.isPaired && /\.Inner/.test(template) && /highlight|Remarshal|<pre|<code/.test(template)) {
    const file = code.args["file"] ?? code.args["filename"];
    const language = code.args["lang"] ?? (file?.includes(".") ? languageOf(file) : "toml");
    return { info: [language, file].filter(Boolean).join(" ") };
  }
  return componentOf(code);
}

function includedText(path: string, { files, base, page, include }: PageContext): string | undefined {
  const roots = [folderOf(page.source), joinPath(base, "content"), ...languageFolders(files, base), base];
  const found = roots
    .flatMap((folder) => [joinPath(folder, path), `${joinPath(folder, path)}.md`, `${joinPath(folder, path)}/index.md`])
    .find((candidate) => files.has(candidate));
  return found === undefined ? undefined : include(`/${found}`, "");
}

const languageFolders = (files: SiteFiles, base: string): string[] => {
  const content = joinPath(base, "content");
  return [
    ...new Set(
      files.paths.flatMap(
        (path) =>
          /^[a-z]{2}(?:-\w{2,4})?(?=\/)/.exec(inside(content, path) ? relativeTo(content, path) : "")?.[0] ?? [],
      ),
    ),
  ].map((name) => joinPath(content, name));
};

/** The address that `ref` gives: of the page itself, or below the content. */
function refAddress(path: string, { files, base, page }: PageContext): string {
  const [, file = "", suffix = ""] = /^([^#?]*)(.*)$/.exec(path)!;
  if (file === "") return suffix;
  const relative = [`${file}.md`, `${file}/_index.md`, `${file}/index.md`, file].find((candidate) =>
    files.has(joinPath(folderOf(page.source), candidate)),
  );
  if (relative !== undefined && !file.startsWith("/")) return relative + suffix;
  const found = [joinPath(base, "content"), ...languageFolders(files, base)]
    .flatMap((root) =>
      [file, `${file}.md`, `${file}/_index.md`, `${file}/index.md`].map((name) => joinPath(root, name)),
    )
    .find((candidate) => files.has(candidate) && isPage(candidate));
  return found === undefined ? file + suffix : `@repo/${found}${suffix}`;
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
const siteParams = (context: ToolContext): Data => asData(settingsOf(context)["params"]);
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
    for (const folder of hidden)
      context.note(
        folder,
        "part",
        "Hugo makes no pages from the files here, which other pages show; they are left out.",
      );
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
  const menu = asList(valueAt(settings, "menus.main") ?? valueAt(settings, "menu.main"));
  return {
    name: asText(settings["title"]),
    url: asText(settings["baseURL"])?.replace(/\/$/, ""),
    settings: {
      description: asText(valueAt(settings, "params.description")),
      navbar: navbar(menu),
    },
    pages,
    tabs: tabs.length > 1 ? tabs : [{ label: "", entries: tabs[0]!.entries }],
    assetFolders: ["static", "assets"].map((name) => joinPath(base, name)),
    redirects: redirectsOf(aliases),
  };
}

function navbar(menu: readonly unknown[]) {
  const links = menu.flatMap((item) => {
    const [label, href] = [asText(valueAt(item, "name")), asText(valueAt(item, "url"))];
    return label !== undefined && href !== undefined && /^https?:/.test(href) ? [{ label, href }] : [];
  });
  return links.length > 0 ? { links } : undefined;
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
