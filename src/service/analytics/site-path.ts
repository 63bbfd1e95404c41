/** Files for agents that are counted by their own paths. */
const agentFiles = new Set(["/llms.txt", "/llms-full.txt", "/skill.md"]);

export interface SitePath {
  /** Of a page: `/guides/install`; the start page is `/`. */
  readonly path: string;
  readonly isMarkdown: boolean;
}

/**
 * What an address means: `/a`, `/a/`, `/a.html`, `/a.md` and `/a/index.html` are the page `/a`. Undefined if it is outside
 * of the site's folder.
 */
export function sitePathOf(address: string, basePath: string): SitePath | undefined {
  const written = decoded(address.replace(/[?#].*$/s, ""));
  if (!written.startsWith(`${basePath}/`) && written !== basePath) return undefined;
  const file = written.slice(basePath.length);
  if (agentFiles.has(file)) return { path: file, isMarkdown: true };
  const isMarkdown = file.endsWith(".md");
  const path = file
    .replace(/\.(?:html|md)$/, "")
    .replace(/\/+$/, "")
    .replace(/\/index$/, "");
  return { path: path === "" ? "/" : path, isMarkdown };
}

function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
