import { namedColors as channels } from "@csstools/color-helpers";

/** Red, green, blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

export const black: Rgb = [0, 0, 0];
export const white: Rgb = [255, 255, 255];

/** @param hex `#rgb` or `#rrggbb`; anything else gives undefined. */
export function parseHex(hex: string): Rgb | undefined {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(hex);
  const full = short ? short.slice(1).map((digit) => digit + digit) : /^#(..)(..)(..)$/.exec(hex)?.slice(1);
  if (!full?.every((pair) => /^[\da-f]{2}$/i.test(pair))) return undefined;
  return full.map((pair) => Number.parseInt(pair, 16)) as unknown as Rgb;
}

export const toHex = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** The colors of CSS by name, such as `#ff0000`. */
export const namedColors: ReadonlyMap<string, string> = new Map(
  Object.entries(channels).map(([name, color]) => [name, toHex(color)]),
);

/** Contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The colour itself, or the nearest shade of its hue that has this contrast on every ground. */
export const readableOn = (color: Rgb, grounds: readonly Rgb[], ratio: number): Rgb =>
  nearestShade(color, isLight(grounds[0]!) ? black : white, (shade) =>
    grounds.every((ground) => contrast(shade, ground) >= ratio),
  );

/**
 * The colour itself if it is suitable, else the nearest suitable shade between it and `end`, which is black or white. Only
 * the lightness changes, and the chroma where sRGB has less of it at that lightness. `end` if no shade is suitable.
 */
export function nearestShade(color: Rgb, end: Rgb, isSuitable: (shade: Rgb) => boolean): Rgb {
  if (isSuitable(color)) return color;
  const lab = toOklab(color);
  let near = lab[0];
  let far = toOklab(end)[0];
  for (let step = 0; step < 12; step++) {
    const middle = (near + far) / 2;
    if (isSuitable(withLightness(lab, middle))) far = middle;
    else near = middle;
  }
  return withLightness(lab, far);
}

/** Whether black text is more readable on this ground than white text. */
export const isLight = (ground: Rgb): boolean => luminance(ground) > 0.18;

/** White where it is readable, else near-black, or black where only that is. */
export function textOn(ground: Rgb): Rgb {
  const choices: readonly Rgb[] = [white, [11, 12, 14]];
  return choices.find((text) => contrast(text, ground) >= 4.5) ?? black;
}

/** `share` of the way from one colour to another, 0 to 1. */
export const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, at) => part + (to[at]! - part) * share) as unknown as Rgb;

/** Mixes in OKLab, as `color-mix(in oklab, …)` does. */
export const mixInOklab = (from: Rgb, to: Rgb, share: number): Rgb =>
  clamped(fromOklab(mix(toOklab(from), toOklab(to), share)));

/** How light a colour looks, 0 to 1, as WCAG 2 counts. */
export function luminance(color: Rgb): number {
  const [red, green, blue] = linearOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Lightness from 0 to 1, then the axes green to red and blue to yellow. Equal distances look equally far apart. */
type Oklab = readonly [number, number, number];

/** The most colourful version of this lightness that sRGB has. */
function withLightness([, a, b]: Oklab, lightness: number): Rgb {
  const shadeOf = (share: number): Rgb => fromOklab([lightness, a * share, b * share]);
  const exists = (shade: Rgb): boolean => shade.every((part) => part > -0.5 && part < 255.5);
  let shade = shadeOf(1);
  if (!exists(shade)) {
    let [low, high] = [0, 1];
    for (let step = 0; step < 7; step++) {
      const middle = (low + high) / 2;
      if (exists(shadeOf(middle))) low = middle;
      else high = middle;
    }
    shade = shadeOf(low);
  }
  return clamped(shade);
}

/** Rounds each part to a whole number from 0 to 255. */
const clamped = (color: Rgb): Rgb =>
  color.map((part) => Math.min(255, Math.max(0, Math.round(part)))) as unknown as Rgb;

function toOklab(color: Rgb): Oklab {
  const [red, green, blue] = linearOf(color);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

/** Returns parts outside of 0 to 255 for a colour that sRGB does not have. */
export function fromOklab([lightness, a, b]: Oklab): Rgb {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
  return linear.map(
    (value) => 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055),
  ) as unknown as Rgb;
}

const linearOf = (color: Rgb): Rgb =>
  color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
