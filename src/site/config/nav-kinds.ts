import { type JsonObject, type JsonValue, memberOf } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import type { NavKind } from "./site-config.js";

/** The containers of the navigation: the name of their list, and the field with their label. In the order of mixed lists. */
export const navLists: readonly { readonly list: string; readonly kind: NavKind; readonly label: string }[] = [
  { list: "languages", kind: "language", label: "language" },
  { list: "versions", kind: "version", label: "version" },
  { list: "products", kind: "product", label: "product" },
  { list: "tabs", kind: "tab", label: "tab" },
  { list: "dropdowns", kind: "dropdown", label: "dropdown" },
  { list: "anchors", kind: "anchor", label: "anchor" },
  { list: "menu", kind: "menu", label: "item" },
  { list: "groups", kind: "group", label: "group" },
];

/**
 * Whether `groups` of an entry says for which readers it is: rules, or names next to what the entry holds. Names alone are
 * pages in the wrong list.
 */
export function namesReaders(entry: JsonObject): boolean {
  const groups = memberOf(entry, "groups");
  if (groups?.kind !== "array" || groups.items.length === 0) return false;
  const isRule = (item: JsonValue): boolean =>
    item.kind === "object" && ["includes", "excludes"].some((name) => memberOf(item, name) !== undefined);
  if (!groups.items.every((item) => item.kind === "string" || isRule(item))) return false;
  return groups.items.some(isRule) || contents.some((name) => memberOf(entry, name) !== undefined);
}
const contents = [
  ...navLists.map(({ list }) => list).filter((list) => list !== "groups"),
  ...["pages", "href", "root", "openapi", "asyncapi", "graphql", "arazzo"],
];

export const labelOfKind = new Map(navLists.map(({ kind, label }) => [kind, label]));

/** Language codes of a site; cn and jp are other names of zh and ja. */
export const { languageCodes } = knownNames;
