import { visit } from "jsonc-parser";
import { compareDiagnostics, type Diagnostic, type Location, warningOf } from "../../lib/diagnostic/index.js";
import { withoutNull } from "../../lib/html/escape.js";
import { explainJson, repairJson } from "../../lib/json/index.js";
import { lazy } from "../../lib/memo.js";
import { invalidUtf8, type SiteFiles } from "../source/index.js";
import {
  type JsonArray,
  type JsonFile,
  type JsonMember,
  type JsonObject,
  type JsonValue,
  jsonFile,
  locationOf,
  locationOfSpan,
  type Report,
  type Span,
  shortened,
} from "./json-value.js";

/** Far more than in any real site, and far below the limit of recursive functions. */
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
  let valueCount = 0;

  const span = (offset: number, length: number): Span => ({ file, offset, length });
  const repair = lazy(() => repairJson(file.sourcePath, file.text));
  const fail = (code: string, what: string, location: Location, fix: string, more?: Partial<Diagnostic>): never => {
    report({ code, severity: "error", what, location, fix, ...more });
    throw stopped;
  };
  const refuse = (code: string, fault: string, value: JsonValue): never =>
    fail(code, `${file.sourcePath} ${fault}.`, locationOf(value), smaller);
  const warnOnce = (what: string, at: Span, fix: string): void => {
    if (warned.has(what)) return;
    warned.add(what);
    report({ code: "JSON_NOT_STRICT", severity: "warning", what, location: locationOfSpan(at), fix, ...repair() });
  };
  /** Called once at the start of each value. */
  const add = <V extends JsonValue>(make: (context: { parent?: JsonValue; step: string | number }) => V): V => {
    lastComma = undefined;
    valueCount += 1;
    const around = open.at(-1);
    const value = make({ parent: around, step: around?.kind === "array" ? around.items.length : (name?.text ?? "") });
    if (valueCount > maxJsonValueCount) refuse("CONFIG_TOO_LARGE", `has more than ${maxJsonValueCount} values`, value);
    if (around === undefined) root ??= value;
    else if (around.kind === "array") around.items.push(value);
    else if (name) around.members.push({ name: name.text, nameAt: name.at, value });
    name = undefined;
    return value;
  };
  const begin = (container: Container): void => {
    open.push(container);
    if (open.length > maxJsonDepth)
      refuse("CONFIG_TOO_DEEP", `is nested deeper than ${maxJsonDepth} levels`, container);
  };
  const end = (): void => {
    if (lastComma !== undefined) {
      warnOnce(
        "There is a trailing comma after the last entry.",
        span(lastComma, 1),
        "remove the comma: other tools reject JSON with trailing commas.",
      );
    }
    lastComma = undefined;
    const closed = open.pop();
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
          warnOnce("JSON does not allow comments.", span(offset, 2), "remove the comment: other tools reject it."),
        onError: (error, offset, length) => {
          const { what, fix, location, ...more } =
            file.text.trim() === ""
              ? {
                  what: `${file.sourcePath} is empty.`,
                  fix: "write {} with the settings inside.",
                  location: locationOfSpan(span(0, 1)),
                }
              : explainJson(file, { error, offset, length: length || 1 });
          fail("JSON_BROKEN", what, location, fix, more);
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
const smaller = 'make it smaller, or move parts to separate files and refer to them with {"$ref": "./part.json"}.';

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
        ...warningOf("JSON_NAME_TWICE"),
        what: `${shortened(JSON.stringify(name))} is defined twice in this object, first on line ${locationOfSpan(first).line}; the last value is used.`,
        location: locationOfSpan(nameAt),
        related: { location: locationOfSpan(first), what: "first defined here" },
        fix: "remove one of the two.",
      });
    }
    seen.set(name, first ?? nameAt);
  }
  return [...byName.values()];
}

/** Limit for all files of a configuration together, in UTF-16 code units. */
const maxConfigLength = 16 * 1024 * 1024;

/** Reads files of the configuration, up to `maxConfigLength` in total. */
export function jsonFileReader(files: SiteFiles, report: Report): (sourcePath: string) => JsonFile | undefined {
  let room = maxConfigLength;
  return (sourcePath) => {
    const fail = (code: string, what: string, fix: string): undefined =>
      void report({ code, severity: "error", what, location: { sourcePath }, fix });
    let text: string;
    try {
      text = files.readText(sourcePath);
    } catch (error) {
      const { cause } = error as Error;
      const what = `${sourcePath} cannot be read: ${cause instanceof Error ? cause.message : String(error)}.`;
      const fix = `make the file readable for the user who runs the export, for example with "chmod a+r ${sourcePath}".`;
      return fail("CONFIG_UNREADABLE", what, fix);
    }
    for (const fault of invalidUtf8(files, sourcePath, text)) report(fault);
    room -= text.length;
    if (room >= 0) return jsonFile(sourcePath, text);
    const what = `With this file, the configuration is larger than ${maxConfigLength / 1024 / 1024} MiB.`;
    const fix = "keep only settings in it, and move specifications and data to separate files.";
    return fail("CONFIG_TOO_LARGE", what, fix);
  };
}

/** Further faults of a configuration are only counted, since a hostile file may have millions. */
const maxDiagnosticCount = 500;

export function diagnosticCollector(sourcePath: string) {
  const diagnostics: Diagnostic[] = [];
  let moreCount = 0;
  return {
    report: ((fault) => {
      if (diagnostics.length === maxDiagnosticCount) moreCount += 1;
      else diagnostics.push(typeof fault === "function" ? fault() : fault);
    }) satisfies Report,
    hasErrors: () => diagnostics.some(({ severity }) => severity === "error"),
    /** Adds to the first fault of a setting what it leads to, with the code of that. Whether there is one. */
    blame: (setting: string, code: string, effect: string): boolean => {
      const at = diagnostics.findIndex(
        (fault) => /^CONFIG_(?:BAD_VALUE|UNKNOWN_KEY)$/.test(fault.code) && fault.what.startsWith(`"${setting}`),
      );
      const cause = diagnostics[at];
      if (cause) diagnostics[at] = { ...cause, code, severity: "error", what: `${cause.what} ${effect}` };
      return cause !== undefined;
    },
    /** The reported diagnostics, in printing order. */
    sorted: (): Diagnostic[] => {
      if (moreCount === 0) return diagnostics.sort(compareDiagnostics);
      const rest: Diagnostic = {
        ...warningOf("CONFIG_MORE_FAULTS"),
        what: `The configuration has ${moreCount} more faults than the ${maxDiagnosticCount} listed.`,
        location: { sourcePath },
        fix: "fix the listed ones first.",
      };
      return [...diagnostics, rest].sort(compareDiagnostics);
    },
  };
}
