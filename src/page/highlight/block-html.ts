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

/** Fewer lines than this are not grouped. */
const minGroupedLines = 150;
/** `.lines` has the height of so many. */
const linesAGroup = 50;

/**
 * The content of `code`: lines with newlines between them. In a block with marks or numbers, each has a span. Long code
 * has one for each group of lines, which browsers lay out when it comes into sight.
 */
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
      const own = marks.get(i);
      const names = own
        ? [...new Set(markOrder.filter((mark) => own.has(mark)).flatMap((mark) => markClasses[mark].split(" ")))]
        : [];
      return `<span class="${["line", ...names].join(" ")}">${line}</span>`;
    })
    .join("\n");
}

/** A group is one block, so its newlines are inside it. The last lines are in no group, unless it is full. */
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
