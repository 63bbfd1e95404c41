/** A site's text for a message: in quotes, on one line, at most `most` UTF-16 code units. */
export function quoted(text: string, most = 120): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return `"${line.length > most ? `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…` : line}"`;
}
