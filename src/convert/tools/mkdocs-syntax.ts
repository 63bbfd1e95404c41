import { unescapeHtml } from "../../lib/html/escape.js";
import { joinPath } from "../../lib/url/index.js";
import { asText } from "../data.js";
import {
  block,
  codeSpans,
  indentOf,
  type Line,
  maxConvertedLine,
  type PageText,
  replaceGroups,
  textOfLines,
} from "../page-text.js";
import type { PageContext, ToolContext } from "../project.js";
import { type BlockTags, calloutTags, colonBlocks, noTags, titleAttributes, titledElement } from "../steps/blocks.js";
import { fenced } from "../steps/parts.js";
import { fileIn } from "./shared.js";

/** Turns a grid of Material for MkDocs, `<div class="grid cards" markdown>` around a list, into cards. */
export const gridCards = (lines: PageText): PageText =>
  replaceGroups(lines, (line, start) => {
    const last = isGrid(line)
      ? lines.findIndex(({ text, code }, at) => at > start && !code && /^\s*<\/div>/.test(text))
      : -1;
    const cards = last < 0 ? undefined : cardsOf(lines.slice(start + 1, last));
    if (cards === undefined) return undefined;
    const open = block([`${indentOf(line.text)}<CardGroup>`], line.line);
    const close = block([`${indentOf(line.text)}</CardGroup>`], lines[last]!.line);
    return { end: last + 1, lines: [...open, ...cards, ...close] };
  });

const isGrid = ({ text, code }: Line): boolean =>
  !code && text.length < 500 && /^\s*<div\b[^<>]*\bclass="[^"]*\bgrid cards\b[^"]*"/.test(text);

/** A card for each item of the list; undefined if there is other text. */
function cardsOf(lines: PageText): Line[] | undefined {
  const out: Line[] = [];
  let width = 0;
  const margin = indentOf(lines.find(({ text }) => text.trim() !== "")?.text ?? "").length;
  const close = (at: number): void => {
    if (width > 0) out.push(...block(["</Card>"], at));
  };
  for (const line of lines) {
    const [mark, , rest = ""] =
      (!line.code && line.text.length < 2000 && /^([ \t]*)[-*+][ \t]+(.*)$/.exec(line.text)) || [];
    if (mark !== undefined && indentOf(line.text).length === margin) {
      close(line.line);
      width = margin + 4;
      const [, icons = "", title, after = ""] =
        /^((?::[\w-]+:|[ \t])*)(?:\*\*|__)(.+?)(?:\*\*|__)[ \t]*(.*)$/.exec(rest.replace(/:\{[^{}]{0,200}\}/, ":")) ??
        [];
      out.push(...block([`<Card${titleAttributes(title && icons + title.replaceAll("`", ""))}>`], line.line));
      out.push({ ...line, text: title === undefined ? rest : after });
    } else if (width === 0 && line.text.trim() !== "") return undefined;
    // Drop the rule between title and text.
    else if (!line.code && /^\s*---+\s*$/.test(line.text)) out.push({ ...line, text: "" });
    else out.push({ ...line, text: line.text.slice(Math.min(width, indentOf(line.text).length)) });
  }
  close(lines.at(-1)?.line ?? 1);
  return width === 0 ? undefined : out;
}

/** Code of Termynal, whose HTML readers see as colors, without its tags. */
export function withPlainTerminals(lines: PageText): PageText {
  let isTerminal = false;
  return lines.map((line) => {
    if (!line.code && line.text.trim() !== "")
      isTerminal = /<!-- ?termynal\b|<div\b[^<>]*\bclass="[^"<>]*\bterm(?:y|ynal)\b/.test(line.text.slice(0, 500));
    if (!isTerminal || !line.code || line.text.length > maxConvertedLine) return line;
    return { ...line, text: unescapeHtml(line.text.replace(/<\/?[a-z]{1,9}(?:\s[^<>]{0,300})?>/g, "")) };
  });
}

/** `::: package.Name` is documentation that mkdocstrings generates. The signature is shown if the repository has the source. */
export const withoutReferences = (lines: PageText, { files, base, report }: PageContext): PageText =>
  replaceGroups(lines, (line, at) => {
    const name = line.code ? undefined : /^:::\s+([\w.]{1,200})\s*$/.exec(line.text)?.[1];
    if (name === undefined) return undefined;
    let end = at + 1;
    while (end < lines.length && !lines[end]!.code && /^(?: {2,}|\t)\S/.test(lines[end]!.text)) end++;
    report(
      "api",
      `mkdocstrings generated the documentation of "${name}" from source code; write it here, or link to where it is published.`,
      line.line,
    );
    const signature = signatureOf(name, files, base);
    const code = signature === undefined ? [] : fenced(signature, "python").split("\n");
    const added = [
      ...block(["<Note>"], line.line),
      { ...line, text: `The documentation of \`${name}\` was generated from source code.` },
      ...block(["</Note>"], line.line),
      ...code.map((text, i): Line => ({ text, line: line.line, code: true, ...(i === 0 && { opens: true }) })),
    ];
    return { end, lines: added };
  });

/**
 * Removes empty code blocks with options, such as ```` ```{.plot file="a.py"} ````: a plugin generated their content. Reports those
 * that a plugin runs, for the sake of their output.
 */
export function withoutGeneratedBlocks(lines: PageText, { report }: PageContext): PageText {
  return lines.filter((line, at) => {
    if (line.opens && /\bexec="?(?:on|true|yes|1)\b/.test(line.text))
      report("code", "The old site runs this code and shows its output; write the output here.", line.line);
    const [before, next] = [lines[at - 1], lines[at + 1]];
    if (isGenerated(line) && next?.code && !next.opens && closingFence.test(next.text)) {
      report(
        "code",
        `A plugin generated the content of "${line.text.trim().slice(0, 200)}"; write it here, or add a picture of it.`,
        line.line,
      );
      return false;
    }
    return !(before && isGenerated(before) && line.code && !line.opens && closingFence.test(line.text));
  });
}

const isGenerated = ({ opens, text }: Line): boolean =>
  opens === true && /^[ \t]*(?:`{3,}|~{3,})[ \t]*\{[ \t]*\.[\w-]+[ \t]+[^{}]*=[^{}]*\}[ \t]*$/.test(text);
const closingFence = /^[ \t]*(?:`{3,}|~{3,})[ \t]*$/;

/** The first line of a class or function, up to its colon. */
function signatureOf(name: string, files: PageContext["files"], base: string): string | undefined {
  const parts = name.split(".");
  for (let length = parts.length - 1; length > 0; length--) {
    const stem = parts.slice(0, length).join("/");
    const path = ["", "src/", `${base}/`]
      .flatMap((folder) => [`${folder}${stem}.py`, `${folder}${stem}/__init__.py`])
      .map((file) => joinPath("", file))
      .find((file) => files.has(file));
    if (path === undefined || files.sizeOf(path) > 2_000_000) continue;
    const text = files.readText(path);
    const at = text.search(
      new RegExp(`^[ \\t]*(?:async[ \\t]+)?(?:def|class)[ \\t]+${parts.at(-1)!.replace(/\W/g, "")}\\b`, "m"),
    );
    if (at >= 0) return /^[\s\S]{0,4000}?:[ \t]*(?=\n|$)/.exec(text.slice(at).replace(/^[ \t]+/, ""))?.[0];
  }
  return undefined;
}

/** `/// note | Title`, options in indented lines, and `///` as the end. */
export function slashBlocks(lines: PageText, { report }: PageContext): PageText {
  let inOptions = false;
  const withoutOptions = lines.filter(({ text, code }) => {
    if (inOptions && /^[ \t]{4,}[\w-]+:/.test(text)) return false;
    inOptions = (!code && /^[ \t]*\/{3,}[ \t]*\w/.test(text)) || (inOptions && text.trim() === "");
    return true;
  });
  return colonBlocks(
    withoutOptions,
    (name, rest) => slashTags(name, rest.replace(/^\s*\|/, "").trim()),
    ({ line }, name) => report("block", `"/// ${name}" is not known; its text stays.`, line),
    /^([ \t]*)(\/{3,})[ \t]*([A-Za-z][\w-]*)?(.*)$/,
  );
}

function slashTags(name: string, title: string): BlockTags | undefined {
  if (name === "details") return titledElement("Accordion", title || "Details");
  if (name === "tab") return titledElement("Tab", title || "Tab");
  if (name === "html" || name === "define" || name.endsWith("caption")) return noTags;
  return calloutTags(name, title) ?? (title === "" ? undefined : titledElement("Note", title));
}

export function withDefinitions(lines: PageText, definitions: readonly string[]): PageText {
  const text = definitions.length === 0 ? "" : textOfLines(lines);
  const used = definitions.filter((definition) => text.includes(definition.slice(0, definition.indexOf("]:") + 1)));
  const line = lines.at(-1)?.line ?? 1;
  return [...lines, ...(used.length === 0 ? [] : ["", ...used]).map((added) => ({ text: added, line, code: false }))];
}

const definitionMark = /^ {0,3}\[([^\]]{1,200})\]:/;
const crossReference = /\[((?:`[^`\n]{1,200}`|[^[\]`\n]){1,300})\]\[([\w.-]{0,200})\]/g;

/** `[Pot][garden.Pot]` without a definition leads to generated documentation, or to a heading of any page: only its text stays. */
export function withoutCrossReferences(lines: PageText, { report }: PageContext): PageText {
  const keyOf = (name: string): string => name.trim().toLowerCase();
  const defined = new Set(
    lines.flatMap(({ text, code }) =>
      code ? [] : (definitionMark.exec(text.slice(0, 210))?.slice(1, 2).map(keyOf) ?? []),
    ),
  );
  let count = 0;
  let first: { readonly id: string; readonly line: number } | undefined;
  const plain = lines.map((line) => {
    if (line.code || !line.text.includes("][") || line.text.length > maxConvertedLine) return line;
    const spans = codeSpans(line.text);
    const text = line.text.replace(crossReference, (whole, shown: string, written: string, at: number) => {
      const id = written || shown.replaceAll("`", "");
      if (defined.has(keyOf(written || shown)) || !/^[A-Za-z_][\w.-]*$/.test(id)) return whole;
      if (spans.some(([start, end]) => start < at && at < end)) return whole;
      first ??= { id, line: line.line };
      count++;
      return shown;
    });
    return text === line.text ? line : { ...line, text };
  });
  if (first !== undefined)
    report(
      "link",
      `${count === 1 ? "A cross-reference leads" : `${count} cross-references lead`} to what the old site generated, such as "${first.id}"; their text stays, so write links where readers need them.`,
      first.line,
    );
  return plain;
}

/** `#!py sow()` in a code span names the language for its colors. */
export const plainSpans = (lines: PageText): PageText =>
  lines.map((line) => (line.code ? line : { ...line, text: line.text.replace(/(?<!`)(`+)#![\w+-]+ +/g, "$1") }));

/** The link definitions in the files that the settings append to each page, and in those that these include. */
export function appendedDefinitions(
  written: unknown,
  folders: readonly string[],
  { files, note }: ToolContext,
): string[] {
  const linesFrom = (name: string, depth: number): string[] => {
    const path = fileIn(files, folders, [name]);
    const isRead = path !== undefined && depth < 5 && files.sizeOf(path) < 1_000_000;
    return (isRead ? files.readText(path) : "").split(/\r?\n/).flatMap((line) => {
      const inner = /^\s*(?:-+8<-+\s+)?["']?([^\s"':]{1,300}\.\w{1,9})["']?\s*$/.exec(line)?.[1];
      return inner === undefined ? [line] : linesFrom(inner, depth + 1);
    });
  };
  return [written].flat().flatMap((value) => {
    const name = asText(value);
    const lines = name === undefined ? [] : linesFrom(name, 0).filter((line) => !/^\s*(?:-+8<-+\s*)?$/.test(line));
    const definitions = lines.filter((line) => /^\[[^\]^]{1,200}\]:\s*\S/.test(line));
    if (definitions.length < lines.length)
      note(
        joinPath(folders[0] ?? "", name!),
        "snippet",
        "The settings append this file to each page, but only its link definitions are converted.",
        1,
      );
    return definitions;
  });
}

/** `^^inserted^^`, `n^th^` and `H~2~O`, which have no unescaped space. */
export const raised = (text: string): string =>
  text
    .replace(/\^\^(?=\S)([^^\n]{1,300})(?<=\S)\^\^/g, "<ins>$1</ins>")
    .replace(/(?<![\^\\[])\^((?:[^\s^\\]|\\.){1,100})(?<!\[)\^(?!\^)/g, (_, inner: string) => shifted("sup", inner))
    .replace(/(?<![~\\])~((?:[^\s~\\/]|\\.){1,100})~(?!~)/g, (_, inner: string) => shifted("sub", inner));
const shifted = (tag: string, inner: string): string => `<${tag}>${inner.replaceAll("\\ ", " ")}</${tag}>`;
