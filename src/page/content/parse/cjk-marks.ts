/**
 * Bold beside Chinese, Japanese and Korean text. Markdown opens and closes `**` by the spaces around it, which these languages
 * do not have: `この**設定（任意）**を` has no bold in CommonMark, since the second mark is between a bracket and a letter.
 */
import type { Root, RootContent } from "mdast";
import type { Span } from "./mask-source.js";

const letters =
  "\\u3005-\\u3007\\u3040-\\u30FF\\u3400-\\u9FFF\\uAC00-\\uD7A3\\uF900-\\uFAFF\\uFF10-\\uFF19\\uFF21-\\uFF3A\\uFF41-\\uFF5A\\uFF66-\\uFF9F";
/** Punctuation that is no syntax of Markdown. */
const signs =
  ".,:?!%\"'+()\\u00AB\\u00BB\\u2010-\\u2027\\u2030-\\u205E\\u3001-\\u3003\\u3008-\\u3011\\u3014-\\u301F\\uFF01-\\uFF0F\\uFF1A-\\uFF20\\uFF3B-\\uFF40\\uFF5B-\\uFF65-";
const letter = new RegExp(`[${letters}]`);
const sign = new RegExp(`[${signs}]`);

/** Two stars or more between a letter of these languages and punctuation. */
export const cjkMark = `[${letters}]\\*\\*+[${signs}]|[${signs}]\\*\\*+[${letters}]`;

/** How far before a bracket its link begins. */
const maxLink = 500;

/**
 * Looks at the stars at `at`. Where a parser would leave them as text because of the punctuation beside them, the span makes
 * it read that punctuation as a letter. `end` is the offset after what was looked at.
 */
export function cjkEdge(source: string, at: number): { readonly span: Span | undefined; readonly end: number } {
  let end = at;
  while (source[end] === "*") end++;
  const before = source[at - 1] ?? "";
  const after = source[end] ?? "";
  let span: Span | undefined;
  if (end - at >= 2 && letter.test(before) && sign.test(after) && source[end + 1] !== "[") span = literal(end, after);
  else if (end - at >= 2 && sign.test(before) && letter.test(after) && !(before === ")" && endsLink(source, at)))
    span = literal(at - 1, before);
  return { span, end: Math.max(end, span?.end ?? 0) };
}

const literal = (start: number, value: string): Span => ({ kind: "literal", start, end: start + 1, value });

function endsLink(source: string, end: number): boolean {
  const before = source.slice(Math.max(0, end - maxLink), end - 1);
  return before[before.lastIndexOf("(") - 1] === "]";
}

const besideSyntax = new RegExp(`[${letters}]\\*\\*[[\`]|[)\`]\\*\\*[${letters}]`);

/** Makes links and code bold that have marks beside such letters. The parser has left the marks in the texts around them. */
export function closeCjkMarks(tree: Root, source: string): void {
  if (!besideSyntax.test(source)) return;
  const pending: (Root | RootContent)[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!("children" in node)) continue;
    const children = node.children as RootContent[];
    for (const child of children) pending.push(child);
    const emptied = new Set<RootContent>();
    for (let at = 1; at + 1 < children.length; at++) {
      const [before, inner, after] = [children[at - 1]!, children[at]!, children[at + 1]!];
      if (before.type !== "text" || after.type !== "text") continue;
      if (inner.type !== "link" && inner.type !== "inlineCode") continue;
      if (!/(?<!\*)\*\*$/.test(before.value.slice(-3)) || !/^\*\*(?!\*)/.test(after.value)) continue;
      if (!letter.test(before.value.at(-3) ?? "") && !letter.test(after.value[2] ?? "")) continue;
      const { start, end } = inner.position!;
      if (source.slice(start.offset! - 2, start.offset) !== "**" || source[start.offset! - 3] === "\\") continue;
      before.value = before.value.slice(0, -2);
      after.value = after.value.slice(2);
      const open = { ...start, column: start.column - 2, offset: start.offset! - 2 };
      const close = { ...end, column: end.column + 2, offset: end.offset! + 2 };
      before.position = { ...before.position!, end: open };
      after.position = { ...after.position!, start: close };
      children[at] = { type: "strong", children: [inner], position: { start: open, end: close } };
      for (const text of [before, after]) if (text.value === "") emptied.add(text);
    }
    if (emptied.size > 0) node.children = children.filter((child) => !emptied.has(child)) as typeof node.children;
  }
}
