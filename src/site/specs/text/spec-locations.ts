import { createScanner } from "jsonc-parser";
import type { Document } from "yaml";
import { type Location, lengthOnLine, positionFinder } from "../../../lib/diagnostic/index.js";
import { nameOfStep } from "../../../lib/json/index.js";
import { yaml } from "../../../lib/yaml/parse-yaml.js";
import type { ApiSpec } from "../../api-spec.js";
import { pointerSteps } from "../resolve-pointer.js";
import { nameOfKey, parseSpecYaml } from "./parse-yaml.js";
import { isJsonText, jsonToken, nesting } from "./spec-text.js";
import { splitYaml, type YamlPart } from "./split-yaml.js";

type Find = (steps: readonly string[], part?: "name") => Span | undefined;

/**
 * Finds where the value of a pointer is written: the name of an object or list, or any other value itself. For `part`, the
 * name is found in each case. For a pointer
 * without a value, it returns the last value on its way. The text is read at the first call only, since that takes ten times
 * as long as reading the data.
 */
export function createLocations(source: string, readText: () => string | undefined): ApiSpec["locationOf"] {
  let find: ((...options: Parameters<Find>) => Location) | undefined;
  return (pointer, part) => {
    const steps = pointerSteps(pointer);
    if (steps === undefined) return { sourcePath: source };
    find ??= createFinder(source, readText());
    return find(steps, part);
  };
}

function createFinder(source: string, text: string | undefined): (...options: Parameters<Find>) => Location {
  if (text === undefined) return () => ({ sourcePath: source });
  const find = isJsonText({ source, text }) ? jsonFinder(text) : yamlFinder(text);
  const positionOf = positionFinder(text);
  return (steps, part) => {
    const span = find(steps, part);
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

/** A value, or its opening bracket. */
interface Written extends Span {
  readonly isContainer: boolean;
  /** Name of the member. */
  readonly name?: Span | undefined;
}

/** Caches only the objects and lists on the way to a value: a tree of a long text takes thirty times its size. */
function jsonFinder(text: string): Find {
  const scanner = createScanner(text, true);
  const token = (): Span => ({ offset: scanner.getTokenOffset(), length: Math.max(1, scanner.getTokenLength()) });
  /** The value that begins at the current token; the next token is the first one after it. */
  const readValue = (): Written => {
    const first = token();
    const isContainer = nesting(scanner.getToken()) > 0;
    if (isContainer) scanner.setPosition(endOfContainer(text, first.offset));
    return { ...first, length: isContainer ? 1 : first.length, isContainer };
  };
  /** The members of an object or list, by name or index. */
  const membersOf = ({ offset, isContainer }: Written): ReadonlyMap<string, Written> => {
    const members = new Map<string, Written>();
    if (!isContainer) return members;
    scanner.setPosition(offset);
    const isObject = scanner.scan() === jsonToken.openBrace;
    for (let kind = scanner.scan(); nesting(kind) >= 0 && kind !== jsonToken.end; kind = scanner.scan()) {
      if (kind === jsonToken.comma) continue;
      const name = isObject ? { text: scanner.getTokenValue(), span: token() } : undefined;
      // Skip the name and its colon.
      if (name) for (let skipped = 0; skipped < 2; skipped++) scanner.scan();
      // The last one of several members with the same name applies, as in reading.
      members.set(name?.text ?? `${members.size}`, { ...readValue(), name: name?.span });
    }
    return members;
  };
  const byOffset = new Map<number, ReadonlyMap<string, Written>>();
  scanner.scan();
  const root: Written = { ...token(), isContainer: nesting(scanner.getToken()) > 0 };
  return (steps, part) => {
    let at = root;
    for (const step of steps) {
      const members = byOffset.get(at.offset) ?? membersOf(at);
      byOffset.set(at.offset, members);
      const next = members.get(nameOfStep(step));
      if (next === undefined) break;
      at = next;
    }
    return at.isContainer || part ? (at.name ?? at) : at;
  };
}

/** The end of an object or a list. This looks only for brackets, so it is many times faster than the scanner. */
function endOfContainer(text: string, start: number): number {
  const find = (mark: string, from: number): number => (text.indexOf(mark, from) + 1 || text.length) - 1;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') at = endOfString(text, at);
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    else if (char === "/") at = text[at + 1] === "*" ? find("*/", at + 2) + 1 : find("\n", at);
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** @returns the offset of the closing quote; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    at = text.indexOf('"', at);
    if (at < 0) break;
    let escapes = 0;
    while (text[at - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

/** Reads only the needed parts of a long text. */
function yamlFinder(text: string): Find {
  const parts = splitYaml(text);
  if (!parts) {
    const find = documentFinder(text);
    return (steps, part) => find(steps, part) ?? start;
  }
  const finders = new Map<YamlPart, ReturnType<typeof documentFinder>>();
  const findIn = (piece: YamlPart, ...options: Parameters<Find>): Span | undefined => {
    const find = finders.get(piece) ?? documentFinder(text.slice(piece.start, piece.end));
    finders.set(piece, find);
    const span = find(...options);
    return span && { offset: span.offset + piece.start, length: span.length };
  };
  return (steps, wanted) => {
    const names = steps.map(nameOfStep);
    // Use the innermost name on the way if no part contains the value.
    let nearest: Span | undefined;
    let depth = 0;
    const candidates: YamlPart[] = [];
    for (const part of parts) {
      const different = part.path.findIndex(({ name }, i) => name !== names[i]);
      const common = different < 0 ? part.path.length : different;
      if (common > depth) {
        const { name, offset } = part.path[common - 1]!;
        nearest = { offset, length: name.length };
        depth = common;
      }
      if (common === part.path.length && steps.length > common) candidates.push(part);
    }
    const hasName = ({ path, start, end }: YamlPart): boolean => text.slice(start, end).includes(names[path.length]!);
    // Search the parts with the name first; few names are written with escapes.
    for (const isExpected of [true, false])
      for (const part of candidates) {
        const span = hasName(part) === isExpected ? findIn(part, steps.slice(part.path.length), wanted) : undefined;
        if (span) return span;
      }
    return nearest ?? start;
  };
}

/** Finds values in one document; undefined if the document has nothing at the first step. */
function documentFinder(text: string): Find {
  const document: Document = parseSpecYaml(text);
  const lib = yaml();
  return (steps, part) => {
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
        const isShown = !part && lib.isScalar(value) && !value.type?.startsWith("BLOCK");
        const shown = isShown ? value : pair.key;
        span = lib.isNode(shown) ? spanOf(shown.range) : span;
      } else break;
    }
    return span;
  };
}

const spanOf = (range: readonly number[] | null | undefined): Span | undefined =>
  range ? { offset: range[0]!, length: Math.min(range[1]! - range[0]!, 200) } : undefined;
