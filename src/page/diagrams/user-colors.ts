import { contrast, luminance, type Rgb } from "../../lib/color.js";
import type { Declaration } from "./diagram-css.js";
import { type Color, parseColor, rgbOf } from "./placeholder-colors.js";
import { type SvgElement, textOfSvg, walkSvg } from "./svg-tree.js";

/** The inline declarations of elements. */
export type OwnStyles = Map<SvgElement, readonly Declaration[]>;

const dark: Rgb = [0.07 * 255, 0.08 * 255, 0.1 * 255];
const light: Rgb = [255, 255, 255];
const shapes = new Set(["rect", "polygon", "circle", "ellipse", "path"]);

/**
 * Keeps the text of nodes legible if the author chose colours. On the author's fill, text with low contrast becomes dark
 * or white. Without a fill, near-black or near-white text gets the theme's colour, because the background depends on the
 * mode.
 */
export function adjustText(svg: SvgElement, styles: OwnStyles): OwnStyles {
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
      ancestors.some((each) => /(?:^|\s)label(?:\s|$)/.test(each.attributes.get("class") ?? ""))
    )
      continue;
    const fill = styles.get(element)?.findLast(({ property }) => property === "fill")?.value;
    const color = fill === undefined ? undefined : parseColor(fill);
    if (color) return color;
  }
  return undefined;
}

/** Backgrounds that a sequence diagram puts behind its messages: a shade of them, which suits dark mode too. */
export function shadeOf(fill: string): string | undefined {
  const color = parseColor(fill);
  if (!color) return undefined;
  const isDeep = luminance(rgbOf(color)) < 0.45 && color[3] > 0.5;
  return `color-mix(in srgb, ${fill} ${isDeep ? "var(--diagram-shade-deep)" : "var(--diagram-shade)"}, transparent)`;
}

/** The words of a diagram, for screen readers. */
export function diagramWords(svg: SvgElement, maxLength: number): string {
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
