/** Red, green, blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

/** @param hex `#rgb` or `#rrggbb`; anything else gives undefined. */
export function parseHex(hex: string): Rgb | undefined {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(hex);
  const full = short ? short.slice(1).map((digit) => digit + digit) : /^#(..)(..)(..)$/.exec(hex)?.slice(1);
  if (!full?.every((pair) => /^[\da-f]{2}$/i.test(pair))) return undefined;
  return full.map((pair) => Number.parseInt(pair, 16)) as unknown as Rgb;
}

export const toHex = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** Contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The colour itself, or the nearest mix with black or white that has this contrast on the ground. */
export function readableOn(color: Rgb, ground: Rgb, ratio: number): Rgb {
  const end: Rgb = luminance(ground) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let step = 0; step <= 40; step++) {
    const mixed = mix(color, end, step / 40);
    if (contrast(mixed, ground) >= ratio) return mixed;
  }
  return end;
}

/** White where it is readable, else near-black: one of the two always is. */
export function textOn(ground: Rgb): Rgb {
  const white: Rgb = [255, 255, 255];
  return contrast(white, ground) >= 4.5 ? white : [11, 12, 14];
}

/** `share` of the way from one colour to another, 0 to 1. */
export const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, at) => part + (to[at]! - part) * share) as unknown as Rgb;

/** How light a colour looks, 0 to 1, as WCAG 2 counts. */
export function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
