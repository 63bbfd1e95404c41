// A page as it was written: what the reader sees, with the fields of each part. Only the main part of the document is read.
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { type DefaultTreeAdapterMap, parseFragment } from "parse5";
import { safeDecode } from "./source-files.ts";
import { inlineElements, silentElements, wordsIn } from "./words.ts";

type Element = DefaultTreeAdapterMap["element"];
type HtmlNode = DefaultTreeAdapterMap["node"];

/** A part of a page that can hold fields: the page, a section, a tab or a field. */
export interface Box {
  readonly page: WrittenPage;
  readonly id: string | undefined;
  /** Fields in this part that are not inside another field of it, by name. */
  readonly fields: Map<string, Box[]>;
  /** Links in this part that are not inside one of its fields: addresses as written. */
  readonly links: string[];
  /** Closed disclosures between the top of the page and this part. */
  readonly openings: number;
  /** Where its words stand in the words of the page. */
  start: number;
  end: number;
}

export interface WrittenPage {
  /** Relative to the bundle. */
  readonly path: string;
  readonly bytes: number;
  /** Number of elements of the whole document. */
  readonly elements: number;
  /** Words of the main part, as `wordsIn` gives them. */
  readonly words: string;
  /** The main part without its heading, the endpoint and links to other pages. */
  readonly contentWords: string;
  readonly title: string;
  /** For a page with an endpoint: what stands in its pill ("GET"), and the path or name. */
  readonly method: string | undefined;
  readonly endpoint: string | undefined;
  readonly root: Box;
  readonly byId: ReadonlyMap<string, Box>;
  /** All addresses of links. */
  readonly links: ReadonlySet<string>;
  /** Code samples by the name of their tab. */
  readonly samples: ReadonlyMap<string, string>;
}

/** @throws if the file cannot be read. */
export function readWrittenPage(bundle: string, path: string): WrittenPage {
  const html = readFileSync(join(bundle, path), "utf8");
  const from = html.indexOf("<main");
  const to = html.indexOf("</main>");
  const main = parseFragment(from < 0 ? "" : html.slice(from, to < 0 ? undefined : to));
  const page = {
    path,
    // Pictures that an author wrote into a description are not the page's.
    bytes: Buffer.byteLength(html.replace(/ src="data:[^"]*"/g, "")),
    elements: html.match(/<[a-z]/g)?.length ?? 0,
    title: "",
    method: undefined as string | undefined,
    endpoint: undefined as string | undefined,
    byId: new Map<string, Box>(),
    links: new Set<string>(),
    samples: new Map<string, string>(),
    words: "",
    contentWords: "",
    root: undefined as unknown as Box,
  };
  const texts: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    texts.push(text);
    length += text.length;
  };
  const newBox = (id: string | undefined, openings: number): Box => ({
    page,
    id,
    fields: new Map(),
    links: [],
    openings,
    start: length,
    end: length,
  });
  page.root = newBox(undefined, 0);
  const boxes: Box[] = [page.root];
  /** The parts from the innermost to the nearest field. */
  const open: { box: Box; isField: boolean }[] = [{ box: page.root, isField: true }];
  let openings = 0;
  const visit = (node: HtmlNode): void => {
    if (node.nodeName === "#text" && "value" in node) add(node.value);
    if (!("childNodes" in node)) return;
    if (!("tagName" in node)) {
      for (const child of node.childNodes) visit(child);
      return;
    }
    const { tagName } = node;
    if (silentElements.has(tagName)) return;
    const names = classesOf(node);
    const id = attribute(node, "id");
    const isLine = inlineElements.has(tagName);
    if (!isLine) add(" ");
    if (id === "page-title") page.title = titleIn(node);
    if (names.includes("page-lead")) {
      page.method ??= textOfClass(node, "method-pill");
      page.endpoint ??= endpointIn(node);
    }
    const href = tagName === "a" ? attribute(node, "href") : undefined;
    if (href !== undefined && !names.includes("heading-anchor")) {
      page.links.add(href);
      if (id === undefined && !isInNavigation(node)) addToOpen(open, (box) => box.links.push(href));
    }
    if (names.includes("code-group-panel")) {
      const label = attribute(node, "aria-label") ?? "";
      if (!page.samples.has(label)) page.samples.set(label, codeIn(node));
    }
    const isField = names.includes("field");
    const isBox = isField || id !== undefined || attribute(node, "aria-labelledby") !== undefined;
    const box = isBox ? newBox(id, openings) : undefined;
    if (box) {
      boxes.push(box);
      if (isField) {
        const name = textOfClass(node, "field-name") ?? "";
        addToOpen(open, ({ fields }) => fields.set(name, [...(fields.get(name) ?? []), box]));
      }
      for (const key of [id, attribute(node, "aria-labelledby")])
        if (key !== undefined && !page.byId.has(key)) page.byId.set(key, box);
      open.push({ box, isField });
    }
    const isClosed = tagName === "details" && attribute(node, "open") === undefined;
    if (isClosed) openings++;
    for (const child of node.childNodes) visit(child);
    if (isClosed) openings--;
    if (box) {
      box.end = length;
      open.pop();
    }
    if (!isLine) add(" ");
  };
  visit(main);
  page.root.end = length;
  moveToWords(page, boxes, texts.join(""));
  page.contentWords = contentWords(main);
  return page;
}

function addToOpen(open: readonly { box: Box; isField: boolean }[], add: (box: Box) => void): void {
  for (let i = open.length - 1; i >= 0; i--) {
    add(open[i]!.box);
    if (open[i]!.isField) return;
  }
}

/** Replaces places in the text by places in the words. */
function moveToWords(page: { words: string }, boxes: readonly Box[], text: string): void {
  const cuts = [...new Set(boxes.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const placeOf = new Map<number, number>();
  let words = " ";
  let from = 0;
  for (const cut of cuts) {
    // A part begins and ends between words, since it is a block.
    words += wordsIn(text.slice(from, cut)).slice(1);
    placeOf.set(cut, words.length);
    from = cut;
  }
  words += wordsIn(text.slice(from)).slice(1);
  for (const box of boxes) {
    box.start = placeOf.get(box.start)! - 1;
    box.end = placeOf.get(box.end)!;
  }
  page.words = words;
}

export const wordsOf = (box: Box): string => box.page.words.slice(box.start, box.end);

/** The path of the page that a link leads to, and the id there; undefined for another host or a file that is no page. */
export function targetOf(page: WrittenPage, href: string): { path: string; id: string | undefined } | undefined {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(href)) return undefined;
  const [address = "", id] = href.split("#") as [string, string?];
  const path = address === "" ? page.path : normalize(join(dirname(page.path), safeDecode(address.split("?")[0]!)));
  if (!path.endsWith(".html") || path.startsWith("..")) return undefined;
  return { path, id: id === undefined || id === "" ? undefined : safeDecode(id) };
}

export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value;
const classesOf = (element: Element): string[] => attribute(element, "class")?.split(" ") ?? [];

function* elementsIn(node: HtmlNode): Generator<Element> {
  if ("tagName" in node) yield node;
  if ("childNodes" in node) for (const child of node.childNodes) yield* elementsIn(child);
}

function isInNavigation(node: Element): boolean {
  for (let each: HtmlNode | null = node; each && "parentNode" in each; each = each.parentNode as HtmlNode | null)
    if ("tagName" in each && each.tagName === "nav") return true;
  return false;
}

/** The text of the first element of a class. */
function textOfClass(node: Element, name: string): string | undefined {
  for (const element of elementsIn(node)) if (classesOf(element).includes(name)) return textIn(element);
  return undefined;
}

/** The path without the server in front of it. */
function endpointIn(lead: Element): string | undefined {
  const path = textOfClass(lead, "api-path");
  const server = textOfClass(lead, "api-base");
  return path?.slice(server?.length ?? 0);
}

export const rawTextIn = (node: HtmlNode): string => {
  if (node.nodeName === "#text" && "value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(rawTextIn).join("") : "";
};
const textIn = (node: HtmlNode): string => rawTextIn(node).trim();
/** A heading without the tags beside it, such as "Deprecated". */
const titleIn = (node: Element): string =>
  node.childNodes
    .filter((child) => !("tagName" in child && classesOf(child).includes("page-tag")))
    .map(rawTextIn)
    .join("")
    .trim();

function codeIn(node: HtmlNode): string {
  for (const element of elementsIn(node)) if (element.tagName === "pre") return rawTextIn(element);
  return "";
}

const outsideContent = new Set(["page-title", "pagination", "content-side-layout"]);
/** The words of a page's own content. */
function contentWords(main: HtmlNode): string {
  const parts: string[] = [];
  const visit = (node: HtmlNode): void => {
    if (node.nodeName === "#text" && "value" in node) parts.push(node.value);
    if (!("childNodes" in node)) return;
    if ("tagName" in node) {
      const names = classesOf(node);
      if (outsideContent.has(attribute(node, "id") ?? "")) return;
      if (names.includes("page-lead") || names.includes("eyebrow") || names.includes("api-downloads")) return;
      if (silentElements.has(node.tagName)) return;
    }
    for (const child of node.childNodes) visit(child);
    parts.push(" ");
  };
  visit(main);
  return wordsIn(parts.join(""));
}
