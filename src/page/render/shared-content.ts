import type { ElementContent, Root } from "hast";
import { writeHtml } from "../../lib/html/write-html.js";
import { raw } from "../../lib/jsx/raw.js";
import type { JsxElement } from "../content/index.js";
import { collectSections } from "./collect-sections.js";
import { normalizeTree } from "./normalize-tree.js";
import type { RecordedIds } from "./page-ids.js";
import type { RenderTools, SharedHtml } from "./render-context.js";
import { pageOf, type State } from "./to-hast.js";

/** The content of a fragment that other pages have too, as one piece of HTML. Its ids must be free on this page. */
export function sharedContent(state: State, node: JsxElement): ElementContent[] {
  const { context, collector } = pageOf(state);
  const { tools } = context;
  const { sharedHtml } = tools;
  const known = sharedHtml.get(node);
  if (known && collector.ids.repeat(known.ids)) return [pieceOf(known)];
  if (sharedHtml.has(node)) return state.all(node);
  const before = collector.traceCount;
  const titles = new Map(collector.sectionTitles);
  const { result, ids } = collector.ids.record(() => state.all(node));
  // Where ids had to be changed, other pages may be able to use them unchanged.
  if (ids === undefined) return result;
  if (collector.traceCount !== before) {
    sharedHtml.set(node, undefined);
    return result;
  }
  const own = new Map([...collector.sectionTitles].filter(([id]) => !titles.has(id)));
  for (const id of own.keys()) collector.sectionTitles.delete(id);
  const made = writeShared(result, ids, own, tools);
  sharedHtml.set(node, made);
  return [pieceOf(made)];
}

const pieceOf = ({ html, sections }: SharedHtml): ElementContent => ({ ...raw(html), data: { sections } });

function writeShared(
  children: ElementContent[],
  ids: RecordedIds,
  sectionTitles: Map<string, string>,
  tools: RenderTools,
): SharedHtml {
  const root: Root = { type: "root", children };
  const sections = collectSections(root, { toc: [], sectionTitles, lead: [], panelTexts: [] });
  normalizeTree(root, tools);
  return { html: writeHtml(root), ids, sections };
}
