/**
 * Evaluates the expressions of a page over their ESTree: literals, templates, names, members, operators, conditionals,
 * arrays, objects, JSX. It calls only components of the page that return JSX and a few methods of texts, and reads only own
 * properties of plain data, so it reaches no prototype, no global and no object of this process. Steps and sizes are limited.
 */
import type {
  ArrayExpression,
  BinaryExpression,
  Expression,
  JSXElement,
  JSXFragment,
  LogicalExpression,
  MemberExpression,
  Node,
  ObjectExpression,
  TemplateLiteral,
  UnaryExpression,
} from "estree-jsx";
import { isRefusedKey } from "../frontmatter/plain-lines.js";
import { callComponent } from "./call-component.js";
import { expressionName, isPrimitive, operations, propertyKey, readMember, toNumber } from "./operators.js";
import { type Budget, Closure, type Environment, Foreign, isPlainObject, Opaque, Stop, type Value } from "./values.js";

export interface Interpreter {
  /** @throws {Stop} */
  evaluate(node: Node, env: Environment): Value;
  /** The result of a component's function for these properties. @throws {Stop} */
  call(closure: Closure, props: { readonly [key: string]: Value }): Value;
}

const maxStringChars = 1024 * 1024;

/** @param evaluateJsx returns the tree of a JSX expression. */
export function createInterpreter(
  budget: Budget,
  evaluateJsx: (node: JSXElement | JSXFragment, env: Environment) => Value,
): Interpreter {
  const evaluate = (node: Node, env: Environment): Value => {
    if (--budget.steps < 0) throw new Stop("limit", "too many steps", node);
    switch (node.type) {
      case "Literal":
        if ("regex" in node || "bigint" in node) throw new Stop("text", "value", node);
        return node.value as Value;
      case "Identifier":
        return node.name === "undefined" ? undefined : env.lookup(node.name);
      case "TemplateLiteral":
        return evaluateTemplate(node, env);
      case "MemberExpression":
        return evaluateMember(node, env);
      case "ChainExpression":
        return evaluateChain(node.expression, env);
      case "ConditionalExpression":
        return evaluate(evaluate(node.test, env) ? node.consequent : node.alternate, env);
      case "LogicalExpression":
        return evaluateLogical(node, env);
      case "UnaryExpression":
        return evaluateUnary(node, env);
      case "BinaryExpression":
        return evaluateBinary(node, env);
      case "ArrayExpression":
        return evaluateArray(node, env);
      case "ObjectExpression":
        return evaluateObject(node, env);
      case "ParenthesizedExpression" as never:
        return evaluate((node as unknown as { expression: Expression }).expression, env);
      case "JSXElement":
      case "JSXFragment":
        return evaluateJsx(node, env);
      case "ArrowFunctionExpression":
      case "FunctionExpression":
      case "FunctionDeclaration":
        return new Closure(node, env);
      case "ClassDeclaration" as never:
        return new Foreign();
      case "CallExpression":
        return evaluateCall(node, env);
      case "SequenceExpression":
        throw new Stop("text", "list", node);
      default:
        throw new Stop("javascript", node.type, node);
    }
  };

  const evaluateTemplate = (node: TemplateLiteral, env: Environment): string => {
    let out = "";
    node.quasis.forEach((quasi, index) => {
      out = concat(out, quasi.value.cooked ?? quasi.value.raw, node);
      const expression = node.expressions[index];
      if (expression !== undefined) out = concat(out, stringOf(evaluate(expression, env), expression), node);
    });
    return out;
  };

  const concat = (left: string, right: string, node: Node): string => {
    budget.chars -= right.length;
    if (left.length + right.length > maxStringChars || budget.chars < 0) throw new Stop("limit", "too much text", node);
    return left + right;
  };

  /** Like `String(value)`, but empty for `undefined` and `null`, which are not meant as words. */
  const stringOf = (value: Value, node: Node): string => {
    if (value === undefined || value === null) return "";
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    if (value instanceof Opaque) throw new Stop("javascript", "function", node);
    if (Array.isArray(value)) {
      let out = "";
      value.forEach((each: Value, index) => {
        out = concat(out, (index > 0 ? "," : "") + stringOf(each, node), node);
      });
      return out;
    }
    throw new Stop("text", "object", node);
  };

  const evaluateChain = (node: Node, env: Environment): Value => {
    try {
      return evaluate(node, env);
    } catch (error) {
      if (error === shortCircuit) return undefined;
      throw error;
    }
  };

  const evaluateMember = (node: MemberExpression, env: Environment): Value => {
    if (isEngineName(node.object, env)) throw new Stop("javascript", "member", node);
    const object = evaluate(node.object, env);
    if (node.optional && (object === undefined || object === null)) throw shortCircuit;
    if (node.property.type === "PrivateIdentifier") throw new Stop("text", "member", node);
    const key = node.computed ? evaluate(node.property, env) : (node.property as unknown as { name: string }).name;
    if (typeof key !== "string" && typeof key !== "number") throw new Stop("text", "member", node);
    if (object === undefined || object === null) throw new Stop("undefined", expressionName(node.object), node);
    return readMember(object, key, node);
  };

  const evaluateLogical = (node: LogicalExpression, env: Environment): Value => {
    // A pattern is true. Formatters make one of a comment: `{/_ a _/ && null}`.
    if (node.operator === "&&" && node.left.type === "Literal" && "regex" in node.left)
      return evaluate(node.right, env);
    let left: Value;
    try {
      left = evaluate(node.left, env);
    } catch (error) {
      // In `{props.label || "x"}` without `props`, the page says what to show instead.
      if (!(error instanceof Stop) || !/^(?:undefined|missing)$/.test(error.reason) || node.operator === "&&")
        throw error;
      left = undefined;
    }
    if (node.operator === "&&") return left ? evaluate(node.right, env) : left;
    if (node.operator === "||") return left ? left : evaluate(node.right, env);
    return left === undefined || left === null ? evaluate(node.right, env) : left;
  };

  const evaluateUnary = (node: UnaryExpression, env: Environment): Value => {
    if (node.operator === "typeof") return typeOf(node, env);
    if (node.operator === "~" || node.operator === "delete") throw new Stop("text", node.operator, node);
    const value = evaluate(node.argument, env);
    if (node.operator === "!") return !value;
    if (node.operator === "void") return undefined;
    const number = toNumber(value, node);
    return node.operator === "-" ? -number : number;
  };

  const typeOf = (node: UnaryExpression, env: Environment): string => {
    if (isEngineName(node.argument, env)) throw new Stop("javascript", "typeof", node);
    if (node.argument.type === "Identifier" && !env.has(node.argument.name)) return "undefined";
    const value = evaluate(node.argument, env);
    return value instanceof Opaque ? "function" : typeof value;
  };

  const evaluateBinary = (node: BinaryExpression, env: Environment): Value => {
    if (node.left.type === "PrivateIdentifier") throw new Stop("text", "in", node);
    const operate = operations.get(node.operator);
    if (operate === undefined) throw new Stop("text", node.operator, node);
    const left = evaluate(node.left, env);
    const right = evaluate(node.right, env);
    const joins = typeof left === "string" || typeof right === "string" || !isPrimitive(left) || !isPrimitive(right);
    if (node.operator === "+" && joins) return concat(stringOf(left, node), stringOf(right, node), node);
    return operate(left, right, node);
  };

  const evaluateArray = (node: ArrayExpression, env: Environment): Value[] => {
    const out: Value[] = [];
    for (const element of node.elements) {
      if (element === null) out.push(undefined);
      else if (element.type === "SpreadElement") {
        const spread = evaluate(element.argument, env);
        if (!Array.isArray(spread)) throw new Stop("javascript", "spread", node);
        budget.steps -= spread.length;
        if (budget.steps < 0) throw new Stop("limit", "too many values", node);
        for (const each of spread) out.push(each as Value);
      } else out.push(evaluate(element, env));
    }
    return out;
  };

  const evaluateObject = (node: ObjectExpression, env: Environment): Value => {
    const out: { [key: string]: Value } = {};
    for (const property of node.properties) {
      if (property.type === "SpreadElement") {
        copyProperties(evaluate(property.argument, env), out, property);
        continue;
      }
      if (property.kind !== "init" || property.method) throw new Stop("javascript", "method", property);
      const key = property.computed ? evaluate(property.key, env) : propertyKey(property.key);
      if (typeof key !== "string" && typeof key !== "number") throw new Stop("text", "key", property);
      const value = evaluate(property.value as Expression, env);
      if (!isRefusedKey(String(key))) out[key] = value;
    }
    return out;
  };

  const copyProperties = (from: Value, to: { [key: string]: Value }, node: Node): void => {
    if (from === undefined || from === null || typeof from === "boolean") return;
    if (!isPlainObject(from)) throw new Stop("javascript", "spread", node);
    for (const key of Object.keys(from)) {
      if (--budget.steps < 0) throw new Stop("limit", "too many values", node);
      if (!isRefusedKey(key)) to[key] = from[key];
    }
  };

  const evaluateCall = (node: Node & { type: "CallExpression" }, env: Environment): Value => {
    const [path] = node.arguments;
    if (node.callee.type === "Identifier" && node.callee.name === "require" && !env.has("require"))
      if (node.arguments.length === 1 && path?.type === "Literal" && typeof path.value === "string") return path.value;
    const [list, method] = node.callee.type === "MemberExpression" ? [node.callee.object, node.callee.property] : [];
    if (
      list?.type === "Identifier" &&
      method?.type === "Identifier" &&
      ofLists.test(method.name) &&
      !isEngineName(list, env) &&
      !env.has(list.name)
    )
      throw new Stop("undefined", list.name, node);
    const text =
      list && method?.type === "Identifier" && isTextMethod(method.name) && !(node.callee as MemberExpression).computed
        ? textOfCall(list, method.name, node.arguments, env)
        : undefined;
    if (text === undefined) throw new Stop("javascript", "call", node);
    return concat("", text, node);
  };

  /** What a method of a text gives; undefined if only a JavaScript engine can tell. */
  const textOfCall = (object: Node, method: string, written: readonly Node[], env: Environment): string | undefined => {
    try {
      const text = evaluate(object, env);
      const values = written.map((each) => patternOf(each) ?? evaluate(each, env));
      return typeof text === "string" ? callOnText(text, method, values, maxStringChars) : undefined;
    } catch (error) {
      if (error instanceof Stop && error.reason !== "limit") return undefined;
      throw error;
    }
  };

  return { evaluate, call: (closure, props) => callComponent(closure, props, budget, evaluate) };
}

/** Globals of JavaScript and of browsers that pages use. Others, such as `{location.id}`, are placeholders in text. */
const engineNames = new Set(
  "Array Date Intl JSON Math MintlifyComponents Object React document localStorage navigator sessionStorage window".split(
    " ",
  ),
);
/** What no global has, so a name with it was meant to be defined in the page. */
const ofLists = /^(?:map|filter|flatMap|forEach|reduce|slice|sort|join|toUpperCase|toLowerCase|trim|toFixed)$/;
const isEngineName = (node: Node, env: Environment): boolean =>
  node.type === "Identifier" && engineNames.has(node.name) && !env.has(node.name);

/** Thrown by `a?.b` if `a` is absent, which makes the whole chain undefined. */
const shortCircuit = Symbol("optional chain");

/** Methods of text that pages use for ids and labels: what they give needs no JavaScript engine. */
const withoutArguments: ReadonlyMap<string, (text: string) => string> = new Map([
  ["toLowerCase", (text: string) => text.toLowerCase()],
  ["toUpperCase", (text: string) => text.toUpperCase()],
  ["trim", (text: string) => text.trim()],
]);
const replacing = new Set(["replace", "replaceAll"]);

const isTextMethod = (name: string): boolean => withoutArguments.has(name) || replacing.has(name);

/** One character or class, also repeated, or a word: patterns that take linear time. */
const plainPattern =
  /^(?:(?:\\[dDwWsS]|\[(?:[^\]\\]|\\.)+\]|\\[^\w]|[^\\^$.|?*+()[\]{}])\+?|(?:\\[^\w]|[^\\^$.|?*+()[\]{}])+)$/;

/** The pattern of a literal; undefined if it is another expression or could take long. */
function patternOf(node: Node): RegExp | undefined {
  if (node.type !== "Literal" || !("regex" in node) || node.regex == null) return undefined;
  const { pattern, flags } = node.regex;
  return plainPattern.test(pattern) && /^[gi]*$/.test(flags) ? new RegExp(pattern, flags) : undefined;
}

/** @returns undefined if only a JavaScript engine can tell, or if the text could have more than `maxChars`. */
function callOnText(
  text: string,
  method: string,
  [pattern, by, ...others]: readonly (Value | RegExp)[],
  maxChars: number,
): string | undefined {
  const convert = withoutArguments.get(method);
  if (convert) return pattern === undefined ? convert(text) : undefined;
  if (typeof by !== "string" || by.includes("$") || others.length > 0) return undefined;
  if ((text.length + 1) * (by.length + 1) > maxChars) return undefined;
  if (typeof pattern === "string")
    return method === "replace" ? text.replace(pattern, by) : text.replaceAll(pattern, by);
  return pattern instanceof RegExp && (method === "replace" || pattern.global) ? text.replace(pattern, by) : undefined;
}
