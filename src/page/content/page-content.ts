import type { Root, RootContent } from "mdast";
import type { MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx-jsx";
import type { Position } from "unist";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { ModelTarget } from "../../site/specs/index.js";

/**
 * One page, ready to render: snippets included, variables filled in, every expression evaluated.
 *
 * The tree holds no `mdxjsEsm`, `mdxFlowExpression` or `mdxTextExpression`. Every JSX element carries
 * `data.props`; headings carry `data.id`; nodes that came from another file than the page carry `data.sourcePath`.
 * Formulas are `math` and `inlineMath` nodes (as remark-math makes them). What needs a JavaScript engine
 * is an `island` node. Positions (line, column, offset) are those of the file the node was written in.
 */
export interface PageContent {
  readonly tree: Root;
  /** False: the page could not be parsed, and `tree` holds only a `parseError` node. */
  readonly ok: boolean;
  /** The other files read for this page, sorted: a cache key must cover them. */
  readonly snippets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** What the `island` nodes are rendered from; absent if there are none. */
  readonly islands?: PageIslands;
  /** Output paths of the scripts that bring its live components to life, in order. */
  readonly scripts?: readonly string[];
  /** Output paths of pages that it refers to and that are not in the site's plan. */
  readonly models?: readonly ModelPage[];
  /** Files that scripts of the page load on demand. */
  readonly files?: readonly { readonly outputPath: string; readonly text: string }[];
}

/** The page of a structure of an API that other pages refer to. Plain data. */
export interface ModelPage {
  readonly outputPath: string;
  readonly title: string;
  readonly target: ModelTarget;
  /** The site itself has the page; other models have theirs because a page refers to them. */
  readonly isPlanned?: boolean;
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

/** Code of the page that only a JavaScript engine can run: a tag or an expression. */
export interface Island {
  type: "island";
  /** Whether it is inside a paragraph. */
  inline: boolean;
  /** The component's name, if it is one. */
  name?: string;
  /** The source as written. */
  source: string;
  /** Index in `PageIslands.roots`; absent where nothing can render it. */
  root?: number;
  /**
   * Set once it is rendered: `static` needs no script; `live` is taken over by a script; `clientOnly` is rendered only by
   * the script. Otherwise a note with the source is shown.
   */
  outcome?: "static" | "live" | "clientOnly";
  /** For the script: which component of which module takes over. */
  id?: string;
  /** It contains our own components in the form that a script can change. */
  ui?: boolean;
  /** Of the last children: slots that are not shown at first. */
  hiddenCount?: number;
  /** `islandSlot` nodes; once it is rendered, what is shown. */
  children: RootContent[];
  position?: Position | undefined;
  data?: NodeData;
}

/** Content between the tags of a live component. The component decides where it is shown. */
export interface IslandSlot {
  type: "islandSlot";
  index: number;
  children: RootContent[];
  position?: Position | undefined;
  data?: NodeData;
}

/** The JavaScript that renders the islands of a page. */
export interface PageIslands {
  /** The imports and exports of MDX files, and the roots, as JavaScript with JSX, by path of the file. */
  readonly modules: Readonly<Record<string, string>>;
  /** By path of the file: its line, from 1, of each line of the module that was written there. */
  readonly lines: Readonly<Record<string, readonly number[]>>;
  /** A component without properties for each island: the name of an export. */
  readonly roots: readonly { readonly module: string; readonly name: string }[];
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
  /**
   * Of texts and elements that a component of the page made: a text keeps its white space; the elements of a live one
   * keep their structure, because its script expects it.
   */
  island?: "static" | "live";
  /** Of a text in `<pre>`: its white space is shown. */
  isExact?: true;
  /** Of a link: its address is exact, and leads to a page that is made because of this page. */
  isMade?: true;
  /** A tag in code, such as in a component of the page. */
  isInCode?: true;
  /** Of a tag: a property has another tool's name or is misspelt, which is reported. */
  isMisnamed?: true;
}

declare module "mdast" {
  interface Data extends NodeData {}
  interface RootContentMap {
    island: Island;
    islandSlot: IslandSlot;
    parseError: ParseError;
    math: MathBlock;
    inlineMath: MathText;
  }
  interface PhrasingContentMap {
    island: Island;
    islandSlot: IslandSlot;
    inlineMath: MathText;
  }
  interface BlockContentMap {
    island: Island;
    islandSlot: IslandSlot;
    parseError: ParseError;
    math: MathBlock;
  }
}
