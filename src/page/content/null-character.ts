/** HTML does not allow U+0000; Markdown and HTML replace it by U+FFFD. */
export const withoutNull = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text);
