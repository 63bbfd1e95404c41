import { attempt } from "../../lib/attempt.js";
import { type Diagnostic, type Location, positionAt, warningOf } from "../../lib/diagnostic/index.js";

/**
 * Removes from an SVG document what could run code when a reader opens it directly: scripts, event handlers,
 * `javascript:` links, embedded documents, external entities. The rest of the text is unchanged.
 *
 * @returns the text, and the distinct names of removed parts, in order; if there are none, the text is unchanged.
 */
export function sanitizeSvg(source: string): { readonly text: string; readonly removed: readonly string[] } {
  const removed = new Set<string>();
  let text = "";
  let at = 0;
  let entities: ReadonlyMap<string, string> | undefined;
  /** Local name of the element that is being removed, and how many of that name are open. */
  let skipping: { name: string; depth: number } | undefined;
  const keep = (piece: string) => {
    if (!skipping) text += piece;
  };

  while (at < source.length) {
    const open = source.indexOf("<", at);
    const end = open < 0 ? source.length : open;
    keep(entities ? expand(source.slice(at, end), entities) : source.slice(at, end));
    if (open < 0) break;
    if (/[^a-z_:/!?\u0080-\uffff]|^$/i.test(source[open + 1] ?? "")) {
      // Not markup yet, but removing what follows could make it markup.
      keep("&lt;");
      at = open + 1;
      continue;
    }
    at = endOfMarkup(source, open);
    const markup = source.slice(open, at);
    if (markup.startsWith("<!--") || markup.startsWith("<![CDATA[")) keep(markup);
    else if (markup.startsWith("<?")) {
      if (/^<\?xml\s/i.test(markup)) keep(markup);
      else removed.add("processing instruction");
    } else if (/^<!doctype/i.test(markup)) {
      if (!markup.includes("[")) keep(markup);
      else {
        entities = entitiesOf(markup);
        if (/\b(SYSTEM|PUBLIC)\b/.test(markup.slice(markup.indexOf("[")))) removed.add("external entity");
      }
    } else {
      const [, slash = "", qualified = ""] = /^<(\/?)([^\s/>]+)/.exec(markup) ?? [];
      const name = qualified.replace(/^.*:/, "").toLowerCase();
      if (skipping) {
        if (name === skipping.name) skipping.depth += slash ? -1 : markup.endsWith("/>") ? 0 : 1;
        if (skipping.depth === 0) skipping = undefined;
      } else if (removedElements.has(name)) {
        removed.add(`<${name}>`);
        if (!slash && !markup.endsWith("/>")) skipping = { name, depth: 1 };
      } else text += slash || !markup.includes("=") ? markup : safeTag(markup, entities, removed);
    }
  }
  return { text, removed: [...removed] };
}

const removedElements = new Set(
  "script handler listener iframe frame frameset object embed applet base meta link form portal".split(" "),
);

/** The end of the markup that starts at `open`: after its `>`, outside quotes and a doctype's brackets. */
function endOfMarkup(source: string, open: number): number {
  const until = (mark: string, from: number) => {
    const at = source.indexOf(mark, from);
    return at < 0 ? source.length : at + mark.length;
  };
  if (source.startsWith("<!--", open)) return until("-->", open + 4);
  if (source.startsWith("<![CDATA[", open)) return until("]]>", open + 9);
  if (source.startsWith("<?", open)) return until("?>", open + 2);
  let quote = "";
  let depth = 0;
  for (let at = open + 1; at < source.length; at++) {
    const character = source[at]!;
    if (quote) {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "[") depth++;
    else if (character === "]") depth--;
    else if (character === ">" && depth <= 0) return at + 1;
  }
  return source.length;
}

/** Attributes of a start tag, without handlers and dangerous URLs, including those that an animation would set. */
const safeTag = (markup: string, entities: ReadonlyMap<string, string> | undefined, removed: Set<string>): string =>
  markup.replace(/([^\s"'<>/=]+)\s*=\s*("[^"]*"|'[^']*')/g, (whole: string, name: string, quoted: string) => {
    const local = name.replace(/^.*:/, "").toLowerCase();
    const value = entities ? expand(quoted, entities) : quoted;
    if (/^on/.test(local)) {
      removed.add(name);
      return "";
    }
    const plain = decodeReferences(value.slice(1, -1))
      .replace(/[\s\p{Cc}]/gu, "")
      .toLowerCase();
    if (!local.startsWith("data-") && /(^|[;'"(])(javascript|vbscript):|^data:(?!image\/|img\/|font\/)/.test(plain)) {
      removed.add(`${name}="${plain.slice(0, plain.indexOf(":") + 1)}"`);
      return "";
    }
    return entities ? `${name}=${value}` : whole;
  });

const decodeReferences = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(colon|tab|newline));?/gi,
    (_, hex?: string, decimal?: string, named?: string) => {
      if (named) return named.toLowerCase() === "colon" ? ":" : "";
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );

/** Entities that the document defines itself, as drawing programs do for namespaces. */
function entitiesOf(doctype: string): Map<string, string> {
  const entities = new Map<string, string>();
  for (const [, name, double, single] of doctype.matchAll(/<!ENTITY\s+([\w.:-]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g)) {
    const value = double ?? single ?? "";
    // A value with references or markup could grow without limit, or bypass this filter.
    if (!/[&<]/.test(value) && !entities.has(name!))
      entities.set(name!, value.replaceAll('"', "&quot;").replaceAll("'", "&apos;"));
  }
  return entities;
}

const predefined = new Set(["lt", "gt", "amp", "quot", "apos"]);
const expand = (text: string, entities: ReadonlyMap<string, string>): string =>
  text.replace(/&([\w.:-]+);/g, (whole, name: string) => (predefined.has(name) ? whole : (entities.get(name) ?? "")));

/** Decodes an SVG file as a browser would. A declaration of another encoding than UTF-8 is removed. */
export function decodeSvg(bytes: Uint8Array): { readonly text: string; readonly isUtf8: boolean } {
  const wide = encodingByFirstBytes(bytes);
  const encoding = wide ?? declaredEncoding(bytes) ?? "utf-8";
  const isUtf8 = /^utf-?8$|^us-ascii$/i.test(encoding);
  const text = decoderOf(wide ?? encoding.replace(/^utf-?16.*/i, "utf-8")).decode(bytes);
  return { text: isUtf8 ? text : text.replace(/^<\?xml[^>]*>/i, ""), isUtf8 };
}

function encodingByFirstBytes([first, second]: Uint8Array): string | undefined {
  const start = `${first} ${second}`;
  if (start === "255 254" || start === "60 0") return "utf-16le";
  if (start === "254 255" || start === "0 60") return "utf-16be";
  return undefined;
}

/** A declaration that is readable byte by byte cannot be in UTF-16, even if it says so. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const declaration = Buffer.from(bytes.subarray(0, bytes.indexOf(0x3e))).toString("latin1");
  return /^(?:\xef\xbb\xbf)?<\?xml\s.*?\bencoding\s*=\s*["']([^"']*)/is.exec(declaration)?.[1];
}

const decoderOf = (encoding: string): TextDecoder => attempt(() => new TextDecoder(encoding)) ?? new TextDecoder();

/** Where an SVG file of the site has the first part that was removed. */
export function locationOfRemoved(sourcePath: string, text: string, [part = ""]: readonly string[]): Location {
  const at = text.toLowerCase().indexOf(part.replace(/[>"]$/, "").toLowerCase());
  const length = /^<?[^\s>=]*/.exec(part)![0].replace(">", "").length;
  return at === -1 ? { sourcePath } : { sourcePath, ...positionAt(text, at), length };
}

/** @param location of the file, or of the address that names it. */
export const svgCleaned = (location: Location, removed: readonly string[]): Diagnostic => ({
  ...warningOf("SVG_CLEANED", location),
  what: `This SVG could run code when opened on its own, so these parts are left out: ${removed.join(", ")}.`,
  fix: "save the SVG without scripts, event handlers and javascript: links.",
});
