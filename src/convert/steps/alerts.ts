import { append, block, type Line, type PageText } from "../page-text.js";
import { calloutTags, element } from "./blocks.js";

/** Our Markdown knows these, if nothing follows in the line. */
const known = /^(?:note|tip|important|warning|caution)$/i;

/** Quotes that begin with `[!NOTE] text` or a kind of their own become callouts. */
export function quotedAlerts(lines: PageText): PageText {
  const out: Line[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const [, indent = "", kind = "", rest = ""] =
      (!line.code && line.text.length < 5000 && /^([ \t]*)>[ \t]*\[!(\w+)\][-+]?[ \t]*(.*)$/.exec(line.text)) || [];
    if (kind === "" || (rest === "" && known.test(kind) && indent.length < 4)) {
      out.push(line);
      continue;
    }
    let end = i + 1;
    while (end < lines.length && /^[ \t]*>/.test(lines[end]!.text)) end++;
    const tags = calloutTags(kind) ?? element("Note");
    const body = lines
      .slice(i + 1, end)
      .map((each) => ({ ...each, text: indent + each.text.replace(/^[ \t]*> ?/, "") }));
    append(out, block([indent + tags.open], line.line));
    if (rest !== "") out.push({ ...line, text: indent + rest });
    append(out, body);
    append(out, block([indent + tags.close], line.line));
    i = end - 1;
  }
  return out;
}
