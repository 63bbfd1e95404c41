/**
 * Finds Markdown that is shown as typed although its author meant a mark, and text that became a mark by accident. Most of
 * the rules are those of markdownlint; the handbook's page of each code names its rule.
 */
import type { Definition, FootnoteDefinition, Heading, Nodes, Paragraph, Parents, Root, Table } from "mdast";
import { type Diagnostic, quoted } from "../../../lib/diagnostic/index.js";
import { createPlaceFinder } from "../location.js";
import { aboutNames } from "../module-parts.js";
import { maxTreeDepth } from "../tree-shape.js";
import { checkCode } from "./code-faults.js";
import { checkAlert, checkForeignMarks, checkParts, linkInside, overlongAddress } from "./foreign-marks.js";
import { checkList, checkNesting, checkRestart, checkTask } from "./list-faults.js";
import {
  checkEmphasis,
  checkLinks,
  checkMarks,
  hiddenText,
  invisible,
  nonText,
  type Prose,
  type Report,
  type TextFault,
  unseen,
} from "./mark-faults.js";
import type { Span } from "./mask-source.js";
import { checkRow, checkTable } from "./table-faults.js";

export interface CheckedText {
  readonly tree: Root;
  readonly source: string;
  readonly sourcePath: string;
  /** Offset of the end of the front matter; 0 without one. */
  readonly bodyStart: number;
  /** What the parser did not see. */
  readonly spans: readonly Span[];
}

/** What every fault has in its text. Most texts have nothing of it, and are not looked at further. */
const signs = new RegExp(
  String.raw`\.{3}|…|[*\x60~|#[\]&_•◦▪‣▶▸►▼▾·–—→✓✔✅☑❌✗^$【［＃§－＊｀＋・●○■□◆◇｜＜\uf0b7\t\\]|==|Error!|[+]{2}|:[a-z+]|citeturn|%%|(?:^|\n)(?:[ \t>${invisible}]*[-\p{Nd}:(%/'"‘’“”´]|[a-z][.)] |\.\. |/\*|h\d\. |@[a-z]|! ?\p{L}|import|Import|export|const |let |var |Sure[!,]|Certainly[!,]|Of course[!,]|Let me |Would you |I hope )`,
  "u",
);
const elementsOfCode = new Set(["code", "pre", "script", "style", "svg", "math", "kbd"]);

export function findTextFaults(file: CheckedText): Diagnostic[] {
  const { sourcePath } = file;
  const diagnostics: Diagnostic[] = [];
  const locationOf = createPlaceFinder(file);
  const report: Report = ({ start, end, until, edits, replacement, related, ...fault }) => {
    const location = locationOf(start, end);
    const explained = related && { related: { location: locationOf(related.start, related.end), what: related.what } };
    const changes = replacement === undefined ? edits : [{ start, end, replacement, certain: true }];
    const placed = changes && { edits: changes.map((edit) => ({ sourcePath, ...edit })) };
    const about = fault.code === "FOREIGN_MARKUP" && { about: aboutNames(sourcePath, file.source.slice(start, end)) };
    const spoils = until !== undefined && { until: locationOf(until, until) };
    diagnostics.push({ ...fault, severity: "warning", location, ...explained, ...placed, ...about, ...spoils });
  };
  const source = withoutSpans(file.source, file.spans);
  const visit = (node: Nodes, parent: Parents, depth: number): void => {
    if (depth > maxTreeDepth) return;
    if (node.type === "paragraph") checkParagraph(node, parent, source, report);
    else if (node.type === "heading") checkHeading(node, source, file, report);
    else if (node.type === "code") checkCode(node, parent, source, report);
    else if (node.type === "tableRow") checkRow(node, parent as Table, source, (cell) => proseOf(cell, source), report);
    else if ("children" in node && !isCode(node)) {
      const inner = (node as { name?: string }).name === "a" ? linkInside(node, source) : undefined;
      if (inner) report(inner);
      for (const [i, child] of node.children.entries()) {
        if (child.type === "list" || child.type === "code") checkNesting(child, node.children[i - 1], source, report);
        if (child.type === "list") checkRestart(child, node.children.slice(i + 1, i + 3), report);
        visit(child, node, depth + 1);
      }
    }
  };
  checkBegin(file, report);
  visit(file.tree, file.tree, 0);
  checkDefinitions(file.tree, file.source, report);
  return diagnostics;
}

/** Keys at the top of a page between other lines than `---`, or a whole page in a block of code, as chat assistants give it. */
function checkBegin({ tree, source, bodyStart }: CheckedText, report: Report): void {
  const [only, ...others] = tree.children;
  const warn = (start: number, end: number, what: string, fix: string): void =>
    report({ code: "FRONTMATTER_UNOPENED", what, fix, start, end });
  const isPage =
    only?.type === "code" &&
    (/^---\r?\n(?:\w+:.*\r?\n){0,9}(?:title|description|sidebarTitle):/.test(only.value) ||
      (/^(?:md|mdx|markdown)$/.test(only.lang ?? "") && /^#{1,3} .*\r?\n/m.test(only.value)));
  if (isPage && others.length === 0 && only.position) {
    const at = only.position.start.offset!;
    const what = "The whole page is inside a code block, so readers see its source.";
    warn(at, source.indexOf("\n", at), what, "remove the first line of the block and its last one.");
  }
  if (bodyStart > 0) return;
  const match =
    /^\s{0,200}?(\+{3}|--|-{4,}|~{3,}|[—–]{1,3}|[ \t]{1,100}---|`{3}(?:ya?ml)?(?=[ \t]{0,100}\r?\n)|---(?=[ \t]{1,100}\w))\s{0,100}?(?:\r?\n)?(?:---\r?\n)?(?=[ \t]{0,100}(?:title|description|sidebarTitle)[ \t]{0,100}[:=])/.exec(
      source,
    );
  if (!match) return;
  const typed = match[1]!.trim();
  const start = source.indexOf(typed);
  warn(
    start,
    start + typed.length,
    `The page starts with ${typed}, which does not start front matter, so the keys are shown as text.`,
    "put --- on its own line before the keys and after them, and write each key like title: Welcome.",
  );
}

const isCode = (node: Nodes): boolean =>
  node.type.startsWith("mdxJsx") && elementsOfCode.has((node as { name?: string }).name ?? "");

/** Formulas, variables and the like are words. */
function withoutSpans(source: string, spans: readonly Span[]): string {
  if (spans.length === 0) return source;
  let text = "";
  let at = 0;
  for (const { start, end } of spans) {
    text += source.slice(at, start) + hidden(source.slice(start, end));
    at = end;
  }
  return text + source.slice(at);
}

const hidden = (text: string): string => text.replace(/[^\r\n]/g, nonText);

function hasSigns(node: Nodes, depth: number): boolean {
  if (node.type === "text") return signs.test(node.value);
  return "children" in node && depth < maxTreeDepth && node.children.some((child) => hasSigns(child, depth + 1));
}

function proseOf(node: Nodes, source: string): Prose {
  const start = node.position!.start.offset!;
  const end = node.position!.end.offset!;
  if (!hasSigns(node, 0) && !/\\[([]|! \[|！\[|\[!/.test(source.slice(start, end))) return { text: "", start };
  let text = "";
  let at = start;
  const addText = (child: Nodes): void => {
    const { position } = child;
    if (position === undefined || position.start.offset! < at) return;
    const raw = source.slice(position.start.offset, position.end.offset);
    const value = "value" in child ? child.value : "";
    // The parser replaced the names that HTML knows.
    const typed = raw.replace(/&[a-z][a-z\d]{1,30};/gi, (name) => (value.includes(name) ? name : hidden(name)));
    const before = source.slice(at, position.start.offset);
    // What begins a heading or a cell ends with a space.
    text +=
      (at === start ? before.replace(/\S/g, nonText) : hidden(before)) +
      typed.replace(/\\[!-/:-@[-`{-~]/g, nonText + nonText);
    at = position.end.offset!;
  };
  const visit = (child: Nodes, depth: number): void => {
    const isBareAddress = child.type === "link" && !/[[<]/.test(source[child.position?.start.offset ?? 0]!);
    const isOverlong =
      isBareAddress && overlongAddress.test(source.slice(child.position?.start.offset, child.position?.end.offset));
    if (child.type === "text" || (isBareAddress && !isOverlong)) addText(child);
    else if (isOverlong) return;
    else if ("children" in child && !isCode(child) && depth < maxTreeDepth)
      for (const inner of child.children) visit(inner, depth + 1);
  };
  visit(node, 0);
  return { text: text + hidden(source.slice(at, end)), start };
}

function checkParagraph(node: Paragraph, parent: Parents, source: string, report: Report): void {
  checkInlineFence(node, source, report);
  if (parent.type === "root") checkIndent(node, source, report);
  checkParts(node, source, report);
  const prose = proseOf(node, source);
  if (prose.text === "") return;
  checkTask(prose, parent.type === "listItem" && parent.children[0] === node, report);
  const siblings: readonly Nodes[] = parent.children;
  const at = prose.text.startsWith("|") ? siblings.indexOf(node) : -2;
  const next = siblings[at + 1];
  const precedes = next?.type === "table" && next.position?.start.line === node.position!.end.line + 1;
  if (checkTable(prose, siblings[at - 1]?.type === "table", precedes, report)) return;
  checkHeadingText(prose, source, report);
  checkInvisible(prose, report);
  checkList(prose, source, report);
  checkLinks(prose, source, report);
  checkAlert(prose, parent, report);
  checkToggle(prose, source, report);
  checkForeignMarks(prose, source, report);
  checkMarks(prose, source, report);
  if (parent.type !== "listItem") checkEmphasis(prose, report);
}

/** A toggle of Notion, pasted as text: a line with a triangle, and indented text below it. */
function checkToggle({ start }: Prose, source: string, report: Report): void {
  toggle.lastIndex = start;
  const [typed = "", sign, title] = toggle.exec(source) ?? [];
  if (sign === undefined || title === undefined) return;
  const what = `"${sign}" is shown as text: it hides the indented text below it in Notion.`;
  const fix = `write <Accordion title=${quoted(title, 80).replace(/(?<!^)"(?!$)/g, "'")}> before that text, and </Accordion> after it.`;
  report({ code: "FOREIGN_MARKUP", what, fix, start, end: start + typed.indexOf("\n") });
}
const toggle = /([▶▸►▼▾])\ufe0f?[ \t]+(\S[^\n]{0,120})(?:\n[ \t]{0,80}){0,3}\n(?:[ \t]{2,80}|\t)\S/uy;

/** Lines of code that are only indented, as Markdown allows and MDX does not. */
function checkIndent(node: Paragraph, source: string, report: Report): void {
  const [start, end] = [node.position!.start.offset!, node.position!.end.offset!];
  const first = source.lastIndexOf("\n", start - 1) + 1;
  const lines = source.slice(first, end).split("\n");
  if (/^\s*import\b/.test(lines[0]!)) return;
  if (!lines.every((line) => /^(?: {4}|\t)/.test(line)) || !lines.some((line) => codeLine.test(line.trim()))) return;
  const what = "The code is shown as a paragraph: in MDX, an indent alone makes no code block.";
  const fix = "write ``` on the line before it and after it, without the indent.";
  report({ code: "FENCE_MISMATCH", what, fix, start, end: start + lines[0]!.trim().length });
}
const codeLine =
  /^(?!`)(?:\$ \S|(?:sudo|npm|npx|pnpm|yarn|pip3?|curl|git|docker|cd|brew|apt|apt-get|export|kubectl|go|cargo) \S|(?:const|let|var|def|class|import|from|function) \S.*[;:({'"]|\S+ = \S)|[;{]$/;

/** A paragraph that is one piece of code over several lines, with the name of a language in the first: a block was meant. */
function checkInlineFence({ children, position }: Paragraph, source: string, report: Report): void {
  const [start, stop] = [position!.start.offset!, position!.end.offset!];
  const typed = source.slice(start, stop);
  const isCode = children.length === 1 && children[0]!.type === "inlineCode";
  const ticks = isCode ? /^(`{1,2})[a-z]{1,12}\r?\n[\s\S]*\n\1$/.exec(typed)?.[1] : undefined;
  const curly = /^([“”„‘’]`|[“”„‘’]{2}`|`[“”„‘’])[a-z]{0,12}\r?\n[\s\S]*\n(?:[“”„‘’]{1,2}`|`[“”„‘’])$/;
  const sign = ticks ?? curly.exec(typed)?.[1];
  if (sign === undefined) return;
  const edit = (at: number) => ({ start: at, end: at + sign.length, replacement: "```", certain: true });
  const what = `The code is shown on one line: ${sign} does not start a code block.`;
  const fix = "write ``` on the line before it and after it.";
  const edits = ticks && [edit(start), edit(stop - sign.length)];
  report({ code: "FENCE_MISMATCH", what, fix, start, end: start + typed.indexOf("\n"), ...(edits && { edits }) });
}

/** `#Heading`. One sign is a hashtag unless a capital letter follows and nothing else is in the paragraph. */
function checkHeadingText({ text, start }: Prose, source: string, report: Report): void {
  const wide = /^(＃{1,6})[ \u3000]*(?=\S)/.exec(text);
  if (wide) {
    const level = "#".repeat(wide[1]!.length);
    report({
      code: "HEADING_AS_TEXT",
      what: `"${wide[1]}" does not start a heading: it is a full-width character.`,
      fix: `write ${level} followed by a space.`,
      start,
      end: start + /^.*/.exec(text)![0].length,
      edits: [{ start, end: start + wide[0].length, replacement: `${level} `, certain: true }],
    });
  }
  const glued = new RegExp(`^(#{1,6})[${invisible}]`, "m").exec(text);
  const deep = /^(#{7,})[ \t]+\S/m.exec(text);
  if (glued || deep) {
    const { 1: typed = "", index } = (glued ?? deep)!;
    const end = start + index + typed.length;
    const [reason, fix] = glued
      ? [
          `the character after it is not a space but ${unseen(text[index + typed.length]!)}`,
          `write ${typed} followed by a space.`,
        ]
      : ["the lowest level has six # characters", "write ###### for the lowest level."];
    const what = `"${typed}" does not start a heading: ${reason}.`;
    const change = glued
      ? { edits: [{ start: end, end: end + 1, replacement: " ", certain: true }] }
      : { replacement: "######" };
    report({ code: "HEADING_AS_TEXT", what, fix, start: start + index, end, ...change });
    return;
  }
  const match = /^(#{2,6}|#(?!TODO|FIXME)(?=\p{Lu}[\p{L}\d ,&'()./:-]*$)(?![\dA-F]{3,8}$))([^\s#!].*)$/mu.exec(text);
  if (!match || (match.index > 0 && match[1]!.length < 2)) return;
  const at = start + match.index;
  report({
    code: "HEADING_AS_TEXT",
    what: `"${match[1]}" does not start a heading, because no space follows it.`,
    fix: `write ${match[1]} ${source
      .slice(at + match[1]!.length, at + match[0].length)
      .replace(hiddenText, "…")
      .trim()
      .slice(0, 60)}`,
    start: at,
    end: at + match[0].length,
    edits: [{ start: at + match[1]!.length, end: at + match[1]!.length, replacement: " ", certain: true }],
  });
}

/** An invisible character before the signs of a heading or of an item. */
function checkInvisible({ text, start }: Prose, report: Report): void {
  const match = new RegExp(`^[ \\t>]*([${invisible}]+)(#{1,6}|[-*+]|\\d{1,2}[.)])[ \\t]+\\S`, "m").exec(text);
  if (!match) return;
  const [typed, characters = "", sign = ""] = match;
  const [code, name] = sign.startsWith("#") ? ["HEADING_AS_TEXT", "heading"] : ["LIST_AS_TEXT", "list item"];
  const at = start + match.index + typed.indexOf(characters);
  const end = at + characters.length;
  report({
    code,
    what: `"${sign}" does not start a ${name}: the character before it is ${unseen(characters)}.`,
    fix: `remove everything before ${sign}.`,
    start: at,
    end: end + sign.length,
    edits: [{ start: at, end, replacement: "", certain: true }],
  });
}

function checkHeading(node: Heading, source: string, { tree, bodyStart }: CheckedText, report: Report): void {
  const prose = proseOf(node, source);
  checkForeignMarks(prose, source, report);
  if (prose.text !== "") {
    checkLinks(prose, source, report);
    checkMarks(prose, source, report);
  }
  const start = node.position!.start.offset!;
  const end = node.position!.end.offset!;
  if (node.children.length === 0) {
    const what = "The heading has no text.";
    report({ code: "COMPONENT_EMPTY", what, fix: "write its text after the #, or remove the line.", start, end });
  }
  if (node.depth !== 2 || source[start] === "#") return;
  const typed = source.slice(start, end);
  const text = typed.slice(0, typed.lastIndexOf("\n")).trimEnd();
  const dashes = start + typed.lastIndexOf("\n") + 1;
  const isFrontMatter =
    tree.children.indexOf(node) < (bodyStart === 0 ? 4 : 2) && /^(?:[A-Za-z_]\w*:(?:[ \t].*)?(?:\r?\n|$))+$/.test(text);
  const opening = tree.children[tree.children.indexOf(node) - 1];
  const warn = (code: string, what: string, fix: string, edits?: TextFault["edits"]): void =>
    report({ code, what, fix, start, end: start + text.length, edits });
  if (isFrontMatter && tree.children[0] !== node) {
    const opened = source.slice(opening?.position?.start.offset, opening?.position?.end.offset);
    if (opening?.type !== "thematicBreak" || opened.trim() !== "---") return;
    // Of one that is indented, `checkBegin` speaks.
    if (source[opening.position!.start.offset! - 1] === " ") return;
    if (!/^(?:title|description|sidebarTitle):/m.test(text)) return;
    if (bodyStart > 0)
      warn(
        "FRONTMATTER_UNOPENED",
        "The second block of front matter is shown as a heading.",
        "move its keys into the first block, and remove its --- lines.",
      );
    else
      warn(
        "FRONTMATTER_UNOPENED",
        "The front matter is shown as a heading, because there is text before it.",
        "move the front matter, from --- to ---, to the top of the page.",
      );
  } else if (isFrontMatter && bodyStart === 0)
    warn(
      "FRONTMATTER_UNOPENED",
      "The front matter has no opening --- line, so it is shown as a heading.",
      "write --- on its own line at the top of the page.",
      [{ start, end: start, replacement: "---\n", certain: true }],
    );
  else if ((text.includes("\n") && !/^-+\r?\n/.test(text)) || /[.;。！？]$/.test(text) || text.length > 120)
    warn(
      "PARAGRAPH_AS_HEADING",
      "The paragraph is shown as a heading, because a line of dashes follows it directly.",
      "put a blank line before the dashes.",
      [{ start: dashes, end: dashes, replacement: "\n", certain: true }],
    );
}

/** A footnote or a URL that no text refers to is not shown, nor is the second of one name. `[//]: …` is a comment. */
function checkDefinitions(tree: Root, source: string, report: Report): void {
  const definitions = tree.children.filter(
    (node): node is Definition | FootnoteDefinition =>
      node.type === "footnoteDefinition" ||
      (node.type === "definition" && node.label !== "//" && !/^#?$/.test(node.url)),
  );
  if (definitions.length === 0) return;
  const counts = new Map<string, number>();
  for (const [mark] of source.toLowerCase().matchAll(/\[[^[\]\n]{1,200}\]/g))
    counts.set(mark, (counts.get(mark) ?? 0) + 1);
  const names = new Set<string>();
  for (const node of definitions) {
    const mark = `[${node.type === "definition" ? "" : "^"}${node.label ?? node.identifier}]`;
    const start = node.position!.start.offset!;
    const [end, key] = [start + mark.length, mark.toLowerCase()];
    const kind = node.type === "definition" ? "URL" : "footnote";
    const warn = (what: string, fix: string): void => report({ code: "LINK_AS_TEXT", what, fix, start, end });
    if (names.has(key))
      warn(
        `The page defines ${mark} twice; the first ${kind} is used.`,
        "give one of them another name, or remove it.",
      );
    else if (counts.get(key) === 1)
      warn(
        `The ${kind} is not shown: nothing refers to ${mark}.`,
        `write ${mark} where it belongs, or remove the ${kind}.`,
      );
    names.add(key);
  }
}
