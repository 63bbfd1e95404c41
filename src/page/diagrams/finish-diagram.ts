import { contrast, luminance, type Rgb } from "../../lib/color.js";
import allowed from "./allow-list.json" with { type: "json" };
import { type Declaration, printDeclarations, type Rule, readDeclarations, readRules } from "./diagram-css.js";
import diagramKinds from "./diagram-kinds.json" with { type: "json" };
import { type Color, parseColor, rgbOf, withTokens } from "./placeholder-colors.js";
import { parseSvg, printSvg, type SvgElement, textOfSvg, walkSvg } from "./svg-tree.js";

/**
 * Prepares Mermaid's output for a page: allowed parts only, a style sheet of its own, colours that follow the theme,
 * unique ids.
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

  const { label, title } = diagramLabel(read, source);
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
    const suffix = id.startsWith(from) ? id.slice(from.length).replace(/^[-_]+/, "") : id;
    return `${hash}-${suffix}`;
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

/** Mind maps rely on HTML to centre the text of labels. */
function centreLabels(svg: SvgElement): void {
  for (const [text, around] of walkSvg(svg)) {
    const placed = around.findLast(({ attributes }) => attributes.has("transform"));
    if (text.name === "text" && placed?.attributes.get("transform")?.startsWith("translate(0,"))
      text.attributes.set("text-anchor", "middle");
  }
}

/** The size of the view box in pixels. The page needs it to reserve space. */
function sizeOf(svg: SvgElement): { width: string; height: string } {
  const box = (svg.attributes.get("viewBox") ?? "").split(/[\s,]+/).map(Number);
  const written = [Number(svg.attributes.get("width")), Number(svg.attributes.get("height"))];
  const [width, height] = box.length === 4 && box.every(Number.isFinite) ? [box[2]!, box[3]!] : written;
  if (!(width! > 0 && height! > 0)) throw new SyntaxError("The diagram has no size.");
  return { width: String(Math.ceil(width!)), height: String(Math.ceil(height!)) };
}

function setRoot(svg: SvgElement, values: Readonly<Record<string, string>>): void {
  const classNames = svg.attributes.get("class");
  for (const [name, value] of Object.entries(values)) svg.attributes.set(name, value);
  if (classNames !== undefined) svg.attributes.set("class", `${values["class"]} ${classNames}`);
}

/**
 * The texts for screen readers. `label` is the diagram's own title and description, or its kind and its words.
 *
 * Mermaid marks up only `accTitle` and `accDescr` in the SVG; a visible title is a text like any other there.
 */
function diagramLabel(
  read: SvgElement,
  source: string,
): { readonly label: string; readonly title: string | undefined } {
  const child = (name: string): string | undefined => {
    const node = read.children.find((inner) => typeof inner !== "string" && inner.name === name);
    return node === undefined ? undefined : oneLine(textOfSvg(node));
  };
  const title = child("title") ?? titleIn(source);
  const description = child("desc");
  const kind = kinds[read.attributes.get("aria-roledescription") ?? ""] ?? "Diagram";
  if (title !== undefined) return { title, label: description === undefined ? title : `${title}. ${description}` };
  const words = description ?? diagramWords(read, 160);
  return { title, label: words === "" ? kind : `${kind}: ${words}` };
}

/** The title in the front matter of a diagram, or its `title` line in the types that have one. */
function titleIn(source: string): string | undefined {
  const [, matter, rest] = /^\s*---[ \t]*\n((?:.*\n)*?)[ \t]*---[ \t]*\n([\s\S]*)$/.exec(source) ?? ["", "", source];
  const body = (rest ?? "").replace(/^[ \t]*%%.*$/gm, "").trimStart();
  const written =
    /^[ \t]*title:[ \t]*(.+)$/m.exec(matter ?? "")?.[1] ??
    (titledKinds.test(body) ? /^[ \t]*(?:pie\b.*?[ \t])?title:?[ \t]+(.+)$/m.exec(body)?.[1] : undefined);
  return written === undefined
    ? undefined
    : oneLine(
        written
          .trim()
          .replace(/^(["'])(.*)\1$/, "$2")
          .replace(/<[^<>]*>/g, " "),
      );
}
const titledKinds = /^(?:sequenceDiagram|gantt|pie|journey|timeline|quadrantChart|xychart|radar|packet|treemap|C4)/;

const oneLine = (text: string): string | undefined => text.replace(/\s+/g, " ").trim() || undefined;

const kinds: Readonly<Record<string, string>> = diagramKinds;

/** The style of a finished diagram: the rules of Mermaid's style sheet, and classes made from inline styles. */
interface DiagramStyle {
  readonly rules: readonly Rule[];
  readonly classes: readonly Rule[];
}

/** Turns inline styles into classes, and drops rules and classes without a match. */
function keepUsed(svg: SvgElement, styles: OwnStyles, rules: readonly Rule[]): DiagramStyle {
  const classes = new Set<string>();
  const names = new Set<string>();
  for (const [element] of walkSvg(svg)) {
    names.add(element.name);
    for (const name of (element.attributes.get("class") ?? "").split(" ")) classes.add(name);
  }
  const usedRules = rules
    .map(withoutLabelOpacity)
    .filter((rule) => matches(rule, classes, names) && !isAuthorTextColor(rule));
  const usedClasses = new Set(
    usedRules.flatMap(({ selector }) => [...selector.matchAll(/\.([\w-]+)/g)].map(([, name]) => name!)),
  );
  const classRules = new Map<string, Rule>();
  for (const [element] of walkSvg(svg)) {
    const usedNames = (element.attributes.get("class") ?? "").split(" ").filter((name) => usedClasses.has(name));
    const declarations = styles.get(element) ?? [];
    if (declarations.length > 0) {
      const style = printDeclarations(declarations);
      const name = `s${classRules.size}`;
      if (!classRules.has(style)) classRules.set(style, { selector: `.${name}`, declarations });
      usedNames.push(classRules.get(style)!.selector.slice(1));
    }
    if (usedNames.length > 0) element.attributes.set("class", [...new Set(usedNames)].join(" "));
    else element.attributes.delete("class");
  }
  return { rules: usedRules, classes: [...classRules.values()] };
}

function matches({ selector }: Rule, classes: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  const bare = selector.replace(/\[[^\]]*\]|:not\([^)]*\)/g, "");
  for (const [, name] of bare.matchAll(/\.([\w-]+)/g)) if (!classes.has(name!)) return false;
  for (const [, name] of bare.matchAll(/(?:^|[\s>+~])([A-Za-z][\w-]*)/g)) if (!names.has(name!)) return false;
  return !/\[data-look=/.test(selector);
}

/** Text colours that authors give to classes are also inline styles, which `adjustText` checks. */
const isAuthorTextColor = ({ selector, declarations }: Rule): boolean =>
  /(?:^|[\s>])(?:tspan|text)$/.test(selector) && declarations.some(({ value }) => parseColor(value));

/** Mermaid's background of edge labels is translucent, so that lines would show through. */
function withoutLabelOpacity(rule: Rule): Rule {
  if (!/\.edgeLabel rect$/.test(rule.selector)) return rule;
  return { ...rule, declarations: rule.declarations.filter(({ property }) => property !== "opacity") };
}

function printCss(used: DiagramStyle, hash: string): string {
  const lines: string[] = [];
  for (const [i, { selector, declarations }] of used.rules.entries()) {
    const isListed = used.rules[i + 1]?.declarations === declarations;
    const body = isListed ? "," : `{${printDeclarations(declarations)}}\n`;
    lines.push(`.${hash}${selector}${body}`);
  }
  for (const { selector, declarations } of used.classes)
    lines.push(`.${hash} ${selector}{${printDeclarations(declarations, "!important")}}\n`);
  return lines.join("");
}

const elements = new Set(allowed.elements);
const attributes = new Set(allowed.attributes);
/** Colours that Mermaid uses whatever the theme. */
const fixedColors: Readonly<Record<string, string>> = allowed.fixedColors;

/** Copies what an allow-list has, with our colours, and moves inline styles to `styles`; undefined if not allowed. */
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
        .filter((word) => /^[A-Za-z_][\w-]*$/.test(word) && !(element.name === "text" && boxClass.test(word)))
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

/** Classes that fill boxes. Mermaid also sets them on the text in the boxes. */
const boxClass = /^(?:section|task)-type-/;

/** The inline declarations of elements. */
type OwnStyles = Map<SvgElement, readonly Declaration[]>;

const dark: Rgb = [0.07 * 255, 0.08 * 255, 0.1 * 255];
const light: Rgb = [255, 255, 255];
const shapes = new Set(["rect", "polygon", "circle", "ellipse", "path"]);

/**
 * Keeps the text of nodes legible if the author chose colours. On the author's fill, text with low contrast becomes
 * dark or white. Without a fill, near-black or near-white text gets the theme's colour, because the background depends
 * on the mode.
 */
function adjustText(svg: SvgElement, styles: OwnStyles): OwnStyles {
  const adjusted: OwnStyles = new Map(styles);
  for (const [text, ancestors] of walkSvg(svg)) {
    if (text.name !== "text" && !(text.name === "tspan" && styles.has(text))) continue;
    const node = ancestors.findLast(isNode);
    const background = node && fillOf(node, styles);
    const ownStyle = styles.get(text) ?? [];
    const written = ownStyle.findLast(({ property }) => property === "fill" || property === "color")?.value;
    const color = written === undefined ? undefined : parseColor(written);
    const rest = ownStyle.filter(({ property }) => property !== "fill" && property !== "color");
    if (background && background[3] > 0.5) {
      const back = rgbOf(background);
      if (color && contrast(rgbOf(color), back) >= 3) continue;
      const better = contrast(dark, back) >= contrast(light, back) ? "#14161a" : "#ffffff";
      adjusted.set(text, [...rest, { property: "fill", value: better }]);
    } else if (color && (luminance(rgbOf(color)) < 0.12 || luminance(rgbOf(color)) > 0.8)) adjusted.set(text, rest);
  }
  return adjusted;
}

const isNode = ({ name, attributes }: SvgElement): boolean =>
  name === "g" && /\b(?:node|cluster|statediagram-cluster|person-man)\b/.test(attributes.get("class") ?? "");

/** The fill that the author gave to the shape of a node. */
function fillOf(node: SvgElement, styles: OwnStyles): Color | undefined {
  for (const [element, ancestors] of walkSvg(node)) {
    if (
      !shapes.has(element.name) ||
      ancestors.some(({ attributes }) => /(?:^|\s)label(?:\s|$)/.test(attributes.get("class") ?? ""))
    )
      continue;
    const fill = styles.get(element)?.findLast(({ property }) => property === "fill")?.value;
    const color = fill === undefined ? undefined : parseColor(fill);
    if (color) return color;
  }
  return undefined;
}

/** A translucent shade of a background that a sequence diagram puts behind its messages. It suits dark mode too. */
function shadeOf(fill: string): string | undefined {
  const color = parseColor(fill);
  if (!color) return undefined;
  const isDeep = luminance(rgbOf(color)) < 0.45 && color[3] > 0.5;
  return `color-mix(in srgb, ${fill} ${isDeep ? "var(--diagram-shade-deep)" : "var(--diagram-shade)"}, transparent)`;
}

/** The words of a diagram, for screen readers. */
function diagramWords(svg: SvgElement, maxLength: number): string {
  const words: string[] = [];
  const seen = new Set<string>();
  for (const [element] of walkSvg(svg)) {
    if (element.name !== "text") continue;
    const text = textOfSvg(element).replace(/\s+/g, " ").trim();
    if (text === "" || seen.has(text)) continue;
    seen.add(text);
    words.push(text);
  }
  const all = words.join(", ");
  return all.length <= maxLength ? all : `${all.slice(0, all.lastIndexOf(", ", maxLength) + 1 || maxLength)} …`;
}
