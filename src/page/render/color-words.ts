/** Reports colors and properties that CSS does not know, since browsers ignore them. */
import { type Location, likelyName, nearestName, quoted } from "../../lib/diagnostic/index.js";
import namedColors from "../../lib/named-colors.json" with { type: "json" };
import names from "./names.json" with { type: "json" };
import type { PageRender } from "./page-render.js";

const colors = Object.keys(namedColors);
const words = new Set([...colors, ...names.colorWords.split(" ")]);
const declaration = /(?:^|;)\s*((?:[a-z-]{1,30}-)?color|background|fill|stroke)\s*:\s*([a-z]{3,30})\s*(?=;|!|$)/gi;

const properties = new Set(names.cssProperties.split(" "));

/** The property that a name resembles; undefined for one that CSS or a browser knows, and for any other word. */
export const misspeltProperty = (name: string): string | undefined =>
  name.startsWith("-") || properties.has(name) ? undefined : likelyName(name, properties)?.name;

/** Reports each word of a style that resembles a color or a property. @param isObject whether JavaScript names the properties. */
export function checkStyle(page: PageRender, tag: string, css: string, isObject: boolean, location: Location): void {
  for (const [, name] of css.matchAll(/(?:^|;)\s*([a-z-]{4,40})\s*:/gi)) {
    const near = misspeltProperty(name!.toLowerCase());
    const spelt = (word: string): string =>
      isObject ? word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) : word;
    if (near !== undefined)
      page.collector.reportOnce(`PROPERTY_VALUE ${tag} ${name}`, () => ({
        code: "PROPERTY_VALUE",
        severity: "warning",
        what: `"${spelt(name!)}" in the style of <${tag}> is not a property of CSS, so browsers ignore it.`,
        location,
        fix: `write ${spelt(near)}.`,
      }));
  }
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
