import { createHash } from "node:crypto";
import type { Contextual } from "../../site/config/index.js";

/** Whether pages with this menu offer to copy their Markdown or to pass it on. */
export const copiesMarkdown = (contextual: Contextual | undefined): boolean =>
  contextual?.options.some((option) =>
    typeof option === "string" ? option === "copy" : JSON.stringify(option.href).includes("$page"),
  ) ?? false;

/**
 * A Markdown version as a classic script, `offprintMarkdown("# Title …")`, loaded when a reader copies the page: pages
 * opened from disk cannot read other files. Its name contains a hash of the text.
 *
 * Converting the page's HTML in the browser would save the file, but the result would lack what is for agents only, and
 * every component would need a second conversion to Markdown.
 */
export function markdownScript(
  markdownPath: string,
  markdown: string,
): { readonly path: string; readonly text: string } {
  const text = `offprintMarkdown(${JSON.stringify(markdown)});\n`;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return { path: `_offprint/markdown/${markdownPath.replace(/\.md$/, "")}.${hash}.js`, text };
}
