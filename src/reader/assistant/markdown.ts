/** Renders the Markdown of answers to DOM nodes. Unsupported syntax stays text, including HTML and images. */
import { create } from "../dom.js";
import { type InlineOptions, inlineNodes } from "./inline-markdown.js";

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
