import type { Nodes, PhrasingContent, Root, RootContent, Text } from "mdast";
import type { JsxElement } from "../content/index.js";
import { blockElements, isTag, joinRuns, voidElements } from "./nodes.js";

/** Returns a rewritten tree and leaves the original unchanged. */
export type HtmlJoiner = (tree: Root) => Root;

/**
 * Markdown splits HTML into an opening tag, content and a closing tag. The joiner makes elements of them, as if they
 * were JSX, so that the same filter applies. Comments are dropped; an unclosed element ends with its parent.
 */
export async function createHtmlJoiner(): Promise<HtmlJoiner> {
  const { Tokenizer, TokenizerMode } = await import("parse5");
  const modes: ReadonlyMap<string, keyof typeof TokenizerMode> = new Map([
    ["script", "SCRIPT_DATA"],
    ["style", "RAWTEXT"],
    ["textarea", "RCDATA"],
    ["title", "RCDATA"],
    ["xmp", "RAWTEXT"],
    ["iframe", "RAWTEXT"],
    ["noembed", "RAWTEXT"],
    ["noframes", "RAWTEXT"],
    ["noscript", "RAWTEXT"],
    ["plaintext", "PLAINTEXT"],
  ]);

  const tokenize = (html: string, builder: Builder): void => {
    const nothing = (): void => {};
    const onText = (token: { chars: string }): void => builder.text(token.chars);
    const tokenizer: InstanceType<typeof Tokenizer> = new Tokenizer(
      {},
      {
        onStartTag: ({ tagName, attrs, selfClosing }) => {
          const mode = modes.get(tagName);
          if (mode) tokenizer.state = TokenizerMode[mode];
          builder.open(tagName, Object.fromEntries(attrs.map(({ name, value }) => [name, value])), selfClosing);
        },
        onEndTag: ({ tagName }) => builder.close(tagName),
        onCharacter: onText,
        onWhitespaceCharacter: onText,
        onNullCharacter: nothing,
        onComment: nothing,
        onDoctype: nothing,
        onEof: nothing,
      },
    );
    tokenizer.write(html, true);
  };

  const join = (children: readonly RootContent[], inline: boolean): RootContent[] => {
    if (!children.some((child) => child.type === "html")) return children.map(joinIn);
    const builder = createBuilder(inline);
    for (const child of children) {
      // Blocks stand on lines of their own.
      if (!inline) builder.text("\n");
      if (child.type === "html") {
        builder.from(child);
        tokenize(child.value, builder);
      } else builder.add(joinIn(child));
    }
    return builder.done();
  };
  const joinIn = <T extends Nodes>(node: T): T => {
    if (!("children" in node)) return node;
    const inline = node.type === "paragraph" || node.type === "heading" || node.type === "tableCell";
    return { ...node, children: join(node.children as RootContent[], inline) };
  };
  return joinIn;
}

interface Builder {
  /** Sets the node that contains the next tags and texts. */
  from(node: Nodes): void;
  open(name: string, props: Record<string, string>, selfClosing: boolean): void;
  close(name: string): void;
  text(value: string): void;
  add(node: RootContent): void;
  done(): RootContent[];
}

/** The elements before which an open one ends: `<li>` ends before `<li>`. */
const endsBefore: ReadonlyMap<string, RegExp> = new Map([
  ["li", /^li$/],
  ["dt", /^d[td]$/],
  ["dd", /^d[td]$/],
  ["p", /^p$/],
  ["tr", /^t[rdh]$/],
  ["td", /^t[dh]$/],
  ["th", /^t[dh]$/],
  ["option", /^option$/],
]);

/** Elements below this level become siblings. */
const openLimit = 60;

function createBuilder(inline: boolean): Builder {
  const roots: RootContent[] = [];
  const stack: JsxElement[] = [];
  let source: Nodes | undefined;
  /** The text to which the next one is joined: the tokenizer returns words and white space separately. */
  let lastText: Text | undefined;

  const add = (node: RootContent): void => {
    lastText = undefined;
    const parent = stack.at(-1);
    (parent ? (parent.children as RootContent[]) : roots).push(node);
  };
  const open: Builder["open"] = (name, props, selfClosing) => {
    const ended = endsBefore.get(name);
    while (ended && stack.length > 0 && ended.test(stack.at(-1)!.name!)) stack.pop();
    const node = {
      type: inline ? "mdxJsxTextElement" : "mdxJsxFlowElement",
      name,
      attributes: [],
      children: [],
      position: source?.position,
      data: { props, sourcePath: source?.data?.sourcePath },
    } as JsxElement;
    add(node as RootContent);
    if (!selfClosing && !voidElements.has(name) && stack.length < openLimit) stack.push(node);
  };
  const close = (name: string): void => {
    lastText = undefined;
    const at = stack.findLastIndex((node) => node.name === name);
    if (at >= 0) stack.length = at;
  };
  const text = (value: string): void => {
    if (lastText) lastText.value += value;
    else {
      const isExact = stack.some(({ name }) => name === "pre");
      const node: Text = { type: "text", value, ...(isExact && { data: { isExact } }) };
      add(node);
      lastText = node;
    }
  };
  const from = (node: Nodes): void => {
    source = node;
  };
  return { from, open, close, text, add, done: () => (inline ? roots : inParagraphs(settled(roots))) };
}

const isBlank = (node: RootContent): boolean => node.type === "text" && /^[ \t\n\f\r]*$/.test(node.value);

const isElement = (node: RootContent | undefined): node is JsxElement & RootContent =>
  node?.type === "mdxJsxFlowElement" || node?.type === "mdxJsxTextElement";

/** Whether a browser puts the node on a line with its neighbours. */
const isInline = (node: RootContent | undefined): boolean =>
  node?.type === "text" || (isElement(node) && !blockElements.has(node.name ?? ""));

/** Removes ignored white space around blocks, and makes elements in sentences text elements. Changes the nodes. */
function settled(children: readonly RootContent[], inside: "block" | "line" | "pre" = "block"): RootContent[] {
  const kept = children.filter(
    (node, i) => inside !== "block" || !isBlank(node) || (isInline(children[i - 1]) && isInline(children[i + 1])),
  );
  const hasWords = inside !== "block" || kept.some((node) => node.type === "text" && !isBlank(node));
  for (const node of kept) {
    if (!isElement(node)) continue;
    if (isInline(node) && (hasWords || isTag(node))) node.type = "mdxJsxTextElement";
    const within = inside === "pre" || node.name === "pre" ? "pre" : isInline(node) ? "line" : "block";
    (node.children as RootContent[]) = settled(node.children as RootContent[], within);
  }
  return kept;
}

/** Turns text between two blocks, and the inline elements beside it, into a paragraph. */
const inParagraphs = (nodes: readonly RootContent[]): RootContent[] =>
  joinRuns(nodes, isInline, (line) => {
    const isParagraph = line.some((node) => node.type === "text" || (line.length > 1 && isTag(node)));
    return isParagraph ? [{ type: "paragraph", children: line as PhrasingContent[] }] : line;
  });
