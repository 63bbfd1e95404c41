import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import type { Feature, FlagKind } from "./flag.js";

const elements = new Map<string, FlagKind>([
  ["script", "script"],
  ...["iframe", "embed", "object", "frame", "applet", "portal", "fencedframe"].map((name) => [name, "embed"] as const),
  ...["form", "base", "meta", "link", "style", "template"].map((name) => [name, "element"] as const),
]);

/** @param name of a component, as `Frame`, or of an element of HTML, in any case. @param source of the whole element. */
export function elementFeatures(name: string, line: number, source: string): Feature[] {
  const kind = /^[A-Z][a-z]/.test(name) ? undefined : elements.get(name.toLowerCase());
  return kind === undefined ? [] : [{ kind, line, text: source }];
}

const isHandler = (name: string): boolean => /^on[a-z]/i.test(name);
const isMarkup = (name: string): boolean => /^(?:dangerouslySetInnerHTML|innerHTML|srcdoc)$/i.test(name);

/** @param isCode whether the value is an expression; the texts in it are looked at by `codeFeatures`. */
export function attributeFeatures(name: string, value: string, line: number, isCode = false): Feature[] {
  const text = `${name}=${isCode ? `{${value}}` : JSON.stringify(value)}`;
  if (isHandler(name)) return [{ kind: "handler", line, text }];
  if (isMarkup(name)) return [{ kind: "code", line, text }];
  return isCode ? [] : addressesIn(value, line);
}

/** Of a value that is an address, a list of them as in `srcset`, or a style with `url()`. */
export function addressesIn(value: string, line: number): Feature[] {
  // Browsers ignore line breaks in an address.
  const parts = value.replaceAll(/[\t\n\r]/g, "").split(/,\s*(?=[/\\]|[a-z]+:)|url\(\s*["']?/i);
  return parts.flatMap((part) => addressFeature(part.trim().split(/\s/)[0]!, line) ?? []);
}

/** Schemes with which an address runs code, or holds what it shows. A text such as "Note: this" is no address. */
const activeScheme = /^(?:javascript|vbscript|data|blob|file|filesystem|view-source):/i;

/** The feature of an outside address. Undefined if the address leads into the site, or the text is not an address. */
export function addressFeature(address: string, line: number): Feature | undefined {
  // As browsers read it.
  const text = address.replaceAll(/[\t\n\r]/g, "").replace(/^[\p{Cc}\s]+/u, "");
  if (activeScheme.test(text)) return { kind: "scheme", line, text };
  if (!/^(?:(?:https?|wss?|ftp):)?[/\\]{2}|^https?:/i.test(text)) return undefined;
  const url = URL.parse(text, "https://site.invalid");
  return url === null ? { kind: "scheme", line, text } : { kind: "link", line, text, host: url.hostname };
}

/** Of HTML as browsers read it. */
export function htmlFeatures(html: string, firstLine: number): Feature[] {
  const features: Feature[] = [];
  const pending: DefaultTreeAdapterTypes.Node[] = [parseFragment(html, { sourceCodeLocationInfo: true })];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if ("childNodes" in node) for (const child of node.childNodes) pending.push(child);
    if ("content" in node) pending.push(node.content);
    if (!("tagName" in node)) continue;
    const at = node.sourceCodeLocation;
    const line = firstLine - 1 + (at?.startLine ?? 1);
    features.push(...elementFeatures(node.tagName, line, at ? html.slice(at.startOffset, at.endOffset) : node.tagName));
    for (const { name, value } of node.attrs) features.push(...attributeFeatures(name, value, line));
  }
  return features;
}
