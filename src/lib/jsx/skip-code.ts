/** Finds where code in MDX ends: tags, expressions, `import`/`export`, strings. Reads every character once. */

/** Offset after `import`/`export` code: the first blank line outside brackets and strings. */
export function skipEsm(source: string, from: number): number {
  const sign = /[{([`"'\n]/g;
  sign.lastIndex = from;
  for (let match = sign.exec(source); match !== null; match = sign.exec(source)) {
    const at = match.index;
    if (match[0] === "\n") {
      const blank = /[ \t]*\r?(?:\n|$)/y;
      blank.lastIndex = at + 1;
      if (blank.test(source)) return at + 1;
    } else if ("{([".includes(match[0])) sign.lastIndex = skipBraces(source, at) ?? source.length;
    else sign.lastIndex = skipString(source, at);
  }
  return source.length;
}

/** Offset after the tag that opens at `at`; undefined if there is none. */
export function skipTag(source: string, at: number): number | undefined {
  if (!/[A-Za-z_$/>]/.test(source[at + 1] ?? "")) return undefined;
  const sign = /[>"'{<]/g;
  sign.lastIndex = at + 1;
  for (let match = sign.exec(source); match !== null; match = sign.exec(source)) {
    let end: number | undefined;
    if (match[0] === ">") return sign.lastIndex;
    if (match[0] === "{") end = skipBraces(source, match.index);
    else if (match[0] !== "<") end = source.indexOf(match[0], match.index + 1) + 1 || undefined;
    if (end === undefined) return undefined;
    sign.lastIndex = end;
  }
  return undefined;
}

/** Offset after the bracket that closes the one at `at`; undefined if none does. Strings, templates and comments are skipped. */
export function skipBraces(source: string, at: number, templates = 0): number | undefined {
  const sign = /[{}()[\]"'`/]/g;
  let depth = 0;
  sign.lastIndex = at;
  for (let match = sign.exec(source); match !== null; match = sign.exec(source)) {
    const char = match[0];
    if (char === "{" || char === "(" || char === "[") depth++;
    else if (char === "}" || char === ")" || char === "]") {
      if (--depth <= 0) return sign.lastIndex;
    } else if (char === "/") sign.lastIndex = skipComment(source, match.index);
    else sign.lastIndex = skipString(source, match.index, templates);
  }
  return undefined;
}

function skipComment(source: string, at: number): number {
  if (source[at + 1] !== "*") return at + 1;
  const end = source.indexOf("*/", at + 2);
  return end === -1 ? source.length : end + 2;
}

/**
 * Offset after a string or template. A quote that is not closed on its line is an apostrophe in JSX text; the offset is
 * that after the quote. An unclosed or too deeply nested template extends to the end of the source.
 */
function skipString(source: string, at: number, templates = 0): number {
  const quote = source[at]!;
  if (quote === "`") return skipTemplate(source, at, templates);
  for (let next = at + 1; next < source.length; next++) {
    const char = source[next]!;
    if (char === "\\") next++;
    else if (char === quote) return next + 1;
    else if (char === "\n") return at + 1;
  }
  return at + 1;
}

function skipTemplate(source: string, at: number, templates: number): number {
  if (templates > 100) return source.length;
  const sign = /[\\`]|\$\{/g;
  sign.lastIndex = at + 1;
  for (let match = sign.exec(source); match !== null; match = sign.exec(source)) {
    if (match[0] === "`") return sign.lastIndex;
    if (match[0] === "\\") sign.lastIndex++;
    else sign.lastIndex = skipBraces(source, match.index + 1, templates + 1) ?? source.length;
  }
  return source.length;
}
