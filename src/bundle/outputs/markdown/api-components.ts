import type { Nodes } from "mdast";
import { fieldLocationOf, type JsxElement, type PropValue } from "../../../page/content/index.js";
import {
  body,
  bold,
  type ContentWriter,
  isElement,
  joinBlocks,
  labelled,
  propsOf,
  type WriteComponent,
} from "./component-writer.js";
import { codeSpan, listItem, markdownLink } from "./markdown.js";

const isTrue = (value: PropValue) => value === true || (typeof value === "string" && /^(?:true)?$/i.test(value));

const field: WriteComponent = (element, writer) => {
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
  if (text === "" || text.startsWith("**Child attributes**")) return listItem("- ", joinBlocks(head, text));
  return listItem("- ", labelled(`${head}:`, text));
};

const fieldNote: WriteComponent = (element, writer) => {
  const label = writer.prop(propsOf(element)["label"]);
  const nodes = writer.children(element);
  const text = writer.blocks(nodes);
  return label === "" ? text : labelled(`${label}:`, text);
};

/** The whole URL: an agent does not see the base URL elsewhere. */
const apiHeader: WriteComponent = (element) => {
  const { method, base = "", path = "" } = propsOf(element);
  const words = [method, `${base}${path}`].filter((word) => typeof word === "string" && word !== "");
  return words.length === 0 ? "" : codeSpan(words.join(" "));
};

const apiCall: WriteComponent = (element, writer) => {
  const { method } = propsOf(element);
  return [typeof method === "string" ? method : "", body(element, writer)].filter((part) => part !== "").join(" ");
};

const apiServer: WriteComponent = (element, writer) => {
  const { url } = propsOf(element);
  return joinBlocks(typeof url === "string" ? codeSpan(url) : "", body(element, writer));
};

const apiSection: WriteComponent = (element, writer) => {
  const { title, subtitle, nested } = propsOf(element);
  const name = [writer.prop(title), writer.prop(subtitle)].filter((text) => text !== "");
  return joinBlocks(name.length === 0 ? "" : `${nested ? "###" : "##"} ${name.join(": ")}`, body(element, writer));
};

/** Alternative shapes of a value: on a page the tabs show that only one applies. */
const tabs: WriteComponent = (element, writer) =>
  joinBlocks(isOptions(element) ? "One of:" : "", body(element, writer));

const isOptions = (element: Nodes): boolean =>
  isElement(element, "Tabs") && propsOf(element)["className"] === "api-options" && element.children.length > 1;

const expandable: WriteComponent = (element, writer) => {
  const nodes = writer.children(element);
  const { title, source } = propsOf(element);
  const head = bold(writer.prop(title) || "Child attributes");
  // The page of a model has a Markdown version, too.
  if (typeof source === "string")
    return `${head}: ${markdownLink(writer.inline(nodes), source.replace(/\.html$/, ".md"))}`;
  if (nodes.length === 1 && isOptions(nodes[0]!)) return writer.blocks(nodes);
  return joinBlocks(head, writer.blocks(nodes));
};

/** Agents need a request in one language only. */
const requestExample: WriteComponent = (element, writer) => {
  const { telling } = propsOf(element);
  const nodes = writer.children(element);
  const shown = typeof telling === "number" ? nodes.slice(0, telling).map(firstCode) : nodes;
  return joinBlocks("**Example request**", writer.blocks(shown));

  /** Requests with named examples are in tabs; the values of the others are in the section of the body. */
  function firstCode(node: Nodes): Nodes {
    const isGroup = ["Tabs", "Tab", "CodeGroup"].some((name) => isElement(node, name));
    const [first] = isGroup ? writer.children(node as JsxElement) : [];
    return first ? firstCode(first) : node;
  }
};

function defaultOf(value: PropValue, writer: ContentWriter): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "boolean" ? String(value) : typeof value === "object" ? JSON.stringify(value) : value;
  return typeof value === "object" && "type" in value
    ? `default: ${writer.prop(value)}`
    : `default: ${codeSpan(text === "" ? '""' : String(text))}`;
}

/** Components of an API reference; all are blocks. */
export const apiComponents = {
  ApiCall: apiCall,
  // They are links of the page around its content.
  ApiDownloads: () => "",
  ApiHeader: apiHeader,
  ApiSection: apiSection,
  ApiServer: apiServer,
  Expandable: expandable,
  FieldNote: fieldNote,
  ParamField: field,
  RequestExample: requestExample,
  ResponseExample: (element, writer) =>
    joinBlocks(bold(writer.prop(propsOf(element)["title"]) || "Example response"), body(element, writer)),
  ResponseField: field,
  Tabs: tabs,
} satisfies Readonly<Record<string, WriteComponent>>;
