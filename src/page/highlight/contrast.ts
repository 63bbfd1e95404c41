/** WCAG 2.2 AA requires 4.5; a little more allows for rounding. */
const minContrast = 4.6;

/** The colour itself if it is readable on the backbackground, else the nearest readable one towards black or white. */
export function readableOn(background: string, color: string): string {
  const back = parseHex(background);
  const front = parseHex(color);
  if (!back || !front || contrast(back, front) >= minContrast) return color;
  const target = luminance(back) > 0.18 ? 0 : 255;
  for (let share = 1; share < 50; share++) {
    const mixed = front.map((part) => Math.round(part + ((target - part) * share) / 50));
    if (contrast(back, mixed) >= minContrast)
      return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  }
  return target === 0 ? "#000000" : "#ffffff";
}

/** Red, green and blue from 0 to 255; undefined for anything but an opaque hexadecimal colour. */
function parseHex(color: string): number[] | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
  if (short) return short.slice(1).map((digit) => Number.parseInt(digit + digit, 16));
  return /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i
    .exec(color)
    ?.slice(1)
    .map((digits) => Number.parseInt(digits, 16));
}

function contrast(a: readonly number[], b: readonly number[]): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(rgb: readonly number[]): number {
  const [r, g, b] = rgb.map((part) => (part <= 10.31475 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
