import { matchGlob } from "../../lib/regexp/match-glob.js";
import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asList, asText, valueAt } from "../data.js";
import { indentOf, mapText, type PageText } from "../page-text.js";
import type { NavEntry, NavTab, PageContext, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { githubSlugs, pythonSlugs, withoutAttributes } from "../steps/anchors.js";
import {
  attribute,
  calloutTags,
  fenceInfos,
  groupTabs,
  indentedBlocks,
  plainOptions,
  titledElement,
} from "../steps/blocks.js";
import { definitionLists } from "../steps/definitions.js";
import { iconName, materialIcon } from "../steps/icons.js";
import { anchorOf, fenced, languageOf, linesIn, withoutAnchors } from "../steps/parts.js";
import { macroMark, macroVariables, withIncludedMarkdown, withMacros, withSnippetBlocks } from "./mkdocs-macros.js";
import { type NavigationFacts, navigationOf, summaryNameOf } from "./mkdocs-navigation.js";
import { colorsOf, configsOf, globsOf, inherited, inLanguage, languagesOf, pluginsOf } from "./mkdocs-settings.js";
import {
  appendedDefinitions,
  gridCards,
  plainSpans,
  raised,
  slashBlocks,
  withDefinitions,
  withoutCrossReferences,
  withoutGeneratedBlocks,
  withoutReferences,
  withPlainTerminals,
} from "./mkdocs-syntax.js";
import {
  addressOf,
  dataFile,
  fileIn,
  insertFiles,
  inside,
  isTrue,
  languageTab,
  logoOf,
  navbarOf,
  pageEntry,
  pagesBelow,
  pictureReader,
  publicPath,
  redirectsOf,
  relativeTo,
  withPages,
} from "./shared.js";

export const mkdocs: Tool = {
  name: "MkDocs",
  detect(files, start) {
    const [config] = configsOf(files, start);
    return config === undefined ? undefined : folderOf(config);
  },
  read,
  convert(text, context) {
    const template = asText(context.frontmatter["template"]);
    if (template !== undefined)
      context.report("template", `The template "${template}" is not converted; add its content to the page.`, 1);
    const settings = snippetSettings.get(context.files);
    const { folders: ofSettings = [], definitions = [], hasReferences, mayLack, includesMarkdown } = settings ?? {};
    const { frontmatter: head } = context;
    const isRendered = asText(head["render_macros"]) !== "false" && !isTrue(head["ignore_macros"]);
    const macro = isRendered ? (settings?.macro ?? never) : never;
    // Paths of includes are relative to a folder that the settings name, to that of the settings or pages, or to the page.
    const folders = [...ofSettings, context.base, folderOf(context.page.source), `${context.base}/docs`];
    const from: PageContext = {
      ...context,
      include: (path, source) =>
        folders
          .map((folder) => context.include(`/${joinPath(folder, path)}`, ""))
          .find((included) => included !== undefined) ?? context.include(path, source),
    };
    const included = (lines: PageText) => (includesMarkdown ? withIncludedMarkdown(lines, from, context) : lines);
    const snippets = insertFiles(
      withSnippetBlocks(
        withoutTabs(
          withPlainTerminals(withMacros(plainSpans(withDefinitions(included(text), definitions)), from, macro)),
        ),
      ),
      // The old site leaves out what it does not find, so that is no loss.
      mayLack ? { ...from, report: (_, ...rest) => context.report("include", ...rest) } : from,
      ({ text }) => snippetMark.exec(text)?.[1],
      (part, path, line) => {
        // Show an SVG file as a picture; its text is not content.
        const drawing = path.endsWith(".svg") ? fileIn(context.files, folders, [path]) : undefined;
        return drawing === undefined
          ? snippetPart(part, snippetMark.exec(line)?.[2])
          : `<img src="@repo/${drawing}" alt="" />`;
      },
    );
    const complete = insertFiles(
      snippets,
      from,
      ({ text }) => includeMark.exec(text)?.[1] ?? includeMark.exec(text)?.[2],
      includedCode,
    );
    const linked = hasReferences ? withoutCrossReferences(complete, context) : complete;
    const steps = [withoutReferences, withoutGeneratedBlocks, gridCards, definitionLists, slashBlocks];
    const blocks = steps.reduce((lines, step) => step(lines, context), linked);
    return convertInline(fenceInfos(groupTabs(indentedBlocks(blocks, tagsOf)), fenceInfo), context, macro);
  },
  frontmatter: (data) => ({ ...data, hidden: undefined }),
  isMarkdown: () => true,
  emoji: "before anchors",
  slugs: pythonSlugs,
};

/** For each site, the folders that the paths of snippets are relative to, and the link definitions appended to each page. */
const snippetSettings = new WeakMap<SiteFiles, SnippetSettings>();

interface SnippetSettings {
  readonly folders: readonly string[];
  readonly definitions: readonly string[];
  /** Whether snippets may name files and parts that do not exist. */
  readonly mayLack: boolean;
  /** Whether links without a definition lead to what a plugin knows. */
  readonly hasReferences: boolean;
  /** Whether a plugin includes files by tags. */
  readonly includesMarkdown: boolean;
  /** What the plugin for macros replaces. */
  readonly macro: RegExp;
}

const snippetMark = /^\s*-{1,}8<-{1,}\s+["']((?:https?:\/\/)?[^"':]+)(?::([^"']*))?["']\s*$/;
/** `{* file.py hl[2,4:5] ln[1:10] *}`, `{!> file.py!}` and `{! file.md !}`. */
const includeMark = /^\s*(?:\{\*\s*([^\s*]\S*)[^{}]*\*\}|\{!>?\s*([^\s!]+)\s*!\})\s*$/;

function snippetPart(text: string, part: string | undefined): string | undefined {
  if (part === undefined || part === "") return withoutAnchors(text.split("\n")).join("\n");
  if (!/^\d*(?::\d*)?(?:,\d*:\d*)*$/.test(part)) return anchorOf(text, part);
  return linesInRanges(text, part.split(","));
}

const linesInRanges = (text: string, ranges: readonly string[]): string =>
  ranges.map((range) => linesIn(text, range)).join("\n");

function includedCode(text: string, path: string, line: string): string {
  if (line.trim().startsWith("{!")) return text;
  const numbers = (name: string): string[] =>
    (new RegExp(`\\b${name}\\[([\\d,:\\s]*)\\]`).exec(line)?.[1] ?? "")
      .split(",")
      .map((number) => number.trim())
      .filter(Boolean);
  const shown = numbers("ln");
  const code = shown.length === 0 ? text : linesInRanges(text, shown);
  // Highlighted lines are counted from the start of the file.
  const first = Number(shown[0]?.split(":")[0] ?? 1) || 1;
  const marks = numbers("hl")
    .map((range) =>
      range
        .split(":")
        .map((number) => Number(number) - first + 1)
        .filter((number) => number > 0)
        .join("-"),
    )
    .filter(Boolean);
  const title = attribute("title", /\btitle\[([^\]]*)\]/.exec(line)?.[1]).trim();
  return fenced(
    code,
    [languageOf(path), title, marks.length > 0 ? `{${marks.join(",")}}` : ""].filter(Boolean).join(" "),
  );
}

function tagsOf(mark: string, rest: string) {
  if (mark.startsWith("=")) return titledElement("Tab", /^["'](.*)["']$/.exec(rest.trim())?.[1] ?? rest.trim());
  // MkDocs reads unquoted words as further classes, but their author meant a title.
  const [, name = "", words = "", quoted] =
    /^([\w-]+)?(?:[ \t]+(?:inline|end|left|right|annotate))*((?:[ \t]+[^\s"']+)*)(?:(?:^|[ \t]+)(?:"(.*)"|'.*'))?\s*$/.exec(
      rest,
    ) ?? [];
  // Only what folds may have a title alone.
  if (name === "" && (quoted === undefined || !mark.startsWith("?"))) return undefined;
  const title = quoted ?? (words.trim() || undefined);
  if (mark.startsWith("?"))
    return titledElement(
      "Accordion",
      title || name.replace(/^\w/, (letter) => letter.toUpperCase()),
      mark.endsWith("+") ? " defaultOpen" : "",
    );
  // Authors may define other kinds in a style sheet.
  return calloutTags(name, title) ?? titledElement("Note", title ?? name);
}

const fenceInfo = (info: string): string => {
  const braces = /^\{\s*\.([\w+-]+)\s*(.*)\}$/.exec(info);
  return plainOptions(braces ? `${braces[1]} ${braces[2]}` : info)
    .replace(/^py(?:thon)?3(?![\w-])/, "python")
    .replace(/\blinenums="[^"]*"/g, "lines")
    .replace(/\bhl_lines="([\d\s-]+)"/g, (_, list: string) => `{${list.trim().replace(/\s+/g, ",")}}`)
    .trim();
};

/** Python-Markdown expands a tab to the next multiple of four columns; code at the margin keeps its tabs. */
function withoutTabs(lines: PageText): PageText {
  let isMargin = true;
  return lines.map((line) => {
    if (line.opens) isMargin = /^\S/.test(line.text);
    if (!/^ *\t/.test(line.text) || (line.code && isMargin)) return line;
    const blanks = indentOf(line.text);
    const width = [...blanks].reduce((column, sign) => column + (sign === "\t" ? 4 - (column % 4) : 1), 0);
    return { ...line, text: " ".repeat(width) + line.text.slice(blanks.length) };
  });
}

const never = /(?!)/g;

/** Syntax of MkDocs extensions within lines. */
function convertInline(lines: PageText, { report, reportOnce }: PageContext, macro: RegExp): PageText {
  // In formulas, these characters have other meanings.
  const hasFormulas = lines.some(({ text, code }) => !code && /\$\$|\\[[(]|\\begin/.test(text));
  return mapText(lines, (text, { text: whole, line, generated }) => {
    if (generated) return text;
    const isHeading = /^[ \t>]*#{1,6}[ \t]/.test(whole);
    for (const [whole] of text.matchAll(macro))
      report("macro", `"${whole}" is a macro of the site; write here what readers should see.`, line);
    if (/^\*\[[^\]]+\]:/.test(text)) {
      reportOnce("abbreviation", "Abbreviations are left out; <Tooltip> explains a word.", line);
      return "";
    }
    const mayBeFormula = hasFormulas || whole.includes("$");
    const plain = (mayBeFormula ? text : raised(text)).replace(
      /(:(?:material|fontawesome|octicons|simple)-[\w-]+:)\{[^{}]{0,200}\}/g,
      "$1",
    );
    return (isHeading ? plain : withoutAttributes(plain, mayBeFormula))
      .replace(/^\s*\[TOC\]\s*$/i, "")
      .replace(/\+\+([\w+-]{1,100})\+\+/g, (_, keys: string) =>
        keys
          .split("+")
          .map((key) => `<kbd>${key}</kbd>`)
          .join("+"),
      )
      .replace(/(?<!=)==([^=\s][^=]*)==(?!=)/g, "<mark>$1</mark>")
      .replace(materialIcon, (whole, plain: string) => {
        const name = iconName(plain);
        if (name === undefined)
          reportOnce(
            "icon",
            `The icon "${whole}" is not one of ours: the nearest in meaning is shown. Choose another.`,
            line,
          );
        return `<Icon icon="${name ?? plain}" />`;
      })
      .replace(/(<\w{1,30}[^<>]{0,500}?)\s{1,9}markdown(?:="[^"]*")?(?=[\s>])/g, "$1");
  });
}

function read(context: ToolContext): Project {
  const { files, base } = context;
  const [configPath = "", ...others] = configsOf(files, context.start);
  const inherit = inherited(configPath, context);
  const navFile = inherit["nav"] === undefined && others.find((path) => dataFile(files, path)["nav"] !== undefined);
  const settings = navFile ? { ...inherit, nav: dataFile(files, navFile)["nav"] } : inherit;
  if (others.length > 0)
    context.note(
      configPath,
      "setting",
      `The site has several settings files; this one is converted${navFile ? ` with the navigation of "${navFile}"` : ""}, but not ${others.map((path) => `"${path}"`).join(", ")}.`,
      1,
    );
  if (Object.keys(settings).length === 0)
    context.note(configPath, "settings", "The settings cannot be read; set name and navigation in docs.json.");
  const root = context.path(base, asText(settings["docs_dir"]) ?? "docs");
  const plugins = pluginsOf(settings["plugins"]);
  const summary = summaryNameOf(plugins);
  const features = new Set(asList(valueAt(settings, "theme.features")));
  const hasIndexes = features.has("navigation.indexes") || Object.hasOwn(plugins, "section-index");
  const pages: ProjectPage[] = [];
  /** Adds the pages of a site whose settings the navigation includes; their addresses begin with the name of that site. */
  const include: NavigationFacts["include"] = (path, label, depth) => {
    const file = context.path(base, path);
    if (!files.has(file) || depth > 5) return pageEntry(undefined, path, label, configPath, context);
    const included = inherited(file, context);
    const folder = context.path(folderOf(file), asText(included["docs_dir"]) ?? "docs");
    const added = pagesBelow(files, folder, (name) => joinPath(asText(included["site_name"]) ?? "", addressOf(name)));
    pages.push(...added);
    const facts = { settings: included, configPath: file, root: folder, hasIndexes, plugins: {}, include };
    const entries = navigationOf(facts, new Set(added.map(({ source }) => source)), folder, true, context);
    return label === undefined ? entries : [{ kind: "group", label, entries }];
  };
  for (const path of Object.hasOwn(plugins, "mkdocs-jupyter") ? files.paths : [])
    if (inside(root, path) && path.endsWith(".ipynb"))
      context.note(path, "page", "Notebooks are not converted; write this one as MDX.");
  const languages = languagesOf(settings, plugins, root, context);
  const snippets = asData(pluginsOf(settings["markdown_extensions"])["pymdownx.snippets"]);
  const folders = [snippets["base_path"], valueAt(plugins["macros"], "include_dir")]
    .flat()
    .flatMap((folder) => (asText(folder) === undefined ? [] : context.path(base, asText(folder)!)));
  const definitions = appendedDefinitions(snippets["auto_append"], [...folders, base], context);
  const hasReferences = ["autorefs", "mkdocstrings"].some((name) => Object.hasOwn(plugins, name));
  const mayLack = !isTrue(snippets["check_paths"]);
  const macro = macroMark(plugins["macros"]);
  const includesMarkdown = Object.hasOwn(plugins, "include-markdown");
  snippetSettings.set(files, { folders, definitions, hasReferences, mayLack, includesMarkdown, macro });
  const excluded = [
    ...["exclude_docs", "draft_docs"].flatMap((name) => globsOf(asText(settings[name]) ?? "")),
    // In patterns of this plugin, a star also matches slashes.
    ...asList(valueAt(plugins["exclude"], "glob")).flatMap((glob) => [String(glob), `${String(glob)}/**`]),
  ];
  const isHidden = (path: string): boolean =>
    // A README.md that lists pages is a page as well.
    (nameOf(path) === summary && summary !== "README.md") ||
    excluded.some((glob) => matchGlob(`./${glob}`, relativeTo(root, path))) ||
    /(?:^|\/)\.|(?:^|\/)overrides\//.test(relativeTo(root, path));
  const parts = languages.map((language, i): NavTab => {
    const { code, folder, own, config = configPath } = language;
    const shown = [...language.sourceOf].filter(([, source]) => i > 0 || !isHidden(source));
    for (const [path, source] of shown)
      pages.push({ source, address: joinPath(i === 0 ? "" : code, addressOf(relativeTo(folder, path))) });
    const facts = { settings: { ...settings, ...own }, configPath: config, root, hasIndexes, plugins, include };
    const paths = new Set(shown.map(([path]) => path));
    const entries = inLanguage(navigationOf(facts, paths, folder, i === 0 || config !== configPath, context), language);
    const tabs = features.has("navigation.tabs") ? tabsOf(entries) : [{ label: "", entries }];
    return languageTab(code, tabs);
  });
  // Files of the folder that overrides the theme are published at the top, too.
  const themeFolder = asText(valueAt(settings, "theme.custom_dir"));
  const assetFolders = [root, ...(themeFolder === undefined ? [] : [context.path(base, themeFolder)])];
  const { picture, copied } = pictureReader(configPath, context, (written) => [
    fileIn(files, assetFolders, [written]) ?? "",
    publicPath(written),
  ]);
  const [logo, favicon] = [picture(valueAt(settings, "theme.logo")), picture(valueAt(settings, "theme.favicon"))];
  // The header of Material has a color, on which logos are often white; ours is light or dark.
  const isWhite = logo !== undefined && /white/i.test(nameOf(logo));
  if (isWhite)
    context.note(
      configPath,
      "picture",
      `The logo "${asText(valueAt(settings, "theme.logo"))}" is white by its name, so light mode shows ${favicon === undefined ? "the name of the site" : "the favicon"}; set logo.light in docs.json.`,
    );
  const repository = asText(settings["repo_url"]);
  const redirects = Object.entries(asData(valueAt(plugins["redirects"], "redirect_maps")));
  return {
    name: asText(settings["site_name"]),
    url: asText(settings["site_url"])?.replace(/\/$/, ""),
    pages,
    tabs: parts.length === 1 ? parts[0]!.parts! : parts,
    languages: languages.map(({ code }, i) => (i === 0 ? "" : `${code}/`)),
    look: { files: [configPath], data: settings },
    settings: {
      colors: colorsOf(settings),
      description: asText(settings["site_description"]),
      logo: isWhite ? favicon && logoOf(favicon, logo) : logo,
      favicon,
      navbar: navbarOf([], repository),
    },
    files: copied,
    assetFolders,
    isLeftOut: isHidden,
    navigationFiles: files.paths.filter((path) => nameOf(path) === summary),
    redirects: redirectsOf(redirects),
    variables: Object.hasOwn(plugins, "macros") ? macroVariables(settings, plugins["macros"], context) : undefined,
    // The function is named by a YAML tag, which only the text of the file contains.
    slugs: /\bslugify\s*[:=].*\b(?:pymdownx\.slugs|slugs\.|uslugify)/.test(files.readText(configPath))
      ? { ...githubSlugs, joint: "_" }
      : undefined,
  };
}

/** The groups at the top are tabs; loose pages are in the tab before them. */
function tabsOf(entries: readonly NavEntry[]): NavTab[] {
  const tabs: { label: string; entries: NavEntry[] }[] = [];
  for (const entry of entries) {
    if (entry.kind === "group" && entry.label !== "") tabs.push({ label: entry.label, entries: [...entry.entries] });
    else if (entry.kind === "group") tabs.push({ label: "", entries: withPages([entry.root], entry.entries) });
    else if (tabs.length === 0 || tabs.at(-1)!.label !== "Home")
      tabs.push({
        // A tab without a label has that of its page.
        label: tabs.length === 0 ? "Home" : (entry.label ?? ""),
        entries: [entry],
      });
    else tabs.at(-1)!.entries.push(entry);
  }
  return tabs;
}
