import type { Manifest } from "./manifest.js";

/** Files that agents read in place of pages. */
const agentFiles: ReadonlySet<string> = new Set(["llms.txt", "llms-full.txt", "skill.md"]);

/**
 * Paths of the pages (`/`, `/guides/install`) and of the files for agents (`/llms.txt`). A page has a Markdown version;
 * other HTML files are redirects, the page for unknown addresses, or the site's own files.
 */
export function publishedPaths({ files }: Pick<Manifest, "files">): ReadonlySet<string> {
  const html = new Set(files.flatMap(({ path }) => (path.endsWith(".html") ? [path.slice(0, -".html".length)] : [])));
  const published = new Set<string>();
  for (const { path } of files) {
    if (agentFiles.has(path)) published.add(`/${path}`);
    else if (path.endsWith(".md") && html.has(path.slice(0, -".md".length)))
      published.add(`/${path.slice(0, -".md".length).replace(/(?:^|\/)index$/, "")}`);
  }
  return published;
}
