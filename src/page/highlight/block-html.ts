import type { LineMark } from "./line-marks.js";

/** Classes of each mark, in the order of the output. */
const markClasses: Readonly<Record<LineMark, string>> = {
  highlight: "line-highlight",
  focus: "line-focus",
  add: "line-diff line-add",
  remove: "line-diff line-remove",
  error: "line-highlight line-error",
  warning: "line-highlight line-warning",
};
const markOrder = Object.keys(markClasses) as LineMark[];

/** Fewer lines than this have a span each. */
const minGroupedLines = 150;
/** `.lines` has the height of so many. */
const linesAGroup = 50;

/**
 * The content of `code`: one span for each line, newlines between them. Long code has one for each group of lines, which
 * browsers lay out when it comes into sight. Lines with marks or numbers have one each: marks exceed their line, and
 * numbers count on.
 */
export function linesHtml(
  lines: readonly string[],
  marks: ReadonlyMap<number, ReadonlySet<LineMark>>,
  isNumbered: boolean,
): string {
  if (marks.size === 0) return lines.length < minGroupedLines || isNumbered ? plainLines(lines) : groupedLines(lines);
  return lines
    .map((line, i) => {
      const own = marks.get(i);
      const names = own
        ? [...new Set(markOrder.filter((mark) => own.has(mark)).flatMap((mark) => markClasses[mark].split(" ")))]
        : [];
      return `<span class="${["line", ...names].join(" ")}">${line}</span>`;
    })
    .join("\n");
}

const plainLines = (lines: readonly string[]): string =>
  `<span class="line">${lines.join('</span>\n<span class="line">')}</span>`;

/** A group is one block, so its newlines are inside it. The last lines are in no group, unless it is full. */
function groupedLines(lines: readonly string[]): string {
  let html = "";
  for (let from = 0; from < lines.length; from += linesAGroup) {
    const end = from + linesAGroup;
    const group = lines.slice(from, end);
    html +=
      end > lines.length
        ? plainLines(group)
        : `<span class="line lines">${group.join("\n")}${end < lines.length ? "\n" : ""}</span>`;
  }
  return html;
}
