import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import { asList, asText, type Data } from "../data.js";
import { foldersOf } from "../links.js";
import type { PageText } from "../page-text.js";
import type { NavEntry, NavTab, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { githubSlugs } from "../steps/anchors.js";
import { plainOptions } from "../steps/blocks.js";
import { groupsOf, readableName, type Separator } from "./navigation.js";
import { compareNames, folderWithPackage, lookFiles, mdxPage, namesIn, nextSettings, withoutGroups } from "./nextra.js";
import {
  dataFile,
  hasPages,
  headOf,
  inside,
  isPage,
  isTrue,
  languageTab,
  noteMissing,
  notePrograms,
  packageName,
  relativeTo,
} from "./shared.js";

export const fumadocs: Tool = {
  name: "Fumadocs",
  detect(files, start) {
    const folder = folderWithPackage(files, start, /^fumadocs-(?:core|ui|mdx)$/);
    return folder !== undefined && hasPages(files, joinPath(folder, "content")) ? folder : undefined;
  },
  read,
  convert: (text, context) =>
    mdxPage(withCommands(text), context, (info) =>
      plainOptions(info)
        .replace(/^(?:package-install|npm)(?![\w-])/, "bash")
        .replace(/\btab=/, "title=")
        .replace(/\blineNumbers(?:=\d+)?\b/g, "lines"),
    ),
  isMarkdown: ({ source }) => source.endsWith(".md"),
  slugs: githubSlugs,
};

/** Code in `package-install` may be only the names of packages, for which readers saw the command. */
function withCommands(lines: PageText): PageText {
  let isInstall = false;
  return lines.map((line) => {
    if (line.opens) isInstall = /(?:`{3,}|~{3,})[ \t]*package-install(?![\w-])/.test(line.text);
    const isNames = isInstall && line.code && /^[ \t]*(?!(?:np[mx]|yarn|pnpm|bunx?)\s)[@\w]/.test(line.text);
    return isNames ? { ...line, text: line.text.replace(/\S/, "npm install $&") } : line;
  });
}

interface Tree {
  readonly context: ToolContext;
  readonly root: string;
  /** Source by path from the root, without extension and language. */
  readonly pages: ReadonlyMap<string, string>;
  /** Folders with pages. */
  readonly folders: ReadonlySet<string>;
  /** The end of the file names of the language: `.ko`. */
  readonly suffix: string;
}

async function read(context: ToolContext): Promise<Project> {
  const { files, base } = context;
  const roots = contentRoots(context);
  const pages: ProjectPage[] = [];
  const sections = roots.map((root) => ({
    root,
    sources: files.paths.filter((path) => isPage(path) && inside(root, path)),
  }));
  const codes = new Set(
    sections.flatMap(({ sources }) => sources.flatMap((path) => languageIn(path, files.paths) ?? [])),
  );
  const tabsFor = (code: string | undefined): NavTab[] =>
    sections.flatMap(({ root, sources }): NavTab[] => {
      const paths = sources.filter((path) => languageIn(path, files.paths) === code);
      const suffix = code === undefined ? "" : `.${code}`;
      const tree: Tree = {
        ...{ context, root, suffix },
        pages: new Map(
          paths.map((path) => [
            relativeTo(root, path)
              .replace(/\.mdx?$/, "")
              .slice(0, -suffix.length || undefined),
            path,
          ]),
        ),
        folders: new Set(paths.flatMap((path) => foldersOf(relativeTo(root, path)))),
      };
      const prefix = [code, ...baseAddress(root, roots, context)].filter(Boolean).join("/");
      for (const [path, source] of tree.pages) pages.push({ source, address: joinPath(prefix, addressIn(path)) });
      return paths.length === 0 ? [] : tabsOf(tree, roots.length > 1 ? readableName(nameOf(root)) : "");
    });
  const main = tabsFor(undefined);
  const languages = [...codes].sort().map((code) => languageTab(code, tabsFor(code)));
  for (const app of [joinPath(base, "app"), joinPath(base, "src/app")]) {
    notePrograms(context, app, /(?:^|\/)page\.[jt]sx?$/);
    for (const source of files.paths)
      if (inside(app, source) && /^page\.mdx?$/.test(nameOf(source)) && !source.includes("["))
        pages.push({ source, address: withoutGroups(folderOf(relativeTo(app, source))) });
  }
  return {
    name: packageName(files, base),
    settings: {},
    look: { files: lookFiles(context) },
    pages,
    tabs: languages.length === 0 ? main : [languageTab("en", main), ...languages],
    assetFolders: [joinPath(base, "public")],
    hostRules: (await nextSettings(context))["redirects"],
  };
}

/** The folders that `source.config.ts` names, each with the name of its collection in programs. */
function collectionsOf({ files, base }: ToolContext): (readonly [root: string, name: string | undefined])[] {
  const config = ["ts", "mjs", "js"]
    .map((extension) => joinPath(base, `source.config.${extension}`))
    .find((path) => files.has(path) && files.sizeOf(path) < 200_000);
  const calls = (config === undefined ? "" : files.readText(config)).split(/(?=\b\w+\s*=\s*define\w+\()/);
  return calls.flatMap((call) => {
    const dirs = [...call.matchAll(/\bdir:\s*\[?\s*["'`]([^"'`]+)["'`]/g)].map(([, dir]) => dir!);
    const isDefault = dirs.length === 0 && /\bdefineDocs\(/.test(call);
    return [...dirs, ...(isDefault ? ["content/docs"] : [])].map(
      (dir) => [joinPath(base, dir), /^\w+/.exec(call)?.[0]] as const,
    );
  });
}

/** The folders of the collections, and those in `content` with pages. A folder with `_` has parts that pages include. */
function contentRoots(context: ToolContext): string[] {
  const { files, base } = context;
  const written = collectionsOf(context).map(([root]) => root);
  const content = joinPath(base, "content");
  const contentFolders = new Set(
    files.paths.flatMap((path) =>
      isPage(path) && inside(content, path)
        ? [
            relativeTo(content, path).includes("/")
              ? joinPath(content, relativeTo(content, path).split("/")[0]!)
              : content,
          ]
        : [],
    ),
  );
  const unwritten = [...contentFolders].filter(
    (root) => !nameOf(root).startsWith("_") && !written.some((other) => hasPages(files, other) && inside(root, other)),
  );
  const roots = [...new Set([...written, ...unwritten])].filter((root) => hasPages(files, root));
  return roots.filter((root) => !roots.some((other) => other !== root && inside(other, root)));
}

/** `content/docs` is at the address `docs`, or at the base that the loader names. */
function baseAddress(root: string, roots: readonly string[], context: ToolContext): string[] {
  const { files, base } = context;
  const name = nameOf(root);
  const loaders = files.paths.filter(
    (path) =>
      inside(base, path) &&
      /(?:^|\/)(?:lib\/[\w/-]+|source(?:\/index)?)\.[jt]sx?$/.test(relativeTo(base, path)) &&
      files.sizeOf(path) < 200_000,
  );
  const written = loaders.flatMap((path) => {
    const text = files.readText(path);
    const calls = text.matchAll(/\bbaseUrl:\s*["'`]\/?([^"'`]*)["'`](?:[^{}]{0,200}?\bsource:\s*(\w+))?/g);
    return [...calls].map(([, url = "", name]) => {
      const alias = name === undefined ? undefined : new RegExp(`(\\w+) as ${name}\\b`).exec(text)?.[1];
      return { url, collection: alias ?? name };
    });
  });
  const bases = written.map(({ url }) => url);
  const rootCollection = collectionsOf(context).find(([folder]) => folder === root)?.[1];
  const loader = written.find(({ collection }) => collection !== undefined && collection === rootCollection);
  if (loader !== undefined) return [loader.url];
  if (bases.includes(name)) return [name];
  return roots.length === 1 && bases.length > 0 ? [bases[0]!] : name === "content" ? [] : [name];
}

/** The language of `page.ko.mdx` next to `page.mdx`. */
function languageIn(path: string, paths: readonly string[]): string | undefined {
  const [, stem, code] = /^(.*)\.([a-z]{2}(?:-[A-Za-z]{2,4})?)\.mdx?$/.exec(path) ?? [];
  return stem !== undefined && [`${stem}.mdx`, `${stem}.md`].some((candidate) => paths.includes(candidate))
    ? code
    : undefined;
}

/** Folders in parentheses are not part of addresses. */
const addressIn = (path: string): string => withoutGroups(path).replace(/(?:^|\/)index$/, "");

const metaOf = ({ context: { files }, root, suffix }: Tree, folder: string): { value: Data; file: string } => {
  const candidates = [`meta${suffix}.json`, "meta.json"].map((name) => joinPath(joinPath(root, folder), name));
  const file = candidates.find((path) => files.has(path)) ?? candidates[1]!;
  return { value: dataFile(files, file), file };
};

/** Top-level folders whose meta file says `root: true` are tabs. */
function tabsOf(tree: Tree, label: string): NavTab[] {
  const { value } = metaOf(tree, "");
  const top = [...tree.folders].filter((folder) => !folder.includes("/"));
  const isRoot = (folder: string): boolean => isTrue(metaOf(tree, folder).value["root"]);
  const listed = asList(value["pages"]).flatMap((name) =>
    typeof name === "string" && top.includes(name) ? [name] : [],
  );
  const roots = [...new Set([...listed, ...top.toSorted()])].filter(isRoot);
  if (roots.length === 0) return [{ label: label || (asText(value["title"]) ?? ""), entries: entriesOf(tree, "", 0) }];
  const tabs = roots.map(
    (folder): NavTab => ({
      label: asText(metaOf(tree, folder).value["title"]) ?? readableName(folder.replace(/[()]/g, "")),
      icon: asText(metaOf(tree, folder).value["icon"]),
      entries: entriesOf(tree, folder, 1),
    }),
  );
  const rest = entriesOf(tree, "", 0, new Set(roots));
  return rest.length === 0 ? tabs : [...tabs, { label: label || "More", entries: rest }];
}

function entriesOf(tree: Tree, folder: string, depth: number, taken: ReadonlySet<string> = new Set()): NavEntry[] {
  if (depth > 30) return [];
  const { value, file } = metaOf(tree, folder);
  const names = namesIn(tree, folder)
    .filter((name) => !taken.has(name))
    .sort(compareNames);
  const written = value["pages"] === undefined ? ["..."] : asList(value["pages"]).flatMap((item) => asText(item) ?? []);
  const used = new Set(written.map((item) => item.replace(/^(?:\.\.\.|!)/, "").split("/")[0]!));
  const one = (name: string): NavEntry[] => {
    const path = joinPath(folder, name);
    const source = tree.pages.get(path);
    if (source !== undefined) return [{ kind: "page", source }];
    if (!tree.folders.has(path)) return [];
    const meta = metaOf(tree, path).value;
    const index = tree.pages.get(`${path}/index`);
    const inner = entriesOf(tree, path, depth + 1);
    const listsIndex = asList(meta["pages"]).includes("index");
    const title =
      asText(meta["title"]) ??
      (index === undefined ? undefined : asText(headOf(tree.context.files, index)["title"])) ??
      readableName(name.replace(/[()]/g, ""));
    return [
      {
        kind: "group",
        label: title,
        icon: asText(meta["icon"]),
        root: listsIndex ? undefined : index,
        expanded: isTrue(meta["defaultOpen"]),
        entries: inner,
      },
    ];
  };
  const items = written.flatMap((item): (NavEntry | Separator)[] => {
    const separator = /^---(?:\[[\w-]*\])?(.*?)-*$/.exec(item)?.[1];
    if (separator !== undefined) return [{ separator }];
    const [, label, href] = /^(?:external:)?(?:\[[\w-]*\])?\[([^\]]+)\]\(([^)]+)\)$/.exec(item) ?? [];
    if (label !== undefined) return [{ kind: "link", label, href: href! }];
    if (item === "..." || item === "z...a") {
      const rest = names.filter((name) => !used.has(name));
      return (item === "..." ? rest : rest.toReversed()).flatMap(one);
    }
    if (item.startsWith("!") || taken.has(item)) return [];
    if (item.startsWith("..."))
      return tree.folders.has(joinPath(folder, item.slice(3)))
        ? entriesOf(tree, joinPath(folder, item.slice(3)), depth + 1)
        : [];
    const itemEntries = one(item);
    // Pages that are not translated are in the navigation of the first language only.
    if (itemEntries.length === 0 && tree.suffix === "" && !taken.has(item.split("/")[0]!))
      noteMissing(item, undefined, file, tree.context.note);
    return itemEntries;
  });
  return groupsOf(items);
}
