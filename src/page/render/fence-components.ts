import type { Code, Nodes } from "mdast";
import type { JsxElement, PropValue } from "../content/index.js";
import { markdownText } from "./node-text.js";
import { textOfProp } from "./prop-values.js";

/** Components that are rendered like a fence of their text. */
const fenceComponents: ReadonlySet<string> = new Set(["CodeBlock", "Mermaid", "Latex"]);

export const isFenceComponent = (node: JsxElement): boolean => node.name !== null && fenceComponents.has(node.name);

/** Whether the component only wraps a fence, which is rendered by itself. */
export const holdsFence = (node: JsxElement): boolean => (node.children as Nodes[]).some(({ type }) => type === "code");

const fences = new WeakMap<JsxElement, Code>();

/** The fence that the component is rendered as; the same object for every call. */
export function fenceOf(node: JsxElement): Code {
  let code = fences.get(node);
  if (!code) {
    code = makeCode(node);
    fences.set(node, code);
  }
  return code;
}

function makeCode(node: JsxElement): Code {
  const props = node.data?.props ?? {};
  const value =
    textOfProp(props["chart"] ?? props["code"]) ?? textOfProp(props["children"]) ?? markdownText(node.children);
  const lang =
    node.name === "Mermaid"
      ? "mermaid"
      : node.name === "Latex"
        ? "math"
        : textOfProp(props["language"] ?? props["lang"]);
  return {
    type: "code",
    lang: lang ?? null,
    meta: metaOf(props),
    value: value.replace(/^\s*\n|\s+$/g, ""),
    position: node.position,
    data: node.data?.sourcePath === undefined ? {} : { sourcePath: node.data.sourcePath },
  };
}

/** The properties in the form that follows a fence's language: `title="a.ts" lines highlight={[1,3]}`. */
function metaOf(props: Readonly<Record<string, PropValue>>): string | null {
  const parts: string[] = [];
  const title = textOfProp(props["filename"] ?? props["title"]);
  if (title) parts.push(`title=${quote(title)}`);
  const icon = textOfProp(props["icon"]);
  if (icon) parts.push(`icon=${quote(icon)}`);
  for (const flag of ["lines", "wrap", "nocopy", "expandable"])
    if (/^(?:true)?$/i.test(String(props[flag] ?? "no"))) parts.push(flag);
  for (const name of ["highlight", "focus"]) {
    const lines = Array.isArray(props[name]) ? props[name].join(",") : textOfProp(props[name]);
    if (lines) parts.push(`${name}={${lines.replace(/[[\]{}\s]/g, "")}}`);
  }
  return parts.length > 0 ? parts.join(" ") : null;
}

const quote = (text: string): string => (text.includes('"') ? `'${text.replaceAll("'", "’")}'` : `"${text}"`);
