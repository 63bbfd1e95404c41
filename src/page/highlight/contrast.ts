import { contrast, luminance, mix, parseHex, type Rgb, toHex } from "../../lib/color.js";

/** WCAG 2.2 AA requires 4.5; a little more allows for rounding. */
const minContrast = 4.6;

/** The colour itself if it is readable on the background, else the nearest readable one towards black or white. */
export function readableOn(background: string, color: string): string {
  const back = parseHex(background);
  const front = parseHex(color);
  if (!back || !front || contrast(back, front) >= minContrast) return color;
  const end: Rgb = luminance(back) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let step = 1; step < 50; step++) {
    const mixed = mix(front, end, step / 50).map(Math.round) as unknown as Rgb;
    if (contrast(back, mixed) >= minContrast) return toHex(mixed);
  }
  return toHex(end);
}
