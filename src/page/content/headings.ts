/** Anchors of headings: the written id, or one made from the text. Each is unique in the page. */
import type { Root, RootContent } from "mdast";
import { createSlugger, slugOf } from "../../lib/url/index.js";
import type { JsxElement } from "./page-content.js";

const jsxHeading = /^h[1-6]$/;

/** Sets `data.id` of every heading of a finished tree, `<h2>` in JSX included. Changes the tree. */
export function assignHeadingIds(tree: Root): void {
  const headings: { node: RootContent; written: string | undefined }[] = [];
  collect(tree.children, headings);
  const slugger = createSlugger();
  for (const { written } of headings) if (written !== undefined) slugger.unique(written);
  for (const { node, written } of headings) {
    const id = written ?? slugger.unique(slugOf(visibleText(node)) || "section");
    node.data = { ...node.data, id };
  }
}

function collect(nodes: readonly RootContent[], out: { node: RootContent; written: string | undefined }[]): void {
  for (const node of nodes) {
    if (node.type === "heading") out.push({ node, written: node.data?.id });
    else if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") {
      if (jsxHeading.test((node as JsxElement).name ?? "")) {
        const id = node.data?.props?.["id"];
        out.push({ node, written: typeof id === "string" && id !== "" ? id : undefined });
      } else collect(node.children as RootContent[], out);
    } else if ("children" in node && node.type !== "paragraph" && node.type !== "table") {
      collect(node.children as RootContent[], out);
    }
  }
}

/** The text a reader sees: words, code, formulas, alternative texts. */
function visibleText(node: RootContent): string {
  if ("value" in node) return node.type === "html" ? "" : (node.value ?? "");
  if ("alt" in node && typeof node.alt === "string") return node.alt;
  if (!("children" in node)) return "";
  let out = "";
  for (const child of node.children) out += visibleText(child as RootContent);
  return out;
}
