/** Replacements for the components of tools whose pages are MDX, by name. A name that several tools share is listed once. */

import { asData, asList, asText, readYaml } from "../data.js";
import { type PageText, replaceGroups, textOfLines } from "../page-text.js";
import type { PageContext } from "../project.js";
import { labelOf } from "../tools/shared.js";
import { wasAttribute } from "./anchors.js";
import { attribute, type BlockTags, calloutTags, element, escapeMdx, noTags } from "./blocks.js";
import { showsCode } from "./components.js";
import { cardIcon, iconName } from "./icons.js";
import { stepHeadings } from "./step-headings.js";
import { attributeText, type ElementTable, replaceElements, type Tag } from "./tags.js";

const text = (tag: Tag, ...names: readonly string[]): string | undefined =>
  names.map((name) => attributeText(tag, name)).find((value) => value !== undefined && !value.startsWith("{"));

/** The value of an attribute, if it is a JavaScript list, object or string without code. */
function literal({ attributes }: Tag, name: string): unknown {
  const value = attributes.get(name);
  return typeof value === "string" && /^\{\s*[[{"'`]/.test(value)
    ? readYaml(value.slice(1, -1).replaceAll("`", '"')).value
    : undefined;
}

/** Tags whose addresses may be JavaScript: `src={require("./a.png").default}`. */
function withPlainAddress({ name, written, isEmpty }: Tag): BlockTags | undefined {
  const plain = written.replace(
    /\{\s*(require|useBaseUrl|withBase)\(\s*(["'])([^"']*)\2\s*\)(?:\.default)?\s*\}/g,
    // Only `require` reads a path from the folder of the page.
    (_, by: string, __, path: string) => `"${by === "require" || /^(?:[./#]|\w+:)/.test(path) ? "" : "/"}${path}"`,
  );
  if (plain === written) return undefined;
  return { open: `<${name}${plain}${isEmpty ? " /" : ""}>`, close: isEmpty ? "" : `</${name}>` };
}

const badgeColors: Readonly<Record<string, string>> = {
  ...{ note: "blue", info: "blue", tip: "green", success: "green" },
  ...{ caution: "yellow", warning: "yellow", danger: "red" },
};

const cardAttributes = new Set(["title", "href", "icon", "horizontal"]);

const card = (tag: Tag, context: Pick<PageContext, "reportOnce">): BlockTags | undefined => {
  // The card is already in our syntax.
  if (
    tag.isEmpty &&
    [...tag.attributes].every(([name, value]) => cardAttributes.has(name) && !String(value).startsWith("{"))
  )
    return undefined;
  const icon = cardIcon(String(tag.attributes.get("icon") ?? ""), context, tag.line);
  const written = `${attribute("title", text(tag, "title"))}${attribute("href", text(tag, "href", "link"))}${attribute("icon", icon)}`;
  return { open: `<Card${written}>${escapeMdx(text(tag, "description") ?? "")}`, close: "</Card>" };
};

const tree =
  (name: string) =>
  (tag: Tag): BlockTags =>
    element(
      `Tree.${name}`,
      `${attribute("name", text(tag, "name"))}${name === "Folder" && (tag.attributes.has("defaultOpen") || tag.attributes.has("open")) ? " defaultOpen" : ""}`,
    );

const accordion = (tag: Tag): BlockTags =>
  element("Accordion", attribute("title", text(tag, "title", "summary", "header") ?? "Details"));

/** The same replacement for several names. */
const all = (names: string, replace: ElementTable[string]): ElementTable =>
  Object.fromEntries(names.split(" ").map((name) => [name, replace]));

/** The table for a page: titles of tabs come from the group around them. */
function tableFor(context: PageContext): ElementTable {
  const { report, lists, page } = context;
  const groups: { items: readonly unknown[]; next: number }[] = [];
  const titleIn = (item: unknown): string | undefined =>
    typeof item === "string" ? item : (asText(asData(item)["label"]) ?? asText(asData(item)["value"]));
  const tabs = (tag: Tag): BlockTags => {
    const items = asList(literal(tag, "items") ?? literal(tag, "values") ?? literal(tag, "groups"));
    if (tag.attributes.has("items") && items.length === 0)
      report(
        "tabs",
        `The titles of these tabs are ${String(tag.attributes.get("items"))}; write them as titles of <Tab>.`,
        tag.line,
      );
    groups.push({ items, next: 0 });
    return element("Tabs");
  };
  const tab = (tag: Tag): BlockTags => {
    const group = groups.at(-1);
    const name = text(tag, "value", "name");
    const item = group?.items.find((each) => name !== undefined && asText(asData(each)["value"]) === name);
    const title =
      text(tag, "label", "title") ??
      titleIn(item ?? group?.items[group.next]) ??
      (name === undefined ? "Tab" : labelOf(name));
    if (group) group.next++;
    return element("Tab", attribute("title", title));
  };
  const callout = (tag: Tag): BlockTags => {
    const [type = "note", title] = [text(tag, "type", "variant"), text(tag, "title")];
    const tags = calloutTags(type, title);
    if (!tags) report("admonition", `"${type}" is not a kind of callout; it becomes a note.`, tag.line);
    return tags ?? element("Note", attribute("title", title));
  };
  return {
    Tabs: tabs,
    ...all("TabItem Tab Tabs.Tab", tab),
    ...all("TabsList Fragment TOCInline Bleed", () => noTags),
    CodeTabs: () => element("CodeGroup"),
    ...all("Admonition Callout Aside", callout),
    ...all("Link LinkButton", (tag) => element("a", attribute("href", text(tag, "to", "href")))),
    DocCardList() {
      lists.add(page.source);
      return noTags;
    },
    ...all("img source a", withPlainAddress),
    Image: (tag) =>
      text(tag, "src") === undefined
        ? undefined
        : {
            open: `<img${attribute("src", text(tag, "src"))} alt=${JSON.stringify(text(tag, "alt") ?? "")} />`,
            close: "",
          },
    ...all("CardGrid Cards", () => element("CardGroup", " cols={2}")),
    Card: (tag) => card(tag, context),
    ...all("Cards.Card LinkCard", (tag) => card({ ...tag, isEmpty: false }, context)),
    Steps: () => element("Steps"),
    Step: (tag) => element("Step", attribute("title", text(tag, "title"))),
    Files: () => element("Tree"),
    ...all("File FileTree.File", tree("File")),
    ...all("Folder FileTree.Folder", tree("Folder")),
    Accordions: () => element("AccordionGroup"),
    Accordion: accordion,
    Badge(tag) {
      const shown = tag.attributes.has("text") ? `${wasAttribute}${text(tag, "text") ?? ""}` : "";
      const { open, close } = element("Badge", attribute("color", badgeColors[text(tag, "variant", "type") ?? "note"]));
      return { open: open + shown, close };
    },
    Icon(tag) {
      const name = iconName(text(tag, "icon", "name") ?? "");
      if (name !== undefined) return { open: `<Icon icon="${name}" />`, close: "" };
      return tag.isEmpty ? noTags : undefined;
    },
  };
}

/** Attributes whose code is not the content of an element. */
const aside = /^(?:icon|items|values|groups|key|ref|style|className|class|target|rel|width|height|loading|default\w*)$/;

export function mdxElements(lines: PageText, context: PageContext): PageText {
  const table = tableFor(context);
  const replace = (tag: Tag): BlockTags | undefined => {
    const tags = table[tag.name]!(tag);
    // What an element without content shows is in attributes that only the old component reads.
    const isBare = tag.isEmpty && tags !== undefined && /^<[^<>]*>$/.test(tags.open) && tags.close !== "";
    const code = [...(isBare ? tag.attributes : [])].flatMap(([key, value]) =>
      !aside.test(key) && /^\{\s*(?!true\b|false\b)[^\s\d"']/.test(String(value)) ? [`"${key}"`] : [],
    );
    const what = `<${tag.name}> shows what is in ${code.join(", ")}, which is left out; write it here.`;
    if (code.length > 0) context.report(showsCode.test(tag.name) ? "code" : "component", what, tag.line);
    return tags;
  };
  const body = withoutHead(lines, context);
  return stepHeadings(replaceElements(body, Object.fromEntries(Object.keys(table).map((name) => [name, replace]))));
}

/** Leaves out `<head>`, whose tags belong to the head of the document. */
const withoutHead = (lines: PageText, { report }: PageContext): PageText =>
  replaceGroups(lines, (line, at) => {
    const [, name] = (!line.code && /^\s*<([Hh]ead)>\s*$/.exec(line.text)) || [];
    const length = lines.slice(at, at + 50).findIndex(({ text }) => text.trim() === `</${name}>`) + 1;
    if (name === undefined || length === 0) return undefined;
    const tags = textOfLines(lines.slice(at + 1, at + length - 1)).trim();
    report("head", `The tags of <${name}> are left out; write them as front matter: ${tags.slice(0, 300)}`, line.line);
    return { end: at + length, lines: [] };
  });
