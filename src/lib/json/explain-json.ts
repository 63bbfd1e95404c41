import {
  type Diagnostic,
  type Edit,
  type Location,
  lengthOnLine,
  mergeConflict,
  type Position,
} from "../diagnostic/index.js";
import { valueOfJson } from "./json.js";
import jsonFaults from "./json-faults.json" with { type: "json" };
import { repairJson } from "./repair-json.js";

/** Offsets into the text. */
interface Span {
  readonly offset: number;
  readonly length: number;
}
interface JsonFault extends Span, Pick<Diagnostic, "what" | "fix"> {
  readonly related?: Span & { readonly what: string };
  readonly edits?: readonly Omit<Edit, "sourcePath">[];
}

/** The error codes of `jsonc-parser` for a missing value, colon, comma or bracket, and for text after the end. */
const structureErrors: ReadonlySet<number | undefined> = new Set([4, 5, 6, 7, 8, 9]);
const commaExpected = 6;

/** Explains why a text is not JSON. @param error code of the first error that `jsonc-parser` finds */
export function explainJson(
  {
    sourcePath,
    text,
    positionOf,
  }: { readonly sourcePath: string; readonly text: string; readonly positionOf: (offset: number) => Position },
  { error, offset, length }: Span & { readonly error?: number | undefined },
): Pick<Diagnostic, "what" | "fix" | "related" | "edits"> & { readonly location: Location } {
  const locationOf = (span: Span): Location => ({
    sourcePath,
    ...positionOf(span.offset),
    length: lengthOnLine(text, span.offset, span.length),
  });
  const fault =
    (structureErrors.has(error) && bracketFault(text)) || plainFault(text, sourcePath, { error, offset, length });
  const { what, fix, related, edits } = fault;
  return {
    what,
    fix,
    location: locationOf(fault),
    ...(related && { related: { location: locationOf(related), what: related.what } }),
    ...(edits ? { edits: edits.map((edit) => ({ sourcePath, ...edit })) } : repairJson(sourcePath, text)),
  };
}

function plainFault(
  text: string,
  sourcePath: string,
  { error, ...span }: Span & { readonly error?: number | undefined },
): JsonFault {
  const typed = text.slice(span.offset, span.offset + span.length);
  const curly = /^["“”„‘’]*[“”„‘’]([^"“”„‘’\\\n]*)[“”‘’"]/.exec(text.slice(span.offset));
  if (curly) {
    const what = "This is not valid JSON: the quotes are typographic ones.";
    return { what, fix: `write ${JSON.stringify(curly[1])}.`, offset: span.offset, length: curly[0].length };
  }
  if (error !== undefined && valueOfJson(text.slice(0, span.offset)) !== undefined)
    return { what: "There is text behind the end of the JSON.", fix: "remove everything from here on.", ...span };
  if (typed.startsWith("#"))
    return { what: "JSON has no comments, and # does not start one.", fix: "remove the line.", ...span };
  const conflict = mergeConflict(text);
  if (conflict && conflict.offset <= span.offset) return conflict;
  const start = text.slice(0, span.offset).trim() === "" ? text.slice(span.offset, span.offset + 80) : "";
  const code = /^(?:module\.exports\s*=|export\s+default|(?:const|let|var)\s+\w+\s*=)/.exec(start)?.[0];
  if (code) {
    const fix = `remove "${code}", and the ; at the end.`;
    return { what: "The file is JavaScript, not JSON.", fix, offset: span.offset, length: code.length };
  }
  const key = /^([A-Za-z][\w-]*):(?:[ \t]|\r?\n)/.exec(start)?.[1];
  if (key) {
    const isSetting = /(?:^|\/)(?:docs|mint)\.json$/.test(sourcePath);
    const other = `rename the file to ${sourcePath.replace(/^.*\//, "").replace(/\.json$/, ".yaml")}.`;
    return {
      what: "The file is YAML, not JSON.",
      fix: isSetting ? `write { "${key}": … } around the settings.` : other,
      ...span,
    };
  }
  const separator = error === 1 ? /^(?:=>?|;|\.(?!\d))/.exec(typed)?.[0] : undefined;
  const isName = error === commaExpected && typed === ":";
  const [name] = /"[^"\n]*"\s*$/.exec(text.slice(Math.max(0, span.offset - maxName), span.offset)) ?? [""];
  const around = { offset: span.offset - name.length, length: name.length + (separator ?? typed).length };
  if (separator) {
    const right = separator.startsWith("=") ? ":" : ",";
    return { what: `JSON has no "${separator}".`, fix: `write ${name.trim() || "…"}${right}`, ...around };
  }
  if (isName) {
    const fix = "remove the name and the colon, or write { } in place of [ ].";
    return { what: "A list has no names, only values.", fix, ...around };
  }
  const isKey = /^\s*:/.test(text.slice(span.offset + span.length));
  const word = isKey ? undefined : otherWords[typed.toLowerCase()];
  if (word) return { what: `This is not valid JSON: it is written ${word}.`, fix: `write ${word}.`, ...span };
  const bare = error === 1 || error === 3 ? /^'([^'"\\]*)'$|^([\w$-]+)$/.exec(typed) : null;
  if (bare) {
    const what = "This is not valid JSON: strings and names need double quotes.";
    return { what, fix: `write ${JSON.stringify(bare[1] ?? bare[2])}.`, ...span };
  }
  const faults: Readonly<Record<string, Pick<Diagnostic, "what" | "fix">>> = jsonFaults;
  const { what, fix } = faults[String(error)] ?? faults["other"]!;
  const before =
    error === commaExpected ? /\S+\s*$/.exec(text.slice(Math.max(0, span.offset - maxBefore), span.offset)) : null;
  if (!before) return { what, fix, ...span };
  const length = before[0].trimEnd().length;
  const related = {
    offset: span.offset - before[0].length + length - 1,
    length: 1,
    what: 'the "," belongs after this',
  };
  return { what, fix, ...span, related };
}

/** JSON's spelling of literals that other languages spell differently. */
const otherWords: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  ...{ true: "true", false: "false", null: "null", yes: "true", no: "false", on: "true", off: "false" },
  ...{ none: "null", nil: "null", undefined: "null" },
});

/** Length of the text before a fault in which the name before it is looked for. */
const maxName = 200;
/** Length of the text before a fault in which the end of the previous entry is looked for. */
const maxBefore = 1000;

/** An opening bracket that has not been closed yet. */
interface Open {
  readonly sign: string;
  readonly offset: number;
  readonly line: number;
  /** Number of blanks at the start of its line. */
  readonly indent: number;
  /** Whether the line after it is indented more. */
  isIndented?: boolean;
  /** The first line inside that is not indented more, so the closing bracket belongs before it. */
  next?: { readonly offset: number; readonly line: number };
}

const tokens = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[[\]{}]|\n(?<indent>[ \t]*)(?=[^\s])/g;
const closingOf: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/** Finds a bracket that is unclosed, or closed wrongly or too early, by the indentation of the lines. */
function bracketFault(text: string): JsonFault | undefined {
  const open: Open[] = [];
  let line = 1;
  let indent = /^[ \t]*/.exec(text)![0].length;
  let lineStart = 0;
  /** An open bracket whose content continues at the bracket's own indentation. */
  let notClosed: Open | undefined;
  /** A closing bracket that is indented more than the line of its opening bracket. */
  let tooEarly: { readonly offset: number; readonly line: number; readonly opening: Open } | undefined;
  for (const { 0: token, index, groups } of text.matchAll(tokens)) {
    const inner = open.at(-1);
    if (groups?.["indent"] !== undefined) {
      line++;
      lineStart = index + 1;
      indent = groups["indent"].length;
      const at = lineStart + indent;
      if (inner) inner.isIndented ??= indent > inner.indent;
      if (inner?.isIndented && !inner.next && indent <= inner.indent && !/[\]}]/.test(text[at]!)) {
        inner.next = { offset: at, line };
        notClosed ??= inner;
      }
    } else if (closingOf[token]) open.push({ sign: token, offset: index, line, indent });
    else if (token === "}" || token === "]") {
      const isFirst = text.slice(lineStart, index).trim() === "";
      if (!inner) return tooEarly ? closedEarly(text, tooEarly) : closesNothing(token, index);
      if (closingOf[inner.sign] !== token) {
        if (notClosed && open.includes(notClosed)) return unclosed(text, notClosed);
        return mismatch(inner, token, index, isFirst && indent === inner.indent);
      }
      if (isFirst && line > inner.line && indent < inner.indent) notClosed ??= inner;
      if (isFirst && indent > inner.indent) tooEarly ??= { offset: index, line, opening: inner };
      open.pop();
    } else line += token.split("\n").length - 1;
  }
  const last = open.at(-1);
  return last && unclosed(text, notClosed ?? last);
}

function unclosed(text: string, { sign, offset, line, indent, next }: Open): JsonFault {
  const closing = closingOf[sign]!;
  const what = `The "${sign}" on line ${line} has no closing "${closing}".`;
  if (!next) return { what, fix: `write "${closing}" where it ends.`, offset, length: 1 };
  const end = text.slice(0, next.offset).trimEnd().replace(/,$/, "").length;
  const lineEnd = text.slice(offset, next.offset).includes("\r\n") ? "\r\n" : "\n";
  const blanks = text.slice(next.offset - indent, next.offset);
  const replacement = `${lineEnd}${blanks}${closing},${lineEnd}${blanks}`;
  const length = /^"(?:[^"\\\n]|\\.)*"|^[^\s]/.exec(text.slice(next.offset))?.[0].length ?? 1;
  const related = { offset: next.offset, length, what: `"${closing}" belongs before this line` };
  const edits = [{ start: end, end: next.offset, replacement, certain: false }];
  return { what, fix: `write "${closing}" before line ${next.line}.`, offset, length: 1, related, edits };
}

const opensHere = ({ offset, sign }: Open) => ({ offset, length: 1, what: `the "${sign}" opens here` });

function mismatch(opening: Open, token: string, offset: number, isAligned: boolean): JsonFault {
  const closing = closingOf[opening.sign]!;
  const related = opensHere(opening);
  if (!isAligned) {
    const what = `This is "${token}", but the "${opening.sign}" from line ${opening.line} is still open.`;
    return { what, fix: `write "${closing}" before it.`, offset, length: 1, related };
  }
  return {
    what: `The "${opening.sign}" from line ${opening.line} is closed by "${token}".`,
    fix: `write "${closing}" here.`,
    offset,
    length: 1,
    related,
    edits: [{ start: offset, end: offset + 1, replacement: closing, certain: false }],
  };
}

function closedEarly(
  text: string,
  { offset, opening }: { readonly offset: number; readonly opening: Open },
): JsonFault {
  const what = `This "${text[offset]}" closes the "${opening.sign}" from line ${opening.line}, but more of its content follows.`;
  const fix = `remove the "${text[offset]}", or add the bracket that it should close.`;
  return { what, fix, offset, length: 1, related: opensHere(opening) };
}

const closesNothing = (token: string, offset: number): JsonFault => ({
  what: `This "${token}" has no matching opening bracket.`,
  fix: "remove it.",
  offset,
  length: 1,
});
