import { type Diagnostic, warningOf } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { encodePath } from "../../lib/url/index.js";
import type { PageContent } from "../../page/content/index.js";
import { type Addresses, bundlePathsOf } from "../../site/links/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import { feedPath, markdownPath } from "./address.js";
import { copiesMarkdown, createMarkdownLinks, createMarkdownVersion, markdownScript } from "./markdown-version.js";
import { createFeed } from "./rss.js";

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
  const siteFiles = new Set(site.staticFiles);
  const paths = lazy(() => bundlePathsOf(site));
  return { isOwn: (path) => siteFiles.has(path), ownerOf: (path) => paths().ownerOf(path) };
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
    const owner = rss === undefined ? undefined : paths.ownerOf(feedPath(plan));
    const rssFile = rss === undefined || owner !== undefined ? undefined : { path: feedPath(plan), text: rss };
    return {
      files: [paths.isOwn(path) ? undefined : { path, text }, script, rssFile].filter((file) => file !== undefined),
      feed: rssFile?.path,
      markdown: { path, script: script?.path, url: baseUrl && `${baseUrl}/${encodePath(path)}` },
      diagnostics: owner === undefined ? [] : [feedLeftOut(plan, owner)],
    };
  };
}

const feedLeftOut = (plan: PagePlan, owner: string): Diagnostic => ({
  ...warningOf("PATH_TAKEN"),
  what: `The page's RSS feed would be at ${feedPath(plan)}, but ${owner} already has that path; the feed is left out.`,
  location: { sourcePath: plan.sourcePath },
  fix: "rename the page.",
});
