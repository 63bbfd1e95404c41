import { likelyName } from "../../lib/diagnostic/index.js";
import { attributeOffset, locationOfAttribute } from "./evaluate-attributes.js";
import type { Expansion } from "./expansion.js";
import type { JsxElement } from "./page-content.js";
import type { Scope } from "./scope.js";

/** Properties that any tag may have. */
const common = new Set("children class className hidden iconLibrary iconType id key lang ref style title".split(" "));

/** Reports each property of a built-in component that is probably a misspelling of one that the component reads. */
export function reportMisspeltProps(node: JsxElement, scope: Scope, expander: Expansion): void {
  const known = expander.options.propsOf?.(node.name!);
  if (known === undefined) return;
  for (const attribute of node.attributes) {
    if (attribute.type !== "mdxJsxAttribute") continue;
    const { name } = attribute;
    if (Object.hasOwn(known, name) || common.has(name) || /^(?:aria|data)-|^on[A-Z]/.test(name)) continue;
    const near = likelyName(name, [...Object.keys(known), ...common]);
    if (!near || (name.includes("-") && !near.certain)) continue;
    const hasBoth = node.attributes.some((other) => other.type === "mdxJsxAttribute" && other.name === near.name);
    const at = attributeOffset(node, name, scope);
    expander.page.report({
      code: "PROPERTY_UNKNOWN",
      severity: "warning",
      what: `<${node.name}> has no property "${name}"; it is ignored.`,
      location: { ...locationOfAttribute(node, name, "", scope), length: name.length },
      fix: `write ${near.name}.`,
      ...(at !== undefined &&
        !hasBoth && { rewrites: [{ written: name, replacement: near.name, certain: near.certain, offset: at }] }),
    });
  }
}
