import { parseColor } from "./colors.js";
import { printDeclarations, type Rule } from "./diagram-css.js";
import { type SvgElement, walkSvg } from "./svg-tree.js";
import type { OwnStyles } from "./user-colors.js";

/** The style of a finished diagram: rules of its own sheet, and classes made from inline styles. */
export interface DiagramStyle {
  readonly rules: readonly Rule[];
  readonly own: readonly Rule[];
}

/** Turns inline styles into classes, and drops rules and classes that match nothing. */
export function keepUsed(svg: SvgElement, styles: OwnStyles, rules: readonly Rule[]): DiagramStyle {
  const classes = new Set<string>();
  const names = new Set<string>();
  for (const [element] of walkSvg(svg)) {
    names.add(element.name);
    for (const each of (element.attributes.get("class") ?? "").split(" ")) classes.add(each);
  }
  const kept = rules
    .map(withoutLabelOpacity)
    .filter((rule) => matches(rule, classes, names) && !isAuthorTextColor(rule));
  const usedClasses = new Set(
    kept.flatMap(({ selector }) => [...selector.matchAll(/\.([\w-]+)/g)].map((found) => found[1]!)),
  );
  const own = new Map<string, Rule>();
  for (const [element] of walkSvg(svg)) {
    const left = (element.attributes.get("class") ?? "").split(" ").filter((each) => usedClasses.has(each));
    const declarations = styles.get(element) ?? [];
    if (declarations.length > 0) {
      const style = printDeclarations(declarations);
      const name = `s${own.size}`;
      if (!own.has(style)) own.set(style, { selector: `.${name}`, declarations });
      left.push(own.get(style)!.selector.slice(1));
    }
    if (left.length > 0) element.attributes.set("class", [...new Set(left)].join(" "));
    else element.attributes.delete("class");
  }
  return { rules: kept, own: [...own.values()] };
}

function matches({ selector }: Rule, classes: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  const bare = selector.replace(/\[[^\]]*\]|:not\([^)]*\)/g, "");
  for (const [, name] of bare.matchAll(/\.([\w-]+)/g)) if (!classes.has(name!)) return false;
  for (const [, name] of bare.matchAll(/(?:^|[\s>+~])([A-Za-z][\w-]*)/g)) if (!names.has(name!)) return false;
  return !/\[data-look=/.test(selector);
}

/** Text colours that the author gave to a class are also in the elements' own styles, where they are checked. */
function isAuthorTextColor({ selector, declarations }: Rule): boolean {
  return /(?:^|[\s>])(?:tspan|text)$/.test(selector) && declarations.some(({ value }) => parseColor(value));
}

/** Mermaid makes the background of edge labels translucent, so lines show through. */
function withoutLabelOpacity(rule: Rule): Rule {
  if (!/\.edgeLabel rect$/.test(rule.selector)) return rule;
  return { ...rule, declarations: rule.declarations.filter(({ property }) => property !== "opacity") };
}

export function printCss(used: DiagramStyle, hash: string): string {
  const lines: string[] = [];
  for (const [i, { selector, declarations }] of used.rules.entries()) {
    const isListed = used.rules[i + 1]?.declarations === declarations;
    const body = isListed ? "," : `{${printDeclarations(declarations)}}\n`;
    lines.push(`.${hash}${selector}${body}`);
  }
  for (const { selector, declarations } of used.own)
    lines.push(`.${hash} ${selector}{${printDeclarations(declarations, "!important")}}\n`);
  return lines.join("");
}
