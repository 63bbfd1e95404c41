/** Mermaid draws with placeholder colours. Their real values are in `theme/styles/on-demand/diagram.css`. */

import { namedColors, type Rgb } from "../../lib/color.js";
import variablesOf from "./placeholder-variables.json" with { type: "json" };

/** Red, green, blue and opacity, each 0 to 1. */
export type Color = readonly [number, number, number, number];

const colorPattern = /#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]*\)/gi;

/** Replaces the placeholder colours of Mermaid's theme by their custom properties. */
export const withTokens = (text: string): string =>
  text.replace(colorPattern, (written) => {
    const color = parseColor(written);
    if (!color) return written;
    const [red, green, blue, opacity] = color;
    const token =
      tokenOf(Math.round(red * 255), Math.round(green * 255), Math.round(blue * 255)) ?? derivedToken(written);
    if (!token) return written;
    const property = `var(--diagram-${token})`;
    return opacity >= 1 ? property : `color-mix(in srgb, ${property} ${Math.round(opacity * 100)}%, transparent)`;
  });

/** The token of a shade of a placeholder: Mermaid writes the placeholder's hue with ten places. */
function derivedToken(written: string): string | undefined {
  const [, hue, saturation] = /^hsla?\(\s*([\d.]+)[\s,]+([\d.]+)%/.exec(written) ?? [];
  return hue !== undefined && Number(saturation) > 97 ? tokenOfHue(Number(hue)) : undefined;
}

/** Undefined for anything but a plain colour, such as `none`, `transparent` or a custom property. */
export function parseColor(text: string): Color | undefined {
  const value = text.trim().toLowerCase();
  const hex = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(value)?.[1];
  if (hex) {
    const long = hex.length < 6 ? hex.replace(/./g, "$&$&") : hex;
    const part = (at: number): number => Number.parseInt(long.slice(at, at + 2) || "ff", 16) / 255;
    return [part(0), part(2), part(4), part(6)];
  }
  const call = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(value);
  if (call) {
    const parts = call[2]!.split(/[\s,/]+/).filter((part) => part !== "");
    const numbers = parts.map((part) => Number.parseFloat(part));
    if (numbers.length < 3 || numbers.some(Number.isNaN)) return undefined;
    const opacity = numbers[3] === undefined ? 1 : parts[3]!.endsWith("%") ? numbers[3] / 100 : numbers[3];
    if (call[1] === "hsl") return [...fromHsl(numbers[0]!, numbers[1]! / 100, numbers[2]! / 100), opacity];
    const part = (i: number): number => clamp(parts[i]!.endsWith("%") ? numbers[i]! / 100 : numbers[i]! / 255);
    return [part(0), part(1), part(2), opacity];
  }
  const named = namedColors.get(value);
  return named === undefined ? undefined : parseColor(named);
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

function fromHsl(hue: number, saturation: number, lightness: number): [number, number, number] {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (n: number): number => {
    const k = (((n + hue / 30) % 12) + 12) % 12;
    return clamp(lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [part(0), part(8), part(4)];
}

/** Without opacity; each part from 0 to 255. */
export const rgbOf = ([red, green, blue]: Color): Rgb => [red * 255, green * 255, blue * 255];

const numbered = (name: string): string[] => Array.from({ length: 12 }, (_, i) => `${name}-${i + 1}`);

/**
 * Mermaid computes with colours, so it cannot use custom properties. It draws with a placeholder colour for each token,
 * which `var(--diagram-…)` replaces afterwards, so that one diagram fits light and dark mode.
 */
const tokens = [
  ...(
    "text muted line bg node node-border cluster cluster-border label note " +
    "note-border note-text active active-border done done-border critical critical-border grid on-strong"
  ).split(" "),
  ...numbered("soft"),
  ...numbered("strong"),
];

const first = 0x01fd00;

/** The placeholder colour of a token. */
export function placeholderOf(token: string): string {
  const index = tokens.indexOf(token);
  if (index < 0) throw new Error(`No diagram color is called "${token}".`);
  return `#${(first + index).toString(16).padStart(6, "0")}`;
}

/** The token of a placeholder, given its three parts of 0 to 255. */
const tokenOf = (red: number, green: number, blue: number): string | undefined =>
  red === first >> 16 && green === ((first >> 8) & 255) ? tokens[blue] : undefined;

/** The token of a shade of a placeholder, given its hue in degrees. */
function tokenOfHue(hue: number): string | undefined {
  const [red, green] = [first >> 16, (first >> 8) & 255];
  const blue = ((hue - 120) / 60) * (green - red) + red;
  const isWhole = Math.abs(blue - Math.round(blue)) < 0.001;
  return isWhole ? tokens[Math.round(blue)] : undefined;
}

/** Whether the source sets a palette. Mermaid's own theme draws such a diagram, the same for both modes. */
export const hasOwnColors = (source: string): boolean => /\bthemeVariables\b/.test(source);

/** All of Mermaid's theme variables, including those it would derive from others. */
export function themeVariables(): Record<string, unknown> {
  const variables: Record<string, unknown> = { useGradient: false, dropShadow: "none", fontSize: "16px" };
  for (const [token, names] of Object.entries(variablesOf))
    for (const name of names) variables[name] = placeholderOf(token);
  for (let i = 0; i < 12; i++) {
    variables[`cScale${i}`] = placeholderOf(`soft-${i + 1}`);
    variables[`cScaleInv${i}`] = placeholderOf(`strong-${i + 1}`);
    variables[`cScalePeer${i}`] = placeholderOf(`strong-${i + 1}`);
    variables[`cScaleLabel${i}`] = placeholderOf("text");
    variables[`pie${i + 1}`] = placeholderOf(`soft-${i + 1}`);
    if (i < 8) {
      variables[`git${i}`] = placeholderOf(`strong-${i + 1}`);
      variables[`gitInv${i}`] = placeholderOf(`soft-${i + 1}`);
      variables[`gitBranchLabel${i}`] = placeholderOf("on-strong");
      variables[`fillType${i}`] = placeholderOf(`soft-${i + 1}`);
      variables[`venn${i + 1}`] = placeholderOf(`strong-${i + 1}`);
    }
    if (i < 5) {
      variables[`surface${i}`] = placeholderOf(`soft-${i + 1}`);
      variables[`surfacePeer${i}`] = placeholderOf(`strong-${i + 1}`);
    }
  }
  const text = placeholderOf("text");
  const line = placeholderOf("line");
  const xyNames = "title dataLabel legendText xAxisTitle xAxisLabel xAxisTick yAxisTitle yAxisLabel yAxisTick".split(
    " ",
  );
  variables["xyChart"] = {
    ...Object.fromEntries(xyNames.map((name) => [`${name}Color`, text])),
    backgroundColor: "transparent",
    xAxisLineColor: line,
    yAxisLineColor: line,
    plotColorPalette: [1, 3, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((i) => placeholderOf(`strong-${i}`)).join(","),
  };
  variables["radar"] = { axisColor: line, graticuleColor: placeholderOf("grid") };
  variables["packet"] = {
    startByteColor: text,
    endByteColor: text,
    labelColor: text,
    titleColor: text,
    blockStrokeColor: placeholderOf("node-border"),
    blockFillColor: placeholderOf("node"),
  };
  return variables;
}
