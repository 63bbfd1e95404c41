/** `<Steps>` around a numbered list, as Starlight writes it: each item becomes a step. */
import { block, indentOf, type Line, type PageText } from "../page-text.js";
import { attribute } from "./blocks.js";

export function stepLists(lines: PageText): PageText {
  const out: Line[] = [];
  let isInside = false;
  let isOpen = false;
  let depth = 0;
  const close = (line: number): void => {
    if (isOpen) out.push(...block(["</Step>"], line));
    isOpen = false;
  };
  for (const line of lines) {
    if (!line.code && /^\s*<Steps>\s*$/.test(line.text)) {
      isInside = true;
      depth = indentOf(line.text).length;
    } else if (!line.code && /^\s*<\/Steps>\s*$/.test(line.text)) {
      close(line.line);
      isInside = false;
    } else if (isInside) {
      const [, mark = "", title = ""] =
        (!line.code || line.opens) && indentOf(line.text).length <= depth
          ? (/^\s*(\d{1,9}[.)]\s+)(.*)$/.exec(line.text) ?? [])
          : [];
      if (mark !== "") {
        close(line.line);
        isOpen = true;
        const { short, rest } = titleOf(title);
        out.push(...block([`<Step${attribute("title", short)}>`], line.line));
        if (rest !== "") out.push({ ...line, text: rest });
        continue;
      }
      out.push(line);
      continue;
    }
    out.push(line);
  }
  return out;
}

/** A short first line without marks is the title of the step; a long one is its text. */
function titleOf(text: string): { readonly short: string; readonly rest: string } {
  const bold = /^\*\*([^*]{1,80})\*\*[.:]?\s*(.*)$/.exec(text);
  if (bold) return { short: bold[1]!.replace(/[.:]$/, ""), rest: bold[2]! };
  return text.length <= 80 && !/[`[<*]/.test(text)
    ? { short: text.replace(/[.:]$/, ""), rest: "" }
    : { short: "", rest: text };
}
