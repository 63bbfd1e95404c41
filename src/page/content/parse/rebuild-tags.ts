/**
 * Makes elements of the tags that `mark-tags.ts` hid. A tag that is not closed, or closed in the wrong place, ends where
 * its block ends, as in an HTML parser, so that the rest of the page is as the author wrote it.
 */
import type { Paragraph, Root, RootContent } from "mdast";
import { pointAt } from "../location.js";
import { liftLoneJsx } from "../tree-shape.js";
import type { Tag } from "./read-tag.js";
import { isVoidTag } from "./repair.js";
import type { FenceRepair } from "./repair-fences.js";

/** A fault of the tags. */
export type TagFault =
  /** `end`: offset where its content ends. `before`: offset of the text that follows; undefined if its block ends there. */
  | { readonly kind: "unclosed"; readonly tag: Tag; readonly end: number; readonly before?: number | undefined }
  /** `closing` closes another tag than the one that it names. */
  | { readonly kind: "mismatched"; readonly tag: Tag; readonly closing: Tag }
  /** Its closing tag is in another block. */
  | { readonly kind: "crossed"; readonly tag: Tag; readonly closing: Tag }
  /** The closing tag comes first. */
  | { readonly kind: "swapped"; readonly tag: Tag; readonly opening: Tag }
  | { readonly kind: "stray"; readonly tag: Tag };

export interface RebuiltTags {
  readonly tree: Root;
  readonly faults: readonly TagFault[];
  /** Offsets of tags that the parser did not show: they are in code. */
  readonly missing: readonly number[];
}

type Parent = { children: RootContent[] };

/** Elements that hold others of their name. All other tags end at the next of the same name. */
const nests = /^(?:div|span|section|article|aside|main|ul|ol|dl|table|details|blockquote|figure|a|b|i|em|strong|)$/;

/** In a page with more faults, each further tag that nothing closes is empty, so that the time stays linear. */
const maxFaults = 500;

/**
 * @param fences the code blocks that were hidden
 * @param itemsOf the components that a component is made of: `Step` of `Steps`. Empty for one that holds anything.
 */
export function rebuildTags(
  source: string,
  tree: Root,
  tags: ReadonlyMap<number, Tag>,
  fences: readonly FenceRepair[],
  itemsOf: (component: string) => readonly string[],
): RebuiltTags {
  const seen = new Set<number>();
  const faults: TagFault[] = [];
  const { partners } = matchTags([...tags.values()]);
  const markOf = (node: RootContent | undefined): Tag | undefined =>
    node?.type === "mdxFlowExpression" || node?.type === "mdxTextExpression"
      ? tags.get(node.position?.start.offset ?? -1)
      : undefined;

  /** Moves a tag out of a paragraph or list if it belongs to the element around that paragraph or list. */
  const lift = (node: RootContent): RootContent[] => {
    if (!("children" in node)) return [node];
    const parent = node as Parent;
    parent.children = parent.children.flatMap((child) => lift(child as RootContent));
    if (node.type === "paragraph" && parent.children.every((child) => markOf(child) !== undefined || isBlank(child)))
      return liftLoneJsx(node as Paragraph) ?? [node];
    if (node.type.startsWith("table")) return [node];
    const [start, end] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
    const isOutside = (tag: Tag | undefined): boolean => {
      const partner = tag && partners.get(tag.start);
      return partner !== undefined && (partner < start || partner >= end);
    };
    const after: RootContent[] = [];
    const before: RootContent[] = [];
    for (let last = parent.children.at(-1); last && isMoved(last, "close"); last = parent.children.at(-1))
      after.unshift(parent.children.pop()!);
    if (node.type === "paragraph")
      for (let first = parent.children[0]; first && isMoved(first, "open"); first = parent.children[0])
        before.push(parent.children.shift()!);
    function isMoved(child: RootContent, role: Tag["role"]): boolean {
      const tag = markOf(child);
      if (tag === undefined) return isBlank(child) && parent.children.length > 1 && isNextMoved(role);
      return tag.role === role && isOutside(tag);
    }
    function isNextMoved(role: Tag["role"]): boolean {
      const next = role === "close" ? parent.children.at(-2) : parent.children[1];
      const tag = markOf(next);
      return tag?.role === role && isOutside(tag);
    }
    const isEmptied = (): boolean => parent.children.length === 0 && before.length + after.length > 0;
    const isFlow = /^(?:paragraph|heading|list|listItem|blockquote)$/.test(node.type);
    const outer = (nodes: RootContent[]): RootContent[] =>
      nodes
        .filter((each) => !isFlow || !isBlank(each))
        .map((each) =>
          isFlow && each.type === "mdxTextExpression" ? { ...each, type: "mdxFlowExpression" } : each,
        ) as RootContent[];
    return [...outer(before), ...(isEmptied() ? [] : [node]), ...outer(after)];
  };

  const codeOf = new Map(fences.map(({ start, code }) => [start, code]));
  const rebuild = (parent: Parent): void => {
    for (const child of parent.children) if ("children" in child) rebuild(child as Parent);
    parent.children = parent.children.map((child) => {
      const code = child.type === "mdxFlowExpression" ? codeOf.get(child.position?.start.offset ?? -1) : undefined;
      return code === undefined ? child : { type: "code", ...code, position: child.position };
    });
    const { children } = parent;
    const marks = children.map(markOf);
    if (marks.every((mark) => mark === undefined)) return;
    for (const [at, mark] of marks.entries()) {
      if (mark === undefined) continue;
      seen.add(mark.start);
      const { start, end } = children[at]!.position!;
      if (end.offset !== mark.end) children[at]!.position = { start, end: pointAt(source, mark.end) };
    }
    const ends = endsOf(children, marks, itemsOf, faults);
    parent.children = nest(children, marks, ends, 0, children.length);
  };

  const lifted: Root = { ...tree, children: tree.children.flatMap((child) => lift(child as RootContent)) };
  rebuild(lifted as Parent);
  const unclosed = new Set(faults.flatMap(({ kind, tag }) => (kind === "unclosed" ? [tag.start] : [])));
  const joined = faults.flatMap((fault): TagFault[] => {
    const partner = partners.get(fault.tag.start);
    if (partner === undefined || fault.kind === "mismatched" || fault.kind === "swapped") return [fault];
    if (fault.kind === "stray") return unclosed.has(partner) ? [] : [fault];
    return [{ kind: "crossed", tag: fault.tag, closing: tags.get(partner)! }];
  });
  return { tree: lifted, faults: joined, missing: [...tags.keys()].filter((start) => !seen.has(start)) };
}

const isBlank = (node: RootContent): boolean => node.type === "text" && node.value.trim() === "";

interface Matched {
  /** Start of a tag -> start of the tag that closes or opens it. */
  readonly partners: ReadonlyMap<number, number>;
  /** Start of an opening tag that nothing closes -> start of the closing tag around it; the end of the text if none is. */
  readonly unclosed: Map<number, number>;
}

/** By name, and by indentation where tags of one name are nested. */
function matchTags(tags: readonly Tag[]): Matched {
  const partners = new Map<number, number>();
  const unclosed = new Map<number, number>();
  const open: Tag[] = [];
  const keyOf = ({ name, column }: Tag): string => `${column} ${name}`;
  const closings = new Map<string, number>();
  const closing = tags.filter(({ role }) => role === "close");
  for (const tag of closing) closings.set(keyOf(tag), (closings.get(keyOf(tag)) ?? 0) + 1);
  for (const tag of tags) {
    if (tag.role === "open") open.push(tag);
    if (tag.role !== "close") continue;
    closings.set(keyOf(tag), closings.get(keyOf(tag))! - 1);
    const inner = open.findLastIndex(({ name }) => name === tag.name);
    const level = tag.column === 0 ? -1 : open.findLastIndex((each) => keyOf(each) === keyOf(tag));
    const at = level === -1 ? inner : level;
    if (at === -1) continue;
    const { column } = open[at]!;
    // The tag that it closes is missing, since another one closes this.
    if (column > 0 && tag.column > column && closings.get(keyOf(open[at]!))! > 0) continue;
    for (const each of open.splice(at + 1)) unclosed.set(each.start, tag.start);
    const opening = open.pop()!;
    partners.set(tag.start, opening.start).set(opening.start, tag.start);
  }
  for (const each of open) unclosed.set(each.start, Number.POSITIVE_INFINITY);
  return { partners, unclosed };
}

/** An element: up to `end`, the index of its closing tag or of what follows it. */
interface End {
  readonly end: number;
  /** Whether a closing tag is at `end`. */
  readonly isClosed: boolean;
}

/** Where the elements that begin in a list of siblings end, by the index of the opening tag. */
function endsOf(
  children: readonly RootContent[],
  marks: readonly (Tag | undefined)[],
  itemsOf: (component: string) => readonly string[],
  faults: TagFault[],
): Map<number, End> {
  const ends = new Map<number, End>();
  const indexes = new Map(marks.flatMap((tag, index) => (tag ? [[tag.start, index] as const] : [])));
  const matched = matchTags(marks.filter((tag) => tag !== undefined));
  /** Opening tags that nothing closes -> index of the closing tag around them, or the end. */
  const unclosed = new Map<number, number>();
  const strays: number[] = [];
  for (const [index, tag] of marks.entries()) {
    if (tag === undefined) continue;
    const partner = matched.partners.get(tag.start);
    if (tag.role === "open" && partner !== undefined) ends.set(index, { end: indexes.get(partner)!, isClosed: true });
    else if (tag.role === "open") unclosed.set(index, indexes.get(matched.unclosed.get(tag.start)!) ?? children.length);
    else if (tag.role === "close" && partner === undefined) strays.push(index);
  }
  closeByOthers();

  // Outer ones first, since an inner element cannot end after an outer one.
  for (const [index, limit] of [...unclosed].sort(([a], [b]) => a - b)) {
    const tag = marks[index]!;
    const end = endOfUnclosed(index, innerLimit(index, limit));
    ends.set(index, { end, isClosed: false });
    const before = children[end]?.position?.start.offset;
    const closing = marks[limit];
    if (end === limit && closing && strays.some((stray) => marks[stray]!.name === tag.name && stray > limit)) {
      faults.push({ kind: "mismatched", tag, closing });
      strays.splice(
        strays.findIndex((stray) => marks[stray]!.name === tag.name && stray > limit),
        1,
      );
    } else faults.push({ kind: "unclosed", tag, end: children[end - 1]?.position?.end.offset ?? tag.end, before });
  }
  for (const stray of strays) faults.push({ kind: "stray", tag: marks[stray]! });
  return ends;

  /** A tag that closes nothing closes the tag before it that nothing closes: its name is misspelt, or its slash missing. */
  function closeByOthers(): void {
    for (const stray of strays.length > maxFaults ? [] : [...strays]) {
      const itself = marks.findLastIndex((tag, at) => at < stray && tag?.name === marks[stray]!.name);
      if (marks[itself]?.role === "alone" && isSameLevel(itself, stray)) {
        strays.splice(strays.indexOf(stray), 1);
        ends.set(itself, { end: stray, isClosed: true });
        faults.push({ kind: "mismatched", tag: marks[itself]!, closing: marks[stray]! });
        continue;
      }
      const index = [...unclosed]
        .filter(([at, limit]) => at < stray && limit > stray && isSameLevel(at, stray))
        .at(-1)?.[0];
      if (index === undefined) continue;
      strays.splice(strays.indexOf(stray), 1);
      unclosed.delete(index);
      ends.set(index, { end: stray, isClosed: true });
      faults.push({ kind: "mismatched", tag: marks[index]!, closing: marks[stray]! });
    }
    if (unclosed.size > maxFaults) return;
    for (const stray of strays.slice(0, maxFaults)) {
      const { name } = marks[stray]!;
      const index = [...unclosed.keys()].find((at) => at > stray && marks[at]!.name === name);
      if (index === undefined || !isSameLevel(stray, index)) continue;
      const isApart = [...ends.keys()].some((at) => at > stray && at < index && marks[at]!.name === name);
      if (isApart) continue;
      strays.splice(strays.indexOf(stray), 1);
      unclosed.delete(index);
      ends.set(stray, { end: index, isClosed: true });
      faults.push({ kind: "swapped", tag: marks[stray]!, opening: marks[index]! });
    }
    // `<Note>` or `<Note />` where `</Note>` belongs.
    const bare = marks.flatMap((mark, at) =>
      mark?.attributes.length === 0 && (unclosed.has(at) || (mark.role === "alone" && !isVoidTag(`<${mark.name}`)))
        ? [at]
        : [],
    );
    for (const second of bare.reverse()) {
      const tag = marks[second]!;
      const first = [...unclosed.keys()]
        .filter((at) => at < second && marks[at]!.name === tag.name)
        .sort((a, b) => b - a)[0];
      const isNested = nests.test(tag.name) && (tag.column === 0 || tag.column !== marks[first ?? 0]?.column);
      if (isNested || first === undefined || !isSameLevel(first, second)) continue;
      const limit = unclosed.get(first)!;
      const hasContent = children.slice(first + 1, second).some((child) => !isBlank(child));
      if ((tag.role === "alone" && !hasContent) || limit < second || limit !== (unclosed.get(second) ?? limit))
        continue;
      unclosed.delete(first);
      unclosed.delete(second);
      ends.set(first, { end: second, isClosed: true });
      faults.push({ kind: "mismatched", tag: marks[first]!, closing: tag });
    }
  }

  /** Whether no element that is closed begins or ends between two indexes, other than completely. */
  function isSameLevel(from: number, to: number): boolean {
    return ![...ends].some(([start, { end }]) => (start > from && start < to) !== (end > from && end < to));
  }

  function innerLimit(index: number, limit: number): number {
    let inner = limit;
    for (const [start, { end }] of ends) if (start < index && end > index) inner = Math.min(inner, end);
    return inner;
  }

  /** The element ends before the next tag of the same name, before a heading, or before a block that is not its content. */
  function endOfUnclosed(index: number, limit: number): number {
    if (faults.length > maxFaults) return index + 1;
    const { name } = marks[index]!;
    const { start } = children[index]!.position!;
    const items = itemsOf(name);
    const around = [...ends].flatMap(([at, { end }]) => (at < index && end > index ? [marks[at]!.name] : []));
    const isItem = around.some((outer) => itemsOf(outer).includes(name));
    let isIndented: boolean | undefined;
    let previous: { readonly kind: string; readonly line: number } | undefined;
    for (let at = index + 1; at < limit; at++) {
      const tag = marks[at];
      const child = children[at]!;
      if (isBlank(child)) continue;
      const { line, column } = child.position?.start ?? start;
      const isFlow = !/text|inline/i.test(child.type) && line > start.line;
      const isDeeper = isFlow && column > start.column;
      if (tag && tag.role !== "close" && tag.name === name && !nests.test(name) && !isDeeper) return at;
      const kind = tag === undefined ? child.type : tag.name;
      const isNext = items.includes(kind) || kind === previous?.kind;
      if (items.length > 0 ? previous !== undefined && !isNext : child.type === "heading" && around.length === 0)
        return at;
      if (isFlow && !isItem && items.length === 0) {
        isIndented ??= isDeeper;
        if (isIndented && !isDeeper) return at;
        const isApart = previous !== undefined && line > previous.line + 1;
        if (!isIndented && isApart && (tag === undefined || !isNext)) return at;
      }
      const inner = tag?.role === "open" ? ends.get(at) : undefined;
      if (inner && inner.end < limit) at = inner.isClosed ? inner.end : inner.end - 1;
      previous = { kind, line: children[at]!.position?.end.line ?? line };
    }
    return limit;
  }
}

/** The siblings from one index to another, with the tags between them as elements. */
function nest(
  children: readonly RootContent[],
  marks: readonly (Tag | undefined)[],
  ends: ReadonlyMap<number, End>,
  from: number,
  to: number,
): RootContent[] {
  const out: RootContent[] = [];
  for (let at = from; at < to; at++) {
    const tag = marks[at];
    const node = children[at]!;
    if (tag === undefined) out.push(node);
    else if (tag.role === "alone" && !ends.has(at)) out.push(elementOf(tag, node, [], node));
    else {
      const found = ends.get(at);
      // A closing tag that closes nothing is left out.
      if (found === undefined) continue;
      const inner = nest(children, marks, ends, at + 1, found.end);
      out.push(
        elementOf(
          tag.role === "close" ? marks[found.end]! : tag,
          node,
          inner,
          (found.isClosed ? children[found.end] : inner.at(-1)) ?? node,
        ),
      );
      at = found.isClosed ? found.end : found.end - 1;
    }
  }
  return out;
}

function elementOf(tag: Tag, mark: RootContent, children: RootContent[], last: RootContent): RootContent {
  const { start } = mark.position!;
  return {
    type: mark.type === "mdxFlowExpression" ? "mdxJsxFlowElement" : "mdxJsxTextElement",
    name: tag.name === "" ? null : tag.name,
    attributes: [...tag.attributes],
    children,
    position: { start, end: last.position?.end ?? mark.position!.end },
  } as RootContent;
}
