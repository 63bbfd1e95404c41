import type { Rgb } from "../../lib/color.js";
import { tokenOf, tokenOfHue } from "./theme-colors.js";

/** Red, green, blue and opacity, each 0 to 1. */
export type Color = readonly [number, number, number, number];

const colorPattern = /#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]*\)/gi;

/** Replaces the placeholder colours of Mermaid's theme by their custom properties. */
export function withTokens(text: string): string {
  return text.replace(colorPattern, (written) => {
    const color = parseColor(written);
    if (!color) return written;
    const [red, green, blue, opacity] = color;
    const token =
      tokenOf(Math.round(red * 255), Math.round(green * 255), Math.round(blue * 255)) ?? derivedToken(written);
    if (!token) return written;
    const property = `var(--diagram-${token})`;
    return opacity >= 1 ? property : `color-mix(in srgb, ${property} ${Math.round(opacity * 100)}%, transparent)`;
  });
}

/** Lighter and darker shades of a placeholder keep its hue, to ten places. */
function derivedToken(written: string): string | undefined {
  const [, hue, saturation] = /^hsla?\(\s*([\d.]+)[\s,]+([\d.]+)%/.exec(written) ?? [];
  return hue !== undefined && Number(saturation) > 97 ? tokenOfHue(Number(hue)) : undefined;
}

/** Undefined for anything but a plain colour: `none`, `transparent`, a custom property. */
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
  return Object.hasOwn(named, value) ? parseColor(`#${named[value]!}`) : undefined;
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

/** Without its opacity, each part 0 to 255. */
export const rgbOf = ([red, green, blue]: Color): Rgb => [red * 255, green * 255, blue * 255];

/** The names that writers of diagrams use; what is missing is kept as it is and not looked into. */
const named: Readonly<Record<string, string>> = {
  aliceblue: "f0f8ff",
  aqua: "00ffff",
  aquamarine: "7fffd4",
  azure: "f0ffff",
  beige: "f5f5dc",
  black: "000000",
  blue: "0000ff",
  brown: "a52a2a",
  coral: "ff7f50",
  cornflowerblue: "6495ed",
  crimson: "dc143c",
  cyan: "00ffff",
  darkblue: "00008b",
  darkgray: "a9a9a9",
  darkgreen: "006400",
  darkgrey: "a9a9a9",
  darkorange: "ff8c00",
  darkred: "8b0000",
  dodgerblue: "1e90ff",
  gold: "ffd700",
  gray: "808080",
  green: "008000",
  grey: "808080",
  honeydew: "f0fff0",
  indigo: "4b0082",
  ivory: "fffff0",
  khaki: "f0e68c",
  lavender: "e6e6fa",
  lightblue: "add8e6",
  lightcoral: "f08080",
  lightcyan: "e0ffff",
  lightgray: "d3d3d3",
  lightgreen: "90ee90",
  lightgrey: "d3d3d3",
  lightpink: "ffb6c1",
  lightsalmon: "ffa07a",
  lightyellow: "ffffe0",
  lime: "00ff00",
  limegreen: "32cd32",
  magenta: "ff00ff",
  maroon: "800000",
  navy: "000080",
  olive: "808000",
  orange: "ffa500",
  orangered: "ff4500",
  orchid: "da70d6",
  palegreen: "98fb98",
  pink: "ffc0cb",
  plum: "dda0dd",
  purple: "800080",
  red: "ff0000",
  royalblue: "4169e1",
  salmon: "fa8072",
  seagreen: "2e8b57",
  silver: "c0c0c0",
  skyblue: "87ceeb",
  slateblue: "6a5acd",
  slategray: "708090",
  steelblue: "4682b4",
  tan: "d2b48c",
  teal: "008080",
  thistle: "d8bfd8",
  tomato: "ff6347",
  turquoise: "40e0d0",
  violet: "ee82ee",
  wheat: "f5deb3",
  white: "ffffff",
  whitesmoke: "f5f5f5",
  yellow: "ffff00",
};
