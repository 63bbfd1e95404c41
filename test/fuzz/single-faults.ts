/** Single faults that authors make in pages, and the blocks of a page that such a fault changes. */
import type { RootContent } from "mdast";
import type { PageContent } from "../../src/page/content/index.js";

/** A page with one fault. */
export interface FaultyPage {
  readonly kind: string;
  readonly source: string;
  /** The part of the sound page that the fault may change, as offsets. */
  readonly block: readonly [start: number, end: number];
}

export interface Leaf {
  /** The components around it, its type, its text. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Paragraphs, headings, code, tables and the like, in order. */
export function leavesOf(page: PageContent): Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (node: RootContent, path: string): void => {
    const { start, end } = node.position ?? {};
    const isBox = /^(?:list|listItem|blockquote|mdxJsxFlowElement)$/.test(node.type);
    const name = "name" in node ? String(node.name) : "";
    if (isBox && "children" in node && node.children.length > 0) {
      for (const child of node.children)
        visit(child as RootContent, node.type === "list" || node.type === "listItem" ? path : `${path}${name || ">"}/`);
      return;
    }
    const text = textOf(node).replace(/\s+/g, " ").trim();
    const props = isBox ? JSON.stringify(node.data?.props ?? {}) : "";
    leaves.push({
      key: `${path}${node.type} ${name} ${props} ${text}`,
      start: start?.offset ?? -1,
      end: end?.offset ?? -1,
    });
  };
  for (const node of page.tree.children) visit(node, "");
  return leaves;
}

function textOf(node: RootContent): string {
  if ("value" in node && typeof node.value === "string") return node.value;
  if ("alt" in node && typeof node.alt === "string") return node.alt;
  if ("url" in node && "children" in node)
    return `${node.children.map((child) => textOf(child)).join("")}(${node.url})`;
  return "children" in node ? node.children.map((child) => textOf(child as RootContent)).join("") : "";
}

/** The leaves outside the block of the fault that the faulty page does not show as the sound one does. */
export function damage(sound: readonly Leaf[], faulty: readonly Leaf[], [start, end]: FaultyPage["block"]): string[] {
  const before = sound.filter((leaf) => leaf.end <= start);
  const after = sound.filter((leaf) => leaf.start >= end);
  const lost: string[] = [];
  before.forEach(({ key }, at) => {
    if (faulty[at]?.key !== key) lost.push(key);
  });
  after.forEach(({ key }, at) => {
    if (faulty[faulty.length - after.length + at]?.key !== key) lost.push(key);
  });
  return lost;
}

/** The ranges of a sound page that a fault at an offset may change: from the innermost block outwards. */
export function blocksAround(page: PageContent, offset: number): (readonly [number, number])[] {
  const found: [number, number][] = [];
  const visit = (node: RootContent): void => {
    const [start, end] = [node.position?.start.offset, node.position?.end.offset];
    if (start === undefined || end === undefined || offset < start || offset > end) return;
    if (
      /^(?:paragraph|heading|code|table|listItem|blockquote|mdxJsxFlowElement|html|thematicBreak|island|math)$/.test(
        node.type,
      )
    )
      found.unshift([start, end]);
    if ("children" in node) for (const child of node.children) visit(child as RootContent);
  };
  for (const node of page.tree.children) visit(node);
  return found;
}

const tag = /<(\/?)([A-Za-z][\w.]*)(?:"[^"\n]*"|'[^'\n]*'|\{[^{}\n]*\}|[^<>"'{}])*>/g;

export const faultKinds = [
  ...[...'<>/{}"`'].flatMap((sign) => [`delete ${sign}`, `insert ${sign}`]),
  "delete closing tag",
  "delete opening tag",
  "swap tags",
  "type in text",
  "delete fence",
] as const;

/** @param random gives numbers from 0 to below 1 */
export function plantFault(
  source: string,
  bodyStart: number,
  page: PageContent,
  kind: (typeof faultKinds)[number],
  random: () => number,
): FaultyPage | undefined {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const body = source.slice(bodyStart);
  const matches = (pattern: RegExp) =>
    [...body.matchAll(pattern)].map((match) => ({ at: bodyStart + match.index, text: match[0], match }));
  const make = (edits: readonly { at: number; remove: number; insert: string }[]): FaultyPage => {
    const sorted = edits.toSorted((a, b) => b.at - a.at);
    let text = source;
    for (const { at, remove, insert } of sorted) text = text.slice(0, at) + insert + text.slice(at + remove);
    const ranges = edits.map(({ at, remove }) => rangeOf(at, at + remove));
    return {
      kind,
      source: text,
      block: [Math.min(...ranges.map(([start]) => start)), Math.max(...ranges.map(([, end]) => end))],
    };
  };
  const rangeOf = (start: number, end: number): readonly [number, number] => {
    // A fault at the beginning of a line can join it to the one before.
    const lineStart = source.lastIndexOf("\n", start - 1) + 1;
    const isFirst = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]*)?[`<]*$/.test(source.slice(lineStart, start));
    const lines = [
      isFirst ? source.lastIndexOf("\n", lineStart - 2) + 1 : lineStart,
      `${source}\n`.indexOf("\n", end),
    ] as const;
    const [inner] = blocksAround(page, start).filter(([from, to]) => from <= start && to >= end);
    return inner ? [Math.min(inner[0], lines[0]), Math.max(inner[1], lines[1])] : lines;
  };
  const [what, sign] = kind.split(" ");
  if (sign!.length === 1 && what === "delete") {
    const found = pick(matches(new RegExp(`\\${sign}`, "g")));
    return found && make([{ at: found.at, remove: 1, insert: "" }]);
  }
  if (sign!.length === 1) {
    const at = bodyStart + Math.floor(random() * body.length);
    return make([{ at, remove: 0, insert: sign! }]);
  }
  if (kind === "type in text") {
    const found = pick(matches(/(?<=[a-z]) (?=[a-z])/g));
    return found && make([{ at: found.at, remove: 0, insert: " Into<String>" }]);
  }
  if (kind === "delete fence") {
    const found = pick(matches(/^[ \t]*(?:```+|~~~+)[^\n]*\n/gm));
    return found && make([{ at: found.at, remove: found.text.length, insert: "" }]);
  }
  const tags = matches(tag).filter(({ text }) => !text.endsWith("/>"));
  if (kind === "swap tags") {
    const at = Math.floor(random() * (tags.length - 1));
    const [first, second] = [tags[at], tags[at + 1]];
    return first && second && first.text !== second.text
      ? make([
          { at: first.at, remove: first.text.length, insert: second.text },
          { at: second.at, remove: second.text.length, insert: first.text },
        ])
      : undefined;
  }
  const found = pick(tags.filter(({ match }) => (match[1] === "/") === (kind === "delete closing tag")));
  return found && make([{ at: found.at, remove: found.text.length, insert: "" }]);
}
