import type { Nodes, Parents, Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import type { PageContent, PropValue } from "../../../../src/page/content/page-content.js";

const parser = unified().use(remarkParse).use(remarkMdx).use(remarkGfm);

/**
 * A page's content as the content stage gives it, for pages with literal attributes only: front matter is blanked out,
 * imports, exports, comments and expressions are taken away.
 */
export function contentOf(source: string): PageContent {
  const blanked = source.replace(/^---\n[\s\S]*?\n---\n/, (block) => block.replace(/[^\n]/g, " "));
  const tree = parser.parse(blanked) as Root;
  prepare(tree);
  return { tree, ok: true, snippets: [], diagnostics: [] };
}

function prepare(parent: Parents): void {
  parent.children = (parent.children as Nodes[]).filter(
    (node) => !/^mdx(?:js|Flow|TextExpression)/.test(node.type) || node.type.startsWith("mdxJsx"),
  ) as typeof parent.children;
  for (const node of parent.children as Nodes[]) {
    if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") {
      const props: Record<string, PropValue> = {};
      for (const attribute of node.attributes) {
        if (attribute.type !== "mdxJsxAttribute") continue;
        props[attribute.name] =
          attribute.value === null || attribute.value === undefined
            ? true
            : typeof attribute.value === "string"
              ? attribute.value
              : literal(attribute.value.value);
      }
      node.data = { props };
    }
    if ("children" in node) prepare(node);
  }
}

function literal(code: string): PropValue {
  try {
    return JSON.parse(code.replace(/'/g, '"')) as PropValue;
  } catch {
    return undefined;
  }
}
