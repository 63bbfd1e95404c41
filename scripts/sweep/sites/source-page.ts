// What a page in MDX says, read tolerantly: tags and expressions are taken out, prose and code stay, in order. It accepts what
// no parser of MDX does, so that it also reads the pages on which the export stumbles.
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parse } from "yaml";
import { recordOf, textOf, type Value } from "../specs/source-files.ts";
import { inlineElements, silentElements, wordsIn } from "../specs/words.ts";
import { elementNames, labelsOf, readTag, skipBraces, textOfEntities } from "./source-tags.ts";

export interface SourceText {
  readonly kind: "title" | "description" | "prose" | "code" | "diagram" | "label";
  /** Prose as words (see `wordsIn`), code as written without its indentation. */
  readonly text: string;
  /** Of code, whose lines lose the indentation of the fence: each as much as it has, those that have all of it, or the first. */
  readonly otherReadings?: readonly string[];
  /** False if it may be anywhere on the page: titles of tabs, samples in a side column. */
  readonly isOrdered: boolean;
  /** True inside of a component of the site, which may show something else. */
  readonly isOptional?: boolean;
}

export interface SourcePageText {
  readonly frontMatter: Readonly<Record<string, Value | undefined>>;
  readonly texts: readonly SourceText[];
  /** The file itself. */
  readonly written: string;
  /** Uses of each component and element, by name. */
  readonly tags: ReadonlyMap<string, number>;
}

/** Between two texts of a paragraph, a part whose words are unknown here. */
const unknown = "\u0000";
const frontMatterPattern =
  /^\uFEFF?\s*(?:---[ \t]*\r?\n\s*(?=---[ \t]*\r?\n(?:title|description|sidebarTitle):))?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const fencePattern = /^([ \t>]*(?:[-*+]\s+|\d+[.)]\s+)?)(`{3,}|~{3,})([^\n]*)$/;

export function readSourcePage(
  folder: string,
  file: string,
  variables: Readonly<Record<string, string>>,
): SourcePageText {
  const written = readFileSync(join(folder, file), "utf8").replace(/\r\n?/g, "\n");
  const tags = new Map<string, number>();
  const texts: SourceText[] = [];
  const frontMatter = frontMatterOf(written);
  // Pages of these modes show neither.
  const isBare = /^(?:custom|frame)$/.test(textOf(frontMatter["mode"]));
  for (const kind of isBare ? [] : (["title", "description"] as const)) {
    const text = wordsIn(plainWords(withoutTags(withVariables(textOf(frontMatter[kind]), variables))));
    if (text !== " ") texts.push({ kind, text, isOrdered: false });
  }
  readBody({ folder, file, variables, tags, texts, depth: 0 }, written.replace(frontMatterPattern, ""), true);
  return { frontMatter, texts, written, tags };
}

function frontMatterOf(written: string): Record<string, Value | undefined> {
  try {
    return recordOf(parse(frontMatterPattern.exec(written)?.[1] ?? "", { logLevel: "silent", uniqueKeys: false }));
  } catch {
    return {};
  }
}

/** Keeps `<name>` in a code span. */
const withoutTags = (text: string): string =>
  text.replace(/(`[^`]*`)|<\/?(\w+)\s*\/?>/g, (_, code = "", name = "") => (name === "br" ? " " : code));

const withVariables = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (whole, name: string) => variables[name] ?? whole);

interface Reading {
  readonly folder: string;
  readonly file: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly tags: Map<string, number>;
  readonly texts: SourceText[];
  readonly depth: number;
}

function readBody(reading: Reading, body: string, isOrdered: boolean): void {
  const { code, imports, components, prose } = splitBody(withVariables(body, reading.variables));
  let side = isOrdered ? 0 : 1;
  /** Open components of the site. */
  let own = 0;
  let out = "";
  const flush = (): void => {
    const texts: SourceText[] = [];
    addProse(texts, out, code, side === 0);
    reading.texts.push(...texts.map((text) => (own > 0 ? { ...text, isOptional: true } : text)));
    out = "";
  };
  let at = 0;
  while (at < prose.length) {
    const sign = prose[at]!;
    if (sign === "\\" && /[<{]/.test(prose[at + 1] ?? "")) {
      out += prose[at + 1];
      at += 2;
    } else if (sign === "{") {
      const end = skipBraces(prose, at);
      out += end === undefined ? "{" : unknown;
      at = end ?? at + 1;
    } else if (sign === "<" && prose.startsWith("<!--", at)) {
      const end = prose.indexOf("-->", at);
      at = end < 0 ? prose.length : end + 3;
    } else if (sign === "<") {
      const tag = readTag(prose, at);
      if (tag === undefined) {
        out += "<";
        at++;
        continue;
      }
      at = tag.end;
      const { name, isClosing, isSelfClosing, attributes } = tag;
      if (!isClosing) reading.tags.set(name, (reading.tags.get(name) ?? 0) + 1);
      const isComponent = /^[A-Z]/.test(name);
      const isForAgents = name === "Visibility" && /agents/.test(attributes.get("for") ?? "");
      if (silentElements.has(name) || name === "Prompt" || isForAgents) {
        const close = isClosing || isSelfClosing ? -1 : prose.indexOf(`</${name}`, at);
        if (close >= 0) at = prose.indexOf(">", close) + 1 || prose.length;
        out += unknown;
        continue;
      }
      const snippet = isClosing ? undefined : snippetOf(reading, name, attributes, imports);
      if (snippet !== undefined) {
        flush();
        if (reading.depth < 5)
          readBody({ ...reading, file: snippet, depth: reading.depth + 1 }, snippetBody(reading, snippet), side === 0);
        continue;
      }
      if (/^(?:RequestExample|ResponseExample|Panel)$/.test(name) && !isSelfClosing) {
        flush();
        side = Math.max(isOrdered ? 0 : 1, side + (isClosing ? -1 : 1));
        continue;
      }
      if (components.has(name) && !isSelfClosing) {
        flush();
        own = Math.max(0, own + (isClosing ? -1 : 1));
        out = unknown;
        continue;
      }
      if (!isClosing && isComponent && own === 0 && !components.has(name))
        for (const label of labelsOf(name, attributes)) {
          const text = wordsIn(plainWords(withCode(label, code)));
          if (text !== " ") reading.texts.push({ kind: "label", text, isOrdered: false });
        }
      const isAtEdge = /(?:^|\n)[ \t>]*$/.test(out) || /^[ \t]*(?:\n|$)/.test(prose.slice(at, at + 80));
      if (/^(?:br|img)$/.test(name)) out += " ";
      else if (isComponent) out += isAtEdge ? "\n\n" : unknown;
      else if (!elementNames.has(name.toLowerCase())) out += unknown;
      else if (!inlineElements.has(name.toLowerCase())) out += "\n\n";
    } else {
      out += sign;
      at++;
    }
  }
  flush();
}

const snippetBody = ({ folder }: Reading, file: string): string =>
  readFileSync(join(folder, file), "utf8").replace(/\r\n?/g, "\n").replace(frontMatterPattern, "");

/** The file that a tag stands for, if it is one of Markdown. */
function snippetOf(
  { folder, file }: Reading,
  name: string,
  attributes: ReadonlyMap<string, string>,
  imports: ReadonlyMap<string, string>,
): string | undefined {
  const from = name === "Snippet" ? `/snippets/${attributes.get("file") ?? ""}` : imports.get(name);
  if (from === undefined || !/\.mdx?$/.test(from)) return undefined;
  const path = from.startsWith(".") ? posix.join(posix.dirname(file), from) : posix.normalize(from.replace(/^\/+/, ""));
  return !path.startsWith("..") && existsSync(join(folder, path)) ? path : undefined;
}

interface SplitBody {
  /** Code blocks and code spans, by their number. */
  readonly code: readonly {
    readonly info: string | undefined;
    readonly text: string;
    readonly otherReadings?: readonly string[];
  }[];
  /** Names of default imports, and where they come from. */
  readonly imports: ReadonlyMap<string, string>;
  /** Components of the site: what the page defines, or imports from code. */
  readonly components: ReadonlySet<string>;
  /** The rest, with `\uE000number\uE001` for a block and `\uE002number\uE003` for a span. */
  readonly prose: string;
}

function splitBody(body: string): SplitBody {
  const code: { info: string | undefined; text: string; otherReadings?: readonly string[] }[] = [];
  const imports = new Map<string, string>();
  const components = new Set<string>();
  const lines = body.split("\n");
  const kept: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    // A link definition that nothing uses, as a comment.
    if (/^\s*\[\/\/\]:/.test(line)) {
      kept.push("");
      continue;
    }
    const commentEnd = /^\s*\{\/\*/.test(line) ? "*/}" : /^\s*<!--/.test(line) ? "-->" : undefined;
    if (commentEnd !== undefined && !line.includes(commentEnd)) {
      const last = lines.findIndex((each, at) => at > i && each.includes(commentEnd));
      if (last > 0) {
        kept.push("", lines[last]!.slice(lines[last]!.indexOf(commentEnd) + 3));
        i = last;
        continue;
      }
    }
    const fence = fencePattern.exec(line);
    if (fence && !(fence[2]!.startsWith("`") && fence[3]!.includes("`"))) {
      const content: string[] = [];
      const closing = new RegExp(`^[ \\t>]*\\${fence[2]![0]}{${fence[2]!.length},}[ \\t]*$`);
      const isQuoted = fence[1]!.includes(">");
      const indent = new RegExp(`^[ ]{0,${isQuoted ? 0 : /^ */.exec(withoutTabs(line))![0].length}}`);
      while (++i < lines.length && !closing.test(lines[i]!))
        content.push(isQuoted ? lines[i]!.replace(/^[ \t]*>[ \t]?/, "") : lines[i]!);
      kept.push("", `\uE000${code.length}\uE001`, "");
      const whole = /^ */.exec(line)![0];
      const otherReadings = [
        content.map((each) => withoutTabs(each).replace(indent, "")).join("\n"),
        content.map((each) => (each.startsWith(whole) ? each.slice(whole.length) : each)).join("\n"),
        content.map((each, at) => (at === 0 ? each.trimStart() : each)).join("\n"),
      ];
      code.push({ info: fence[3]!.trim(), text: dedent(content), otherReadings });
    } else if (/^(?:import|export)\s/.test(line)) {
      const end = endOfStatement(lines, i);
      const statement = lines.slice(i, end + 1).join("\n");
      const [, name, from] = /^import\s+(\w+)\s+from\s+["']([^"']+)["']/.exec(statement) ?? [];
      if (name !== undefined) imports.set(name, from!);
      if (!/\.mdx?["']/.test(statement))
        for (const [component] of statement.split("=")[0]!.matchAll(/\b[A-Z]\w*/g)) components.add(component);
      i = end;
      kept.push("");
    } else kept.push(line);
  }
  const whole = kept.join("\n");
  const labels = new Set(
    [...whole.matchAll(/^[ \t>]*\[([^\]^\n]+)\]:[ \t]*\n?[ \t]*\S/gm)].map(([, label]) => label!.toLowerCase()),
  );
  const prose = whole
    .replace(
      /\[((?:[^[\]\n]|\n(?!\n))+)\](?:\[([^\]\n]*)\](?!\()|(?![(:[]))/g,
      (link, text: string, label: string | undefined) => (labels.has((label || text).toLowerCase()) ? text : link),
    )
    .replace(/(?<![`\\])(`+)(?!`)((?:[^`\n]|\n(?![ \t]*\n)|(?!\1(?!`))`)+?)(?<!`)\1(?!`)/g, (_, __, text: string) => {
      code.push({ info: undefined, text });
      return `\uE002${code.length - 1}\uE003`;
    });
  return { code, imports, components, prose };
}

/** A tab of the indentation leads to the next multiple of four. */
const withoutTabs = (line: string): string =>
  line.replace(/^[ \t]+/, (indent) =>
    " ".repeat([...indent].reduce((at, sign) => (sign === "\t" ? at - (at % 4) + 4 : at + 1), 0)),
  );

/** The last line of an import or export: its brackets are closed there. */
function endOfStatement(lines: readonly string[], from: number): number {
  let depth = 0;
  let isInTemplate = false;
  for (let i = from; i < lines.length; i++) {
    const line = lines[i]!.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<!:)\/\/.*$/g, "");
    for (const sign of line) {
      if (sign === "`") isInTemplate = !isInTemplate;
      else if (!isInTemplate && "([{".includes(sign)) depth++;
      else if (!isInTemplate && ")]}".includes(sign)) depth--;
    }
    if (depth <= 0 && !isInTemplate && !/(?:=>?|\()\s*$/.test(line)) return i;
  }
  return from;
}

function dedent(lines: readonly string[]): string {
  const widths = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)![0].length);
  const width = Math.min(...widths, 1_000);
  return lines.map((line) => line.slice(Math.min(width, /^[ \t]*/.exec(line)![0].length)).trimEnd()).join("\n");
}

const diagramLanguages = /^(?:mermaid|plantuml|d2)\b/;

/** Cuts prose into headings, paragraphs, items and cells, and adds the words of each. */
function addProse(texts: SourceText[], prose: string, code: SplitBody["code"], isOrdered: boolean): void {
  for (const block of prose.split(/(\uE000\d+\uE001)|\n[ \t>]*\n/)) {
    const number = /^\uE000(\d+)\uE001$/.exec(block ?? "")?.[1];
    if (number !== undefined) {
      const { info = "", text, otherReadings } = code[Number(number)]!;
      if (/^(?:math|latex|tex)\b/.test(info) || text.trim() === "") continue;
      texts.push({
        kind: diagramLanguages.test(info) ? "diagram" : "code",
        text,
        ...(otherReadings && { otherReadings }),
        isOrdered,
      });
      continue;
    }
    for (const line of (block ?? "").split(
      /(?<=(?:^|\n)[^>\n]*)\n(?=[ \t]*>)|\n(?=[ \t>]*(?:[-*+][ \t]|\d+[.)][ \t]|#{1,6}[ \t]|\|))|(?<=\n[ \t>]*#{1,6}[ \t][^\n]*)\n|(?<=^[ \t>]*#{1,6}[ \t][^\n]*)\n/,
    )) {
      if (/^[ \t]*\[[^\]^]+\]:\s*\S+/.test(line)) continue;
      const isRow = /^[ \t>]*\|/.test(line);
      if (isRow && /^[ \t>|:-]+$/.test(line)) continue;
      const cells = isRow ? line.split(/(?<!\\)\|/) : [line];
      // A footnote is at the end of its page.
      const isInPlace = isOrdered && !/^[ \t]*\[\^[^\]]+\]:/.test(block ?? "");
      for (const cell of cells) addWords(texts, cell, code, isInPlace);
    }
  }
}

function addWords(texts: SourceText[], line: string, code: SplitBody["code"], isOrdered: boolean): void {
  const text = plainWords(
    line.replace(/^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)+(?:\[[ xX]\][ \t])?/, "").replace(/^[ \t]*>[ \t]*/gm, ""),
  );
  const parts = text.split(unknown);
  parts.forEach((part, i) => {
    // What touches an unknown part may be half a word.
    let whole = i > 0 ? part.replace(/^\S+/, "") : part;
    if (i < parts.length - 1) whole = whole.replace(/\S+$/, "");
    const words = wordsIn(withCode(whole, code));
    if (words !== " ") texts.push({ kind: "prose", text: words, isOrdered });
  });
}

const withCode = (text: string, code: SplitBody["code"]): string =>
  text.replace(/\uE002(\d+)\uE003/g, (_, number: string) => code[Number(number)]!.text);

/** Text of Markdown in a line, without the signs of links and pictures. */
function plainWords(line: string): string {
  let text = line
    // A formula, which is drawn; no price ends where the next begins.
    .replace(/(?<![\\$\w])\$\$?(?=[^\s$])[^$\n]*?(?<=[^\s\\])\$\$?(?![\d$])/g, unknown)
    .replace(/!\[[^\]]*\]\((?:[^()\n]|\n(?!\s*\n)|\((?:[^()\n]|\([^()\n]*\))*\))*\)/g, unknown)
    .replace(/\[\^[^\]]+\]:?/g, unknown)
    .replace(/^\s*\[!\w+\]/, "");
  // Twice, since the text of a link can hold brackets.
  for (let i = 0; i < 2; i++)
    text = text.replace(
      /\[((?:[^[\]]|\[[^[\]]*\])*)\]\((?:[^()\n]|\n(?!\s*\n)|\((?:[^()\n]|\([^()\n]*\))*\))*\)/g,
      "$1",
    );
  return textOfEntities(text);
}
