import { append, block, generated, indentOf, type Line, type PageText } from "../page-text.js";

/** Turns definition lists of PHP Markdown Extra, `Term` and then `: text`, into `<dl>`. MkDocs and Hugo support them. */
export function definitionLists(lines: PageText): PageText {
  const out: Line[] = [];
  let isOpen = false;
  const close = (line: number): void => {
    if (isOpen) append(out, block(["</dl>"], line));
    isOpen = false;
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const [mark] =
      (!line.code && !line.generated && line.text.length < 5000 && /^:[ \t]{1,4}(?=\S)/.exec(line.text)) || [];
    if (mark === undefined) {
      if (line.text.trim() !== "" && !isTerm(lines, i)) close(line.line);
      out.push(line);
      continue;
    }
    const terms = takeTerms(out, isOpen);
    if (terms.length === 0 && !isOpen) {
      // The term is the text of a list item: its definition goes below it.
      const item = /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\S/.exec(out.at(-1)?.text.slice(0, 500) ?? "")?.[1];
      if (item !== undefined) out.push({ ...out.pop()!, text: `${lines[i - 1]!.text.trimEnd()}  ` });
      out.push(item === undefined ? line : { ...line, text: " ".repeat(item.length) + line.text.slice(mark.length) });
      continue;
    }
    if (!isOpen) out.push(...block(["<dl>"], line.line));
    isOpen = true;
    for (const term of terms)
      out.push(generated("<dt>", term.line), generated("", term.line), term, ...block(["</dt>"], term.line));
    let end = i + 1;
    while (end < lines.length && (lines[end]!.text.trim() === "" || /^(?: {2,}|\t)/.test(lines[end]!.text))) end++;
    while (lines[end - 1]!.text.trim() === "" && end > i + 1) end--;
    const width = mark.length;
    const body = lines
      .slice(i + 1, end)
      .map((bodyLine) => ({ ...bodyLine, text: bodyLine.text.slice(Math.min(width, indentOf(bodyLine.text).length)) }));
    out.push(...block(["<dd>"], line.line), { ...line, text: line.text.slice(width) });
    append(out, body);
    out.push(...block(["</dd>"], lines[end - 1]!.line));
    i = end - 1;
  }
  close(lines.at(-1)?.line ?? 1);
  return out;
}

/** The paragraph before a definition, each line a term. */
function takeTerms(out: Line[], isOpen: boolean): Line[] {
  let end = out.length;
  while (end > 0 && out[end - 1]!.text.trim() === "") end--;
  let start = end;
  while (start > 0 && isText(out[start - 1]!)) start--;
  if (end - start > 8 || (isOpen && end - start === 0)) return [];
  return out.splice(start).filter(({ text }) => text.trim() !== "");
}

const isText = ({ text, code, generated }: Line): boolean =>
  text.trim() !== "" && !code && generated !== true && !/^\s*(?:#|>|[-*+]\s|\d+[.)]\s|\|)/.test(text);

/** Whether a definition follows the paragraph of a line. */
function isTerm(lines: PageText, at: number): boolean {
  if (!isText(lines[at]!)) return false;
  for (let i = at + 1; i < Math.min(lines.length, at + 8); i++) {
    if (/^:[ \t]{1,4}\S/.test(lines[i]!.text)) return true;
    if (
      lines[i]!.text.trim() === ""
        ? lines[i + 1] !== undefined && !/^:[ \t]{1,4}\S/.test(lines[i + 1]!.text)
        : !isText(lines[i]!)
    )
      return false;
  }
  return false;
}
