import { type ParseErrorCode, visit } from "jsonc-parser";
import { withoutNull } from "../../lib/html/escape.js";
import { jsonFault, mendJson } from "../../lib/json/index.js";
import { lazy } from "../../lib/memo.js";
import type { JsonArray, JsonFile, JsonMember, JsonObject, JsonValue, Report, Span } from "./json-value.js";
import { locationOfSpan, shortened } from "./json-value.js";

/** Far deeper than any real site, and far less than a recursion over the values can handle. */
export const maxJsonDepth = 128;
export const maxJsonValueCount = 500_000;

/**
 * Reads JSON with the location of every value.
 *
 * Out:   comments and trailing commas are skipped, with one warning for each kind and file. If a name is written twice,
 *        the last one counts, with a warning.
 * Fails: the first syntax error is reported with what was expected, and the result is undefined. The same goes for a
 *        file nested deeper than `maxJsonDepth` or with more than `maxJsonValueCount` values.
 */
export function parseJson(file: JsonFile, report: Report): JsonValue | undefined {
  const open: Container[] = [];
  const warned = new Set<string>();
  let root: JsonValue | undefined;
  let name: { readonly text: string; readonly at: Span } | undefined;
  let lastComma: number | undefined;
  /** The container that ended last: the parser ends a container before it reports that its bracket is missing. */
  let closed: Container | undefined;
  let valueCount = 0;

  const span = (offset: number, length: number): Span => ({ file, offset, length });
  const repair = lazy(() => mendJson(file.sourcePath, file.text));
  const fail = (code: string, what: string, at: Span, fix: string): never => {
    const edits = code === "JSON_BROKEN" ? repair() : {};
    report({ code, severity: "error", what, location: locationOfSpan(at), fix, ...edits });
    throw stopped;
  };
  const warnOnce = (what: string, at: Span, fix: string): void => {
    if (warned.has(what)) return;
    warned.add(what);
    report({ code: "JSON_NOT_STRICT", severity: "warning", what, location: locationOfSpan(at), fix, ...repair() });
  };
  /** Called once for every value, when it begins. */
  const add = <V extends JsonValue>(make: (context: { parent?: JsonValue; step: string | number }) => V): V => {
    lastComma = undefined;
    valueCount += 1;
    const around = open.at(-1);
    const value = make({ parent: around, step: around?.kind === "array" ? around.items.length : (name?.text ?? "") });
    if (valueCount > maxJsonValueCount) {
      fail("CONFIG_TOO_LARGE", `${file.sourcePath} has more than ${maxJsonValueCount} values.`, value.at, smaller);
    }
    if (around === undefined) root ??= value;
    else if (around.kind === "array") around.items.push(value);
    else if (name) around.members.push({ name: name.text, nameAt: name.at, value });
    name = undefined;
    return value;
  };
  const begin = (container: Container): void => {
    open.push(container);
    if (open.length > maxJsonDepth) {
      fail(
        "CONFIG_TOO_DEEP",
        `${file.sourcePath} is nested deeper than ${maxJsonDepth} levels.`,
        container.at,
        smaller,
      );
    }
  };
  const end = (): void => {
    if (lastComma !== undefined) {
      warnOnce(
        "There is a comma after the last entry.",
        span(lastComma, 1),
        "remove the comma: other tools refuse the file with it.",
      );
    }
    lastComma = undefined;
    closed = open.pop();
    if (closed?.kind === "object") closed.members = lastOfEachName(closed.members, report);
  };

  try {
    visit(
      file.text,
      {
        onObjectBegin: (offset, length) =>
          begin(add((context): Container => ({ kind: "object", members: [], at: span(offset, length), ...context }))),
        onArrayBegin: (offset, length) =>
          begin(add((context): Container => ({ kind: "array", items: [], at: span(offset, length), ...context }))),
        onObjectProperty: (text, offset, length) => {
          lastComma = undefined;
          name = { text: withoutNull(text), at: span(offset, length) };
        },
        onLiteralValue: (value, offset, length) =>
          add((context) => ({ ...literal(value), at: span(offset, length), ...context }) as JsonValue),
        onObjectEnd: end,
        onArrayEnd: end,
        onSeparator: (character, offset) => {
          if (character === ",") lastComma = offset;
        },
        onComment: (offset) =>
          warnOnce("There is a comment here.", span(offset, 2), "remove it: other tools refuse JSON with comments."),
        onError: (error, offset, length) => {
          const isUnclosed = error === closeBraceExpected || error === closeBracketExpected;
          const around = isUnclosed ? closed : open.at(-1);
          const { what, fix } = describeError(error, offset, length, around, file);
          // At the end of the file there is nothing to show but the bracket that is open.
          const isAtEnd = offset >= file.text.trimEnd().length;
          const at = isAtEnd ? span(around?.at.offset ?? 0, 1) : span(offset, length || 1);
          fail("JSON_BROKEN", what, at, fix);
        },
      },
      { allowTrailingComma: true },
    );
  } catch (error) {
    if (error !== stopped) throw error;
    return undefined;
  }
  return root;
}

type Container =
  | (Omit<JsonObject, "members"> & { members: JsonMember[] })
  | (Omit<JsonArray, "items"> & { items: JsonValue[] });

/** Thrown by a callback to stop the parser, after the reason has been reported. */
const stopped = Symbol("stopped");
const smaller = 'make it smaller, or move parts into files of their own with {"$ref": "./part.json"}.';

function literal(value: unknown): object {
  if (value === null) return { kind: "null" };
  return { kind: typeof value, value: typeof value === "string" ? withoutNull(value) : value };
}

function lastOfEachName(members: JsonMember[], report: Report): JsonMember[] {
  const byName = new Map(members.map((member) => [member.name, member]));
  if (byName.size === members.length) return members;
  const seen = new Map<string, Span>();
  for (const { name, nameAt } of members) {
    const first = seen.get(name);
    if (first !== undefined) {
      report({
        code: "JSON_NAME_TWICE",
        severity: "warning",
        what: `${shortened(JSON.stringify(name))} is defined twice in this object, first in line ${locationOfSpan(first).line}; the last value wins.`,
        location: locationOfSpan(nameAt),
        fix: "remove one of the two.",
      });
    }
    seen.set(name, first ?? nameAt);
  }
  return [...byName.values()];
}

const invalidSymbol = 1;
const nameExpected = 3;
const closeBraceExpected = 7;
const closeBracketExpected = 8;

function describeError(
  code: ParseErrorCode,
  offset: number,
  length: number,
  around: Container | undefined,
  file: JsonFile,
): { readonly what: string; readonly fix: string } {
  if (file.text.trim() === "")
    return { what: `${file.sourcePath} is empty.`, fix: "write {} and the settings into it." };
  const next = file.text.charAt(offset);
  const bare = /^'([^'"\\]*)'$|^([\w$-]+)$/.exec(file.text.slice(offset, offset + length));
  if (bare && (code === invalidSymbol || code === nameExpected))
    return {
      what: "This is not valid JSON: strings and names need double quotes.",
      fix: `write ${JSON.stringify(bare[1] ?? bare[2])}.`,
    };
  if (around && (next === "" || next === "}" || next === "]")) {
    const [bracket, missing] = around.kind === "object" ? ["{", "}"] : ["[", "]"];
    if (next !== missing) {
      const opened = `the "${bracket}" of line ${file.positionOf(around.at.offset).line}`;
      return next
        ? { what: `This is "${next}", but ${opened} is still open.`, fix: `write "${missing}" before it.` }
        : { what: `The file ends, but ${opened} is still open.`, fix: `write the missing "${missing}".` };
    }
  }
  return jsonFault(code);
}
