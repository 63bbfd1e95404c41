import type { AnyNode } from "./check-source.js";
import { providedNames } from "./runtime/names.js";

/** What is read off a compiled module. */
export interface ModuleFacts {
  /** Paths of imports, as written. */
  readonly imports: readonly string[];
  /** Names that the module may use without an import. */
  readonly provided: readonly string[];
  /** String literals. */
  readonly literals: readonly string[];
  /** What it names that reaches the network: `fetch`, `WebSocket`, `<iframe>`. */
  readonly network: readonly string[];
}

interface Found {
  readonly imports: Set<string>;
  readonly literals: Set<string>;
  readonly network: Set<string>;
}

/** @param code compiled, so imports are calls of `require`, and elements calls of `__h`. */
export async function readFacts(code: string): Promise<ModuleFacts> {
  const found = findInTokens(code) ?? (await findInTree(code));
  const words = new Set(code.match(/[\w$]+/g));
  const sorted = (set: ReadonlySet<string>): string[] => [...set].sort().slice(0, maxCount);
  return {
    imports: sorted(found.imports),
    provided: names.filter((name) => words.has(name)),
    literals: sorted(found.literals),
    network: sorted(found.network),
  };
}

/**
 * Most modules of pages import and show components, and their tokens say enough: that costs far less than a tree.
 *
 * @returns undefined for code whose tokens depend on what is around them, and for what the tree says more about.
 */
export function findInTokens(code: string): Found | undefined {
  if (/[`\\]|\b(?:case|class|new|iframe|fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\b/.test(code))
    return undefined;
  const found: Found = { imports: new Set(), literals: new Set(), network: new Set() };
  const tokens = code.match(/"[^"\n]*"|'[^'\n]*'|[\w$\u0080-\uffff]+|[^\s]/g) ?? [];
  for (const [i, token] of tokens.entries()) {
    // Division, regular expressions and comments.
    if (token === "/" || token === "'" || token === '"') return undefined;
    if (token[0] !== '"' && token[0] !== "'") continue;
    const [before, after] = [tokens[i - 1], tokens[i + 1]];
    if (after === "(" || after === "=") return undefined;
    // The name of a property.
    if (after === ":" && (before === "{" || before === ",")) continue;
    const text = token.slice(1, -1);
    addLiteral(text, found);
    if (before !== "(" || tokens[i - 2] !== "require" || (after !== ")" && after !== ",")) continue;
    // A property of that name, or what is spread.
    if (tokens[i - 3] === ".") return undefined;
    found.imports.add(text);
  }
  return found;
}

export async function findInTree(code: string): Promise<Found> {
  const { parse } = await import("acorn");
  const found: Found = { imports: new Set(), literals: new Set(), network: new Set() };
  const stack: unknown[] = [parse(code, { ecmaVersion: "latest", sourceType: "script" })];
  while (stack.length > 0) {
    const node = stack.pop();
    if (Array.isArray(node)) for (const each of node) stack.push(each);
    else if (typeof node === "object" && node !== null)
      for (const each of partsOf(node as AnyNode, found)) stack.push(each);
  }
  return found;
}

function addLiteral(text: string, { literals }: Found): void {
  if (/^\/[^/]/.test(text) ? text.length <= 300 : iconName.test(text)) literals.add(text);
}

const maxCount = 2_000;
const names = [...new Set([...providedNames, "__h", "__F", "__Slot"])].sort();

/** Takes what a node has itself, and returns what to look at next. */
function partsOf(node: AnyNode, found: Found): unknown[] {
  const { imports, network } = found;
  switch (node.type) {
    case "Literal":
    case "TemplateLiteral": {
      const text = textOf(node);
      if (text !== undefined) addLiteral(text, found);
      return node.type === "Literal" ? [] : [node["expressions"]];
    }
    case "Identifier":
      if (networkNames.has(node["name"] as string)) network.add(node["name"] as string);
      return [];
    case "MemberExpression": {
      if (node["computed"]) return [node["object"], node["property"]];
      const [object, property] = [node["object"], node["property"]].map((each) => (each as AnyNode)["name"] as string);
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
      const text = first && textOf(first);
      if (callee === "require" && text !== undefined) imports.add(text);
      if (callee === "__h" && text === "iframe" && isOutside(second)) network.add("<iframe>");
      return [node["callee"], node["arguments"]];
    }
    default:
      return Object.values(node).filter((value) => typeof value === "object");
  }
}

/** Names of icons, with their library or not. */
const iconName = /^[a-z][\w:/.-]{0,80}$/i;
const networkNames = new Set(["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "sendBeacon"]);

/** Text of a literal, or with which a template begins. */
function textOf(node: AnyNode): string | undefined {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : undefined;
  if (node.type !== "TemplateLiteral") return undefined;
  const [first] = node["quasis"] as { readonly value: { readonly cooked?: string } }[];
  return first?.value.cooked;
}

function isOutside(props: AnyNode | undefined): boolean {
  const properties = (props?.type === "ObjectExpression" ? props["properties"] : []) as AnyNode[];
  const src = properties.find((each) => (each["key"] as AnyNode | undefined)?.["name"] === "src");
  const text = src && textOf(src["value"] as AnyNode);
  return text !== undefined && /^(?:https?:)?\/\//i.test(text);
}
