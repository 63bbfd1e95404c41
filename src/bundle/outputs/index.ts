/**
 * In:  the site; for each page its plan, content and source text; at the end the written Markdown versions.
 * Out: the text files of the bundle that are not HTML pages: for each page its Markdown version and feed; at the end
 *      llms.txt, llms-full.txt, sitemap, robots.txt, redirects and host files. Also the metadata of page heads.
 *
 * Nothing here writes to disk. A file of the site at the same path takes precedence.
 */

import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { encodePath } from "../../lib/url/index.js";
import type { PageContent } from "../../page/content/index.js";
import { type Addresses, bundlePathsOf } from "../../site/links/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import type { FilePart } from "../archive/index.js";
import { feedPath, markdownPath } from "./address.js";
import { basePathOf, hostHeaders, robotsText, sitemapFiles } from "./host-files.js";
import { llmsText } from "./llms.js";
import {
  createMarkdownChunks,
  type FullTextOptions,
  fullTextElsewhere,
  llmsFullText,
  mostCopiedBytes,
} from "./llms-full.js";
import { copiesMarkdown, createMarkdownLinks, createMarkdownVersion, markdownScript } from "./markdown-version.js";
import { type RedirectTarget, redirectFiles } from "./redirect-files.js";
import { createFeed } from "./rss.js";

export { isPublicAddress, parseBaseUrl, resolveBaseUrl } from "./address.js";
export { createHeadMetadata, type HeadPage } from "./head-metadata.js";
export { type NotFoundPage, notFoundPage } from "./host-files.js";
export { publishedPages } from "./llms.js";
export type { TextPieces } from "./llms-full.js";
export { printedDocument } from "./printed-document.js";
export type { RedirectTarget } from "./redirect-files.js";
export { publishedTargets, type SpecDownloads, specDownloads } from "./spec-downloads.js";

export interface PageOutputOptions {
  readonly addresses: Pick<Addresses, "resolve" | "resolveFile">;
  /** What is at other paths of the bundle. Default: as the site has it. */
  readonly paths?: OutputPaths;
  /** From `resolveBaseUrl`. Without it there are no feeds. */
  readonly baseUrl?: string;
  /** UTF-8 text of a file that pages include; undefined if it cannot be read. Not cached here. */
  readonly readSource: (sourcePath: string) => string | undefined;
}
export interface OutputPaths {
  /** Whether the site has a file of its own at an output path. */
  isOwn(path: string): boolean;
  /** As `BundlePaths.ownerOf`. */
  ownerOf(path: string): string | undefined;
}

export function outputPathsOf(site: Site): OutputPaths {
  const own = new Set(site.staticFiles);
  const paths = lazy(() => bundlePathsOf(site));
  return { isOwn: (path) => own.has(path), ownerOf: (path) => paths().ownerOf(path) };
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** The files made for a page besides its HTML. Paths are output paths. */
export interface PageOutputs {
  readonly files: readonly TextFile[];
  /** Of its feed, if it has one. */
  readonly feed?: string;
  readonly markdown: {
    /** Of its Markdown version, or of the site's own file at that path. */
    readonly path: string;
    /** Of the Markdown version as a script, if readers can copy it. */
    readonly script?: string;
    /** Absolute URL of the Markdown version, if there is a base URL. */
    readonly url?: string;
  };
  readonly diagnostics: readonly Diagnostic[];
}

/** Creates a page's Markdown version, and its feed if it has one. Called once per page thread. */
export function createPageOutputs(
  site: Site,
  { addresses, baseUrl, readSource, paths = outputPathsOf(site) }: PageOutputOptions,
): (plan: PagePlan, content: PageContent, source: string) => PageOutputs {
  const markdown = createMarkdownVersion(site, { resolveLink: createMarkdownLinks(addresses), readSource });
  const feed = baseUrl === undefined ? undefined : createFeed(site, baseUrl);
  const isCopied = copiesMarkdown(site.config.contextual);
  return (plan, content, source) => {
    const path = markdownPath(plan);
    const text = markdown(plan, content, source);
    const isOffered = plan.contextual ? copiesMarkdown(plan.contextual) : isCopied;
    const script = isOffered ? markdownScript(path, text) : undefined;
    const rss = paths.isOwn(feedPath(plan)) ? undefined : feed?.(plan, content);
    const inItsWay = rss === undefined ? undefined : paths.ownerOf(feedPath(plan));
    const rssFile = rss === undefined || inItsWay !== undefined ? undefined : { path: feedPath(plan), text: rss };
    return {
      files: [paths.isOwn(path) ? undefined : { path, text }, script, rssFile].filter((file) => file !== undefined),
      feed: rssFile?.path,
      markdown: { path, script: script?.path, url: baseUrl && `${baseUrl}/${encodePath(path)}` },
      diagnostics: inItsWay === undefined ? [] : [feedLeftOut(plan, inItsWay)],
    };
  };
}

const feedLeftOut = (plan: PagePlan, owner: string): Diagnostic => ({
  code: "PATH_TAKEN",
  severity: "warning",
  what: `The feed of the page would be at ${feedPath(plan)}, but ${owner} is in its way; the feed is left out.`,
  location: { sourcePath: plan.sourcePath },
  fix: "rename the page.",
});

export interface SiteOutputOptions {
  readonly addresses: Addresses;
  readonly baseUrl?: string;
  /** Output path of the speculation rules that hosts send with pages. */
  readonly speculationRules?: string;
  /** Output path of the font that hosts announce with pages. */
  readonly mainFont?: string;
  /** What readers can download of specifications. */
  readonly specFiles?: readonly StreamedFile[];
  /** Reads a Markdown version that `createPageOutputs` made; undefined if there is none. */
  readonly readMarkdown: (outputPath: string) => string | undefined | Promise<string | undefined>;
}
export interface StreamedFile {
  readonly path: string;
  /**
   * The text, or its parts in order: for `llms-full.txt` one for each page, made on demand.
   */
  readonly text: string | ((options?: FullTextOptions) => AsyncIterable<string | FilePart>);
  /** A large text is not copied: another one is at this path if the file `of` is longer than `bytes`. */
  readonly copy?: { readonly of: string; readonly bytes: number; readonly instead: string };
  /** `text` depends on the plan of the site and the base URL alone. It is made when it is read. */
  readonly isOfPlan?: true;
}

const fullText = "llms-full.txt";

/**
 * Creates the files of the whole site, after all pages. Paths are unique, and none is the path of a page or file of the
 * site. Up to two files contain all Markdown versions.
 */
export function siteOutputs(
  site: Site,
  { addresses, baseUrl, speculationRules, mainFont, specFiles = [], readMarkdown }: SiteOutputOptions,
): {
  readonly files: readonly StreamedFile[];
  readonly redirectTargets: readonly RedirectTarget[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const { rules, diagnostics: ofRules } = addresses.redirects().check();
  const redirects = redirectFiles(site, rules, baseUrl);
  const sitemap = baseUrl === undefined || site.staticFiles.includes("sitemap.xml") ? [] : sitemapFiles(site, baseUrl);
  const hasSitemap = sitemap.length > 0 || site.staticFiles.includes("sitemap.xml");
  const sitemapUrl = baseUrl !== undefined && hasSitemap ? `${baseUrl}/sitemap.xml` : undefined;

  const chunkOf = createMarkdownChunks(site, readMarkdown);
  const files: StreamedFile[] = redirects.stubs.map(({ path, text }) => ({ path, text }));
  files.push(...sitemap, { path: "robots.txt", text: robotsText(site, sitemapUrl) });
  for (const folder of ["", ".well-known/"]) {
    const index = `${folder}llms.txt`;
    const full = `${folder}${fullText}`;
    const text = lazy(() => llmsText(site, { baseUrl, outputPath: index }));
    files.push({
      path: index,
      isOfPlan: true,
      get text() {
        return text();
      },
    });
    const options = { baseUrl, outputPath: full };
    files.push({
      path: full,
      text: (more) => llmsFullText(site, { ...options, chunkOf, more }),
      ...(folder !== "" && {
        copy: { of: fullText, bytes: mostCopiedBytes, instead: fullTextElsewhere(site, fullText, options) },
      }),
    });
  }
  files.push(...specFiles);
  if (redirects.hostRules !== "") files.push({ path: "_redirects", text: redirects.hostRules });
  files.push({ path: "_headers", text: hostHeaders(basePathOf(baseUrl), speculationRules, mainFont) });

  const own = new Set(site.staticFiles);
  // A copy must not differ from the file that the site brings.
  const isOwn = (path: string) => own.has(path) || own.has(path.replace(/^\.well-known\//, ""));
  const diagnostics = [...ofRules, ...redirects.diagnostics];
  return { files: files.filter(({ path }) => !isOwn(path)), redirectTargets: redirects.targets, diagnostics };
}
