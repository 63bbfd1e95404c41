import { create } from "../dom.js";

/** How an answer is shown. */
export interface Inline {
  /** The text may go on. */
  readonly isOpen: boolean;
  readonly link: (href: string, label: string) => HTMLElement | undefined;
  readonly codeActions: (code: string) => HTMLElement;
}

/** Deeper emphasis is shown as text. */
const deepest = 6;

/** The nodes of text without blocks. */
export function inlineNodes(text: string, inline: Inline, depth = 0): Node[] {
  const nodes: Node[] = [];
  let plain = "";
  const add = (node: Node): void => {
    if (plain !== "") nodes.push(document.createTextNode(plain));
    plain = "";
    nodes.push(node);
  };
  const inner = (markdown: string): Node[] => inlineNodes(markdown, inline, depth + 1);
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    const found = depth < deepest && special.test(char) ? read(text, at, inline, inner) : undefined;
    if (found) {
      if (char === "\n") plain = plain.replace(/\\$/, "").trimEnd();
      if (typeof found.node === "string") plain += found.node;
      else add(found.node);
      at = found.end;
    } else {
      plain += char;
      at++;
    }
  }
  if (plain !== "") nodes.push(document.createTextNode(plain));
  return nodes;
}

const special = /[\\`![*_~\n]/;

interface Found {
  readonly node: Node | string;
  readonly end: number;
}

function read(text: string, at: number, inline: Inline, inner: (markdown: string) => Node[]): Found | undefined {
  const char = text[at]!;
  if (char === "\n") {
    const isBreak = /(?: {2}|\\)$/.test(text.slice(Math.max(0, at - 2), at));
    return { node: isBreak ? create("br") : " ", end: at + 1 };
  }
  if (char === "\\")
    return /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "") ? { node: text[at + 1]!, end: at + 2 } : undefined;
  if (char === "`") return readCode(text, at, inline.isOpen);
  if (char === "[") return readLink(text, at, inline, inner);
  // A picture could report to its host that the answer was read.
  if (char === "!") {
    const found = text[at + 1] === "[" ? readLink(text, at + 1, inline, inner) : undefined;
    return found && { node: found.node.textContent!, end: found.end };
  }
  return readEmphasis(text, at, inline.isOpen, inner);
}

function readCode(text: string, at: number, isOpen: boolean): Found | undefined {
  const ticks = /^`+/.exec(text.slice(at, at + 20))![0];
  const from = at + ticks.length;
  const to = text.indexOf(ticks, from);
  if (to < 0 && !(isOpen && from < text.length)) return undefined;
  const code = text.slice(from, to < 0 ? undefined : to).replace(/^ (.+) $/, "$1");
  return { node: create("code", {}, code), end: to < 0 ? text.length : to + ticks.length };
}

const longestLabel = 500;

function readLink(text: string, at: number, inline: Inline, inner: (markdown: string) => Node[]) {
  let depth = 0;
  let end = at;
  const last = Math.min(text.length, at + longestLabel);
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
  const node = inline.link(href, label) ?? create("span");
  if (!node.hasChildNodes()) node.append(...inner(label));
  return { node, end: close + 1 };
}

function readEmphasis(text: string, at: number, isOpen: boolean, inner: (markdown: string) => Node[]) {
  const char = text[at]!;
  const size = text[at + 1] === char ? 2 : 1;
  const tag = char === "~" ? "del" : size === 2 ? "strong" : "em";
  const mark = char.repeat(size);
  const from = at + size;
  if ((tag === "del" && size === 1) || !/\S/.test(text[from] ?? "")) return undefined;
  // Names such as snake_case have no emphasis.
  if (char === "_" && /\w/.test(text[at - 1] ?? "")) return undefined;
  const closes = (end: number): boolean =>
    /\S/.test(text[end - 1]!) &&
    // The end of `**` is not the end of `*`.
    !(size === 1 && (text[end + 1] === char || text[end - 1] === char)) &&
    !(char === "_" && /\w/.test(text[end + size] ?? ""));
  let to = text.indexOf(mark, from + 1);
  while (to >= 0 && !closes(to)) to = text.indexOf(mark, to + 1);
  if (to >= 0 && size === 2 && text[to + 2] === char) to++;
  if (to < 0 && !(isOpen && size === 2)) return undefined;
  return {
    node: create(tag, {}, ...inner(text.slice(from, to < 0 ? undefined : to))),
    end: to < 0 ? text.length : to + size,
  };
}
