import { joinPath } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { mapText, type PageText } from "../page-text.js";
import type { ProjectPage, Tool } from "../project.js";
import { githubSlugs } from "../steps/anchors.js";
import { calloutTags, colonBlocks, fenceInfos } from "../steps/blocks.js";
import { mdxImports } from "../steps/imports.js";
import { wikiLinks } from "../steps/wiki-links.js";
import { inLanguage } from "./mkdocs-settings.js";
import { folderEntries, withoutOrder } from "./navigation.js";
import {
  addressOf,
  hasPages,
  headOf,
  inside,
  isForWriters,
  isPage,
  isTrue,
  numberOf,
  packageName,
  pagesBelow,
  relativeTo,
} from "./shared.js";

const isMdx = ({ source }: ProjectPage): boolean => /\.mdx$/i.test(source);

/** `app/guide/page.mdx`, as Next.js names a page, is `app/guide.mdx`. */
const pathOf = (path: string): string =>
  /(?:^|\/)app\//.test(path)
    ? path.replace(/((?:^|\/)app\/)page(?=\.mdx?$)/, "$1index").replace(/\/page(?=\.mdx?$)/, "")
    : path;

/** The folder that links from the top, such as `/guide/install`, begin in: `src/pages` of a program, if that has most pages. */
function rootOf(files: SiteFiles, folder: string): string {
  const sources = files.paths.filter((path) => isPage(path) && inside(folder, path) && !isForWriters(path));
  const addresses = new Set(sources.map((path) => addressOf(pathOf(path))));
  const links: string[] = [];
  for (const path of sources)
    if (links.length < maxLinks && files.sizeOf(path) < 1_000_000)
      for (const [, link] of files.readText(path).matchAll(/\]\(\/([\w/.-]{1,200})/g)) links.push(addressOf(link!));
  let root = folder;
  let most = 0;
  let current = folder;
  let inner = sources;
  for (let level = 0; level < maxLevels; level++) {
    const count = links.filter((link) => addresses.has(joinPath(current, link))).length;
    if (count > most) [root, most] = [current, count];
    const below = Map.groupBy(inner, (path) => relativeTo(current, path).split("/")[0]!);
    const [name, paths] = [...below].find(([, each]) => each.length > sources.length / 2) ?? [];
    if (name === undefined || paths === undefined || isPage(name)) break;
    [current, inner] = [joinPath(current, name), paths];
  }
  return root;
}
const maxLinks = 10_000;
const maxLevels = 6;

/** A folder of Markdown, whose navigation is made from its folders. */
export const markdown: Tool = {
  name: "Markdown",
  detect: (files, start) => (hasPages(files, start) ? start : undefined),
  read({ files, base: folder }) {
    // Quartz publishes the notes in one folder, with hyphens for the blanks in their names.
    const quartz = joinPath(folder, "quartz.config.ts");
    const isQuartz = files.has(quartz);
    const base = isQuartz ? joinPath(folder, "content") : rootOf(files, folder);
    const inRoot = (path: string): string => (base !== folder && inside(base, path) ? base : folder);
    const candidates = pagesBelow(files, folder, (_, source) => {
      const address = addressOf(relativeTo(inRoot(source), pathOf(source)));
      return isQuartz ? address.replace(/\s/g, "-") : address.split("/").map(withoutOrder).join("/");
    }).filter(({ source }) => !isForWriters(source) && (!isQuartz || inside(base, source)));
    const isReadme = ({ source }: ProjectPage): boolean => /(?:^|\/)readme\.\w+$/i.test(source);
    // A README next to an index page is for people who read the repository.
    const others = new Set(candidates.flatMap((page) => (isReadme(page) ? [] : [page.address])));
    const pages = candidates.filter((page) => !(isReadme(page) && others.has(page.address)));
    const heads = new Map(pages.map(({ source }) => [pathOf(source), headOf(files, source)]));
    const factsOf = (path: string) => ({
      position: numberOf(heads.get(path)?.["order"] ?? heads.get(path)?.["weight"]),
    });
    const listed = pages.flatMap(({ source }) => (isTrue(heads.get(pathOf(source))?.["draft"]) ? [] : [source]));
    const entriesIn = (root: string, at: number) => {
      const sources = at > 0 && root === base ? [] : listed.filter((source) => inRoot(source) === root);
      const sourceOf = new Map(sources.map((source) => [pathOf(source), source]));
      return inLanguage(folderEntries([...sourceOf.keys()], root, factsOf), { sourceOf });
    };
    return {
      name: isQuartz
        ? /\bpageTitle:\s*"([^"\n]{1,200})"/.exec(files.readText(quartz))?.[1]
        : packageName(files, folder),
      settings: {},
      pages,
      tabs: [{ label: "", entries: [base, folder].flatMap(entriesIn) }],
      isLeftOut: isPage,
      assetFolders: ["public", "static"].map((name) => joinPath(isQuartz ? base : folder, name)),
    };
  },
  // Several programs use these callouts and titles of code; other blocks stay as text, and are reported.
  convert: (text, context) =>
    fenceInfos(
      colonBlocks(
        wikiLinks(isMdx(context.page) ? mdxImports(withoutNotes(text), context) : text, context),
        (name, rest) => calloutTags(name, rest.replace(/^\s*\[(.*)\]\s*$/, "$1")),
      ),
      (info) => info.replace(/\s\[([^\]]+)\]\s*$/, " $1"),
    ),
  isMarkdown: (page) => !isMdx(page),
  emoji: "before anchors",
  slugs: githubSlugs,
};

/** `## Install {{ className: "lead" }}`: data of the package `mdx-annotations`, which readers do not see. */
const withoutNotes = (text: PageText): PageText =>
  mapText(text, (part) => part.replace(/[ \t]*\{\{[ \t]*[\w-]{1,40}:[^{}\n]{1,200}\}\}[ \t]*$/, ""));
