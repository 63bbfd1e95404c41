import { parseColor, withTokens } from "./colors.js";
import { printDeclarations, type Rule, readDeclarations, readRules } from "./drawing-css.js";
import { parseSvg, printSvg, type SvgElement, textOfSvg, walkSvg } from "./svg-tree.js";
import { adjustText, type OwnStyles, shadeOf, wordsOf } from "./user-colors.js";

/**
 * Makes a drawing of Mermaid's fit to stand in a page: parts of an allow-list only, style in a sheet of its own,
 * colours that follow the theme, ids that no other drawing has.
 *
 * In:    `hash` tells drawings apart: letters and digits, a letter first. `ground` is what a drawing in colours of its
 *        own was made for.
 * Out:   `svg` without `style`; its ids begin with `<hash>-`, its root has the class `<hash>`. Every rule of `css`
 *        stands under that class.
 *
 * @throws {SyntaxError} if the text is no SVG.
 */
export function finishDrawing(text: string, hash: string, ground?: "light" | "dark"): { svg: string; css: string } {
  const read = parseSvg(text);
  const id = read.attributes.get("id") ?? "";
  const rules: Rule[] = [];
  for (const [element] of walkSvg(read)) if (element.name === "style") rules.push(...readRules(textOfSvg(element), id));

  const label = labelOf(read);
  const styles: OwnStyles = new Map();
  const svg = copyAllowed(read, styles);
  if (typeof svg === "string" || !svg) throw new SyntaxError("The drawing is empty.");
  const ids = referencedIds(svg);
  for (const [element] of walkSvg(svg)) renameIds(element, ids, hash, id);
  dropUnseen(svg);
  if (read.attributes.get("aria-roledescription") === "mindmap") centreLabels(svg);
  const used = keepUsed(svg, adjustText(svg, styles), rules);
  const size = sizeOf(svg);
  svg.attributes.delete("id");
  setRoot(svg, { class: hash, width: size.width, height: size.height, role: "img", "aria-label": label });
  if (ground) svg.attributes.set("data-ground", ground);
  return { svg: printSvg(svg), css: printCss(used, hash, Number.parseFloat(size.width)) };
}

const elements = new Set(
  (
    "svg g a path rect circle ellipse line polyline polygon text tspan defs marker linearGradient radialGradient stop " +
    "clipPath symbol use"
  ).split(" "),
);
const attributes = new Set(
  (
    "class id d x y x1 y1 x2 y2 cx cy r rx ry dx dy width height points transform viewBox preserveAspectRatio fill " +
    "fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin opacity " +
    "marker-start marker-mid marker-end markerWidth markerHeight markerUnits orient refX refY text-anchor " +
    "dominant-baseline alignment-baseline font-size font-weight font-style text-decoration textLength lengthAdjust " +
    "offset stop-color stop-opacity gradientUnits gradientTransform clip-path"
  ).split(" "),
);

/** What is allowed of an element and in it; inline styles go to `styles`. */
function copyAllowed(node: SvgElement | string, styles: OwnStyles): SvgElement | string | undefined {
  if (typeof node === "string") return node;
  if (!elements.has(node.name)) return undefined;
  const href = node.attributes.get("href") ?? node.attributes.get("xlink:href") ?? "";
  const isLink = node.name === "a" && /^https?:\/\/[^\s"'<>\\]+$/i.test(href);
  const element: SvgElement = {
    name: node.name === "a" && !isLink ? "g" : node.name,
    attributes: new Map(),
    children: [],
  };
  for (const [name, written] of node.attributes) {
    if (!attributes.has(name)) continue;
    const value = allowedValue(node, name, written);
    if (value !== undefined) element.attributes.set(name, value);
  }
  if (isLink) for (const pair of linkAttributes(href)) element.attributes.set(...pair);
  else if (node.name === "use") {
    if (!/^#[\w-]+$/.test(href)) return undefined;
    element.attributes.set("href", href);
  }
  const style = readDeclarations(node.attributes.get("style") ?? "");
  const shade =
    node.name === "rect" && node.attributes.get("class") === "rect"
      ? shadeOf(node.attributes.get("fill") ?? "")
      : undefined;
  if (shade) style.push({ property: "fill", value: shade });
  if (style.length > 0) styles.set(element, style);
  for (const child of node.children) {
    const copy = copyAllowed(child, styles);
    if (copy !== undefined) element.children.push(copy);
  }
  return element;
}

const linkAttributes = (href: string): [string, string][] => [
  ["href", href],
  ["target", "_blank"],
  ["rel", "noopener noreferrer"],
];

function allowedValue(element: SvgElement, name: string, value: string): string | undefined {
  if (name === "id") return /^[\w-]+$/.test(value) ? value : undefined;
  if (name === "class")
    return (
      value
        .split(/\s+/)
        .filter((each) => /^[A-Za-z_][\w-]*$/.test(each) && !(element.name === "text" && boxClass.test(each)))
        .join(" ") || undefined
    );
  if (/url|[\\<>;:{}]/i.test(value)) return /^url\(#[\w-]+\)$/.test(value) ? value : undefined;
  if (name === "fill" || name === "stroke" || name === "stop-color") {
    const fixed = fixedColors[`${name} ${value.toLowerCase()}`];
    if (element.name === "text" && fixed !== undefined) return "var(--diagram-text)";
    return fixed ?? withTokens(value);
  }
  if (value.includes("NaN") || value.includes("Infinity")) return undefined;
  if (element.name === "svg" && value.includes("%")) return undefined;
  return value.replace(/\d+\.\d{3,}/g, (number) => String(Math.round(Number(number) * 100) / 100));
}

/** Fills of boxes, which Mermaid puts on the words in them too. */
const boxClass = /^(?:section|task)-type-/;

/** Colours that Mermaid writes into its drawings whatever the theme. */
const fixedColors: Readonly<Record<string, string>> = {
  "stroke black": "var(--diagram-line)",
  "stroke #000": "var(--diagram-line)",
  "stroke #000000": "var(--diagram-line)",
  "stroke #333": "var(--diagram-line)",
  "stroke #444444": "var(--diagram-line)",
  "stroke #666": "var(--diagram-node-border)",
  "stroke currentcolor": "var(--diagram-grid)",
  "fill black": "var(--diagram-text)",
  "fill #000": "var(--diagram-text)",
  "fill #000000": "var(--diagram-text)",
  "fill #333": "var(--diagram-text)",
  "fill #444444": "var(--diagram-text)",
  "fill #eaeaea": "var(--diagram-node)",
  "fill #edf2ae": "var(--diagram-note)",
  "fill white": "var(--diagram-bg)",
  "fill #fff": "var(--diagram-bg)",
  "fill #ffffff": "var(--diagram-bg)",
};

/** Turns inline styles into classes, and leaves out rules and classes that meet nothing. */
function keepUsed(svg: SvgElement, styles: OwnStyles, rules: readonly Rule[]): { rules: Rule[]; own: Rule[] } {
  const classes = new Set<string>();
  const names = new Set<string>();
  for (const [element] of walkSvg(svg)) {
    names.add(element.name);
    for (const each of (element.attributes.get("class") ?? "").split(" ")) classes.add(each);
  }
  const kept = rules.map(withoutVeil).filter((rule) => meets(rule, classes, names) && !isTextOfWriter(rule));
  const wanted = new Set(
    kept.flatMap(({ selector }) => [...selector.matchAll(/\.([\w-]+)/g)].map((found) => found[1]!)),
  );
  const own = new Map<string, Rule>();
  for (const [element] of walkSvg(svg)) {
    const left = (element.attributes.get("class") ?? "").split(" ").filter((each) => wanted.has(each));
    const declarations = styles.get(element) ?? [];
    if (declarations.length > 0) {
      const style = printDeclarations(declarations);
      const name = `s${own.size}`;
      if (!own.has(style)) own.set(style, { selector: `.${name}`, declarations });
      left.push(own.get(style)!.selector.slice(1));
    }
    if (left.length > 0) element.attributes.set("class", [...new Set(left)].join(" "));
    else element.attributes.delete("class");
  }
  return { rules: kept, own: [...own.values()] };
}

function meets({ selector }: Rule, classes: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  const bare = selector.replace(/\[[^\]]*\]|:not\([^)]*\)/g, "");
  for (const [, name] of bare.matchAll(/\.([\w-]+)/g)) if (!classes.has(name!)) return false;
  for (const [, name] of bare.matchAll(/(?:^|[\s>+~])([A-Za-z][\w-]*)/g)) if (!names.has(name!)) return false;
  return !/\[data-look=/.test(selector);
}

/** Text colours that the writer gave to a class stand in the elements' own styles too, where they are checked. */
function isTextOfWriter({ selector, declarations }: Rule): boolean {
  return /(?:^|[\s>])(?:tspan|text)$/.test(selector) && declarations.some(({ value }) => parseColor(value));
}

/** Mermaid lets lines shine through the ground of their labels. */
function withoutVeil(rule: Rule): Rule {
  if (!/\.edgeLabel rect$/.test(rule.selector)) return rule;
  return { ...rule, declarations: rule.declarations.filter(({ property }) => property !== "opacity") };
}

function printCss(used: { rules: Rule[]; own: Rule[] }, hash: string, width: number): string {
  const lines: string[] = [];
  const readable = Math.round(width * smallestScale);
  if (readable > 480) lines.push(`@media screen{.${hash}{min-width:${readable}px}}\n`);
  for (const [i, { selector, declarations }] of used.rules.entries()) {
    const isListed = used.rules[i + 1]?.declarations === declarations;
    const body = isListed ? "," : `{${printDeclarations(declarations)}}\n`;
    lines.push(`.${hash}${selector}${body}`);
  }
  for (const { selector, declarations } of used.own)
    lines.push(`.${hash} ${selector}{${printDeclarations(declarations, "!important")}}\n`);
  return lines.join("");
}
/** A wide drawing shrinks to this, so that its text stays legible; what is wider still is scrolled. */
const smallestScale = 0.66;

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

/** Definitions that nothing refers to, groups and texts that are empty. */
function dropUnseen(element: SvgElement): void {
  element.children = element.children.filter((child) => {
    if (typeof child === "string") return /^(?:text|tspan|a)$/.test(element.name) || child.trim() !== "";
    dropUnseen(child);
    if (defined.has(child.name)) return child.attributes.has("id");
    if (hollow.has(child.name)) return child.children.length > 0;
    return child.name !== "rect" || child.attributes.has("width");
  });
}
const hollow = new Set(["g", "defs", "text", "tspan"]);
const defined = new Set(["marker", "linearGradient", "radialGradient", "symbol", "clipPath"]);

/** Shapes of mind maps put their label in the middle, and leave it to HTML to centre the text there. */
function centreLabels(svg: SvgElement): void {
  for (const [text, around] of walkSvg(svg)) {
    const placed = around.findLast(({ attributes }) => attributes.has("transform"));
    if (text.name === "text" && placed?.attributes.get("transform")?.startsWith("translate(0,"))
      text.attributes.set("text-anchor", "middle");
  }
}

/** Pixels as written in the view box, so that the page keeps the room before anything is drawn. */
function sizeOf(svg: SvgElement): { width: string; height: string } {
  const box = (svg.attributes.get("viewBox") ?? "").split(/[\s,]+/).map(Number);
  const written = [Number(svg.attributes.get("width")), Number(svg.attributes.get("height"))];
  const [width, height] = box.length === 4 && box.every(Number.isFinite) ? [box[2]!, box[3]!] : written;
  if (!(width! > 0 && height! > 0)) throw new SyntaxError("The drawing has no size.");
  return { width: String(Math.ceil(width!)), height: String(Math.ceil(height!)) };
}

function setRoot(svg: SvgElement, values: Readonly<Record<string, string>>): void {
  const own = svg.attributes.get("class");
  for (const [name, value] of Object.entries(values)) svg.attributes.set(name, value);
  if (own !== undefined) svg.attributes.set("class", `${values["class"]} ${own}`);
}

function labelOf(read: SvgElement): string {
  const child = (name: string): string | undefined => {
    const found = read.children.find((each) => typeof each !== "string" && each.name === name);
    return found === undefined ? undefined : textOfSvg(found).replace(/\s+/g, " ").trim() || undefined;
  };
  const kind = kinds[read.attributes.get("aria-roledescription") ?? ""] ?? "Diagram";
  const described = [child("title"), child("desc")].filter((text) => text !== undefined);
  if (described.length > 0) return described.join(". ");
  const words = wordsOf(read, 160);
  return words === "" ? kind : `${kind}: ${words}`;
}

const kinds: Readonly<Record<string, string>> = {
  "flowchart-v2": "Flowchart",
  sequence: "Sequence diagram",
  stateDiagram: "State diagram",
  class: "Class diagram",
  classDiagram: "Class diagram",
  er: "Entity relationship diagram",
  gantt: "Gantt chart",
  pie: "Pie chart",
  gitGraph: "Git graph",
  journey: "User journey",
  timeline: "Timeline",
  mindmap: "Mind map",
  quadrantChart: "Quadrant chart",
  xychart: "Chart",
  requirement: "Requirement diagram",
  sankey: "Sankey diagram",
  c4: "C4 diagram",
  kanban: "Kanban board",
  block: "Block diagram",
  packet: "Packet diagram",
  architecture: "Architecture diagram",
  radar: "Radar chart",
  treemap: "Treemap",
};
