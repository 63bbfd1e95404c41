import type { Nodes } from "mdast";
import type { ComponentName } from "../../../page/components/index.js";
import type { JsxElement, PropValue } from "../../../page/content/index.js";
import { fieldLocationOf } from "../../../page/content/index.js";
import { linkLabel } from "../escape.js";
import { blockElements, inlineElements } from "./html-elements.js";
import { codeSpan, fence, listItem, markdownLink, quote, singleLine, withoutBlankLines } from "./markdown.js";
import type { TwinWriter } from "./twin-writer.js";

/** Writes one component as Markdown. */
export type Flatten = (element: JsxElement, writer: TwinWriter) => string;

type Props = Readonly<Record<string, PropValue>>;
const propsOf = (element: JsxElement): Props => element.data?.props ?? {};

const body = (element: JsxElement, writer: TwinWriter) => writer.blocks(writer.children(element));
const join = (...parts: readonly string[]) => parts.filter((part) => part !== "").join("\n\n");
const bold = (text: string) => (text === "" ? "" : `**${text}**`);
const isTrue = (value: PropValue) => value === true || (typeof value === "string" && /^(?:true)?$/i.test(value));

/** A bold title on a line of its own, then the content. */
const titled =
  (fallback = ""): Flatten =>
  (element, writer) =>
    join(bold(writer.prop(propsOf(element)["title"]) || fallback), body(element, writer));

/** `**Note:** text`; content that does not start with text stands below. */
function labelled(label: string, text: string): string {
  if (text === "") return label;
  return /^(?:#{1,6} |[-*+] |\d+[.)] |>|`{3}|~{3}|\||---|\$\$)/.test(text) ? `${label}\n\n${text}` : `${label} ${text}`;
}

const callout =
  (name: string): Flatten =>
  (element, writer) => {
    const title = writer.prop(propsOf(element)["title"]) || name;
    return quote(labelled(`**${title}:**`, body(element, writer)));
  };

const calloutNames: ReadonlyMap<string, string> = new Map([
  ["note", "Note"],
  ["info", "Info"],
  ["tip", "Tip"],
  ["warning", "Warning"],
  ["check", "Check"],
  ["success", "Check"],
  ["danger", "Danger"],
  ["error", "Danger"],
]);

const anyCallout: Flatten = (element, writer) => {
  const { type, variant } = propsOf(element);
  const name = calloutNames.get(String(type ?? variant ?? "").toLowerCase());
  return callout(name ?? "Note")(element, writer);
};

const card: Flatten = (element, writer) => {
  const props = propsOf(element);
  const href = writer.href(props["href"], element);
  const title = writer.prop(props["title"]) || (href === undefined ? "" : linkLabel(href));
  const head = href === undefined ? title : markdownLink(title, href);
  const image = writer.href(props["img"], element);
  return join(
    image === undefined ? "" : `!${markdownLink("", image)}`,
    bold(head),
    writer.prop(props["description"]),
    body(element, writer),
  );
};

/** Steps are an ordered list, whatever wraps the single ones. */
const steps: Flatten = (element, writer) => {
  let number = 0;
  const items = elementsAmong(writer.children(element), writer).map((child) => {
    if (!isElement(child, "Step")) return writer.blocks([child]);
    const written = Number(propsOf(child)["stepNumber"] ?? Number.NaN);
    number = Number.isSafeInteger(written) && written >= 0 ? written : number + 1;
    return listItem(`${number}. `, step(child, writer) || " ");
  });
  return join(...items);
};

const step: Flatten = (element, writer) => join(bold(writer.prop(propsOf(element)["title"])), body(element, writer));

const accordion: Flatten = (element, writer) => {
  const props = propsOf(element);
  return join(bold(writer.prop(props["title"])), writer.prop(props["description"]), body(element, writer));
};

const field: Flatten = (element, writer) => {
  const props = propsOf(element);
  const { place, name = writer.prop(props[place ?? "name"]) } = fieldLocationOf(props);
  const facts = [
    writer.prop(props["type"]),
    place ?? writer.prop(props["location"]),
    isTrue(props["required"]) ? "required" : "",
    isTrue(props["optional"]) ? "optional" : "",
    isTrue(props["deprecated"]) ? "deprecated" : "",
    isTrue(props["readOnly"]) ? "read-only" : "",
    isTrue(props["writeOnly"]) ? "write-only" : "",
    defaultOf(props["default"], writer),
    ...[props["pre"], props["post"]].flat().map((pill) => writer.prop(pill as PropValue)),
  ].filter((fact) => fact !== "");
  const head = `${name === "" ? "" : codeSpan(name)}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`.trim();
  const text = body(element, writer);
  if (text === "" || text.startsWith("**Child attributes**")) return listItem("- ", join(head, text));
  return listItem("- ", labelled(`${head}:`, text));
};

const fieldNote: Flatten = (element, writer) => {
  const label = writer.prop(propsOf(element)["label"]);
  const nodes = writer.children(element);
  const text = writer.blocks(nodes);
  return label === "" ? text : labelled(`${label}:`, text);
};

/** The whole address: a program has no page around it that says what it is added to. */
const apiHeader: Flatten = (element) => {
  const { method, base = "", path = "" } = propsOf(element);
  const words = [method, `${base}${path}`].filter((word) => typeof word === "string" && word !== "");
  return words.length === 0 ? "" : codeSpan(words.join(" "));
};

const apiServer: Flatten = (element, writer) => {
  const { url } = propsOf(element);
  return join(typeof url === "string" ? codeSpan(url) : "", body(element, writer));
};

const apiSection: Flatten = (element, writer) => {
  const { title, subtitle, nested } = propsOf(element);
  const name = [writer.prop(title), writer.prop(subtitle)].filter((text) => text !== "");
  return join(name.length === 0 ? "" : `${nested ? "###" : "##"} ${name.join(": ")}`, body(element, writer));
};

/** Shapes of which a value has one: the tabs that they are on a page say so by being tabs. */
const tabs: Flatten = (element, writer) => join(isOptions(element) ? "One of:" : "", body(element, writer));

const isOptions = (element: Nodes): boolean =>
  isElement(element, "Tabs") && propsOf(element)["className"] === "api-options" && element.children.length > 1;

const expandable: Flatten = (element, writer) => {
  const nodes = writer.children(element);
  if (nodes.length === 1 && isOptions(nodes[0]!)) return writer.blocks(nodes);
  return join(bold(writer.prop(propsOf(element)["title"]) || "Child attributes"), writer.blocks(nodes));
};

/** Of a request in many languages programs need but one. */
const requestExample: Flatten = (element, writer) => {
  const { telling } = propsOf(element);
  const nodes = writer.children(element);
  return join("**Example request**", writer.blocks(typeof telling === "number" ? nodes.slice(0, telling) : nodes));
};

function defaultOf(value: PropValue, writer: TwinWriter): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "boolean" ? String(value) : typeof value === "object" ? JSON.stringify(value) : value;
  return typeof value === "object" && "type" in value
    ? `default: ${writer.prop(value)}`
    : `default: ${codeSpan(text === "" ? '""' : String(text))}`;
}

const update: Flatten = (element, writer) => {
  const props = propsOf(element);
  const label = writer.prop(props["label"]);
  const tags = [props["tags"]].flat().map((tag) => writer.prop(tag as PropValue));
  const facts = [writer.prop(props["description"]), ...tags].filter((fact) => fact !== "").join(" · ");
  const nodes = writer.children(element);
  const first = nodes[0];
  // Many begin with a heading that says the label again.
  const isRepeated = first?.type === "heading" && writer.text(first.children).trim() === label;
  const text = writer.blocks(isRepeated ? nodes.slice(1) : nodes);
  return join(label === "" ? "" : `## ${label}`, facts === "" ? "" : `*${facts}*`, text);
};

const frame: Flatten = (element, writer) => {
  const { hint, caption } = propsOf(element);
  return join(writer.prop(hint), body(element, writer), writer.prop(caption));
};

const view: Flatten = (element, writer) => {
  const title = writer.prop(propsOf(element)["title"]);
  return join(title === "" ? "" : `## ${title}`, body(element, writer));
};

const visibility: Flatten = (element, writer) =>
  writer.prop(propsOf(element)["for"]).trim().toLowerCase() === "humans" ? "" : body(element, writer);

const prompt: Flatten = (element, writer) => {
  const text = body(element, writer);
  const description = writer.prop(propsOf(element)["description"]);
  // Markdown of its own cannot stand within two asterisks.
  const title = /[*_]/.test(description) ? description : bold(description);
  return join(title, text === "" ? "" : quote(text));
};

const treeItem: Flatten = (element, writer) => {
  const isFolder = element.name?.endsWith("Folder") === true;
  const name = writer.prop(propsOf(element)["name"]);
  const line = `- ${codeSpan(isFolder && !name.endsWith("/") ? `${name}/` : name)}`;
  const inside = tree(element, writer);
  return inside === "" ? line : listItem("- ", `${line.slice(2)}\n${inside}`);
};

const tree: Flatten = (element, writer) => {
  const entries = elementsAmong(writer.children(element), writer).map((child) => writer.blocks([child]));
  return entries.filter((entry) => entry !== "").join("\n");
};

const colorItem: Flatten = (element, writer) => {
  const { name, value } = propsOf(element);
  const values = typeof value === "object" && value !== null ? Object.entries(value) : [["", value] as const];
  const shown = values.map(([mode, color]) => `${mode === "" ? "" : `${mode} `}${codeSpan(String(color))}`).join(", ");
  return `- ${writer.prop(name)}: ${shown}`;
};

const colorRow: Flatten = (element, writer) =>
  join(bold(writer.prop(propsOf(element)["title"])), tree(element, writer));

const codeBlock: Flatten = (element, writer) => {
  const { language, filename } = propsOf(element);
  const info = [language, filename].filter((part) => typeof part === "string" && part !== "").join(" ");
  const nodes = writer.children(element);
  // A fence inside keeps its own text.
  if (nodes.some((node) => node.type === "code")) return writer.blocks(nodes);
  return fence(info.replace(/[\n`]/g, " "), withoutBlankLines(writer.text(nodes)));
};

const mermaid: Flatten = (element, writer) => {
  const { chart } = propsOf(element);
  const nodes = writer.children(element);
  if (nodes.some((node) => node.type === "code")) return writer.blocks(nodes);
  return fence("mermaid", (typeof chart === "string" ? chart : writer.text(nodes)).trim());
};

const heading: Flatten = (element, writer) => {
  const level = Math.min(6, Math.max(1, Math.trunc(Number(propsOf(element)["level"] ?? 2)) || 2));
  const text = singleLine(writer.inline(writer.children(element)));
  return text === "" ? "" : `${"#".repeat(level)} ${text}`;
};

const repository: Flatten = (element, writer) => {
  const { repo } = propsOf(element);
  if (typeof repo !== "string") return "";
  const href = repo.startsWith("https://") ? repo : `https://github.com/${repo}`;
  return markdownLink(linkLabel(repo.replace(/^https:\/\/github\.com\//, "")), writer.href(href, element) ?? href);
};

const tooltip: Flatten = (element, writer) => {
  const props = propsOf(element);
  const text = writer.inline(writer.children(element)).trim();
  const tip = writer.prop(props["tip"]) || writer.prop(props["description"]);
  if (text === "" || tip === "") return text || tip;
  return `${text} (${tip})`;
};

const text: Flatten = (element, writer) => writer.inline(writer.children(element));
const nothing: Flatten = () => "";

const latex: Flatten = (element, writer) => {
  const formula = writer.text(writer.children(element)).trim();
  return formula === "" ? "" : `$${formula}$`;
};

/** The compiler refuses these tables if a built-in component is missing. */
type Table<Name extends ComponentName> = Readonly<Record<Name, Flatten> & Record<string, Flatten>>;
type InlineName = "Badge" | "Icon" | "Latex" | "Tooltip";

/** Components that are blocks wherever they stand. */
export const blockComponents: Table<Exclude<ComponentName, InlineName>> = {
  ...blockElements,
  Accordion: accordion,
  AccordionGroup: body,
  ApiHeader: apiHeader,
  ApiSection: apiSection,
  ApiServer: apiServer,
  Banner: body,
  Callout: anyCallout,
  Card: card,
  CardGroup: body,
  Check: callout("Check"),
  CodeBlock: codeBlock,
  CodeGroup: body,
  Color: tree,
  "Color.Item": colorItem,
  "Color.Row": colorRow,
  Column: body,
  Columns: body,
  Danger: callout("Danger"),
  Expandable: expandable,
  FieldNote: fieldNote,
  FileTree: tree,
  Frame: frame,
  "GitHub.Repo": repository,
  Heading: heading,
  Info: callout("Info"),
  Mermaid: mermaid,
  Note: callout("Note"),
  Panel: body,
  ParamField: field,
  Prompt: prompt,
  RequestExample: requestExample,
  ResponseExample: titled("Example response"),
  ResponseField: field,
  Step: step,
  Steps: steps,
  Tab: titled(),
  Tabs: tabs,
  Tile: card,
  Tip: callout("Tip"),
  Tree: tree,
  "Tree.File": treeItem,
  "Tree.Folder": treeItem,
  Update: update,
  View: view,
  Visibility: visibility,
  Warning: callout("Warning"),
};

/** Components that may stand in a sentence. */
export const inlineComponents: Table<InlineName> = {
  ...inlineElements,
  Badge: text,
  Icon: nothing,
  Image: inlineElements["img"]!,
  Latex: latex,
  Link: inlineElements["a"]!,
  Tooltip: tooltip,
};

const isElement = (node: Nodes, name: string): node is JsxElement =>
  (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") && node.name === name;

/** The elements among children: out of the paragraphs and fragments that only hold them, blanks left out. */
function elementsAmong(nodes: readonly Nodes[], writer: TwinWriter): Nodes[] {
  return nodes.flatMap((node): Nodes[] => {
    if (node.type === "text" && node.value.trim() === "") return [];
    const isWrapper =
      (node.type === "paragraph" && node.children.some((child) => child.type === "mdxJsxTextElement")) ||
      (node.type === "mdxJsxFlowElement" && node.name === null);
    if (!isWrapper) return [node];
    return elementsAmong(node.type === "paragraph" ? node.children : writer.children(node as JsxElement), writer);
  });
}
