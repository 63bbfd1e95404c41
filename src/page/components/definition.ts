import type { ElementContent } from "hast";
import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../lib/language/index.js";

/**
 * How a property as written becomes what a component receives. Render does this for every component alike, so that
 * string forms (`cols="2"`, `defaultOpen="true"`) work everywhere and components stay pure functions.
 *
 * | kind      | the component receives                                                                      |
 * |-----------|---------------------------------------------------------------------------------------------|
 * | `text`    | `string`; a number is written out                                                           |
 * | `number`  | `number`, finite                                                                            |
 * | `boolean` | `boolean`; a bare attribute and any case of `"true"` are true                               |
 * | `content` | `ElementContent[]`: a string read as inline Markdown, JSX rendered                          |
 * | `label`   | `ElementContent[]`: a string as it is, save that text in backticks becomes `code`; JSX rendered |
 * | `icon`    | `ElementContent`: the drawing (`iconType`, `iconLibrary` beside it are taken into account)  |
 * | `href`    | `LinkTarget`, resolved and safe                                                             |
 * | `image`   | `ImageSource`, resolved and safe                                                            |
 * | `color`   | `string`: a CSS colour that cannot break out of a declaration                               |
 * | `list`    | `string[]`; one string is a list of one                                                     |
 * | `value`   | plain JSON data as evaluated, without JSX                                                   |
 *
 * A property that is absent or of no use arrives as undefined. Properties that a definition does not name are ignored.
 */
export type PropKind =
  | "text"
  | "number"
  | "boolean"
  | "content"
  | "label"
  | "icon"
  | "href"
  | "image"
  | "color"
  | "list"
  | "value";

export interface LinkTarget {
  /** Relative to the page, absolute, or a fragment. */
  readonly href: string;
  /** Leads to another host: opens in a new tab. */
  readonly external: boolean;
}
export interface ImageSource {
  readonly src: string;
  /** Pixels, where the file could be measured. */
  readonly width?: number;
  readonly height?: number;
}

/** A direct child that its parent lays out: a `Tab` of `Tabs`, or a code fence of a `CodeGroup`. */
export interface ComponentItem {
  /** Component name, or `code`. */
  readonly name: string;
  /** Prepared by the child's own definition; for `code`: `title`, `language`, `icon`. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly id?: string;
  readonly children: ElementContent[];
}

/** What every component receives beside its own properties. */
export interface CommonProps {
  readonly children: ElementContent[];
  /** What a component says by itself, in the language of the page. */
  readonly messages: Messages;
  /** From `class`/`className`. */
  readonly className?: string;
  /** Unique in the page; set if the definition has `id`, or if the writer gave one. */
  readonly id?: string;
  /** Set if the definition names `items`. */
  readonly items?: readonly ComponentItem[];
}

/** A component; `index.ts` lists it under the name that pages use. */
export interface Component {
  readonly props: Readonly<Record<string, PropKind>>;
  /** Names of direct children that are handed over as `items`, in order, and not as `children`; `code` for fences. */
  readonly items?: readonly string[];
  /** The element gets an anchor, made from these properties (the first that is set) when `id` is not written. */
  readonly id?: {
    readonly from: readonly string[];
    /** Put before the slug: `param-`. */
    readonly prefix?: string;
    /** Join with the ids of the same component around it: `parent:child`. */
    readonly nested?: boolean;
    /** An id that is not made from a property. */
    readonly fixed?: string;
    /** Put an entry of this depth into the table of contents. */
    readonly toc?: number | ((props: Readonly<Record<string, unknown>>) => number | undefined);
  };
  /** May stand inside a sentence; a block component alone in a paragraph is lifted out of it. */
  readonly inline?: boolean;
  /** Style sheet, by its name in `theme/styles/parts`, that pages with it load beside the common one. */
  readonly stylesheet?: string;
  /** Its content goes to the side column of the page instead of the body. */
  readonly panel?: boolean;
  /** Its content stands right below the title and the description, above the side column where the page is narrow. */
  readonly lead?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each component has its own property type; render prepares it by `props`.
  readonly render: (props: any) => JsxNode;
}

export interface ComponentDefinition extends Component {
  /** As written in a page: `Accordion`, `Tree.Folder`. */
  readonly name: string;
}
