import { create } from "../dom.js";

/** How inline Markdown is rendered. */
export interface InlineOptions {
  /** More text may follow, so unclosed code and `**` are rendered as if they were closed. */
  readonly isIncomplete: boolean;
  readonly link: (href: string, label: string) => HTMLElement | undefined;
  readonly codeActions: (code: string) => HTMLElement;
}

/** Deeper nesting is shown as text. */
const maxDepth = 6;

/** Renders inline Markdown to DOM nodes. */
export function inlineNodes(text: string, options: InlineOptions, depth = 0): Node[] {
  const nodes: Node[] = [];
  let plain = "";
  const add = (node: Node): void => {
    if (plain !== "") nodes.push(document.createTextNode(plain));
    plain = "";
    nodes.push(node);
  };
  const inner = (markdown: string): Node[] => inlineNodes(markdown, options, depth + 1);
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    const special = depth < maxDepth && specialChar.test(char) ? readSpecial(text, at, options, inner) : undefined;
    if (special) {
      if (char === "\n") plain = plain.replace(/\\$/, "").trimEnd();
      if (typeof special.node === "string") plain += special.node;
      else add(special.node);
      at = special.end;
    } else {
      plain += char;
      at++;
    }
  }
  if (plain !== "") nodes.push(document.createTextNode(plain));
  return nodes;
}

const specialChar = /[\\`![*_~\n]/;

interface InlineNode {
  readonly node: Node | string;
  readonly end: number;
}

function readSpecial(
  text: string,
  at: number,
  options: InlineOptions,
  inner: (markdown: string) => Node[],
): InlineNode | undefined {
  const char = text[at]!;
  if (char === "\n") {
    const isBreak = /(?: {2}|\\)$/.test(text.slice(Math.max(0, at - 2), at));
    return { node: isBreak ? create("br") : " ", end: at + 1 };
  }
  if (char === "\\")
    return /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "") ? { node: text[at + 1]!, end: at + 2 } : undefined;
  if (char === "`") return readCode(text, at, options.isIncomplete);
  if (char === "[") return readLink(text, at, options, inner);
  // Show only the text of an image: loading it would tell its host that the answer was read.
  if (char === "!") {
    const image = text[at + 1] === "[" ? readLink(text, at + 1, options, inner) : undefined;
    return image && { node: image.node.textContent!, end: image.end };
  }
  return readEmphasis(text, at, options.isIncomplete, inner);
}

function readCode(text: string, at: number, isIncomplete: boolean): InlineNode | undefined {
  const ticks = /^`+/.exec(text.slice(at, at + 20))![0];
  const from = at + ticks.length;
  const to = text.indexOf(ticks, from);
  if (to < 0 && !(isIncomplete && from < text.length)) return undefined;
  const code = text.slice(from, to < 0 ? undefined : to).replace(/^ (.+) $/, "$1");
  return { node: create("code", {}, code), end: to < 0 ? text.length : to + ticks.length };
}

const maxLabelLength = 500;

function readLink(text: string, at: number, options: InlineOptions, inner: (markdown: string) => Node[]) {
  let depth = 0;
  let end = at;
  const last = Math.min(text.length, at + maxLabelLength);
  do {
    if (text[end] === "\\") end++;
    else if (text[end] === "[") depth++;
    else if (text[end] === "]") depth--;
    end++;
  } while (depth > 0 && end < last);
  if (depth > 0 || text[end] !== "(") return undefined;
  const close = text.indexOf(")", end);
  if (close < 0) return undefined;
  const label = text.slice(at + 1, end - 1);
  const href = text
    .slice(end + 1, close)
    .trim()
    .split(/\s/)[0]!
    .replace(/^<|>$/g, "");
  const node = options.link(href, label) ?? create("span");
  if (!node.hasChildNodes()) node.append(...inner(label));
  return { node, end: close + 1 };
}

function readEmphasis(text: string, at: number, isIncomplete: boolean, inner: (markdown: string) => Node[]) {
  const char = text[at]!;
  const size = text[at + 1] === char ? 2 : 1;
  const tag = char === "~" ? "del" : size === 2 ? "strong" : "em";
  const mark = char.repeat(size);
  const from = at + size;
  if ((tag === "del" && size === 1) || !/\S/.test(text[from] ?? "")) return undefined;
  // No emphasis in names such as snake_case.
  if (char === "_" && /\w/.test(text[at - 1] ?? "")) return undefined;
  const closes = (end: number): boolean =>
    /\S/.test(text[end - 1]!) &&
    // The end of `**` is not the end of `*`.
    !(size === 1 && (text[end + 1] === char || text[end - 1] === char)) &&
    !(char === "_" && /\w/.test(text[end + size] ?? ""));
  let to = text.indexOf(mark, from + 1);
  while (to >= 0 && !closes(to)) to = text.indexOf(mark, to + 1);
  if (to >= 0 && size === 2 && text[to + 2] === char) to++;
  if (to < 0 && !(isIncomplete && size === 2)) return undefined;
  return {
    node: create(tag, {}, ...inner(text.slice(from, to < 0 ? undefined : to))),
    end: to < 0 ? text.length : to + size,
  };
}
