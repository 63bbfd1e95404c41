import { joinPath, nameOf } from "../../lib/url/index.js";
import type { ProjectPage, Tool } from "../project.js";
import { githubSlugs } from "../steps/anchors.js";
import { calloutTags, colonBlocks, fenceInfos } from "../steps/blocks.js";
import { mdxImports } from "../steps/imports.js";
import { wikiLinks } from "../steps/wiki-links.js";
import { folderEntries, withoutNumber } from "./navigation.js";
import {
  addressOf,
  headOf,
  inside,
  isForWriters,
  isPage,
  isTrue,
  numberOf,
  packageName,
  pagesBelow,
} from "./shared.js";

const isMdx = ({ source }: ProjectPage): boolean => /\.mdx$/i.test(source);

/** A folder of Markdown, whose navigation is made from its folders. */
export const markdown: Tool = {
  name: "Markdown",
  detect: (files, start) => (files.paths.some((path) => isPage(path) && inside(start, path)) ? start : undefined),
  read({ files, base: folder }) {
    // Quartz publishes the notes in one folder, with hyphens for the blanks in their names.
    const quartz = joinPath(folder, "quartz.config.ts");
    const isQuartz = files.has(quartz);
    const base = isQuartz ? joinPath(folder, "content") : folder;
    const candidates = pagesBelow(files, base, (path) =>
      isQuartz ? addressOf(path).replace(/\s/g, "-") : addressOf(path).split("/").map(withoutNumber).join("/"),
    ).filter(({ source }) => !isForWriters(source));
    const isNamed = (source: string, name: string): boolean =>
      nameOf(source)
        .replace(/\.\w+$/, "")
        .toLowerCase() === name;
    const indexes = new Set(candidates.flatMap(({ source, address }) => (isNamed(source, "index") ? [address] : [])));
    // A README next to an index page is for people who read the repository.
    const pages = candidates.filter(({ source, address }) => !(isNamed(source, "readme") && indexes.has(address)));
    const heads = new Map(pages.map(({ source }) => [source, headOf(files, source)]));
    const factsOf = (path: string) => ({
      position: numberOf(heads.get(path)?.["order"] ?? heads.get(path)?.["weight"]),
    });
    const listed = pages.flatMap(({ source }) => (isTrue(heads.get(source)?.["draft"]) ? [] : [source]));
    return {
      name: isQuartz ? /\bpageTitle:\s*"([^"\n]{1,200})"/.exec(files.readText(quartz))?.[1] : packageName(files, base),
      settings: {},
      pages,
      tabs: [{ label: "", entries: folderEntries(listed, base, factsOf) }],
      isLeftOut: isPage,
      assetFolders: ["public", "static"].map((name) => joinPath(base, name)),
    };
  },
  // Several programs use these callouts and titles of code; other blocks stay as text, and are reported.
  convert: (text, context) =>
    fenceInfos(
      colonBlocks(wikiLinks(isMdx(context.page) ? mdxImports(text, context) : text, context), (name, rest) =>
        calloutTags(name, rest.replace(/^\s*\[(.*)\]\s*$/, "$1")),
      ),
      (info) => info.replace(/\s\[([^\]]+)\]\s*$/, " $1"),
    ),
  isMarkdown: (page) => !isMdx(page),
  slugs: githubSlugs,
};
