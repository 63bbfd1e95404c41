import { createScanner, getNodeValue, type ParseError, parseTree } from "jsonc-parser";
import { type Diagnostic, lengthOnLine, positionAt, positionFinder, warningOf } from "../../../lib/diagnostic/index.js";
import { exceededBound, explainJson, isContainer, type Json, parseJson, repairJson } from "../../../lib/json/index.js";
import { parseYamlText } from "./parse-yaml.js";
import {
  isJsonText,
  jsonToken,
  maxSpecDepth,
  maxSpecValues,
  nesting,
  type ParsedText,
  prototypeName,
  type SpecText,
  specNameLeftOut,
  specNameTwice,
  specSyntax,
  specTooDeep,
  specTooLarge,
} from "./spec-text.js";

export const parseSpecText = (file: SpecText): ParsedText =>
  isJsonText(file) ? parseJsonText(file) : parseYamlText(file);

/**
 * Reads JSON with the engine's parser, or, if that fails, with a parser that locates the fault but takes ten times as long.
 * Comments and trailing commas are skipped with a warning.
 */
export function parseJsonText(file: SpecText): ParsedText {
  const { source, text } = file;
  if (text.trim() === "")
    return {
      diagnostics: [specSyntax(`${source} is empty.`, { sourcePath: source }, "write the specification to the file.")],
    };
  if (/^\s*<[!?a-z]/i.test(text)) {
    const fix = "download the file again: a login or an error page may have been saved in its place.";
    return {
      diagnostics: [specSyntax(`${source} is HTML or XML, not JSON.`, { sourcePath: source, line: 1, column: 1 }, fix)],
    };
  }
  // A shorter text cannot have that many values.
  if (text.length > 2 * maxSpecValues && exceededBound(Buffer.from(text), bounds) !== undefined)
    return { diagnostics: [specTooLarge(source)] };
  try {
    return withinLimits(parseJson(text), file);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const deep = offsetOfDepth(text);
  if (deep !== undefined) return { diagnostics: [specTooDeep({ sourcePath: source, ...positionAt(text, deep) })] };
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error || !tree) {
    const { offset = 0, length = 1 } = error ?? {};
    const { what, location, fix, ...more } = explainJson(
      { sourcePath: source, text, positionOf: positionFinder(text) },
      { error: error?.error, offset, length: length || 1 },
    );
    return { diagnostics: [{ ...specSyntax(what, location, fix), ...more }] };
  }
  const read = withinLimits(getNodeValue(tree) as Json, file);
  return { ...read, diagnostics: [...read.diagnostics, notStrict(file)] };
}

/** The depth is not checked here, but by `offsetOfDepth`, which returns the location. */
const bounds = { maxDepth: Number.POSITIVE_INFINITY, maxValues: maxSpecValues };

function notStrict({ source, text }: SpecText): Diagnostic {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const at = errors[0]?.offset ?? 0;
  return {
    ...warningOf("JSON_NOT_STRICT"),
    what: `${source} has comments or trailing commas, which JSON does not allow.`,
    location: { sourcePath: source, ...positionAt(text, at), length: lengthOnLine(text, at, errors[0]?.length ?? 1) },
    fix: "remove them: other tools reject the file.",
    ...repairJson(source, text),
  };
}

/**
 * Refuses a document that is too deep or too large. Reports and removes the one name that could reach a prototype, and
 * reports names that an object has twice, of which the parser has used the last.
 */
function withinLimits(value: Json, file: SpecText): ParsedText {
  let count = 0;
  let nameCount = 0;
  let hasPrototypeName = false;
  let fault: "deep" | "large" | undefined;
  const visit = (part: Json, depth: number): void => {
    if (++count > maxSpecValues) fault = "large";
    if (fault || !isContainer(part)) return;
    if (depth > maxSpecDepth) {
      fault = "deep";
      return;
    }
    if (Array.isArray(part)) {
      for (const item of part) visit(item, depth + 1);
      return;
    }
    if (Object.hasOwn(part, prototypeName)) {
      Reflect.deleteProperty(part, prototypeName);
      hasPrototypeName = true;
      nameCount++;
    }
    for (const name in part) {
      nameCount++;
      visit((part as { readonly [name: string]: Json })[name]!, depth + 1);
    }
  };
  visit(value, 1);
  if (fault === "large") return { diagnostics: [specTooLarge(file.source)] };
  if (fault === "deep") {
    const offset = offsetOfDepth(file.text) ?? 0;
    return { diagnostics: [specTooDeep({ sourcePath: file.source, ...positionAt(file.text, offset) })] };
  }
  return { value, diagnostics: hasPrototypeName || nameCount < namesWritten(file.text) ? nameFaults(file) : [] };
}

/** The number of names in a JSON text: of colons outside strings. Comments may add some. */
function namesWritten(text: string): number {
  let count = 0;
  let isString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) isString = !isString;
    else if (isString && code === 0x5c) i++;
    else if (!isString && code === 0x3a) count++;
  }
  return count;
}

function nameFaults({ source, text }: SpecText): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const scanner = createScanner(text, true);
  const positionOf = positionFinder(text);
  const around: Set<string>[] = [];
  let [name, offset] = ["", 0];
  for (let token = scanner.scan(); token !== jsonToken.end; token = scanner.scan()) {
    const change = nesting(token);
    if (change > 0) around.push(new Set());
    if (change < 0) around.pop();
    if (token === jsonToken.colon) {
      const location = { sourcePath: source, ...positionOf(offset + 1) };
      if (name === prototypeName) diagnostics.push(specNameLeftOut(location));
      else if (around.at(-1)?.has(name)) diagnostics.push(specNameTwice(name, location));
      around.at(-1)?.add(name);
    }
    [name, offset] = [token === jsonToken.string ? scanner.getTokenValue() : "", scanner.getTokenOffset()];
  }
  return diagnostics;
}

/** The offset at which the nesting exceeds the limit. */
function offsetOfDepth(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== jsonToken.end; token = scanner.scan()) {
    depth += nesting(token);
    if (depth > maxSpecDepth) return scanner.getTokenOffset();
  }
  return undefined;
}
