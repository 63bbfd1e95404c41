import type { Element, ElementContent, Properties } from "hast";
import type { Heading } from "mdast";
import { quoted } from "../../../lib/diagnostic/index.js";
import { headingSlug } from "../../../lib/url/index.js";
import { HeadingAnchor, labelOf } from "../../components/index.js";
import { element, type Handler, pageOf } from "../nodes.js";
import { addToOutline, locationOf, type PageRender } from "../page-render.js";

/** Components whose headings are not part of the page's outline. */
const outOfOutline = new Set("Card Frame Panel RequestExample ResponseExample Tile Tooltip Update".split(" "));

/** `## Title` becomes a heading with its anchor, a link to itself and an entry in the table of contents. */
export const heading: Handler<Heading> = (state, node) => {
  const page = pageOf(state);
  const children = state.all(node);
  const { ids } = page.collector;
  // The headings of the page itself have ids; those in descriptions and properties have none.
  const id = node.data?.id ? ids.claim(node.data.id) : ids.make(headingSlug(labelOf(children)) || "section");
  if (node.depth === 1) reportSecondTitle(page, node, labelOf(children));
  return headingElement(page, node.depth, id, { anchor: true, outline: inOutline(page) }, {}, children);
};

/** Reports a heading of level 1, since the page's title is one already (MD025 of markdownlint). */
function reportSecondTitle(page: PageRender, node: Heading, text: string): void {
  const { collector, context, position } = page;
  const { title, frontmatter } = context.plan;
  const isShown = frontmatter["mode"] !== "custom" && frontmatter["mode"] !== "frame";
  if (!isShown || node.data?.id === undefined) return;
  const isFirst = collector.toc.length === 0 && position.around.length === 0;
  const isRepeated = isFirst && text.trim().toLowerCase() === title.trim().toLowerCase();
  const what = isRepeated
    ? `The heading ${quoted(text)} repeats the title of the page, which is shown above it.`
    : `The heading ${quoted(text)} has the same level as the page's title.`;
  // Without front matter, the page has the name of its file as its title.
  const isTitle = isFirst && node.position?.start.line === 1;
  const fix = isTitle
    ? `write title: ${JSON.stringify(text.trim())} in the front matter, and remove the heading.`
    : "write ## instead of #.";
  const location = locationOf(page, node);
  collector.diagnostics.push(
    isRepeated
      ? { code: "TITLE_REPEATED", severity: "warning", what, location, fix: "remove the heading." }
      : { code: "HEADING_LEVEL_ONE", severity: "hint", what, location, fix },
  );
}

export const inOutline = (page: PageRender): boolean =>
  !page.position.around.some(({ name }) => outOfOutline.has(name));

/** @param depth 1 to 6. */
export function headingElement(
  page: PageRender,
  depth: number,
  id: string | undefined,
  show: { readonly anchor: boolean; readonly outline: boolean },
  attributes: Properties,
  children: ElementContent[],
): Element {
  const text = labelOf(children);
  if (id === undefined) return element(`h${depth}`, attributes, children);
  if (show.outline && depth <= 4 && text !== "") addToOutline(page, id, depth, text);
  const { messages } = page.context;
  const content = show.anchor ? [...children, HeadingAnchor({ id, label: text, messages }) as Element] : children;
  return element(`h${depth}`, { ...attributes, id }, content);
}
