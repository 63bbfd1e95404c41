import type { Property } from "estree";
import type { MdxJsxAttribute } from "mdast-util-mdx-jsx";
import type { JsxElement, PropValue } from "../../../src/page/content/page-content.js";

/** The attributes of a tag as far as they are literals. */
export function literalProps(node: JsxElement): Record<string, PropValue> {
  const props: Record<string, PropValue> = {};
  for (const attribute of node.attributes)
    if (attribute.type === "mdxJsxAttribute" && attribute.name !== "__proto__") {
      const value = literalOf(attribute);
      if (value !== undefined) props[attribute.name] = value;
    }
  return props;
}

function literalOf({ value }: MdxJsxAttribute): PropValue {
  if (value === null || value === undefined) return true;
  if (typeof value === "string") return value;
  const statement = value.data?.estree?.body[0];
  return statement?.type === "ExpressionStatement" ? literalValue(statement.expression) : undefined;
}

function literalValue(node: Property["value"]): PropValue {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "bigint" || node.value instanceof RegExp ? undefined : node.value;
    case "TemplateLiteral":
      return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined;
    case "ArrayExpression":
      return node.elements.map((each) => (each && each.type !== "SpreadElement" ? literalValue(each) : undefined));
    case "ObjectExpression": {
      const entries = node.properties.flatMap((each) => {
        if (each.type !== "Property" || each.computed) return [];
        const name =
          each.key.type === "Identifier" ? each.key.name : each.key.type === "Literal" ? String(each.key.value) : "";
        return name === "" || name === "__proto__" ? [] : [[name, literalValue(each.value)] as const];
      });
      return Object.fromEntries(entries);
    }
    default:
      return undefined;
  }
}
