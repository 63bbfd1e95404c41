import type { Nodes } from "mdast";
import { codeSpan, fence, listItem, markdownLink, quote } from "../../../lib/markdown.js";
import type { ComponentName } from "../../../page/components/index.js";
import type { PropValue } from "../../../page/content/index.js";
import { apiComponents } from "./api-components.js";
import {
  body,
  bold,
  type Component,
  contentOf,
  heading,
  isElement,
  joinBlocks,
  labelled,
  nothing,
  plainText,
  type WriteComponent,
} from "./component-writer.js";
import { blockElements, inlineElements } from "./html-elements.js";
import { linkLabel, withoutBlankLines } from "./markdown.js";

/** A bold title on its own line, then the content. */
const titled: WriteComponent = ({ text, body }) => joinBlocks(bold(text("title")), body());

const callout =
  (name: string): WriteComponent =>
  ({ text, body }) =>
    quote(labelled(`**${text("title") || name}:**`, body()));

const callouts = ["Note", "Info", "Tip", "Warning", "Check", "Danger"] as const;

const anyCallout: WriteComponent = (component) => {
  const { type, variant } = component.props;
  const written = String(type ?? variant ?? "").toLowerCase();
  const kind = written === "success" ? "check" : written === "error" ? "danger" : written;
  return callout(callouts.find((name) => name.toLowerCase() === kind) ?? "Note")(component);
};

const card: WriteComponent = ({ props, text, body, href }) => {
  const target = href(props["href"]);
  const title = text("title") || (target === undefined ? "" : linkLabel(target));
  const image = href(props["img"], "image");
  return joinBlocks(
    image === undefined ? "" : `!${markdownLink("", image)}`,
    bold(target === undefined ? title : markdownLink(title, target)),
    text("description"),
    body(),
  );
};

/** Steps are an ordered list, even if something wraps single steps. */
const steps: WriteComponent = ({ nodes, writer, inner }) => {
  let number = 0;
  const items = elementsAmong(nodes).map((child) => {
    if (!isElement(child) || child.name !== "Step") return writer.blocks([child]);
    const step = inner(child);
    const written = Number(step.props["stepNumber"] ?? Number.NaN);
    number = Number.isSafeInteger(written) && written >= 0 ? written : number + 1;
    return listItem(`${number}. `, titled(step) || " ");
  });
  return joinBlocks(...items);
};

const accordion: WriteComponent = ({ text, body }) => joinBlocks(bold(text("title")), text("description"), body());

const update: WriteComponent = ({ props, nodes, writer, text }) => {
  const label = text("label");
  const tags = [props["tags"]].flat().map((tag) => writer.prop(tag as PropValue));
  const facts = [text("description"), ...tags].filter((fact) => fact !== "").join(" · ");
  const [first] = nodes;
  // Many begin with a heading that repeats the label.
  const isRepeated = first?.type === "heading" && plainText(first.children).trim() === label;
  const content = writer.blocks(isRepeated ? nodes.slice(1) : nodes);
  return joinBlocks(label === "" ? "" : `## ${label}`, facts === "" ? "" : `*${facts}*`, content);
};

const frame: WriteComponent = ({ text, body }) => joinBlocks(text("hint"), body(), text("caption"));

const view: WriteComponent = ({ text, body }) => {
  const title = text("title");
  return joinBlocks(title === "" ? "" : `## ${title}`, body());
};

const visibility: WriteComponent = ({ text, body }) => (text("for").trim().toLowerCase() === "humans" ? "" : body());

const prompt: WriteComponent = ({ text, body }) => {
  const content = body();
  const description = text("description");
  // Asterisks cannot enclose other Markdown marks.
  const title = /[*_]/.test(description) ? description : bold(description);
  return joinBlocks(title, content === "" ? "" : quote(content));
};

const treeItem: WriteComponent = (component) => {
  const name = component.text("name");
  const isFolder = component.name.endsWith("Folder");
  const line = codeSpan(isFolder && !name.endsWith("/") ? `${name}/` : name);
  const inside = tree(component);
  return inside === "" ? `- ${line}` : listItem("- ", `${line}\n${inside}`);
};

const tree: WriteComponent = ({ nodes, writer }) =>
  elementsAmong(nodes)
    .map((child) => writer.blocks([child]))
    .filter((entry) => entry !== "")
    .join("\n");

const colorItem: WriteComponent = ({ props: { value }, text }) => {
  const values = typeof value === "object" && value !== null ? Object.entries(value) : [["", value] as const];
  const shown = values.map(([mode, color]) => `${mode === "" ? "" : `${mode} `}${codeSpan(String(color))}`).join(", ");
  return `- ${text("name")}: ${shown}`;
};

const colorRow: WriteComponent = (component) => joinBlocks(bold(component.text("title")), tree(component));

/** A fence inside keeps its own text. */
const fenceOf = ({ nodes, body }: Component, info: string, code: (text: string) => string): string =>
  nodes.some((node) => node.type === "code") ? body() : fence(info, code(plainText(nodes)));

const codeBlock: WriteComponent = (component) => {
  const { language, filename } = component.props;
  const info = [language, filename].filter((part) => typeof part === "string" && part !== "").join(" ");
  return fenceOf(component, info.replace(/[\n`]/g, " "), withoutBlankLines);
};

const mermaid: WriteComponent = (component) => {
  const { chart } = component.props;
  return fenceOf(component, "mermaid", (text) => (typeof chart === "string" ? chart : text).trim());
};

const anyHeading: WriteComponent = (component) =>
  heading(Math.min(6, Math.max(1, Math.trunc(Number(component.props["level"] ?? 2)) || 2)), component);

const repository: WriteComponent = ({ props: { repo }, href }) => {
  if (typeof repo !== "string") return "";
  const url = repo.startsWith("https://") ? repo : `https://github.com/${repo}`;
  return markdownLink(linkLabel(repo.replace(/^https:\/\/github\.com\//, "")), href(url) ?? url);
};

const tooltip: WriteComponent = ({ text, line }) => {
  const content = line().trim();
  const tip = text("tip") || text("description");
  return content === "" || tip === "" ? content || tip : `${content} (${tip})`;
};

const latex: WriteComponent = ({ nodes }) => {
  const formula = plainText(nodes).trim();
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
  Heading: anyHeading,
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
  Badge: ({ line }) => line(),
  Icon: nothing,
  Image: inlineElements["img"]!,
  Latex: latex,
  Link: inlineElements["a"]!,
  Tooltip: tooltip,
};

/** The elements among children, taken out of paragraphs and fragments around them; blanks are dropped. */
const elementsAmong = (nodes: readonly Nodes[]): Nodes[] =>
  nodes.flatMap((node): Nodes[] => {
    if (node.type === "text" && node.value.trim() === "") return [];
    if (node.type === "paragraph" && node.children.some((child) => child.type === "mdxJsxTextElement"))
      return elementsAmong(node.children);
    return node.type === "mdxJsxFlowElement" && node.name === null ? elementsAmong(contentOf(node)) : [node];
  });
