import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";

/**
 * A document as text that people can read and compare: the facts in its head, the areas around the page as text, links
 * and nesting, the page itself as markup. It leaves out icons, scripts, style sheets, the colours of code, and all
 * classes except those that style sheets of sites rely on.
 */
export function outlineDocument(html: string): string {
  const document = parse(html);
  const root = element(document, (node) => node.tagName === "html")!;
  const sections: string[] = [opening(root)];
  for (const node of elements(root)) if (headFact(node) !== undefined) sections.push(headFact(node)!);
  for (const [name, id] of areas) {
    const part = element(root, (node) => attribute(node, "id") === id);
    if (part === undefined) continue;
    const isMarkup = id === "content-area" || element(part, (node) => attribute(node, "id") === "panel");
    const lines = isMarkup ? markup(part) : outline(part);
    sections.push("", `${name}:`, ...lines.map((line) => `  ${line}`.trimEnd()));
  }
  return `${sections.join("\n")}\n`;
}

/** The areas of a document in reading order: name and id. */
const areas = [
  ["banner", "banner"],
  ["header", "navbar"],
  ["sidebar", "sidebar"],
  ["page", "content-area"],
  ["beside", "content-side-layout"],
  ["footer", "footer"],
] as const;

function headFact(node: Tree.Element): string | undefined {
  if (node.tagName === "title" && node.parentNode?.nodeName === "head") return `title: ${nodeText(node)}`;
  if (node.tagName === "meta") {
    const name = attribute(node, "name") ?? attribute(node, "property");
    return name === undefined || name === "viewport" ? undefined : `${name}: ${attribute(node, "content")}`;
  }
  if (node.tagName === "link") {
    const rel = attribute(node, "rel");
    const words = ["type", "title", "hreflang", "media"].flatMap((name) => attribute(node, name) ?? []);
    return rel === "stylesheet" ? undefined : `${[rel, ...words].join(" ")}: ${attribute(node, "href")}`;
  }
  if (node.tagName === "script" && attribute(node, "type") === "application/ld+json")
    return `structured data:\n${JSON.stringify(JSON.parse(nodeText(node)), null, 2).replace(/^/gm, "  ")}`;
  return undefined;
}

/** Text, links and nesting. */
function outline(node: Tree.ParentNode, depth = 0): string[] {
  const lines: string[] = [];
  const addLine = (text: string): void => {
    if (text.trim() !== "") lines.push("  ".repeat(depth) + text.trim());
  };
  for (const child of node.childNodes) {
    if (child.nodeName === "#text") addLine(squeeze((child as Tree.TextNode).value));
    if (!("tagName" in child) || skipped.has(child.tagName)) continue;
    const words = squeeze(nodeText(child)) || (attribute(child, "aria-label") ?? altOf(child) ?? "");
    if (child.tagName === "a") addLine(`${words} -> ${attribute(child, "href")}${stateOf(child)}`);
    else if (child.tagName === "button") addLine(`[${words}]${stateOf(child)}`);
    else if (child.tagName === "summary") addLine(`(fold) ${words}`);
    else if (child.tagName === "option") addLine(`* ${words}`);
    else if (child.tagName === "img") addLine(`picture ${attribute(child, "src")} "${attribute(child, "alt")}"`);
    else {
      const isList = child.tagName === "ul" || child.tagName === "ol";
      const isClosed = child.tagName === "details" && attribute(child, "open") === undefined;
      if (isClosed) addLine("(closed)");
      lines.push(...outline(child, isList ? depth + 1 : depth));
    }
  }
  return lines;
}

const skipped = new Set(["svg", "script", "style", "template"]);

const stateOf = (node: Tree.Element): string => {
  const current = attribute(node, "aria-current");
  if (current === "page") return " (this page)";
  return current !== undefined || attribute(node, "data-active") !== undefined ? " (here)" : "";
};

const altOf = (node: Tree.Element): string | undefined => {
  const image = element(node, (each) => each.tagName === "img");
  return image && attribute(image, "alt");
};

/** Markup, one line for each block; an element with only text is on one line. */
function markup(node: Tree.ParentNode): string[] {
  const lines: string[] = [];
  let line = "";
  const flush = (): void => {
    if (line.trim() !== "") lines.push(squeeze(line).trim());
    line = "";
  };
  for (const child of node.childNodes) {
    if (child.nodeName === "#text") line += escapeText((child as Tree.TextNode).value);
    else if ("tagName" in child) {
      if (child.tagName === "pre") {
        flush();
        const code = element(child, ({ tagName }) => tagName === "code");
        lines.push(`${opening(child)}${code ? opening(code) : ""}`, ...codeLines(child), "</pre>");
      } else if (isInline(child)) line += inlineMarkup(child);
      else {
        flush();
        const inner = markup(contentOf(child));
        const short = inner.length === 1 && !inner[0]!.startsWith("<") ? inner[0]! : undefined;
        if (inner.length === 0 && voids.has(child.tagName)) lines.push(opening(child));
        else if (inner.length === 0 || short !== undefined || holdsText(child))
          lines.push(`${opening(child)}${inner.join("")}</${child.tagName}>`);
        else lines.push(opening(child), ...inner.map((each) => `  ${each}`), `</${child.tagName}>`);
      }
    }
  }
  flush();
  return lines;
}

const inlineNames = new Set(
  "a abbr b br code del em i img input ins kbd mark math q s small span strong sub sup svg time u wbr".split(" "),
);
/** Replaced by a short form. */
const abbreviated = new Set(["svg", "math"]);
const formulaOf = (node: Tree.Element): string =>
  nodeText(element(node, ({ tagName }) => tagName === "annotation") ?? node);
const voids = new Set("area br col embed hr img input link meta source track wbr".split(" "));

/** An element of running text without blocks in it. */
const isInline = (node: Tree.Element): boolean =>
  abbreviated.has(node.tagName) ||
  (inlineNames.has(node.tagName) &&
    contentOf(node).childNodes.every((child) => !("tagName" in child) || isInline(child)));

/** Whether all content is on one line. */
const holdsText = (node: Tree.Element): boolean =>
  contentOf(node).childNodes.every((child) => child.nodeName === "#text" || ("tagName" in child && isInline(child)));

function inlineMarkup(node: Tree.Element): string {
  if (node.tagName === "svg") return node.childNodes.length === 0 ? "<svg></svg>" : "<svg/>";
  if (node.tagName === "math") return `<math>${escapeText(formulaOf(node))}</math>`;
  if (voids.has(node.tagName)) return opening(node);
  const inner = contentOf(node).childNodes.map((child) =>
    "tagName" in child ? inlineMarkup(child) : escapeText("value" in child ? child.value : ""),
  );
  // Such as the colours of code.
  const open = opening(node);
  return open === "<span>" ? inner.join("") : `${open}${inner.join("")}</${node.tagName}>`;
}

/** Lines of code, each with its marks. */
function codeLines(pre: Tree.Element): string[] {
  const lines = elements(pre).filter((node) => classesOf(node).includes("line"));
  if (lines.length === 0)
    return nodeText(pre)
      .trimEnd()
      .split("\n")
      .map((line) => `  ${line}`);
  return lines.map((node) => {
    const marks = classesOf(node).filter((name) => name !== "line" && hooks.has(name));
    return `  ${marks.length > 0 ? `[${marks.join(" ")}] ` : ""}${nodeText(node).trimEnd()}`;
  });
}

function opening(node: Tree.Element): string {
  const attributes = node.attrs.flatMap(({ name, value }) => {
    if (name !== "class") return [value === "" ? ` ${name}` : ` ${name}="${escapeText(value)}"`];
    const kept = value.split(/\s+/).filter((each) => hooks.has(each));
    return kept.length > 0 ? [` class="${kept.join(" ")}"`] : [];
  });
  return `<${node.tagName}${attributes.join("")}>`;
}

/** Classes that style sheets of sites rely on. */
const hooks = new Set(
  (
    "accordion accordion-group align-center align-left align-right api-section badge breadcrumb-item breadcrumb-list callout card card-group code-block " +
    "code-block-wrap code-group color color-item color-row columns directory directory-card directory-page expandable eyebrow field frame " +
    "has-focused has-line-numbers icon line-add line-diff line-focus line-highlight line-remove mdx-content mermaid " +
    "not-found-container not-found-description not-found-status-code not-found-title pagination-next pagination-prev " +
    "pagination-title panel prompt prose step steps tab-icon tabs tile tooltip tree tree-file tree-folder update view"
  ).split(" "),
);

const contentOf = (node: Tree.ParentNode): Tree.ParentNode =>
  node.nodeName === "template" ? (node as Tree.Template).content : node;

function elements(node: Tree.ParentNode): Tree.Element[] {
  return contentOf(node).childNodes.flatMap((child) => ("tagName" in child ? [child, ...elements(child)] : []));
}
const element = (node: Tree.ParentNode, matches: (node: Tree.Element) => boolean): Tree.Element | undefined =>
  elements(node).find(matches);

const attribute = (node: Tree.Element, name: string): string | undefined =>
  node.attrs.find((each) => each.name === name)?.value;
const classesOf = (node: Tree.Element): string[] => (attribute(node, "class") ?? "").split(/\s+/);

function nodeText(node: Tree.ParentNode): string {
  return contentOf(node)
    .childNodes.map((child) => {
      if (child.nodeName === "#text") return (child as Tree.TextNode).value;
      return "tagName" in child && child.tagName !== "svg" ? nodeText(child) : "";
    })
    .join("");
}

const squeeze = (text: string): string => text.replace(/[ \t\r\n]+/g, " ").trim();
const escapeText = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
