export interface XmlElement {
  readonly namespace: string;
  /** Without its prefix. */
  readonly name: string;
  readonly attributes: readonly (readonly [namespace: string, name: string, value: string])[];
  readonly children: XmlElement[];
  /** All text between the children. A comment counts as `\0`, which XML does not allow. */
  text: string;
}

const token =
  /(<\?.*?\?>|<!--.*?-->)|<!\[CDATA\[(.*?)\]\]>|<\/([^\s<>/]+)\s*>|<([\p{L}_][^\s<>/="'&]*)((?:\s+[\p{L}_][^\s<>/="'&]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/suy;
const attribute = /([^\s="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const maxLevels = 200;
const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/**
 * Parses a document. The browser's own parser needs a policy where Trusted Types are required, and each mistake would be
 * reported as a violation of a strict content security policy. Entity definitions are refused.
 *
 * @throws {SyntaxError} with the text that is not XML.
 */
export function parseXml(text: string): XmlElement {
  const document = open("", "", []);
  const levels: {
    readonly tag: string;
    readonly element: XmlElement;
    readonly prefixes: ReadonlyMap<string, string>;
  }[] = [{ tag: "", element: document, prefixes: new Map([["xml", xmlNamespace]]) }];
  token.lastIndex = 0;
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const match = token.exec(text);
    const { element, prefixes, tag } = levels.at(-1)!;
    if (!match) throw new SyntaxError(text.slice(at, at + 40));
    const [written, comment, data, closed, opened, attributes = "", isEmpty, plain] = match;
    if (comment !== undefined) element.text += comment.startsWith("<!") ? "\0" : "";
    else if (closed !== undefined) {
      if (closed !== tag) throw new SyntaxError(written);
      levels.pop();
    } else if (opened !== undefined) {
      if (levels.length > maxLevels || (levels.length === 1 && document.children.length > 0))
        throw new SyntaxError(written);
      const pairs = [...attributes.matchAll(attribute)].map(
        ([, name, a, b]) => [name!, decoded(a ?? b ?? "")] as const,
      );
      if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new SyntaxError(written);
      const namespaces = new Map([
        ...prefixes,
        ...pairs.flatMap(([name, value]) => (/^xmlns(?:$|:)/.test(name) ? [[name.slice(6), value] as const] : [])),
      ]);
      const named = (name: string, fallback: string): [string, string] => {
        const [local = "", prefix] = name.split(":").reverse();
        const namespace = prefix === undefined ? fallback : namespaces.get(prefix);
        if (namespace === undefined) throw new SyntaxError(written);
        return [namespace, local];
      };
      const others = pairs.filter(([name]) => !/^xmlns(?:$|:)/.test(name));
      const child = open(
        ...named(opened, namespaces.get("") ?? ""),
        others.map(([name, value]) => [...named(name, ""), value] as const),
      );
      element.children.push(child);
      if (!isEmpty) levels.push({ tag: opened, element: child, prefixes: namespaces });
    } else element.text += data ?? decoded(plain ?? "");
    const strayText = document.text.replace(/[\s\0]+/g, "");
    if (strayText !== "") throw new SyntaxError(strayText.slice(0, 40));
  }
  if (levels.length > 1) throw new SyntaxError(`<${levels.at(-1)!.tag}>`);
  const [root] = document.children;
  if (!root) throw new SyntaxError(text.slice(0, 40));
  root.text += document.text.trim();
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
