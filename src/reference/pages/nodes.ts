/** Builds nodes of a page's tree: Markdown, and components with their properties. */
import type { Code, InlineCode, Link, List, Paragraph, PhrasingContent, RootContent, Strong, Text } from "mdast";
import type { JsxElement, PropValue } from "../../page/content/index.js";

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

/** A component; undefined properties are left out. */
export function component(
  name: string,
  props: Readonly<Record<string, PropValue>>,
  children: readonly RootContent[] = [],
): RootContent {
  const given: Record<string, PropValue> = {};
  for (const key in props) if (props[key] !== undefined) given[key] = props[key];
  const node: JsxElement = {
    type: "mdxJsxFlowElement",
    name,
    attributes: [],
    children: children as never,
    data: { props: given },
  };
  return node as RootContent;
}

/** Nodes as the value of a property: text is shown literally. */
export const label = (...children: RootContent[]): PropValue => ({ type: "jsxTree", children });

export const tab = (title: string, children: readonly RootContent[], id?: string): RootContent =>
  component("Tab", { title: label(text(title)), id }, children);

/** Values as code. */
export const codeList = (values: readonly string[], separator = ", "): PhrasingContent[] =>
  values.flatMap((value, i) => (i === 0 ? [inlineCode(value)] : [text(separator), inlineCode(value)]));

/** A message whose backticks mark code. */
export const phrase = (words: string): PhrasingContent[] =>
  words.split("`").flatMap((part, i) => (part === "" ? [] : [i % 2 === 0 ? text(part) : inlineCode(part)]));

/** The phrase with nodes in place of its `%`. */
export function phraseWith(words: string, ...inner: PhrasingContent[]): PhrasingContent[] {
  const at = words.indexOf("%");
  if (at < 0) return phrase(words);
  return [...phrase(words.slice(0, at)), ...inner, ...phrase(words.slice(at + 1))];
}

/** Text of a specification, cut to a limit. */
export const clip = (value: string, limit: number): string =>
  value.length > limit ? `${value.slice(0, limit).toWellFormed()}…` : value;

/** A note with the number of parts that the page leaves out; none for 0. */
export const countOfMore = (count: number): RootContent[] =>
  count > 0 ? [component("FieldNote", {}, [text(`… ${count}`)])] : [];
