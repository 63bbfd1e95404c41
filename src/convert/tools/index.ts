import { rememberedFor } from "../../lib/memo.js";
import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData } from "../data.js";
import type { Project, Tool, ToolContext } from "../project.js";
import { docsify, isDocsify } from "./docsify.js";
import { docusaurus } from "./docusaurus.js";
import { fumadocs } from "./fumadocs.js";
import { gitbook } from "./gitbook.js";
import { hugo, hugoContent, isZola } from "./hugo.js";
import { markdown } from "./markdown.js";
import { mdbook } from "./mdbook.js";
import { mkdocs } from "./mkdocs.js";
import { nextra } from "./nextra.js";
import { nuxt } from "./nuxt.js";
import { readme } from "./readme.js";
import { rspress } from "./rspress.js";
import { dataFile, findFile, inside, isPage, relativeTo } from "./shared.js";
import { starlight } from "./starlight.js";
import { vitepress } from "./vitepress.js";
import { vuepress } from "./vuepress.js";

const tools: readonly Tool[] = [
  docusaurus,
  vitepress,
  vuepress,
  rspress,
  starlight,
  mkdocs,
  mdbook,
  nextra,
  fumadocs,
  nuxt,
  hugo,
  gitbook,
  readme,
  docsify,
];

const contains =
  (pattern: RegExp) =>
  (files: SiteFiles, path: string): boolean =>
    files.sizeOf(path) < 1_000_000 && pattern.test(files.readText(path));

/** Whether more files have this name than are Markdown. */
const isMostly = (name: RegExp): ((files: SiteFiles) => boolean) =>
  rememberedFor((files: SiteFiles) => {
    const count = (pattern: RegExp): number => files.paths.filter((path) => pattern.test(path)).length;
    return count(name) > count(/\.mdx?$/);
  });

/** Tools whose sites are not converted, each recognized by a file that only it has, and what to give in `--from` instead. */
const refused: readonly (readonly [
  tool: string,
  file: RegExp,
  advice: string,
  isSite?: (files: SiteFiles, path: string) => boolean,
  /** Projects often have this file although another tool makes their documentation. */
  isCommon?: true,
])[] = [
  [
    "Antora",
    /(?:^|\/)(?:antora|antora-playbook)\.ya?ml$/,
    "Its pages are AsciiDoc: convert them with `downdoc`, and name the folder of the result",
  ],
  [
    "Sphinx",
    /(?:^|\/)(?:docs?\/(?:source\/)?|source\/)?conf\.py$/,
    "Build it as Markdown with `sphinx-build -b markdown`, and name the folder of the result",
  ],
  ["MyST", /(?:^|\/)myst\.ya?ml$/, "Build it as Markdown with `myst build --md`, and name the folder of the result"],
  [
    "Jupyter Book",
    /(?:^|\/)_toc\.ya?ml$/,
    "Build it as Markdown with `jupyter-book build --builder custom --custom-builder markdown`, and name the folder of the result",
  ],
  [
    "Writerside",
    /(?:^|\/)writerside\.cfg$/,
    "Its trees (`*.tree`) have the navigation, and its topics elements of their own: copy the Markdown topics into a folder, write the navigation in docs.json, and name the folder",
  ],
  [
    "Hexo",
    /(?:^|\/)scaffolds\/post\.md$/,
    "Its theme makes pages and navigation: write the navigation in docs.json, and name the folder `source`",
  ],
  [
    "Jekyll",
    /(?:^|\/)_config\.ya?ml$/,
    "Its pages are templates of Liquid: copy the Markdown files without `_layouts` and `_includes` into a folder, and name that",
  ],
  [
    "Eleventy",
    /(?:^|\/)(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s$/,
    "Its pages are templates, mostly of Nunjucks: copy the Markdown files without `_includes` and `_data` into a folder, and name that",
  ],
  [
    "Retype",
    /(?:^|\/)retype\.ya?ml$/,
    "Its blocks, such as `!!!` and `[!ref]`, are its own: copy the Markdown files into a folder without `retype.yml`, name that, and write the blocks that the report lists as components",
  ],
  [
    "Quarto",
    /(?:^|\/)_quarto\.ya?ml$/,
    "Its pages run code: write Markdown files with `quarto render --to gfm`, and name the folder of the result",
  ],
  [
    "Bookdown",
    /(?:^|\/)_bookdown\.ya?ml$/,
    "Its pages run code: write Markdown files with the format `bookdown::markdown_document2`, and name the folder of the result",
  ],
  [
    "Docute",
    /^(?:[^/]+\/){0,3}index\.(?:html|js)$/,
    "Its program has the navigation: copy the Markdown files into a folder, write the navigation in docs.json, and name the folder",
    contains(/\bnew Docute\(/),
  ],
  [
    "Slate",
    /(?:^|\/)source\/index\.html\.(?:md|erb)$/,
    "Its one page is put together from `source/includes` by templates: copy each part into a folder as a page of its own, and name that",
  ],
  [
    "Zola",
    /(?:^|\/)(?:config|zola)\.toml$/,
    "Its pages have front matter in TOML and shortcodes of Tera: copy the Markdown files of `content` into a folder, write the navigation in docs.json, and name the folder",
    isZola,
  ],
  [
    "Doxygen",
    /(?:^|\/)Doxyfile(?:\.in)?$/,
    "Its pages have commands such as `@ref`, and its reference comes from code: copy the Markdown files into a folder, replace the commands, and name the folder",
    (files, path) =>
      files.paths.some(
        (page) =>
          folderOf(page) === folderOf(path) &&
          isPage(page) &&
          files.sizeOf(page) < 1_000_000 &&
          /^\[TOC\]|^#.*\{#\w+\}|[@\\](?:ref|page|mainpage)\b/m.test(files.readText(page)),
      ),
    true,
  ],
  [
    "Markdoc",
    /(?:^|\/)package\.json$/,
    "Its tags, such as `{% callout %}`, are components of its program: copy the Markdown files into a folder, replace the tags, write the navigation in docs.json, and name the folder",
    contains(/"@markdoc\/[\w.-]{1,100}"\s*:/),
    true,
  ],
  [
    "Astro without Starlight",
    /(?:^|\/)astro\.config\.[cm]?[jt]s$/,
    "Its layouts make pages and navigation: copy the Markdown files of `src/content` into a folder, write the navigation in docs.json, and name the folder",
    (files, path) =>
      files.paths.some((page) =>
        ["src/content", "src/pages"].some((name) => isPage(page) && inside(joinPath(folderOf(path), name), page)),
      ),
    true,
  ],
  [
    "Docusaurus 1",
    /(?:^|\/)siteConfig\.js$/,
    "Move the site to Docusaurus 2 with `npx @docusaurus/migrate migrate`, and name the folder of the result",
    (files, path) => /"docusaurus"/.test(JSON.stringify(dataFile(files, joinPath(folderOf(path), "package.json")))),
  ],
  [
    "Gatsby",
    /(?:^|\/)gatsby-config\.[cm]?[jt]s$/,
    "Its programs make pages and navigation: write the navigation in docs.json, and name the folder of the Markdown files alone",
  ],
  [
    "AsciiDoc",
    /\.(?:adoc|asciidoc)$/,
    "Convert its pages with `downdoc`, and name the folder of the result",
    isMostly(/\.(?:adoc|asciidoc)$/),
    true,
  ],
  [
    "reStructuredText",
    /\.rst$/,
    "Convert its pages with `pandoc -t gfm`, and name the folder of the result",
    isMostly(/\.rst$/),
    true,
  ],
];

const siteSettings =
  /(?:^|\/)(?:(?:docusaurus|astro|nuxt)\.config\.[cm]?[jt]s|hugo\.(?:toml|ya?ml)|Doxyfile(?:\.in)?|mkdocs\.ya?ml|book\.toml|(?:redocly|sidebars)\.ya?ml|\.(?:vitepress|vuepress)\/config\.\w+)$/;
/** Packages that make sites of documentation whose settings have other names. */
const generators = /^(?:@rspress\/core|rspress|vocs|docus|dumi|docz|honkit|nextra|fumadocs-mdx)$/;
const samples = /(?:^|\/)(?:examples?|templates?|starters?|playgrounds?|tests?|__tests__|(?:__)?fixtures(?:__)?)\//;

/**
 * Adds notes for the other sites in the repository, and for the settings of a site that is converted as a folder of Markdown.
 *
 * @returns the folders of the sites
 */
export function noteOtherSites(tool: Tool, { pages }: Project, { files, start, base, note }: ToolContext): string[] {
  const folders: string[] = [];
  const isSettings = (path: string): boolean =>
    siteSettings.test(path) ||
    (nameOf(path) === "package.json" &&
      ["dependencies", "devDependencies"].some((kind) =>
        Object.keys(asData(dataFile(files, path)[kind])).some((name) => generators.test(name)),
      )) ||
    isDocsify(files, path) ||
    (tool === markdown && /^(?:next|svelte)\.config\.[cm]?[jt]s$/.test(relativeTo(base, path)));
  for (const path of files.paths.filter((file) => inside(start, file) && isSettings(file) && !samples.test(file))) {
    const folder = folderOf(path).replace(/(?:^|\/)\.(?:vitepress|vuepress)$/, "");
    const count = files.paths.filter((file) => isPage(file) && inside(folder, file)).length;
    if (tool === markdown)
      note(
        path,
        "settings",
        `The site is converted as a folder of Markdown, since "${nameOf(path)}" belongs to a program that is not supported, or names no page here; write the navigation in docs.json.`,
      );
    else if (folder !== base && count > 0 && !pages.some(({ source }) => inside(folder, source))) {
      folders.push(folder);
      note(
        path,
        "site",
        `Another site with ${count} files in Markdown is in "${folder}"; name this folder in --from to convert it.`,
      );
    }
  }
  return folders;
}

/** The tool of a folder: the one whose settings are nearest to the top. A folder of Markdown is the last resort. */
export function toolOf(
  files: SiteFiles,
  start: string,
): { readonly tool: Tool; readonly base: string } | string | undefined {
  const detected = tools.flatMap((tool) => {
    const base = tool.detect(files, start);
    return base === undefined ? [] : [{ tool, base }];
  });
  const nearest = detected.toSorted((a, b) => depthOf(a.base) - depthOf(b.base))[0];
  for (const [tool, pattern, advice, isSite, isCommon] of refused) {
    const file = findFile(
      files,
      pattern,
      start,
      (path) => !samples.test(relativeTo(start, path)) && (isSite?.(files, path) ?? true),
    );
    const isAbove = !isCommon && depthOf(folderOf(file ?? "")) < depthOf(nearest?.base ?? "");
    if (file !== undefined && (nearest === undefined || isAbove))
      return `${file} belongs to ${tool}, which is not converted. ${advice} in --from.`;
  }
  for (const tool of nearest === undefined ? [hugoContent, markdown] : []) {
    const base = tool.detect(files, start);
    if (base !== undefined) return { tool, base };
  }
  return nearest;
}

const depthOf = (folder: string): number => (folder === "" ? 0 : folder.split("/").length);
