import type { Property } from "estree";
import type { PhrasingContent, Root, RootContent } from "mdast";
import type { MdxJsxAttribute } from "mdast-util-mdx-jsx";
import type { JsxElement, PropValue } from "../content/index.js";

/** Reads the short Markdown that stands in properties and settings: captions, descriptions, banners. */
export interface InlineReader {
  /** Loads the parser if a text needs one; `read` may be called for it after that. */
  prepare(texts: Iterable<string>): Promise<void>;
  /** The text as nodes without positions; several paragraphs are divided by line breaks. Plain text needs no parser. */
  read(markdown: string): PhrasingContent[];
}

/** Nodes of a Markdown text; blocks may be among them. */
export type InlineParser = (markdown: string) => Root;

const rememberedCount = 1000;

/** @param load loads the parser, once, when the first text needs it. */
export function createInlineReader(load: () => Promise<InlineParser> = loadParser): InlineReader {
  let parse: InlineParser | undefined;
  const known = new Map<string, PhrasingContent[]>();
  return {
    async prepare(texts) {
      if (parse) return;
      for (const text of texts)
        if (!isPlain(text)) {
          parse = await load();
          return;
        }
    },
    read(markdown) {
      if (isPlain(markdown) || !parse) return [{ type: "text", value: markdown }];
      let nodes = known.get(markdown);
      if (!nodes) {
        if (known.size >= rememberedCount) known.clear();
        nodes = phrasingOf(parse(markdown).children);
        known.set(markdown, nodes);
      }
      return nodes;
    },
  };
}

/** Whether Markdown would show a text just as it is. */
export const isPlain = (text: string): boolean =>
  !/[*`~[\]<>\\{}@$\n\r]|(?:^|\W)_|_(?:\W|$)|&#?\w+;|:\/\/|www\.|^[\s#+=-]|\s$|^\d+[.)]\s/.test(text);

function phrasingOf(blocks: readonly RootContent[]): PhrasingContent[] {
  const out: PhrasingContent[] = [];
  for (const block of blocks) {
    if (block.type === "definition" || block.type === "mdxjsEsm") continue;
    if (out.length > 0) out.push({ type: "break" });
    // A lone element is no paragraph to MDX, and what else stands as a block is shown as it is.
    const nodes = block.type === "paragraph" ? block.children : [block];
    out.push(...(nodes.flatMap(cleaned) as PhrasingContent[]));
  }
  return out;
}

async function loadParser(): Promise<InlineParser> {
  const [{ unified }, { default: remarkParse }, { default: remarkGfm }, { default: remarkMdx }] = await Promise.all([
    import("unified"),
    import("remark-parse"),
    import("remark-gfm"),
    import("remark-mdx"),
  ]);
  const markdown = unified().use(remarkParse).use(remarkGfm).freeze();
  const mdx = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).freeze();
  return (text) => {
    let tree: Root;
    try {
      tree = mdx.parse(text);
    } catch {
      // Words such as `a < b` are no MDX, but good Markdown; tags in it are then text.
      tree = markdown.parse(text);
    }
    return tree;
  };
}

/**
 * A copy without positions, which would be those of the property. Expressions stay as typed, attributes are read, and
 * scripts and styles are dropped: only the text of a page itself may hold them.
 */
function cleaned(node: RootContent): RootContent[] {
  if (node.type === "mdxTextExpression" || node.type === "mdxFlowExpression")
    return [{ type: "text", value: `{${node.value}}` }];
  if (node.type === "html") return [{ type: "text", value: node.value }];
  const { position: _, ...copy } = node;
  if ("children" in copy) (copy as { children: unknown }).children = copy.children.flatMap(cleaned);
  if (copy.type !== "mdxJsxFlowElement" && copy.type !== "mdxJsxTextElement") return [copy as RootContent];
  if (/^(?:script|style)$/i.test(copy.name ?? "")) return [];
  return [{ ...copy, data: { props: copy.data?.props ?? literalProps(copy as JsxElement) } } as RootContent];
}

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
