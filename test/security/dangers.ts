import { parse, serialize, type DefaultTreeAdapterTypes as Tree } from "parse5";

export interface InspectedDocument {
  /** What could run code, as an HTML parser and an address parser see it, each as one line; empty if it is safe. */
  readonly dangers: readonly string[];
  /** All text in order, whether it is shown or not. */
  readonly text: string;
}

/**
 * @param own the site's page is known to have written scripts itself
 * @param again what it writes is read once more
 */
export function inspectDocument(html: string, own: boolean, again: boolean): InspectedDocument {
  const tree = parse(html);
  return { dangers: dangersOf(tree, own, again), text: textOf(tree) };
}

function dangersOf(tree: Tree.Document, own: boolean, again: boolean): string[] {
  const found = dangersIn(tree, own);
  if (!again) return found;
  // A tree that reads differently once it is written out again is how filters are passed by mutation.
  for (const danger of dangersIn(parse(serialize(tree)), own))
    if (!found.includes(danger)) found.push(`once more: ${danger}`);
  return found;
}

function dangersIn(root: Tree.Node, own: boolean): string[] {
  const found: string[] = [];
  const walk = (node: Tree.Node): void => {
    if ("tagName" in node) found.push(...dangersOfElement(node, own));
    if ("childNodes" in node) node.childNodes.forEach(walk);
    if (node.nodeName === "template") walk((node as Tree.Template).content);
  };
  walk(root);
  return found;
}

const neverUsed = new Set(
  "base frame frameset applet portal template noscript noembed noframes xmp plaintext".split(" "),
);
const knownRelations = new Set("stylesheet icon canonical alternate sitemap".split(" "));
const addresses = new Set(
  (
    "href xlink:href src action formaction data poster background ping cite longdesc manifest codebase classid archive " +
    "profile lowsrc dynsrc from to by"
  ).split(" "),
);

function dangersOfElement(element: Tree.Element, own: boolean): string[] {
  const { tagName } = element;
  const value = (name: string): string | undefined => element.attrs.find((each) => each.name === name)?.value;
  const found: string[] = [];
  const danger = (what: string): void => void found.push(`<${tagName}> ${what.slice(0, 200)}`);

  const isSlot =
    tagName === "template" && ["data-slot", "data-style", "data-embed"].some((name) => value(name) !== undefined);
  if (neverUsed.has(tagName) && !isSlot) danger("is never used");
  if (tagName === "script" && !isOurScript(element) && !own) danger(`${value("src")} ${textOf(element)}`);
  if (tagName === "meta" && value("http-equiv") !== undefined) {
    const to = /^\d+;\s*url=(.*)$/i.exec(value("content") ?? "")?.[1];
    if (value("http-equiv") !== "refresh" || to === undefined || runs(to)) danger(`${value("content")}`);
  }
  if (tagName === "link" && !knownRelations.has(value("rel") ?? "")) danger(`rel=${value("rel")}`);
  if (tagName === "style" && runsInCss(textOf(element))) danger(textOf(element));

  for (const { name, prefix, value: text } of element.attrs) {
    const full = prefix ? `${prefix}:${name}` : name;
    if (/^on/i.test(name)) danger(`${full}=${text}`);
    if (name === "srcdoc") danger(`srcdoc=${text}`);
    if (name === "style" && runsInCss(text)) danger(`style=${text}`);
    if (name === "srcset" && text.split(/,\s+/).some((each) => runs(each) && !isPicture(each)))
      danger(`srcset=${text}`);
    if (name === "values" && /^animate/.test(tagName) && text.split(";").some(runs)) danger(`values=${text}`);
    const isNoIcon = tagName === "link" && value("rel") === "icon" && text === "data:,";
    if (addresses.has(full) && runs(text) && !isNoIcon && !(showsPicture(tagName, name) && isPicture(text)))
      danger(`${full}=${text}`);
  }
  return found;
}

/** The scripts that every document has, and data blocks, which browsers do not run. */
function isOurScript(script: Tree.Element): boolean {
  const attributes = Object.fromEntries(script.attrs.map(({ name, value }) => [name, value]));
  if (attributes["type"] === "application/ld+json" && attributes["src"] === undefined) {
    JSON.parse(textOf(script));
    return true;
  }
  // Modules of the site's components are in the folder `i`.
  return /^(?:(?:\.\.\/)*|\/)_offprint\/(?:i\/|anchors\/)?[\w.-]+\.js$/.test(attributes["src"] ?? "");
}

const showsPicture = (tagName: string, name: string): boolean =>
  (name === "src" && /^(?:img|source|input)$/.test(tagName)) ||
  name === "poster" ||
  (name === "href" && /^(?:image|feImage)$/.test(tagName));

const isPicture = (address: string): boolean => /^\s*data:image\//i.test(address);

/** The URL as a browser reads it: blanks and control characters are removed before the scheme is read. */
function runs(address: string): boolean {
  const known = runsByAddress.get(address);
  if (known !== undefined) return known;
  const { protocol } = URL.parse(address, "https://site.example/") ?? { protocol: "" };
  const result = /^(?:javascript|vbscript|data|blob|filesystem|view-source|file):$/.test(protocol);
  runsByAddress.set(address, result);
  return result;
}

/** Pages of a site share most of their links. */
const runsByAddress = new Map<string, boolean>();

/** Old browsers ran all of these; quoted texts count only in addresses. */
function runsInCss(css: string): boolean {
  const plain = css.replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
  const bare = plain.replace(/(["'])(?!\s*(?:javascript|vbscript|data:text)).*?\1/gs, "").replace(/\/\*.*?\*\//gs, "");
  return /(?:url\(|@import)\s*["']?\s*(?:javascript|vbscript|data:text)|expression\s*\(|-moz-binding|behavior\s*:/i.test(
    bare,
  );
}

function textOf(node: Tree.Node): string {
  const parts: string[] = [];
  const walk = (each: Tree.Node): void => {
    if (each.nodeName === "#text") parts.push((each as Tree.TextNode).value);
    if ("childNodes" in each) each.childNodes.forEach(walk);
  };
  walk(node);
  return parts.join("");
}
