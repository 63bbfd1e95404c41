import type { ImportRule, ReturnedRule } from "lightningcss";

/** An `@import` of another address. The parser does not take back the conditions that are `null`. */
export function importOf({ layer, supports, ...rule }: ImportRule, url: string): ReturnedRule {
  const conditions = { ...(layer ? { layer } : {}), ...(supports ? { supports } : {}) };
  return { type: "import", value: { ...rule, ...conditions, url } };
}
