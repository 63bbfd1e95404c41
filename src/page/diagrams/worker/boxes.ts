import { readFileSync } from "node:fs";
import { builtFile } from "../../../lib/package-root.js";

/** In pixels, in the coordinates of the element's parent. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Measures SVG elements like a browser with the font of the bundle, as accurately as diagrams need. */
export function createSvgMeter() {
  const meter = createTextMeter();

  /** Width of the element's text on one line. */
  const textWidth = (element: Element): number => {
    let width = 0;
    for (const node of element.childNodes) {
      if (node.nodeType === 3) width += meter((node.nodeValue ?? "").replace(/\s+/g, " "), textStyle(element));
      else if (node.nodeType === 1) width += textWidth(node as Element);
    }
    return width;
  };

  const boxOf = (element: Element): Box => {
    const number = (name: string): number => Number.parseFloat(element.getAttribute(name) ?? "") || 0;
    switch (element.localName) {
      case "text":
      case "tspan":
        return textBox(element);
      case "rect":
      case "image":
      case "use":
      case "foreignObject":
        return { x: number("x"), y: number("y"), width: number("width"), height: number("height") };
      case "circle":
        return around(number("cx"), number("cy"), number("r"), number("r"));
      case "ellipse":
        return around(number("cx"), number("cy"), number("rx"), number("ry"));
      case "line":
        return boxOfPoints([number("x1"), number("y1"), number("x2"), number("y2")]);
      case "polygon":
      case "polyline":
        return boxOfPoints(numbersIn(element.getAttribute("points") ?? ""));
      case "path":
        return boxOfPoints(pathPoints(element.getAttribute("d") ?? ""));
      default:
        return unite([...element.children].filter((child) => !unrendered.has(child.localName)).map(placedBox));
    }
  };

  const placedBox = (element: Element): Box => {
    const box = boxOf(element);
    const [, x = "0", y = "0"] =
      /translate\(\s*([-+\d.e]+)(?:[\s,]+([-+\d.e]+))?/.exec(element.getAttribute("transform") ?? "") ?? [];
    return { ...box, x: box.x + Number(x), y: box.y + Number(y) };
  };

  /** `x`, `y` or `dy` start a new row; everything else continues it. */
  const textBox = (element: Element): Box => {
    const { size } = textStyle(element);
    const rows: { baseline: number; width: number; x: number; start: Element }[] = [];
    const originY = lengthOf(element, "y", size) + lengthOf(element, "dy", size);
    const originX = lengthOf(element, "x", size) + lengthOf(element, "dx", size);
    for (const node of element.childNodes) {
      const child = node.nodeType === 1 ? (node as Element) : undefined;
      const width = child ? textWidth(child) : meter((node.nodeValue ?? "").replace(/\s+/g, " "), textStyle(element));
      if (width === 0 && !child) continue;
      const last = rows.at(-1);
      if (!last || (child && (child.hasAttribute("y") || child.hasAttribute("dy")))) {
        const from = child?.hasAttribute("y") ? lengthOf(child, "y", size) : (last?.baseline ?? originY);
        const x = child?.hasAttribute("x") ? lengthOf(child, "x", size) : originX;
        const baseline = from + (child ? lengthOf(child, "dy", size) : 0);
        rows.push({ baseline, width, x, start: child ?? element });
      } else last.width += width;
    }
    if (!rows.some((row) => row.width > 0)) return { x: originX, y: originY, width: 0, height: 0 };
    const isCentred = /^(?:middle|central)$/.test(inherited(element, "dominant-baseline") ?? "");
    const top = isCentred ? (ascent + descent) / 2 : ascent;
    return unite(
      rows.map((row) => ({
        x: row.x - row.width * (anchorShifts[inherited(row.start, "text-anchor") ?? ""] ?? 0),
        y: row.baseline - top * size,
        width: row.width,
        height: (ascent + descent) * size,
      })),
    );
  };
  return { boxOf, textWidth, property: inherited };
}

const anchorShifts: Readonly<Record<string, number>> = { middle: 0.5, end: 1 };

const unrendered = new Set("defs marker style title desc linearGradient filter symbol clipPath".split(" "));

function textStyle(element: Element): TextStyle {
  const size = inherited(element, "font-size") ?? "";
  const weight = inherited(element, "font-weight") ?? "";
  return { size: lengthIn(size, 16) || 16, bold: /bold/.test(weight) || Number.parseInt(weight, 10) >= 600 };
}

/** The value of the element or its ancestors: its inline style, else the last rule that matches, else its attribute. */
function inherited(element: Element, property: string): string | undefined {
  for (let at: Element | null = element; at?.parentElement; at = at.parentElement) {
    const style = at.getAttribute("style");
    const inlineValue = style
      ? new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;!]+)`).exec(style)?.[1]?.trim()
      : undefined;
    const value = inlineValue ?? inSheet(at, property) ?? at.getAttribute(property);
    if (value && value !== "inherit") return value;
    if (at.localName === "svg") break;
  }
  return undefined;
}

function inSheet(element: Element, property: string): string | undefined {
  const svg = (element as SVGElement).ownerSVGElement ?? element;
  const sheet = svg.querySelector(":scope > style")?.textContent ?? "";
  return rulesOf(sheet).findLast((rule) => rule.property === property && element.matches(rule.selector))?.value;
}

interface SheetRule {
  readonly selector: string;
  readonly property: string;
  readonly value: string;
}

let lastSheet: { readonly text: string; readonly rules: readonly SheetRule[] } = { text: "", rules: [] };

/** The rules that affect the size of text. */
function rulesOf(text: string): readonly SheetRule[] {
  if (lastSheet.text === text) return lastSheet.rules;
  const rules: SheetRule[] = [];
  for (const [, selector = "", body = ""] of text.matchAll(/([^{}]+)\{([^{}]*)\}/g))
    for (const [, property = "", value = ""] of body.matchAll(textProperty))
      if (!selector.includes("@")) rules.push({ selector, property, value: value.trim() });
  lastSheet = { text, rules };
  return rules;
}
const textProperty = /(?:^|;)\s*(font-size|font-weight|text-anchor|dominant-baseline)\s*:\s*([^;!]+)/g;

const lengthOf = (element: Element, name: string, size: number): number =>
  lengthIn(element.getAttribute(name) ?? "", size);

function lengthIn(text: string, size: number): number {
  const value = Number.parseFloat(text) || 0;
  return /em\s*$/.test(text) ? value * size : /pt\s*$/.test(text) ? value * (4 / 3) : value;
}

const around = (x: number, y: number, rx: number, ry: number): Box => ({
  x: x - rx,
  y: y - ry,
  width: 2 * rx,
  height: 2 * ry,
});

const numbersIn = (text: string): number[] =>
  (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);

function boxOfPoints(points: readonly number[]): Box {
  if (points.length < 2) return { x: 0, y: 0, width: 0, height: 0 };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < points.length; i += 2) {
    left = Math.min(left, points[i]!);
    right = Math.max(right, points[i]!);
    top = Math.min(top, points[i + 1]!);
    bottom = Math.max(bottom, points[i + 1]!);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function unite(boxes: readonly Box[]): Box {
  const visible = boxes.filter((box) => box.width > 0 || box.height > 0);
  return boxOfPoints(visible.flatMap(({ x, y, width, height }) => [x, y, x + width, y + height]));
}

/** Points that divide an elliptic arc into eight parts, which is precise enough. Rotation is ignored. */
function arcPoints(fromX: number, fromY: number, arc: readonly number[], toX: number, toY: number): number[] {
  const [givenRx = 0, givenRy = 0, , isLarge, isClockwise] = arc.map(Math.abs);
  if (givenRx === 0 || givenRy === 0) return [];
  const [halfX, halfY] = [(fromX - toX) / 2, (fromY - toY) / 2];
  const reach = Math.hypot(halfX / givenRx, halfY / givenRy);
  if (reach === 0) return [];
  const [rx, ry] = reach > 1 ? [givenRx * reach, givenRy * reach] : [givenRx, givenRy];
  const off =
    Math.sqrt(Math.max(0, 1 / Math.hypot(halfX / rx, halfY / ry) ** 2 - 1)) * (isLarge === isClockwise ? -1 : 1);
  const centreX = (off * rx * halfY) / ry + (fromX + toX) / 2;
  const centreY = (-off * ry * halfX) / rx + (fromY + toY) / 2;
  const angle = (x: number, y: number): number => Math.atan2((y - centreY) / ry, (x - centreX) / rx);
  const start = angle(fromX, fromY);
  let turn = angle(toX, toY) - start;
  if (isClockwise && turn < 0) turn += 2 * Math.PI;
  if (!isClockwise && turn > 0) turn -= 2 * Math.PI;
  const points: number[] = [];
  for (let i = 1; i < 8; i++) {
    const at = start + (turn * i) / 8;
    points.push(centreX + rx * Math.cos(at), centreY + ry * Math.sin(at));
  }
  return points;
}

/** The points in a path's commands, control points included, as absolute `x, y` pairs. */
export function pathPoints(path: string): number[] {
  const points: number[] = [];
  let [x, y] = [0, 0];
  for (const [, letter = "", rest = ""] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*(?:e[-+]?\d[^a-zA-Z]*)*)/g)) {
    const values = numbersIn(rest);
    const command = letter.toUpperCase();
    const isRelative = letter !== command;
    const step = command === "H" || command === "V" ? 1 : command === "A" ? 7 : 2;
    const [fromX, fromY] = [x, y];
    const perCurve = command === "C" ? 6 : command === "S" || command === "Q" ? 4 : step;
    let [baseX, baseY] = [fromX, fromY];
    for (let i = 0; i + step <= values.length; i += step) {
      if (isRelative && i % perCurve === 0) [baseX, baseY] = [x, y];
      const [addX, addY] = isRelative ? [baseX, baseY] : [0, 0];
      if (command === "H") x = values[i]! + addX;
      else if (command === "V") y = values[i]! + addY;
      else {
        const [startX, startY] = [x, y];
        x = values[i + step - 2]! + addX;
        y = values[i + step - 1]! + addY;
        if (command === "A") points.push(...arcPoints(startX, startY, values.slice(i, i + 5), x, y));
      }
      points.push(x, y);
    }
  }
  return points;
}

/** How far text of the bundle's font reaches above and below its baseline, in parts of the font size. */
const ascent = 0.96875;
const descent = 0.2412;

interface TextStyle {
  /** Pixels. */
  readonly size: number;
  readonly bold: boolean;
}

/** Widths of the bundle's font; the build writes this file. */
interface FontWidths {
  readonly unitsPerEm: number;
  /** By code point. */
  readonly advances: Readonly<Record<number, number>>;
}

/** Measures the width of a text in the bundle's font, in pixels. */
function createTextMeter(): (text: string, style: TextStyle) => number {
  const { unitsPerEm, advances } = JSON.parse(readFileSync(builtFile("font-widths.json"), "utf8")) as FontWidths;
  const widths = new Map<string, number>();

  const measure = (char: string): number => {
    const advance = advances[char.codePointAt(0)!];
    return advance === undefined ? widthElsewhere(char) : advance / unitsPerEm;
  };
  return (text, { size, bold }) => {
    let width = 0;
    for (const char of text) {
      let charWidth = widths.get(char);
      if (charWidth === undefined) {
        charWidth = measure(char);
        widths.set(char, charWidth);
      }
      width += charWidth;
    }
    return width * size * (bold ? boldWidening : 1);
  };
}

/** How much wider the bundle's font is at weight 700 than at 400. */
const boldWidening = 1.08;

/** Estimated width of a character that the bundle's font lacks, in parts of the font size. */
function widthElsewhere(char: string): number {
  if (/^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u.test(char)) return 0;
  return wide.test(char) ? 1.05 : 0.65;
}
const wide =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]$/u;
