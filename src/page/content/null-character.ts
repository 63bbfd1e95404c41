/** U+0000 may stand in no HTML; Markdown and HTML write U+FFFD for it. */
export const withoutNull = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text);
