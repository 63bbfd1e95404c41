import type { ElementContent } from "hast";
import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../lib/language/index.js";

/**
 * The value that a component receives for each kind of property. `page/render` converts the properties of all
 * components, so that strings (`cols="2"`, `defaultOpen="true"`) work everywhere. A property that is absent or unusable
 * is undefined. A property that the definition does not list is ignored.
 */
interface PropTypes {
  /** A number becomes text. */
  text: string;
  /** Finite. */
  number: number;
  /** A bare attribute and any case of `"true"` are true. */
  boolean: boolean;
  /** A string is parsed as inline Markdown; JSX is rendered. */
  content: ElementContent[];
  /** Like `content`, but in a string only backticks are Markdown. */
  label: ElementContent[];
  /** The icon, in the style and from the library that `iconType` and `iconLibrary` name. */
  icon: ElementContent;
  /** Resolved and safe, as is `image`. */
  href: LinkTarget;
  image: ImageSource;
  /** A CSS colour that cannot end the declaration that contains it. */
  color: string;
  /** A single string becomes a list of one. */
  list: readonly string[];
  /** Plain JSON data as evaluated, without JSX. */
  value: unknown;
}
export type PropKind = keyof PropTypes;
type PropKinds = Readonly<Record<string, PropKind>>;

export interface LinkTarget {
  /** Relative to the page, absolute, or a fragment. */
  readonly href: string;
  /** Whether it leads to another host, so that it opens in a new tab. */
  readonly external: boolean;
}
export interface ImageSource {
  readonly src: string;
  /** Pixels, if the file could be measured. */
  readonly width?: number;
  readonly height?: number;
}

/** A direct child that its parent renders: a `Tab` of `Tabs`, or a code fence of a `CodeGroup`. */
export interface ComponentItem {
  /** Component name, or `code`. */
  readonly name: string;
  /** Converted by the child's own definition; for `code`: `title`, `language`, `icon`. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly id?: string;
  readonly children: ElementContent[];
}

/** Properties that every component receives in addition to its own. */
export interface CommonProps {
  readonly children: ElementContent[];
  /** The component's own texts, in the language of the page. */
  readonly messages: Messages;
  /** From `class`/`className`. */
  readonly className?: string;
  /** Unique on the page; set if the definition has `id` or the author wrote one. */
  readonly id?: string;
  /** Set if the definition names `items`. */
  readonly items?: readonly ComponentItem[];
}

export type PropsOf<Kinds extends PropKinds> = CommonProps & {
  readonly [Name in keyof Kinds]?: PropTypes[Kinds[Name]];
};

/** A component; `index.ts` lists it under the name that pages use. */
export interface Component {
  readonly props: PropKinds;
  /** The allowed values of a property, or of its list, separated by blanks; case is ignored. */
  readonly choices?: Readonly<Record<string, string>>;
  /** The form of a property's text, or of each text in an object, and its description. */
  readonly forms?: Readonly<Record<string, { readonly test: RegExp; readonly wanted: string }>>;
  /** Further valid properties: other stages read them, or they have no effect in an export. */
  readonly otherProps?: readonly string[];
  /** Names of direct children that the component receives as `items` instead of `children`; `code` for fences. */
  readonly items?: readonly string[];
  /** At least one of these must be anywhere in its content; `code` for fences. */
  readonly contains?: readonly string[];
  /** The property that selects an item by its number, from 0. */
  readonly index?: string;
  /** Direct children of this name must have different titles, by which readers choose; `code` for fences. */
  readonly distinct?: string;
  /** The component that must contain it. */
  readonly parent?: string;
  /** Makes an anchor of the first of these properties that is set, unless the author wrote an `id`. */
  readonly id?: {
    readonly from: readonly string[];
    /** Added before the slug: `param-`. */
    readonly prefix?: string;
    /** Joins the id with that of the same component around it: `parent:child`. */
    readonly nested?: boolean;
    /** An id that does not depend on a property. */
    readonly fixed?: string;
    /** Adds an entry of this depth to the table of contents. */
    readonly toc?: number | ((props: Readonly<Record<string, unknown>>) => number | undefined);
  };
  /** At least one of these must be set; otherwise something is missing on the page. */
  readonly required?: readonly string[];
  /** At most one of these can be set; of several, the first is used. */
  readonly exclusive?: readonly string[];
  /** Reports an element without content, unless one of these is set. Absent: it may be empty. */
  readonly container?: readonly string[];
  /** Whether it can be part of a sentence. Any other component that is alone in a paragraph replaces the paragraph. */
  readonly inline?: boolean;
  /** The style sheet in `theme/styles/on-demand` that pages with the component load in addition to the common one. */
  readonly stylesheet?: string;
  /** Whether it is shown in the side column of the page. */
  readonly panel?: boolean;
  /** Whether it is shown below the title and description; on narrow screens above the side column. */
  readonly lead?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each component has its own property types; `page/render` ensures them.
  readonly render: (props: any) => JsxNode;
}

/** Infers the types of the properties of `render` from `props`. */
export const component = <const Kinds extends PropKinds>(
  definition: Omit<Component, "props" | "render"> & {
    readonly props: Kinds;
    readonly render: (props: PropsOf<Kinds>) => JsxNode;
  },
) => definition;

export interface ComponentDefinition extends Component {
  /** As written in a page: `Accordion`, `Tree.Folder`. */
  readonly name: string;
}
