import { existsSync } from "node:fs";
import { dirname, join, parse, relative, resolve } from "node:path";
import { EnvironmentError } from "../lib/system-error.js";
import { folderOf, joinPath } from "../lib/url/index.js";
import { withoutUndefined } from "../lib/without-undefined.js";
import { openFolder, type SiteFiles } from "../site/source/index.js";
import { asText, type Data, splitPage } from "./data.js";
import { hostRedirects } from "./host-redirects.js";
import {
  isUnsearched,
  lineOfQuote,
  noteInvalidData,
  noteUnknown,
  noteUnlisted,
  noteUnread,
  noteUnreadNavigation,
  unshownFields,
} from "./ledger.js";
import {
  aliasesOf,
  brokenLinks,
  climbs,
  createResolver,
  newPaths,
  portable,
  rewriteLinks,
  withAliases,
} from "./links.js";
import { withLook } from "./look.js";
import { convertMint } from "./mint-json.js";
import { docsJson, indexPages, navFacts } from "./navigation.js";
import { joinCodeSpans, linesOf, type PageText, printPage, widenFences } from "./page-text.js";
import type { AddNote, Note, PageContext, Project, ProjectPage, Tool, ToolContext } from "./project.js";
import { type Comparison, countPage, createComparison, reportLeftovers } from "./report.js";
import { evaluateSettings } from "./settings/evaluate.js";
import { keepAnchors } from "./steps/anchors.js";
import { quotedAlerts } from "./steps/blocks.js";
import { visibleTwoslash } from "./steps/code-comments.js";
import { type StubUses, stubComponents, stubFiles } from "./steps/components.js";
import { escapeMarkdown, fenceIndented, mdxComments } from "./steps/escape.js";
import { emojiNames, iconReader } from "./steps/icons.js";
import { themedPictures } from "./steps/parts.js";
import { exportedHead, takeTitle } from "./steps/title.js";
import { withoutPrograms } from "./steps/vue.js";
import { noteOtherSites, toolOf } from "./tools/index.js";
import { markdown } from "./tools/markdown.js";
import { fileIn, isPage } from "./tools/shared.js";

/** The new files by path: a text, or the path of a source file to copy. */
type NewFiles = ReadonlyMap<string, string | { readonly copy: string }>;

export interface Conversion {
  /** Whose files were converted: `Docusaurus`. */
  readonly tool: string;
  readonly name: string;
  /** Address of the published site. */
  readonly url?: string | undefined;
  readonly pageCount: number;
  /** Counts of the old and the new site, side by side. */
  readonly comparison: readonly Comparison[];
  readonly files: NewFiles;
  /** Where each new page comes from. */
  readonly origins: ReadonlyMap<string, PageOrigin>;
  /** Sorted by file and line. */
  readonly notes: readonly Note[];
}

export interface PageOrigin {
  readonly source: string;
  /** For each line of the new page, its line in the source. */
  readonly lines: readonly number[];
}

interface SiteNames {
  /** The user's choice. */
  readonly name?: string | undefined;
  /** Used if neither the user nor the site gives a name. */
  readonly fallback: string;
}

/** `.mintignore` rules that let the conversion read files of other tools which an export ignores. */
const alsoRead = [
  ..."!.vitepress/ !.vuepress/ !.gitbook/ !.snippets/ !.includes/ !.partials/ !.generated/ !.artifacts/ !.shared/ !.templates/ !.gitbook.yaml !.pages !.nav.yml !.navigation.yml !.eleventy.* !*.md".split(
    " ",
  ),
  ..."node_modules .vitepress/cache .vitepress/dist .vuepress/.cache .vuepress/.temp .vuepress/dist".split(" "),
];
/** Files that keep their name. Any other gets `.txt`: a script would run in the new site, and an unknown type is not published. */
const publishedFile =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|m4v|ogv|mp3|wav|ogg|m4a|vtt|json|ya?ml|woff2?|ttf|otf|pdf|txt|xml|csv|tsv|zip|gz|tgz|docx?|xlsx?|pptx?)$/i;
/** Larger pages are not converted. */
const maxPageBytes = 4 * 1024 * 1024;

export interface ConvertedSite {
  readonly conversion?: Conversion;
  /** Why the files are not converted, and what to do, for a tool whose pages are not Markdown. */
  readonly refused?: string;
  readonly files: SiteFiles;
}

/**
 * Converts the site of another tool, or a folder of Markdown. Writes nothing. Settings are evaluated in an interpreter; no other
 * code of the site runs. If the settings name files outside of the folder, those of the same repository are read, too.
 *
 * Out:   no conversion if the folder has no page.
 * @throws {EnvironmentError} if the folder cannot be opened
 */
export async function convertSite(from: string, names: SiteNames): Promise<ConvertedSite> {
  const folder = resolve(from);
  const repository = repositoryOf(folder);
  const first = await convertIn(folder, "", names);
  if (!first.leavesFolder || repository === folder) return first;
  return convertIn(repository, relative(repository, folder).replaceAll("\\", "/"), names);
}

/** The root of the repository that contains a folder, recognized by its files; the folder itself if there is none. */
function repositoryOf(folder: string): string {
  let root = folder;
  let current = folder;
  for (let level = 0; level < maxLevels && current !== parse(current).root; level++, current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if ([".github", ".gitignore", "LICENSE"].some((name) => existsSync(join(current, name)))) root = current;
  }
  return root;
}
const maxLevels = 6;

async function convertIn(
  root: string,
  start: string,
  names: SiteNames,
): Promise<ConvertedSite & { leavesFolder: boolean }> {
  const { files, diagnostics } = openFolder(root, { ignore: alsoRead });
  const fatal = diagnostics.find(({ severity, location }) => severity === "error" && location === undefined);
  if (fatal) throw new EnvironmentError(fatal.what);
  const notes: Note[] = [];
  const state: Progress = { leavesFolder: false, lostEntries: 0, named: new Set(), settings: new Set() };
  const noted = new Set<string>();
  const note: AddNote = (sourcePath, kind, what, line) => {
    // Links of the navigation are resolved last; the text that a note quotes tells which file of the settings has them.
    const isInSettings = (path: string): boolean => lineOfQuote(files, path, what) !== undefined;
    const place = sourcePath === "docs.json" ? ([...state.settings].find(isInSettings) ?? sourcePath) : sourcePath;
    const key = JSON.stringify([place, what, line]);
    if (noted.has(key)) return;
    noted.add(key);
    if (kind === "navigation") state.lostEntries++;
    if (kind !== "unlisted") state.named.add(place);
    notes.push({ sourcePath: place, line: line ?? lineOfQuote(files, place, what), what, kind });
  };
  for (const { what, location, code } of diagnostics) note(location?.sourcePath ?? ".", code, what);
  const converted = await convertFiles(files, start, names, note, state);
  if (typeof converted === "string") return { files, refused: converted, leavesFolder: state.leavesFolder };
  return {
    files,
    leavesFolder: state.leavesFolder,
    ...(converted && { conversion: { ...converted, notes: notes.toSorted(byPlace) } }),
  };
}

const byPlace = (a: Note, b: Note): number =>
  a.sourcePath === b.sourcePath ? (a.line ?? 0) - (b.line ?? 0) : a.sourcePath < b.sourcePath ? -1 : 1;

type Result = Omit<Conversion, "notes">;

interface Progress {
  /** Whether settings name files outside of the folder. */
  leavesFolder: boolean;
  /** The number of entries of the old navigation that are lost; each has a note. */
  lostEntries: number;
  /** Files and folders that have a note, except for notes about unlisted pages. */
  readonly named: Set<string>;
  /** The files of the settings. */
  readonly settings: Set<string>;
}

async function convertFiles(
  files: SiteFiles,
  start: string,
  names: SiteNames,
  note: AddNote,
  state: Progress,
): Promise<Result | string | undefined> {
  if (files.has("mint.json") && !files.has("docs.json")) return convertMint(files, names.name, names.fallback, note);
  const detected = toolOf(files, start);
  if (detected === undefined || typeof detected === "string") return detected;
  const { tool, base } = detected;
  const values = new Map<string, unknown>();
  const context: ToolContext = {
    files,
    base,
    start,
    note,
    alias: aliasesOf(files, base),
    path(folder, written) {
      // A path that the settings have resolved begins at the top of the files.
      const fromTop = /^\/repository(?:\/(.*))?$/.exec(written);
      if (fromTop !== null) return joinPath("", fromTop[1] ?? "");
      if (climbs(folder, written)) state.leavesFolder = true;
      return joinPath(folder, written);
    },
    async evaluate(sourcePaths) {
      // All languages and versions of a site may have the same settings.
      if (sourcePaths.every((path) => values.has(path))) return values;
      const leavesFolder = () => (state.leavesFolder = true);
      for (const path of sourcePaths) state.settings.add(path);
      for (const [path, result] of await evaluateSettings(files, sourcePaths, leavesFolder, (names) =>
        noteUnknown(names, sourcePaths, files, note),
      )) {
        values.set(path, "value" in result ? result.value : undefined);
        if ("error" in result)
          note(
            path,
            "settings",
            `The settings cannot be evaluated: ${result.error}. Correct it, or write name and navigation in docs.json.`,
          );
      }
      return values;
    },
  };
  const project = await tool.read(context);
  for (const path of [...(project.look?.files ?? []), ...(project.navigationFiles ?? [])]) state.settings.add(path);
  if (project.pages.length === 0)
    note(
      base || ".",
      "page",
      `${tool.name} has settings here, but no pages were found. Name the folder that holds both.`,
    );
  if (tool === markdown) noteUnreadNavigation(files, start, project, note);
  for (const folder of noteOtherSites(tool, project, context)) state.named.add(folder);
  const alias = withAliases(project.look?.data, context);
  const result = convertProject(tool, project, { ...context, alias }, names, state);
  noteInvalidData(files, note);
  return result;
}

function convertProject(
  tool: Tool,
  project: Project,
  toolContext: ToolContext,
  names: SiteNames,
  state: Readonly<Progress>,
): Result {
  const { files, note } = toolContext;
  const { assetFolders, generated, url, basePath = /^https?:\/\/[^/]+(\/.+?)\/?$/.exec(url ?? "")?.[1] } = project;
  const facts = navFacts(project.tabs);
  const labels = new Map([...facts].flatMap(([source, { label }]) => (label === undefined ? [] : [[source, label]])));
  const pages = project.pages.map((page): ProjectPage => {
    const { label = page.label, icon, tag } = facts.get(page.source) ?? {};
    return { ...page, label, head: withoutUndefined({ icon, tag, ...page.head }) };
  });
  noteUnlisted(project, new Set(facts.keys()), note);
  const titleOf = new Map<string, string>();
  const uses: StubUses = new Map();
  const comparison = createComparison();
  const name = names.name ?? project.name ?? names.fallback;
  const newFiles = new Map<string, string | { readonly copy: string }>();
  const origins = new Map<string, PageOrigin>();
  const allPages = [...pages, ...indexPages(project.tabs)];
  const pathOf = newPaths(allPages, note);
  const copy = (source: string): string => {
    const folder = assetFolders.find((candidate) => source.startsWith(`${candidate}/`));
    const path = portable(folder ? source.slice(folder.length + 1) : source);
    const target = publishedFile.test(path) ? path : `${path}.txt`;
    newFiles.set(target, { copy: source });
    return target;
  };
  for (const source of project.files ?? []) copy(source);
  const resolveLink = createResolver({ ...project, ...toolContext, basePath, pages: allPages }, { pathOf, copy });

  const iconOf = iconReader(note);
  const included = new Set<string>();
  const include = includer(files, included);
  const tagged: string[] = [];
  const unshown = unshownFields();
  const lists = new Set<string>();
  const broken = brokenLinks(generated);
  for (const page of pages) {
    const { source } = page;
    const reported = new Set<string>();
    /** Texts that the notes about this page quote. */
    const quoted = new Set<string>();
    const report: PageContext["report"] = (kind, what, line) => {
      reported.add(kind);
      for (const [, text = ""] of what.matchAll(/"([^"]{1,300})"/g)) quoted.add(text);
      note(source, kind, what, line);
    };
    const reportOnce: PageContext["report"] = (kind, ...rest) => reported.has(kind) || report(kind, ...rest);
    if (files.sizeOf(source) > maxPageBytes) {
      report("size", "The page is larger than 4 MB, so it is left out.");
      continue;
    }
    const { data: written, body, bodyLine, fault } = splitPage(textWithLineFeeds(files, source));
    const data: Data = { ...page.head, ...exportedHead(body), ...written };
    if (taxonomies.some((key) => [written[key]].flat().some((name) => asText(name) !== undefined))) tagged.push(source);
    unshown.add(source, data);
    if (fault) report("front matter", `The front matter cannot be read: ${fault}.`, 1);
    const { variables, slugs = tool.slugs, isMarkdown = tool.isMarkdown } = project;
    const context: PageContext = {
      ...toolContext,
      page,
      report,
      reportOnce,
      frontmatter: data,
      lists,
      include,
      variables,
    };
    const visible = visibleTwoslash(
      tool.convert(isMarkdown(page) ? joinCodeSpans(linesOf(body, bodyLine)) : linesOf(body, bodyLine), context),
    );
    const plain = isMarkdown(page)
      ? withoutPrograms(visible, (name, line) => report(name, programAdvice(name), line))
      : visible;
    const fenced = isMarkdown(page) ? fenceIndented(plain) : visible;
    const withEmoji = (when: Tool["emoji"], text: PageText) => (tool.emoji === when ? emojiNames(text, context) : text);
    const converted = withEmoji(
      "after anchors",
      keepAnchors(themedPictures(quotedAlerts(withEmoji("before anchors", fenced))), slugs),
    );
    reportLeftovers(converted, report, quoted);
    const escaped = isMarkdown(page) ? escapeMarkdown(converted) : mdxComments(converted);
    const lines = stubComponents(escaped, context, uses);
    // Other tools have fields with these names that mean something else.
    const fields: Data = tool.frontmatter?.(data) ?? data;
    const frontmatter: Data = {
      ...fields,
      icon: iconOf(asText(fields["icon"]), source),
      searchable: fields["searchable"] ?? (isUnsearched(data) ? false : undefined),
      tag: fields["tag"] === written["tag"] ? page.head?.["tag"] : fields["tag"],
      url: page.head?.["url"],
      mode: undefined,
    };
    const { title, sidebarTitle, rest, repeated } = takeTitle(lines, frontmatter, page, name);
    if (repeated !== undefined)
      report("hint", "The heading repeats the title, which the page already shows; the heading is removed.", repeated);
    const linked = rewriteLinks(rest, source, resolveLink, (href, line) => broken.add(href, source, line));
    const path = `${pathOf.get(source)!}.mdx`;
    const printed = printPage(widenFences(linked), { ...frontmatter, title, sidebarTitle });
    titleOf.set(source, sidebarTitle ?? title);
    comparison.addPage(countPage(body), countPage(printed.text), rest.length < lines.length, report);
    newFiles.set(path, printed.text);
    origins.set(path, { source, lines: printed.lines });
  }
  broken.report(note);
  unshown.report(note);
  noteUnread(files, toolContext.base, project, included, state.named, note);
  const tags = `Tags and categories are not converted (${tagged.length === 1 ? "1 page" : `${tagged.length} pages`}); for the search, write them as keywords.`;
  if (tagged[0] !== undefined) note(tagged[0], "tags", tags, 1);
  const favicon = fileIn(files, assetFolders, favicons);
  const hostFolders = [toolContext.base, ...assetFolders];
  const redirects = [
    ...hostRedirects(files, hostFolders, basePath ?? "", note, project.hostRules),
    ...(project.redirects ?? []),
  ];
  const config = docsJson(
    {
      ...project,
      settings: { favicon: favicon && `/${copy(favicon)}`, ...withLook(project, toolContext) },
      name,
      redirects,
    },
    { pathOf, titleOf, labelOf: labels, resolve: (href) => resolveLink(href, ""), copy, lists, iconOf },
    note,
  );
  for (const [path, text] of [...config.pages, ...stubFiles(uses)]) if (!newFiles.has(path)) newFiles.set(path, text);
  newFiles.set("docs.json", config.text);
  return {
    tool: tool.name,
    name,
    url: /^https?:\/\//.test(url ?? "") ? url : undefined,
    pageCount: pages.length,
    files: newFiles,
    origins,
    comparison: comparison.rows(pages.length, origins.size, config.entryCount + state.lostEntries, config.entryCount),
  };
}

/** Where sites have the icon that their settings need not name. */
const favicons = "favicon.svg favicon.png favicon.ico favicons/favicon.ico img/favicon.ico images/favicon.ico".split(
  " ",
);

const taxonomies = ["tags", "tag", "categories", "category"];

const programAdvice = (name: string): string =>
  `The page has a <${name}> of the old site, which is left out; if it is still needed, write it into a ${name === "style" ? ".css" : ".js"} file of the new folder.`;

const textWithLineFeeds = (files: SiteFiles, path: string): string => files.readText(path).replaceAll("\r\n", "\n");

/** Reads a file that a page includes, by its path from the page or from the project. */
const includer =
  (files: SiteFiles, included: Set<string>): PageContext["include"] =>
  (path, from) => {
    const source = [joinPath(folderOf(from), path), joinPath("", path)].find((candidate) => files.has(candidate));
    if (source === undefined || files.sizeOf(source) > maxPageBytes) return undefined;
    included.add(source);
    const text = textWithLineFeeds(files, source);
    return isPage(source) ? splitPage(text).body : text;
  };
