/** Reports options of a code block that have no effect. */
import type { Code } from "mdast";
import { likelyName } from "../../../lib/diagnostic/index.js";
import type { Report } from "./mark-faults.js";

const flags = "lines wrap expandable nocopy showLineNumbers";
const names = [...flags.split(" "), ..."title filename icon highlight focus theme placement".split(" ")];

type Rule = readonly [
  form: RegExp,
  what: (match: RegExpExecArray) => string | undefined,
  fix: (match: RegExpExecArray) => string,
];
const rules: readonly Rule[] = [
  [/\b\w+=(["'])(?:(?!\1).)*$/, () => "has no closing quote", ([typed, quote]) => `write ${typed}${quote}`],
  [/\{[^{}]*$/, () => "has no closing }, so it is part of the title", ([typed]) => `write ${typed.trim()}}`],
  [
    /\b\w+=[“”„]([^“”]*)[“”]/,
    () => "is in typographic quotes, which appear on the page",
    ([typed, words]) => `write ${typed.slice(0, typed.indexOf("=") + 1)}"${words}"`,
  ],
  [
    /\b(?:title|filename)=([^\s"'{}=]+) (?!(?:lines|wrap|expandable|nocopy|showLineNumbers|twoslash)\b|\{|\S*=)(\S+)$/i,
    ([, first]) => `has no quotes, so the title is only "${first}"`,
    ([typed]) => `write ${typed.replace(/=(.*)/, '="$1"')}`,
  ],
  [
    new RegExp(String.raw`\b(${flags.replaceAll(" ", "|")})=["'{]?(?!true\b|false\b)([a-z]+)\b["'}]?`, "i"),
    ([, , word]) => `is "${word}", but must be true or false`,
    ([, name, word = ""]) => `write ${/^(?:no?|off|fa)/.test(word) ? `${name}={false}` : name}`,
  ],
  [
    /\b(?:highlight|focus)=(["'{])[^\d"'}]+["'}]/i,
    () => "names no lines: only numbers and ranges do",
    ([typed]) => `write ${typed.slice(0, typed.indexOf("="))}={1,3-5}`,
  ],
  [
    /(?:^|\s)([a-z]\w{2,})=["'{]?(?:true|false|\d+)\b["'}]?/i,
    ([, name = ""]) =>
      names.some((each) => each.toLowerCase() === name.toLowerCase()) || !likelyName(name, names)
        ? undefined
        : "is no option, so it appears in the title",
    ([, name = ""]) => `write ${likelyName(name, names)?.name}`,
  ],
];

export function checkFence(node: Code, source: string, report: Report): void {
  const { meta } = node;
  const start = node.position?.start.offset;
  if (start !== undefined && /^\{[a-z-]{3,}\}$/.test(node.lang ?? ""))
    report({
      code: "FOREIGN_MARKUP",
      what: `"${node.lang}" is a directive of MyST; the text is shown as code.`,
      fix: "put <Note> before the text and </Note> after it, in place of the lines of ```.",
      start,
      end: source.indexOf("\n", start),
    });
  if (!meta || start === undefined) return;
  const line = source.slice(start, source.indexOf("\n", start));
  const metaAt = start + Math.max(0, line.indexOf(meta));
  const add = (index: number, typed: string, what: string, fix: string): void =>
    report({ code: "FENCE_OPTION", what, fix, start: metaAt + index, end: metaAt + index + typed.length });
  for (const [form, what, fix] of rules) {
    const match = form.exec(meta);
    const why = match && what(match);
    if (!match || !why) continue;
    const typed = match[0].trim();
    add(match.index + match[0].indexOf(typed), typed, `"${typed}" ${why}.`, `${fix(match)}`);
    return;
  }
  const lines = node.value.split("\n").length;
  // Comments such as `[!code ++]` take lines of their own.
  if (node.value.includes("[!code")) return;
  for (const match of meta.matchAll(/(?:^|\s)(?:(highlight|focus)=)?\{["']?(\d[\d,\s-]*)["']?\}/gi)) {
    const last = Math.max(...(match[2]!.match(/\d+/g) ?? []).map(Number));
    const typed = match[0].trim();
    const [backwards, from, to] =
      [...match[2]!.matchAll(/(\d+)\s*-\s*(\d+)/g)].find(([, first, end]) => Number(first) > Number(end)) ?? [];
    const at = match.index + match[0].indexOf(typed);
    if (last > lines)
      add(
        at,
        typed,
        `"${typed}" marks line ${last}, but the code has ${lines} line${lines === 1 ? "" : "s"}.`,
        "write the numbers of lines that exist; the first is 1.",
      );
    else if (backwards)
      add(at, typed, `"${typed}" marks no lines: ${backwards} ends before it starts.`, `write ${to}-${from}`);
  }
}
