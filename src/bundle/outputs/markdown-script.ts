import { createHash } from "node:crypto";
import type { SiteSettings } from "../../site/config/index.js";

/** Whether something on a page puts its Markdown elsewhere, such as into the clipboard. */
export const copiesMarkdown = ({ contextual }: SiteSettings): boolean =>
  contextual?.options.some((option) =>
    typeof option === "string" ? option === "copy" : JSON.stringify(option.href).includes("$page"),
  ) ?? false;

/**
 * A Markdown version as a classic script, `offprintMarkdown("# Title …")`, for the page to load when a reader copies it: pages
 * opened from disk may read no other file. The name holds a hash of the text.
 *
 * It costs what the Markdown version costs once more, and only where a site offers to copy. To make the Markdown of a page's HTML
 * in the browser would cost nothing, and would be something else than the Markdown version: without what is for agents alone, and
 * with a second way from every component to Markdown.
 */
export function markdownScript(
  markdownPath: string,
  markdown: string,
): { readonly path: string; readonly text: string } {
  const text = `offprintMarkdown(${JSON.stringify(markdown)});\n`;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return { path: `_offprint/markdown/${markdownPath.replace(/\.md$/, "")}.${hash}.js`, text };
}
