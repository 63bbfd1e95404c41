import type { Rgb } from "../../lib/color.js";
// The names that authors of diagrams use; other names are left unchanged.
import namedColors from "./named-colors.json" with { type: "json" };
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
  return Object.hasOwn(namedColors, value) ? parseColor(`#${namedColors[value as "black"]}`) : undefined;
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
