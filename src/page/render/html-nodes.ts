import type { Nodes, Root, RootContent } from "mdast";
import type { JsxElement } from "../content/index.js";
import { voidElements } from "./html-names.js";

/** Returns a rewritten tree and leaves the original unchanged. */
export type HtmlJoiner = (tree: Root) => Root;

/**
 * Markdown splits HTML into an opening tag, text and a closing tag. The joiner makes elements of them, as if they were
 * written in JSX, so that they pass the same filter. Comments are dropped; an unclosed element ends with its parent.
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
    for (const child of children)
      if (child.type === "html") {
        builder.from(child);
        tokenize(child.value, builder);
      } else builder.add(joinIn(child));
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
  /** Sets the node that the next tags and texts are from. */
  from(node: Nodes): void;
  open(name: string, props: Record<string, string>, selfClosing: boolean): void;
  close(name: string): void;
  text(value: string): void;
  add(node: RootContent): void;
  done(): RootContent[];
}

/** Elements that close an open one: `<li>` closes `<li>`. */
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

/** Deeper elements become siblings. */
const openLimit = 60;

function createBuilder(inline: boolean): Builder {
  const roots: RootContent[] = [];
  const stack: JsxElement[] = [];
  let source: Nodes | undefined;

  const add = (node: RootContent): void => {
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
    const at = stack.findLastIndex((node) => node.name === name);
    if (at >= 0) stack.length = at;
  };
  const text = (value: string): void => {
    if (value.trim() !== "" || inline) add({ type: "text", value });
  };
  const from = (node: Nodes): void => {
    source = node;
  };
  return { from, open, close, text, add, done: () => roots };
}
