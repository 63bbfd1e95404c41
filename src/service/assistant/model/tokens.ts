/** The tokens of a text, rather too many: about four letters of English, or a character of Chinese, each. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    tokens += code < 0x80 ? 0.3 : code < 0x2e80 ? 0.6 : 1;
  }
  return Math.ceil(tokens);
}

/** The start of a text that is at most so many tokens long. */
export function startWithin(text: string, tokens: number): string {
  const all = estimateTokens(text);
  if (all <= tokens) return text;
  const start = text.slice(0, Math.max(0, Math.floor((text.length * tokens) / all) - 2));
  return start === "" ? "" : `${start.replace(/[\ud800-\udbff]$/, "")} …`;
}

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
