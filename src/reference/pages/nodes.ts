/** Builds the nodes of a page's tree: Markdown, and components with their properties. */
import type { Code, InlineCode, Link, List, Paragraph, PhrasingContent, RootContent, Strong, Text } from "mdast";
import { type Json, member, shortJson, textAt } from "../../lib/json/index.js";
import { plainText } from "../../lib/plain-text.js";
import { isHttpAddress } from "../../lib/url/index.js";
import type { JsxElement, PropValue } from "../../page/content/index.js";
import type { SpecBadge } from "../../site/specs/index.js";

export const text = (value: string): Text => ({ type: "text", value });
export const inlineCode = (value: string): InlineCode => ({ type: "inlineCode", value });
export const strong = (value: string): Strong => ({ type: "strong", children: [text(value)] });
export const paragraph = (...children: PhrasingContent[]): Paragraph => ({ type: "paragraph", children });
export const link = (url: string, ...children: PhrasingContent[]): Link => ({
  type: "link",
  url,
  children: children as Link["children"],
});

/** A code fence; its title becomes a tab. */
export const fence = (lang: string | undefined, value: string, title?: string): Code => ({
  type: "code",
  lang: lang ?? null,
  meta: title === undefined ? null : `title="${title.replace(/\s+/g, " ").replaceAll('"', "”")}"`,
  value,
});

/** The title of a code fence; empty without one. */
export const fenceTitle = ({ meta }: Code): string => /^title="(.*)"$/.exec(meta ?? "")?.[1] ?? "";

/** A list of items on one line each. */
export const bulletList = (items: readonly PhrasingContent[][]): List => ({
  type: "list",
  ordered: false,
  spread: false,
  children: items.map((children) => ({ type: "listItem", spread: false, children: [paragraph(...children)] })),
});

export const numberedList = (items: readonly PhrasingContent[][]): List => ({
  ...bulletList(items),
  ordered: true,
  start: 1,
});

/** A component; undefined properties are left out. */
export function component(
  name: string,
  props: Readonly<Record<string, PropValue>>,
  children: readonly RootContent[] = [],
): RootContent {
  const defined: Record<string, PropValue> = {};
  for (const key in props) if (props[key] !== undefined) defined[key] = props[key];
  const node: JsxElement = {
    type: "mdxJsxFlowElement",
    name,
    attributes: [],
    children: children as never,
    data: { props: defined },
  };
  return node as RootContent;
}

/** A component within a line. */
export const inline = (
  name: string,
  props: Readonly<Record<string, PropValue>>,
  child: PhrasingContent,
): PhrasingContent => ({ ...component(name, props, [child]), type: "mdxJsxTextElement" }) as PhrasingContent;

/** The component ignores a `color` that it does not know. */
export const badgeNode = ({ name, color }: SpecBadge): PhrasingContent =>
  inline("Badge", { color }, text(clip(name, 80)));

/** Nodes as the value of a property: text is shown literally. */
export const label = (...children: RootContent[]): PropValue => ({ type: "jsxTree", children });

export const tab = (title: string, children: readonly RootContent[], id?: string): RootContent =>
  component("Tab", { title: label(text(title)), id }, children);

/** A component, unless it would be empty. */
export const componentWith = (
  name: string,
  props: Readonly<Record<string, PropValue>>,
  children: readonly RootContent[],
): RootContent[] => (children.length === 0 ? [] : [component(name, props, children)]);

export const section = (title: string, id: string, children: readonly RootContent[]): RootContent[] =>
  componentWith("ApiSection", { title, id }, children);

/** Content that opens below its title; none without children. */
export const expandable = (title: string | undefined, children: readonly RootContent[], isOpen?: true): RootContent[] =>
  componentWith("Expandable", { title, defaultOpen: isOpen }, children);

/** A line below a field; none without children. */
export const fieldNote = (label: string | undefined, children: readonly RootContent[]): RootContent[] =>
  componentWith("FieldNote", { label }, children);

/** A line with a value in code; none without a value. */
export const valueNote = (label: string, value: string | number | undefined): RootContent[] =>
  value === undefined ? [] : fieldNote(label, [inlineCode(String(value))]);

/** Items on one line, each of one node or of several. */
export const joined = (
  items: readonly (PhrasingContent | readonly PhrasingContent[])[],
  separator = ", ",
): PhrasingContent[] => items.flatMap((item, i) => [...(i === 0 ? [] : [text(separator)]), ...[item].flat()]);

/** A paragraph, unless it would be empty. */
export const paragraphWith = (words: readonly PhrasingContent[]): RootContent[] =>
  words.length === 0 ? [] : [paragraph(...words)];

/** A list of items on one line each, unless it would be empty. */
export const listWith = (items: readonly PhrasingContent[][]): RootContent[] =>
  items.length === 0 ? [] : [bulletList(items)];

/** A list with more parts than `maxOpen` shows the first ones and folds the rest. */
const folding = { maxOpen: 16, shownCount: 10 } as const;

/** A line with values as code; a long one is folded. @param parts a word for the values. @param more comes last. */
export function codesNote(
  label: string | undefined,
  codes: readonly string[],
  parts: string,
  more: readonly PhrasingContent[] = [],
): RootContent[] {
  // Every value but the first has a comma node before it.
  return foldedNote(label, [...codeList(codes), ...more], codes.length, { parts, shown: folding.shownCount * 2 });
}

/** A list of lines; a long one is folded. @param parts what the lines are. */
export function linesNote(label: string, items: readonly PhrasingContent[][], parts: string): RootContent[] {
  const { maxOpen, shownCount } = folding;
  const lists = items.length > maxOpen ? [items.slice(0, shownCount), items.slice(shownCount)] : [items];
  return foldedNote(label, lists.map(bulletList), items.length, { parts, shown: 1 });
}

function foldedNote(
  label: string | undefined,
  children: readonly RootContent[],
  count: number,
  { parts, shown }: { readonly parts: string; readonly shown: number },
): RootContent[] {
  if (children.length === 0) return [];
  const fold = count > folding.maxOpen ? { shown, rest: `${count - folding.shownCount} ${parts}` } : {};
  return [component("FieldNote", { label, ...fold }, children)];
}

/** Values as code. */
export const codeList = (values: readonly string[], separator = ", "): PhrasingContent[] =>
  joined(values.map(inlineCode), separator);

/** Tags that group nothing, with their descriptions. */
export const tagNotes = (
  tags: readonly (Json | undefined)[],
  describe: (description: string | undefined) => RootContent[],
): RootContent[] => [
  ...fieldNote(undefined, codeList(tags.flatMap((tag) => textAt(tag, "name") ?? []))),
  ...tags.flatMap((tag) => [
    ...describe(textAt(tag, "description")),
    ...docsLine(member(tag, "externalDocs"), textAt(tag, "name") ?? ""),
  ]),
];

/** A value of a specification on one line, cut to a limit. */
export const shortValue = (value: Json, limit: number): string =>
  typeof value === "string" ? clip(value, limit) : (shortJson(value, limit) ?? "…");

/** A message in which backticks mark code. */
export const phrase = (words: string): PhrasingContent[] =>
  words.split("`").flatMap((part, i) => (part === "" ? [] : [i % 2 === 0 ? text(part) : inlineCode(part)]));

/** Like `phrase`, with nodes in place of `%`. */
export function phraseWith(words: string, ...inner: PhrasingContent[]): PhrasingContent[] {
  const at = words.indexOf("%");
  if (at < 0) return phrase(words);
  return [...phrase(words.slice(0, at)), ...inner, ...phrase(words.slice(at + 1))];
}

/** A text of a specification, cut to a limit: after a word, if one ends shortly before. */
export const clip = (value: string, limit: number): string =>
  value.length > limit
    ? `${value
        .slice(0, limit)
        .toWellFormed()
        .replace(/\s\S{0,19}$/, "")}…`
    : value;

/** What a page leaves out, as sentences that name the limits that were met. */
export type Cuts = Set<string>;

/** Shows and reports how many parts the page leaves out; nothing for 0. @param limit the name of the limit. */
export function countOfMore(count: number, cuts: Cuts, limit: string): RootContent[] {
  if (count <= 0) return [];
  cuts.add(`${count} parts of a list are left out (${limit})`);
  return fieldNote(undefined, [text(`… ${count}`)]);
}

/** A link to further documents; none without a URL. A URL other than HTTP is shown as code. */
export function docsLink(externalDocs: Json | undefined, words: string): PhrasingContent[] {
  const url = textAt(externalDocs, "url");
  if (url === undefined) return [];
  const name = text(clip(plainText(textAt(externalDocs, "description") ?? "") || words, 1_000));
  return isHttpAddress(url) ? [link(url, name)] : [name, text(": "), inlineCode(clip(url, 300))];
}

/** The link of `docsLink` as a paragraph. */
export const docsLine = (externalDocs: Json | undefined, words: string): RootContent[] =>
  paragraphWith(docsLink(externalDocs, words));
