/** Turns JSX in code (`icon={<svg/>}`, the body of a component) into the same nodes as JSX in the page. */
import type {
  JSXAttribute,
  JSXElement,
  JSXFragment,
  JSXIdentifier,
  JSXMemberExpression,
  JSXNamespacedName,
  Node,
} from "estree-jsx";
import type { RootContent } from "mdast";
import type { Position } from "unist";
import type { Location } from "../../../lib/diagnostic/index.js";
import type { Mode } from "../expressions/scope.js";
import { type Environment, jsxTree, Opaque, Stop, type Value } from "../expressions/values.js";
import { isRefusedKey } from "../frontmatter/plain-lines.js";
import { pointAt } from "../location.js";
import { isEventHandler, type Props, reportDropped, setProp, spreadInto } from "./evaluate-attributes.js";
import type { Expansion } from "./expansion.js";
import { expandPageComponent, findPageComponent } from "./page-components.js";
import { asStop, nodesOfValue, type Shown, showStopped } from "./show-value.js";

export const evaluateJsx = (node: JSXElement | JSXFragment, env: Environment, expander: Expansion): Value =>
  jsxTree(node.type === "JSXFragment" ? children(node, env, expander) : element(node, env, "jsx", expander));

function element(node: JSXElement, env: Environment, mode: Mode, expander: Expansion): RootContent[] {
  if (--expander.page.budget.nodes < 0) throw new Stop("limit", "too many elements", node);
  const name = tagNameOf(node.openingElement.name);
  const props = attributes(node, env, expander);
  const shown = shownAt(node, env, mode, expander);
  const component = findPageComponent(name, env, props, expander);
  if (component !== undefined)
    return expandPageComponent(
      component,
      { ...shown, name, props, children: () => children(node, env, expander) },
      expander,
    );
  const { sourcePath } = shown;
  return [
    {
      type: mode === "inline" ? "mdxJsxTextElement" : "mdxJsxFlowElement",
      name,
      attributes: [],
      children: children(node, env, expander),
      position: shown.position,
      data: { props, isInCode: true, ...(sourcePath === undefined ? {} : { sourcePath }) },
    } as unknown as RootContent,
  ];
}

function attributes(node: JSXElement, env: Environment, expander: Expansion): Props {
  const props: Props = {};
  for (const attribute of node.openingElement.attributes) {
    const shown = shownAt(attribute, env, "inline", expander);
    try {
      if (attribute.type === "JSXSpreadAttribute") {
        spreadInto(props, expander.interpreter.evaluate(attribute.argument, env), expander);
        continue;
      }
      const name = tagNameOf(attribute.name);
      if (isRefusedKey(name)) continue;
      if (isEventHandler(name) || name === "dangerouslySetInnerHTML") throw new Stop("javascript", name);
      setProp(props, name, attributeValue(attribute, env, expander), expander);
    } catch (error) {
      reportDropped(asStop(error), shown, expander);
    }
  }
  return props;
}

function attributeValue({ value }: JSXAttribute, env: Environment, expander: Expansion): Value {
  if (value === null) return true;
  if (value.type === "Literal") return typeof value.value === "string" ? value.value : undefined;
  if (value.type !== "JSXExpressionContainer") return evaluateJsx(value, env, expander);
  if (value.expression.type === "JSXEmptyExpression") return undefined;
  const evaluated = expander.interpreter.evaluate(value.expression, env);
  if (evaluated instanceof Opaque) throw new Stop("javascript", "function");
  return evaluated;
}

const children = (node: JSXElement | JSXFragment, env: Environment, expander: Expansion): RootContent[] =>
  expander.deeper(() => childNodes(node, env, expander));

/** The nodes between tags. An element next to text is part of that text. */
function childNodes(node: JSXElement | JSXFragment, env: Environment, expander: Expansion): RootContent[] {
  const out: RootContent[] = [];
  const mode: Mode = node.children.some((each) => each.type === "JSXText" && each.value.trim() !== "")
    ? "inline"
    : "jsx";
  for (const child of node.children) {
    if (child.type === "JSXText") {
      const value = trimJsxText(child.value);
      if (value !== "") out.push({ type: "text", value: expander.variables.fill(value) });
    } else if (child.type === "JSXElement") out.push(...element(child, env, mode, expander));
    else if (child.type === "JSXFragment") out.push(...children(child, env, expander));
    else if (child.type === "JSXSpreadChild" || child.expression.type !== "JSXEmptyExpression") {
      const shown = shownAt(child as Node, env, mode, expander);
      try {
        out.push(...nodesOfValue(expander.interpreter.evaluate(child.expression, env), shown, expander));
      } catch (error) {
        out.push(...showStopped(asCode(error), shown, expander));
      }
    }
  }
  return out;
}

/** Code contains no text by mistake. Only objects and `NaN` would be mistakes for an engine too. */
function asCode(error: unknown): Stop {
  const stop = asStop(error);
  return stop.reason === "text" && !/^(?:object|number)$/.test(stop.detail)
    ? new Stop("javascript", stop.detail, stop.node)
    : stop;
}

/** As in React: line breaks and the white space around them are removed, other white space is kept. */
function trimJsxText(text: string): string {
  if (!text.includes("\n")) return text;
  const lines = text.split(/\r?\n/);
  const trimmedLines = lines.map((line, index) => {
    let out = line;
    if (index > 0) out = out.replace(/^[ \t]+/, "");
    if (index < lines.length - 1) out = out.replace(/[ \t]+$/, "");
    return out;
  });
  return trimmedLines.filter((line) => line !== "").join(" ");
}

function tagNameOf(node: JSXIdentifier | JSXMemberExpression | JSXNamespacedName): string {
  if (node.type === "JSXIdentifier") return node.name;
  if (node.type === "JSXNamespacedName") return `${node.namespace.name}:${node.name.name}`;
  return `${tagNameOf(node.object)}.${node.property.name}`;
}

function shownAt(node: Node, env: Environment, mode: Mode, expander: Expansion): Shown {
  const { code } = env;
  const { start, end } = node as unknown as { start: number; end: number };
  const inText = pointAt(code.text, Math.max(0, start - code.shift));
  const line = code.line + inText.line - 1;
  const column = inText.line === 1 ? code.column + inText.column - 1 : inText.column;
  const location: Location = { sourcePath: code.sourcePath, line, column };
  const position: Position = { start: { line, column }, end: { line, column } };
  const foreign = code.sourcePath !== expander.page.sourcePath;
  const typed = code.text.slice(Math.max(0, start - code.shift), Math.max(0, end - code.shift));
  return { typed, mode, location, position, ...(foreign ? { sourcePath: code.sourcePath } : {}) };
}
