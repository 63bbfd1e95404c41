/** A style rule as it is written. */
export interface CssRule {
  /** The conditions around it, from the outside: `@media print`. */
  readonly conditions: readonly string[];
  readonly selectors: readonly string[];
  /** `name: value`, in order. */
  readonly declarations: readonly string[];
}

/** Also matches whole strings, addresses and escapes, so that braces in them do not count. */
const syntax = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|url\([^)"']*\)?|\\.|[{};]/gis;

/**
 * The style rules of a sheet, in order. Rules in other rules and in blocks that are no conditions (`@keyframes`) are left
 * out; layers count as if they were not there.
 */
export function readRules(css: string): readonly CssRule[] {
  const text = css.replace(/\/\*.*?(?:\*\/|$)/gs, " ");
  const rules: CssRule[] = [];
  /** `inside`: the conditions of the rules in this block; undefined in a block whose rules are left out. */
  const open: { readonly inside?: readonly string[]; readonly declarations?: string[] }[] = [];
  let start = 0;
  for (const { 0: sign, index } of text.matchAll(syntax)) {
    if (!/^[{};]$/.test(sign)) continue;
    const part = text.slice(start, index).trim();
    start = index + 1;
    if (sign !== "{") {
      if (part !== "") open.at(-1)?.declarations?.push(part);
      if (sign === "}") open.pop();
      continue;
    }
    const outer = open.length === 0 ? [] : open.at(-1)!.inside;
    if (outer === undefined || outer.length > maxConditions) open.push({});
    else if (/^@layer\b/i.test(part)) open.push({ inside: outer });
    else if (condition.test(part)) open.push({ inside: [...outer, part] });
    else if (part.startsWith("@")) open.push({});
    else {
      const declarations: string[] = [];
      open.push({ declarations });
      rules.push({ conditions: outer, selectors: splitSelectors(part), declarations });
    }
  }
  return rules;
}

const condition = /^@(?:media|supports|container)\b/i;
/** Rules inside more nested conditions are not read. */
const maxConditions = 16;

/** Longer selectors are not read. */
const longestSelector = 500;

/** At the commas that are not in brackets. */
function splitSelectors(list: string): string[] {
  const selectors: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= list.length; at++) {
    const letter = list[at];
    if (letter === "(" || letter === "[") depth++;
    else if (letter === ")" || letter === "]") depth--;
    else if (letter === undefined || (letter === "," && depth === 0)) {
      selectors.push(list.slice(from, at).trim());
      from = at + 1;
    }
  }
  return selectors.filter((selector) => selector !== "" && selector.length <= longestSelector);
}
