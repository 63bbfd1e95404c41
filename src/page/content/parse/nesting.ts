/**
 * A guard before parsers that recurse: a native parser that runs out of stack, at a few thousand nested brackets,
 * operators or statements, crashes the process. Counting signs is enough for ordinary pages. The code of others is parsed
 * by a JavaScript parser first, which can run out of stack safely.
 */
import type { Expression, Program } from "estree-jsx";
import { measureDepth, type Parsed, parseExpression, parseModule } from "../expressions/estree.js";
import type { CodeRegion } from "./mask-source.js";

/** So few signs cannot nest too deep. */
const harmlessSigns = 500;
const maxDepth = 500;
const sign = /[[({<!~?=+:-]|\*\*|\b(?:typeof|void|new|await|yield|if|for|do|while|else|extends|delete)\b/g;
/** Words that nest without a sign between them. Neither prose nor ordinary code has three in a row. */
const wordChain = /(?:\b(?:typeof|void|new|await|yield|do|else|delete)\s+){3}/;

/** A shorter source cannot nest too deep with words alone. */
const shortPage = 6000;

const isSign = new Uint8Array(128);
for (const char of "[({<!~?=+:-*") isSign[char.charCodeAt(0)] = 1;

/** Whether the source has so many signs that its code has to be checked. */
export function isDensePage(source: string): boolean {
  let count = 0;
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code < 128) count += isSign[code]!;
  }
  return count > harmlessSigns * 4 || (source.length > shortPage && wordChain.test(source));
}

export function isDense(source: string, start: number, end: number): boolean {
  if (end - start <= harmlessSigns) return false;
  let count = 0;
  sign.lastIndex = start;
  for (let match = sign.exec(source); match !== null && match.index < end; match = sign.exec(source)) {
    if (++count > harmlessSigns) return true;
  }
  return false;
}

/** So many tags take milliseconds. Each further one doubles the time: 24 take a second, 34 take twenty minutes. */
const harmlessOpenTags = 14;
const tagInBraces =
  /\\[\s\S]|^[ \t>]*(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?^[ \t>]*\1|[\s\S]*)|(?<!`)(`+)(?!`)[^\n]{1,500}?(?<!`)\2(?!`)|[{}]|<\/|\/>|<(?=[\w$>])/gm;

const tagSteps: Readonly<Record<string, number>> = { "<": 1, "</": -1, "/>": -1 };

/**
 * Whether braces hold so many tags which nothing closes that the native parser may never end: in an expression that is
 * none, it tries two readings of each. Code of the page does not count; sound expressions close their tags.
 */
export function hasManyOpenTags(source: string, start: number): boolean {
  if (!source.includes("{", start)) return false;
  /** Of each open brace, outermost first. */
  const open: number[] = [];
  let total = 0;
  tagInBraces.lastIndex = start;
  for (let match = tagInBraces.exec(source); match !== null; match = tagInBraces.exec(source)) {
    const [sign] = match;
    if (sign === "{") open.push(0);
    else if (sign === "}") total += Math.max(0, open.pop() ?? 0);
    else if (open.length > 0) open.push(open.pop()! + (tagSteps[sign] ?? 0));
    if (total + Math.max(0, open.at(-1) ?? 0) > harmlessOpenTags) return true;
  }
  return total + open.reduce((sum, count) => sum + Math.max(0, count), 0) > harmlessOpenTags;
}

/** Checks that a region of code is shallow. @returns what is wrong with it, else undefined. */
export function checkNesting(source: string, region: CodeRegion): "deep" | "unparsable" | undefined {
  const code = source.slice(region.start, region.end);
  let parsed: Parsed<Expression | Program>;
  if (region.kind === "esm") parsed = parseModule(code);
  else if (region.kind === "braces") parsed = parseExpression(`<>${code}</>`);
  else parsed = parseExpression(/\/\s*>$/.test(code) ? code : code.replace(/>$/, "/>"));
  if (parsed.kind === "tooDeep") return "deep";
  if (parsed.kind === "fault") return "unparsable";
  return parsed.kind === "tree" && measureDepth(parsed.node) > maxDepth ? "deep" : undefined;
}
