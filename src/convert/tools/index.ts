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
import refused from "./refused.json" with { type: "json" };
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

/** Refused tools whose file other programs may have as well. */
const isRefused: Readonly<Record<string, (files: SiteFiles, path: string) => boolean>> = {
  Docute: contains(/\bnew Docute\(/),
  Zola: isZola,
  Doxygen: (files, path) =>
    files.paths.some(
      (page) =>
        folderOf(page) === folderOf(path) &&
        isPage(page) &&
        files.sizeOf(page) < 1_000_000 &&
        /^\[TOC\]|^#.*\{#\w+\}|[@\\](?:ref|page|mainpage)\b/m.test(files.readText(page)),
    ),
  Markdoc: contains(/"@markdoc\/[\w.-]{1,100}"\s*:/),
  "Astro without Starlight": (files, path) =>
    files.paths.some((page) =>
      ["src/content", "src/pages"].some((name) => isPage(page) && inside(joinPath(folderOf(path), name), page)),
    ),
  "Docusaurus 1": (files, path) =>
    /"docusaurus"/.test(JSON.stringify(dataFile(files, joinPath(folderOf(path), "package.json")))),
  AsciiDoc: isMostly(/\.(?:adoc|asciidoc)$/),
  reStructuredText: isMostly(/\.rst$/),
};

const siteSettings =
  /(?:^|\/)(?:(?:docusaurus|astro|nuxt)\.config\.[cm]?[jt]s|hugo\.(?:toml|ya?ml)|Doxyfile(?:\.in)?|mkdocs\.ya?ml|book\.toml|sidebars\.ya?ml|\.(?:vitepress|vuepress)\/config\.\w+)$/;
/** Settings of programs whose own code makes pages and navigation; Lume has `_config.ts`. */
const otherProgram = /^(?:(?:next|svelte|react-router|waku|vike|velite|contentlayer|app)\.config|_config)\.[cm]?[jt]s$/;
/** A bundler whose plugin makes parts of a program from Markdown. */
const bundler = /(?:^|\/)(?:[\w-]+\.config|gatsby-config)\.[cm]?[jt]s$/;
const compilesMarkdown = contains(
  /["'](?:@mdx-js\/|mdsvex|vite-plugin-(?:md|markdown)|unplugin-vue-markdown|gatsby-(?:plugin-mdx|transformer-remark))/,
);
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
    (tool === markdown &&
      (otherProgram.test(relativeTo(base, path)) || (bundler.test(path) && compilesMarkdown(files, path))));
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
  // Projects often have a common file although another tool makes their documentation.
  for (const { tool, file: pattern, advice, isCommon } of refused) {
    const isSite = Object.hasOwn(isRefused, tool) ? isRefused[tool] : undefined;
    const file = findFile(
      files,
      new RegExp(pattern),
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
