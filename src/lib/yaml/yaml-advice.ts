/** Explains why a text is not valid YAML, with the line as it should be. */
import type { YAMLError, YAMLWarning } from "yaml";
import { type Edit, mergeConflict } from "../diagnostic/index.js";
import { type LineFault, structureFault } from "./yaml-structure.js";

type Fault = YAMLError | YAMLWarning;
/** Returns the errors of a text in their order. */
type Check = (text: string) => readonly Fault[];

const keyLine = /^([ \t]*(?:- +)?)(["']?)([A-Za-z_][\w.:-]*?)\2:(?:[ \t]+(\S.*?))?[ \t]*$/;

/**
 * Finds every line that makes the text invalid YAML: after each fault, the text is parsed again with that line corrected.
 * @param maxFaults bounds the time, since each fault costs two parses of the text.
 */
export function explainYaml(text: string, check: Check, maxFaults = 10): Omit<YamlFault, "code">[] {
  const conflict = mergeConflict(text);
  if (conflict) return [conflict];
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  const starts: number[] = [];
  for (let at = 0, index = 0; index < lines.length; index++) {
    starts.push(at);
    at = text.indexOf("\n", at) + 1;
  }
  const faults: Omit<YamlFault, "code">[] = [];
  const seen = new Set<number>();
  while (faults.length < maxFaults) {
    const current = lines.join("\n");
    const [error] = check(current);
    if (error === undefined) break;
    const reported = lineIndex(current, error.pos[0]);
    const quoted = culpritLine(lines, reported, error);
    const structure =
      quoted === reported && isOfStructure(lines[reported]!, error) ? structureFault(lines, reported) : undefined;
    const index = structure?.index ?? quoted;
    const isNew = !seen.has(index);
    seen.add(index);
    const advice = isNew ? (structure ?? adviceFor(lines, index, error)) : undefined;
    if (advice === undefined || (advice.line !== undefined && !isBetter(lines, index, advice.line, check))) {
      if (faults.length === 0) faults.push(plainFault(error, text));
      break;
    }
    const { what, column, length, fix, line, related } = advice;
    const start = starts[index]!;
    const edits = line !== undefined && [
      { start, end: start + lines[index]!.length, replacement: line, certain: true },
    ];
    const explained = related && { ...related, offset: starts[related.index]! + related.column };
    faults.push({
      ...{ what, offset: start + column, length, fix },
      ...(edits && { edits }),
      ...(explained && { related: { offset: explained.offset, length: explained.length, what: explained.what } }),
    });
    if (line === undefined) break;
    lines[index] = line;
  }
  return faults;
}

function plainFault(error: Fault, text: string): Omit<YamlFault, "code"> {
  const what = `This is not valid YAML: ${error.message.replace(/\s+/g, " ").replace(/[.\s]*$/, "")}.`;
  const fix = 'put values that contain a colon, a quote or a # in double quotes: title: "One: two".';
  return { what, offset: Math.min(error.pos[0], text.length), fix };
}

function lineIndex(text: string, offset: number): number {
  let index = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) index++;
  return index;
}

/** The line with the fault. The parser reports an unclosed quote at the end of the block. */
function culpritLine(lines: readonly string[], reported: number, { code }: Fault): number {
  if (code === "MISSING_CHAR") {
    const open = lines.findIndex((line) => isOpenQuote(keyLine.exec(line)?.[4] ?? ""));
    if (open !== -1 && open <= reported) return open;
  }
  return Math.min(reported, lines.length - 1);
}

const isOpenQuote = (value: string): boolean => /^(?:"[^"]*|'[^']*)$/.test(value);

/** Whether an error concerns brackets, indentation or a colon, and not the text of a value. */
const isOfStructure = (line: string, { code }: Fault): boolean => code !== "DUPLICATE_KEY" && !/^ *\t/.test(line);

/** Whether the text with the corrected line has no error, or only on other lines. */
function isBetter(lines: readonly string[], index: number, line: string, check: Check): boolean {
  const text = lines.with(index, line).join("\n");
  const [error] = check(text);
  return error === undefined || culpritLine(lines.with(index, line), lineIndex(text, error.pos[0]), error) !== index;
}

function adviceFor(lines: readonly string[], index: number, error: Fault): LineFault | undefined {
  const line = lines[index]!;
  const indent = /^[ \t]*/.exec(line)![0];
  const written = line.slice(indent.length);
  if (indent.includes("\t")) return adviceForTab(lines, index, indent);
  const above = lines[index - 1] ?? "";
  if (indent === "" && /:[ \t]+[>|][-+\d]*[ \t]*$/.test(above))
    return {
      what: `The text below "${above.trim().slice(0, 80)}" is not indented.`,
      ...{ column: 0, length: line.length || 1, fix: `indent its lines with two spaces: "  ${written.trimEnd()}".` },
    };
  const match = keyLine.exec(line);
  if (error.code === "DUPLICATE_KEY" && match) {
    const key = match[3]!;
    const what = `"${key}" is defined twice; the last value is used.`;
    const first = lines.findIndex((other) => other.startsWith(match[1]!) && keyLine.exec(other)?.[3] === key);
    const place = { column: line.indexOf(key), length: key.length };
    const related = { index: first, column: match[1]!.length, length: key.length, what: "first here" };
    return { what, ...place, fix: "remove one of the two lines.", ...(first < index && { related }) };
  }
  const joined = /^([A-Za-z_][\w-]*):(?!\s)(\S.*)$/.exec(written);
  if (!match && joined) {
    const fixed = `${indent}${joined[1]}: ${joined[2]}`;
    const what = `There is no space after "${joined[1]}:", so YAML reads the whole line as one string.`;
    return { what, column: indent.length, length: joined[1]!.length + 1, fix: `write ${fixed.trim()}`, line: fixed };
  }
  const foreign = !match && /^[“”„‘’"']?([A-Za-z_][\w-]*)[“”‘’"']?\s*[:：]\s*(\S.*)$/.exec(written);
  if (foreign && /^[“”„‘’]|^[^:]*：/.test(written)) {
    const fixed = `${indent}${foreign[1]}: ${foreign[2]!.replace(/^[“”„]([^“”"\\]*)[“”]$/, '"$1"')}`;
    const what =
      written.startsWith("“") || !/^[^:]*：/.test(written) ? "is in typographic quotes" : "has a full-width colon";
    return {
      what: `The key "${foreign[1]}" ${what}, which YAML does not know.`,
      ...{ column: indent.length, length: written.trimEnd().length, fix: `write ${fixed.trim()}`, line: fixed },
    };
  }
  if (match?.[4] === undefined) return undefined;
  const [, lead = "", quote = "", key = "", value = ""] = match;
  const column = line.indexOf(value, lead.length + key.length + 1);
  const quoted = inQuotes(value);
  if (quoted === undefined) return undefined;
  const fixed = `${lead}${quote}${key}${quote}: ${quoted}`;
  const what = `The value of "${key}" ${reasonFor(value)}.`;
  return { what, column, length: value.length, fix: `write ${fixed.trim()}`, line: fixed };
}

function adviceForTab(lines: readonly string[], index: number, indent: string): LineFault {
  const written = lines[index]!.slice(indent.length);
  const above = lines.slice(0, index).findLast((other) => other.trim() !== "");
  const belongs = above !== undefined && /:\s*$|^\s*-|^\s/.test(above);
  const around = /^ */.exec(above ?? "")![0];
  const blanks = !belongs ? "" : /:\s*$/.test(above) ? `${around}  ` : around || indent.replaceAll("\t", "  ");
  const fix = belongs
    ? `indent the line with ${blanks.length} spaces: "${blanks}${written.trimEnd()}".`
    : `write ${written.trimEnd()} without the tab before it.`;
  const what = "The line is indented with a tab; YAML allows spaces only.";
  return { what, column: indent.indexOf("\t"), length: 1, fix, line: blanks + written };
}

/** The value as a quoted string; undefined if it is a block string or a list in brackets. */
function inQuotes(value: string): string | undefined {
  if (/^[[{].*[\]}]$|^[|>][-+\d]*(?:\s+#.*)?$/.test(value)) return undefined;
  if (trailingComma.test(value)) return value.slice(0, -1).trimEnd();
  if (isOpenList(value)) return value + (value[0] === "[" ? "]" : "}");
  const quote = value[0] === '"' || value[0] === "'" ? value[0] : "";
  const inner = quote === "" ? value : value.slice(1, value.length > 1 && value.endsWith(quote) ? -1 : undefined);
  if (!/["\\]/.test(inner)) return `"${inner}"`;
  return inner.includes("'") ? `"${inner.replace(/["\\]/g, "\\$&")}"` : `'${inner}'`;
}

const trailingComma = /^(["'])(?:(?!\1)[^\\])*\1\s*,$/;

/** Whether a value is a list or an object without closing bracket; one word after a bracket is a text. */
const isOpenList = (value: string): boolean => /^[[{](?:[^\]}]*,[^\]}]*)?$/.test(value);

function reasonFor(value: string): string {
  const first = value[0]!;
  if (isOpenQuote(value)) return `has no closing ${first}`;
  if (isOpenList(value)) return `has no closing ${first === "[" ? "]" : "}"}`;
  if (trailingComma.test(value)) return "has a comma behind it";
  if (first === '"' || first === "'") return "has quotes inside its quotes, or text after the closing quote";
  if (/^[@`%&*!|>[\]{},]/.test(value)) return `starts with ${first}, which has a special meaning in YAML`;
  return /:(?:\s|$)/.test(value) ? "contains a colon, which starts a new key in YAML" : "is not a valid YAML string";
}

/** A fault of a text in YAML, such as a front matter block. */
export interface YamlFault {
  readonly code: string;
  readonly what: string;
  /** Offset into the text. */
  readonly offset: number;
  readonly length?: number;
  readonly fix: string;
  readonly related?: { readonly offset: number; readonly length: number; readonly what: string };
  /** Faults of one code and cause are shown once for all pages. */
  readonly cause?: string;
  /** The edits that correct the fault, with offsets into the text. */
  readonly edits?: readonly Pick<Edit, "start" | "end" | "replacement" | "certain">[];
}
