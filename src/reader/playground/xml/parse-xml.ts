export interface XmlElement {
  readonly namespace: string;
  /** Without its prefix. */
  readonly name: string;
  readonly attributes: readonly (readonly [namespace: string, name: string, value: string])[];
  readonly children: XmlElement[];
  /** The text between the children, together. A comment counts as a character that XML does not have. */
  text: string;
}

const token =
  /(<\?.*?\?>|<!--.*?-->)|<!\[CDATA\[(.*?)\]\]>|<\/([^\s<>/]+)\s*>|<([\p{L}_][^\s<>/="'&]*)((?:\s+[\p{L}_][^\s<>/="'&]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/suy;
const attribute = /([^\s="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const maxLevels = 200;
const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/**
 * Reads a document. Browsers have a parser of their own, but it needs a permission where trusted types are required, and
 * reports violations of a strict policy for each mistake. Definitions of entities are refused.
 *
 * @throws {SyntaxError} with what is not XML, as written.
 */
export function parseXml(text: string): XmlElement {
  const whole = open("", "", []);
  const levels: {
    readonly tag: string;
    readonly element: XmlElement;
    readonly prefixes: ReadonlyMap<string, string>;
  }[] = [{ tag: "", element: whole, prefixes: new Map([["xml", xmlNamespace]]) }];
  token.lastIndex = 0;
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(text);
    const { element, prefixes, tag } = levels.at(-1)!;
    if (!found) throw new SyntaxError(text.slice(at, at + 40));
    const [written, comment, data, closed, opened, attributes = "", isEmpty, plain] = found;
    if (comment !== undefined) element.text += comment.startsWith("<!") ? "\0" : "";
    else if (closed !== undefined) {
      if (closed !== tag) throw new SyntaxError(written);
      levels.pop();
    } else if (opened !== undefined) {
      if (levels.length > maxLevels || (levels.length === 1 && whole.children.length > 0))
        throw new SyntaxError(written);
      const all = [...attributes.matchAll(attribute)].map(([, name, a, b]) => [name!, decoded(a ?? b ?? "")] as const);
      if (new Set(all.map(([name]) => name)).size < all.length) throw new SyntaxError(written);
      const own = new Map([
        ...prefixes,
        ...all.flatMap(([name, value]) => (/^xmlns(?:$|:)/.test(name) ? [[name.slice(6), value] as const] : [])),
      ]);
      const named = (name: string, fallback: string): [string, string] => {
        const [local = "", prefix] = name.split(":").reverse();
        const namespace = prefix === undefined ? fallback : own.get(prefix);
        if (namespace === undefined) throw new SyntaxError(written);
        return [namespace, local];
      };
      const others = all.filter(([name]) => !/^xmlns(?:$|:)/.test(name));
      const child = open(
        ...named(opened, own.get("") ?? ""),
        others.map(([name, value]) => [...named(name, ""), value] as const),
      );
      element.children.push(child);
      if (!isEmpty) levels.push({ tag: opened, element: child, prefixes: own });
    } else element.text += data ?? decoded(plain ?? "");
    const outside = whole.text.replace(/[\s\0]+/g, "");
    if (outside !== "") throw new SyntaxError(outside.slice(0, 40));
  }
  if (levels.length > 1) throw new SyntaxError(`<${levels.at(-1)!.tag}>`);
  const [root] = whole.children;
  if (!root) throw new SyntaxError(text.slice(0, 40));
  root.text += whole.text.trim();
  return root;
}

const open = (namespace: string, name: string, attributes: XmlElement["attributes"]): XmlElement => ({
  namespace,
  name,
  attributes,
  children: [],
  text: "",
});

const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

const decoded = (text: string): string =>
  text.replace(/&(?:#(?:(\d{1,7})|x([\da-f]{1,6}))|(\w+));|&/gi, (written, digits, hex, name) => {
    const code = digits ? Number(digits) : Number.parseInt(hex, 16);
    const char = name ? entities.get(name) : code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
    if (char === undefined) throw new SyntaxError(written);
    return char;
  });
