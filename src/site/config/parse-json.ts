import { type ParseErrorCode, visit } from "jsonc-parser";
import type { JsonArray, JsonFile, JsonMember, JsonObject, JsonValue, Report, Span } from "./json-value.js";
import { locationOfSpan, shortened } from "./json-value.js";

/** Far beyond any site, far below what a recursion over the values could not bear. */
export const maxJsonDepth = 128;
export const maxJsonValueCount = 500_000;

/**
 * Reads JSON with the place of every value.
 *
 * Out:   comments and commas before a closing bracket are read over, with one warning for each kind and file. A name
 *        written twice counts the last time, with a warning.
 * Fails: the first thing that cannot be read is one error that says what was expected; undefined then. So is a file
 *        nested deeper than `maxJsonDepth` or with more than `maxJsonValueCount` values.
 */
export function parseJson(file: JsonFile, report: Report): JsonValue | undefined {
  const open: Container[] = [];
  const warned = new Set<string>();
  let root: JsonValue | undefined;
  let name: { readonly text: string; readonly at: Span } | undefined;
  let lastComma: number | undefined;
  /** The container that ended last: the parser ends the one it is in before it says that its bracket is missing. */
  let closed: Container | undefined;
  let valueCount = 0;

  const span = (offset: number, length: number): Span => ({ file, offset, length });
  const fail = (code: string, what: string, at: Span, fix: string): never => {
    report({ code, severity: "error", what, location: locationOfSpan(at), fix });
    throw stopped;
  };
  const warnOnce = (what: string, at: Span, fix: string): void => {
    if (warned.has(what)) return;
    warned.add(what);
    report({ code: "JSON_NOT_STRICT", severity: "warning", what, location: locationOfSpan(at), fix });
  };
  /** Every value passes here once, when it begins. */
  const add = <V extends JsonValue>(make: (context: { parent?: JsonValue; step: string | number }) => V): V => {
    lastComma = undefined;
    valueCount += 1;
    const around = open.at(-1);
    const value = make({ parent: around, step: around?.kind === "array" ? around.items.length : (name?.text ?? "") });
    if (valueCount > maxJsonValueCount) {
      fail("CONFIG_TOO_LARGE", `${file.sourcePath} holds more than ${maxJsonValueCount} values.`, value.at, smaller);
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
        "Here stands a comma after the last entry.",
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
          name = { text, at: span(offset, length) };
        },
        onLiteralValue: (value, offset, length) =>
          add((context) => ({ ...literal(value), at: span(offset, length), ...context }) as JsonValue),
        onObjectEnd: end,
        onArrayEnd: end,
        onSeparator: (character, offset) => {
          if (character === ",") lastComma = offset;
        },
        onComment: (offset) =>
          warnOnce("Here stands a comment.", span(offset, 2), "remove it: other tools refuse JSON with comments."),
        onError: (error, offset, length) => {
          const isUnclosed = error === closeBraceExpected || error === closeBracketExpected;
          const { what, fix } = describeError(error, offset, isUnclosed ? closed : open.at(-1), file);
          fail("JSON_BROKEN", what, span(offset, Math.max(1, length)), fix);
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

/** Leaves the parser from inside a callback, after the reason has been reported. */
const stopped = Symbol("stopped");
const smaller = 'make it smaller, or move parts into files of their own with {"$ref": "./part.json"}.';

function literal(value: unknown): object {
  return value === null ? { kind: "null" } : { kind: typeof value, value };
}

function lastOfEachName(members: JsonMember[], report: Report): JsonMember[] {
  const byName = new Map(members.map((member) => [member.name, member]));
  if (byName.size === members.length) return members;
  const seen = new Set<string>();
  for (const { name, nameAt } of members) {
    if (seen.has(name)) {
      report({
        code: "JSON_NAME_TWICE",
        severity: "warning",
        what: `${shortened(JSON.stringify(name))} stands twice in this object; only the last one counts.`,
        location: locationOfSpan(nameAt),
        fix: "remove one of the two.",
      });
    }
    seen.add(name);
  }
  return [...byName.values()];
}

const closeBraceExpected = 7;
const closeBracketExpected = 8;

function describeError(
  code: ParseErrorCode,
  offset: number,
  around: Container | undefined,
  file: JsonFile,
): { readonly what: string; readonly fix: string } {
  if (file.text.trim() === "")
    return { what: `${file.sourcePath} is empty.`, fix: "write {} and the settings into it." };
  const next = file.text.charAt(offset);
  if (around && (next === "" || next === "}" || next === "]")) {
    const [bracket, missing] = around.kind === "object" ? ["{", "}"] : ["[", "]"];
    if (next !== missing) {
      const opened = `the "${bracket}" of line ${file.positionOf(around.at.offset).line}`;
      return next
        ? { what: `Here stands "${next}", but ${opened} is still open.`, fix: `write "${missing}" before it.` }
        : { what: `The file ends, but ${opened} is still open.`, fix: `write the missing "${missing}".` };
    }
  }
  return (
    parseErrors[code] ?? { what: "This is not JSON.", fix: "correct it; an editor with JSON support marks the place." }
  );
}

/** By the codes of the parser: what was expected, and what to type. */
const parseErrors: Partial<Record<ParseErrorCode, { readonly what: string; readonly fix: string }>> = {
  1: {
    what: "This is not JSON: a value is a text in double quotes, a number, true, false, null, [ ] or { }.",
    fix: "put texts into double quotes.",
  },
  2: { what: "This is not a number as JSON writes it.", fix: "write it as 12, -0.5 or 1e3." },
  3: { what: "Here a name in double quotes was expected.", fix: 'write "name": before the value.' },
  4: { what: "Here a value was expected.", fix: "write a value, or remove the comma or colon before it." },
  5: { what: 'Here a ":" was expected, between a name and its value.', fix: 'write ":".' },
  6: { what: 'Here a "," was expected, between two entries.', fix: 'write "," after the entry before.' },
  7: { what: 'Here a "}" was expected.', fix: 'write "}".' },
  8: { what: 'Here a "]" was expected.', fix: 'write "]".' },
  9: { what: "The file goes on after its last value.", fix: "remove what follows, or put it inside the outer { }." },
  11: { what: "This comment is never closed.", fix: "write */, or remove the comment." },
  12: { what: "This text is not closed on its line.", fix: 'write the closing "; a line break inside a text is \\n.' },
  13: { what: "This number is cut short.", fix: "write it as 12, -0.5 or 1e3." },
  14: { what: "This \\u escape is not followed by four hex digits.", fix: "write it as \\u00e9." },
  15: { what: "JSON knows no such escape.", fix: 'a backslash itself is written "\\\\".' },
  16: { what: "This text holds a control character.", fix: "write a tab as \\t, a line break as \\n." },
};
