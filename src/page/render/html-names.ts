import names from "./names.json" with { type: "json" };

/** Elements that pages may use. Names with a hyphen are custom elements and are always allowed. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const html = words(names.html);
const svg = words(names.svg);
const math = words(names.math);
/** Never shown: they would load, redirect or reinterpret the document, or their content is not markup. */
const dropped = words(names.dropped);

/** SVG names by their lower-case form. */
const lowerCased = new Map([...svg].map((name) => [name.toLowerCase(), name]));

/** The name as HTML spells it; undefined if there is no such element. */
export function elementName(written: string): string | undefined {
  if (html.has(written) || svg.has(written) || math.has(written)) return written;
  const lower = written.toLowerCase();
  if (written !== lower) return lowerCased.get(lower);
  if (lowerCased.has(lower)) return lowerCased.get(lower);
  return /^[a-z][a-z0-9.]*-[a-z0-9._-]*$/.test(written) ? written : undefined;
}
/** Whether HTML, SVG or MathML has an element of this name, which is not a custom one. */
export const isElement = (name: string): boolean => !name.includes("-") && elementName(name) !== undefined;
export const isDropped = (name: string): boolean => dropped.has(name.toLowerCase());

/** Elements without content. */
export const voidElements = words(names.voidElements);

/** Elements at which an HTML parser closes an open `p`. */
export const blockElements = words(names.blockElements);

/** Text-level elements: a paragraph that holds only these is still a paragraph. */
export const textElements = words(names.textElements);
export const isTextElement = (name: string): boolean => textElements.has(name);

/** Elements that allow no blocks: paragraphs inside them are unwrapped. */
export const phrasingOnly = words(names.phrasingOnly);

/** HTML elements at which a parser leaves `svg` and `math`. */
export const breaksOutOfForeign = words(names.breaksOutOfForeign);
