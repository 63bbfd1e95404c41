// Browsers find the rules of an element by the id, class, attribute or type that a selector names last. They do not see
// those in a list, and so try `:is(.a, .b)` on every element of a page.
import type { CustomAtRules, Selector, SelectorComponent, Visitor } from "lightningcss";

type List = SelectorComponent & { readonly kind: "is" | "where"; readonly selectors: Selector[] };

/** Longer lists stay, as do those of `:where()`: they make the sheet larger than they are worth. */
const maxWritten = 4;

/** Writes out the lists at the end of selectors: `:is(.a, .b):hover` becomes `.a:hover, .b:hover`. */
export const splitSelectors: Visitor<CustomAtRules> = {
  Selector(selector) {
    // Lightning CSS puts selectors that not every browser knows back into a list, where no pseudo-element can be.
    const isNew = (part: SelectorComponent): boolean =>
      part.type === "pseudo-element" && part.kind !== "before" && part.kind !== "after";
    if (selector.some(isNew)) return undefined;
    const split = splitLists(selector);
    return split.length > 1 ? split : undefined;
  },
};

function splitLists(selector: Selector): Selector[] {
  const start = selector.findLastIndex(isCombinator) + 1;
  if (selector.slice(start).some(isKey)) return [selector];
  for (let at = start; at < selector.length; at++) {
    const part = selector[at]!;
    if (!isList(part) || part.kind === "where") continue;
    const alternatives = part.selectors.flatMap(splitLists);
    const isEqual = new Set(part.selectors.map((each) => specificity(each).join())).size === 1;
    if (alternatives.length < 2 || alternatives.length > maxWritten || !isEqual || !alternatives.every(hasKey))
      continue;
    return alternatives.flatMap((each) =>
      splitLists([...selector.slice(0, at), ...withoutList(part, each, at === start), ...selector.slice(at + 1)]),
    );
  }
  return [selector];
}

/** One alternative of a list; a plain one needs no list around it. */
function withoutList(list: List, alternative: Selector, isFirst: boolean): Selector {
  const isPlain = !alternative.some(isCombinator) && (isFirst || alternative[0]!.type !== "type");
  return isPlain ? alternative : [{ ...list, selectors: [alternative] } as SelectorComponent];
}

/** Whether browsers find the rule by its last compound selector. */
function hasKey(selector: Selector): boolean {
  const last = selector.slice(selector.findLastIndex(isCombinator) + 1);
  return last.some(
    (part) => isKey(part) || (isList(part) && part.selectors.length === 1 && hasKey(part.selectors[0]!)),
  );
}

const isCombinator = ({ type }: SelectorComponent): boolean => type === "combinator";
const isKey = ({ type }: SelectorComponent): boolean =>
  type === "id" || type === "class" || type === "type" || type === "attribute";
const isList = (part: SelectorComponent): part is List =>
  part.type === "pseudo-class" && (part.kind === "is" || part.kind === "where");

function specificity(selector: Selector): number[] {
  const sum = [0, 0, 0];
  for (const part of selector) {
    if (part.type === "id") sum[0]!++;
    else if (part.type === "class" || part.type === "attribute") sum[1]!++;
    else if (part.type === "type" || part.type === "pseudo-element") sum[2]!++;
    else if (part.type === "pseudo-class" && part.kind !== "where") {
      if (part.kind !== "is" && part.kind !== "not" && part.kind !== "has") sum[1]!++;
      else {
        const [most] = part.selectors.map(specificity).sort((a, b) => b[0]! - a[0]! || b[1]! - a[1]! || b[2]! - a[2]!);
        most?.forEach((count, at) => {
          sum[at]! += count;
        });
      }
    }
  }
  return sum;
}
