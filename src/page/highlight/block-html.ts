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

/** The content of `code`: one span for each line, newlines between them. */
export function linesHtml(lines: readonly string[], marks: ReadonlyMap<number, ReadonlySet<LineMark>>): string {
  if (marks.size === 0) return `<span class="line">${lines.join('</span>\n<span class="line">')}</span>`;
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
