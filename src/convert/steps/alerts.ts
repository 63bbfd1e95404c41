import { block, type PageText, replaceGroups } from "../page-text.js";
import { type BlockTags, calloutTags, element } from "./blocks.js";

/** Turns quotes into blocks. @param read gives the tags and the remaining text for a first line; undefined for a plain quote */
export function quoteBlocks(
  lines: PageText,
  read: (first: string, indent: string) => { readonly tags: BlockTags; readonly rest: string } | undefined,
): PageText {
  return replaceGroups(lines, (line, at) => {
    const [, indent = "", first] =
      (!line.code && line.text.length < 5000 && /^([ \t]*)>[ \t]*(.*)$/.exec(line.text)) || [];
    const replacement = first === undefined ? undefined : read(first, indent);
    if (replacement === undefined) return undefined;
    const { tags, rest } = replacement;
    let end = at + 1;
    while (end < lines.length && /^[ \t]*>/.test(lines[end]!.text)) end++;
    const quoted = lines
      .slice(at + 1, end)
      .map(({ text, ...other }) => ({ ...other, text: text.replace(/^[ \t]*> ?/, "") }));
    const content = [...(rest === "" ? [] : [{ ...line, text: rest }]), ...quoted];
    const inner = content.map((quotedLine) => ({ ...quotedLine, text: indent + quotedLine.text }));
    return {
      end,
      lines: [...block([indent + tags.open], line.line), ...inner, ...block([indent + tags.close], line.line)],
    };
  });
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
