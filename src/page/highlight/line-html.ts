import { escapeMarkup } from "../../lib/html/escape.js";
import type { PairTheme } from "./pair-theme.js";

/**
 * A line as HTML. `looks` holds a start and a style number in turn. Neighbours of one style share a span, blanks join
 * their neighbours, and text in the default colours has no span.
 */
export function lineHtml(text: string, looks: ArrayLike<number>, theme: PairTheme): string {
  if (looks.length === 0) return escapeMarkup(text);
  const { openTags, visibleOnBlanks } = theme;
  const out: string[] = [];
  let from = 0;
  let look = 0;
  const close = (end: number): void => {
    if (end === from) return;
    const open = openTags[look]!;
    const content = escapeMarkup(text.slice(from, end));
    if (open === "") out.push(content);
    else out.push(open, content, "</span>");
    from = end;
  };
  for (let i = 0; i < looks.length; i += 2) {
    const start = Math.min(looks[i]!, text.length);
    const end = i + 2 < looks.length ? Math.min(looks[i + 2]!, text.length) : text.length;
    const next = looks[i + 1]!;
    if (start === end || openTags[next] === openTags[look]) continue;
    if (!visibleOnBlanks[next] && !visibleOnBlanks[look] && isBlank(text, start, end)) continue;
    close(start);
    look = next;
  }
  close(text.length);
  return out.join("");
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code !== 32 && code !== 9) return false;
  }
  return true;
}
