/** Paths of files that the bundle generates. */

/** Files for the whole site, unless the site has a file of its own at the path. */
export const siteFiles: readonly string[] =
  "_redirects _headers robots.txt sitemap.xml llms.txt llms-full.txt .well-known/llms.txt .well-known/llms-full.txt".split(
    " ",
  );

/** Path of a page's Markdown version: `guides/install.html` -> `guides/install.md`. */
export const markdownPathOf = (outputPath: string): string => outputPath.replace(/\.html$/, ".md");

/** Path of a page's feed: `changelog.html` -> `changelog/rss.xml`. */
export const feedPathOf = (outputPath: string): string =>
  outputPath === "index.html" ? "rss.xml" : outputPath.replace(/\.html$/, "/rss.xml");
