import { fenceOf, type Line, type PageText } from "../page-text.js";

const mark = /^\s*(?:\/\/|#|--|;|\/\*|<!--|\{\/\*)\s*highlight-(next-line|start|end)\s*(?:\*\/\}?|-->)?\s*$/;

/** Turns comments that highlight lines of code into line numbers after the fence: ```js {2,4-5}. */
export function highlightComments(lines: PageText): PageText {
  const out: Line[] = [];
  let opening = -1;
  let count = 0;
  let isHighlighting = false;
  let highlightedLines: number[] = [];
  const finish = (): void => {
    const line = out[opening];
    if (line && highlightedLines.length > 0 && !/\{[\d,-]+\}/.test(line.text))
      out[opening] = { ...line, text: `${line.text} {${highlightedLines.join(",")}}` };
    opening = -1;
  };
  for (const line of lines) {
    if (line.opens || !line.code) finish();
    if (line.opens) {
      [opening, count, highlightedLines, isHighlighting] = [out.length, 0, [], false];
      out.push(line);
      continue;
    }
    const comment = line.code && opening !== -1 && line.text.length < 1000 ? mark.exec(line.text)?.[1] : undefined;
    if (comment === "next-line") highlightedLines.push(count + 1);
    if (comment !== undefined && comment !== "next-line") isHighlighting = comment === "start";
    if (comment !== undefined) continue;
    count++;
    if (isHighlighting && fenceOf(line.text) === undefined) highlightedLines.push(count);
    out.push(line);
  }
  finish();
  return out;
}

const cut = /^[ \t>]*\/\/ ?---cut(?:-(before|after|start|end))?---[ \t]*$/;
/** Compiler options such as `// @errors: 2345`, and type queries such as `//   ^?`. */
const hidden = /^[ \t>]*\/\/[ \t]*(?:@(?!ts-|filename\b)\w+(?:[ \t]*:.*)?|\^(?:[?|]|\^+).*)$/;

/** Removes the lines that Twoslash hides from readers. The types that it shows on hover are not converted. */
export function visibleTwoslash(lines: PageText): PageText {
  const out: Line[] = [];
  /** Where the content of the open Twoslash block begins in `out`; -1 outside of one. */
  let content = -1;
  let isCut = false;
  for (const [i, line] of lines.entries()) {
    if (line.opens || !line.code) [content, isCut] = [-1, false];
    if (line.opens && /\btwoslash\b/.test(line.text)) {
      out.push({ ...line, text: line.text.replace(/[ \t]*\btwoslash\b/, "") });
      content = out.length;
      continue;
    }
    const isLast = lines[i + 1]?.code !== true || lines[i + 1]!.opens === true;
    const mark = content < 0 || line.text.length > 1000 ? null : cut.exec(line.text);
    if (mark) {
      if (mark[1] === undefined || mark[1] === "before") out.length = content;
      isCut = mark[1] === "start" || mark[1] === "after";
    } else if (isLast || content < 0 || !(isCut || (line.text.length < 1000 && hidden.test(line.text)))) out.push(line);
  }
  return out;
}
