import { type AnyNode, identifierName } from "../../lib/jsx/syntax-node.js";

/** Thrown for a module that must be compiled by esbuild. */
export const unfit = new Error("esbuild compiles this.");

/** Collects the edits of a module: replacements of ranges of its text, in source order. */
export interface Changes {
  readonly text: string;
  /** Replacements for the names of imports. */
  readonly imported: ReadonlyMap<string, string>;
  edit(start: number, end: number, replacement: string): void;
  visit(value: unknown, depth: number): void;
}

/** Turns an element into a call of `__h`. Tag, properties and children keep their order. */
export function writeElement(node: AnyNode, depth: number, changes: Changes): void {
  const { text, edit, visit } = changes;
  const isFragment = node.type === "JSXFragment";
  const open = node[isFragment ? "openingFragment" : "openingElement"] as AnyNode;
  const close = node[isFragment ? "closingFragment" : "closingElement"] as AnyNode | null;
  const attributes = (open["attributes"] ?? []) as AnyNode[];
  const space = /[\w$\u0080-\uffff]/.test(text[open.start - 1] ?? "") ? " " : "";
  let end = isFragment ? open.start : (open["name"] as AnyNode).end;
  edit(open.start, end, `${space}__h(${isFragment ? "__F" : elementType(open["name"] as AnyNode, changes)}`);
  for (const [i, attribute] of attributes.entries()) {
    edit(end, attribute.start, i === 0 ? ",{" : ",");
    writeAttribute(attribute, depth, changes);
    end = attribute.end;
  }
  edit(end, open.end, `${attributes.length > 0 ? "}" : ",null"}${close ? "" : ")"}`);
  for (const child of node["children"] as AnyNode[]) {
    const { type, start, end } = child;
    if (type === "JSXText") {
      const visible = visibleText(String(child["raw"]));
      edit(start, end, visible === "" ? "" : `,${JSON.stringify(visible)}`);
    } else if (type === "JSXExpressionContainer") writeContainer(child, ",", depth, changes);
    else {
      edit(start, start, ",");
      visit(child, depth);
    }
  }
  if (close) edit(close.start, close.end, ")");
}

function elementType(name: AnyNode, { text, imported }: Changes): string {
  const written = text.slice(name.start, name.end);
  // The name may contain a comment, or be `this`.
  if (!/^(?!this\b)[\w$.:-]+$/.test(written)) throw unfit;
  const hasPunctuation = /[-:]/.test(written);
  if (name.type === "JSXMemberExpression") {
    // The parser accepts `<a-b.c>`, which is not JSX.
    if (hasPunctuation) throw unfit;
  } else if (hasPunctuation || /^[a-z]/.test(written)) return JSON.stringify(written);
  const [first, ...rest] = written.split(".");
  return [imported.get(first!) ?? first, ...rest].join(".");
}

function writeAttribute(attribute: AnyNode, depth: number, changes: Changes): void {
  const { text, edit, visit } = changes;
  const { type, start, end } = attribute;
  if (type === "JSXSpreadAttribute") {
    edit(start, start + 1, "");
    visit(attribute["argument"], depth);
    edit(end - 1, end, "");
    return;
  }
  const name = attribute["name"] as AnyNode;
  const value = attribute["value"] as AnyNode | null;
  const key = name.type === "JSXIdentifier" ? identifierName(name) : text.slice(name.start, name.end);
  edit(start, value?.start ?? end, `${/^[\w$]+$/.test(key) ? key : JSON.stringify(key)}:${value ? "" : "!0"}`);
  if (value?.type === "JSXExpressionContainer") writeContainer(value, "", depth, changes);
  else if (value?.type === "Literal") {
    // Character references and line breaks are left to esbuild.
    if (/[&\r]/.test(text.slice(value.start, value.end))) throw unfit;
    edit(value.start, value.end, JSON.stringify(value["value"]));
  } else visit(value, depth);
}

function writeContainer(container: AnyNode, before: string, depth: number, { edit, visit }: Changes): void {
  const { start, end } = container;
  const expression = container["expression"] as AnyNode;
  if (expression.type === "JSXEmptyExpression") {
    edit(start, end, "");
    return;
  }
  const isList = expression.type === "SequenceExpression";
  edit(start, start + 1, `${before}${isList ? "(" : ""}`);
  visit(expression, depth);
  edit(end - 1, end, isList ? ")" : "");
}

/** The text that JSX shows: lines joined by a space, whitespace around line breaks trimmed. */
export function visibleText(raw: string): string {
  if (raw.includes("&")) throw unfit;
  const lines = raw.split(/\r\n|[\n\r\u2028\u2029]/);
  return lines
    .map((line, i) => (i === 0 ? line : line.trimStart()))
    .map((line, i) => (i === lines.length - 1 ? line : line.trimEnd()))
    .filter((line) => line !== "")
    .join(" ");
}
