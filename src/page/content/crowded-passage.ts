/**
 * A guard before the native parser, which cannot be interrupted and whose time grows with the square of the tags,
 * expressions and entities in one passage: a hundred thousand take minutes.
 */

/** Per passage without blank lines. The longest tables written as tags have a few thousand. */
const maxSigns = 40_000;

const sign = /[&<{]|(?:^|\n)[ \t]*(?:\r?\n|(`{3,}|~{3,}))/g;

/** Offset at which a passage exceeds the limit; undefined if none does. */
export function findCrowdedPassage(source: string, bodyStart: number): number | undefined {
  if (source.length - bodyStart <= maxSigns) return undefined;
  let count = 0;
  sign.lastIndex = Math.max(0, bodyStart - 1);
  for (let match = sign.exec(source); match !== null; match = sign.exec(source)) {
    const fence = match[1];
    if (fence !== undefined) {
      const end = source.indexOf(`\n${fence}`, sign.lastIndex);
      if (end !== -1) sign.lastIndex = end + 1 + fence.length;
      count = 0;
    } else if (match[0].length > 1) {
      count = 0;
      // The line break may begin the next match.
      sign.lastIndex -= 1;
    } else if (++count > maxSigns) return match.index;
  }
  return undefined;
}
