import type { Location } from "../../lib/diagnostic/index.js";
import { findFrontmatter } from "./frontmatter.js";
import { pointAt } from "./location.js";

/** Where the front matter has a key, ignoring case; the page itself if no line begins with it. */
export function locationOfKey(source: string, sourcePath: string, key: string): Location {
  const block = findFrontmatter(source);
  const lines = block && source.slice(block.start, block.end);
  const found = lines && new RegExp(`^["']?${key}["']?[ \\t]*:`, "im").exec(lines);
  if (!block || !found) return { sourcePath };
  const { line, column } = pointAt(source, block.start + found.index);
  return { sourcePath, line, column };
}
