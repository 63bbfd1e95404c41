import allowed from "./allow-list.json" with { type: "json" };
import { withTokens } from "./placeholder-colors.js";

/** One `property: value`, safe to print, without `!important`. */
export interface Declaration {
  readonly property: string;
  readonly value: string;
}

export interface Rule {
  /** The part after the diagram's own id. A leading space is the descendant combinator. */
  readonly selector: string;
  readonly declarations: readonly Declaration[];
}

const properties = new Set(allowed.properties);
const plainValue = /^[\w\s.,%#+-]*$/;
const calls = /\b(?:rgb|hsl)a?\([\w\s.,%/+-]*\)/gi;

/** Keeps only declarations of an allow-list, with values that cannot load anything or end the rule. */
export function readDeclarations(text: string): Declaration[] {
  const read: Declaration[] = [];
  for (const part of text.split(";")) {
    const colon = part.indexOf(":");
    const property = part.slice(0, colon).trim().toLowerCase();
    const value = part
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, "")
      .trim();
    if (colon < 0 || value === "" || value.length > 200 || !properties.has(property)) continue;
    if (!plainValue.test(value.replace(calls, ""))) continue;
    read.push({ property, value: withTokens(value) });
  }
  return read;
}

export const printDeclarations = (declarations: readonly Declaration[], end = ""): string =>
  declarations.map(({ property, value }) => `${property}:${value}${end}`).join(";");

/** Rules of the diagram's style sheet. Anything but plain rules under the diagram's id is dropped. */
export function readRules(css: string, id: string): Rule[] {
  const rules: Rule[] = [];
  for (const [, selectors, body] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const declarations = readDeclarations(body!);
    if (declarations.length === 0) continue;
    for (const written of selectors!.split(",")) {
      const selector = written.trim();
      if (!selector.startsWith(`#${id}`)) continue;
      const inner = selector.slice(id.length + 1);
      if (/^(?:$|[\s>+~.[:])/.test(inner) && plainSelector.test(inner))
        rules.push({ selector: inner.replace(/\s+/g, " "), declarations });
    }
  }
  return rules;
}
const plainSelector =
  /^(?:[\w\s.>+~*-]|\[[\w-]+(?:[$^*~|]?="?[\w-]+"?)?\]|:(?:not|is)\(\.[\w-]+\)|:(?:first|last)-child)*$/;
