import type { Nodes } from "mdast";
import type { ComponentName } from "../../../page/components/index.js";
import type { JsxElement, PropValue } from "../../../page/content/index.js";
import { apiComponents } from "./api-components.js";
import {
  body,
  bold,
  type ContentWriter,
  isElement,
  joinBlocks,
  labelled,
  nothing,
  plainText,
  propsOf,
  type WriteComponent,
} from "./component-writer.js";
import { blockElements, inlineElements } from "./html-elements.js";
import {
  codeSpan,
  fence,
  linkLabel,
  listItem,
  markdownLink,
  quote,
  singleLine,
  withoutBlankLines,
} from "./markdown.js";

/** A bold title on its own line, then the content. */
const titled: WriteComponent = (element, writer) =>
  joinBlocks(bold(writer.prop(propsOf(element)["title"])), body(element, writer));

const callout =
  (name: string): WriteComponent =>
  (element, writer) => {
    const title = writer.prop(propsOf(element)["title"]) || name;
    return quote(labelled(`**${title}:**`, body(element, writer)));
  };

const callouts = ["Note", "Info", "Tip", "Warning", "Check", "Danger"] as const;

const anyCallout: WriteComponent = (element, writer) => {
  const { type, variant } = propsOf(element);
  const written = String(type ?? variant ?? "").toLowerCase();
  const known = written === "success" ? "check" : written === "error" ? "danger" : written;
  return callout(callouts.find((name) => name.toLowerCase() === known) ?? "Note")(element, writer);
};

const card: WriteComponent = (element, writer) => {
  const props = propsOf(element);
  const href = writer.href(props["href"], element);
  const title = writer.prop(props["title"]) || (href === undefined ? "" : linkLabel(href));
  const head = href === undefined ? title : markdownLink(title, href);
  const image = writer.href(props["img"], element, "image");
  return joinBlocks(
    image === undefined ? "" : `!${markdownLink("", image)}`,
    bold(head),
    writer.prop(props["description"]),
    body(element, writer),
  );
};

/** Steps are an ordered list, even if something wraps single steps. */
const steps: WriteComponent = (element, writer) => {
  let number = 0;
  const items = elementsAmong(writer.children(element), writer).map((child) => {
    if (!isElement(child, "Step")) return writer.blocks([child]);
    const written = Number(propsOf(child)["stepNumber"] ?? Number.NaN);
    number = Number.isSafeInteger(written) && written >= 0 ? written : number + 1;
    return listItem(`${number}. `, titled(child, writer) || " ");
  });
  return joinBlocks(...items);
};

const accordion: WriteComponent = (element, writer) => {
  const props = propsOf(element);
  return joinBlocks(bold(writer.prop(props["title"])), writer.prop(props["description"]), body(element, writer));
};

const update: WriteComponent = (element, writer) => {
  const props = propsOf(element);
  const label = writer.prop(props["label"]);
  const tags = [props["tags"]].flat().map((tag) => writer.prop(tag as PropValue));
  const facts = [writer.prop(props["description"]), ...tags].filter((fact) => fact !== "").join(" · ");
  const nodes = writer.children(element);
  const first = nodes[0];
  // Many begin with a heading that repeats the label.
  const isRepeated = first?.type === "heading" && plainText(first.children).trim() === label;
  const text = writer.blocks(isRepeated ? nodes.slice(1) : nodes);
  return joinBlocks(label === "" ? "" : `## ${label}`, facts === "" ? "" : `*${facts}*`, text);
};

const frame: WriteComponent = (element, writer) => {
  const { hint, caption } = propsOf(element);
  return joinBlocks(writer.prop(hint), body(element, writer), writer.prop(caption));
};

const view: WriteComponent = (element, writer) => {
  const title = writer.prop(propsOf(element)["title"]);
  return joinBlocks(title === "" ? "" : `## ${title}`, body(element, writer));
};

const visibility: WriteComponent = (element, writer) =>
  writer.prop(propsOf(element)["for"]).trim().toLowerCase() === "humans" ? "" : body(element, writer);

const prompt: WriteComponent = (element, writer) => {
  const text = body(element, writer);
  const description = writer.prop(propsOf(element)["description"]);
  // Asterisks cannot enclose other Markdown marks.
  const title = /[*_]/.test(description) ? description : bold(description);
  return joinBlocks(title, text === "" ? "" : quote(text));
};

const treeItem: WriteComponent = (element, writer) => {
  const isFolder = element.name?.endsWith("Folder") === true;
  const name = writer.prop(propsOf(element)["name"]);
  const line = `- ${codeSpan(isFolder && !name.endsWith("/") ? `${name}/` : name)}`;
  const inside = tree(element, writer);
  return inside === "" ? line : listItem("- ", `${line.slice(2)}\n${inside}`);
};

const tree: WriteComponent = (element, writer) => {
  const entries = elementsAmong(writer.children(element), writer).map((child) => writer.blocks([child]));
  return entries.filter((entry) => entry !== "").join("\n");
};

const colorItem: WriteComponent = (element, writer) => {
  const { name, value } = propsOf(element);
  const values = typeof value === "object" && value !== null ? Object.entries(value) : [["", value] as const];
  const shown = values.map(([mode, color]) => `${mode === "" ? "" : `${mode} `}${codeSpan(String(color))}`).join(", ");
  return `- ${writer.prop(name)}: ${shown}`;
};

const colorRow: WriteComponent = (element, writer) =>
  joinBlocks(bold(writer.prop(propsOf(element)["title"])), tree(element, writer));

const codeBlock: WriteComponent = (element, writer) => {
  const { language, filename } = propsOf(element);
  const info = [language, filename].filter((part) => typeof part === "string" && part !== "").join(" ");
  const nodes = writer.children(element);
  // A fence inside keeps its own text.
  if (nodes.some((node) => node.type === "code")) return writer.blocks(nodes);
  return fence(info.replace(/[\n`]/g, " "), withoutBlankLines(plainText(nodes)));
};

const mermaid: WriteComponent = (element, writer) => {
  const { chart } = propsOf(element);
  const nodes = writer.children(element);
  if (nodes.some((node) => node.type === "code")) return writer.blocks(nodes);
  return fence("mermaid", (typeof chart === "string" ? chart : plainText(nodes)).trim());
};

const heading: WriteComponent = (element, writer) => {
  const level = Math.min(6, Math.max(1, Math.trunc(Number(propsOf(element)["level"] ?? 2)) || 2));
  const text = singleLine(writer.inline(writer.children(element)));
  return text === "" ? "" : `${"#".repeat(level)} ${text}`;
};

const repository: WriteComponent = (element, writer) => {
  const { repo } = propsOf(element);
  if (typeof repo !== "string") return "";
  const href = repo.startsWith("https://") ? repo : `https://github.com/${repo}`;
  return markdownLink(linkLabel(repo.replace(/^https:\/\/github\.com\//, "")), writer.href(href, element) ?? href);
};

const tooltip: WriteComponent = (element, writer) => {
  const props = propsOf(element);
  const text = writer.inline(writer.children(element)).trim();
  const tip = writer.prop(props["tip"]) || writer.prop(props["description"]);
  if (text === "" || tip === "") return text || tip;
  return `${text} (${tip})`;
};

const text: WriteComponent = (element, writer) => writer.inline(writer.children(element));

const latex: WriteComponent = (element, writer) => {
  const formula = plainText(writer.children(element)).trim();
  return formula === "" ? "" : `$${formula}$`;
};

const byName = <const Name extends string>(names: readonly Name[], writerOf: (name: Name) => WriteComponent) =>
  Object.fromEntries(names.map((name) => [name, writerOf(name)])) as Record<Name, WriteComponent>;

/** The compiler refuses these tables if a built-in component is missing. */
type Table<Name extends ComponentName> = Readonly<Record<Name, WriteComponent> & Record<string, WriteComponent>>;
type InlineName = "Badge" | "Icon" | "Latex" | "Tooltip";

/** Components that are always blocks. */
export const blockComponents: Table<Exclude<ComponentName, InlineName>> = {
  ...blockElements,
  ...apiComponents,
  ...byName(callouts, callout),
  ...byName(["AccordionGroup", "Banner", "CardGroup", "CodeGroup", "Column", "Columns", "Panel"], () => body),
  ...byName(["Color", "FileTree", "Tree"], () => tree),
  Accordion: accordion,
  Callout: anyCallout,
  Card: card,
  CodeBlock: codeBlock,
  "Color.Item": colorItem,
  "Color.Row": colorRow,
  Frame: frame,
  "GitHub.Repo": repository,
  Heading: heading,
  Mermaid: mermaid,
  Prompt: prompt,
  Step: titled,
  Steps: steps,
  Tab: titled,
  Tile: card,
  "Tree.File": treeItem,
  "Tree.Folder": treeItem,
  Update: update,
  View: view,
  Visibility: visibility,
};

/** Components that may be part of a sentence. */
export const inlineComponents: Table<InlineName> = {
  ...inlineElements,
  Badge: text,
  Icon: nothing,
  Image: inlineElements["img"]!,
  Latex: latex,
  Link: inlineElements["a"]!,
  Tooltip: tooltip,
};

/** The elements among children, taken out of paragraphs and fragments around them; blanks are dropped. */
function elementsAmong(nodes: readonly Nodes[], writer: ContentWriter): Nodes[] {
  return nodes.flatMap((node): Nodes[] => {
    if (node.type === "text" && node.value.trim() === "") return [];
    const isWrapper =
      (node.type === "paragraph" && node.children.some((child) => child.type === "mdxJsxTextElement")) ||
      (node.type === "mdxJsxFlowElement" && node.name === null);
    if (!isWrapper) return [node];
    return elementsAmong(node.type === "paragraph" ? node.children : writer.children(node as JsxElement), writer);
  });
}
