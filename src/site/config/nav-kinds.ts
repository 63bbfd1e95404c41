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

export const labelOfKind = new Map(navLists.map(({ kind, label }) => [kind, label]));

/** Language codes of a site; cn and jp are other names of zh and ja. */
export const { languageCodes } = knownNames;
