/** Shows values as nodes of the page, and expressions without a value as typed. */
import type { RootContent } from "mdast";
import type { Position } from "unist";
import { type Location, quoted, warningOf } from "../../../lib/diagnostic/index.js";
import { createMemo, rememberedFor } from "../../../lib/memo.js";
import type { Mode } from "../expressions/scope.js";
import { isJsxTree, Opaque, Stop, type Value } from "../expressions/values.js";
import { macroFix } from "../parse/foreign-text.js";
import type { Expansion } from "./expansion.js";

/** Where a value is shown, and what the author typed there. */
export interface Shown {
  /** The source as written, braces included. */
  readonly typed: string;
  readonly mode: Mode;
  readonly position?: Position | undefined;
  readonly location: Location;
  /** Set for a file that is not the page. */
  readonly sourcePath?: string | undefined;
}

/** @throws {Stop} for a value that is neither text nor content. */
export function nodesOfValue(value: Value, shown: Shown, expander: Expansion): RootContent[] {
  if (--expander.page.budget.nodes < 0) throw new Stop("limit", "it produces too many elements");
  if (value === undefined || value === null || typeof value === "boolean" || value === "") return [];
  if (typeof value === "string") return [textNode(expander.variables.fill(value), shown)];
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Stop("text", "number");
    return [textNode(String(value), shown)];
  }
  if (value instanceof Opaque) throw new Stop("javascript", "function");
  if (isJsxTree(value)) return expander.copies(value.children, shown.mode, shown.location);
  if (Array.isArray(value)) return value.flatMap((each: Value) => nodesOfValue(each, shown, expander));
  throw new Stop("text", "object");
}

const textNode = (value: string, shown: Shown): RootContent => ({
  type: "text",
  value,
  ...(shown.position === undefined ? {} : { position: shown.position }),
  ...marked(shown),
});

const marked = (shown: Shown): { data?: { sourcePath: string } } =>
  shown.sourcePath === undefined ? {} : { data: { sourcePath: shown.sourcePath } };

/** Shows an expression without a value as typed. @throws {Stop} if a JavaScript engine can evaluate it. */
export function showStopped(error: unknown, shown: Shown, expander: Expansion): RootContent[] {
  const stop = asStop(error);
  if (stop.reason === "javascript") throw stop;
  if (stop.reason === "limit") {
    reportLimit(stop, shown, expander);
    return [];
  }
  reportAsTyped(stop, shown, expander);
  return [textNode(shown.typed, shown)];
}

/** The page's nesting can exhaust the stack, which counts as a limit of the page. Other errors are thrown again. */
export function asStop(error: unknown): Stop {
  if (error instanceof Stop) return error;
  if (error instanceof RangeError) return new Stop("limit", "nested too deep");
  throw error;
}

/** For an attribute of a built-in component or of a snippet. */
export const reportLive = ({ location, typed }: Pick<Shown, "location" | "typed">, expander: Expansion): void =>
  expander.page.report({
    ...warningOf("NEEDS_JAVASCRIPT", location),
    what: `${quoted(typed, 60)} is left out: only components defined in the page can receive functions.`,
    fix: "pass a value that is not a function.",
  });

export function reportLimit(stop: Stop, { location, typed }: Shown, expander: Expansion): void {
  const what = `${quoted(typed, 60)} is left out: ${stop.detail}.`;
  const fix = "write its result as Markdown, or split it into smaller parts.";
  expander.page.report({ code: "EXPRESSION_LIMIT", severity: "error", what, location, fix });
}

const isName = ({ detail }: Stop): boolean => /^[\w$.]+$/.test(detail);

/** Reports each name or expression once, since some pages repeat one hundreds of times. */
export function reportAsTyped(stop: Stop, shown: Shown, expander: Expansion, outcome = "is shown as typed"): void {
  const { location, typed } = shown;
  if (stop.reason === "missing") return;
  const { before, after, source } = around(shown, expander);
  // An import that is shown as text has a message of its own.
  if (/^\{[\s\w,]+\}$/.test(typed) && importStart.test(before)) return;
  const macro = stop.reason === "undefined" ? macroFix(typed) : undefined;
  // A page can have thousands of macros, so the file is searched only once for each name.
  const has = (text: string): boolean =>
    searches(expander.page)(`${location.sourcePath} ${text}`, () => source.includes(text));
  // The one that begins the macro has a message of its own.
  if (macro !== undefined && has(`${typed.slice(0, -1)}:`)) return;
  if (macro !== undefined && (before.trim() === "" || has(`\n${typed}`))) {
    expander.page.reportOnce(`FOREIGN_MARKUP ${typed}`, () => ({
      ...warningOf("FOREIGN_MARKUP", location),
      what: `"${typed}" is shown as text: it is a macro of Confluence.`,
      fix: macro,
    }));
    return;
  }
  const variable = `{{${stop.detail}}}`;
  const isVariable = expander.variables.fill(variable) !== variable;
  if (stop.reason === "undefined")
    expander.page.reportOnce(`UNDEFINED_NAME ${stop.detail}`, () => ({
      ...warningOf("UNDEFINED_NAME", location),
      what: `${quoted(typed, 60)} ${outcome}: "${stop.detail}" ${isName(stop) ? "is not defined in this file" : "has no value"}.`,
      // At the first backtick of a template literal, the code around it ended.
      fix: isInBackticks(before, after)
        ? "put two backticks before and after the code, since it contains one."
        : isName(stop)
          ? fixForName(
              typed,
              stop.detail.split(".")[0]!,
              isVariable ? variable : stop.env?.nearest(stop.detail),
              location.sourcePath !== expander.page.sourcePath,
            )
          : `correct ${stop.detail}, or remove it.`,
      about: [`${location.sourcePath} ${stop.detail.split(".")[0]}`],
    }));
  else
    expander.page.reportOnce(`EXPRESSION_AS_TEXT ${typed}`, () => ({
      ...warningOf("EXPRESSION_AS_TEXT", location),
      what: `${quoted(typed, 60)} ${outcome}: its value cannot be shown on a page.`,
      fix: asText(typed),
    }));
}

/** What is on the line before an expression and after it. */
function around({ location: { sourcePath }, position }: Shown, { page, options }: Expansion) {
  const [start, end] = [position?.start.offset, position?.end.offset];
  const file =
    sourcePath === page.sourcePath ? page : options.files.has(sourcePath) && options.modules.readShared(sourcePath);
  if (start === undefined || end === undefined || !file) return { before: "", after: "", source: "" };
  const { source } = file;
  const before = source.slice(Math.max(0, start - maxLine), start);
  const after = /^.*/.exec(source.slice(end, end + maxLine))![0];
  return { before: before.slice(before.lastIndexOf("\n") + 1), after, source };
}
const maxLine = 1000;
const searches = rememberedFor((_: object) => createMemo<boolean>());
const isInBackticks = (before: string, after: string): boolean =>
  /`[^`]*\{?`[^`]*\$$/.test(before) && after.includes("`");
const importStart = /^\s*import\s+(?:\w+\s*,\s*)?$/;

/** `{user.name}` of a reader whom a bundle does not know, or a misspelt property: nothing is shown. */
export const reportAbsent = (name: string, { location, typed }: Shown, expander: Expansion): void =>
  expander.page.reportOnce(`UNDEFINED_NAME ${name}`, () => ({
    ...warningOf("UNDEFINED_NAME", location),
    what: `${quoted(typed, 60)} shows nothing: "${name}" has no value.`,
    fix: `write {${name} ?? "…"} with the text to show instead, or correct the name.`,
  }));

const asText = (typed: string): string =>
  /^\{\s*\/(?: \*|_)/.test(typed)
    ? `write {/* ${typed.replace(/[{}]|\/(?: \*|_)|(?:\* |_)\//g, "").trim()} */} for a comment.`
    : /^\{.{1,40}$/.test(typed)
      ? `write \\${typed} to show it as text.`
      : "write \\{ for a literal brace.";

const numbers = "zero one two three four five six seven eight nine ten".split(" ");

/** @param typed `{name}`, or `attribute={name}` */
function fixForName(typed: string, name: string, near: string | undefined, isSnippet: boolean): string {
  if (near !== undefined) return `write ${near}.`;
  const isSpread = typed.startsWith("{...");
  const example = isSpread ? "{ … }" : typed.includes(`${name}.map(`) ? "[…]" : '"…"';
  const definition = isSnippet
    ? `write ${name}="…" in the tag of the snippet.`
    : `define the name: export const ${name} = ${example}.`;
  if (isSpread) return `remove it, or ${definition}`;
  const [, attribute, value = ""] = /^([\w:.-]+)=\{\s*([\w.-]+)\s*\}$/.exec(typed) ?? [];
  if (/^[\w:.-]+=\{/.test(typed) && attribute === undefined) return `write "${name}" in quotes, or ${definition}`;
  if (attribute === undefined) return `${asText(typed).slice(0, -1)}, or ${definition}`;
  const number = numbers.indexOf(value.toLowerCase());
  return `write ${attribute}=${number === -1 ? `"${value}"` : `{${number}}`}, or ${definition}`;
}
