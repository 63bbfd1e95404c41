import type { ImportRule, ReturnedRule } from "lightningcss";
import { lazy } from "../../lib/memo.js";

/**
 * Replaces the addresses in the `@import` rules of a style sheet. The parser reports an anonymous layer as a missing one,
 * so the layer has a name until the style sheet is printed.
 *
 * @param text of the style sheet.
 */
export function createImports(text: string) {
  const lineStarts = lazy(() => [
    0,
    ...Array.from(text.matchAll(/\r\n|[\n\r\f]/g), (end) => end.index + end[0].length),
  ]);
  const hasAnonymousLayer = ({ line, column }: ImportRule["loc"]): boolean => {
    anonymousLayer.lastIndex = (lineStarts()[line] ?? 0) + column - 1;
    return anonymousLayer.test(text);
  };
  return {
    /** The parser does not accept conditions that are `null`, although it returns them. */
    importOf({ layer, supports, ...rule }: ImportRule, url: string): ReturnedRule {
      const named = layer ?? (hasAnonymousLayer(rule.loc) ? [placeholder] : undefined);
      const conditions = { ...(named ? { layer: named } : {}), ...(supports ? { supports } : {}) };
      return { type: "import", value: { ...rule, ...conditions, url } };
    },
    /** Removes the names from the printed style sheet. */
    finish(code: Uint8Array): Uint8Array {
      const printed = Buffer.from(code.buffer, code.byteOffset, code.length);
      if (!printed.includes(placeholder)) return code;
      return Buffer.from(printed.toString("utf8").replaceAll(`layer(${placeholder})`, "layer"));
    },
  };
}

const placeholder = "offprint-anonymous-layer";
const blanks = String.raw`(?:\s|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*`;
const quoted = String.raw`"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'`;
const anonymousLayer = new RegExp(
  String.raw`@import${blanks}(?:${quoted}|url\((?:\s*(?:${quoted})\s*|(?:[^"')\\]|\\[^])*)\))${blanks}layer(?![\w(-])`,
  "iy",
);
