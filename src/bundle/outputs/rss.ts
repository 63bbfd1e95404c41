import type { Nodes } from "mdast";
import { escapeXml } from "../../lib/html/escape.js";
import { oneLine, plainText } from "../../lib/plain-text.js";
import { encodePath, fragmentOf, headingSlug } from "../../lib/url/index.js";
import type { JsxElement, PageContent, PropValue } from "../../page/content/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import { feedPath, pageUrl } from "./address.js";
import { isJsxTree } from "./markdown/component-writer.js";
import { isPublished } from "./published.js";

interface Item {
  readonly title: string;
  readonly text: string;
  /** Id on the page; may be empty. */
  readonly anchor: string;
  readonly date?: Date;
}

/** Whether a page gets a feed: it is public and contains an `Update`. */
const hasFeed = (plan: PagePlan, content: PageContent): boolean =>
  isPublished(plan) && updatesOf(content.tree).length > 0;

/**
 * Creates the feed of a page with `Update`s: an item for each heading in an update, or one for the whole update. With an
 * `rss` property the update is one item with that text. Dates come from labels, never from the clock. Undefined for a
 * page that is not public or has no updates.
 */
export function createFeed(site: Site, baseUrl: string): (plan: PagePlan, content: PageContent) => string | undefined {
  const { trailingSlash } = site.config.seo;
  return (plan, content) => {
    if (!hasFeed(plan, content)) return undefined;
    const items = updatesOf(content.tree).flatMap(itemsOf);
    const url = pageUrl(baseUrl, plan.urlPath, trailingSlash);
    const newest = items.reduce<Date | undefined>(
      (latest, { date }) => (date !== undefined && (latest === undefined || date > latest) ? date : latest),
      undefined,
    );
    const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>\n`;
    return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
${element("title", `${oneLine(plan.title)} - ${oneLine(site.config.name)}`)}${element("link", url)}${element(
  "description",
  plainText(plan.description ?? site.config.description ?? plan.title),
)}${newest === undefined ? "" : element("lastBuildDate", newest.toUTCString())}<atom:link href="${escapeXml(
      `${baseUrl}/${encodePath(feedPath(plan))}`,
    )}" rel="self" type="application/rss+xml"/>
${items.map((item) => itemXml(item, url)).join("")}</channel>
</rss>
`;
  };
}

function itemXml({ title, text, anchor, date }: Item, url: string): string {
  const link = escapeXml(anchor === "" ? url : url + fragmentOf(anchor));
  return `<item>
<title>${escapeXml(title)}</title>
<link>${link}</link>
<guid isPermaLink="true">${link}</guid>
${text === "" ? "" : `<description>${escapeXml(text)}</description>\n`}${date === undefined ? "" : `<pubDate>${date.toUTCString()}</pubDate>\n`}</item>
`;
}

/** Updates in page order, at any depth of components and paragraphs. */
function updatesOf(root: Nodes): JsxElement[] {
  const updates: JsxElement[] = [];
  const stack: Nodes[] = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    const isJsx = node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
    if (isJsx && node.name === "Update") updates.push(node);
    else if (isJsx || node.type === "root" || node.type === "paragraph")
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
  return updates;
}

function itemsOf(update: JsxElement): Item[] {
  const props = update.data?.props ?? {};
  const label = propText(props["label"]) || "Update";
  const date = parseEnglishDate(label) ?? parseEnglishDate(propText(props["description"]));
  const anchor = propText(props["id"]) || headingSlug(label);
  const { rss } = props;
  if (typeof rss === "object" && rss !== null && !Array.isArray(rss)) {
    const { title, description } = rss as { readonly [key: string]: PropValue };
    return [{ title: propText(title) || label, text: propText(description), anchor, date }];
  }
  const items: { title: string; parts: string[]; anchor: string }[] = [];
  for (const node of update.children as Nodes[]) {
    if (node.type === "heading")
      items.push({ title: blockText(node) || label, parts: [], anchor: node.data?.id ?? headingSlug(blockText(node)) });
    else items.at(-1)?.parts.push(blockText(node));
  }
  if (items.length === 0) items.push({ title: label, parts: update.children.map(blockText), anchor });
  return items.map(({ title, parts, anchor }) => ({
    title,
    text: parts.filter((part) => part !== "").join("\n\n"),
    anchor,
    date,
  }));
}

const propText = (value: PropValue): string =>
  typeof value === "string" || typeof value === "number"
    ? oneLine(String(value))
    : isJsxTree(value)
      ? oneLine((value.children as Nodes[]).map(blockText).join(" "))
      : "";

/** The words of a block: no components, no code blocks, no HTML. */
function blockText(block: Nodes): string {
  let text = "";
  const stack: Nodes[] = [block];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node.type === "text" || node.type === "inlineCode" || node.type === "inlineMath") text += node.value;
    else if (node.type === "break" || node.type === "image") text += " ";
    else if ("children" in node && !node.type.startsWith("mdx")) {
      if (node.type === "listItem") text += " - ";
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
    }
  }
  return oneLine(text);
}

/** Parses `2026-03-01`, `March 1, 2026`, `1 Mar 2026` or `March 2026` as midnight UTC; undefined for other texts. */
function parseEnglishDate(label: string): Date | undefined {
  const text = label.trim().replace(/(\d)(?:st|nd|rd|th)\b/i, "$1");
  const iso = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3] ?? 1));
  const monthFirst = /^([a-z]{3,9})\.? (?:(\d{1,2}),? )?(\d{4})$/i.exec(text);
  if (monthFirst) return dayOf(Number(monthFirst[3]), monthOf(monthFirst[1]!), Number(monthFirst[2] ?? 1));
  const dayFirst = /^(\d{1,2}) ([a-z]{3,9})\.?,? (\d{4})$/i.exec(text);
  return dayFirst ? dayOf(Number(dayFirst[3]), monthOf(dayFirst[2]!), Number(dayFirst[1])) : undefined;
}

const months = "january february march april may june july august september october november december".split(" ");

/** The index of a month by its name or at least three first letters (`Sept` too); -1 if it is not a month. */
const monthOf = (name: string): number => months.findIndex((month) => month.startsWith(name.toLowerCase()));

function dayOf(year: number, month: number, day: number): Date | undefined {
  const date = new Date(Date.UTC(year, month, day));
  const isReal = month >= 0 && year >= 1900 && date.getUTCMonth() === month && date.getUTCDate() === day;
  return isReal ? date : undefined;
}
