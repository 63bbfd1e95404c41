/** Explains a syntax error, and says what to type instead. */

import { type Diagnostic, type Edit, errorOf, lengthOnLine, quoted } from "../../../lib/diagnostic/index.js";
import { skipBraces, skipTag } from "../../../lib/jsx/skip-code.js";
import { parseExpression } from "../expressions/estree.js";
import { offsetAt, pointAt } from "../location.js";
import { aboutNames, intendedImport } from "../module-parts.js";
import { macroFix } from "./foreign-text.js";
import type { SyntaxFault } from "./markdown-parsers.js";
import {
  autolinkAt,
  beginsNoTag,
  endOfStyle,
  isJsonFrontMatter,
  isVoidTag,
  maxTagDistance,
  openBrace,
} from "./repair.js";

interface FaultText {
  readonly what: string;
  readonly fix: string;
  readonly line: number;
  readonly column: number;
  readonly length?: number;
  /** The offset up to which the fault spoils the text. */
  readonly until?: number;
  /** The text to write in place of a passage, as offsets in the source. */
  readonly edit?: Pick<Edit, "start" | "end" | "replacement">;
}

/** Longer expressions are not quoted. */
const maxQuoted = 60;

export function syntaxDiagnostic(
  { source, sourcePath }: { readonly source: string; readonly sourcePath: string },
  fault: SyntaxFault,
): Diagnostic {
  const { what, fix, edit, until, ...place } = describeFault(source, fault);
  const edits = edit && { edits: [{ sourcePath, ...edit, certain: true }] };
  const spoils = until !== undefined && { until: pointAt(source, until) };
  const start = offsetAt(source, fault.line, 1);
  const about = aboutImport.test(fault.reason) && { about: aboutNames(sourcePath, source.slice(start, start + 300)) };
  return { ...errorOf("MDX_SYNTAX"), what, location: { sourcePath, ...place }, fix, ...edits, ...spoils, ...about };
}

const aboutImport = /import or export|import\/exports/;

function describeFault(source: string, fault: SyntaxFault): FaultText {
  const { reason, line, column } = fault;
  const here = (what: string, fix: string): FaultText => ({ what, fix, line, column });
  const at = offsetAt(source, line, column);
  const mismatched = /closing tag `<\/([^`>]+)>`, expected[^`]*`<([^`>]+)>`(?: \((\d+):(\d+))?/.exec(reason);
  if (mismatched !== null) {
    const [, closing, open, openLine, openColumn] = mismatched;
    if (isVoidTag(`<${open}>`)) return describeUnclosed(source, fault, ["", open!, openLine!, openColumn!]);
    const what = `The tag <${open}>${openLine === undefined ? "" : ` opened on line ${openLine}`} is closed by </${closing}>.`;
    return here(what, `write </${open}> here, or add it before this line if you need both.`);
  }
  const unclosed = /closing tag for `<([^`>]*)>`(?: \((\d+):(\d+))?/.exec(reason);
  if (unclosed !== null) return describeUnclosed(source, fault, unclosed);
  const unopened = /[Uu]nexpected (?:closing tag|closing slash)[^`]*`(?:<\/([^`>]*)>)?/.exec(reason);
  if (unopened !== null) {
    const name = unopened[1] ?? /^<?\/\s*([\w.:-]*)/.exec(source.slice(at, at + 100))?.[1] ?? "";
    const open = source.lastIndexOf(`<${name}`, at - 1);
    const inTag = open !== -1 && at - open < maxTagDistance ? findTagFault(source, open, true) : undefined;
    if (inTag) return located(source, inTag);
    const what = `</${name}> has no matching opening tag: no <${name}> is open here.`;
    return here(what, `remove the closing tag, or write <${name}> where its content starts.`);
  }
  const misplaced = /Expected the closing tag `<\/([^`>]*)>` either after.*?`<[^`]*` opened at (\d+):/.exec(reason);
  if (misplaced !== null) {
    const what = `The tag <${misplaced[1]}> opened on line ${misplaced[2]} and its closing tag are not at the same level: one is inside a paragraph, the other is not.`;
    return here(what, "put each tag on its own line, or both on the same line as the text.");
  }
  if (aboutImport.test(reason))
    return here(sentence(reason), intendedImport(source.slice(at, at + 300)) ?? "start the line with another word.");
  if (/end of file in expression|closing brace|expression|acorn|oxc/i.test(reason))
    return describeBraces(source, fault, at);
  if (beginsNoTag.test(reason)) return describeAngle(source, fault, source.lastIndexOf("<", at));
  return here(sentence(reason), "correct the line; write \\< or \\{ to show the character as text.");
}

function describeUnclosed(source: string, { line, column }: SyntaxFault, match: readonly string[]): FaultText {
  const [, name = "", openedLine = String(line), openedColumn = String(column)] = match;
  const open = offsetAt(source, Number(openedLine), Number(openedColumn));
  const tag = source.slice(open, skipTag(source, open) ?? open);
  const what = `${name === "" ? "The fragment <>" : `The tag <${name}>`} opened on line ${openedLine} is never closed.`;
  if (isVoidTag(tag)) return faultAt(source, open, tag.length, what, `write ${tag.slice(0, -1).trimEnd()} />.`);
  const alone = name === "" ? "." : `, or <${name} /> if it is empty.`;
  const fix = `write </${name}> where it ends${alone}`;
  const isWords =
    /^<\w+(?:[ \t]+[a-z]+){1,5}>$/.test(tag) && /\S/.test(source.slice(source.lastIndexOf("\n", open) + 1, open));
  if (!isWords) return { what, fix, line, column };
  return {
    what,
    fix: `write \\${tag} to show it as text, or </${name}> where it ends.`,
    line,
    column,
    until: open + tag.length,
  };
}

function describeBraces(source: string, { reason, line, column }: SyntaxFault, at: number): FaultText {
  const open = openBrace(source, at);
  const tag = open === undefined ? -1 : source.lastIndexOf("<", open);
  const inTag = tag !== -1 && open! - tag < maxTagDistance ? findTagFault(source, tag) : undefined;
  if (inTag && inTag.offset <= open!) return located(source, inTag);
  const fault = (what: string, fix: string, length = 1, replacement?: string): FaultText =>
    faultAt(source, open ?? at, length, what, fix, replacement);
  const isOpen = /end of file in expression|closing brace/.test(reason);
  const notJavaScript = `The text between { and } is not a JavaScript expression${parserReason(reason)}`;
  const asText = "write \\{ to show a brace as text.";
  if (open === undefined) {
    if (source[at] !== "}")
      return { what: isOpen ? "The { has no closing }." : notJavaScript, fix: asText, line, column };
    return { what: "The } has no matching {.", fix: "write \\} to show it as text.", line, column, length: 1 };
  }
  const end = isOpen ? undefined : skipBraces(source, open);
  const typed = source.slice(
    open,
    end ?? open + 1 + /^[^\s{}<]{0,20}/.exec(source.slice(open + 1, open + 21))![0].length,
  );
  if (isOpen || end === undefined) {
    const fix = typed.startsWith("{/*")
      ? "write */} where the comment ends."
      : typed.startsWith("{//")
        ? "write {/* before the comment, and */} after it."
        : `write } where the expression ends, or \\${typed} to show it as text.`;
    return { ...fault("The { has no closing }.", fix), until: paragraphEnd(source, open) };
  }
  if (isJsonFrontMatter(source, open))
    return fault(
      "The page starts with JSON, which is not front matter here, so it is shown as text.",
      "write it as YAML: --- on a line, then a line such as title: Welcome for each key, then --- again.",
    );
  const notAnExpression = `${typed} is not a JavaScript expression`;
  // Other tools read attributes there: Kramdown, Pandoc, MkDocs.
  if (/^\{:?\s*[.#][\w-]|^\{:\s*[\w-]+\s*=/.test(typed))
    return fault(
      `${notAnExpression}: it sets attributes in other tools.`,
      typed.replace(/^[^#]*#?([\w-]*).*$/s, (_, id: string) =>
        id ? `write {#${id}} after a heading, or remove it.` : "remove it.",
      ),
      typed.length,
    );
  if (endOfStyle(source, open) !== undefined)
    return fault(
      "A { in <style> starts a JavaScript expression, not a rule of CSS.",
      "write <style>{`…`}</style>, with all of the CSS between the backticks.",
    );
  const macro = macroFix(typed);
  if (macro) return fault(`${notAnExpression}: it is a macro of Confluence.`, macro, typed.length);
  const [, comment] = /^\{\s*<!--([\s\S]*)-->\s*\}$/.exec(typed) ?? [];
  if (comment !== undefined && !comment.includes("*/")) {
    const why = "is not a JavaScript expression: comments are written as in JavaScript.";
    const write = `write ${comment.length > maxQuoted || comment.includes("\n") ? "{/* … */}" : `{/*${comment}*/}`}.`;
    return fault(`${quoted(typed, maxQuoted).slice(1, -1)} ${why}`, write, typed.length, `{/*${comment}*/}`);
  }
  const inFence =
    /^\{\s*"[^"\n]*"\s*:/.test(typed) && "put ```json on the line before it, and ``` on the line after it.";
  if (typed.includes("\n")) return { what: notJavaScript, fix: inFence || asText, line, column };
  if (typed.length > maxQuoted) return { what: notJavaScript, fix: asText, line, column };
  for (const [form, what, write] of editors)
    if (form.test(typed)) return fault(`${notAnExpression}: it ${what}.`, typed.replace(form, write), typed.length);
  const escaped = typed.replace(/^\{+/, (braces) => "\\{".repeat(braces.length));
  return fault(`${notAnExpression}.`, `write ${escaped} to show it as text.`, typed.length);
}

function paragraphEnd(source: string, from: number): number {
  const blankLine = /\n[ \t]*\r?\n/g;
  blankLine.lastIndex = from;
  return blankLine.exec(source)?.index ?? source.length;
}

function describeAngle(source: string, { reason, line, column }: SyntaxFault, open: number): FaultText {
  if (open === -1) return { what: sentence(reason), fix: "write \\< to show the character as text.", line, column };
  const inTag = findTagFault(source, open) ?? findTagFault(source, open, true);
  if (inTag) return located(source, inTag);
  const fault = (typed: string, what: string, fix: string, replacement?: string) =>
    faultAt(source, open, typed.length, what, fix, replacement);
  const link = autolinkAt(source, open);
  if (link !== undefined) {
    const fix = link.includes("@") && !link.includes(":") ? `[${link}](mailto:${link})` : `[${link}](${link})`;
    return fault(`<${link}>`, "MDX does not support links in angle brackets.", `write ${fix}.`);
  }
  const variable = readMeVariable.exec(source.slice(open, open + 70))?.[1];
  if (variable !== undefined) {
    const write = /^[A-Z][a-z]/.test(variable)
      ? `write <${variable}>.`
      : `write {{${variable}}}, and define "${variable}" in "variables".`;
    const what = write.includes("{")
      ? "The variable is written as in ReadMe."
      : "The tag has two brackets on each side.";
    return fault(`<<${variable}>>`, what, write);
  }
  for (const [pattern, what, fix] of spellings) {
    const typed = pattern.exec(source.slice(open, open + 410));
    if (!typed) continue;
    const written = typed[0].replace(pattern, fix);
    const before = source.slice(Math.max(0, open - 3), open) === "--8" ? 3 : 0;
    return faultAt(source, open - before, typed[0].length + before, what, `write ${written}.`, written);
  }
  const unseen = /^<\/?[\w.]*([\u200b-\u200f\u2060\ufeff])[\w.]*/.exec(source.slice(open, open + 80));
  if (unseen) {
    const code = unseen[1]!.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    const what = `The tag contains an invisible character (U+${code}).`;
    const written = unseen[0].replace(unseen[1]!, "");
    return fault(unseen[0], what, `write ${written} without it.`, written);
  }
  const doctype = /^<!doctype[^<>]{0,200}>/i.exec(source.slice(open, open + 220))?.[0];
  if (doctype !== undefined) {
    const fix = "keep only what is inside <body>, and write the <title> in the front matter: title: Welcome.";
    return fault(doctype, "The page is a whole HTML document.", fix);
  }
  const type = /[A-Za-z_][\w.:]+$/.exec(source.slice(Math.max(0, open - 60), open))?.[0];
  const parameters = type && typeParameters.exec(source.slice(open, open + 200))?.[0];
  if (parameters !== undefined) {
    const [start, length] = [open - type!.length, type!.length + parameters.length];
    const code = `\`${type}${parameters}\``;
    const what = `The < in "${type}${parameters}" does not start a tag.`;
    return { ...faultAt(source, start, length, what, `write ${code}`, code), until: start + length };
  }
  const sign = /^<(?:[^\s<>`]{0,12}[^\s<>`.,;:)])?/.exec(source.slice(open, open + 20))![0];
  const fix = `write \\${sign} to show it as text, or put code in backticks.`;
  return fault(sign, `"${sign}" does not start a tag.`, fix);
}

/** What other programs write with a <, and what is right here. */
const spellings: readonly (readonly [pattern: RegExp, what: string, fix: string])[] = [
  [/^<(https?:\/\/[^|>\s]{1,300})\|([^>\n]{1,100})>/, "The link is written as in Slack.", "[$2]($1)"],
  [/^<\\([A-Za-z][\w.]{0,60})>/, "The slash of the closing tag leans the other way.", "</$1>"],
  [/^<-{1,2} ?["']([\w./-]{1,200})["']/, "The line includes a file in MkDocs.", '<Snippet file="$1" />'],
];
const typeName = String.raw`[\w.?]+(?:\[\])?`;
const typeArgument = `${typeName}(?:<${typeName}(?:, ?${typeName})*>)?`;
/** `<String, List<Item>>`; of one name alone, the parser makes a tag. */
const typeParameters = new RegExp(`^<${typeArgument}(?:, ?${typeArgument})*>`);
const readMeVariable = /^<<([\w-]{1,60})>>/;
/** Changes and comments as editors for Markdown mark them, in CriticMarkup. */
const editors: readonly (readonly [pattern: RegExp, what: string, fix: string])[] = [
  [/^\{\+\+([\s\S]*)\+\+\}$/, "marks inserted text in other tools", "write <ins>$1</ins>."],
  [/^\{--([\s\S]*)--\}$/, "marks removed text in other tools", "write <del>$1</del>."],
  [/^\{~~([\s\S]*)~>([\s\S]*)~~\}$/, "marks changed text in other tools", "write <del>$1</del><ins>$2</ins>."],
  [/^\{==([\s\S]*)==\}$/, "highlights text in other tools", "write <mark>$1</mark>."],
  [/^\{>>([\s\S]*)<<\}$/, "is a comment in other tools", "write {/*$1*/}."],
];

const located = (source: string, { what, fix, offset, length }: TagFault): FaultText =>
  faultAt(source, offset, length, what, fix);

function faultAt(
  source: string,
  start: number,
  length: number,
  what: string,
  fix: string,
  replacement?: string,
): FaultText {
  const { line, column } = pointAt(source, start);
  const edit = replacement === undefined ? {} : { edit: { start, end: start + length, replacement } };
  return { what, fix, line, column, length: lengthOnLine(source, start, length), ...edit };
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
  const text = sentence(reason).replace(/^Could not parse [^:]*? with (?:oxc|acorn)(?:: |(?=\.))/, "");
  return text === "." ? text : `: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

interface TagFault {
  readonly what: string;
  readonly fix: string;
  readonly offset: number;
  readonly length: number;
}

const tagName = /<[A-Za-z][\w.:-]*/y;
const blank = /\s*/y;
const attributeName = /[A-Za-z_$][\w$:.-]*/y;
const equals = /\s*=\s*/y;
const unquoted = /(?:[^\s>/"'{]|\/(?!\s*>))+/y;
/** Words after a value without quotes, but for attributes: those in camel case, of HTML, or of components. */
const furtherWords =
  /(?:[ \t]+(?!(?:open|controls|loop|muted|checked|disabled|required|deprecated|horizontal|expandable|arrow|hidden|wrap|lines|autoplay|async|defer|download|reversed|selected|multiple|readonly|itemscope|allowfullscreen)\b|\w*[a-z][A-Z])[\p{L}\p{N}.,!?'’-]+(?=[ \t]|\/?>))*/uy;
const curly = /[“”„‟‘’«»]([^“”„‟‘’«»\n]*)[“”„‟‘’«»]?/y;
const escapedQuotes = /(["'])[^"'\\]*\\\1(?:[^"'\\]|\\.)*\1/y;
const backticks = /`([^`${}"]*)`/y;
const maxTagChars = 10_000;

/**
 * The first fault in the tag that opens at `at`; undefined if there is none, or if it does not look like a tag.
 *
 * @param isOpen whether the parser has not found the end of the tag, so that a quote that closes after `>` is missing before.
 */
function findTagFault(source: string, at: number, isOpen = false): TagFault | undefined {
  const tag = source.slice(at, at + maxTagChars);
  const take = (pattern: RegExp, from: number): RegExpExecArray | null => {
    pattern.lastIndex = from;
    return pattern.exec(tag);
  };
  const fault = (what: string, fix: string, offset: number, length: number): TagFault => ({
    what,
    fix,
    offset: at + offset,
    length: lengthOnLine(tag, offset, length),
  });
  let next = take(tagName, 0)?.[0].length;
  if (next === undefined) return undefined;
  for (let count = 0; ; ) {
    next += take(blank, next)![0].length;
    if (tag[next] === "," && count > 0)
      return fault("There is a comma between attributes.", "remove the comma.", next, 1);
    if (tag[next] === "{") {
      const end = skipBraces(tag, next);
      if (end === undefined) return undefined;
      next = end;
      continue;
    }
    const name = take(attributeName, next)?.[0];
    if (name === undefined) return undefined;
    const nameAt = next;
    next += name.length;
    count++;
    const sign = take(equals, next);
    if (sign === null) continue;
    next += sign[0].length;
    const quote = tag[next];
    if (quote === '"' || quote === "'") {
      escapedQuotes.lastIndex = next;
      const escaped = escapedQuotes.exec(tag);
      if (escaped) {
        const inner = escaped[0].slice(1, -1).replace(/\\(["'])/g, "$1");
        const other = inner.includes("'") ? `{${escaped[0]}}` : `'${inner}'`;
        const what = `The value of "${name}" has quotes with a backslash, which a tag does not know.`;
        return fault(what, `write ${name}=${other}.`, next, escaped[0].length);
      }
      const end = tag.indexOf(quote, next + 1);
      const value = tag.slice(next + 1, end === -1 ? undefined : end);
      if (end === -1 || (isOpen && value.includes(">"))) {
        const typed = /^[^>\n]*/.exec(value)![0].replace(/\s*\/?$/, "");
        const what = `The value of "${name}" has no closing ${quote}.`;
        return fault(what, `write ${name}=${quote}${typed}${quote}.`, next, typed.length + 1);
      }
      next = end + 1;
    } else if (quote === "{") {
      const end = skipBraces(tag, next);
      const typed = (end === undefined ? /^\{[^{}<>\n]*/.exec(tag.slice(next))![0] : tag.slice(next, end)).trimEnd();
      if (end === undefined) {
        const [, sign, text] = /^\{(["'`])([^"'`]*)$/.exec(typed) ?? [];
        const what = `The { of "${name}" has no closing ${sign ?? "}"}.`;
        return fault(what, `write ${name}=${sign ? `"${text}"` : `${typed}}`}.`, next, typed.length);
      }
      const code = typed.slice(1, -1);
      if (parseExpression(code).kind === "fault") {
        const what = `The value of "${name}" is not a JavaScript expression.`;
        return fault(what, adviceFor(name, code.trim()), next, typed.length);
      }
      next = end;
    } else {
      const inCurly = take(curly, next);
      if (inCurly) {
        const what = `The value of "${name}" is in typographic quotes, which are not valid in code.`;
        const [others] = /^[^<>]{0,500}?=[“”„‟‘’«»]/.exec(tag.slice(next + inCurly[0].length)) ?? [];
        const also = others === undefined ? "." : ", and the other values in the same way.";
        return fault(what, `write ${name}="${inCurly[1]}"${also}`, next, inCurly[0].length);
      }
      const template = take(backticks, next);
      if (template) {
        const what = `The value of "${name}" is in backticks, which need braces around them.`;
        return fault(what, `write ${name}="${template[1]}".`, next, template[0].length);
      }
      const typed = take(unquoted, next)?.[0];
      if (typed === undefined)
        return fault(`"${name}" has no value.`, `write ${name}="…", or ${name} alone.`, nameAt, next - nameAt);
      const words = typed + take(furtherWords, next + typed.length)![0];
      const value = /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(words) ? `{${words}}` : `"${words}"`;
      return fault(`The value of "${name}" has no quotes.`, `write ${name}=${value}.`, next, words.length);
    }
  }
}

/** Text in place of code was mostly meant as text. */
const adviceFor = (name: string, typed: string): string => {
  const text = typed.replace(/^'([^"]*)'$/, "$1");
  if (/^["']?[\w-]+["']?\s*:/.test(typed) && parseExpression(`({${typed}})`).kind !== "fault")
    return `write ${name}={{${typed}}}.`;
  return /["{}\n]/.test(text) || text.length > 100
    ? `correct it, or write a string as ${name}="…".`
    : `for a string, write ${name}="${text}".`;
};
