import { nameOf } from "../../lib/url/index.js";
import { withoutNumber } from "../../site/config/index.js";
import type { Tool } from "../project.js";
import { addressOf, folderEntries, headOf, isPage, isTrue, numberOf, packageName, pagesBelow } from "./shared.js";

/** Notes for the people who work on the files. */
const notPages = /^(?:AGENTS|CLAUDE|GEMINI|LICENSE|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY)\.mdx?$/i;

/** A folder of Markdown: the navigation is that of its folders. */
export const markdown: Tool = {
  name: "Markdown",
  detect: (files) => (files.paths.some(isPage) ? "" : undefined),
  read({ files }) {
    const candidates = pagesBelow(files, "", (path) => addressOf(path).split("/").map(withoutNumber).join("/")).filter(
      ({ source }) => !notPages.test(nameOf(source)),
    );
    const isNamed = (source: string, name: string): boolean =>
      nameOf(source)
        .replace(/\.mdx?$/i, "")
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
      name: packageName(files),
      settings: {},
      pages,
      tabs: [{ label: "", entries: folderEntries(listed, "", factsOf) }],
      assetFolders: ["public", "static"],
    };
  },
  convert: (text) => text,
  isMarkdown: ({ source }) => /\.md$/i.test(source),
};
