import { nearestName } from "../diagnostic/index.js";
import { childOf, isContainer, isList, isObject, type Json } from "../json/index.js";
import { PatternError } from "../regexp/parse-pattern.js";
import * as syntax from "./parse-json-path.js";
import { readTextPattern, type TextPattern } from "./text-pattern.js";

/** A value in a document with its parent; the document itself has none. */
export interface Located {
  readonly value: Json;
  readonly parent?: Json;
  readonly name?: string;
}

/** The number of values that may still be visited; overlays of real APIs need far fewer. */
interface Effort {
  left: number;
}
export const newEffort = (): Effort => ({ left: 5_000_000 });

/**
 * Finds every value that a JSONPath (RFC 9535) selects, each once.
 *
 * @param effort decreases with every visited value.
 * @throws {JsonPathError} if the path is invalid, or `effort` is used up.
 */
export function selectPath(document: Json, path: string, effort: Effort = newEffort()): readonly Located[] {
  const whole: Whole = { document, effort };
  let selection: Located[] = [{ value: document }];
  for (const segment of syntax.parseJsonPath(path)) selection = withoutDuplicates(select(selection, segment, whole));
  return selection;
}

/** The path with its first wrong name corrected to the nearest one; undefined unless that selects something. */
export function nearestPath(document: Json, path: string, effort: Effort): string | undefined {
  const whole: Whole = { document, effort };
  let selection: Located[] = [{ value: document }];
  try {
    for (const segment of syntax.parseJsonPath(path)) {
      const next = withoutDuplicates(select(selection, segment, whole));
      if (next.length > 0) {
        selection = next;
        continue;
      }
      const [selector] = segment.selectors;
      if (selector?.kind !== "name") return undefined;
      const bases = segment.descendants ? withDescendants(selection, effort) : selection;
      const names = new Set(bases.flatMap(({ value }) => (isObject(value) ? Object.keys(value) : [])));
      spend(effort, names.size);
      const near = nearestName(selector.name, names);
      const corrected = near && path.replace(selector.name, () => near);
      return corrected && selectPath(document, corrected, effort).length > 0 ? corrected : undefined;
    }
  } catch (error) {
    if (!(error instanceof syntax.JsonPathError)) throw error;
  }
  return undefined;
}

interface Whole {
  readonly document: Json;
  readonly effort: Effort;
}

/** The values that a segment selects, with duplicates. */
function select(from: readonly Located[], segment: syntax.Segment, whole: Whole): Located[] {
  const bases = segment.descendants ? withDescendants(from, whole.effort) : from;
  const selection: Located[] = [];
  for (const { value } of bases)
    for (const selector of segment.selectors) {
      const all = selected(value, selector, whole);
      spend(whole.effort, 1 + all.length);
      for (const located of all) selection.push(located);
    }
  return selection;
}

/** Drops duplicates, since an action applies once to each value. */
function withoutDuplicates(selection: readonly Located[]): Located[] {
  const seen = new Map<Json | undefined, Set<string | undefined>>();
  return selection.filter(({ parent, name }) => {
    const names = seen.get(parent) ?? new Set();
    if (names.has(name)) return false;
    seen.set(parent, names.add(name));
    return true;
  });
}

/** The values and everything in them. */
function withDescendants(tops: readonly Located[], effort: Effort): Located[] {
  const values: Located[] = [];
  const seen = new Set<Json>();
  const visit = (located: Located): void => {
    const { value } = located;
    if (isContainer(value)) {
      if (seen.has(value)) return;
      seen.add(value);
    }
    spend(effort, 1);
    values.push(located);
    for (const child of childrenOf(value)) visit(child);
  };
  tops.forEach(visit);
  return values;
}

function spend(effort: Effort, count: number): void {
  effort.left -= count;
  if (effort.left < 0) throw new syntax.JsonPathError("it would visit too many values");
}

function selected(value: Json, selector: syntax.Selector, whole: Whole): readonly Located[] {
  if (selector.kind === "all") return childrenOf(value);
  if (selector.kind === "filter")
    return childrenOf(value).filter((child) => holds(selector.filter, child.value, whole));
  if (selector.kind === "slice") return isList(value) ? sliced(childrenOf(value), selector) : [];
  const name = nameIn(value, selector);
  const child = name === undefined ? undefined : childOf(value, name);
  return child === undefined ? [] : [{ value: child, parent: value, name }];
}

function sliced(items: readonly Located[], { start, end, step }: syntax.Slice): Located[] {
  const slice: Located[] = [];
  const at = (bound: number): number => (bound < 0 ? items.length + bound : bound);
  if (step > 0) {
    const last = Math.min(at(end ?? items.length), items.length);
    for (let i = Math.max(at(start ?? 0), 0); i < last; i += step) slice.push(items[i]!);
  } else if (step < 0) {
    const last = end === undefined ? -1 : Math.max(at(end), -1);
    for (let i = Math.min(at(start ?? items.length - 1), items.length - 1); i > last; i += step) slice.push(items[i]!);
  }
  return slice;
}

function nameIn(value: Json, selector: Extract<syntax.Selector, { kind: "name" | "index" }>): string | undefined {
  if (selector.kind === "name") return isObject(value) ? selector.name : undefined;
  if (!isList(value)) return undefined;
  return String(selector.index < 0 ? value.length + selector.index : selector.index);
}

function childrenOf(value: Json): Located[] {
  if (isList(value)) return value.map((item, index) => ({ value: item, parent: value, name: String(index) }));
  return isObject(value) ? Object.keys(value).map((name) => ({ value: value[name]!, parent: value, name })) : [];
}

function holds(filter: syntax.Filter, value: Json, whole: Whole): boolean {
  switch (filter.kind) {
    case "or":
      return filter.parts.some((part) => holds(part, value, whole));
    case "and":
      return filter.parts.every((part) => holds(part, value, whole));
    case "not":
      return !holds(filter.part, value, whole);
    case "exists":
      return valuesAt(filter.query, value, whole).length > 0;
    case "compare":
      return compare(
        operandValue(filter.left, value, whole),
        filter.operator,
        operandValue(filter.right, value, whole),
        (count) => spend(whole.effort, count),
      );
    case "match":
    case "search": {
      const text = operandValue(filter.text, value, whole);
      const pattern =
        filter.pattern.kind === "pattern"
          ? filter.pattern.pattern
          : patternIn(operandValue(filter.pattern, value, whole), whole);
      if (typeof text !== "string" || pattern === undefined) return false;
      return pattern.matches(text, filter.kind === "search", (count) => spend(whole.effort, count));
    }
  }
}

/** An invalid regular expression matches nothing. */
function patternIn(value: Json | undefined, { effort }: Whole): TextPattern | undefined {
  if (typeof value !== "string") return undefined;
  spend(effort, value.length);
  try {
    return readTextPattern(value);
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

function operandValue(operand: syntax.Operand, value: Json, whole: Whole): Json | undefined {
  switch (operand.kind) {
    case "literal":
      return operand.value;
    case "query":
      return valuesAt(operand.query, value, whole)[0];
    case "length":
      return lengthOf(operandValue(operand.of, value, whole));
    case "count":
      return valuesAt(operand.query, value, whole).length;
    case "value": {
      const values = valuesAt(operand.query, value, whole);
      return values.length === 1 ? values[0] : undefined;
    }
  }
}

function lengthOf(value: Json | undefined): number | undefined {
  if (typeof value === "string") return [...value].length;
  if (isList(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}

/** The values that a path selects, with duplicates. */
function valuesAt({ from, segments }: syntax.Query, value: Json, whole: Whole): readonly Json[] {
  let selection: Located[] = [{ value: from === "@" ? value : whole.document }];
  for (const segment of segments) selection = select(selection, segment, whole);
  return selection.map((located) => located.value);
}

/**
 * Compares by the rules of JSONPath; undefined is a missing value.
 *
 * @param operator `==`, `!=`, `<`, `<=`, `>`, `>=`.
 * @param spend is called with the number of values compared; it may throw.
 */
function compare(
  left: Json | undefined,
  operator: string,
  right: Json | undefined,
  spend: (count: number) => void,
): boolean {
  if (operator === "==") return isSame(left, right, spend);
  if (operator === "!=") return !isSame(left, right, spend);
  if (operator.endsWith("=") && isSame(left, right, spend)) return true;
  if (typeof left === "number" && typeof right === "number")
    return operator.startsWith("<") ? left < right : left > right;
  if (typeof left !== "string" || typeof right !== "string") return false;
  const order = compareText(left, right);
  return operator.startsWith("<") ? order < 0 : order > 0;
}

/** Compares code points, whose order differs from that of UTF-16. */
function compareText(left: string, right: string): number {
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  // The code point of a low surrogate starts one unit earlier.
  if (/^[\udc00-\udfff]$/.test(left[at] ?? "") && at > 0) at--;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

/** The order of members in an object does not matter. */
function isSame(left: Json | undefined, right: Json | undefined, spend: (count: number) => void): boolean {
  spend(1);
  if (left === right) return true;
  if (isList(left)) {
    return isList(right) && left.length === right.length && left.every((item, i) => isSame(item, right[i], spend));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name], spend))
  );
}
