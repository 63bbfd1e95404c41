import type { ElementContent } from "hast";
import type { Nodes } from "mdast";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import type { Messages } from "../../lib/language/index.js";
import type { IconLibrary } from "../../site/config/index.js";
import type { Addresses } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import type { ComponentDefinition } from "../components/index.js";
import type { SharedSurveys } from "./collect-requirements.js";
import type { ImageMeter } from "./image-meter.js";
import type { InlineReader } from "./inline-markdown.js";
import { createPageIds, type PageIds } from "./page-ids.js";
import type { CodePort, IconPort, MathPort } from "./ports.js";
import type { ExternalUse, LinkUse, PageSection, TocEntry } from "./rendered-page.js";
import type { SharedHtmls } from "./shared-content.js";

/** What all pages of a site share while they are rendered. */
export interface RenderTools {
  readonly components: ReadonlyMap<string, ComponentDefinition>;
  readonly iconLibrary: IconLibrary;
  readonly code: CodePort;
  readonly math: MathPort;
  readonly icons: IconPort;
  readonly addresses: Addresses;
  readonly measure: ImageMeter;
  readonly inline: InlineReader;
  readonly shared: SharedHtmls;
  readonly sharedSurveys: SharedSurveys;
}

/** One page on its way through the handlers: they read what is given and add to what is gathered. */
export interface PageRun {
  readonly tools: RenderTools;
  readonly plan: PagePlan;
  /** What the page says by itself. */
  readonly messages: Messages;
  /** Diagrams, drawn ahead: by the node of their source. */
  readonly drawings: ReadonlyMap<object, ElementContent>;
  readonly ids: PageIds;

  readonly toc: TocEntry[];
  readonly uses: LinkUse[];
  readonly external: ExternalUse[];
  readonly diagnostics: Diagnostic[];
  /** Keys of `reportOnce`. */
  readonly reported: Set<string>;
  readonly panel: ElementContent[];
  /** What the search reads of it. */
  readonly panelTexts: ElementContent[];
  readonly lead: ElementContent[];
  readonly updateTags: Set<string>;
  /** Parts of the text for the search; undefined where none are wanted. */
  sections?: PageSection[];
  /** Titles of components that are sections of their own for the search, by their ids. */
  readonly sectionTitles: Map<string, string>;
  readonly views: { readonly id: string; readonly title: string }[];

  /** Components around the node in hand, outermost first, with the anchors and the properties they got. */
  readonly around: {
    readonly name: string;
    readonly id?: string;
    readonly props: Readonly<Record<string, unknown>>;
  }[];
  /** The `View` around it. */
  view?: string;
  /** Place of the nearest element around it: for nodes that have none, such as Markdown in a property. */
  location: Location;
  tables: number;
  /** Empty cells that tables got for those that their rows lack. */
  addedCells: number;
}

export function createPageRun(
  tools: RenderTools,
  plan: PagePlan,
  messages: Messages,
  drawings: ReadonlyMap<object, ElementContent>,
): PageRun {
  return {
    tools,
    plan,
    messages,
    drawings,
    ids: createPageIds(),
    toc: [],
    uses: [],
    external: [],
    diagnostics: [],
    reported: new Set(),
    panel: [],
    panelTexts: [],
    lead: [],
    updateTags: new Set(),
    sectionTitles: new Map(),
    views: [],
    around: [],
    location: { sourcePath: plan.sourcePath },
    tables: 0,
    addedCells: 0,
  };
}

/** Where a node was written; for a node made on the way, where the element around it was. */
export function locationOf(run: Pick<PageRun, "plan" | "location">, node: Pick<Nodes, "position" | "data">): Location {
  const start = node.position?.start;
  if (!start) return run.location;
  return { sourcePath: node.data?.sourcePath ?? run.plan.sourcePath, line: start.line, column: start.column };
}

/** Reports a mistake unless the page has told one of this key already. */
export function reportOnce(run: PageRun, key: string, diagnostic: () => Diagnostic): void {
  if (run.reported.has(key)) return;
  run.reported.add(key);
  run.diagnostics.push(diagnostic());
}

/** Adds what a port has found, each mistake once. */
export function reportEach(run: PageRun, diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) reportOnce(run, `${diagnostic.code} ${diagnostic.what}`, () => diagnostic);
}
