import type { Element, ElementContent, Properties } from "hast";
import type { Location } from "../../../lib/diagnostic/index.js";
import { headingSlug, isUnsafeUrl } from "../../../lib/url/index.js";
import { labelOf } from "../../components/index.js";
import type { JsxElement, PropValue } from "../../content/index.js";
import { safeCss } from "../css-urls.js";
import { attributesOf, type Props } from "../element-attributes.js";
import * as html from "../nodes.js";
import { reportEmpty } from "../page-links.js";
import { locationOf, type PageRender } from "../page-render.js";
import { isExpression } from "../prop-values.js";
import { embedLink, isEmbedded } from "./embed.js";
import { headingElement, inOutline } from "./heading.js";
import { imageSource, missingImage, sizedImage } from "./image.js";
import { linkElement } from "./link.js";
import { isBlockElement } from "./paragraph.js";
import { scrollBox } from "./table.js";

/** An element that the author wrote in JSX or HTML. */
interface Tag {
  readonly state: html.State;
  readonly page: PageRender;
  readonly node: JsxElement;
  /** In HTML's spelling. */
  readonly name: string;
  readonly location: Location;
  /** Filtered. */
  readonly properties: Properties;
}

/** @param name in HTML's spelling. */
export function createElement(state: html.State, node: JsxElement, name: string): ElementContent[] {
  const page = html.pageOf(state);
  const location = locationOf(page, node);
  const props: Props = node.data?.props ?? {};
  page.position.location = location;
  if (name === "html" || name === "body" || name === "head") return state.all(node);
  if (html.isDropped(name) || animatesAddress(name, props)) return dropElement(page, name, location);
  if (name === "link" && !/^stylesheet$/i.test(String(props["rel"]))) {
    const why = "is not a style sheet, and other <link> elements belong in the head of a document";
    return dropElement(page, name, location, why);
  }
  const { src: address, ...others } = props;
  const properties = attributesOf(page, name, name === "img" ? others : props, location);
  const { island } = node.data ?? {};
  if (island !== undefined || node.data?.isInCode) styleByClass(page, properties);
  if (typeof properties["id"] === "string" && !/^h[1-6]$/.test(name))
    properties["id"] = page.collector.ids.claim(properties["id"]);
  const tag: Tag = { state, page, node, name, location, properties };
  if (island === "live") return [liveElement(tag, address)];
  if (isEmbedded(name)) return embeddedElement(tag, props["src"] ?? props["data"]);
  switch (name) {
    case "script":
      return scriptElement(tag);
    case "style":
      return island === undefined ? styleElement(tag) : moveStyle(tag);
    case "title":
      if (!page.position.inSvg) return misplacedTitle(tag);
      return [html.element(name, properties, [{ type: "text", value: html.markdownText(node.children) }])];
    case "textarea":
      return [html.element(name, properties, [{ type: "text", value: html.markdownText(node.children) }])];
    case "link":
      return properties["href"] === undefined ? [] : [html.element(name, properties, [])];
    case "img":
      if (address === undefined && !/srcset/i.test(Object.keys(properties).join()))
        reportNoAddress(tag, "IMAGE_NOT_FOUND", "image");
      return [sizedImage(page, properties, address, location)];
    case "a":
      if (!Object.keys(props).some((prop) => /^(?:href|id|name|xlinkHref|on.*)$/i.test(prop)))
        reportNoAddress(tag, "LINK_NOT_FOUND", "link");
      return [linkElement(properties, childrenOf(state, node, name))];
    case "table":
      return [scrollBox(page, html.element(name, properties, state.all(node)), island !== undefined)];
  }
  if (/^h[1-6]$/.test(name)) return [headingOf(state, node, Number(name.slice(1)), properties)];
  if (html.voidElements.has(name)) return [html.element(name, properties, []), ...state.all(node)];
  const { inSvg } = page.position;
  page.position.inSvg = inSvg || name === "svg";
  const children = childrenOf(state, node, name);
  page.position.inSvg = inSvg;
  return [html.element(name, properties, children)];
}

/** Reports a tag without an address, unless it has one that is reported: under a wrong name, or as code without a value. */
function reportNoAddress({ page, node, location }: Tag, code: string, kind: string): void {
  const isReported = node.attributes.some(
    (each) => each.type === "mdxJsxExpressionAttribute" || (isExpression(each) && /^(?:src|href)$/.test(each.name)),
  );
  if (!isReported && !node.data?.isMisnamed) reportEmpty(page, code, kind, location);
}

/** A `title` that is none of a drawing, which browsers would not show. */
function misplacedTitle({ state, page, node, location }: Tag): ElementContent[] {
  const text = html.markdownText(node.children).trim().slice(0, 60);
  const around = page.position.around.at(-1)?.name;
  const what = "<title> belongs in the head of a document; here only its text is shown.";
  const fix = around
    ? `write <${around} title="${text.replaceAll('"', "'")}">.`
    : `write title: ${text} in the front matter, or ## ${text} for a heading.`;
  page.collector.diagnostics.push({ code: "ELEMENT_DROPPED", severity: "warning", what, location, fix });
  return state.all(node);
}

/** Content of another host becomes a link that loads it; missing content becomes a description, not an empty box. */
function embeddedElement(tag: Tag, address: PropValue): ElementContent[] {
  const { state, page, node, name, location, properties } = tag;
  const children = name === "iframe" || name === "embed" ? [] : childrenOf(state, node, name);
  const link = embedLink(page, name, properties, children, location);
  if (link !== undefined) return [link, ...(name === "object" ? children.filter(isFallback) : [])];
  const written = address ?? sourceAddress(node);
  const isThere = [properties, ...children.map((child) => (child.type === "element" ? child.properties : {}))].some(
    ({ src, data }) => (src ?? data) !== undefined,
  );
  if (written !== undefined && !isThere) {
    const { title } = properties;
    const file =
      typeof written === "string" && !isUnsafeUrl(written) ? /[^/]*$/.exec(written.replace(/[?#].*/s, ""))![0] : "";
    const text = typeof title === "string" ? title : file;
    return [missingImage(page, text)];
  }
  if (
    written === undefined &&
    name === "iframe" &&
    (node.data?.props?.["srcDoc"] ?? node.data?.props?.["srcdoc"]) === undefined
  )
    reportNoAddress(tag, "FILE_NOT_FOUND", "iframe");
  if (name === "iframe")
    return [html.element(name, { loading: "lazy", title: hostOf(properties["src"]), ...properties }, [])];
  return [html.element(name, properties, children), ...(name === "embed" ? state.all(node) : [])];
}

/** The address in the first `source` of a video or audio element. */
function sourceAddress({ children }: JsxElement): PropValue {
  const source = children.find((child) => "name" in child && child.name === "source");
  return (source as JsxElement | undefined)?.data?.props?.["src"];
}

/** Whether it is content of an `object` that browsers show if they cannot show the object. */
const isFallback = (child: ElementContent): boolean =>
  child.type !== "element" || !/^(?:param|embed)$/.test(child.tagName);

/** An element of a live component. Its script expects this structure, so only attributes change. */
function liveElement(tag: Tag, address: PropValue): ElementContent {
  const { state, page, node, name, location, properties } = tag;
  if (name === "img") {
    const source = typeof address === "string" ? imageSource(page, address, location) : undefined;
    return html.element(name, { ...source, ...properties }, []);
  }
  if (name === "a") return linkElement(properties, state.all(node));
  // In the browser, the component's script makes the same link.
  const link = name === "iframe" ? embedLink(page, name, properties, [], location) : undefined;
  if (link !== undefined) return link;
  if (name === "style") {
    // A `template` takes its place: under a strict policy, some browsers report any `style` element.
    moveStyle(tag);
    return html.element("template", { dataStyle: "" }, []);
  }
  return html.element(name, properties, state.all(node));
}

/** Replaces the `style` attribute by a class, since a strict content security policy forbids it. */
function styleByClass({ collector, context }: PageRender, properties: Properties): void {
  const { style, className, dataGround } = properties;
  if (typeof style !== "string") return;
  delete properties["style"];
  // The component's script would find an attribute that the component does not have.
  delete properties["dataGround"];
  const styleClass = collector.islandStyles.classOf(style, dataGround, context.plan.outputPath);
  properties["className"] = typeof className === "string" ? [className, styleClass] : [styleClass];
}

const codeInCss = "contains code that some browsers run";

/** Moves the text of a `style` element to the style sheet of the page's islands. */
function moveStyle({ page, node, name, location }: Tag): [] {
  const css = safeCss(page, html.markdownText(node.children), location);
  if (css === undefined) return dropElement(page, name, location, codeInCss);
  page.collector.islandStyles.add(css, page.context.plan.outputPath);
  return [];
}

function styleElement({ page, node, name, location, properties }: Tag): ElementContent[] {
  const css = safeCss(page, html.markdownText(node.children), location)?.replace(/<(?=\/style)/gi, "<\\");
  if (css === undefined) return dropElement(page, name, location, codeInCss);
  return css.trim() === "" ? [] : [html.element(name, properties, [{ type: "text", value: css }])];
}

/** Scripts are allowed in pages, so keep and list them. */
function scriptElement({ page, node, name, location, properties }: Tag): ElementContent[] {
  const { external } = page.collector;
  const { src } = properties;
  const code = html
    .markdownText(node.children)
    .replace(/<(?=\/script)/gi, "<\\")
    .replaceAll("<!--", "<\\!--");
  if (src === undefined && code.trim() === "") return [];
  const url = src === undefined ? code.trim().split("\n")[0]!.slice(0, 200) : String(src);
  // `attributesOf` has listed a script of another host.
  const isListed = src !== undefined && external.some((use) => use.location === location);
  if (!isListed) external.push({ kind: "script", url, location });
  return [html.element(name, properties, [{ type: "text", value: code }])];
}

/** A title for an iframe, which screen readers announce. */
const hostOf = (address: unknown): string | undefined =>
  typeof address === "string" ? (/^(?:https?:)?\/\/([^/?#]+)/i.exec(address)?.[1] ?? address) : undefined;

/** Unwraps the paragraphs that Markdown makes between tags, if HTML forbids them or the author made a line. */
function childrenOf(state: html.State, node: JsxElement, name: string): ElementContent[] {
  const children = state.all(html.withLineBreaks(node));
  return html.phrasingOnly.has(name) || isLine(node, children) ? withoutParagraphs(children) : children;
}

/** A link may contain paragraphs, but not where its parent may not. */
const withoutParagraphs = (children: readonly ElementContent[]): ElementContent[] =>
  children.flatMap((child, i) => {
    if (child.type !== "element") return [child];
    const space: ElementContent[] = i === 0 ? [] : [{ type: "text", value: "\n" }];
    if (child.tagName === "p") return [...space, ...child.children];
    return child.tagName === "a" && hasOneParagraph(child.children)
      ? [...space, { ...child, children: withoutParagraphs(child.children) }]
      : [child];
  });

/** Whether they contain one paragraph and no other block. */
function hasOneParagraph(children: readonly ElementContent[]): boolean {
  const blocks = children.filter(isBlockElement);
  return blocks.length === 1 && blocks[0]!.type === "element" && blocks[0]!.tagName === "p";
}

/** Whether it is a pill or a button (`<a className="inline-flex …">`) with one paragraph and no other block. */
function isLine({ data }: JsxElement, children: readonly ElementContent[]): boolean {
  const names = data?.props?.["className"] ?? data?.props?.["class"];
  return typeof names === "string" && /(?:^|\s)inline-(?:flex|block)(?!\S)/.test(names) && hasOneParagraph(children);
}

/** `<Heading level={3}>`. */
export function createHeading(state: html.State, node: JsxElement): Element {
  const page = html.pageOf(state);
  const { level, ...props } = node.data?.props ?? {};
  const depth = Math.min(6, Math.max(1, Math.round(Number(level ?? 2)) || 2));
  return headingOf(state, node, depth, attributesOf(page, `h${depth}`, props, locationOf(page, node)));
}

/** A heading in JSX. It is in the page's outline only if no component contains it. */
function headingOf(state: html.State, node: JsxElement, depth: number, attributes: Properties): Element {
  const page = html.pageOf(state);
  const children = childrenOf(state, node, `h${depth}`);
  const noAnchor = isTrue(attributes["noAnchor"]);
  const { id: written, noAnchor: _, ...properties } = attributes;
  const ownHeading =
    page.position.around.length === 0 &&
    node.data?.island === undefined &&
    !/\.[jt]sx$/.test(node.data?.sourcePath ?? "") &&
    inOutline(page);
  const hasAnchor = ownHeading && !noAnchor;
  const chosen = node.data?.id ?? (typeof written === "string" && written !== "" ? written : undefined);
  const slug = hasAnchor ? headingSlug(labelOf(children)) : "";
  const { ids } = page.collector;
  const id = chosen !== undefined ? ids.claim(chosen) : slug === "" ? undefined : ids.make(slug);
  return headingElement(page, depth, id, { anchor: hasAnchor, outline: ownHeading }, properties, children);
}

const isTrue = (value: unknown): boolean => value === true || (typeof value === "string" && /^(?:true)?$/i.test(value));

function animatesAddress(name: string, props: Props): boolean {
  if (!/^(?:animate|set)/.test(name)) return false;
  return Object.entries(props).some(
    ([key, value]) => key.toLowerCase() === "attributename" && !/^(?!on|.*href)[\w:-]+$/i.test(String(value).trim()),
  );
}

function dropElement(
  page: PageRender,
  name: string,
  location: Location,
  why = "changes how browsers interpret the whole document",
): [] {
  const what = `<${name}> ${why}, so it is left out of the page.`;
  const fix = "remove it, or write the content with other elements.";
  page.collector.diagnostics.push({ code: "ELEMENT_DROPPED", severity: "warning", what, location, fix });
  return [];
}
