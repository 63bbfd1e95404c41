import { withoutUndefined } from "../lib/without-undefined.js";
import { asText, type Data } from "./data.js";

/** The lines of a page, each with its line in the source. */
export interface Line {
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Part of a code block, its fences included. */
  readonly code: boolean;
  /** Opens a code block. */
  readonly opens?: true;
  /** Part of a comment over several lines. */
  readonly isHidden?: true;
  /** Written by the conversion: its markup must not be escaped. */
  readonly generated?: true;
}
export type PageText = readonly Line[];

const fenceMark = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/;

/** The mark and the rest of a line that opens or closes a code block. */
export function fenceOf(text: string): readonly [mark: string, info: string] | undefined {
  const mayBeFence = text.length < maxFenceLine && (text.includes("```") || text.includes("~~~"));
  const [, mark, info = ""] = (mayBeFence && fenceMark.exec(text)) || [];
  // Python-Markdown allows backticks in attributes: ```js title="Change `name`".
  return mark === undefined || (mark.startsWith("`") && info.replace(/="[^"]*"/g, "").includes("`"))
    ? undefined
    : [mark, info];
}
const maxFenceLine = 10_000;

/** The column of a line's text, after the marks of quotes. */
const startColumn = (text: string): number => columnsOf(/^[ \t>]*/.exec(text)![0]);

/** @param first line of the text in its file */
export function linesOf(text: string, first: number): PageText {
  let open = "";
  let openIndent = 0;
  /** Whether no fence closes the open code block. In a list item or a quote, it then ends with that. */
  let isUnclosed = false;
  const unclosed = new Set<string>();
  /** The end mark of the open comment; a fence in a comment opens no code block. */
  let comment = "";
  const unended = new Set<string>();
  const lines = text.split(/\r?\n/);
  const beginsComment = (lineText: string, i: number): string => {
    const end = /^[ \t]*\{\/\*/.test(lineText) ? "*/}" : /^ {0,3}<!--/.test(lineText) ? "-->" : "";
    if (end === "" || lineText.includes(end) || unended.has(end)) return "";
    for (let at = i + 1; at < lines.length; at++) if (lines[at]!.includes(end)) return end;
    unended.add(end);
    return "";
  };
  const closes = (lineText: string, mark: string, indent: number): boolean => {
    const [end = "", info = ""] = fenceOf(lineText) ?? [];
    const column = columnsOf(lineText.slice(0, lineText.indexOf(end)));
    // A fence that is indented by four more columns is code.
    return end[0] === mark[0] && end.length >= mark.length && info.trim() === "" && column < indent + 4;
  };
  const staysOpen = (from: number, mark: string, indent: number): boolean => {
    for (let at = from; !unclosed.has(mark) && at < lines.length; at++)
      if (closes(lines[at]!, mark, indent)) return false;
    unclosed.add(mark);
    return true;
  };
  return lines.map((lineText, i): Line => {
    const line = first + i;
    if (isUnclosed && lineText.trim() !== "" && startColumn(lineText) < openIndent) [open, isUnclosed] = ["", false];
    if (open === "" && comment === "") comment = beginsComment(lineText, i);
    if (comment !== "") {
      if (lineText.includes(comment)) comment = "";
      return { text: lineText, line, code: false, isHidden: true };
    }
    const [mark = "", info = ""] = fenceOf(lineText) ?? [];
    const wasOpen = open !== "";
    // The column of the fence, which may follow a list marker.
    const indent = mark === "" ? 0 : columnsOf(lineText.slice(0, lineText.indexOf(mark)));
    if (!wasOpen) {
      [open, openIndent] = [mark, indent];
      isUnclosed = indent > 0 && staysOpen(i + 1, mark, indent);
    } else if (closes(lineText, open, openIndent)) open = "";
    const opens = !wasOpen && open !== "";
    const shown = opens && mark.startsWith("`") ? lineText.replace(info, info.replaceAll("`", "")) : lineText;
    return { text: shown, line, code: wasOpen || opens, ...(opens && { opens }) };
  });
}

/** Begins a block, so that a paragraph before it ends. */
const blockStart = /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|[|<>]|:::|!!!|\?\?\?|===|\$\$|\{[{%])/;

/** Puts code spans that go on in the next lines on one line, for the steps that read line by line. Only for Markdown. */
export function joinCodeSpans(lines: PageText): PageText {
  const withoutQuote = (text: string): string => text.replace(/^[ \t]*(?:>[ \t]?)*/, "").trimEnd();
  return replaceGroups(lines, (line, at) => {
    if (line.code || !line.text.includes("`") || noParagraph.test(line.text)) return undefined;
    const isQuote = /^[ \t]*>/.test(line.text);
    let { text } = line;
    let end = at + 1;
    for (let mark = openSpan(text); mark !== "" && text.length < maxSpanLength; mark = openSpan(text)) {
      const next = lines.slice(end, end + maxSpanLines).map((other) => ({ ...other, rest: withoutQuote(other.text) }));
      const stop = next.findIndex(
        (other) => other.code || other.rest.trim() === "" || blockStart.test(isQuote ? other.rest : other.text),
      );
      const close = next
        .slice(0, stop < 0 ? next.length : stop)
        .findIndex(({ rest }) => rest.match(/`+/g)?.includes(mark) ?? false);
      if (close < 0) break;
      text = [text.trimEnd(), ...next.slice(0, close + 1).map(({ rest }) => rest)].join(" ");
      end += close + 1;
    }
    return { end, lines: [end === at + 1 ? line : { ...line, text }] };
  });
}
const maxSpanLines = 10;
const maxSpanLength = 5000;
/** Lines of tables, headings, HTML, code and programs. */
const noParagraph = /^(?: {4}|\t|[ \t]*(?:[|<]|#{1,6}[ \t])|(?:export|import)[ \t])/;

/** The first run of backticks that no run of the same length follows on the line; empty if there is none. `{`…`}` is a program. */
function openSpan(text: string): string {
  let end = 0;
  for (const [from, to] of [...codeSpans(text), [text.length, text.length] as const]) {
    const run = /(?<![\\`{=]|= )`+(?!`)/.exec(text.slice(end, from))?.[0];
    if (run !== undefined) return run;
    end = to;
  }
  return "";
}

export const textOfLines = (lines: PageText): string => lines.map(({ text }) => text).join("\n");

export const generated = (text: string, line: number): Line => ({ text, line, code: false, generated: true });

/** Lines of the conversion, with an empty line on each side, so that they are a block of their own. */
export const block = (texts: readonly string[], line: number): Line[] => [
  generated("", line),
  ...texts.map((text) => generated(text, line)),
  generated("", line),
];

export const indentOf = (text: string): string => /^[ \t]*/.exec(text)![0];

export const columnsOf = (blanks: string): number => blanks.replaceAll("\t", "    ").length;

/** The text of a line without its first columns. A tab fills up to the next fourth column. */
export function withoutColumns(text: string, columns: number): string {
  let at = 0;
  let column = 0;
  for (; column < columns && /[ \t]/.test(text[at] ?? ""); at++)
    column = text[at] === "\t" ? (column & ~3) + 4 : column + 1;
  return " ".repeat(Math.max(0, column - columns)) + text.slice(at);
}

/** Where the code spans of a line are. */
export function codeSpans(text: string): (readonly [start: number, end: number])[] {
  if (!text.includes("`")) return [];
  // Runs of backticks by length: a span ends at the next run of its length.
  const places = Map.groupBy(text.matchAll(/`+/g), ([run]) => run.length);
  const spans: [number, number][] = [];
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    if (index < (spans.at(-1)?.[1] ?? 0) || text[index - 1] === "\\") continue;
    const same = places.get(run.length)!;
    while (same.length > 0 && same[0]!.index <= index) same.shift();
    if (same[0]) spans.push([index, same[0].index + run.length]);
  }
  return spans;
}

/** Applies `convert` to the parts of a line that are not in code spans. */
export function outsideCodeSpans(text: string, convert: (part: string) => string): string {
  let out = "";
  let end = 0;
  for (const [start, stop] of codeSpans(text)) {
    out += convert(text.slice(end, start)) + text.slice(start, stop);
    end = stop;
  }
  return out + convert(text.slice(end));
}

/** Marks a line of code that a step writes in the middle of text. */
const codeMark = "\u{F0011}";

/** Code, with its fences, as a replacement for a tag; `mapRuns` makes lines of code of it. */
export const codeLines = (text: string, indent = ""): string =>
  `\n${text
    .split("\n")
    .map((line) => codeMark + indent + line)
    .join("\n")}\n`;

/** Applies `convert` to each line that is text. */
export const mapText = (lines: PageText, convert: (text: string, line: Line) => string): PageText =>
  lines.map((line) => {
    if (line.code || line.text.length > maxConvertedLine) return line;
    const text = outsideCodeSpans(line.text, (part) => convert(part, line));
    return text === line.text ? line : { ...line, text };
  });

/** A longer line is data, not prose. */
export const maxConvertedLine = 20_000;

/** Adds lines one by one: as arguments of `push`, many would overflow the stack. */
export function append(out: Line[], lines: PageText): void {
  for (const line of lines) out.push(line);
}

/** Replaces groups of lines. @param convert gets the first line of each group; returns its new lines and the index after it */
export function replaceGroups(
  lines: PageText,
  convert: (line: Line, at: number) => { readonly end: number; readonly lines: PageText } | undefined,
): PageText {
  const out: Line[] = [];
  for (let at = 0; at < lines.length; ) {
    const group = convert(lines[at]!, at) ?? { end: at + 1, lines: [lines[at]!] };
    append(out, group.lines);
    at = group.end;
  }
  return out;
}

/**
 * Converts each run of lines between code blocks as one text, so that a tag may span lines. `lineAt` must be called in the
 * order of the text.
 */
export function mapRuns(
  lines: PageText,
  convert: (text: string, lineAt: (offset: number) => number) => string,
): PageText {
  const out: Line[] = [];
  let run: Line[] = [];
  const flush = (): void => {
    if (run.length === 0) return;
    const text = textOfLines(run);
    const runLines = run;
    let [seen, row] = [0, 0];
    const lineAt = (offset: number): number => {
      for (; seen < offset; seen++) if (text[seen] === "\n") row++;
      // An earlier step may have joined several lines.
      return runLines[Math.min(row, runLines.length - 1)]!.line;
    };
    const converted = convert(text, lineAt);
    if (converted === text) append(out, run);
    else {
      let isInCode = false;
      converted.split("\n").forEach((lineText, i) => {
        const from = runLines[Math.min(i, runLines.length - 1)]!;
        if (lineText.startsWith(codeMark)) {
          out.push({
            text: lineText.slice(codeMark.length),
            line: from.line,
            code: true,
            ...(!isInCode && { opens: true }),
          });
          isInCode = true;
        } else {
          isInCode = false;
          out.push(lineText === from.text ? from : { ...from, text: lineText });
        }
      });
    }
    run = [];
  };
  for (const line of lines) {
    if (line.code || line.text.length > maxConvertedLine) {
      flush();
      out.push(line);
    } else run.push(line);
  }
  flush();
  return out;
}

/** Lengthens the fences of code blocks that contain fences, however indented, so that their end is unambiguous. */
export function widenFences(lines: PageText): PageText {
  const out = [...lines];
  for (let start = 0; start < out.length; start++) {
    const [mark] = (out[start]!.opens && fenceOf(out[start]!.text)) || [];
    if (mark === undefined) continue;
    let end = start + 1;
    while (end < out.length && out[end]!.code && !out[end]!.opens) end++;
    const inner = out.slice(start + 1, end - 1).map(({ text }) => fenceOf(text)?.[0] ?? "");
    const longest = Math.max(0, ...inner.map((other) => (other[0] === mark[0] ? other.length : 0)));
    const last = out[end - 1]!;
    if (longest >= mark.length && last.text.trim() === mark)
      for (const at of [start, end - 1]) {
        const line = out[at]!;
        out[at] = { ...line, text: line.text.replace(mark, mark[0]!.repeat(longest + 1)) };
      }
    start = end - 1;
  }
  return out;
}

/** The front matter fields of a page of ours; the fields of other tools are dropped. */
const ourFields = new Set(
  "title sidebarTitle description icon tag keywords hidden searchable noindex draft deprecated mode url".split(" "),
);

export function printPage(lines: PageText, data: Data): { readonly text: string; readonly lines: readonly number[] } {
  const fields = Object.entries(withoutUndefined(data)).flatMap(([key, value]) => {
    if (!ourFields.has(key)) return [];
    if (Array.isArray(value)) return value.length > 0 ? [`${key}: ${JSON.stringify(value)}`] : [];
    const text = asText(value);
    return text === undefined ? [] : [`${key}: ${/^(?:true|false)$/.test(text) ? text : JSON.stringify(text)}`];
  });
  const texts = ["---", ...fields, "---", ""];
  const numbers = texts.map(() => 1);
  for (const { text, line, code, opens } of lines) {
    // Two trailing spaces are a line break in Markdown.
    const printed = (code && !opens) || /\S {2}$/.test(text.slice(-3)) ? text : text.trimEnd();
    if (printed === "" && texts.at(-1) === "" && !code) continue;
    texts.push(printed);
    numbers.push(line);
  }
  return { text: `${texts.join("\n").trimEnd()}\n`, lines: numbers };
}
