/** Renders the Markdown of answers to DOM nodes. Unsupported syntax stays text, including HTML and images. */
import { create } from "../dom.js";

/** Deeper lists and quotations are shown as text. */
const maxDepth = 5;

/** Splits Markdown into the source of its blocks. */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let fence = "";
  let isList = false;
  const end = (): void => {
    while (block.at(-1)?.trim() === "") block.pop();
    if (block.length > 0) blocks.push(block.join("\n"));
    block = [];
    isList = false;
  };
  for (const line of text.split("\n")) {
    const opening = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence !== "") {
      block.push(line);
      if (opening.startsWith(fence) && line.trim() === opening) {
        fence = "";
        if (!isList) end();
      }
      continue;
    }
    const isIndented = /^\s{2,}\S/.test(line);
    if (isList && (line.trim() === "" || isIndented || marker.test(line))) {
      block.push(line);
      fence = opening;
      continue;
    }
    if (line.trim() === "") {
      end();
      continue;
    }
    if (isList && block.at(-1)?.trim() === "") end();
    const startsList = marker.test(line) && !rule.test(line);
    if (opening !== "" || startsList || heading.test(line) || rule.test(line)) {
      end();
      isList = startsList;
    } else if (block.length > 0 && /^>/.test(block[0]!) !== /^>/.test(line)) end();
    block.push(line);
    fence = isList ? "" : opening;
    if (heading.test(line) || rule.test(line)) end();
  }
  end();
  return blocks;
}

const marker = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s+\S/;
const heading = /^#{1,6}\s+\S/;
const rule = /^\s{0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;

export function renderBlock(block: string, options: InlineOptions, depth = 0): HTMLElement {
  const text = (markdown: string): Node[] => inlineNodes(markdown.trim(), options);
  const inner = (markdown: string): HTMLElement[] =>
    splitBlocks(markdown).map((nested) => renderBlock(nested, options, depth + 1));
  const [first = ""] = block.split("\n", 1);
  if (/^\s*(?:`{3,}|~{3,})/.test(first)) return renderCode(block, options);
  if (heading.test(first)) return create("p", "assistant-heading", ...text(first.replace(/^#+|#+$/g, "")));
  if (rule.test(first)) return create("hr");
  if (depth < maxDepth && marker.test(first)) return renderList(block, text, inner);
  if (depth < maxDepth && first.startsWith(">"))
    return create("blockquote", {}, ...inner(block.replace(/^>\s?/gm, "")));
  const lines = block.split("\n");
  if (lines.length > 1 && /\|/.test(first) && /^\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/.test(lines[1]!))
    return renderTable(lines, text);
  return create("p", {}, ...text(block));
}

function renderCode(block: string, { codeActions }: InlineOptions): HTMLElement {
  const lines = block.split("\n");
  const [opening = ""] = lines;
  const fence = opening.trim().match(/^(`+|~+)/)![0];
  const indent = opening.length - opening.trimStart().length;
  const language = opening.trim().slice(fence.length).trim().split(/\s/)[0]!;
  const isClosed = lines.length > 1 && lines.at(-1)!.trim() === fence;
  const text = lines
    .slice(1, isClosed ? -1 : undefined)
    .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)))
    .join("\n");
  return create(
    "div",
    "assistant-code",
    create("div", "assistant-code-head", create("span", {}, language), codeActions(text)),
    create("pre", { tabindex: "0" }, create("code", {}, text)),
  );
}

function renderList(block: string, text: (markdown: string) => Node[], inner: (markdown: string) => HTMLElement[]) {
  const items: string[][] = [];
  let width = 0;
  for (const line of block.split("\n")) {
    const indent = line.length - line.trimStart().length;
    const isItem = marker.test(line) && (items.length === 0 || indent < width);
    if (isItem) {
      width = indent + /^(?:[-*+]|\d+[.)])\s/.exec(line.trimStart())![0].length;
      items.push([line.slice(width)]);
    } else items.at(-1)!.push(line.slice(Math.min(width, indent)));
  }
  const number = /^\s*(\d+)/.exec(block)?.[1];
  const list = number === undefined ? create("ul") : create("ol", number === "1" ? {} : { start: number });
  for (const lines of items) {
    const parts = splitBlocks(lines.join("\n"));
    // The first text of an item is not wrapped in a paragraph.
    const [lead = "", ...rest] = parts;
    const isText = !marker.test(lead) && !/^(?:\s*(?:`{3}|~{3})|>)/.test(lead);
    list.append(create("li", {}, ...(isText ? text(lead) : inner(lead)), ...rest.flatMap((part) => inner(part))));
  }
  return list;
}

function renderTable(lines: readonly string[], text: (markdown: string) => Node[]): HTMLElement {
  const row = (line: string, tag: "th" | "td"): HTMLElement =>
    create(
      "tr",
      {},
      ...line
        .trim()
        .replace(/^\||\|$/g, "")
        .split(/(?<!\\)\|/)
        .map((cell) => create(tag, {}, ...text(cell.replaceAll("\\|", "|")))),
    );
  const [head = "", , ...body] = lines;
  return create(
    "div",
    { class: "assistant-table", tabindex: "0" },
    create(
      "table",
      {},
      create("thead", {}, row(head, "th")),
      create("tbody", {}, ...body.map((line) => row(line, "td"))),
    ),
  );
}

/** How inline Markdown is rendered. */
interface InlineOptions {
  /** More text may follow, so unclosed code and `**` are rendered as if they were closed. */
  readonly isIncomplete: boolean;
  readonly link: (href: string, label: string) => HTMLElement | undefined;
  readonly codeActions: (code: string) => HTMLElement;
}

/** Deeper nesting is shown as text. */
const maxInlineDepth = 6;

/** Renders inline Markdown to DOM nodes. */
function inlineNodes(text: string, options: InlineOptions, depth = 0): Node[] {
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
    const special =
      depth < maxInlineDepth && specialChar.test(char) ? readSpecial(text, at, options, inner) : undefined;
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
  if (to < 0 && !(isIncomplete && size === 2)) return undefined;
  return {
    node: create(tag, {}, ...inner(text.slice(from, to < 0 ? undefined : to))),
    end: to < 0 ? text.length : to + size,
  };
}
