import type { Root, RootContent } from "mdast";
import type { MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx-jsx";
import type { Position } from "unist";
import type { Diagnostic } from "../../lib/diagnostic/index.js";

/**
 * One page, ready to render: snippets included, variables filled in, every expression evaluated.
 *
 * The tree holds no `mdxjsEsm`, `mdxFlowExpression` or `mdxTextExpression`. Every JSX element carries
 * `data.props`; headings carry `data.id`; nodes that came from another file than the page carry `data.sourcePath`.
 * Formulas are `math` and `inlineMath` nodes (as remark-math makes them). What needs real JavaScript is a
 * `liveCode` node. Positions (line, column, offset) are those of the file the node was written in.
 */
export interface PageContent {
  readonly tree: Root;
  /** False: the page could not be parsed, and `tree` holds only a `parseError` node. */
  readonly ok: boolean;
  /** The other files read for this page, sorted: a cache key must cover them. */
  readonly snippets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Files that scripts of the page load on demand. */
  readonly files?: readonly { readonly outputPath: string; readonly text: string }[];
}

/** Value of a JSX attribute after evaluation. */
export type PropValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | JsxTree
  | readonly PropValue[]
  | { readonly [key: string]: PropValue };

/** JSX or Markdown given as a property: `icon={<svg …/>}`. */
export interface JsxTree {
  readonly type: "jsxTree";
  readonly children: RootContent[];
}

export type JsxElement = MdxJsxFlowElement | MdxJsxTextElement;

/** Code of the page that only a JavaScript engine can run. */
export interface LiveCode {
  type: "liveCode";
  /** Whether it is inside a paragraph. */
  inline: boolean;
  /** The component's name, if it is one. */
  name?: string;
  /** The source as written. */
  value: string;
  position?: Position | undefined;
  data?: NodeData;
}

/** Replaces a page that could not be parsed. Render shows the location and the reason. */
export interface ParseError {
  type: "parseError";
  reason: string;
  /** The offending source line. */
  excerpt: string;
  line?: number;
  column?: number;
  position?: Position | undefined;
  data?: NodeData;
}

/** A formula, as remark-math makes it. */
export interface MathBlock {
  type: "math";
  /** TeX, without its dollars. */
  value: string;
  meta?: string | null;
  position?: Position | undefined;
  data?: NodeData;
}
export interface MathText {
  type: "inlineMath";
  value: string;
  position?: Position | undefined;
  data?: NodeData;
}

export interface NodeData {
  /** Evaluated attributes of a JSX element. */
  props?: Readonly<Record<string, PropValue>>;
  /** Anchor of a heading. */
  id?: string;
  /** File the node was written in, if not the page itself. */
  sourcePath?: string;
  /**
   * Of a JSX fragment: other pages contain this same object, so its HTML can be kept. Nothing in it depends on the
   * page: it has no links, images or positions.
   */
  shared?: true;
}

declare module "mdast" {
  interface Data extends NodeData {}
  interface RootContentMap {
    liveCode: LiveCode;
    parseError: ParseError;
    math: MathBlock;
    inlineMath: MathText;
  }
  interface PhrasingContentMap {
    liveCode: LiveCode;
    inlineMath: MathText;
  }
  interface BlockContentMap {
    liveCode: LiveCode;
    parseError: ParseError;
    math: MathBlock;
  }
}
