import { nameOf } from "../../lib/url/index.js";
import type { Tool } from "../project.js";
import { withoutNumber } from "./folder-navigation.js";
import { folderEntries, headOf, isPage, isTrue, numberOf, packageName, pagesBelow } from "./shared.js";

/** Notes for the people who work on the files. */
const notPages = /^(?:AGENTS|CLAUDE|GEMINI|LICENSE|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY)\.mdx?$/i;

/** A folder of Markdown: the navigation is that of its folders. */
export const markdown: Tool = {
  name: "Markdown",
  detect: (files) => (files.paths.some(isPage) ? "" : undefined),
  read({ files }) {
    const all = pagesBelow(files, "", (path) =>
      path
        .replace(/\.mdx?$/i, "")
        .replace(/(^|\/)(?:index|readme)$/i, "")
        .split("/")
        .map(withoutNumber)
        .join("/"),
    );
    const found = all.filter(({ source }) => !notPages.test(nameOf(source)));
    // A README next to an index page is for those who read the repository.
    const indexes = new Set(
      found.filter(({ source }) => /(?:^|\/)index\.mdx?$/i.test(source)).map(({ address }) => address),
    );
    const pages = found.filter(
      ({ source, address }) => !(/(?:^|\/)readme\.mdx?$/i.test(source) && indexes.has(address)),
    );
    const heads = new Map(pages.map(({ source }) => [source, headOf(files, source)]));
    const factsOf = (path: string) => ({
      position: numberOf(heads.get(path)?.["order"] ?? heads.get(path)?.["weight"]),
    });
    const listed = pages.filter(({ source }) => !isTrue(heads.get(source)?.["draft"]));
    return {
      name: packageName(files),
      settings: {},
      pages,
      tabs: [
        {
          label: "",
          entries: folderEntries(
            listed.map(({ source }) => source),
            factsOf,
            "",
          ),
        },
      ],
      assetFolders: ["public", "static"],
    };
  },
  convert: (text) => text,
  isMarkdown: ({ source }) => /\.md$/i.test(source),
};
