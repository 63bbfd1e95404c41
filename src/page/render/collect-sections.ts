import type { Element, ElementContent, Root } from "hast";
import type { PageRender } from "./page-render.js";
import type { RenderCollector } from "./render-collector.js";
import type { PageSection } from "./rendered-page.js";

declare module "hast" {
  interface ElementData {
    /** The code of a code block, whose children are finished HTML. */
    code?: string | undefined;
  }
}

// Limits that keep one page from filling the index, in UTF-16 code units. Text beyond them is mostly data.
const maxSections = 400;
const maxSectionText = 8000;
const maxPageText = 120_000;
const maxSectionCode = 1000;
const maxPageCode = 20_000;
const maxWordLength = 80;

/** Components that search results link to directly. */
const ownSections = new Set(["Accordion", "ParamField", "ResponseField"]);
export const isOwnSection = (component: string): boolean => ownSections.has(component);

/** Classes of parts that only explain how to use a component. */
const labels = new Set(
  "when-closed when-open mermaid-source prompt-actions island-placeholder api-downloads embed-host".split(" "),
);
/** Elements within a sentence. Spaces separate the text of all others. */
const inline = "a abbr b code del em i kbd mark s small span strong u".split(" ");
/** Elements that are not text of the page. */
const skipped = "script style template svg math button select iframe wbr".split(" ");
const ways = new Map([
  ...inline.map((name) => [name, "inline"] as const),
  ...skipped.map((name) => [name, "skipped"] as const),
]);

/** The plugin that collects a page's sections for the search. */
export const sectionCollector = () => (tree: Root, file: { readonly data: Record<string, unknown> }) => {
  const { context, collector } = file.data["page"] as PageRender;
  if (context.searchable) collector.sections.push(...collectSections(tree, collector));
};

/** Splits a page's text at headings, changelog entries, accordions and fields. The lead is in the first section. */
export function collectSections(
  tree: Root,
  collected: Pick<RenderCollector, "toc" | "sectionTitles" | "lead" | "panelTexts">,
): PageSection[] {
  const titles = new Map([...collected.sectionTitles, ...collected.toc.map(({ id, text }) => [id, text] as const)]);
  const sections: Draft[] = [draftOf("", "")];
  let current = sections[0]!;
  let textLeft = maxPageText;
  let codeLeft = maxPageCode;

  const addText = (text: string): void => {
    if (textLeft <= 0 || current.text.length > maxSectionText) return;
    current.text += text;
    current.isApart = text.endsWith(" ");
    textLeft -= text.length;
  };
  const addCode = (code: string): void => {
    const room = Math.min(codeLeft, maxSectionCode - current.code.length);
    if (room <= 0) return;
    const part = code.slice(0, room);
    current.code += `${part}\n`;
    codeLeft -= part.length;
  };
  /** Separates the words of two blocks. */
  const addGap = (): void => {
    if (!current.isApart) addText(" ");
  };
  const begin = (id: string, heading: string): void => {
    current = draftOf(id, heading);
    sections.push(current);
  };

  /** Adds the sections of shared content. The text of the first one belongs to the section around it. */
  const takeShared = ([loose, ...others]: readonly PageSection[]): void => {
    if (loose === undefined) return;
    const around = current;
    const take = ({ heading, text, code }: PageSection): void => {
      addGap();
      // In the page, the text of a component begins with its title.
      addText(heading === "" ? text : `${heading} ${text}`);
      if (code !== "") addCode(code);
      addGap();
    };
    take(loose);
    for (const section of others) {
      if (sections.length < maxSections) begin(section.id, section.heading);
      take(section);
      current = around;
    }
  };
  const visitAll = (nodes: readonly ElementContent[]): void => {
    for (const node of nodes as readonly (ElementContent | Root)[])
      if (node.type === "text") addText(node.value);
      else if (node.type === "element") visit(node);
      else if (node.type === "raw") takeShared(node.data?.sections ?? []);
      else if (node.type === "root") visitAll(node.children as ElementContent[]);
  };
  const visit = (element: Element): void => {
    const { tagName, data, properties } = element;
    if (properties.className !== undefined && isLabel(properties.className)) return;
    const way = ways.get(tagName);
    if (way === "inline") visitAll(element.children);
    else if (data?.code !== undefined) addCode(data.code);
    // `data-slot` marks content that a live component does not show at first.
    else if (way === undefined || properties["dataSlot"] !== undefined) visitBlock(element);
  };
  const visitBlock = ({ tagName, properties, children }: Element): void => {
    const { id, alt } = properties;
    const title = typeof id === "string" && sections.length < maxSections ? titles.get(id) : undefined;
    if (title !== undefined) {
      titles.delete(id as string);
      const around = current;
      begin(id as string, title);
      // The section of a heading extends to the next one, that of a component to its end.
      if (isHeading(tagName)) return;
      visitAll(children);
      current = around;
      return;
    }
    addGap();
    if (typeof alt === "string") addText(alt);
    visitAll(children);
    addGap();
  };

  for (const part of collected.lead.flatMap((node) => ("children" in node ? node.children : []))) {
    visitAll([part]);
    addGap();
  }
  visitAll(tree.children as ElementContent[]);
  current = sections[0]!;
  visitAll(collected.panelTexts);
  return sections.map(finished);
}

type Draft = { -readonly [Key in keyof PageSection]: PageSection[Key] } & {
  /** Whether the text is empty or ends with a space. */
  isApart: boolean;
};
const draftOf = (id: string, heading: string): Draft => ({ id, heading, text: "", code: "", isApart: true });

/** @param className a list from Markdown, a string from JSX. */
const isLabel = (className: unknown): boolean =>
  labels.has((Array.isArray(className) ? className[0] : className) as string);

const isHeading = (tagName: string): boolean => tagName.length === 2 && tagName[0] === "h";

function finished({ id, heading, text, code }: Draft): PageSection {
  let words = (/\s\s|[\t-\r]/.test(text) ? text.replace(/\s+/g, " ") : text).trim();
  // The text of a component begins with its title.
  if (heading !== "" && words.startsWith(heading)) words = words.slice(heading.length).trimStart();
  if (hasLongWord(words)) words = words.replace(longWords, (word) => `${word.slice(0, maxWordLength)}…`);
  return { id, heading, text: words.toWellFormed(), code: code.trimEnd().toWellFormed() };
}

// ASCII only, since some scripts write whole paragraphs without a space.
const longWords = new RegExp(`[!-~]{${maxWordLength + 1},}`, "g");

/** A quick test, since few texts need the regular expression. */
function hasLongWord(text: string): boolean {
  let from = 0;
  for (;;) {
    const at = text.indexOf(" ", from);
    if ((at < 0 ? text.length : at) - from > maxWordLength) return true;
    if (at < 0) return false;
    from = at + 1;
  }
}

/** Attaches the code to a rendered code block. */
export const withCode = (node: ElementContent, code: string): ElementContent =>
  node.type === "element" ? { ...node, data: { ...node.data, code } } : node;
