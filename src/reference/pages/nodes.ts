/** Builds the nodes of a page's tree: Markdown, and components with their properties. */
import type { Code, InlineCode, Link, List, Paragraph, PhrasingContent, RootContent, Strong, Text } from "mdast";
import { type Json, shortJson, textAt } from "../../lib/json/index.js";
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

/** A badge within a line; `color` counts if badges of pages have it. */
export const badgeNode = ({ name, color }: SpecBadge): PhrasingContent =>
  ({ ...component("Badge", { color }, [text(clip(name, 80))]), type: "mdxJsxTextElement" }) as PhrasingContent;

/** Nodes as the value of a property: text is shown literally. */
export const label = (...children: RootContent[]): PropValue => ({ type: "jsxTree", children });

export const tab = (title: string, children: readonly RootContent[], id?: string): RootContent =>
  component("Tab", { title: label(text(title)), id }, children);

/** A section of the page; none without children. */
export const section = (title: string, id: string, children: readonly RootContent[]): RootContent[] =>
  children.length === 0 ? [] : [component("ApiSection", { title, id }, children)];

/** Content that opens below its title; none without children. */
export const expandable = (title: string | undefined, children: readonly RootContent[]): RootContent[] =>
  children.length === 0 ? [] : [component("Expandable", { title }, children)];

/** A line below a field; none without children. */
export const fieldNote = (label: string | undefined, children: readonly RootContent[]): RootContent[] =>
  children.length === 0 ? [] : [component("FieldNote", { label }, children)];

/** A line with a value in code; none without a value. */
export const valueNote = (label: string, value: string | number | undefined): RootContent[] =>
  value === undefined ? [] : fieldNote(label, [inlineCode(String(value))]);

/** Items on one line. */
export const joined = (items: readonly (readonly PhrasingContent[])[], separator = ", "): PhrasingContent[] =>
  items.flatMap((item, i) => (i === 0 ? item : [text(separator), ...item]));

/** Values as code. */
export const codeList = (values: readonly string[], separator = ", "): PhrasingContent[] =>
  joined(
    values.map((value) => [inlineCode(value)]),
    separator,
  );

/** A value of a specification on one line, cut to a limit. */
export const shortValue = (value: Json, limit: number): string =>
  typeof value === "string" ? clip(value, limit) : (shortJson(value, limit) ?? "…");

/** A message in which backticks mark code. */
export const phrase = (words: string): PhrasingContent[] =>
  words.split("`").flatMap((part, i) => (part === "" ? [] : [i % 2 === 0 ? text(part) : inlineCode(part)]));

/** The same with nodes in place of its `%`. */
export function phraseWith(words: string, ...inner: PhrasingContent[]): PhrasingContent[] {
  const at = words.indexOf("%");
  if (at < 0) return phrase(words);
  return [...phrase(words.slice(0, at)), ...inner, ...phrase(words.slice(at + 1))];
}

/** A text of a specification, cut to a limit. */
export const clip = (value: string, limit: number): string =>
  value.length > limit ? `${value.slice(0, limit).toWellFormed()}…` : value;

/** A link to further documents; none without an address. An address that is not one of the web is shown as code. */
export function docsLink(externalDocs: Json | undefined, words: string): PhrasingContent[] {
  const url = textAt(externalDocs, "url");
  if (url === undefined) return [];
  const name = text(clip(plainText(textAt(externalDocs, "description") ?? "") || words, 1_000));
  return isHttpAddress(url) ? [link(url, name)] : [name, text(": "), inlineCode(clip(url, 300))];
}

/** The same as a line of the page. */
export function docsLine(externalDocs: Json | undefined, words: string): RootContent[] {
  const shown = docsLink(externalDocs, words);
  return shown.length === 0 ? [] : [paragraph(...shown)];
}

/** The number of parts that the page leaves out; none for 0. */
export const countOfMore = (count: number): RootContent[] =>
  count > 0 ? fieldNote(undefined, [text(`… ${count}`)]) : [];
