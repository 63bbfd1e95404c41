import { escapeAttribute, unescapeHtml } from "../../lib/html/escape.js";

export interface DocumentLink {
  readonly attribute: "href" | "src" | "srcset" | "poster" | "data";
  /** Decoded: `a?b&c`, not `a?b&amp;c`. */
  readonly value: string;
}

/**
 * Finds the anchors and addresses of an emitted document in one pass, without building a tree. Text, comments and the
 * content of scripts and styles are skipped. Both lists are in document order; a `srcset` gives one link for each of
 * its addresses.
 *
 * @param pieces of the document; none of them begins or ends within a tag.
 */
export function scanDocument(pieces: readonly string[]): { readonly ids: string[]; readonly links: DocumentLink[] } {
  const ids: string[] = [];
  const links: DocumentLink[] = [];
  for (const piece of pieces)
    scanPiece(piece, (tag, name, start, end) => note(tag, name, piece.slice(start, end), ids, links));
  return { ids, links };
}

/** Changes the `href`s of a document. @param change returns another address for a decoded one, or undefined. */
export function changeLinks(html: string, change: (href: string) => string | undefined): string {
  let changed = "";
  let done = 0;
  scanPiece(html, (_, name, start, end) => {
    const isQuoted = html.charCodeAt(start - 1) === doubleQuote;
    const href = name === "href" && isQuoted ? change(unescapeHtml(html.slice(start, end))) : undefined;
    if (href === undefined) return;
    changed += html.slice(done, start) + escapeAttribute(href);
    done = end;
  });
  return done === 0 ? html : changed + html.slice(done);
}

/** @param start and `end` are the offsets of the value as written. */
type NoteAttribute = (tag: string, name: string, start: number, end: number) => void;

function scanPiece(html: string, note: NoteAttribute): void {
  let at = html.indexOf("<");
  while (at >= 0) {
    const first = html.charCodeAt(at + 1);
    const tokenEnd = first === letterS && html.startsWith(tokenTag, at) ? html.indexOf('"', at + tokenTag.length) : -1;
    if (tokenEnd > 0 && html.charCodeAt(tokenEnd + 1) === greater) at = tokenEnd + 2;
    else if (isLetter(first)) at = scanTag(html, at + 1, note);
    else if (first === exclamation) at = skipDeclaration(html, at);
    else at += 1;
    at = html.indexOf("<", at);
  }
}

/** The start of a tag of highlighted code, which has no other attribute. Most tags are of this kind. */
const tokenTag = '<span class="';
const letterS = 115;
const [tab, lineFeed, formFeed, carriageReturn, space] = [9, 10, 12, 13, 32];
const [exclamation, doubleQuote, singleQuote, slash, equals, greater] = [33, 34, 39, 47, 61, 62];

const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;
const isBlank = (code: number): boolean =>
  code === space || code === lineFeed || code === tab || code === carriageReturn || code === formFeed;

function skipDeclaration(html: string, at: number): number {
  const isComment = html.startsWith("<!--", at);
  const end = isComment ? html.indexOf("-->", at + 4) : html.indexOf(">", at);
  return end < 0 ? html.length : end + 1;
}

/**
 * @param at offset of the tag's name. @returns the offset after the tag, or after the element if its content is not
 *   markup.
 */
function scanTag(html: string, at: number, note: NoteAttribute): number {
  let end = at;
  while (end < html.length && !endsName(html.charCodeAt(end))) end++;

  let i = end;
  while (i < html.length) {
    const code = html.charCodeAt(i);
    if (code === greater) break;
    if (isBlank(code) || code === slash) {
      i++;
      continue;
    }
    const nameStart = i;
    do i++;
    while (i < html.length && !endsAttribute(html.charCodeAt(i)));
    const nameEnd = i;
    while (isBlank(html.charCodeAt(i))) i++;
    if (html.charCodeAt(i) !== equals) continue;
    do i++;
    while (isBlank(html.charCodeAt(i)));
    const quote = html.charCodeAt(i);
    const quoted = quote === doubleQuote || quote === singleQuote;
    const valueStart = quoted ? i + 1 : i;
    if (quoted) i = html.indexOf(quote === doubleQuote ? '"' : "'", valueStart);
    else while (i < html.length && !isBlank(html.charCodeAt(i)) && html.charCodeAt(i) !== greater) i++;
    if (i < 0) return html.length;
    if (mayMatter(html.charCodeAt(nameStart), nameEnd - nameStart))
      note(html.slice(at, end), html.slice(nameStart, nameEnd), valueStart, i);
    if (quoted) i += 1;
  }
  if (!mayHoldText(html.charCodeAt(at), end - at)) return i + 1;
  const tag = html.slice(at, end);
  return textElements.has(tag) ? skipContent(html, i, tag) : i + 1;
}

/** A quick test of whether `note` may use an attribute of this name, so that most names are not copied. */
const mayMatter = (first: number, length: number): boolean => {
  switch (length) {
    case 2:
      return first === 105;
    case 3:
    case 6:
      return first === 115 || first === 112;
    case 4:
      return first === 104 || first === 110 || first === 100;
    default:
      return length === 10 && first === 120;
  }
};

// Letters have higher codes than all signs that end a name.
const endsName = (code: number): boolean => code <= greater && (isBlank(code) || code === slash || code === greater);
const endsAttribute = (code: number): boolean => code <= greater && (endsName(code) || code === equals);

function note(tag: string, name: string, written: string, ids: string[], links: DocumentLink[]): void {
  switch (name) {
    case "id":
      ids.push(unescapeHtml(written));
      break;
    case "name":
      if (tag === "a") ids.push(unescapeHtml(written));
      break;
    case "href":
    case "src":
    case "poster":
      links.push({ attribute: name, value: unescapeHtml(written) });
      break;
    case "xlink:href":
      links.push({ attribute: "href", value: unescapeHtml(written) });
      break;
    case "data":
      if (tag === "object") links.push({ attribute: name, value: unescapeHtml(written) });
      break;
    case "srcset":
      for (const value of addressesOf(unescapeHtml(written))) links.push({ attribute: name, value });
      break;
  }
}

/** `a.png 1x, b.png 2x` */
const addressesOf = (srcset: string): string[] =>
  srcset.startsWith("data:") ? [] : srcset.split(/,\s+/).flatMap((candidate) => candidate.trim().split(/\s+/, 1));

/** Elements whose content a parser always reads as text. */
const textElements = new Set(["script", "style", "textarea", "title", "iframe"]);
/** A quick test of whether `textElements` may have the name, so that most names are not copied. */
const mayHoldText = (first: number, length: number): boolean =>
  length >= 5 && length <= 8 && (first === letterS || first === 116 || first === 105);

function skipContent(html: string, at: number, tag: string): number {
  const end = html.indexOf(`</${tag}`, at);
  return end < 0 ? html.length : end + 2;
}
