import { remembered } from "../../../lib/memo.js";

/**
 * What the forms of an English word share: `cach` of "cache", "caches", "cached" and "caching". Other languages have some of
 * these endings too. Not for display: it may be no word.
 */
export const baseOf = remembered((word) => {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const single = singular(word);
  const ending = /(?:ing|ed)$/.exec(single)?.[0] ?? "";
  const stem = single.slice(0, single.length - ending.length);
  // "ring" and "need" have no ending.
  const cut = ending !== "" && stem.length >= 3 && /[aeiouy]/.test(stem) ? undoubled(stem) : single;
  return cut.length > 3 ? cut.replace(/e$/, "").replace(/i$/, "y") : cut;
});

function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith("s")) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:ch|sh|ss|x|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** "run" of "runn", but "call" stays. */
const undoubled = (stem: string): string => stem.replace(/([bdgmnprt])\1$/, "$1");

/** What related English words share: `configur` of "configure" and "configuration". Not for display. */
export const rootOf = remembered((word) => {
  const base = baseOf(word);
  if (base.length < 6 || !/^[a-z]+$/.test(base)) return base;
  return base
    .replace(/ription$/, "rib")
    .replace(/(?:fy|ficat(?:e|ion|or)?)$/, "f")
    .replace(/(.{4})at(?:e|ion|or|iv)?$/, "$1")
    .replace(/(.{5})(?:ion|ment|ly|abl|ibl|er|or|anc|enc)$/, "$1")
    .replace(/[ey]$/, "");
});
