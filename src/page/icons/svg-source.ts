import names from "./svg-names.json" with { type: "json" };

/**
 * Cleans an SVG: keeps shapes, paints and groups, and removes everything that could run code, load files or style the
 * page. Unbalanced and unknown elements are dropped, so that the result is well-formed.
 *
 * Out: attributes and content of the `svg` element; undefined for text that is not an SVG.
 */
export function cleanSvg(
  source: string,
): { readonly attributes: Readonly<Record<string, string>>; readonly body: string } | undefined {
  if (source.length > maxLength) return undefined;
  let root: Record<string, string> | undefined;
  let body = "";
  const open: string[] = [];
  /** Number of open elements that are dropped with their content. */
  let hidden = 0;
  for (const match of source.matchAll(markup)) {
    const [whole, closing, rawName = "", rawAttributes = "", empty] = match;
    if (whole.startsWith("<!") || whole.startsWith("<?")) continue;
    if (!whole.startsWith("<")) {
      if (hidden === 0 && textHolders.has(open.at(-1) ?? "")) body += escapeText(whole);
      continue;
    }
    const name = elements.get(rawName.toLowerCase());
    if (closing) {
      if (hidden > 0) hidden -= name === undefined ? 1 : 0;
      else if (name !== undefined && open.at(-1) === name) {
        open.pop();
        if (open.length > 0) body += `</${name}>`;
      }
      if (root && open.length === 0) break;
      continue;
    }
    if (hidden > 0 || name === undefined) {
      if (name === undefined && !empty) hidden += 1;
      continue;
    }
    const attributes = cleanAttributes(rawAttributes);
    if (!root) {
      if (name !== "svg") return undefined;
      root = attributes;
      open.push(name);
      if (empty) break;
      continue;
    }
    if (open.length > maxDepth) return undefined;
    body += `<${name}${writeAttributes(attributes)}${empty ? "/>" : ">"}`;
    if (!empty) open.push(name);
  }
  if (!root) return undefined;
  for (const name of open.slice(1).reverse()) body += `</${name}>`;
  return { attributes: root, body };
}

const maxLength = 100_000;
const maxDepth = 50;
const markup = /<!--[\s\S]*?-->|<[!?][^>]*>|<(\/?)([A-Za-z][\w:-]*)((?:[^"'>]|"[^"]*"|'[^']*')*?)(\/?)>|[^<]+/g;
const attributeForm = /([A-Za-z_:][\w:.-]*)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

const byLowerCase = (list: string): ReadonlyMap<string, string> =>
  new Map(list.split(" ").map((name) => [name.toLowerCase(), name]));
const elements = byLowerCase(names.elements);
const textHolders: ReadonlySet<string> = new Set(["title", "desc", "text", "tspan"]);
const attributeNames = byLowerCase(names.attributes);

function cleanAttributes(source: string): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [, rawName = "", double, single, bare] of source.matchAll(attributeForm)) {
    const name = attributeNames.get(rawName.toLowerCase().replace(/^strokewidth$/, "stroke-width"));
    const value = double ?? single ?? bare;
    if (name === undefined || value === undefined || !isHarmless(value)) continue;
    clean[name] = value;
  }
  return clean;
}

/** Only a reference within the same SVG is allowed in `url()`. */
const isHarmless = (value: string): boolean =>
  !/[<>&\\]|javascript:|expression/i.test(value) && (!/url/i.test(value) || /^url\(#[\w-]+\)$/i.test(value.trim()));

const writeAttributes = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value.replaceAll('"', "&quot;")}"`)
    .join("");

const escapeText = (text: string): string =>
  text.replace(/&(?!(?:[a-z]+|#\d+|#x[\da-f]+);)/gi, "&amp;").replaceAll(">", "&gt;");
