import type { Document } from "yaml";
import { type Location, lengthOnLine, positionFinder } from "../../../lib/diagnostic/index.js";
import { nameOfStep } from "../../../lib/json/index.js";
import { pointerSteps } from "../resolve-pointer.js";
import { nameOfKey, parseYamlDocument, yaml } from "./parse-yaml.js";
import { isJsonText } from "./spec-text.js";
import { splitYaml, type YamlPart } from "./split-yaml.js";

/**
 * Finds where the value of a pointer was written: the name of an object or list, the value of anything else. For a pointer
 * that leads nowhere, the last value on its way counts. The text is read for this at the first call only: it takes ten
 * times as long as reading the data.
 */
export function createLocations(source: string, readText: () => string | undefined): (pointer: string) => Location {
  let find: ((steps: readonly string[]) => Location) | undefined;
  return (pointer) => {
    const steps = pointerSteps(pointer);
    if (steps === undefined) return { sourcePath: source };
    find ??= createFinder(source, readText());
    return find(steps);
  };
}

function createFinder(source: string, text: string | undefined): (steps: readonly string[]) => Location {
  if (text === undefined) return () => ({ sourcePath: source });
  const find = isJsonText({ source, text }) ? jsonFinder(text) : yamlFinder(text);
  const positionOf = positionFinder(text);
  return (steps) => {
    const span = find(steps);
    if (span === undefined) return { sourcePath: source };
    const { offset, length } = span;
    return { sourcePath: source, ...positionOf(offset), length: lengthOnLine(text, offset, length) };
  };
}

interface Span {
  readonly offset: number;
  readonly length: number;
}
const start: Span = { offset: 0, length: 1 };

/** A value of a text, with the name of the member that it is. */
interface Written extends Span {
  readonly name?: Span;
}

/** Only the objects and lists on the way to a value are remembered: a tree of a long text takes thirty times its size. */
function jsonFinder(text: string): (steps: readonly string[]) => Span | undefined {
  const known = new Map<number, ReadonlyMap<string, Written>>();
  /** By name or index. */
  const membersOf = ({ offset: start }: Written): ReadonlyMap<string, Written> => {
    const found = new Map<string, Written>();
    const isObject = text[start] === "{";
    if (!isObject && text[start] !== "[") return found;
    let at = nextToken(text, start + 1);
    while (at < text.length && text[at] !== "}" && text[at] !== "]") {
      const name = isObject ? spanAt(text, at) : undefined;
      // After a name comes a colon.
      const value = spanAt(text, name ? nextToken(text, nextToken(text, endOf(name)) + 1) : at);
      // As in reading, the last one of several counts.
      if (name) found.set(JSON.parse(text.slice(name.offset, endOf(name))), { ...value, name });
      else found.set(`${found.size}`, value);
      at = nextToken(text, endOf(value));
      if (text[at] === ",") at = nextToken(text, at + 1);
    }
    return found;
  };
  return (steps) => {
    let at: Written = spanAt(text, nextToken(text, 0));
    for (const step of steps) {
      const members = known.get(at.offset) ?? membersOf(at);
      known.set(at.offset, members);
      const next = members.get(nameOfStep(step));
      if (next === undefined) break;
      at = next;
    }
    const isLong = text[at.offset] === "{" || text[at.offset] === "[";
    return isLong ? (at.name ?? { offset: at.offset, length: 1 }) : at;
  };
}

const endOf = ({ offset, length }: Span): number => offset + length;

/** The offset of the next token: blanks and comments are skipped. */
function nextToken(text: string, from: number): number {
  let at = from;
  for (;;) {
    blanks.lastIndex = at;
    blanks.test(text);
    at = blanks.lastIndex;
    if (text[at] !== "/") return at;
    at = endOfComment(text, at);
  }
}
const blanks = /\s*/y;

function endOfComment(text: string, start: number): number {
  const isLine = text[start + 1] === "/";
  const end = text.indexOf(isLine ? "\n" : "*/", start + 2);
  return end < 0 ? text.length : end + (isLine ? 1 : 2);
}

/** The value at an offset of valid JSON, in which comments and trailing commas may occur. */
function spanAt(text: string, start: number): Span {
  let depth = 0;
  let at = start;
  do {
    inside.lastIndex = at;
    const sign = inside.exec(text)?.[0];
    at = inside.lastIndex;
    if (sign === undefined) return { offset: start, length: text.length - start };
    if (sign === '"') at = endOfText(text, at);
    else if (sign[0] === "/") at = endOfComment(text, at - 2);
    else if (sign === "{" || sign === "[") depth++;
    else if (sign === "}" || sign === "]") depth--;
  } while (depth > 0);
  return { offset: start, length: Math.max(1, at - start) };
}
/** What counts inside a value; outside of objects and lists also the end of a number or word. */
const inside = /["{}[\]]|\/[/*]|[\w.+-]+/g;

/** @param from the offset after the opening quote. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text[first - 1] === "\\") first--;
    if ((at - first) % 2 === 0) return at + 1;
  }
  return text.length;
}

/** Of a long text only the needed parts are read. */
function yamlFinder(text: string): (steps: readonly string[]) => Span | undefined {
  const parts = splitYaml(text);
  if (!parts) {
    const find = documentFinder(text);
    return (steps) => find(steps) ?? start;
  }
  const finders = new Map<YamlPart, ReturnType<typeof documentFinder>>();
  const findIn = (part: YamlPart, steps: readonly string[]): Span | undefined => {
    const find = finders.get(part) ?? documentFinder(text.slice(part.start, part.end));
    finders.set(part, find);
    const span = find(steps);
    return span && { offset: span.offset + part.start, length: span.length };
  };
  return (steps) => {
    const names = steps.map(nameOfStep);
    // If no part contains the rest, the innermost name on the way counts.
    let nearest: Span | undefined;
    let depth = 0;
    for (const part of parts) {
      const common = part.path.findIndex(({ name }, i) => name !== names[i]);
      const known = common < 0 ? part.path.length : common;
      if (known > depth) {
        const { name, offset } = part.path[known - 1]!;
        nearest = { offset, length: name.length };
        depth = known;
      }
      if (known < part.path.length || steps.length <= known) continue;
      const found = findIn(part, steps.slice(known));
      if (found) return found;
    }
    return nearest ?? start;
  };
}

/** Undefined if even the first step leads nowhere. */
function documentFinder(text: string): (steps: readonly string[]) => Span | undefined {
  const document: Document = parseYamlDocument(text);
  const lib = yaml();
  return (steps) => {
    let span: Span | undefined;
    let value: unknown = document.contents;
    for (const step of steps) {
      if (lib.isAlias(value)) value = value.resolve(document);
      const name = nameOfStep(step);
      if (lib.isSeq(value)) {
        const item: unknown = value.items[Number(name)];
        if (!lib.isNode(item)) break;
        value = item;
        span = spanOf(item.range);
      } else if (lib.isMap(value)) {
        const pair = value.items.findLast(({ key }) => lib.isScalar(key) && nameOfKey(key) === name);
        if (!pair) break;
        value = pair.value;
        const shown = lib.isScalar(value) && !value.type?.startsWith("BLOCK") ? value : pair.key;
        span = lib.isNode(shown) ? spanOf(shown.range) : span;
      } else break;
    }
    return span;
  };
}

const spanOf = (range: readonly number[] | null | undefined): Span | undefined =>
  range ? { offset: range[0]!, length: Math.min(range[1]! - range[0]!, 200) } : undefined;
