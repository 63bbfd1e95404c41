import { copyAllowed } from "./allowed-svg.js";
import { type Rule, readRules } from "./diagram-css.js";
import { labelOf } from "./diagram-label.js";
import { keepUsed, printCss } from "./diagram-style.js";
import { parseSvg, printSvg, type SvgElement, textOfSvg, walkSvg } from "./svg-tree.js";
import { adjustText, type OwnStyles } from "./user-colors.js";

/**
 * Prepares a diagram of Mermaid's for a page: only allowed parts, a style sheet of its own, colours that follow the
 * theme, unique ids.
 *
 * In: `hash` identifies the diagram: letters and digits, a letter first. `source` is its text. `background` is the mode
 *      that a diagram with its own colours was made for.
 * Out: `svg` without `style`; its ids begin with `<hash>-`, its root has the class `<hash>`. Every rule of `css` is
 *      scoped to that class. `title` is the one that the text gives it.
 *
 * @throws {SyntaxError} if the text is not an SVG.
 */
export function finishDiagram(
  text: string,
  hash: string,
  source: string,
  background?: "light" | "dark",
): { readonly svg: string; readonly css: string; readonly title?: string } {
  const read = parseSvg(text);
  const id = read.attributes.get("id") ?? "";
  const rules: Rule[] = [];
  for (const [element] of walkSvg(read)) if (element.name === "style") rules.push(...readRules(textOfSvg(element), id));

  const { label, title } = labelOf(read, source);
  const styles: OwnStyles = new Map();
  const svg = copyAllowed(read, styles);
  if (typeof svg === "string" || !svg) throw new SyntaxError("The diagram is empty.");
  const ids = referencedIds(svg);
  for (const [element] of walkSvg(svg)) renameIds(element, ids, hash, id);
  dropUnseen(svg);
  if (read.attributes.get("aria-roledescription") === "mindmap") centreLabels(svg);
  const used = keepUsed(svg, adjustText(svg, styles), rules);
  const size = sizeOf(svg);
  svg.attributes.delete("id");
  setRoot(svg, { class: hash, width: size.width, height: size.height, role: "img", "aria-label": label });
  if (background) svg.attributes.set("data-ground", background);
  return { svg: printSvg(svg), ...(title === undefined ? {} : { title }), css: printCss(used, hash) };
}

function referencedIds(svg: SvgElement): Set<string> {
  const ids = new Set<string>();
  for (const [element] of walkSvg(svg))
    for (const [name, value] of element.attributes) {
      const id =
        /^url\(#([\w-]+)\)$/.exec(value)?.[1] ?? (name === "href" ? /^#([\w-]+)$/.exec(value)?.[1] : undefined);
      if (id !== undefined) ids.add(id);
    }
  return ids;
}

function renameIds(element: SvgElement, ids: ReadonlySet<string>, hash: string, from: string): void {
  const rename = (id: string): string => {
    const own = id.startsWith(from) ? id.slice(from.length).replace(/^[-_]+/, "") : id;
    return `${hash}-${own}`;
  };
  for (const [name, value] of element.attributes) {
    const target = /^url\(#([\w-]+)\)$/.exec(value)?.[1];
    if (target !== undefined) element.attributes.set(name, `url(#${rename(target)})`);
    else if (name === "href" && value.startsWith("#")) element.attributes.set(name, `#${rename(value.slice(1))}`);
    else if (name === "id") {
      if (ids.has(value)) element.attributes.set(name, rename(value));
      else element.attributes.delete(name);
    }
  }
}

/** Drops unused definitions, empty groups and empty texts. */
function dropUnseen(element: SvgElement): void {
  element.children = element.children.filter((child) => {
    if (typeof child === "string") return /^(?:text|tspan|a)$/.test(element.name) || child.trim() !== "";
    dropUnseen(child);
    if (defined.has(child.name)) return child.attributes.has("id");
    if (containers.has(child.name)) return child.children.length > 0;
    return child.name !== "rect" || child.attributes.has("width");
  });
}
const containers = new Set(["g", "defs", "text", "tspan"]);
const defined = new Set(["marker", "linearGradient", "radialGradient", "symbol", "clipPath"]);

/** Shapes of mind maps put their label in the middle, and rely on HTML to centre the text there. */
function centreLabels(svg: SvgElement): void {
  for (const [text, around] of walkSvg(svg)) {
    const placed = around.findLast(({ attributes }) => attributes.has("transform"));
    if (text.name === "text" && placed?.attributes.get("transform")?.startsWith("translate(0,"))
      text.attributes.set("text-anchor", "middle");
  }
}

/** The size of the view box in pixels, so that the page reserves the space before the diagram is painted. */
function sizeOf(svg: SvgElement): { width: string; height: string } {
  const box = (svg.attributes.get("viewBox") ?? "").split(/[\s,]+/).map(Number);
  const written = [Number(svg.attributes.get("width")), Number(svg.attributes.get("height"))];
  const [width, height] = box.length === 4 && box.every(Number.isFinite) ? [box[2]!, box[3]!] : written;
  if (!(width! > 0 && height! > 0)) throw new SyntaxError("The diagram has no size.");
  return { width: String(Math.ceil(width!)), height: String(Math.ceil(height!)) };
}

function setRoot(svg: SvgElement, values: Readonly<Record<string, string>>): void {
  const own = svg.attributes.get("class");
  for (const [name, value] of Object.entries(values)) svg.attributes.set(name, value);
  if (own !== undefined) svg.attributes.set("class", `${values["class"]} ${own}`);
}
