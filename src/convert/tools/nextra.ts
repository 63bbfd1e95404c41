import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asList, asText, type Data, isData, valueAt } from "../data.js";
import { foldersOf } from "../links.js";
import type { PageText } from "../page-text.js";
import type { NavEntry, NavTab, PageContext, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { evaluateSettings } from "../settings/evaluate.js";
import { bracketAnchors, githubSlugs } from "../steps/anchors.js";
import { fenceInfos, plainOptions } from "../steps/blocks.js";
import { mdxImports } from "../steps/imports.js";
import { mdxElements } from "../steps/mdx-elements.js";
import { groupsOf, readableName, type Separator } from "./navigation.js";
import {
  addressOf,
  dataFile,
  findFile,
  hasPages,
  headOf,
  inside,
  isPage,
  isUnreadable,
  languageTab,
  noteMissing,
  notePrograms,
  packageName,
  relativeTo,
} from "./shared.js";

/** The folder of a package.json that depends on a package. */
export function folderWithPackage(files: SiteFiles, start: string, name: RegExp): string | undefined {
  const folders = files.paths
    .filter(
      (path) =>
        inside(start, path) &&
        nameOf(path) === "package.json" &&
        !/(?:^|\/)(?:node_modules|examples?|templates?)\//.test(relativeTo(start, path)),
    )
    .filter((path) =>
      ["dependencies", "devDependencies"].some((kind) =>
        Object.keys(asData(dataFile(files, path)[kind])).some((dependency) => name.test(dependency)),
      ),
    )
    .map(folderOf)
    .filter((folder) => contentFolders.some((content) => hasPages(files, joinPath(folder, content))));
  return folders.toSorted((a, b) => a.length - b.length)[0];
}

const contentFolders = ["content", "src/content", "app", "src/app", "pages", "src/pages"];

export const nextra: Tool = {
  name: "Nextra",
  detect: (files, start) => folderWithPackage(files, start, /^nextra(?:-theme-docs)?$/) ?? metaFolder(files, start),
  read,
  convert: (text, context) =>
    mdxPage(text, context, (info) => plainOptions(info).replace(/\bshowLineNumbers\b/g, "lines")),
  isMarkdown: ({ source }) => source.endsWith(".md"),
  slugs: githubSlugs,
};

/** Converts a page of a Next.js site. @param fenceInfo converts the text after the fence of a code block */
export const mdxPage = (text: PageText, context: PageContext, fenceInfo: (info: string) => string): PageText =>
  mdxElements(fenceInfos(bracketAnchors(mdxImports(text, context)), fenceInfo), context);

const meta = /(?:^|\/)_meta(?:\.global|\.[a-z]{2}(?:-[A-Z]{2})?)?\.(?:[jt]sx?|json)$/;

/** Without package.json: the folder above the pages with `_meta` files. */
function metaFolder(files: SiteFiles, start: string): string | undefined {
  const path = findFile(files, meta, start);
  return path === undefined ? undefined : /^(.*?)(?:^|\/)(?:src\/)?(?:content|app|pages)\//.exec(path)?.[1];
}

/** Pages by their path in `_meta` files. */
interface Tree {
  readonly context: ToolContext;
  /** Source by path: `guide/start`. */
  readonly pages: ReadonlyMap<string, string>;
  /** Paths of folders. */
  readonly folders: ReadonlySet<string>;
  /** Settings of a folder by its path, and the file that they are in. */
  readonly metas: ReadonlyMap<string, { readonly value: Data; readonly file: string }>;
}

async function read(context: ToolContext): Promise<Project> {
  const { files, base } = context;
  const roots = contentFolders
    .map((name) => joinPath(base, name))
    .filter((root) => files.paths.some((path) => inside(root, path) && (isPage(path) || meta.test(path))));
  const next = await nextSettings(context);
  const locales = asList(valueAt(next, "i18n.locales")).flatMap((code) => asText(code) ?? []);
  const mainLocale = asText(valueAt(next, "i18n.defaultLocale")) ?? locales[0] ?? "en";
  const localeOf = (path: string): string | undefined =>
    locales.find((code) => path.replace(/\.\w+$/, "").endsWith(`.${code}`));
  const hasSuffixes = files.paths.some(
    (path) => localeOf(path) !== undefined && isPage(path) && roots.some((root) => inside(root, path)),
  );
  /** Nextra 2 writes the language after the name, `guide.fr.mdx`. Such a page gets a place in the folder of its language. */
  const placeOf = (path: string, folder: string): string =>
    hasSuffixes ? joinPath(localeOf(path) ?? mainLocale, folder) : folder;
  const metaFiles = files.paths.filter((path) => meta.test(path) && roots.some((root) => inside(root, path)));
  const values = await context.evaluate(metaFiles);
  const sources = new Map<string, string>();
  const metas = new Map<string, { value: Data; file: string }>();
  const folders = new Set<string>();
  const pages: ProjectPage[] = [];
  for (const root of roots) {
    const isApp = /(?:^|\/)app$/.test(root);
    for (const source of files.paths.filter(
      (path) => inside(root, path) && isPage(path) && !/(?:^|\/)_/.test(relativeTo(root, path)),
    )) {
      const path = relativeTo(root, source);
      if (isApp && !/^page\.mdx?$/.test(nameOf(path))) continue;
      const stem = isApp ? folderOf(path) : path.replace(/\.mdx?$/, "");
      const suffix = hasSuffixes ? localeOf(path) : undefined;
      const plain = placeOf(path, withoutGroups(suffix === undefined ? stem : stem.slice(0, -suffix.length - 1)));
      if (/\[/.test(plain)) {
        context.note(source, "page", "A program makes pages from this file; write each of them as a file.");
        continue;
      }
      sources.set(plain, source);
      const isMain = hasSuffixes && inside(mainLocale, plain);
      pages.push({ source, address: addressOf(isMain ? relativeTo(mainLocale, plain) : plain) });
      for (const folder of foldersOf(plain)) folders.add(folder);
    }
  }
  for (const name of contentFolders)
    if (/app$/.test(name)) notePrograms(context, joinPath(base, name), /(?:^|\/)page\.[jt]sx?$/);
    else if (/pages$/.test(name)) notePrograms(context, joinPath(base, name), /^(?!api\/).*\.[jt]sx$/);
  for (const file of metaFiles) {
    const root = roots.find((candidate) => inside(candidate, file))!;
    if (values.get(file) !== undefined)
      metas.set(placeOf(file, withoutGroups(folderOf(relativeTo(root, file)))), {
        value: asData(values.get(file)),
        file,
      });
  }
  const tree: Tree = { context, pages: sources, folders, metas };
  const codes = hasSuffixes ? locales : topFolders(folders).filter((name) => /^[a-z]{2}(?:-[A-Z]{2})?$/.test(name));
  const isTranslated = codes.length > 1 && (hasSuffixes || codes.length === topFolders(folders).length);
  const tabs = isTranslated
    ? codes
        .toSorted((a, b) => Number(b === mainLocale) - Number(a === mainLocale))
        .map((code) => languageTab(code, tabsOf(tree, code)))
    : tabsOf(tree, "");
  return {
    name: packageName(files, base),
    settings: {},
    look: { files: lookFiles(context) },
    pages,
    tabs,
    languages: hasSuffixes
      ? ["", ...locales.filter((code) => code !== mainLocale).map((code) => `${code}/`)]
      : undefined,
    hostRules: next["redirects"],
    isLeftOut: (path) => /(?:^|\/)app\//.test(path),
    assetFolders: [joinPath(base, "public")],
  };
}

/** The settings of Next.js, in which `redirects` is the list that the function of this name returns. */
export async function nextSettings({ files, base, note }: ToolContext): Promise<Data> {
  const path = ["js", "mjs", "cjs", "ts", "mts"]
    .map((extension) => joinPath(base, `next.config.${extension}`))
    .find((candidate) => files.has(candidate));
  const result = path === undefined ? undefined : (await evaluateSettings(files, [path], () => {})).get(path);
  const what = "are not converted; copy the first to redirects in docs.json.";
  if (result !== undefined && "error" in result)
    note(
      path!,
      "setting",
      `The settings cannot be evaluated: ${result.error}. Redirects and languages in them ${what}`,
    );
  return result !== undefined && "value" in result ? asData(result.value) : {};
}

/** The scripts that set what Nextra and Fumadocs show around pages. */
export const lookFiles = ({ files, base }: ToolContext): string[] =>
  files.paths.filter(
    (path) =>
      inside(base, path) &&
      /^(?:(?:next|theme)\.config|(?:(?:src|app|lib)\/)*(?:[[(][^/]+\/|docs\/)*layout(?:\.(?:config|shared))?)\.[cm]?[jt]sx?$/.test(
        relativeTo(base, path),
      ),
  );

export const withoutGroups = (path: string): string =>
  path
    .split("/")
    .filter((name) => !/^\(.*\)$/.test(name) && name !== "")
    .join("/");
const topFolders = (folders: ReadonlySet<string>): string[] => [...folders].filter((folder) => !folder.includes("/"));

const isHidden = (item: unknown): boolean => valueAt(item, "display") === "hidden";

/** Items of the top folder become tabs if their type is `page`. */
function tabsOf(tree: Tree, folder: string): NavTab[] {
  const { value = {}, file = "" } = tree.metas.get(folder) ?? {};
  const tabs: NavTab[] = [];
  const rest: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    const path = joinPath(folder, key);
    const type = asText(valueAt(item, "type"));
    // A hidden item is in no navigation, nor are the pages below it.
    if (type === "page" && isHidden(item)) continue;
    if (type === "page" && (tree.folders.has(path) || isData(valueAt(item, "items")))) {
      const entries = entriesOf(tree, path, valueAt(item, "items"), file, 1);
      tabs.push({ label: asText(valueAt(item, "title")) ?? readableName(key), entries });
    } else rest.push(key);
  }
  if (tabs.length === 0) return [{ label: "", entries: entriesOf(tree, folder, undefined, file, 0) }];
  const taken = new Set(Object.keys(value).filter((key) => !rest.includes(key)));
  const others = entriesOf(tree, folder, undefined, file, 0, taken);
  return others.length === 0 ? tabs : [...tabs, { label: "More", entries: others }];
}

/** The names of the pages and folders in a folder. */
export const namesIn = ({ pages, folders }: Pick<Tree, "pages" | "folders">, folder: string): string[] => [
  ...new Set([...pages.keys(), ...folders].filter((path) => path !== "" && folderOf(path) === folder).map(nameOf)),
];

/** Sorts `index` before the other names. */
export const compareNames = (a: string, b: string): number =>
  Number(b === "index") - Number(a === "index") || (a < b ? -1 : 1);

/** @param items the settings of the folder, if the file of a parent folder contains them */
function entriesOf(
  tree: Tree,
  folder: string,
  items: unknown,
  above: string,
  depth: number,
  taken: ReadonlySet<string> = new Set(),
): NavEntry[] {
  const folderMeta = tree.metas.get(folder);
  const file = folderMeta?.file ?? above;
  if (isUnreadable(items ?? folderMeta?.value, depth, file, tree.context)) return [];
  const settings = isData(items) ? items : (folderMeta?.value ?? {});
  const names = namesIn(tree, folder);
  const home = tree.pages.get(folder);
  // In `app`, the page of a folder is listed as its index.
  if (home !== undefined && !names.includes("index") && (folder !== "" || !tree.pages.has("index")))
    names.push("index");
  const listed = Object.keys(settings);
  const order = [...listed, ...names.filter((name) => !listed.includes(name) && !taken.has(name)).sort(compareNames)];
  return groupsOf(
    order
      .filter((name) => !taken.has(name) && name !== "*")
      .flatMap((name): (NavEntry | Separator)[] => {
        const item = settings[name];
        if (isUnreadable(item, depth, file, tree.context) || isHidden(item)) return [];
        const label = asText(item) ?? asText(valueAt(item, "title"));
        if (asText(valueAt(item, "type")) === "separator") return [{ separator: label ?? "" }];
        const href = asText(valueAt(item, "href"));
        if (href !== undefined) return [{ kind: "link", label: label ?? readableName(name), href }];
        if (asText(valueAt(item, "type")) === "menu")
          return Object.entries(asData(valueAt(item, "items"))).flatMap(([key, entry]): NavEntry[] => {
            const target = asText(valueAt(entry, "href"));
            return target === undefined
              ? []
              : [{ kind: "link", label: asText(valueAt(entry, "title")) ?? readableName(key), href: target }];
          });
        const path = joinPath(folder, name);
        const source = name === "index" ? (tree.pages.get(path) ?? home) : tree.pages.get(path);
        // The pages of the folder are shown in its place.
        if (tree.folders.has(path) && valueAt(item, "display") === "children")
          return entriesOf(tree, path, valueAt(item, "items"), file, depth + 1);
        if (tree.folders.has(path)) {
          const root = source ?? tree.pages.get(`${path}/index`);
          const title =
            label ??
            (root === undefined ? undefined : asText(headOf(tree.context.files, root)["title"])) ??
            readableName(name);
          return [
            {
              kind: "group",
              label: title,
              root: source,
              expanded: asText(valueAt(item, "theme.collapsed")) === "false",
              entries: entriesOf(tree, path, valueAt(item, "items"), file, depth + 1).filter(
                (entry) => !(entry.kind === "page" && entry.source === source),
              ),
            },
          ];
        }
        if (source !== undefined) return [{ kind: "page", source, label }];
        if (item !== undefined) noteMissing(path, label, file, tree.context.note);
        return [];
      }),
  );
}
