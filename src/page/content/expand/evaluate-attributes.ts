/** The attributes of a tag as the properties a component receives. */
import type { Expression } from "estree-jsx";
import { type Location, quoted, warningOf } from "../../../lib/diagnostic/index.js";
import type { Scope } from "../expressions/scope.js";
import { Environment, isJsxTree, isPlainObject, Opaque, Stop, type Value } from "../expressions/values.js";
import { isRefusedKey } from "../frontmatter/plain-lines.js";
import { nodeLocation } from "../location.js";
import type { JsxElement, PropValue } from "../page-content.js";
import type { Expansion } from "./expansion.js";
import { asStop, reportAsTyped, reportLimit, reportLive, type Shown } from "./show-value.js";

export type Props = Record<string, PropValue>;

/** An attribute that only a JavaScript engine can evaluate. */
export interface LiveAttribute {
  readonly kind: "handler" | "value";
  /** Reports that it is left out. */
  readonly report: () => void;
}

export interface Attributes {
  readonly props: Props;
  /** Those that are not in `props`. */
  readonly live: readonly LiveAttribute[];
}

export function evaluateAttributes(node: JsxElement, scope: Scope, expander: Expansion): Attributes {
  const props: Props = {};
  const live: LiveAttribute[] = [];
  const evaluateText = (text: string, name?: string): PropValue => {
    const value = attributeValue(text, node, scope, expander, name);
    if (!(value instanceof Live)) return value;
    live.push(value);
    return undefined;
  };
  for (const attribute of node.attributes) {
    if (attribute.type === "mdxJsxExpressionAttribute") {
      spreadInto(props, evaluateText(`{${attribute.value}}`), expander);
      continue;
    }
    const { name, value } = attribute;
    if (isRefusedKey(name)) continue;
    if (value === null || value === undefined) props[name] = true;
    else if (typeof value === "string") {
      props[name] = expander.unmaskedText(value, scope, node);
      const isStyle = name === "style" && /^\{\{[^{}]*\}\}$/.test(value);
      if (isStyle || /^\{[A-Za-z_$][\w$]*\}$/.test(value)) reportQuoted(name, value, node, scope, expander);
    } else {
      const plain = evaluateText(value.value, name);
      if (plain !== undefined) props[name] = plain;
    }
  }
  return { props, live };
}

/** `style="{{…}}"`, and `title="{name}"` where the page defines `name`; otherwise it is mostly a placeholder. */
function reportQuoted(name: string, value: string, node: JsxElement, scope: Scope, expander: Expansion): void {
  const defined = value.slice(1, -1);
  if (name !== "style" && (defined === "user" || !scope.env.has(defined))) return;
  expander.page.report({
    ...warningOf("PROPERTY_VALUE"),
    what: `"${name}" of <${node.name}> is the text "${value}": between quotes, no expression is evaluated.`,
    location: locationOfAttribute(node, name, value, scope),
    fix: `write ${name}=${value}.`,
    rewrites: [{ written: `${name}="${value}"`, replacement: `${name}=${value}`, certain: true }],
  });
}

class Live implements LiveAttribute {
  constructor(
    readonly kind: "handler" | "value",
    readonly report: () => void,
  ) {}
}

/** Adds the properties of an object; ignores other values. @throws {Stop} */
export function spreadInto(props: Props, value: Value, expander: Expansion): void {
  if (!isPlainObject(value)) return;
  for (const key of Object.keys(value)) if (!isRefusedKey(key)) setProp(props, key, value[key], expander);
}

/** A value that becomes undefined sets nothing. @throws {Stop} */
export function setProp(props: Props, name: string, value: Value, expander: Expansion): void {
  const plain = toProp(value, expander);
  if (plain !== undefined) props[name] = plain;
}

export const isEventHandler = (name: string): boolean => /^on[A-Z]/.test(name);

function attributeValue(
  text: string,
  node: JsxElement,
  scope: Scope,
  expander: Expansion,
  name: string | undefined,
): PropValue | Live {
  const start = node.position?.start ?? { line: 1, column: 1 };
  const location = locationOfAttribute(node, name, text, scope);
  const shown = { typed: name === undefined ? text : `${name}={${text}}`, mode: "inline", location } as const;
  if (name !== undefined && isEventHandler(name))
    return new Live("handler", () => reportHandler(name, location, expander));
  const parsed = expander.options.readExpression(text);
  try {
    if (parsed.kind === "empty") return undefined;
    if (parsed.kind !== "tree") throw new Stop("text", "expression");
    const path = /^(?:href|src|img|image|link|poster|to|url)$/i.test(name ?? "")
      ? pathOf(parsed.node, scope.env)
      : undefined;
    if (path !== undefined) {
      reportPathFunction(`${name}=${JSON.stringify(path)}`, shown, expander);
      return path;
    }
    const code = { text, sourcePath: scope.module.sourcePath, line: start.line, column: start.column, shift: 1 };
    const value = expander.interpreter.evaluate(parsed.node, new Environment(code, scope.env));
    if (value instanceof Opaque) throw new Stop("javascript", "function");
    return toProp(value, expander);
  } catch (error) {
    const stop = asStop(error);
    if (stop.reason === "javascript") return new Live("value", () => reportLive(shown, expander));
    reportDropped(stop, shown, expander);
    return undefined;
  }
}

/** The path in a call of another tool's function, which the page lacks: `useBaseUrl("/a.png")`, `withBase("/a")`. */
function pathOf(node: Expression, env: Environment): string | undefined {
  const call = node.type === "MemberExpression" ? node.object : node;
  if (call.type !== "CallExpression" || call.callee.type !== "Identifier") return undefined;
  // The interpreter reads `require("./a.png")`, but not its `default`.
  if (call === node && call.callee.name === "require") return undefined;
  const [argument, ...others] = call.arguments;
  if (argument?.type !== "Literal" || typeof argument.value !== "string" || others.length > 0) return undefined;
  const isPath = /^(?:\.{0,2}\/|https?:|#)|\.\w{2,5}$|^[\w-]+\/[\w/-]*$/.test(argument.value);
  return isPath && !isDefined(call.callee.name, env) ? argument.value : undefined;
}

function isDefined(name: string, env: Environment): boolean {
  try {
    return env.lookup(name) !== undefined;
  } catch (error) {
    return !/^(?:missing|undefined)$/.test(asStop(error).reason);
  }
}

function reportPathFunction(replacement: string, { location, typed }: Shown, expander: Expansion): void {
  expander.page.report({
    ...warningOf("PROPERTY_VALUE", location),
    what: `${quoted(typed, 60)} calls a function that the page does not have; the path in it is used.`,
    fix: `write ${replacement}.`,
    rewrites: [{ written: typed, replacement, certain: true }],
  });
}

/** Reports a property that is left out. @throws {Stop} if a JavaScript engine can evaluate it. */
export function reportDropped(stop: Stop, shown: Parameters<typeof reportLimit>[1], expander: Expansion): void {
  if (stop.reason === "javascript") throw stop;
  if (stop.reason === "limit") reportLimit(stop, shown, expander);
  else reportAsTyped(stop, shown, expander, "is left out");
}

function reportHandler(name: string, location: Location, expander: Expansion): void {
  expander.page.reportOnce("NEEDS_JAVASCRIPT handler", () => ({
    ...warningOf("NEEDS_JAVASCRIPT", location),
    what: `Built-in components cannot have event handlers, so ${name} is left out, as are all others on this page.`,
    fix: "move it to an HTML element such as <button>, or move its code to a .js file in the site, which every page loads.",
  }));
}

/**
 * The value as data, without functions. An object of the page cannot pass for a JSX tree.
 * @throws {Stop} if nested lists get too large.
 */
function toProp(value: Value, expander: Expansion): PropValue {
  if (--expander.page.budget.steps < 0) throw new Stop("limit", "too many values");
  if (typeof value === "string") return expander.variables.fill(value);
  if (value instanceof Opaque) return undefined;
  if (typeof value !== "object" || value === null || isJsxTree(value)) return value;
  if (Array.isArray(value)) return value.map((each: Value) => toProp(each, expander));
  const out: Record<string, PropValue> = {};
  for (const [key, each] of Object.entries(value as { readonly [key: string]: Value })) {
    if (key === "type" && each === "jsxTree") continue;
    const plain = toProp(each, expander);
    if (plain !== undefined) out[key] = plain;
  }
  return out;
}

/** The offset of an attribute of the tag; undefined if it is not certain. */
export function attributeOffset({ position }: JsxElement, name: string, { module }: Scope): number | undefined {
  const { start, end } = position ?? {};
  if (start?.offset === undefined || end?.offset === undefined) return undefined;
  const tag = module.source.slice(start.offset, end.offset).split(">", 1)[0]!;
  const matches = [...tag.matchAll(new RegExp(`(?<=\\s)${name.replace(/\W/g, "\\$&")}(?=[\\s=/]|$)`, "g"))];
  return matches.length === 1 ? start.offset + matches[0]!.index : undefined;
}

/** Where the attribute is; the tag, if it is not found. The parser gives attributes no position, so the tag is searched. */
export function locationOfAttribute(node: JsxElement, name: string | undefined, text: string, scope: Scope): Location {
  const start = node.position?.start.offset;
  const at =
    start === undefined ? -1 : scope.module.source.indexOf(name === undefined ? text.slice(1, -1) : `${name}=`, start);
  if (at === -1 || at > (node.position?.end.offset ?? 0)) return nodeLocation(node, scope.module.sourcePath);
  const { line, column } = scope.pointAt(at);
  return { sourcePath: scope.module.sourcePath, line, column };
}
