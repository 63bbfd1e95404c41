/** Explains a syntax error, and says what to type instead. */

import { offsetAt } from "./location.js";
import type { SyntaxFault } from "./markdown-parsers.js";
import { beginsNoTag } from "./repair.js";

export function describeFault(source: string, fault: SyntaxFault): { what: string; fix: string } {
  const reason = sentence(fault.reason);
  const mismatched = /closing tag `<\/([^`>]+)>`, expected[^`]*`<([^`>]+)>`(?: \((\d+):)?/.exec(fault.reason);
  if (mismatched !== null) {
    const [, closing, open, line] = mismatched;
    const what = `The tag <${open}>${line === undefined ? "" : ` opened in line ${line}`} is closed by </${closing}>.`;
    return { what, fix: `write </${open}> here, or before this line if both are meant.` };
  }
  const unclosed = /closing tag for `<([^`>]*)>`(?: \((\d+):\d+)?/.exec(fault.reason);
  if (unclosed !== null) {
    const name = unclosed[1]!;
    const opened = unclosed[2] ?? String(fault.line);
    const what =
      name === ""
        ? `The fragment <> opened in line ${opened} is never closed.`
        : `The tag <${name}> opened in line ${opened} is never closed.`;
    return {
      what,
      fix: `write </${name}> where it ends${name === "" ? "." : `, or <${name} /> if it holds nothing.`}`,
    };
  }
  const unopened = /[Uu]nexpected (?:closing tag|closing slash)[^`]*`(<\/[^`]*>)?/.exec(fault.reason);
  if (unopened !== null) {
    return { what: reason, fix: "remove the closing tag, or write the opening tag that belongs to it." };
  }
  const misplaced = /Expected the closing tag `<\/([^`>]*)>` either after.*?`<[^`]*` opened at (\d+):/.exec(
    fault.reason,
  );
  if (misplaced !== null) {
    const what = `The tag <${misplaced[1]}> opened in line ${misplaced[2]} and its closing tag are not on the same level: one is within a paragraph, the other is not.`;
    return { what, fix: "put both tags on lines of their own, or both on the line of the text." };
  }
  if (/import or export|import\/exports/.test(fault.reason)) {
    return { what: reason, fix: "begin the line with another word." };
  }
  const at = offsetAt(source, fault.line, fault.column);
  if (/end of file in expression|closing brace/.test(fault.reason)) {
    return { what: "The { has no closing }.", fix: "write } where the expression ends, or \\{ to show a brace." };
  }
  if (/expression|acorn|oxc/i.test(fault.reason)) {
    return {
      what: `The text between { and } is not an expression${parserReason(reason)}`,
      fix: "write \\{ to show a brace as text.",
    };
  }
  if (beginsNoTag.test(fault.reason)) {
    const sign = source.slice(source.lastIndexOf("<", at), at + 1);
    return {
      what: sign.length > 1 && sign.length < 20 ? `"${sign}" does not begin a tag: ${lower(reason)}` : reason,
      fix: "write \\< or &lt; to show the sign as text; write a link as [text](url).",
    };
  }
  return { what: reason, fix: "correct the line; \\< and \\{ show a sign as text." };
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
  const said = reason.replace(/^Could not parse [^:]*? with (?:oxc|acorn)(?:: |(?=\.))/, "");
  return said === "." ? said : `: ${lower(said)}`;
}
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
