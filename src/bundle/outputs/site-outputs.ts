import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { discoveryFiles } from "../../mcp/discovery.js";
import type { Addresses } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { FilePart } from "../archive/index.js";
import { basePathOf, hostHeaders, robotsText } from "./host-files.js";
import { llmsText } from "./llms.js";
import {
  createMarkdownChunks,
  type FullTextOptions,
  fullTextElsewhere,
  llmsFullText,
  maxCopiedBytes,
} from "./llms-full.js";
import { type RedirectTarget, redirectFiles } from "./redirect-files.js";
import { sitemapFiles } from "./sitemap.js";

export interface SiteOutputOptions {
  readonly addresses: Addresses;
  readonly baseUrl?: string;
  /** Output path of the speculation rules that hosts send with pages. */
  readonly speculationRules?: string;
  /** Output path of the font that hosts announce with pages. */
  readonly mainFont?: string;
  /** Address of the site's MCP server. */
  readonly mcp?: string | undefined;
  /** What readers can download of specifications. */
  readonly specFiles?: readonly StreamedFile[];
  /** Reads a Markdown version that `createPageOutputs` made; undefined if there is none. */
  readonly readMarkdown: (outputPath: string) => string | undefined | Promise<string | undefined>;
}
export interface StreamedFile {
  readonly path: string;
  /** The text, or its parts in order: for `llms-full.txt` one for each page, made on demand. */
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
  { addresses, baseUrl, speculationRules, mainFont, mcp, specFiles = [], readMarkdown }: SiteOutputOptions,
): {
  readonly files: readonly StreamedFile[];
  readonly redirectTargets: readonly RedirectTarget[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const { rules, diagnostics: ruleDiagnostics } = addresses.redirects().check();
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
        copy: { of: fullText, bytes: maxCopiedBytes, instead: fullTextElsewhere(site, fullText, options) },
      }),
    });
  }
  files.push(...specFiles);
  if (redirects.hostRules !== "") files.push({ path: "_redirects", text: redirects.hostRules });
  files.push({
    path: "_headers",
    text: hostHeaders(basePathOf(baseUrl), { speculationRules, mainFont, hasMcp: mcp !== undefined }),
  });

  const siteFiles = new Set(site.staticFiles);
  // A copy must not differ from the file that the site brings.
  const isOwn = (path: string) => siteFiles.has(path) || siteFiles.has(path.replace(/^\.well-known\//, ""));
  const diagnostics = [...ruleDiagnostics, ...redirects.diagnostics];
  const discovery =
    mcp === undefined || siteFiles.has(".well-known/mcp")
      ? []
      : [...discoveryFiles(site.config.name, mcp)]
          .filter(([path]) => !siteFiles.has(path))
          .map(([path, content]) => ({ path, text: `${JSON.stringify(content, null, 2)}\n` }));
  return {
    files: [...files.filter(({ path }) => !isOwn(path)), ...discovery],
    redirectTargets: redirects.targets,
    diagnostics,
  };
}
