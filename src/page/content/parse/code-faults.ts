/** Reports options of a code block that have no effect, and code that other programs spoiled or that only they understand. */
import type { Code, Parents, Root, RootContent } from "mdast";
import { likelyName, quoted } from "../../../lib/diagnostic/index.js";
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
  [
    /^\{\s*(title|filename)\s*:\s*["']?([^"'{}]+?)["']?\s*\}$/,
    () => "is part of the title: options are not in braces",
    ([, name, words]) => `write ${name}="${words}"`,
  ],
  [
    /(?:^|\s)\{([^{}:]*)\}/,
    ([, lines = ""]) =>
      /^["'\s]*\d[\d\s,-]*(?<!-\s*)["'\s]*$/.test(lines) ? undefined : "marks no lines: only numbers and ranges do",
    () => "write {1,3-5}, with the numbers of the lines.",
  ],
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
    /^(?:copy|live|npm2yarn|noInline|playground|runnable)$|(?<=[}"'] )(?:copy|live)$/,
    () => "is an option of another tool, which appears in the title",
    () => "remove it.",
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

/** Of MyST and R Markdown; a fence with another name in braces is code. */
const directives =
  /^(?:note|tip|hint|important|warning|danger|caution|attention|error|seealso|admonition|figure|image|table|(?:list|csv)-table|toctree|tab-(?:set|item)|dropdown|card|grid|include|literalinclude|glossary|epigraph|margin|sidebar|version\w+|deprecated|eval-rst|contents|code|code-(?:block|cell)|raw|proof|exercise|quote|pull-quote|topic|button|div)$/i;

/** Also gives a fence the language that it has in braces. */
function checkFence(node: Code, source: string, report: Report): void {
  const { meta } = node;
  const start = node.position?.start.offset;
  const braced = /^\{\s*\.?([a-z][\w+#-]*)(?:[\s,][^{}]*)?\}(.*)$/is.exec(`${node.lang ?? ""} ${meta ?? ""}`.trim());
  if (start !== undefined && braced) {
    const [info, name = "", rest = ""] = braced;
    const typed = info.slice(0, info.length - rest.length);
    const isDirective = directives.test(name);
    const what = `${quoted(typed)} is ${isDirective ? "a directive of MyST; the text is shown as code" : `how other tools write the language; the block is shown as ${name}`}.`;
    const fix = isDirective
      ? "put <Note> before the text and </Note> after it, in place of the lines of ```."
      : `write \`\`\`${name}`;
    report({ code: "FOREIGN_MARKUP", what, fix, start, end: source.indexOf("\n", start) });
    if (!isDirective) Object.assign(node, { lang: name, meta: rest.trim() || null });
    return;
  }
  const option = /^(\w+):(?:no-)?line-numbers(?:=\d+)?/.exec(node.lang ?? "");
  if (start !== undefined && option)
    report({
      code: "FENCE_OPTION",
      what: `"${option[0]}" is an option of VitePress, so the block has no language here.`,
      fix: `write ${option[1]} lines`,
      start: source.indexOf(option[0], start),
      end: source.indexOf(option[0], start) + option[0].length,
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
    add(match.index + match[0].indexOf(typed), typed, `${quoted(typed)} ${why}.`, `${fix(match)}`);
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
        `${quoted(typed)} marks line ${last}, but the code has ${lines} line${lines === 1 ? "" : "s"}.`,
        "write the numbers of lines that exist; the first is 1.",
      );
    else if (backwards)
      add(at, typed, `${quoted(typed)} marks no lines: ${backwards} ends before it starts.`, `write ${to}-${from}`);
  }
}

/** Lines that mark others in Docusaurus. */
const lineMarks = /^[ \t]*(?:\/\/|#|--|%|<!--|\/\*|\{\/\*)[ \t]*highlight-(?:next-line|start)\b.*$/m;
const shells = /^(?:ba|z|fi)?sh$|^(?:shell|console|terminal|powershell|cmd|bat)$/i;
/** With what follows it, so that a text about quotes or in another language is none. */
const spoiled: readonly (readonly [languages: RegExp, form: RegExp, what: string])[] = [
  [shells, /^[^#\n<]*?(&(?:amp|lt|gt|quot|#39|nbsp);)(?![^\n]*<)/m, "is shown as typed: code needs no entities"],
  [shells, /^[^#\n"']*?[ =]([“”„]\S{1,40})/m, "has a typographic quote, which no program reads as a quote"],
  [shells, /^[^#\n"']*? ([–—][a-z][\w-]+)(?:[ =]|$)/m, "has a typographic dash, which no program reads as --"],
  [shells, /^[^#\n]*? (\u2011{1,2}[a-z][\w-]+)/m, "has a hyphen that does not break, which no program reads as -"],
  [/^jsonc?$/i, /(?:^|[{,[:])[ \t]*([“”„]\w\S{0,40})/m, "has typographic quotes, which JSON does not know"],
];
const plainSigns: readonly (readonly [typed: RegExp, plain: string])[] = [
  [/[“”„]/g, '"'],
  [/^[–—]/, "--"],
  [/^\u2011{1,2}/, "--"],
  [/^&amp;$/, "&"],
  [/^&lt;$/, "<"],
  [/^&gt;$/, ">"],
  [/^&quot;$/, '"'],
  [/^&#39;$/, "'"],
  [/^&nbsp;$/, "a space"],
];
const diagram =
  /^\s*(?:graph|flowchart)[ \t]+(?:TD|TB|LR|RL|BT)\b[^\n]*\n[\s\S]*-->|^\s*sequenceDiagram[ \t]*\n[\s\S]*->>/;

export function checkCode(node: Code, parent: Parents, source: string, report: Report): void {
  checkFence(node, source, report);
  checkText(node, source, report);
  checkEnd(node, parent, source, report);
  const found = wrongFence(node, source);
  if (found === undefined) return;
  const { start, fence, signs, at, opens } = found;
  if (opens)
    report({
      code: "FENCE_MISMATCH",
      what: `${fence} starts a code block that goes on over the blocks with ${signs} after it.`,
      fix: `remove ${fence}, or write it again where its code ends.`,
      start,
      end: start + fence.length,
      related: { start: at, end: at + signs.length, what: "this is shown as code" },
    });
  else
    report({
      code: "FENCE_MISMATCH",
      what: `${signs} does not close the code block, which starts with ${fence}; it is shown as code.`,
      fix: `write ${fence} here.`,
      start: at,
      end: at + signs.length,
      related: { start, end: start + fence.length, what: "the code block starts here" },
      edits: [{ start: at, end: at + signs.length, replacement: fence, certain: false }],
    });
}

/** Code that goes on over the end of the component around it, since its own closing fence is missing. */
function checkEnd({ value, position }: Code, parent: Parents, source: string, report: Report): void {
  if (position === undefined || parent.type !== "mdxJsxFlowElement" || !parent.name) return;
  const closing = `</${parent.name}>`;
  if (!value.includes(closing)) return;
  const lines = value.split("\n");
  const end = lines.findIndex((line) => line.trim() === closing);
  if (end === -1 || lines.slice(0, end).some((line) => line.includes(`<${parent.name}`))) return;
  const start = position.start.offset!;
  const at = source.indexOf(closing, start);
  report({
    code: "FENCE_UNCLOSED",
    what: `The code block goes on over ${closing}, the end of the component around it.`,
    fix: "write ``` on its own line where the code ends.",
    start,
    end: start + 3,
    related: { start: at, end: at + closing.length, what: "this is shown as code" },
  });
}

function checkText({ lang, value, position }: Code, source: string, report: Report): void {
  if (position === undefined) return;
  const [from, to] = [position.start.offset!, position.end.offset!];
  const line = /^mdx?$|^markdown$|^$/i.test(lang ?? "") ? null : lineMarks.exec(value);
  const add = (code: string, typed: string, rest: string, fix: string): void => {
    const at = source.indexOf(typed, from);
    if (at >= 0 && at < to) report({ code, what: `${quoted(typed)} ${rest}.`, fix, start: at, end: at + typed.length });
  };
  if (line) {
    const number = value.slice(0, line.index).split("\n").length;
    add(
      "FOREIGN_MARKUP",
      line[0].trim(),
      "is shown as code: it marks lines in other tools",
      `remove it, and write {${number}} after the language for line ${number}.`,
    );
  }
  if (!lang && diagram.test(value))
    add(
      "FENCE_OPTION",
      value.trim().split("\n")[0]!,
      "is shown as text: the block has no language",
      "write ```mermaid where it starts to show the diagram.",
    );
  for (const [languages, form, what] of spoiled) {
    const typed = languages.test(lang ?? "") ? form.exec(value)?.[1] : undefined;
    const right = plainSigns.reduce((text, [sign, plain]) => text.replace(sign, plain), typed ?? "");
    if (typed) add("MARK_AS_TEXT", typed, what, `write ${right}`);
  }
}

/** An indented fence. */
const indented = /^ +(?:`{3,}|~{3,})/m;
/** From so many lines, and such a share of them, code is not indented like its fence. */
const fewLines = 2;
const share = 0.2;

/**
 * Of a fence that is indented, CommonMark takes as many spaces from each line of its code. Authors indent fences in tags, and often
 * not their code: nested lines would lose their indentation, and programs in Python their meaning. Such code stays as it is
 * typed, but for what all its lines share. The first line may be alone at the fence, where formatters leave it.
 */
export function keepIndents(tree: Root, source: string): void {
  if (!indented.test(source)) return;
  const pending: (Root | RootContent)[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if ("children" in node) for (const child of node.children) pending.push(child);
    if (node.type !== "code" || node.position === undefined) continue;
    const { start, end } = node.position;
    const before = source.slice(source.lastIndexOf("\n", start.offset! - 1) + 1, start.offset);
    if (before === "" || /[^ ]/.test(before)) continue;
    const typed = source.slice(start.offset, end.offset).split(/\r?\n/).slice(1);
    const lines = typed.slice(0, node.value.split("\n").length);
    const written = lines.filter((line) => line.trim() !== "");
    const near = written.filter((line) => columnOf(line) < before.length);
    if (near.length < Math.max(fewLines, share * written.length)) continue;
    const least = Math.min(...near.map(indentOf));
    if (least > 0 && written.some((line) => line.startsWith("\t"))) continue;
    const isAtFence = indentOf(lines[0]!) >= before.length && written[1] === near[0];
    node.value = lines
      .map((line, at) => line.slice(Math.min(indentOf(line), at === 0 && isAtFence ? before.length : least)))
      .join("\n");
  }
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
/** A tab leads to the next multiple of four. */
const columnOf = (line: string): number =>
  [...line.slice(0, indentOf(line))].reduce((at, sign) => (sign === "\t" ? at - (at % 4) + 4 : at + 1), 0);

/** A fence that closes nothing, since it consists of other signs, or fewer, than the one that opened the block. */
export function wrongFence(node: Code, source: string) {
  if (!/`{3}|~{3}/.test(node.value)) return undefined;
  const start = node.position!.start.offset!;
  const typed = source.slice(start, node.position!.end.offset);
  const fence = /^(?:`{3,}|~{3,})/.exec(typed)?.[0];
  if (fence === undefined || /^(?:md|mdx|markdown)$/i.test(node.lang ?? "")) return undefined;
  const inner = [...typed.matchAll(/\n[ \t]{0,3}(`{3,}|~{3,})[^`\n]*(?=\n|$)/g)].filter(
    ([, signs]) => signs![0] !== fence[0] || signs!.length < fence.length,
  );
  if (inner.length % 2 === 0) return undefined;
  const [line, signs = ""] = inner.at(-1)!;
  const opens = line.trim() !== signs;
  return { start, fence, signs, opens, at: start + inner.at(-1)!.index + line.indexOf(signs) };
}

/** In ASCII code, signs that a program for texts wrote in place of those that were typed. Quotes alone may be what a text is about. */
const spoiledCode: readonly (readonly [form: RegExp, what: string])[] = [
  [/^[\w./-]+(?: [^“”„]*)?[ =:([{,][“”„][^“”„]+[“”]/, "typographic quotes, which no program reads as quotes"],
  [/(?:^|[ \u2011])\u2011[a-z]/, "a hyphen that does not break, which no program reads as -"],
  [/\w\u00a0[\w.-]/, "a space that does not break, which no program reads as a space"],
  [/[\ufb00-\ufb06]/, "a ligature in place of letters, which no program reads"],
];
const anySpoiled = /[“”„\u2011\u00a0\ufb00-\ufb06]/g;
const plainSign = (sign: string): string =>
  /[“”„]/.test(sign) ? '"' : sign === "\u2011" ? "-" : sign.normalize("NFKC");

const optionDash = /(?<=[\s`])[–—](?=[a-z])/g;

/** What is wrong with code within a line, and what to write. */
export function inlineCodeFault(value: string, typed: string): readonly [what: string, fix: string] | undefined {
  const escaped = /[a-z\d]\\[_*](?=[a-z\d])/i.exec(value);
  if (escaped && !/[[(^$|+?]|\\[a-z]/i.test(value))
    return [
      `The \\ in ${typed} is shown: code needs no \\ before _ and *.`,
      `write ${typed.replace(/\\(?=[_*])/g, "")}`,
    ];
  const decoded = value.replace(/&(lt|gt);|&amp;(?=\w+=)/g, (_, sign) => ({ lt: "<", gt: ">" })[sign as string] ?? "&");
  if (decoded !== value && /\w/.test(value.replace(/&\w+;/g, "")))
    return [
      `The entities in ${typed} are shown as typed: code needs none.`,
      `write ${typed.replace(value, () => decoded)}`,
    ];
  const spoiled = spoiledCode.find(([form]) => form.test(value));
  if (spoiled && !/[^\x20-\x7e“”„–—\u2011\u00a0\ufb00-\ufb06]/.test(value))
    return [
      `${typed} has ${spoiled[1]}.`,
      `write ${typed
        .replace(/(?<= )–(?=[A-Za-z]\b)/g, "-")
        .replace(optionDash, "--")
        .replace(anySpoiled, plainSign)}`,
    ];
  const dash = /(?:^| )([–—])(?=[a-z][\w-]*)/.exec(value);
  return dash && /^[a-z][\w.-]* |^[–—]/.test(value)
    ? [
        `${dash[1]} in ${typed} is a typographic dash, which no program reads as --.`,
        `write ${typed.replace(optionDash, "--")}`,
      ]
    : undefined;
}
