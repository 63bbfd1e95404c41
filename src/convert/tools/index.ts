import { folderOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import type { Tool } from "../project.js";
import { docsify } from "./docsify.js";
import { docusaurus } from "./docusaurus.js";
import { fumadocs } from "./fumadocs.js";
import { gitbook } from "./gitbook.js";
import { hugo } from "./hugo.js";
import { markdown } from "./markdown.js";
import { mdbook } from "./mdbook.js";
import { mkdocs } from "./mkdocs.js";
import { nextra } from "./nextra.js";
import { readme } from "./readme.js";
import { findFile } from "./shared.js";
import { starlight } from "./starlight.js";
import { vitepress } from "./vitepress.js";
import { vuepress } from "./vuepress.js";

const known: readonly Tool[] = [
  docusaurus,
  vitepress,
  vuepress,
  starlight,
  mkdocs,
  mdbook,
  nextra,
  fumadocs,
  hugo,
  gitbook,
  readme,
  docsify,
];

/** Tools whose pages are not Markdown, by the files that only they have, and what to do. */
const refused: readonly (readonly [tool: string, file: RegExp, advice: string])[] = [
  ["Antora", /(?:^|\/)(?:antora|antora-playbook)\.ya?ml$/, "Its pages are AsciiDoc: convert them with `downdoc`"],
  [
    "Sphinx",
    /(?:^|\/)(?:docs?\/(?:source\/)?|source\/)?conf\.py$/,
    "Build it as Markdown with `sphinx-build -b markdown`",
  ],
  [
    "Jekyll",
    /(?:^|\/)_config\.ya?ml$/,
    "Its pages are templates of Liquid: copy the Markdown files without `_layouts` and `_includes`",
  ],
];

/** The tool of a folder: the one whose settings are nearest to the top. A folder of Markdown is the last resort. */
export function toolOf(
  files: SiteFiles,
  start: string,
): { readonly tool: Tool; readonly base: string } | string | undefined {
  const found = known.flatMap((tool) => {
    const base = tool.detect(files, start);
    return base === undefined ? [] : [{ tool, base }];
  });
  const nearest = found.toSorted((a, b) => depthOf(a.base) - depthOf(b.base))[0];
  for (const [tool, pattern, advice] of refused) {
    const file = findFile(files, pattern, start);
    if (file !== undefined && (nearest === undefined || depthOf(folderOf(file)) < depthOf(nearest.base)))
      return `${file} belongs to ${tool}, which is not converted. ${advice}, and give the result to --from.`;
  }
  const base = markdown.detect(files, start);
  return nearest ?? (base === undefined ? undefined : { tool: markdown, base });
}

const depthOf = (folder: string): number => (folder === "" ? 0 : folder.split("/").length);
