import type { Root, RootContent } from "mdast";
import { type ContentOptions, createContentReader } from "../../../src/page/content/index.js";
import type { IslandSlot, PageContent, PropValue } from "../../../src/page/content/page-content.js";
import { isElement } from "../../../src/page/render/index.js";
import { memoryFiles } from "../../support/memory-files.js";

export interface ReadOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly sourcePath?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly latex?: boolean;
  readonly parser?: ContentOptions["parser"];
}

/** Reads `source` as the page `page.mdx` of a site that also has `files`. */
export async function readPage(source: string, options: ReadOptions = {}): Promise<PageContent> {
  const sourcePath = options.sourcePath ?? "page.mdx";
  const reader = await createContentReader({
    files: memoryFiles({ ...options.files, [sourcePath]: source }),
    config: {
      variables: options.variables ?? {},
      styling: {
        codeblocks: { mode: "system", theme: { light: "a", dark: "b" }, customLanguages: [] },
        ...(options.latex === undefined ? {} : { latex: options.latex }),
      },
    },
    markdownComponents: new Set(["Card", "Banner", "Note", "Tabs", "Tab"]),
    isElement,
    ...(options.parser === undefined ? {} : { parser: options.parser }),
  });
  return reader.read({ sourcePath });
}

/** A tree in one line: `paragraph("a ", strong("b"))`, `<Card title="x">(…)`, `math(x^2)`. */
export function outline(tree: Root | RootContent): string {
  if (tree.type === "root") return tree.children.map(outline).join(" ");
  if (tree.type === "text") return JSON.stringify(tree.value);
  if (tree.type === "parseError") return `error(${tree.line}:${tree.column})`;
  if ("value" in tree) return `${tree.type}(${tree.value})`;
  const slot = (node: IslandSlot): string => ` ${node.index}:[${node.children.map(outline).join(" ")}]`;
  if (tree.type === "island")
    return `island(${tree.name ?? ""}${tree.inline ? " inline" : ""}${(tree.children as IslandSlot[]).map(slot).join("")})`;
  const children = "children" in tree ? tree.children.map((child) => outline(child as RootContent)).join(", ") : "";
  if (tree.type === "mdxJsxFlowElement" || tree.type === "mdxJsxTextElement") {
    const props = Object.entries(tree.data?.props ?? {}).map(([key, value]) => ` ${key}=${showProp(value)}`);
    return `<${tree.name}${props.join("")}>${children === "" ? "" : `(${children})`}`;
  }
  if (tree.type === "heading") return `h${tree.depth}#${tree.data?.id}(${children})`;
  return `${tree.type === "paragraph" ? "p" : tree.type}(${children})`;
}

function showProp(value: PropValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if ((value as { type?: unknown }).type === "jsxTree" && Array.isArray((value as { children?: unknown }).children))
    return `{${(value as unknown as { children: RootContent[] }).children.map(outline).join(" ")}}`;
  if (Array.isArray(value)) return `[${value.map(showProp).join(",")}]`;
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}:${showProp(each)}`)
    .join(",")}}`;
}

/** `CODE line:column` of each diagnostic. */
export const faults = (page: PageContent): string[] =>
  page.diagnostics.map(
    ({ code, location }) =>
      `${code} ${location?.sourcePath === "page.mdx" ? "" : `${location?.sourcePath}:`}${location?.line}:${location?.column}`,
  );
