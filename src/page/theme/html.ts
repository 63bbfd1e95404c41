import type { ElementContent, Root } from "hast";
import { writeHtml } from "../../lib/html/write-html.js";
import type { JsxChild } from "../../lib/jsx/jsx-runtime.js";
import { flattenChildren } from "../../lib/jsx/jsx-runtime.js";

/** The HTML of JSX; empty for null, undefined and booleans. */
export function htmlOf(child: JsxChild): string {
  const children: ElementContent[] = flattenChildren(child);
  const root: Root = { type: "root", children };
  return writeHtml(root);
}

export const styleLink = (href: string): string => `<link rel="stylesheet" href="${href}">`;
