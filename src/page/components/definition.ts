import type { ElementContent } from "hast";
import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../lib/language/index.js";

/**
 * What a component receives for a property of each kind. Render converts the written properties of all components, so
 * that string forms (`cols="2"`, `defaultOpen="true"`) work everywhere and components stay pure functions. A property
 * that is absent or cannot be used is undefined. Properties that a definition does not name are ignored.
 */
interface PropTypes {
  /** A number becomes text. */
  text: string;
  /** Finite. */
  number: number;
  /** A bare attribute and any case of `"true"` are true. */
  boolean: boolean;
  /** A string is read as inline Markdown; JSX is rendered. */
  content: ElementContent[];
  /** As `content`, but in a string only backticks are Markdown. */
  label: ElementContent[];
  /** The icon, in the style `iconType` and from `iconLibrary` if these are set. */
  icon: ElementContent;
  /** Resolved and safe. */
  href: LinkTarget;
  /** Resolved and safe. */
  image: ImageSource;
  /** A CSS colour that cannot end the declaration it is put in. */
  color: string;
  /** One string is a list of one. */
  list: readonly string[];
  /** Plain JSON data as evaluated, without JSX. */
  value: unknown;
}
export type PropKind = keyof PropTypes;
type PropKinds = Readonly<Record<string, PropKind>>;

export interface LinkTarget {
  /** Relative to the page, absolute, or a fragment. */
  readonly href: string;
  /** Leads to another host: opens in a new tab. */
  readonly external: boolean;
}
export interface ImageSource {
  readonly src: string;
  /** Pixels, if the file could be measured. */
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

/** What every component receives in addition to its own properties. */
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
  /** The only values of a property, between blanks; case is ignored. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Properties that other stages read, or that mean nothing in an export. */
  readonly otherProps?: readonly string[];
  /** Names of direct children that are passed as `items`, in order, and not as `children`; `code` for fences. */
  readonly items?: readonly string[];
  /** The property that is the number of an item, from 0. */
  readonly index?: string;
  /** Its direct children of this name must have different titles, since readers choose by them; `code` for fences. */
  readonly distinct?: string;
  /** The component that it must be inside. */
  readonly parent?: string;
  /** Gives the element an anchor, made from the first of these properties that is set, unless the author wrote an `id`. */
  readonly id?: {
    readonly from: readonly string[];
    /** Added before the slug: `param-`. */
    readonly prefix?: string;
    /** Joins the id with that of the same component around it: `parent:child`. */
    readonly nested?: boolean;
    /** An id that is not made from a property. */
    readonly fixed?: string;
    /** Adds an entry of this depth to the table of contents. */
    readonly toc?: number | ((props: Readonly<Record<string, unknown>>) => number | undefined);
  };
  /** At least one of these has to be set: without any, the element shows less than its author means. */
  readonly required?: readonly string[];
  /** Of these, one at most can be set; the first is used. */
  readonly exclusive?: readonly string[];
  /** An element without content is empty, unless one of these is set. */
  readonly container?: readonly string[];
  /** Can be part of a sentence. Other components that are alone in a paragraph replace it. */
  readonly inline?: boolean;
  /** Style sheet that pages with the component load in addition to the common one, by its name in `theme/styles/on-demand`. */
  readonly stylesheet?: string;
  /** Shown in the side column of the page. */
  readonly panel?: boolean;
  /** Shown below the title and description, above the side column on narrow screens. */
  readonly lead?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each component has its own property type; render prepares it by `props`.
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
