/** Places of the bundle that no source file stands behind. */

/** What the bundle holds for the whole site, unless the site brings a file of its own there. */
export const siteFiles: readonly string[] =
  "_redirects _headers robots.txt sitemap.xml llms.txt llms-full.txt .well-known/llms.txt .well-known/llms-full.txt".split(
    " ",
  );

/** Where a page's Markdown version stands: `guides/install.html` -> `guides/install.md`. */
export const markdownPathOf = (outputPath: string): string => outputPath.replace(/\.html$/, ".md");

/** Where a page's feed stands: `changelog.html` -> `changelog/rss.xml`. */
export const feedPathOf = (outputPath: string): string =>
  outputPath === "index.html" ? "rss.xml" : outputPath.replace(/\.html$/, "/rss.xml");
