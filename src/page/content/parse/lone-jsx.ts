/**
 * Sätteri replaces each paragraph that is only a JSX element by that element, and copies the list of all its siblings
 * each time: ten thousand such elements take gigabytes. A mark after the element keeps the paragraph. Afterwards the
 * marks are removed from the tree, and the elements are lifted here.
 */
import type { Root, RootContent } from "mdast";
import { skipEsm } from "../../../lib/jsx/skip-code.js";
import { liftLoneJsx } from "../tree-shape.js";

/** Authors cannot type it: `mask-source.ts` replaces the characters of its range. */
const mark = "\uF8FE";
/** Without `^` and `$`, for which a line separator (U+2028) ends a line. */
const moduleOrClosingTag = /(?<=\n|^)(?:import|export)\b|<\/[\w$.:-]*>(?=[ \t]*\r?(?:\n|$))/g;
const container = /^(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/;

interface MarkedSource {
  readonly source: string;
  /** Offsets of the marks in the tree of `source`, ascending. At most one is on a line. */
  readonly marks: readonly number[];
}

/** Marks the end of each line that may end such a paragraph. */
export function markLoneJsx(source: string): MarkedSource {
  const parts: string[] = [];
  const marks: number[] = [];
  let at = 0;
  /** Sätteri counts offsets from after it. */
  const byteOrderMark = source.startsWith("\uFEFF") ? 1 : 0;
  moduleOrClosingTag.lastIndex = 0;
  for (let match = moduleOrClosingTag.exec(source); match !== null; match = moduleOrClosingTag.exec(source)) {
    if (match[0][0] !== "<") {
      moduleOrClosingTag.lastIndex = skipEsm(source, match.index);
      continue;
    }
    const end = moduleOrClosingTag.lastIndex;
    if (!hasTextOutsideTags(source.slice(source.lastIndexOf("\n", match.index) + 1, end))) continue;
    parts.push(source.slice(at, end));
    marks.push(end + marks.length - byteOrderMark);
    at = end;
  }
  parts.push(source.slice(at));
  return { source: parts.join(mark), marks };
}

/** A line of tags alone is not a paragraph. */
const hasTextOutsideTags = (line: string): boolean =>
  line
    .replace(container, "")
    .replace(/"[^"]*"|'[^']*'/g, "")
    .replace(/\{[^{}]*\}/g, "")
    // A tag may begin on an earlier line.
    .replace(/^[^<>]*>|<[^<>]*>/g, "")
    .trim() !== "";

/** Removes the marks from `tree`, in place. */
export function removeMarks(tree: Root, marks: readonly number[]): Root {
  if (marks.length === 0) return tree;
  const parents: { children: RootContent[] }[] = [];
  const stack: (Root | RootContent)[] = [tree];
  const shift = (point: { line: number; column: number; offset?: number | undefined }): void => {
    const offset = point.offset ?? 0;
    const before = countBelow(marks, offset);
    if (before > 0 && offset - point.column + 1 <= marks[before - 1]!) point.column--;
    point.offset = offset - before;
  };
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    unmark(node);
    if (node.position !== undefined) {
      shift(node.position.start);
      shift(node.position.end);
    }
    if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement")
      for (const attribute of node.attributes) {
        unmark(attribute);
        if (typeof attribute.value === "object" && attribute.value !== null) unmark(attribute.value);
      }
    if (!("children" in node)) continue;
    parents.push(node as (typeof parents)[number]);
    for (const child of node.children) stack.push(child);
  }
  // Inner parents first, since lifting copies nodes.
  for (const parent of parents.reverse())
    parent.children = parent.children.flatMap((child) => {
      if (child.type === "text" && child.value === "") return [];
      return (child.type === "paragraph" ? liftLoneJsx(child) : undefined) ?? [child];
    });
  return tree;
}

function unmark(node: object): void {
  for (const [key, value] of Object.entries(node))
    if (typeof value === "string" && value.includes(mark))
      (node as Record<string, unknown>)[key] = value.replaceAll(mark, "");
}

/** Number of `sorted` that are below `limit`. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
