/** A style rule as it is written. */
export interface CssRule {
  /** The conditions around it, from the outside: `@media print`. */
  readonly conditions: readonly string[];
  readonly selectors: readonly string[];
  /** `name: value`, in order. */
  readonly declarations: readonly string[];
}

/** Strings, addresses and escapes have no syntax inside. */
const syntax = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|url\([^)"']*\)?|\\.|[{};]/gis;

/**
 * The style rules of a sheet, in order. Rules in other rules and in blocks that are no conditions (`@keyframes`) are left
 * out; layers count as if they were not there.
 */
export function readRules(css: string): readonly CssRule[] {
  const text = css.replace(/\/\*.*?(?:\*\/|$)/gs, " ");
  const rules: CssRule[] = [];
  const open: { readonly prelude: string; readonly declarations?: string[] }[] = [];
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
    const preludes = open.map(({ prelude }) => prelude);
    if (part.startsWith("@") || !preludes.every((each) => conditionOrLayer.test(each))) {
      open.push({ prelude: part });
      continue;
    }
    const declarations: string[] = [];
    open.push({ prelude: part, declarations });
    const conditions = preludes.filter((each) => !/^@layer/i.test(each));
    rules.push({ conditions, selectors: splitSelectors(part), declarations });
  }
  return rules;
}

const conditionOrLayer = /^@(?:media|supports|container|layer)\b/i;

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
  return selectors.filter(Boolean);
}
