import type { ElementContent, Root } from "hast";
import { writeHtml } from "../../lib/html/write-html.js";
import { raw } from "../../lib/jsx/raw.js";
import type { JsxElement } from "../content/index.js";
import { collectSections } from "./collect-sections.js";
import { tidyTree } from "./normalize-tree.js";
import type { RecordedIds } from "./page-ids.js";
import type { PageRun } from "./page-run.js";
import type { PageSection } from "./rendered-page.js";
import { runOf, type State } from "./to-hast.js";

/** Content that several pages hold, rendered once. */
export interface SharedHtml {
  readonly html: string;
  readonly ids: RecordedIds;
  /** What the search reads of it; the first has no heading and belongs to what is around. */
  readonly sections: readonly PageSection[];
}

/** By the fragment; undefined for one that has to be rendered on each page. */
export type SharedHtmls = WeakMap<object, SharedHtml | undefined>;

declare module "hast" {
  interface Data {
    /** Of content that was rendered for another page too. */
    sections?: readonly PageSection[] | undefined;
  }
}

/** The content of a fragment that other pages hold too, as one piece of HTML. Its ids must be free on this page. */
export function sharedContent(state: State, node: JsxElement): ElementContent[] {
  const run = runOf(state);
  const { shared } = run.tools;
  const known = shared.get(node);
  if (known && run.ids.repeat(known.ids)) return [pieceOf(known)];
  if (shared.has(node)) return state.all(node);
  const before = tracesOf(run);
  const titles = new Map(run.sectionTitles);
  const { result, ids } = run.ids.record(() => state.all(node));
  // Where ids had to be changed, other pages may have them as they are.
  if (ids === undefined) return result;
  if (tracesOf(run) !== before) {
    shared.set(node, undefined);
    return result;
  }
  const own = new Map([...run.sectionTitles].filter(([id]) => !titles.has(id)));
  for (const id of own.keys()) run.sectionTitles.delete(id);
  const made = render(result, ids, own);
  shared.set(node, made);
  return [pieceOf(made)];
}

const pieceOf = ({ html, sections }: SharedHtml): ElementContent => ({ ...raw(html), data: { sections } });

function render(children: ElementContent[], ids: RecordedIds, sectionTitles: Map<string, string>): SharedHtml {
  const root: Root = { type: "root", children };
  const sections = collectSections(root, { toc: [], sectionTitles, lead: [], panelTexts: [] });
  tidyTree(root);
  return { html: writeHtml(root), ids, sections };
}

/** Counts whatever a page gathers beside its HTML. */
const tracesOf = (run: PageRun): number =>
  [run.toc, run.uses, run.external, run.diagnostics, run.panel, run.panelTexts, run.lead, run.views].reduce(
    (sum, list) => sum + list.length,
    run.updateTags.size + run.reported.size + run.tables + run.addedCells,
  );
