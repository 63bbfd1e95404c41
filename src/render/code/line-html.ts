import { escapeMarkup } from "../../html/escape.js";
import type { PairTheme } from "./pair-theme.js";

/**
 * A line as HTML. `tokens` are vscode-textmate's: start and style, start and style ...; neighbours of one look share
 * a span, blanks go with their neighbours, and text in the default colours has no span.
 */
export function lineHtml(text: string, tokens: ArrayLike<number>, theme: PairTheme): string {
  if (tokens.length === 0) return escapeMarkup(text);
  const { openTags, visibleOnBlanks } = theme;
  let html = "";
  let from = 0;
  let style = 0;
  const close = (end: number): void => {
    if (end === from) return;
    const open = openTags[style]!;
    const content = escapeMarkup(text.slice(from, end));
    html += open === "" ? content : `${open}${content}</span>`;
    from = end;
  };
  for (let i = 0; i < tokens.length; i += 2) {
    const start = Math.min(tokens[i]!, text.length);
    const end = i + 2 < tokens.length ? Math.min(tokens[i + 2]!, text.length) : text.length;
    const next = (tokens[i + 1]! >>> 15) & 0x1ff;
    if (start === end || openTags[next] === openTags[style]) continue;
    if (!visibleOnBlanks[next] && !visibleOnBlanks[style] && isBlank(text, start, end)) continue;
    close(start);
    style = next;
  }
  close(text.length);
  return html;
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code !== 32 && code !== 9) return false;
  }
  return true;
}
