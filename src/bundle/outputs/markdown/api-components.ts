import type { Nodes } from "mdast";
import { codeSpan, listItem, markdownLink } from "../../../lib/markdown.js";
import { fieldLocationOf, type PropValue } from "../../../page/content/index.js";
import * as writing from "./component-writer.js";

const isTrue = (value: PropValue) => value === true || (typeof value === "string" && /^(?:true)?$/i.test(value));

/** Flags of a field by their property. */
const flags = Object.entries({
  required: "required",
  optional: "optional",
  deprecated: "deprecated",
  readOnly: "read-only",
  writeOnly: "write-only",
});

const field: writing.WriteComponent = (component) => {
  const { props, writer, text } = component;
  const { place, name = writer.prop(props[place ?? "name"]) } = fieldLocationOf(props);
  const facts = [
    text("type"),
    place ?? text("location"),
    ...flags.map(([prop, label]) => (isTrue(props[prop]) ? label : "")),
    defaultOf(component),
    ...[props["pre"], props["post"]].flat().map((pill) => writer.prop(pill as PropValue)),
  ].filter((fact) => fact !== "");
  const head = `${name === "" ? "" : codeSpan(name)}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`.trim();
  const content = component.body();
  if (content === "" || content.startsWith("**Child attributes**"))
    return listItem("- ", writing.joinBlocks(head, content));
  return listItem("- ", writing.labelled(`${head}:`, content));
};

const fieldNote: writing.WriteComponent = ({ text, body }) => {
  const label = text("label");
  return label === "" ? body() : writing.labelled(`${label}:`, body());
};

/** The whole URL: an agent does not see the base URL elsewhere. */
const apiHeader: writing.WriteComponent = ({ props: { method, base = "", path = "" } }) => {
  const words = [method, `${base}${path}`].filter((word) => typeof word === "string" && word !== "");
  return words.length === 0 ? "" : codeSpan(words.join(" "));
};

const apiCall: writing.WriteComponent = ({ props: { method }, body }) =>
  [typeof method === "string" ? method : "", body()].filter((part) => part !== "").join(" ");

const apiServer: writing.WriteComponent = ({ props: { url }, body }) =>
  writing.joinBlocks(typeof url === "string" ? codeSpan(url) : "", body());

const apiSection: writing.WriteComponent = ({ props: { nested }, text, body }) => {
  const name = [text("title"), text("subtitle")].filter((part) => part !== "");
  return writing.joinBlocks(name.length === 0 ? "" : `${nested ? "###" : "##"} ${name.join(": ")}`, body());
};

/** Alternative shapes of a value: on a page the tabs show that only one applies. */
const tabs: writing.WriteComponent = ({ props, nodes, body }) =>
  writing.joinBlocks(props["className"] === "api-options" && nodes.length > 1 ? "One of:" : "", body());

const isOptions = (node: Nodes): boolean =>
  writing.isElement(node) &&
  node.name === "Tabs" &&
  node.data?.props?.["className"] === "api-options" &&
  node.children.length > 1;

const expandable: writing.WriteComponent = ({ props: { source }, nodes, text, body, line }) => {
  const head = writing.bold(text("title") || "Child attributes");
  // The page of a model has a Markdown version, too.
  if (typeof source === "string") return `${head}: ${markdownLink(line(), source.replace(/\.html$/, ".md"))}`;
  return nodes.length === 1 && isOptions(nodes[0]!) ? body() : writing.joinBlocks(head, body());
};

/** Agents need a request in one language only. */
const requestExample: writing.WriteComponent = ({ props: { telling }, nodes, writer }) => {
  const shown = typeof telling === "number" ? nodes.slice(0, telling).map(firstCode) : nodes;
  return writing.joinBlocks("**Example request**", writer.blocks(shown));
};

/** Requests with named examples are in tabs; the section of the body has the other examples. */
function firstCode(node: Nodes): Nodes {
  const isGroup = writing.isElement(node) && ["Tabs", "Tab", "CodeGroup"].includes(node.name ?? "");
  const [first] = isGroup ? writing.contentOf(node) : [];
  return first ? firstCode(first) : node;
}

function defaultOf({ props: { default: value }, writer }: writing.Component): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "object" && "type" in value) return `default: ${writer.prop(value)}`;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return `default: ${codeSpan(text === "" ? '""' : text)}`;
}

/** Components of an API reference; all are blocks. */
export const apiComponents = {
  ApiCall: apiCall,
  // The page has these links outside its content.
  ApiDownloads: () => "",
  ApiHeader: apiHeader,
  ApiSection: apiSection,
  ApiServer: apiServer,
  Expandable: expandable,
  FieldNote: fieldNote,
  ParamField: field,
  RequestExample: requestExample,
  ResponseExample: ({ text, body }) => writing.joinBlocks(writing.bold(text("title") || "Example response"), body()),
  ResponseField: field,
  Tabs: tabs,
} satisfies Readonly<Record<string, writing.WriteComponent>>;
