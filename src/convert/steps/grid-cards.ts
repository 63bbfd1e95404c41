import { block, indentOf, type Line, type PageText } from "../page-text.js";
import { attribute } from "./blocks.js";

/** Grids of Material for MkDocs: `<div class="grid cards" markdown>` around a list becomes cards. */
export function gridCards(lines: PageText): PageText {
  const out: Line[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const end = isGrid(line)
      ? lines.findIndex((each, at) => at > i && !each.code && /^\s*<\/div>/.test(each.text))
      : -1;
    const cards = end < 0 ? undefined : cardsOf(lines.slice(i + 1, end));
    if (cards === undefined) {
      out.push(line);
      continue;
    }
    out.push(...block([`${indentOf(line.text)}<CardGroup>`], line.line), ...cards);
    out.push(...block([`${indentOf(line.text)}</CardGroup>`], lines[end]!.line));
    i = end;
  }
  return out;
}

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
      const [, title, after = ""] =
        /^(?:\{[^{}]*\}|:[\w-]+:|[ \t])*(?:\*\*|__)(.+?)(?:\*\*|__)[ \t]*(.*)$/.exec(rest) ?? [];
      out.push(...block([`<Card${attribute("title", title?.replace(/`/g, ""))}>`], line.line));
      out.push({ ...line, text: title === undefined ? rest : after });
    } else if (width === 0 && line.text.trim() !== "") return undefined;
    // The line between title and text.
    else if (!line.code && /^\s*---+\s*$/.test(line.text)) out.push({ ...line, text: "" });
    else out.push({ ...line, text: line.text.slice(Math.min(width, indentOf(line.text).length)) });
  }
  close(lines.at(-1)?.line ?? 1);
  return width === 0 ? undefined : out;
}
