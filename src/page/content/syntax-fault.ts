/** Explains a syntax error, and says what to type instead. */
import { offsetAt, pointAt } from "./location.js";
import type { SyntaxFault } from "./markdown-parsers.js";
import { autolinkAt, beginsNoTag, isVoidTag, openBrace } from "./repair.js";
import { skipBraces, skipTag } from "./skip-code.js";
import { findTagFault } from "./tag-fault.js";

export interface FaultText {
  readonly what: string;
  readonly fix: string;
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/** Longer expressions are not quoted. */
const maxQuoted = 60;
/** How far before a closing tag its opening tag is looked for. */
const maxTagDistance = 2000;

export function describeFault(source: string, fault: SyntaxFault): FaultText {
  const { reason, line, column } = fault;
  const here = (what: string, fix: string): FaultText => ({ what, fix, line, column });
  const at = offsetAt(source, line, column);
  const mismatched = /closing tag `<\/([^`>]+)>`, expected[^`]*`<([^`>]+)>`(?: \((\d+):)?/.exec(reason);
  if (mismatched !== null) {
    const [, closing, open, openLine] = mismatched;
    const what = `The tag <${open}>${openLine === undefined ? "" : ` opened in line ${openLine}`} is closed by </${closing}>.`;
    return here(what, `write </${open}> here, or before this line if both are meant.`);
  }
  const unclosed = /closing tag for `<([^`>]*)>`(?: \((\d+):(\d+))?/.exec(reason);
  if (unclosed !== null) return describeUnclosed(source, fault, unclosed);
  const unopened = /[Uu]nexpected (?:closing tag|closing slash)[^`]*`(?:<\/([^`>]*)>)?/.exec(reason);
  if (unopened !== null) {
    const name = unopened[1] ?? /^<?\/\s*([\w.:-]*)/.exec(source.slice(at, at + 100))?.[1] ?? "";
    const open = source.lastIndexOf(`<${name}`, at - 1);
    const inTag = open !== -1 && at - open < maxTagDistance ? findTagFault(source, open, true) : undefined;
    if (inTag) return located(source, inTag);
    const what = `</${name}> closes nothing: no <${name}> is open here.`;
    return here(what, `remove the closing tag, or write <${name}> where its content begins.`);
  }
  const misplaced = /Expected the closing tag `<\/([^`>]*)>` either after.*?`<[^`]*` opened at (\d+):/.exec(reason);
  if (misplaced !== null) {
    const what = `The tag <${misplaced[1]}> opened in line ${misplaced[2]} and its closing tag are not on the same level: one is within a paragraph, the other is not.`;
    return here(what, "put both tags on lines of their own, or both on the line of the text.");
  }
  if (/import or export|import\/exports/.test(reason))
    return here(sentence(reason), "begin the line with another word.");
  if (/end of file in expression|closing brace|expression|acorn|oxc/i.test(reason))
    return describeBraces(source, fault, at);
  if (beginsNoTag.test(reason)) return describeAngle(source, fault, source.lastIndexOf("<", at));
  return here(sentence(reason), "correct the line; \\< and \\{ show a sign as text.");
}

function describeUnclosed(source: string, { line, column }: SyntaxFault, match: RegExpExecArray): FaultText {
  const [, name = "", openedLine = String(line), openedColumn = String(column)] = match;
  const open = offsetAt(source, Number(openedLine), Number(openedColumn));
  const tag = source.slice(open, skipTag(source, open) ?? open);
  const what = `${name === "" ? "The fragment <>" : `The tag <${name}>`} opened in line ${openedLine} is never closed.`;
  if (isVoidTag(tag)) return { what, fix: `write ${tag.slice(0, -1).trimEnd()} />.`, line, column, length: tag.length };
  const alone = name === "" ? "." : `, or <${name} /> if it holds nothing.`;
  return { what, fix: `write </${name}> where it ends${alone}`, line, column };
}

function describeBraces(source: string, { reason, line, column }: SyntaxFault, at: number): FaultText {
  const open = openBrace(source, at);
  const tag = open === undefined ? -1 : source.lastIndexOf("<", open);
  const inTag = tag !== -1 && open! - tag < maxTagDistance ? findTagFault(source, tag) : undefined;
  if (inTag && inTag.offset <= open!) return located(source, inTag);
  const isOpen = /end of file in expression|closing brace/.test(reason);
  if (open === undefined) {
    if (source[at] !== "}")
      return {
        what: isOpen
          ? "The { has no closing }."
          : `The text between { and } is not a JavaScript expression${parserReason(reason)}`,
        fix: "write \\{ to show a brace as text.",
        line,
        column,
      };
    return {
      what: "The } closes nothing: no { is open here.",
      fix: "write \\} to show it as text.",
      line,
      column,
      length: 1,
    };
  }
  const end = isOpen ? undefined : skipBraces(source, open);
  const typed = source.slice(
    open,
    end ?? open + 1 + /^[^\s{}<]{0,20}/.exec(source.slice(open + 1, open + 21))![0].length,
  );
  if (isOpen || end === undefined)
    return {
      what: "The { has no closing }.",
      fix: `write } where the expression ends, or \\${typed} to show it as text.`,
      ...pointOf(source, open),
      length: 1,
    };
  if (typed.length > maxQuoted || typed.includes("\n"))
    return {
      what: `The text between { and } is not a JavaScript expression${parserReason(reason)}`,
      fix: "write \\{ to show a brace as text.",
      line,
      column,
    };
  return {
    what: `${typed} is not a JavaScript expression.`,
    fix: `write \\${typed} to show it as text.`,
    ...pointOf(source, open),
    length: typed.length,
  };
}

function describeAngle(source: string, { reason, line, column }: SyntaxFault, open: number): FaultText {
  if (open === -1) return { what: sentence(reason), fix: "write \\< to show the sign as text.", line, column };
  const inTag = findTagFault(source, open) ?? findTagFault(source, open, true);
  if (inTag) return located(source, inTag);
  const link = autolinkAt(source, open);
  if (link !== undefined) {
    const fix = link.includes("@") && !link.includes(":") ? `[${link}](mailto:${link})` : `[${link}](${link})`;
    const what = "MDX has no links in angle brackets.";
    return { what, fix: `write ${fix}.`, ...pointOf(source, open), length: link.length + 2 };
  }
  const sign = /^<(?:[^\s<>`]{0,12}[^\s<>`.,;:)])?/.exec(source.slice(open, open + 20))![0];
  return {
    what: `"${sign}" does not begin a tag.`,
    fix: `write \\${sign} to show it as text, or put code into backticks.`,
    ...pointOf(source, open),
    length: sign.length,
  };
}

const located = (
  source: string,
  { what, fix, offset, length }: ReturnType<typeof findTagFault> & object,
): FaultText => ({
  what,
  fix,
  ...pointOf(source, offset),
  length,
});

function pointOf(source: string, offset: number): { line: number; column: number } {
  const { line, column } = pointAt(source, offset);
  return { line, column };
}

function sentence(reason: string): string {
  const text = reason
    .replace(/ \(note: .*\)/s, "")
    .replace(/\s+/g, " ")
    .trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
/** `: unexpected token.`, without the name of the parser. */
function parserReason(reason: string): string {
  const said = sentence(reason).replace(/^Could not parse [^:]*? with (?:oxc|acorn)(?:: |(?=\.))/, "");
  return said === "." ? said : `: ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
}
