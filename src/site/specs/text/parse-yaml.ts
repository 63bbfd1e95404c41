import type { Alias, Document, Pair, Scalar } from "yaml";
import {
  type Diagnostic,
  errorOf,
  type Location,
  lengthOnLine,
  positionAt,
  positionFinder,
} from "../../../lib/diagnostic/index.js";
import { isList, isObject, type Json, type JsonObject, numberOf } from "../../../lib/json/index.js";
import { lazy } from "../../../lib/memo.js";
import { parseYamlDocument, yaml } from "../../../lib/yaml/parse-yaml.js";
import { explainYaml } from "../../../lib/yaml/yaml-advice.js";
import {
  maxSpecDepth,
  maxSpecValues,
  maxYamlAtOnce,
  type ParsedText,
  prototypeName,
  type SpecText,
  specNameLeftOut,
  specNameTwice,
  specSyntax,
  specTooDeep,
  specTooLarge,
} from "./spec-text.js";
import { splitYaml, type YamlPart } from "./split-yaml.js";

/** Parses YAML without the check for duplicate names, which takes time quadratic in their number. */
export const parseSpecYaml = (text: string): Document.Parsed =>
  parseYamlDocument(text, { keepSourceTokens: false, uniqueKeys: false });

/**
 * Reads YAML as JSON data by YAML's core schema, with `<<` merged. A long text is read in parts. If one of them has a fault,
 * the whole text is read to locate it, unless it is too long.
 */
export function parseYamlText(file: SpecText): ParsedText {
  const { text } = file;
  const parts = splitYaml(text) ?? [{ path: [], start: 0, end: text.length }];
  const long = parts.find(({ start, end }) => end - start > maxYamlAtOnce);
  if (long) return { diagnostics: [yamlTooLarge(file, long)] };
  const read = parts.length > 1 ? readParts(file, parts) : undefined;
  if (read && "value" in read) return read;
  if (text.length <= maxYamlAtOnce) return parseWhole(file);
  return { diagnostics: [yamlTooLarge(file, read?.failed ?? parts[0]!)] };
}

const yamlTooLarge = ({ source, text }: SpecText, { start }: YamlPart): Diagnostic => ({
  ...errorOf("SPEC_TOO_LARGE"),
  what: `${source} has more YAML after this point than can be parsed at once (${maxYamlAtOnce / 1_000_000} MB).`,
  location: { sourcePath: source, ...positionAt(text, start) },
  fix: "correct this part if it is not valid YAML, or convert the file to JSON, which takes less memory.",
});

function readParts(
  { source, text }: SpecText,
  parts: readonly YamlPart[],
): Required<ParsedText> | { readonly failed: YamlPart } {
  const out: Mapping = {};
  const diagnostics: Diagnostic[] = [];
  const positionOf = lazy(() => positionFinder(text));
  let count = 0;
  for (const part of parts) {
    const { path, start, end } = part;
    const document = parseSpecYaml(text.slice(start, end));
    if (document.errors.length > 0) return { failed: part };
    // A part may contain only comments.
    if (document.contents === null) continue;
    const locationAt = (offset: number): Location => ({ sourcePath: source, ...positionOf()(start + offset) });
    const converter = new Converter(source, locationAt, path.length);
    const { value, diagnostics: faults } = converter.convert(document);
    diagnostics.push(...faults);
    count += converter.count;
    if (typeof value !== "object" || value === null || Array.isArray(value) || count > maxSpecValues)
      return { failed: part };
    const target = mappingAt(out, path);
    if (target === undefined) return { failed: part };
    for (const name of Object.keys(value)) {
      // Read the whole text instead, so that the duplicate name is reported.
      if (Object.hasOwn(target, name)) return { failed: part };
      target[name] = (value as Mapping)[name]!;
    }
  }
  return { value: out, diagnostics };
}

/** The mapping to which a part belongs; it is created if missing. */
function mappingAt(top: Mapping, path: YamlPart["path"]): Mapping | undefined {
  let at = top;
  for (const { name } of path) {
    if (name === prototypeName) return undefined;
    if (!Object.hasOwn(at, name)) at[name] = {};
    const below = at[name]!;
    if (typeof below !== "object" || below === null || Array.isArray(below)) return undefined;
    at = below as Mapping;
  }
  return at;
}

const maxExplained = 200_000;

type Mapping = { [name: string]: Json };

function parseWhole(file: SpecText): ParsedText {
  const { source, text } = file;
  const document = parseSpecYaml(text);
  const positionOf = positionFinder(text);
  const locationAt = (offset: number): Location => ({
    sourcePath: source,
    ...positionOf(Math.min(offset, text.length)),
  });
  const [error] = document.errors;
  if (error) {
    const indented = withIndentedValues(text);
    const read = indented === text ? undefined : parseYamlText({ ...file, text: indented });
    if (read?.value !== undefined) return read;
    // Do not parse a large file repeatedly.
    const check = (changed: string) => (text.length > maxExplained ? [] : parseSpecYaml(changed).errors);
    const [fault] = explainYaml(text, (changed) => (changed === text ? document.errors : check(changed)), 1);
    const { what, offset, length, fix, edits, related } = fault!;
    if (length === undefined && error.message.includes("call stack"))
      return { diagnostics: [specTooDeep(locationAt(offsetOfDepth(text)))] };
    const placed = (at: number, chars: number): Location => ({
      ...locationAt(at),
      length: lengthOnLine(text, at, chars),
    });
    const diagnostic = {
      ...specSyntax(what, placed(offset, length ?? 1), fix),
      ...(related && { related: { location: placed(related.offset, related.length), what: related.what } }),
      ...(edits && { edits: edits.map((edit) => ({ sourcePath: source, ...edit })) }),
    };
    return { diagnostics: [diagnostic] };
  }
  if (document.contents === null) {
    const fix = "write the specification to the file.";
    return { diagnostics: [specSyntax(`${source} is empty.`, { sourcePath: source }, fix)] };
  }
  const parsed = new Converter(source, locationAt).convert(document);
  const [, , end] = document.range;
  if (!furtherDocument.test(text.slice(end))) return parsed;
  const fix = "put each document into a file of its own, and list each file in the navigation.";
  const what = "The file has a second YAML document from here on, which is left out.";
  return { ...parsed, diagnostics: [...parsed.diagnostics, specSyntax(what, locationAt(end), fix)] };
}

/** A line that is no comment and no mark between documents. */
const furtherDocument = /^(?:---[ \t]+[^\s#]|(?!---|\.\.\.|%|[ \t\r]*(?:#|$)).)/m;

/**
 * Indents the lines of quoted texts and of data in brackets that start left of their name, as certificates and JSON are pasted:
 * other parsers read them.
 */
function withIndentedValues(text: string): string {
  let out = "";
  let done = 0;
  // Without a limit, brackets that nothing closes would be read to the end of the text, each of them.
  const budget = { chars: 5 * text.length };
  for (const { 0: name, index } of text.matchAll(/^ *(?:- +)*[\w$.-]+: +(?=["'{[])/gm)) {
    const start = index + name.length;
    const end = index < done ? undefined : endOfValue(text, start, budget);
    if (end === undefined) continue;
    const value = text.slice(start, end);
    // After a quote that is not closed, the next lines are names with their values.
    const isOpen = /^["']/.test(value) && /\n *(?:- +)*["']?[\w$./{}-]+["']?:(?:\s|$)/.test(value);
    if (isOpen) continue;
    const indented = value.replace(/\n *(?=[^ \r\n])/g, (line) => line.padEnd(name.length + 1));
    out += text.slice(done, start) + indented;
    done = end;
  }
  return out + text.slice(done);
}

/** The end of a value that begins with a quote or a bracket; undefined if nothing closes it at the end of a line. */
function endOfValue(text: string, start: number, budget: { chars: number }): number | undefined {
  const tokens = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[[\]{}]/gsy;
  let depth = 0;
  for (let at = start; at < text.length && budget.chars > 0; ) {
    tokens.lastIndex = at;
    const token = tokens.exec(text)?.[0] ?? text[at]!;
    at += token.length;
    budget.chars -= token.length;
    depth += /^[[{]$/.test(token) ? 1 : /^[\]}]$/.test(token) ? -1 : 0;
    if (depth === 0) return /[ \t\r]*(?:\n|$)/y.test(text.slice(at, at + 200)) ? at : undefined;
  }
  return undefined;
}

/** The approximate offset at which the nesting exceeds the limit, by brackets and dashes, in a text too deep for the parser. */
function offsetOfDepth(text: string): number {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/[[{]|[\]}]|(?:- ){200}/g)) {
    depth += mark === "]" || mark === "}" ? -1 : 1;
    if (depth > maxSpecDepth || mark.startsWith("-")) return index;
  }
  return 0;
}

/** A value with an anchor, and the number of values in it. */
interface Anchor {
  readonly value: Json;
  readonly count: number;
}

/**
 * Converts the parsed nodes to data: with limits, without prototypes, and with aliases resolved in one step. The value of an
 * alias is shared, but counts each time.
 */
class Converter {
  readonly #lib = yaml();
  readonly #anchors = new Map<string, Anchor>();
  #count = 0;
  #fault: Diagnostic | undefined;
  readonly #leftOut: Diagnostic[] = [];

  constructor(
    private readonly source: string,
    private readonly locationAt: (offset: number) => Location,
    /** Number of levels that contain the document. */
    private readonly depth = 0,
  ) {}

  get count(): number {
    return this.#count;
  }

  convert(document: Document.Parsed): ParsedText {
    const value = this.#read(document.contents, this.depth + 1);
    return this.#fault ? { diagnostics: [this.#fault] } : { value, diagnostics: this.#leftOut };
  }

  #read(node: unknown, depth: number): Json {
    const before = this.#count++;
    if (this.#count > maxSpecValues) this.#fault ??= specTooLarge(this.source, this.#locationOf(node));
    if (this.#fault) return null;
    const lib = this.#lib;
    if (lib.isAlias(node)) return this.#readAlias(node);
    if (lib.isScalar(node)) return this.#named(node.anchor, plainValue(node), before);
    const isSeq = lib.isSeq(node);
    if (!isSeq && !lib.isMap(node)) return null;
    if (depth > maxSpecDepth) {
      this.#fault = specTooDeep(this.#locationOf(node));
      return null;
    }
    const value = isSeq ? node.items.map((item) => this.#read(item, depth + 1)) : this.#readPairs(node.items, depth);
    return this.#named(node.anchor, value, before);
  }

  #locationOf(node: unknown): Location {
    return this.locationAt(this.#lib.isNode(node) ? (node.range?.[0] ?? 0) : 0);
  }

  #named(anchor: string | undefined, value: Json, before: number): Json {
    if (anchor !== undefined) this.#anchors.set(anchor, { value, count: this.#count - before });
    return value;
  }

  #readAlias(node: Alias): Json {
    const anchor = this.#anchors.get(node.source);
    if (anchor !== undefined) {
      this.#count += anchor.count - 1;
      return anchor.value;
    }
    const location = { ...this.#locationOf(node), length: node.source.length + 1 };
    const what = `${this.source} repeats "${node.source}", but no earlier value has this anchor, or the alias is inside that value.`;
    this.#fault = specSyntax(
      what,
      location,
      `add "&${node.source}" before the intended value further up, or, for a string, write "*${node.source}" in quotes.`,
    );
    return null;
  }

  #readPairs(pairs: readonly Pair[], depth: number): Json {
    const out: { [name: string]: Json } = {};
    const written = new Set<string>();
    for (const { key, value } of pairs) {
      const name = this.#lib.isScalar(key) ? nameOfKey(key) : undefined;
      if (name === prototypeName) this.#leftOut.push(specNameLeftOut(this.#locationOf(key)));
      if (name === undefined || name === prototypeName) continue;
      const read = this.#read(value, depth + 1);
      if (name === "<<" && this.#lib.isScalar(key) && key.type === "PLAIN") {
        merge(out, read);
        continue;
      }
      if (written.has(name)) this.#leftOut.push(specNameTwice(name, this.#locationOf(key)));
      written.add(name);
      out[name] = name === "info" && depth === 1 ? this.#withVersion(read, value) : read;
    }
    return out;
  }

  /** Reads the version of an API as a string, so that 1.10 without quotes is not 1.1. */
  #withVersion(info: Json, node: unknown): Json {
    const version = this.#lib.isMap(node) ? node.get("version", true) : undefined;
    const isNumber = this.#lib.isScalar(version) && typeof version.value === "number";
    return isNumber ? { ...(info as JsonObject), version: version.source ?? String(version.value) } : info;
  }
}

/** A key as a name of JSON: `200` is "200". */
export const nameOfKey = (key: Scalar): string =>
  typeof key.value === "string" ? key.value : (key.source ?? String(key.value));

function plainValue({ value, source = "" }: Scalar): Json {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number")
    return /^-?\d+(?:\.\d+)?$/.test(source) ? numberOf(source) : Number.isFinite(value) ? value : null;
  return null;
}

/** Written members override merged ones. */
function merge(into: { [name: string]: Json }, merged: Json): void {
  for (const mapping of isList(merged) ? merged : [merged])
    for (const [name, value] of Object.entries(isObject(mapping) ? mapping : {}))
      if (!Object.hasOwn(into, name)) into[name] = value;
}
