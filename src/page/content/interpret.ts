/**
 * Evaluates the expressions of a page over their ESTree: literals, templates, names, members, operators, conditionals,
 * arrays, objects, JSX. It calls nothing but components of the page that only return JSX, reads own properties of plain
 * data alone, and so reaches no prototype, no global and no object of this process. Steps and sizes are limited.
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
  Statement,
  TemplateLiteral,
  UnaryExpression,
} from "estree-jsx";
import { bindParameter, bindPattern } from "./bind-pattern.js";
import { isRefusedKey } from "./frontmatter-lines.js";
import {
  arithmetic,
  binaryOperators,
  isLooselyEqual,
  isPrimitive,
  isTruthy,
  keyOf,
  nameOf,
  readMember,
  toNumber,
} from "./operators.js";
import {
  type Budget,
  type Closure,
  Closure as ClosureValue,
  Frame,
  isPlainObject,
  Opaque,
  Stop,
  type Value,
} from "./values.js";

export interface Interpreter {
  readonly budget: Budget;
  /** @throws {Stop} */
  evaluate(node: Node, frame: Frame): Value;
  /** The result of a component's function for these properties. @throws {Stop} */
  call(closure: Closure, props: { readonly [key: string]: Value }): Value;
}

const maxStringChars = 1024 * 1024;

/** @param evaluateJsx makes the tree of a JSX expression. */
export function createInterpreter(
  budget: Budget,
  evaluateJsx: (node: JSXElement | JSXFragment, frame: Frame) => Value,
): Interpreter {
  const evaluate = (node: Node, frame: Frame): Value => {
    if (--budget.steps < 0) throw new Stop("limit", "too many steps", node);
    switch (node.type) {
      case "Literal":
        if ("regex" in node || "bigint" in node) throw new Stop("text", "value", node);
        return node.value as Value;
      case "Identifier":
        return node.name === "undefined" ? undefined : frame.lookup(node.name);
      case "TemplateLiteral":
        return evaluateTemplate(node, frame);
      case "MemberExpression":
        return evaluateMember(node, frame);
      case "ChainExpression":
        return evaluateChain(node.expression, frame);
      case "ConditionalExpression":
        return evaluate(isTruthy(evaluate(node.test, frame)) ? node.consequent : node.alternate, frame);
      case "LogicalExpression":
        return evaluateLogical(node, frame);
      case "UnaryExpression":
        return evaluateUnary(node, frame);
      case "BinaryExpression":
        return evaluateBinary(node, frame);
      case "ArrayExpression":
        return evaluateArray(node, frame);
      case "ObjectExpression":
        return evaluateObject(node, frame);
      case "ParenthesizedExpression" as never:
        return evaluate((node as unknown as { expression: Expression }).expression, frame);
      case "JSXElement":
      case "JSXFragment":
        return evaluateJsx(node, frame);
      case "ArrowFunctionExpression":
      case "FunctionExpression":
      case "FunctionDeclaration":
        return new ClosureValue(node, frame);
      case "CallExpression":
        return evaluateCall(node, frame);
      case "SequenceExpression":
        throw new Stop("text", "list", node);
      default:
        throw new Stop("javascript", node.type, node);
    }
  };

  const evaluateTemplate = (node: TemplateLiteral, frame: Frame): string => {
    let out = "";
    node.quasis.forEach((quasi, index) => {
      out = concat(out, quasi.value.cooked ?? quasi.value.raw, node);
      const expression = node.expressions[index];
      if (expression !== undefined) out = concat(out, textOf(evaluate(expression, frame), expression), node);
    });
    return out;
  };

  const concat = (left: string, right: string, node: Node): string => {
    const length = left.length + right.length;
    budget.chars -= right.length;
    if (length > maxStringChars || budget.chars < 0) throw new Stop("limit", "too much text", node);
    return left + right;
  };

  /** As `String(value)` for plain values; nothing for what is absent, since nobody means the word "undefined". */
  const textOf = (value: Value, node: Node): string => {
    if (value === undefined || value === null) return "";
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    if (value instanceof Opaque) throw new Stop("javascript", "function", node);
    if (Array.isArray(value)) {
      let out = "";
      value.forEach((each: Value, index) => {
        out = concat(out, (index > 0 ? "," : "") + textOf(each, node), node);
      });
      return out;
    }
    throw new Stop("text", "object", node);
  };

  const evaluateChain = (node: Node, frame: Frame): Value => {
    try {
      return evaluate(node, frame);
    } catch (error) {
      if (error === shortCircuit) return undefined;
      throw error;
    }
  };

  const evaluateMember = (node: MemberExpression, frame: Frame): Value => {
    const object = evaluate(node.object, frame);
    if (node.optional && (object === undefined || object === null)) throw shortCircuit;
    if (node.property.type === "PrivateIdentifier") throw new Stop("text", "member", node);
    const key = node.computed ? evaluate(node.property, frame) : (node.property as unknown as { name: string }).name;
    if (typeof key !== "string" && typeof key !== "number") throw new Stop("text", "member", node);
    if (object === undefined || object === null) throw new Stop("undefined", nameOf(node.object), node);
    return readMember(object, key, node);
  };

  const evaluateLogical = (node: LogicalExpression, frame: Frame): Value => {
    let left: Value;
    try {
      left = evaluate(node.left, frame);
    } catch (error) {
      // `{props.label || "x"}` where nobody gives `props`: the writer has said what to show then.
      if (!(error instanceof Stop) || !/^(?:undefined|missing)$/.test(error.reason) || node.operator === "&&")
        throw error;
      left = undefined;
    }
    if (node.operator === "&&") return isTruthy(left) ? evaluate(node.right, frame) : left;
    if (node.operator === "||") return isTruthy(left) ? left : evaluate(node.right, frame);
    return left === undefined || left === null ? evaluate(node.right, frame) : left;
  };

  const evaluateUnary = (node: UnaryExpression, frame: Frame): Value => {
    if (node.operator === "typeof") return typeOf(node, frame);
    if (node.operator === "~" || node.operator === "delete") throw new Stop("text", node.operator, node);
    const value = evaluate(node.argument, frame);
    switch (node.operator) {
      case "!":
        return !isTruthy(value);
      case "-":
        return -toNumber(value, node);
      case "+":
        return toNumber(value, node);
      default:
        return undefined;
    }
  };

  const typeOf = (node: UnaryExpression, frame: Frame): string => {
    if (node.argument.type === "Identifier" && !frame.has(node.argument.name)) return "undefined";
    const value = evaluate(node.argument, frame);
    return value instanceof Opaque ? "function" : typeof value;
  };

  const evaluateBinary = (node: BinaryExpression, frame: Frame): Value => {
    if (node.left.type === "PrivateIdentifier") throw new Stop("text", "in", node);
    const { operator } = node;
    if (!binaryOperators.has(operator)) throw new Stop("text", operator, node);
    const left = evaluate(node.left, frame);
    const right = evaluate(node.right, frame);
    switch (operator) {
      case "===":
        return left === right;
      case "!==":
        return left !== right;
      case "==":
        return isLooselyEqual(left, right);
      case "!=":
        return !isLooselyEqual(left, right);
      case "+":
        if (typeof left === "string" || typeof right === "string" || !isPrimitive(left) || !isPrimitive(right))
          return concat(textOf(left, node), textOf(right, node), node);
        return toNumber(left, node) + toNumber(right, node);
    }
    if (!isPrimitive(left) || !isPrimitive(right)) throw new Stop("text", operator, node);
    if (typeof left === "string" && typeof right === "string") {
      if (operator === "<") return left < right;
      if (operator === "<=") return left <= right;
      if (operator === ">") return left > right;
      if (operator === ">=") return left >= right;
    }
    return arithmetic(operator, toNumber(left, node), toNumber(right, node));
  };

  const evaluateArray = (node: ArrayExpression, frame: Frame): Value[] => {
    const out: Value[] = [];
    for (const element of node.elements) {
      if (element === null) out.push(undefined);
      else if (element.type === "SpreadElement") {
        const spread = evaluate(element.argument, frame);
        if (!Array.isArray(spread)) throw new Stop("javascript", "spread", node);
        budget.steps -= spread.length;
        if (budget.steps < 0) throw new Stop("limit", "too many values", node);
        for (const each of spread) out.push(each as Value);
      } else out.push(evaluate(element, frame));
    }
    return out;
  };

  const evaluateObject = (node: ObjectExpression, frame: Frame): Value => {
    const out: { [key: string]: Value } = {};
    for (const property of node.properties) {
      if (property.type === "SpreadElement") {
        copyProperties(evaluate(property.argument, frame), out, property);
        continue;
      }
      if (property.kind !== "init" || property.method) throw new Stop("javascript", "method", property);
      const key = property.computed ? evaluate(property.key, frame) : keyOf(property.key);
      if (typeof key !== "string" && typeof key !== "number") throw new Stop("text", "key", property);
      const value = evaluate(property.value as Expression, frame);
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

  const evaluateCall = (node: Node & { type: "CallExpression" }, frame: Frame): Value => {
    const [path] = node.arguments;
    if (node.callee.type === "Identifier" && node.callee.name === "require" && !frame.has("require"))
      if (node.arguments.length === 1 && path?.type === "Literal" && typeof path.value === "string") return path.value;
    throw new Stop("javascript", "call", node);
  };

  const call = (closure: Closure, props: { readonly [key: string]: Value }): Value => {
    const { node } = closure;
    if (node.async === true || node.generator === true) throw new Stop("javascript", "function", node);
    const frame = new Frame(closure.frame.code, closure.frame);
    bindParameter(node.params, props, frame, evaluate);
    if (node.body.type !== "BlockStatement") return evaluate(node.body, frame);
    const result = runStatements(node.body.body, frame);
    return result === undefined ? undefined : result.value;
  };

  /** `undefined`: no `return` was reached. */
  const runStatements = (statements: readonly Statement[], frame: Frame): { value: Value } | undefined => {
    for (const statement of statements) {
      if (--budget.steps < 0) throw new Stop("limit", "too many steps", statement);
      if (statement.type === "ReturnStatement")
        return { value: statement.argument ? evaluate(statement.argument, frame) : undefined };
      if (statement.type === "VariableDeclaration" && statement.kind !== "var") {
        for (const { id, init } of statement.declarations)
          bindPattern(id, init ? evaluate(init, frame) : undefined, frame, evaluate);
      } else if (statement.type === "IfStatement") {
        const branch = isTruthy(evaluate(statement.test, frame)) ? statement.consequent : statement.alternate;
        const result = branch ? runStatements([branch], new Frame(frame.code, frame)) : undefined;
        if (result !== undefined) return result;
      } else if (statement.type === "BlockStatement") {
        const result = runStatements(statement.body, new Frame(frame.code, frame));
        if (result !== undefined) return result;
      } else if (statement.type !== "EmptyStatement") throw new Stop("javascript", statement.type, statement);
    }
    return undefined;
  };

  return { budget, evaluate, call };
}

/** Thrown by `a?.b` where `a` is absent: the whole chain is undefined. */
const shortCircuit = Symbol("optional chain");
