/** Finds the line that breaks the structure of YAML: a bracket, the indentation, or a colon that is missing. */

export interface LineFault {
  readonly what: string;
  /** 0-based column. */
  readonly column: number;
  readonly length: number;
  readonly fix: string;
  /** The line as it should be. */
  readonly line?: string;
  readonly related?: RelatedSpan;
}

/** A place that explains a fault. */
interface RelatedSpan {
  /** 0-based index of its line. */
  readonly index: number;
  readonly column: number;
  readonly length: number;
  readonly what: string;
}

/** A fault that may be on another line than the parser reports. */
interface StructureFault extends LineFault {
  readonly index: number;
}

const spaces = (count: number): string => (count === 1 ? "1 space" : `${count} spaces`);
const indentOf = (line: string): number => /^ */.exec(line)![0].length;
const isEmpty = (line: string): boolean => /^\s*(?:#|$)/.test(line);
/** A key with its value, or an entry of a list. */
const entry = /^( *)((?:- +)*)(?:(["']?)([^\s"'#[\]{}&*!|>%@`][^"'#:]*?)\3:(?: +|$)|(?=\S))(.*)$/;

/** @param reported index of the line that the parser reports; the fault is there or before */
export const structureFault = (lines: readonly string[], reported: number): StructureFault | undefined =>
  bracketFault(lines, reported) ??
  gluedDash(lines, reported) ??
  indentFault(lines, reported) ??
  missingColon(lines, reported);

/** Finds the `-name: value` above, or at the line that the parser reports, which lacks the space after its dash. */
function gluedDash(lines: readonly string[], reported: number): StructureFault | undefined {
  const index = [reported, previousLine(lines, reported)].find((at) =>
    /^ *-[A-Za-z_]\w*:(?: |$)/.test(lines[at] ?? ""),
  );
  if (index === undefined) return undefined;
  const line = lines[index]!.replace("-", "- ");
  const what = "There is no space after the dash, so the line starts no entry of a list.";
  const fix = `write ${line.trim()}`;
  return { ...{ index, line, column: line.indexOf("-"), length: /-\S*/.exec(lines[index]!)![0].length }, what, fix };
}

interface Open {
  readonly sign: string;
  readonly index: number;
  readonly column: number;
}
const closingOf: Readonly<Record<string, string>> = { "[": "]", "{": "}" };
const bracketTokens = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:^|\s)#.*|["'[\]{}]/g;

/** Finds a list or object in brackets that the wrong bracket closes, or that is not closed before the next entry. */
function bracketFault(lines: readonly string[], reported: number): StructureFault | undefined {
  let open: Open[] = [];
  let indent = 0;
  let blockText = Number.POSITIVE_INFINITY;
  for (const [index, line] of lines.entries()) {
    if (index > reported && open.length === 0) return undefined;
    if (isEmpty(line)) continue;
    const column = indentOf(line);
    if (column > blockText) continue;
    blockText = Number.POSITIVE_INFINITY;
    let from = 0;
    if (open.length === 0) {
      const [, blanks = "", dashes = "", , , value = ""] = entry.exec(line) ?? [];
      indent = column;
      if (/^[|>][-+\d]*\s*(?:#.*)?$/.test(value)) blockText = blanks.length + Math.max(0, dashes.length - 2);
      if (!/^[[{]/.test(value)) continue;
      from = line.length - value.length;
    } else if (column <= indent && !/[\]}]/.test(line[column]!)) return notClosed(lines, open, index);
    for (const { 0: token, index: at } of line.slice(from).matchAll(bracketTokens)) {
      if (token === '"' || token === "'") return undefined;
      if (closingOf[token]) open.push({ sign: token, index, column: from + at });
      const last = open.at(-1);
      if ((token !== "]" && token !== "}") || !last) continue;
      if (closingOf[last.sign] !== token) return mismatch(lines, last, index, from + at);
      open = open.slice(0, -1);
    }
  }
  return open.length > 0 ? notClosed(lines, open) : undefined;
}

const placeOf = ({ index, column }: Pick<Open, "index" | "column">, length: number, what: string): RelatedSpan => ({
  index,
  column,
  length,
  what,
});

/** A whole line without its indentation. */
const lineSpan = (lines: readonly string[], index: number, what: string): RelatedSpan =>
  placeOf({ index, column: indentOf(lines[index]!) }, lines[index]!.trim().length, what);

function mismatch(lines: readonly string[], open: Open, index: number, column: number): StructureFault {
  const line = lines[index]!;
  const closing = closingOf[open.sign]!;
  return {
    index,
    what: `The ${open.sign} is closed by ${line[column]}.`,
    column,
    length: 1,
    fix: `write ${closing} here.`,
    line: `${line.slice(0, column)}${closing}${line.slice(column + 1)}`,
    related: placeOf(open, 1, `the ${open.sign} opens here`),
  };
}

function notClosed(lines: readonly string[], open: readonly Open[], next?: number): StructureFault {
  const { sign, index, column } = open.at(-1)!;
  const line = lines[index]!;
  const closing = closingOf[sign]!;
  const what = `The ${sign} has no closing ${closing}.`;
  const fault = { index, what, column, length: 1 };
  const below = lines.findIndex((other, at) => at > index && !isEmpty(other));
  const isLast = below === -1 || below === next;
  const isBare = line.slice(column + 1).trim() === "";
  if (isBare && !isLast && /^\s*(?:- +)?[^\s"'[{,]+:(?:\s|$)/.test(lines[below]!))
    return {
      ...fault,
      fix: `remove the ${sign}, because the lines below it are not in brackets; or write ${closing} where the brackets end.`,
      line: line.slice(0, column).trimEnd(),
      related: lineSpan(lines, below, "these lines look like its content"),
    };
  const missing = open.map((bracket) => closingOf[bracket.sign]!).reverse();
  const fixed = `${line.trimEnd().replace(/,$/, "")}${missing.join("")}`;
  const isHere = isLast && open.every((bracket) => bracket.index === index);
  const related = next === undefined ? {} : { related: lineSpan(lines, next, `the ${sign} ends before this line`) };
  if (isHere) return { ...fault, fix: `write ${fixed.trim()}`, line: fixed, ...related };
  const fix = next === undefined ? `write ${closing} where it ends.` : `write ${closing} before line ${next + 1}.`;
  return { ...fault, fix, ...related };
}

/** Finds a line that is indented below a value, or between two levels. */
function indentFault(lines: readonly string[], reported: number): StructureFault | undefined {
  const deeper = lines.findIndex((line, at) => at > reported && !isEmpty(line));
  return (
    betweenLevels(lines, reported) ?? (deeper === -1 ? undefined : tooDeep(lines, deeper)) ?? tooDeep(lines, reported)
  );
}

const previousLine = (lines: readonly string[], index: number): number =>
  lines.findLastIndex((line, at) => at < index && !isEmpty(line));

/** Reports a key that is indented below a complete value. */
function tooDeep(lines: readonly string[], index: number): StructureFault | undefined {
  const above = previousLine(lines, index);
  const [, blanks = "", dashes = "", , key, value = ""] = entry.exec(lines[above] ?? "") ?? [];
  const line = lines[index]!;
  const level = blanks.length + dashes.length;
  const isText = key !== undefined && value !== "" && (/^(["']).*\1$/.test(value) || !/^[|>[{&*!#"']/.test(value));
  const [, , ownDashes, , ownKey] = entry.exec(line) ?? [];
  if (!isText || ownDashes !== "" || ownKey === undefined || indentOf(line) <= level) return undefined;
  return movedTo(lines, index, level, {
    what: `"${ownKey}" is indented below "${key}", which has a value of its own.`,
    related: placeOf(
      { index: above, column: level },
      key.length,
      level === 0 ? "is not indented" : `is indented by ${spaces(level)}`,
    ),
  });
}

function movedTo(
  lines: readonly string[],
  index: number,
  level: number,
  fault: Pick<StructureFault, "what" | "related">,
): StructureFault {
  const line = lines[index]!;
  const written = line.trim();
  const fix =
    level === 0
      ? `write ${written} without spaces before it.`
      : `indent ${written} by ${spaces(level)}${indentOf(line) === 0 ? "" : ` instead of ${indentOf(line)}`}.`;
  const length = indentOf(line) || written.length;
  return { index, ...fault, column: 0, length, fix, line: " ".repeat(level) + written };
}

/** Reports a line whose indentation matches no line around it, and moves it to the nearest level. */
function betweenLevels(lines: readonly string[], index: number): StructureFault | undefined {
  const line = lines[index]!;
  const indent = indentOf(line);
  const isItem = /^ *- /.test(line);
  let lowest = Number.POSITIVE_INFINITY;
  let best: { readonly level: number; readonly index: number } | undefined;
  for (let at = previousLine(lines, index); at >= 0; at = previousLine(lines, at)) {
    const [, blanks = "", dashes = ""] = entry.exec(lines[at]!) ?? [];
    const levels = dashes === "" ? [blanks.length] : [blanks.length + dashes.length, blanks.length];
    for (const level of levels.filter((candidate) => candidate < lowest)) {
      // The line is indented one level more than the one above it.
      if (level === indent || (level < indent && !best)) return undefined;
      lowest = level;
      const fits = isItem ? dashes !== "" && level === blanks.length : dashes === "" || level > blanks.length;
      if (fits && (!best || Math.abs(level - indent) < Math.abs(best.level - indent))) best = { level, index: at };
    }
    if (lowest < indent) break;
  }
  if (!best || isEmpty(line)) return undefined;
  const { level } = best;
  const what =
    indent === 0
      ? "The line is not indented, but the one above it is."
      : `The line is indented by ${spaces(indent)}, which matches no line around it.`;
  const related = placeOf(
    { index: best.index, column: level },
    lines[best.index]!.trim().length,
    level === 0 ? "is not indented" : `is indented by ${spaces(level)}`,
  );
  return movedTo(lines, index, level, { what, related });
}

const usualKey = /^(?:title|description|icon|tag|mode|type|name|url|api|openapi|version|summary|in|\$ref)$/i;

/** Reports a key without colon, such as `info` or `openapi 3.1.0`, between lines with keys. */
function missingColon(lines: readonly string[], index: number): StructureFault | undefined {
  const match = /^( *(?:- +)?)([A-Za-z_$/][\w$./{}-]*)(?: +(\S[^:]*))?$/.exec(lines[index]!);
  const around =
    lines[lines.findIndex((line, at) => at > index && !isEmpty(line))] ?? lines[previousLine(lines, index)] ?? "";
  if (!match || entry.exec(around)?.[4] === undefined) return undefined;
  const [, lead = "", key = "", value] = match;
  const [, , dashes, , above, text = ""] = entry.exec(lines[previousLine(lines, index)] ?? "") ?? [];
  // One word below a sentence continues it; below a word, or if it is a usual key, it lacks its colon.
  const isText = value?.includes(" ") || (/^(?:\S+ ){2}/.test(text) && !usualKey.test(key));
  if (/^[>|]/.test(text)) return undefined;
  if (isText && above !== undefined && dashes === "" && /^[\w'(]/.test(text)) {
    const what = `The text of "${above}" goes on here, but the line is not indented.`;
    const fix = "put two spaces before the line.";
    return { index, what, column: 0, length: lines[index]!.trimEnd().length, fix, line: `  ${lines[index]!}` };
  }
  const fixed = `${lead}${key}:${value === undefined ? "" : ` ${value.replace(/^= */, "").trimEnd()}`}`;
  const what = `There is no colon after "${key}".`;
  return { index, what, column: lead.length, length: key.length, fix: `write ${fixed.trim()}`, line: fixed };
}
