// What a page of another tool has: its headings with anchors and its code blocks, read line by line.
import { wordsIn } from "../specs/words.ts";
import { headText } from "./source-files.ts";

export interface SourceBlocks {
  readonly anchors: readonly string[];
  /** Words of each code block, cut where the tool replaces lines. */
  readonly code: readonly (readonly string[])[];
  /** The code blocks that the tool shows as they are. */
  readonly plain: readonly string[];
}

/** The lines of code with text, and all lines, both without the blanks around them. */
export const shapesOf = (code: string): readonly [lines: string, all: string] => {
  const all = code.split("\n").map((line) => line.replace(/^[\s>]+|\s+$/g, ""));
  return [all.filter((line) => line !== "").join("\n"), all.join("\n").trim()];
};

const fencePattern = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})([^\n]*)$/;

export function readBlocks(written: string, slug: (text: string) => string): SourceBlocks {
  const head = headText(written);
  const lines = (head === "" ? written : written.slice(written.indexOf(head) + head.length + 4)).split("\n");
  const prose = written.replace(/^[ \t>]*(`{3,}|~{3,})[\s\S]*?\n[ \t>]*\1/gm, "");
  let inComment = false;
  const anchors: string[] = [];
  const code: string[][] = [];
  const plainCode: string[] = [];
  let isFirst = true;
  let titleId = "";
  let inImport = false;
  let inTag = false;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const isStart = /<!--(?![\s\S]*-->)|^\s*\{\/\*(?![\s\S]*\*\/\})/.test(line);
    if (inComment || isStart) {
      inComment = isStart || !/-->|\*\/\}/.test(line);
      continue;
    }
    const fence = fencePattern.exec(line);
    if (fence && !(fence[2]!.startsWith("`") && fence[3]!.replace(/="[^"]*"/g, "").includes("`"))) {
      const content: string[] = [];
      const closing = new RegExp(
        `^(?! {${fence[1]!.length + 4}})[ \\t>]*\\${fence[2]![0]}{${fence[2]!.length},}[ \\t]*$`,
      );
      const isRust = /^\s*rust\b/.test(fence[3]!);
      // Termynal shows the HTML in its code as colors.
      const isTerminal = /class="termy"|<!-- ?termynal/.test(lines.slice(Math.max(0, i - 2), i).join("\n"));
      while (++i < lines.length && !closing.test(lines[i]!))
        content.push(isTerminal ? lines[i]!.replace(/<[^<>]*>/g, "").replace(/&(?:#39|\w{2,4});/g, "'") : lines[i]!);
      const runs: string[][] = [[]];
      for (const each of content)
        if (isReplaced(each, isRust)) runs.push([]);
        else runs.at(-1)!.push(each);
      // Twoslash shows a part of its code, and Docusaurus renders an `mdx-code-block`.
      if (!/\btwoslash\b|^\s*mdx-code-block/.test(fence[3]!)) {
        code.push(runs.map((run) => wordsIn(run.join("\n"))).filter((words) => words !== " "));
        if (runs.length === 1) plainCode.push(content.join("\n"));
      }
      isFirst = false;
      continue;
    }
    // Code in HTML.
    if (/^\s*<pre[\s>]/.test(line) && lines.slice(i).some((each) => each.includes("</pre>")))
      while (i < lines.length && !lines[i]!.includes("</pre>")) i++;
    // Attributes on lines of their own.
    const wasInTag = inTag;
    inTag = inTag ? !/\/?>\s*$/.test(line) : /^\s*<[A-Z][\w.]*[^<>]*$/.test(line);
    if (wasInTag) continue;
    const [, , text] = /^([ >]{0,3})#{1,6}[ \t]+(.*?)[ \t]*#*$/.exec(line) ?? [];
    if (text === undefined) {
      if (/^(?:import|export)\s/.test(line)) inImport = true;
      if (line.trim() === "") inImport = false;
      else if (!inImport && !/^(?:\{|<!--)/.test(line)) isFirst = false;
      continue;
    }
    // The first heading of level 1 is the title of the page.
    if (
      titleId === "" &&
      (/^#\s/.test(line) || (isFirst && /^##\s/.test(line) && !/^#\s/m.test(prose) && !/^title\s*[:=]/m.test(head))) &&
      (isFirst || anchors.length === 0)
    ) {
      isFirst = false;
      titleId = slug(plain(text));
      continue;
    }
    isFirst = false;
    const own =
      /%?\{(?:\/\*)?\s*:?\s*#([^\s{}]+)[^{}]*?(?:\*\/)?\}%?\s*$/.exec(text)?.[1] ??
      /<a [^<>]*id="([^"]+)"[^<>]*><\/a>\s*$/.exec(text)?.[1] ??
      /\s:id=([\w-]+)\s*$|\[#([\w-]+)\]\s*$/.exec(text)?.slice(1).find(Boolean);
    const id =
      own ?? slug(plain(text.replace(/\s*\[(?:!?toc|step)\](?!\()/g, "").replace(/\s*\{\{\s*\w+:[^{}]*\}\}\s*$/, "")));
    // Repetitions get numbers; the first of each is enough.
    if (id !== "" && id !== titleId && !anchors.includes(id)) anchors.push(id);
  }
  return { anchors, code, plain: plainCode };
}

/** Lines of code that the tool replaces or hides: includes, marks, hidden lines of Rust. */
const isReplaced = (line: string, isRust: boolean): boolean =>
  /\{\{#|\{\{ ?[a-z]\w*(?:\.\w+)+ ?\}\}|\{\*|\{!|^\s*(?:\{%\s*$|%\}|include(?:-markdown)? "|(?:start|end)=")|\{%-?\s*(?:end)?raw\b|-8<-|\{\{[<%]|\[!code|\(\d+\)!|^\s*(?:\/\/|#|<!--|\{?\/\*)\s*highlight-/.test(
    line,
  ) ||
  (isRust && /^[ \t>]*#(?:$|[ \t])/.test(line));

const plain = (text: string): string =>
  text
    .replace(/(?<!\\)\{(?!#)[^{}]*\}\s*$/, "")
    .replace(/<!--.*?-->|:(?:material|octicons|fontawesome|simple)-[\w-]+:(?:\{[^{}]*\})?/g, "")
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[((?:`[^`]*`|[^\]`])*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith("`") && part.length > 1
        ? part.slice(1, -1)
        : part
            .replace(/(?<!\\)<[^<>]*>/g, "")
            .replace(/(?<!\\)(?<!(?:^|\s)(?=\*\s))\*|(?<![\p{L}\p{N}\\])_|(?<!\\)_(?![\p{L}\p{N}])/gu, "")
            .replace(/\\([^\w\s])/g, "$1"),
    )
    .join("")
    .trim();
