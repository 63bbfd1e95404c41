import { append, block, type Line, type PageText } from "../page-text.js";
import { type BlockTags, calloutTags, element } from "./blocks.js";

/** Turns quotes into blocks. @param read gives the tags and the remaining text for a first line; undefined for a plain quote */
export function quoteBlocks(
  lines: PageText,
  read: (first: string, indent: string) => { readonly tags: BlockTags; readonly rest: string } | undefined,
): PageText {
  const out: Line[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const [, indent = "", first] =
      (!line.code && line.text.length < 5000 && /^([ \t]*)>[ \t]*(.*)$/.exec(line.text)) || [];
    const replacement = first === undefined ? undefined : read(first, indent);
    if (replacement === undefined) {
      out.push(line);
      continue;
    }
    let end = i + 1;
    while (end < lines.length && /^[ \t]*>/.test(lines[end]!.text)) end++;
    append(out, block([indent + replacement.tags.open], line.line));
    if (replacement.rest !== "") out.push({ ...line, text: indent + replacement.rest });
    for (const quoted of lines.slice(i + 1, end))
      out.push({ ...quoted, text: indent + quoted.text.replace(/^[ \t]*> ?/, "") });
    append(out, block([indent + replacement.tags.close], line.line));
    i = end - 1;
  }
  return out;
}

/** The alerts of our own Markdown, which allows no text after them on the line. */
const ourAlerts = /^(?:note|tip|important|warning|caution)$/i;

/** Turns quotes that begin with `[!NOTE] text` into callouts; an unknown kind becomes a note. */
export const quotedAlerts = (lines: PageText): PageText =>
  quoteBlocks(lines, (first, indent) => {
    const [, kind, rest = ""] = /^\[!(\w+)\][-+]?[ \t]*(.*)$/.exec(first) ?? [];
    const isOurs = kind === undefined || (rest === "" && ourAlerts.test(kind) && indent.length < 4);
    return isOurs ? undefined : { tags: calloutTags(kind) ?? element("Note"), rest };
  });
