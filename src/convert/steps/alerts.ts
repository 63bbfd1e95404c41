import { append, block, type Line, type PageText } from "../page-text.js";
import { type BlockTags, calloutTags, element } from "./blocks.js";

/** Quotes become blocks. @param read what the first line of a quote says, and its text; undefined for a plain quote */
export function quoteBlocks(
  lines: PageText,
  read: (first: string, indent: string) => { readonly tags: BlockTags; readonly rest: string } | undefined,
): PageText {
  const out: Line[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const [, indent = "", first] =
      (!line.code && line.text.length < 5000 && /^([ \t]*)>[ \t]*(.*)$/.exec(line.text)) || [];
    const found = first === undefined ? undefined : read(first, indent);
    if (found === undefined) {
      out.push(line);
      continue;
    }
    let end = i + 1;
    while (end < lines.length && /^[ \t]*>/.test(lines[end]!.text)) end++;
    append(out, block([indent + found.tags.open], line.line));
    if (found.rest !== "") out.push({ ...line, text: indent + found.rest });
    for (const each of lines.slice(i + 1, end))
      out.push({ ...each, text: indent + each.text.replace(/^[ \t]*> ?/, "") });
    append(out, block([indent + found.tags.close], line.line));
    i = end - 1;
  }
  return out;
}

/** Our Markdown knows these, if nothing follows in the line. */
const known = /^(?:note|tip|important|warning|caution)$/i;

/** Quotes that begin with `[!NOTE] text` or a kind of their own become callouts. */
export const quotedAlerts = (lines: PageText): PageText =>
  quoteBlocks(lines, (first, indent) => {
    const [, kind, rest = ""] = /^\[!(\w+)\][-+]?[ \t]*(.*)$/.exec(first) ?? [];
    const isOurs = kind === undefined || (rest === "" && known.test(kind) && indent.length < 4);
    return isOurs ? undefined : { tags: calloutTags(kind) ?? element("Note"), rest };
  });
