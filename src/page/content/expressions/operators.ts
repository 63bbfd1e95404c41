/** Operators and member access on plain values, as in JavaScript but without prototypes. */
import type { BinaryExpression, Node } from "estree-jsx";
import { isRefusedKey } from "../frontmatter/plain-lines.js";
import { isPlainObject, Opaque, Stop, type Value } from "./values.js";

export const isPrimitive = (value: Value): value is string | number | boolean | null | undefined =>
  typeof value !== "object" || value === null;

/** `==`, which compares primitive values of different types as numbers. */
function isLooselyEqual(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (left === undefined || left === null || right === undefined || right === null)
    return (left ?? null) === (right ?? null);
  return typeof left !== typeof right && isPrimitive(left) && isPrimitive(right) && Number(left) === Number(right);
}

export function toNumber(value: Value, node: Node): number {
  if (!isPrimitive(value)) throw new Stop("text", "number", node);
  return Number(value);
}

type Operation = (left: Value, right: Value, node: BinaryExpression) => Value;

const onNumbers =
  (operate: (left: number, right: number) => Value): Operation =>
  (left, right, node) => {
    if (!isPrimitive(left) || !isPrimitive(right)) throw new Stop("text", node.operator, node);
    return operate(Number(left), Number(right));
  };

/** Compares two strings by their characters. */
const comparing = (compare: (left: number, right: number) => boolean): Operation => {
  const compareNumbers = onNumbers(compare);
  return (left, right, node) =>
    typeof left === "string" && typeof right === "string"
      ? compare(left as never, right as never)
      : compareNumbers(left, right, node);
};

export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["===", (left, right) => left === right],
  ["!==", (left, right) => left !== right],
  ["==", isLooselyEqual],
  ["!=", (left, right) => !isLooselyEqual(left, right)],
  ["+", onNumbers((left, right) => left + right)],
  ["-", onNumbers((left, right) => left - right)],
  ["*", onNumbers((left, right) => left * right)],
  ["/", onNumbers((left, right) => left / right)],
  ["%", onNumbers((left, right) => left % right)],
  ["**", onNumbers((left, right) => left ** right)],
  ["<", comparing((left, right) => left < right)],
  ["<=", comparing((left, right) => left <= right)],
  [">", comparing((left, right) => left > right)],
  [">=", comparing((left, right) => left >= right)],
]);

/** An own property of plain data; properties of prototypes are undefined. */
export function readMember(object: Value, key: string | number, node: Node): Value {
  if (typeof object === "string" || Array.isArray(object)) {
    if (key === "length") return object.length;
    const index = typeof key === "number" ? key : /^\d+$/.test(key) ? Number(key) : -1;
    if (Number.isInteger(index) && index >= 0) return object[index] as Value;
    if (typeof key === "string" && (key in String.prototype || key in Array.prototype))
      throw new Stop("javascript", key, node);
    return undefined;
  }
  if (object instanceof Opaque) throw new Stop("javascript", String(key), node);
  if (!isPlainObject(object) || isRefusedKey(String(key))) return undefined;
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function propertyKey(node: Node): Value {
  if (node.type === "Identifier") return node.name;
  return node.type === "Literal" && (typeof node.value === "string" || typeof node.value === "number")
    ? node.value
    : undefined;
}

export function expressionName(node: Node): string {
  if (node.type === "Identifier") return node.name;
  if (node.type === "Literal") return node.raw ?? "…";
  if (node.type === "CallExpression") return `${expressionName(node.callee)}(…)`;
  if (node.type !== "MemberExpression") return "…";
  const [object, property] = [node.object, node.property].map(expressionName);
  return node.computed ? `${object}[${property}]` : `${object}.${property}`;
}
