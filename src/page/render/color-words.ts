/** Reports words in the place of a color that CSS does not know, since browsers ignore them. */
import { type Location, nearestName, quoted } from "../../lib/diagnostic/index.js";
import namedColors from "../../lib/named-colors.json" with { type: "json" };
import names from "./names.json" with { type: "json" };
import type { PageRender } from "./page-render.js";

const colors = Object.keys(namedColors);
const words = new Set([...colors, ...names.colorWords.split(" ")]);
const declaration = /(?:^|;)\s*((?:[a-z-]{1,30}-)?color|background|fill|stroke)\s*:\s*([a-z]{3,30})\s*(?=;|!|$)/gi;

/** Reports each word of a style that resembles a color. */
export function checkStyle(page: PageRender, tag: string, css: string, location: Location): void {
  for (const [, property, word] of css.matchAll(declaration))
    if (!words.has(word!.toLowerCase()) && nearestName(word!, colors) !== undefined)
      checkColor(page, tag, property!, word!, location);
}

/** @param name of the property that has the color. */
export function checkColor(page: PageRender, tag: string, name: string, color: string, location: Location): void {
  const word = color.trim().toLowerCase();
  if (!/^[a-z]{3,30}$/.test(word) || words.has(word)) return;
  const near = nearestName(word, colors);
  page.collector.reportOnce(`PROPERTY_VALUE ${tag} ${name} ${word}`, () => ({
    code: "PROPERTY_VALUE",
    severity: "warning",
    what: `"${name}" of <${tag}> is ${quoted(color)}, which is not a color in CSS, so browsers ignore it.`,
    location,
    fix: near ? `write "${near}".` : "write a CSS color, such as #0D9373, or remove it.",
  }));
}
