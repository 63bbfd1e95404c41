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
  for (const { count, at } of signsOf(source, bodyStart)) if (count > maxSigns) return at;
  return undefined;
}

/** Offset of the first sign of the passage that has most of them. */
export function mostCrowdedPassage(source: string, bodyStart: number): number {
  let most = 0;
  let start = bodyStart;
  let found = bodyStart;
  for (const { count, at } of signsOf(source, bodyStart)) {
    if (count === 1) start = at;
    if (count <= most) continue;
    most = count;
    found = start;
  }
  return found;
}

/** Each sign outside fenced code, with the number of signs that its passage has up to there. */
function* signsOf(source: string, bodyStart: number): Generator<{ readonly count: number; readonly at: number }> {
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
    } else yield { count: ++count, at: match.index };
  }
}
