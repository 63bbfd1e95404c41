import type { Json } from "../api-spec.js";
import { childOf, isContainer, isList, isObject } from "../resolve-pointer.js";
import {
  type Filter,
  JsonPathError,
  type Operand,
  parseJsonPath,
  type Segment,
  type Selector,
  type Slice,
} from "./parse-json-path.js";

/** A value in a document, and where it hangs; the document itself hangs nowhere. */
export interface Located {
  readonly value: Json;
  readonly parent?: Json;
  readonly name?: string;
}

/** How many values may yet be looked at; overlays of a sensible API do not come near it. */
export interface Effort {
  left: number;
}
export const newEffort = (): Effort => ({ left: 5_000_000 });

/**
 * Finds every value that a JSONPath selects, each once: names, `*`, indexes, slices, lists of them, `..`, and filters that
 * compare or look for members.
 *
 * @param effort goes down by what is looked at.
 * @throws {JsonPathError} for what is no path, for the parts of the language that are not read, and once `effort` is spent.
 */
export function selectPath(document: Json, path: string, effort: Effort = newEffort()): readonly Located[] {
  let found: Located[] = [{ value: document }];
  for (const segment of parseJsonPath(path)) found = select(found, segment, effort);
  return found;
}

function select(from: readonly Located[], segment: Segment, effort: Effort): Located[] {
  const bases = segment.descendants ? withDescendants(from, effort) : from;
  const found: Located[] = [];
  const seen = new Map<Json | undefined, Set<string | undefined>>();
  for (const { value } of bases)
    for (const selector of segment.selectors) {
      const all = selected(value, selector);
      spend(effort, 1 + all.length);
      for (const located of all) {
        const names = seen.get(located.parent) ?? new Set();
        if (names.has(located.name)) continue;
        seen.set(located.parent, names.add(located.name));
        found.push(located);
      }
    }
  return found;
}

/** The values and everything in them, a value within another once. */
function withDescendants(tops: readonly Located[], effort: Effort): Located[] {
  const found: Located[] = [];
  const seen = new Set<Json>();
  const visit = (located: Located): void => {
    const { value } = located;
    if (isContainer(value)) {
      if (seen.has(value)) return;
      seen.add(value);
    }
    spend(effort, 1);
    found.push(located);
    for (const child of childrenOf(value)) visit(child);
  };
  tops.forEach(visit);
  return found;
}

function spend(effort: Effort, count: number): void {
  effort.left -= count;
  if (effort.left < 0) throw new JsonPathError("too many values would have to be looked at");
}

function selected(value: Json, selector: Selector): readonly Located[] {
  if (selector.kind === "all") return childrenOf(value);
  if (selector.kind === "filter") return childrenOf(value).filter((child) => holds(selector.filter, child.value));
  if (selector.kind === "slice") return isList(value) ? sliced(childrenOf(value), selector) : [];
  const name = nameIn(value, selector);
  const child = name === undefined ? undefined : childOf(value, name);
  return child === undefined ? [] : [{ value: child, parent: value, name }];
}

function sliced(items: readonly Located[], { start, end, step }: Slice): Located[] {
  const found: Located[] = [];
  const at = (bound: number): number => (bound < 0 ? items.length + bound : bound);
  if (step > 0) {
    const last = Math.min(at(end ?? items.length), items.length);
    for (let i = Math.max(at(start ?? 0), 0); i < last; i += step) found.push(items[i]!);
  } else if (step < 0) {
    const last = end === undefined ? -1 : Math.max(at(end), -1);
    for (let i = Math.min(at(start ?? items.length - 1), items.length - 1); i > last; i += step) found.push(items[i]!);
  }
  return found;
}

function nameIn(value: Json, selector: Extract<Selector, { kind: "name" | "index" }>): string | undefined {
  if (selector.kind === "name") return isObject(value) ? selector.name : undefined;
  if (!isList(value)) return undefined;
  return String(selector.index < 0 ? value.length + selector.index : selector.index);
}

function childrenOf(value: Json): Located[] {
  if (isList(value)) return value.map((item, index) => ({ value: item, parent: value, name: String(index) }));
  return isObject(value) ? Object.keys(value).map((name) => ({ value: value[name]!, parent: value, name })) : [];
}

function holds(filter: Filter, value: Json): boolean {
  switch (filter.kind) {
    case "or":
      return filter.parts.some((part) => holds(part, value));
    case "and":
      return filter.parts.every((part) => holds(part, value));
    case "not":
      return !holds(filter.part, value);
    case "exists":
      return readOperand(filter.operand, value) !== undefined;
    case "compare":
      return compare(readOperand(filter.left, value), filter.operator, readOperand(filter.right, value));
  }
}

function readOperand(operand: Operand, value: Json): Json | undefined {
  if (operand.kind === "literal") return operand.value;
  let at: Json | undefined = value;
  for (const step of operand.steps) {
    const name: string | undefined = at === undefined ? undefined : nameIn(at, step);
    at = name === undefined ? undefined : childOf(at, name);
  }
  return at;
}

function compare(left: Json | undefined, operator: string, right: Json | undefined): boolean {
  if (operator === "==") return isSame(left, right);
  if (operator === "!=") return !isSame(left, right);
  if (typeof left !== typeof right || (typeof left !== "number" && typeof left !== "string")) return false;
  const less = left < (right as typeof left);
  const equal = left === right;
  if (operator === "<") return less;
  if (operator === "<=") return less || equal;
  return operator === ">" ? !less && !equal : !less;
}

const isSame = (left: Json | undefined, right: Json | undefined): boolean =>
  left === right ||
  (typeof left === "object" && typeof right === "object" && JSON.stringify(left) === JSON.stringify(right));
