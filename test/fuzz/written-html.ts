import { type DefaultTreeAdapterTypes as Dom, parse } from "parse5";

/**
 * Where a browser reads another tree than was written: an element that its parser closes, moves or drops, an attribute
 * or text that it changes. Undefined if both are the same.
 */
export function misread(html: string): string | undefined {
  const read: string[] = [];
  for (const node of parse(html).childNodes) readNode(node, read);
  const written = writtenNodes(html);
  const at = written.findIndex((each, i) => each !== read[i]);
  if (at < 0 && read.length === written.length) return undefined;
  const from = Math.max(0, (at < 0 ? written.length : at) - 4);
  return `written ${written.slice(from, from + 8).join(" ")}\n   read ${read.slice(from, from + 8).join(" ")}`;
}

/** Tags and texts in order; texts of white space only are left out. */
function readNode(node: Dom.Node, out: string[]): void {
  if (node.nodeName === "#text") addText((node as Dom.TextNode).value, out);
  if ("tagName" in node) {
    const attributes = node.attrs.map(
      ({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value] as const,
    );
    out.push(tag(node.tagName, attributes));
  }
  const holder = "content" in node ? node.content : node;
  if ("childNodes" in holder) for (const child of holder.childNodes) readNode(child, out);
  if ("tagName" in node) out.push("</>");
}

const voids = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
const texts = /^(?:script|style|title|textarea|iframe)$/;

/** The same of HTML as written, tag by tag, without any of a parser's rules. */
function writtenNodes(html: string): string[] {
  const out: string[] = [];
  const token = /<(\/?)([a-zA-Z][^\s>/]*)((?:"[^"]*"|[^">])*)>|<![^>]*>|[^<]+|</g;
  /** Elements of SVG around the token: there a title holds tags, and no element is void. */
  let foreign = 0;
  for (let match = token.exec(html); match !== null; match = token.exec(html)) {
    const [whole, close, name, attributes] = match;
    if (name === undefined) {
      if (!whole.startsWith("<!")) addText(decoded(whole), out);
      continue;
    }
    const isForeign = /^(?:svg|math)$/.test(name);
    if (close) {
      if (isForeign) foreign--;
      out.push("</>");
      continue;
    }
    out.push(tag(name, attributesIn(attributes!)));
    const isClosed = foreign > 0 && attributes!.endsWith("/");
    if (isClosed || (voids.test(name) && foreign === 0)) out.push("</>");
    else if (isForeign) foreign++;
    if (!texts.test(name) || foreign > 0 || isClosed) continue;
    const end = html.indexOf(`</${name}`, token.lastIndex);
    const content = html.slice(token.lastIndex, end);
    addText(/^(?:title|textarea)$/.test(name) ? decoded(content) : content, out);
    token.lastIndex = end;
  }
  return out;
}

function addText(text: string, out: string[]): void {
  if (text.trim() === "") return;
  const before = out.at(-1)?.startsWith('"') ? (JSON.parse(out.pop()!) as string) : "";
  out.push(JSON.stringify(before + text));
}

const tag = (name: string, attributes: readonly (readonly [string, string])[]): string =>
  `<${[name, ...attributes.map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(" ").toLowerCase()}>`;

const attributesIn = (written: string): [string, string][] =>
  [...written.matchAll(/\s([^\s="]+)(?:="([^"]*)")?/g)].map(([, name, value = ""]) => [name!, decoded(value)]);

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
const decoded = (text: string): string =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    name ? (named[name] ?? whole) : String.fromCodePoint(Number.parseInt(hex ?? decimal, hex ? 16 : 10)),
  );
