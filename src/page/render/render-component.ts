import type { ElementContent } from "hast";
import type { Code, Paragraph, RootContent } from "mdast";
import { type Diagnostic, type Location, quoted, warningOf } from "../../lib/diagnostic/index.js";
import { flattenChildren } from "../../lib/jsx/jsx-runtime.js";
import { accordionSlug, headingSlug } from "../../lib/url/index.js";
import { type ComponentDefinition, type ComponentItem, labelOf, propNamesOf } from "../components/index.js";
import type { JsxElement } from "../content/index.js";
import { isOwnSection } from "./collect-sections.js";
import type { Props } from "./element-attributes.js";
import { fence, fenceOf } from "./handlers/code.js";
import { reportShownAddress } from "./handlers/media-faults.js";
import { isMarkupOnly } from "./handlers/paragraph.js";
import { allOf, isBlank, pageOf, type State, withLineBreaks } from "./nodes.js";
import { addToOutline, locationOf, type PageRender } from "./page-render.js";
import { prepareProps, writtenClassName } from "./prepare-props.js";
import { isExpression, textOfProp } from "./prop-values.js";

/** Whether the content is only for AI agents, which read the page's Markdown version. The HTML omits it. */
export const isForAgents = (node: JsxElement): boolean =>
  node.name === "Visibility" && textOfProp(node.data?.props?.["for"])?.trim().toLowerCase() === "agents";

/** Renders a built-in component. Returns nothing if its content belongs to another place on the page. */
export function renderComponent(state: State, node: JsxElement, definition: ComponentDefinition): ElementContent[] {
  if (isForAgents(node)) return [];
  const page = pageOf(state);
  const outer = page.position.around.findLast(({ name }) => name === definition.parent || name === definition.name);
  if (definition.parent !== undefined && outer?.name !== definition.parent)
    page.collector.reportOnce(`COMPONENT_ALONE ${definition.name}`, () =>
      misplaced(definition, locationOf(page, node), outer !== undefined),
    );
  const { props, id, children, items, after = [] } = open(state, node, definition, {});
  const rendered = definition.render({
    ...props,
    children,
    messages: page.context.messages,
    ...(id === undefined ? {} : { id }),
    ...(items === undefined ? {} : { items }),
  });
  const nodes = [...flattenChildren(rendered), ...after];
  if (!definition.panel && !definition.lead) return nodes;
  (definition.panel ? page.collector.panel : page.collector.lead).push(...nodes);
  if (definition.panel) page.collector.panelTexts.push(...searchedPart(node, items, nodes));
  return [];
}

const misplaced = ({ name, parent }: ComponentDefinition, location: Location, isNested: boolean): Diagnostic => ({
  ...warningOf("COMPONENT_ALONE"),
  what: isNested
    ? `<${name}> is inside another <${name}>, so it is no part of its <${parent}>.`
    : `<${name}> must be inside <${parent}>, but is not.`,
  location: { ...location, length: name.length + 1 },
  fix: isNested
    ? `write </${name}> before it, or put <${parent}> around those inside.`
    : `put <${parent}> before the first <${name}> and </${parent}> after the last.`,
});

/** The part of a panel that the search reads, without blocks that repeat the first `telling` ones. */
function searchedPart(
  node: JsxElement,
  items: readonly ComponentItem[] | undefined,
  nodes: ElementContent[],
): readonly ElementContent[] {
  const telling = node.data?.props?.["telling"];
  return typeof telling === "number" ? (items ?? []).slice(0, telling).flatMap((item) => item.children) : nodes;
}

interface Opened {
  /** Converted, with `className`. */
  readonly props: Record<string, unknown>;
  readonly id?: string;
  readonly children: ElementContent[];
  readonly items?: readonly ComponentItem[];
  /** The content after the last item. */
  readonly after?: readonly ElementContent[];
}

/**
 * Converts the properties of a component, registers its anchor and outline entry, and renders its content.
 * @param inherited properties of the parent that renders it, which can affect the outline entry.
 */
function open(
  state: State,
  node: JsxElement,
  definition: ComponentDefinition,
  inherited: Readonly<Record<string, unknown>>,
): Opened {
  const page = pageOf(state);
  const location = locationOf(page, node);
  const outerLocation = page.position.location;
  const outerView = page.position.view;
  page.position.location = location;

  const written: Props = node.data?.props ?? {};
  const props = prepareProps(state, definition, written, location);
  const className = writtenClassName(written);
  if (className !== undefined) props["className"] = className;
  const title = titleOf(definition, written);
  const id = idOf(page, node, definition, written, title);
  register(page, definition, { ...inherited, ...props }, id, title);

  if (page.position.around.at(-1)?.distinct === definition.name)
    reportSameTitle(page, labelOf(props["title"] as ElementContent[]), location);
  const { distinct } = definition;
  page.position.around.push({ name: definition.name, id, props, ...(distinct && { distinct, titles: new Map() }) });
  const content = definition.items
    ? itemsOf(state, node, definition.items, distinct !== undefined)
    : { children: state.all(withLineBreaks(node)) };
  page.position.around.pop();
  page.position.location = outerLocation;
  page.position.view = outerView;
  if (node.position !== undefined) reportLack(page, node, definition, { props, id, ...content }, location);
  return { props, id, ...content };
}

/**
 * Reports a title that another child of the component has too, since readers choose by titles.
 * @param isLanguage whether the title is the language of a block of code that has no title.
 */
function reportSameTitle(page: PageRender, title: string | undefined, location: Location, isLanguage = false): void {
  const { name, titles } = page.position.around.at(-1)!;
  if (!title) return;
  const first = titles!.get(title);
  titles!.set(title, first ?? location);
  if (first === undefined || first.line === undefined || location.line === undefined) return;
  const fix = isLanguage
    ? "write a title after the language of each block: ```js Browser"
    : "give each a title that says what it shows.";
  page.collector.reportOnce(`TITLE_TWICE ${location.line}:${location.column} ${title}`, () => ({
    ...warningOf("TITLE_TWICE", location),
    what: `Two parts of this <${name}> have the title ${quoted(title)}, so readers cannot tell them apart.`,
    related: { location: { ...first, length: 1 }, what: "the first one" },
    fix,
  }));
}

/** These show only their properties. */
const withoutContent = new Set(["Icon", "Color.Item", "Tree.File"]);

/** Reports a component that is empty or lacks something. */
function reportLack(
  page: PageRender,
  node: JsxElement,
  { name, required = [], exclusive = [], container, contains, index = "", items: itemNames }: ComponentDefinition,
  { props, children, items }: Opened,
  location: Location,
): void {
  const report = (code: string, what: string, fix: string, rest?: Pick<Diagnostic, "about">): void =>
    page.collector.reportOnce(`${code} ${name} ${location.line}:${location.column}`, () => {
      return { code, severity: "warning", what, fix, location: { ...location, length: name.length + 1 }, ...rest };
    });
  const isSet = required.some((prop) => props[prop] !== undefined || node.data?.props?.[prop] !== undefined);
  // A value that cannot be computed is reported elsewhere.
  const isUnknown = node.attributes.some((prop) => isExpression(prop) && required.includes(prop.name));
  // An unknown property is reported elsewhere, with the right name.
  const isMisnamed = node.attributes.some(
    (prop) =>
      prop.type === "mdxJsxAttribute" && !propNamesOf(name)?.has(prop.name) && !/^title$|^class|-/.test(prop.name),
  );
  if (required.length > 0 && !isSet && !isMisnamed && !isUnknown)
    report("PROPERTY_MISSING", `<${name}> has no ${required[0]}.`, `write <${name} ${required[0]}="…">.`);
  const used = exclusive.filter((prop) => props[prop] !== undefined);
  if (used.length > 1)
    report(
      "PROPERTY_VALUE",
      `<${name}> has both ${used[0]} and ${used[1]}; only ${used[0]} is used.`,
      `remove ${used[1]}.`,
    );
  const isBlankContent = children.every((child) => child.type === "text" && isBlank(child.value));
  // Without a name, the content of a file is its name.
  if (withoutContent.has(name) && !isBlankContent && !(name === "Tree.File" && props["name"] === undefined))
    report(
      "COMPONENT_ALONE",
      `The content of <${name}> is not shown.`,
      `write <${name} … /> and the content after it.`,
    );
  const block = name === "Tooltip" ? (node.children as RootContent[]).find(({ type }) => blocks.has(type)) : undefined;
  if (block)
    report(
      "PROPERTY_VALUE",
      `The ${block.type} in <${name}> is shown as words of one line.`,
      `write only words between <${name}> and </${name}>, and the ${block.type} outside.`,
    );
  const chosen = props[index];
  if (typeof chosen === "number" && items?.length && items[chosen] === undefined)
    report(
      "PROPERTY_VALUE",
      `${index} of <${name}> is ${chosen}, but its parts are numbered from 0 to ${items.length - 1}; the first is shown.`,
      `write ${index}={${chosen === items.length ? items.length - 1 : 0}}.`,
    );
  if (name === "Frame") {
    const [content = node] = (node.children as RootContent[]).filter(
      (child) => !("value" in child && isBlank(child.value)),
    );
    // A missing image or video shows its name, too, which is reported already.
    const parts = content.type === "paragraph" ? content.children : [content];
    if (parts.every(({ type }) => type === "text" || type === "link"))
      reportShownAddress(page, labelOf(children)?.trim() ?? "", locationOf(page, content));
  }
  const isEmpty = isBlankContent && !items?.length;
  const mayBeEmpty = container === undefined || container.some((prop) => props[prop] !== undefined);
  const end = `${name}>`;
  const [item] = contains ?? itemNames ?? [];
  const hasParts = contains ? holdsAny(node, contains) : mayBeEmpty || items?.length !== 0;
  // An empty block of code has a message of its own.
  if (isEmpty && !mayBeEmpty && !isMisnamed && !holdsAny(node, ["code"]))
    report("COMPONENT_EMPTY", `<${end} has no content.`, `add content before </${end}, or remove it.`);
  else if (!isEmpty && !hasParts) {
    const part = item === "code" ? "code block" : `<${item}>`;
    const { components } = page.context.tools;
    const other = (node.children as RootContent[]).flatMap((child) =>
      child.type === "mdxJsxFlowElement" && /^[A-Z]/.test(child.name ?? "") && !components.has(child.name!)
        ? child.name!
        : [],
    )[0];
    report(
      "COMPONENT_EMPTY",
      `<${end} has no ${part} ${contains ? "in" : "directly inside"} it, so only its content is shown.`,
      other && !contains
        ? `write ${part} in place of <${other}>.`
        : `write each part as ${/^<?[AEIOU]/.test(part) ? "an" : "a"} ${part}.`,
      other && !contains ? { about: [`${location.sourcePath} ${other}`] } : {},
    );
  }
}

const blocks = new Set(["list", "code", "table", "blockquote", "heading"]);

/** Whether one of the components is in the content. What a script renders in the browser may be one of them. */
const holdsAny = ({ children }: { readonly children?: readonly unknown[] }, names: readonly string[]): boolean =>
  (children as RootContent[] | undefined)?.some(
    (child) =>
      child.type.startsWith("island") ||
      names.includes(("name" in child && child.name) || child.type) ||
      holdsAny(child as { children?: readonly unknown[] }, names),
  ) ?? false;

/**
 * Separates the direct children that the component renders as items from the others. Content between two items is shown
 * before all items if readers choose one of them (`isChoice`); otherwise it belongs to the item before it.
 */
function itemsOf(
  state: State,
  node: JsxElement,
  names: readonly string[],
  isChoice: boolean,
): Pick<Opened, "children" | "items" | "after"> {
  const items: ComponentItem[] = [];
  const before: RootContent[] = [];
  let loose: RootContent[] = [];
  for (const child of directChildren(node.children as RootContent[], names)) {
    const item = itemOf(state, child, names);
    if (item) {
      const [text] = items.length === 0 ? [] : loose;
      if (isChoice && text?.type === "paragraph") reportMoved(state, node, text);
      if (isChoice || items.length === 0) before.push(...loose);
      else items.at(-1)!.children.push(...allOf(state, loose));
      loose = [];
      items.push(item);
    } else if (child.type !== "text" || !isBlank(child.value)) loose.push(child);
  }
  if (items.length === 0) return { items, children: allOf(state, loose) };
  return { items, children: allOf(state, before), after: allOf(state, loose) };
}

function itemOf(state: State, child: RootContent, names: readonly string[]): ComponentItem | undefined {
  if (child.type === "code") return names.includes("code") ? codeItem(pageOf(state), child) : undefined;
  if (child.type !== "mdxJsxFlowElement" && child.type !== "mdxJsxTextElement") return undefined;
  if (child.name === "CodeBlock" && names.includes("code")) return codeItem(pageOf(state), codeOf(child));
  if (child.name === null || !names.includes(child.name) || isForAgents(child)) return undefined;
  const page = pageOf(state);
  const definition = page.context.tools.components.get(child.name) ?? { name: child.name, props: {}, render: nothing };
  const { props, id, children, items } = open(state, child, definition, page.position.around.at(-1)?.props ?? {});
  return { name: child.name, props: items ? { ...props, items } : props, id, children };
}
const nothing = (): never => {
  throw new Error("An item is rendered by its parent, not by itself.");
};

/** The fence of a `CodeBlock`: the one that it wraps, or one with its text. */
const codeOf = (node: JsxElement): Code =>
  (node.children as RootContent[]).find((child) => child.type === "code") ?? fenceOf(node);

function codeItem(page: PageRender, child: Code): ComponentItem {
  const { node, info } = fence(page, child);
  const title = info.title ?? info.language;
  if (page.position.around.at(-1)?.distinct === "code" && title !== undefined)
    reportSameTitle(page, title, locationOf(page, child), info.title === undefined);
  return { name: "code", props: info, children: [node] };
}

/** Reports text between two parts of a component. */
function reportMoved(state: State, { name }: JsxElement, child: RootContent): void {
  if (child.position === undefined) return;
  const location = locationOf(pageOf(state), child);
  pageOf(state).collector.reportAt(location, `COMPONENT_ALONE ${name}`, () => ({
    ...warningOf("COMPONENT_ALONE", location),
    what: `The text is in <${name}>, but in none of its parts, so it is shown above all of them.`,
    fix: "move it into the part that it belongs to.",
  }));
}

/** The children. Fragments and paragraphs of only elements are unwrapped; a paragraph with text and parts is split. */
function directChildren(children: readonly RootContent[], names: readonly string[]): RootContent[] {
  const isPart = (child: RootContent): boolean => "name" in child && names.includes(child.name ?? "");
  return children.flatMap((child): RootContent[] => {
    if (child.type === "paragraph" && isMarkupOnly(child)) return directChildren(child.children, names);
    if (child.type === "paragraph" && child.children.some(isPart)) return splitAt(child, isPart);
    const isFragment =
      (child.type === "mdxJsxFlowElement" || child.type === "mdxJsxTextElement") && child.name === null;
    return isFragment ? directChildren(child.children as RootContent[], names) : [child];
  });
}

/** Splits a paragraph into the parts of the component in it, and paragraphs of the text around them. */
function splitAt({ children }: Paragraph, isPart: (child: RootContent) => boolean): RootContent[] {
  const blocks: RootContent[] = [];
  let text: Paragraph | undefined;
  for (const child of children) {
    if (isPart(child)) {
      blocks.push(child);
      text = undefined;
    } else if (text) text.children.push(child);
    else if (child.type !== "text" || !isBlank(child.value)) {
      text = { type: "paragraph", children: [child], position: child.position };
      blocks.push(text);
    }
  }
  return blocks;
}

/** The text of the component's anchor: the first of its properties that is set. */
function titleOf(definition: ComponentDefinition, written: Props): string {
  for (const name of definition.id?.from ?? []) {
    const text = textOfProp(written[name]);
    if (text !== undefined && !isBlank(text)) return text.trim();
  }
  return "";
}

function idOf(
  page: PageRender,
  node: JsxElement,
  definition: ComponentDefinition,
  written: Props,
  title: string,
): string | undefined {
  const chosen = textOfProp(written["id"]) || node.data?.id;
  if (chosen) return page.collector.ids.claim(chosen);
  if (!definition.id) return undefined;
  const { prefix = "", nested = false, fixed } = definition.id;
  if (fixed !== undefined) return page.collector.ids.make(fixed);
  const slug = nested ? accordionSlug(title) : headingSlug(title);
  if (slug === "") return undefined;
  const parent = nested
    ? page.position.around.findLast((outer) => outer.name === definition.name && outer.id !== undefined)
    : undefined;
  return page.collector.ids.make(parent ? `${parent.id}:${slug}` : prefix + slug);
}

/** Registers a component for the page's outline, tag filter and view switcher. */
function register(
  page: PageRender,
  definition: ComponentDefinition,
  props: Readonly<Record<string, unknown>>,
  id: string | undefined,
  title: string,
): void {
  if (definition.name === "Update" && Array.isArray(props["tags"]))
    for (const tag of props["tags"] as string[]) page.collector.updateTags.add(tag);
  if (definition.name === "View" && id !== undefined && page.position.view === undefined) {
    page.collector.views.push({ id, title: title || id });
    page.position.view = id;
  }
  const toc = definition.id?.toc;
  const depth = typeof toc === "function" ? toc(props) : toc;
  if (id !== undefined && title !== "" && isOwnSection(definition.name)) page.collector.sectionTitles.set(id, title);
  if (depth !== undefined && id !== undefined && title !== "")
    addToOutline(page, id, depth, title.replace(/\s+/g, " "));
}
