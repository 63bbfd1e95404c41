import type { ElementContent } from "hast";
import type { Code, Definition, FootnoteDefinition, Nodes } from "mdast";
import type { Location } from "../../lib/diagnostic/index.js";
import type { Messages } from "../../lib/language/index.js";
import type { IconLibrary } from "../../site/config/index.js";
import type { Addresses } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import type { ComponentDefinition } from "../components/index.js";
import type { ImageMeter } from "./image-meter.js";
import type { InlineReader } from "./inline-markdown.js";
import type { CodePort, IconPort, MathPort } from "./ports.js";
import { type RecordedIds, RenderCollector } from "./render-collector.js";
import type { PageSection } from "./rendered-page.js";

/** The state of one page while the handlers render it. */
export interface PageRender {
  readonly context: RenderContext;
  readonly collector: RenderCollector;
  readonly position: TreePosition;
}

/** The position in the tree. Each component sets it for its content and restores it afterwards. */
interface TreePosition {
  /** Components around the current node, outermost first. */
  readonly around: {
    readonly name: string;
    readonly id?: string;
    readonly props: Readonly<Record<string, unknown>>;
    readonly distinct?: string;
    /** Locations of its children's titles, which must differ. */
    readonly titles?: Map<string, Location>;
  }[];
  /** The `View` around the current node. */
  view?: string;
  /** Whether an `svg` is around the current node. */
  inSvg?: boolean;
  /** Location of the nearest element, for nodes without a position, such as Markdown in a property. */
  location: Location;
}

export const createPageRender = (
  context: RenderContext,
  location: Location = { sourcePath: context.plan.sourcePath },
  idPrefix = "",
): PageRender => ({ context, collector: new RenderCollector(idPrefix), position: { around: [], location } });

/** Adds an entry to the outline of the page, whose depths are 2 to 4. */
export function addToOutline({ collector, position: { view } }: PageRender, id: string, depth: number, text: string) {
  const entry = { id, depth: Math.min(4, Math.max(2, depth)), text };
  collector.toc.push(view === undefined ? entry : { ...entry, view });
}

type WrittenNode = Pick<Nodes, "position" | "data">;

/** The location of a node, or of the element around it if the renderer created the node. */
export const locationOf = ({ context, position }: PageRender, node: WrittenNode): Location =>
  writtenLocation(context.plan, node) ?? position.location;

/** The location of a node; undefined for one without a position. */
export function writtenLocation(plan: PagePlan, node: WrittenNode): Location | undefined {
  const start = node.position?.start;
  return start && { sourcePath: node.data?.sourcePath ?? plan.sourcePath, line: start.line, column: start.column };
}

/** Tools that all pages of a site share. */
export interface RenderTools {
  readonly components: ReadonlyMap<string, ComponentDefinition>;
  readonly iconLibrary: IconLibrary;
  readonly componentParts: boolean;
  readonly code: CodePort;
  readonly math: MathPort;
  readonly icons: IconPort;
  readonly addresses: Pick<Addresses, "resolve" | "resolveFile" | "nearest">;
  readonly measure: ImageMeter;
  /** The text of a file of the site; undefined if there is none. */
  readonly readText: (sourcePath: string) => string | undefined;
  readonly readInline: InlineReader;
  /** The HTML of a fragment that several pages contain; undefined if each page has to render it. */
  readonly sharedHtml: WeakMap<object, SharedHtml | undefined>;
  readonly sharedRequirements: WeakMap<object, PageRequirements>;
}

/** The data and tools for one page. */
interface RenderContext {
  readonly tools: RenderTools;
  readonly plan: PagePlan;
  /** Texts of the components, in the language of the page. */
  readonly messages: Messages;
  /** Diagrams rendered beforehand, by the node of their source. */
  readonly diagrams: ReadonlyMap<object, ElementContent>;
  /** Whether the text is collected for the search. */
  readonly searchable: boolean;
}

/** Requirements of a page, which must be met before it is rendered synchronously. */
export interface PageRequirements {
  /** Its fences with a language, without diagrams and formulas. */
  readonly fences: readonly Code[];
  readonly diagrams: readonly PageDiagram[];
  readonly hasMath: boolean;
  /** Names of the style sheets that it needs in addition to the common one. */
  readonly stylesheets: ReadonlySet<string>;
  /** Properties that are read as Markdown. */
  readonly texts: readonly string[];
  /** Ids that the author wrote, and those of headings. */
  readonly ids: readonly string[];
  /** Definitions of links and footnotes. */
  readonly definitions: readonly (Definition | FootnoteDefinition)[];
  /** Whether the page has HTML tags from plain Markdown. */
  readonly hasHtml: boolean;
  /** Level of the deepest node. */
  readonly depth: number;
}

export interface PageDiagram {
  readonly code: Code;
  /** Caption of the frame around it. */
  readonly caption: string | undefined;
}

/** Content of several pages, rendered once. */
export interface SharedHtml {
  readonly html: string;
  readonly ids: RecordedIds;
  /** Sections for the search. The first has no heading: its text belongs to the section around the content. */
  readonly sections: readonly PageSection[];
}

declare module "hast" {
  interface Data {
    /** Sections of shared content. */
    sections?: readonly PageSection[] | undefined;
  }
}
