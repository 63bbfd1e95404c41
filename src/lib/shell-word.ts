/** Quotes a text as one word for a POSIX shell, without expansions, in commands that people copy. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
