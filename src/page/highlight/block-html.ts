import { escapeMarkup } from "../../lib/html/escape.js";
import type { PairTheme } from "./code-theme.js";
import type { LineMark } from "./fence-options.js";

/** The classes of each mark, in the order in which they are written. */
const markClasses: Readonly<Record<LineMark, string>> = {
  highlight: "line-highlight",
  focus: "line-focus",
  add: "line-diff line-add",
  remove: "line-diff line-remove",
  error: "line-highlight line-error",
  warning: "line-highlight line-warning",
};
const markOrder = Object.keys(markClasses) as LineMark[];

/** Shorter code is not grouped. */
const minGroupedLines = 150;
/** The style sheet has the height of a group of this size: `.lines`. */
const linesAGroup = 50;

/** The content of `code`: lines, with spans if they have marks, and groups of lines that browsers lay out late. */
export function linesHtml(
  lines: readonly string[],
  marks: ReadonlyMap<number, ReadonlySet<LineMark>>,
  isNumbered: boolean,
): string {
  if (marks.size === 0) {
    if (isNumbered) return `<span class="line">${lines.join('</span>\n<span class="line">')}</span>`;
    return lines.length < minGroupedLines ? lines.join("\n") : groupedLines(lines);
  }
  return lines
    .map((line, i) => {
      const lineMarks = marks.get(i);
      const names = lineMarks
        ? [...new Set(markOrder.filter((mark) => lineMarks.has(mark)).flatMap((mark) => markClasses[mark].split(" ")))]
        : [];
      return `<span class="${["line", ...names].join(" ")}">${line}</span>`;
    })
    .join("\n");
}

/** A group is a block, so its newlines are inside it. The last lines form a group only if it is full. */
function groupedLines(lines: readonly string[]): string {
  let html = "";
  for (let from = 0; from < lines.length; from += linesAGroup) {
    const end = from + linesAGroup;
    const group = lines.slice(from, end);
    html +=
      end > lines.length
        ? group.join("\n")
        : `<span class="lines">${group.join("\n")}${end < lines.length ? "\n" : ""}</span>`;
  }
  return html;
}

/** A line as HTML. `looks` alternates start and style number. Text in the default colours has no span. */
export function lineHtml(text: string, looks: ArrayLike<number>, theme: PairTheme): string {
  if (looks.length === 0) return escapeMarkup(text);
  const { openTags, visibleOnBlanks } = theme;
  const out: string[] = [];
  let from = 0;
  let look = 0;
  const close = (end: number): void => {
    if (end === from) return;
    const open = openTags[look]!;
    const content = escapeMarkup(text.slice(from, end));
    if (open === "") out.push(content);
    else out.push(open, content, "</span>");
    from = end;
  };
  for (let i = 0; i < looks.length; i += 2) {
    const start = Math.min(looks[i]!, text.length);
    const end = i + 2 < looks.length ? Math.min(looks[i + 2]!, text.length) : text.length;
    const next = looks[i + 1]!;
    if (start === end || openTags[next] === openTags[look]) continue;
    if (!visibleOnBlanks[next] && !visibleOnBlanks[look] && isBlank(text, start, end)) continue;
    close(start);
    look = next;
  }
  close(text.length);
  return out.join("");
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code !== 32 && code !== 9) return false;
  }
  return true;
}
