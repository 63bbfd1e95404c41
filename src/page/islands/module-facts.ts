import type { AnyNode } from "./check-source.js";
import { providedNames } from "./runtime/names.js";

/** Facts about a compiled module. */
export interface ModuleFacts {
  /** Paths of imports, as written. */
  readonly imports: readonly string[];
  /** Names that the module may use without an import. */
  readonly provided: readonly string[];
  /** String literals. */
  readonly literals: readonly string[];
  /** Network APIs that it names: `fetch`, `WebSocket`, `<iframe>`. */
  readonly network: readonly string[];
}

interface Findings {
  readonly imports: Set<string>;
  readonly literals: Set<string>;
  readonly network: Set<string>;
}

/** @param code compiled: imports are calls of `require`, elements calls of `__h`. */
export async function readFacts(code: string): Promise<ModuleFacts> {
  const { parse } = await import("acorn");
  const findings: Findings = { imports: new Set(), literals: new Set(), network: new Set() };
  const stack: unknown[] = [parse(code, { ecmaVersion: "latest", sourceType: "script" })];
  while (stack.length > 0) {
    const node = stack.pop();
    // One by one, since a list may be longer than the arguments of a call.
    if (Array.isArray(node)) for (const item of node) stack.push(item);
    else if (typeof node === "object" && node !== null) stack.push(...visitNode(node as AnyNode, findings));
  }
  const words = new Set(code.match(/[\w$]+/g));
  const sorted = (set: ReadonlySet<string>): string[] => [...set].sort().slice(0, maxCount);
  return {
    imports: sorted(findings.imports),
    provided: names.filter((name) => words.has(name)),
    literals: sorted(findings.literals),
    network: sorted(findings.network),
  };
}

function addLiteral(text: string, { literals }: Findings): void {
  if (/^\/[^/]/.test(text) ? text.length <= 300 : iconName.test(text)) literals.add(text);
}

const maxCount = 2_000;
const names = [...new Set([...providedNames, "__h", "__F", "__Slot"])].sort();

/** Notes the facts of a node, and returns the nodes to visit next. */
function visitNode(node: AnyNode, findings: Findings): unknown[] {
  const { imports, network } = findings;
  switch (node.type) {
    case "Literal":
    case "TemplateLiteral": {
      const text = literalText(node);
      if (text !== undefined) addLiteral(text, findings);
      return node.type === "Literal" ? [] : [node["expressions"]];
    }
    case "Identifier":
      if (networkNames.has(node["name"] as string)) network.add(node["name"] as string);
      return [];
    case "MemberExpression": {
      if (node["computed"]) return [node["object"], node["property"]];
      const [object, property] = [node["object"], node["property"]].map((part) => (part as AnyNode)["name"] as string);
      const isGlobal = /^(?:window|self|globalThis|navigator)$/.test(object ?? "");
      if (isGlobal && networkNames.has(property!)) network.add(property!);
      return [node["object"]];
    }
    case "Property":
    case "PropertyDefinition":
    case "MethodDefinition":
      return node["computed"] ? [node["key"], node["value"]] : [node["value"]];
    case "CallExpression": {
      const [first, second] = node["arguments"] as AnyNode[];
      const callee = (node["callee"] as AnyNode)["name"];
      const text = first && literalText(first);
      if (callee === "require" && text !== undefined) imports.add(text);
      if (callee === "__h" && text === "iframe" && isOutside(second)) network.add("<iframe>");
      return [node["callee"], node["arguments"]];
    }
    default:
      return Object.values(node).filter((value) => typeof value === "object");
  }
}

/** Names of icons, with or without a library. */
const iconName = /^[a-z][\w:/.-]{0,80}$/i;
const networkNames = new Set(["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "sendBeacon"]);

/** The text of a literal, or the start of a template. */
function literalText(node: AnyNode): string | undefined {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : undefined;
  if (node.type !== "TemplateLiteral") return undefined;
  const [first] = node["quasis"] as { readonly value: { readonly cooked?: string } }[];
  return first?.value.cooked;
}

function isOutside(props: AnyNode | undefined): boolean {
  const properties = (props?.type === "ObjectExpression" ? props["properties"] : []) as AnyNode[];
  const src = properties.find((property) => (property["key"] as AnyNode | undefined)?.["name"] === "src");
  const text = src && literalText(src["value"] as AnyNode);
  return text !== undefined && /^(?:https?:)?\/\//i.test(text);
}
