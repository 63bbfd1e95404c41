/** A text as one word of a POSIX shell, which expands nothing in it: for commands that people copy. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
