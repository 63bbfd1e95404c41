import type { Comment, Node, Options, Parser } from "acorn";
import { attempt } from "../../lib/attempt.js";
import { type AnyNode, childNodes, isNode } from "../../lib/jsx/syntax-node.js";

/** Why a module is not compiled. */
export interface SourceFault {
  readonly kind: "syntax" | "limit";
  readonly message: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
}

export const sourceLimits = {
  bytes: 1024 * 1024,
  depth: 500,
  /** Of TypeScript, only brackets are counted. This limits other nesting, which costs esbuild several kB a level. */
  typeScriptBytes: 64 * 1024,
  /** JavaScript up to this size is checked in the same way, without parsing it. */
  unparsedBytes: 32 * 1024,
} as const;

const tooDeep: SourceFault = {
  kind: "limit",
  message: `it is nested more than ${sourceLimits.depth} levels deep`,
};

/**
 * Checks a module before esbuild compiles it, since deep nesting would exhaust esbuild's memory. It also disables
 * comments that change how JSX is compiled. Esbuild finds the syntax errors of short modules: parsing takes as long as
 * compiling.
 */
export async function checkSource(text: string, isTypeScript: boolean): Promise<string | SourceFault> {
  const maxBytes = isTypeScript ? sourceLimits.typeScriptBytes : sourceLimits.bytes;
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) return { kind: "limit", message: `it has more than ${maxBytes / 1024} kB` };
  const isShallow = bracketDepth(text) <= sourceLimits.depth;
  if (isTypeScript) return isShallow ? withoutPragmas(text, commentsIn(text)) : tooDeep;
  if (isShallow && bytes <= sourceLimits.unparsedBytes && !text.includes("@jsx") && hasFewPrefixes(text))
    return withoutPragmas(text, []);
  return parseSource(text);
}

async function parseSource(text: string): Promise<string | SourceFault> {
  const comments: Comment[] = [];
  try {
    const parser = await jsxParser();
    const tree = parser.parse(text, { ...parserOptions, onComment: comments });
    return isDeeperThan(tree, sourceLimits.depth) ? tooDeep : withoutPragmas(text, comments);
  } catch (error) {
    return parserFault(error);
  }
}

/** Prefers the parser's fault of a module, if it finds one, to another: esbuild may change its messages. */
export async function parsedFault(text: string, isTypeScript: boolean, fault: SourceFault): Promise<SourceFault> {
  const parsed = isTypeScript ? text : await parseSource(text);
  return typeof parsed === "string" ? fault : parsed;
}

const parserOptions: Options = { ecmaVersion: "latest", sourceType: "module", allowHashBang: true };

let loading: Promise<typeof Parser> | undefined;

/** Loads the parser on first use, since few sites have code. */
export function jsxParser(): Promise<typeof Parser> {
  loading ??= Promise.all([import("acorn"), import("acorn-jsx")]).then(([acorn, { default: jsx }]) =>
    acorn.Parser.extend(jsx()),
  );
  return loading;
}

export function parserFault(error: unknown): SourceFault {
  const { message, loc } = error as { readonly message: string; readonly loc?: { line: number; column: number } };
  if (error instanceof RangeError || /^Not enough stack space/.test(message)) return tooDeep;
  if (!loc) throw error;
  return {
    kind: "syntax",
    message: message.replace(/ \(\d+:\d+\)$/, ""),
    line: loc.line,
    column: loc.column + 1,
  };
}

/** What may be an element that a function does not return. Other text is not parsed for it. */
const mayBeUnreturned = /(?:[{;]|\breturn[^\S\n]*\n)\s*<[A-Za-z>]/;

/** Most elements of a module that are reported at once; each is reported when those before it are returned. */
const maxUnreturned = 20;

/** The first statement of a function, or the line below `return`. Acorn does not parse TypeScript. */
const unreturnedInTypeScript =
  /(?:\)(?:[ \t]*:[ \t]*[\w.<>]{1,60})?(?:[ \t]*=>)?[ \t]*\{|\breturn[^\S\n]*\n)\s*(?=(<[A-Za-z][\w.]*)(?:\s+[\w-]+[={\s/>]|\s*\/?>(?!\()))/g;

/** The elements that are statements, which show nothing: `() => { <p>…</p> }`. */
export async function unreturnedElements(text: string, isTypeScript: boolean) {
  const elements: { readonly line: number; readonly column: number; readonly what: string }[] = [];
  if (!mayBeUnreturned.test(text)) return elements;
  if (isTypeScript) {
    for (const { 0: before, 1: what = "", index } of text.matchAll(unreturnedInTypeScript)) {
      const lines = text.slice(0, index + before.length).split("\n");
      if (elements.push({ line: lines.length, column: lines.at(-1)!.length + 1, what }) >= maxUnreturned) break;
    }
    return elements;
  }
  const parser = await jsxParser();
  const tree = attempt(() => parser.parse(text, { ...parserOptions, locations: true }) as Node as AnyNode);
  const stack = tree ? [tree] : [];
  for (let node = stack.pop(); node && elements.length < maxUnreturned; node = stack.pop()) {
    const element = node.type === "ExpressionStatement" ? (node["expression"] as AnyNode) : undefined;
    if (element && /^JSX(?:Element|Fragment)$/.test(element.type)) {
      const { line, column } = element.loc!.start;
      elements.push({ line, column: column + 1, what: /^<[\w.]*/.exec(text.slice(element.start, element.end))![0] });
    }
    // One by one, because a call cannot have as many arguments as a list may have items.
    for (const child of childNodes(node).reverse()) stack.push(child);
  }
  return elements;
}

/** Whether a tree has more levels. The left side of an operator adds none, since `a + b + c` is long but not deep. */
function isDeeperThan(tree: Node, maxDepth: number): boolean {
  const stack: [value: unknown, depth: number][] = [[tree, 0]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [node, depth] = next;
    if (depth > maxDepth) return true;
    for (const key in node as object) {
      const value = (node as Readonly<Record<string, unknown>>)[key];
      if (typeof value !== "object" || value === null) continue;
      const isChain = key === "left" && /^(?:Binary|Logical)Expression$/.test((node as Node).type);
      if (Array.isArray(value)) {
        for (const item of value) if (isNode(item)) stack.push([item, depth + 1]);
      } else if (isNode(value)) stack.push([value, isChain ? depth : depth + 1]);
    }
  }
  return false;
}

/** An upper bound of the depth: brackets in strings and comments count too. After a name, `<` begins type arguments. */
function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [part] of text.matchAll(/[([{]|[)\]}]|<\/|\/>|(?<![\w$)\]])<(?=[\w>])/g)) {
    if (/^(?:[)\]}]|<\/|\/>)$/.test(part)) depth = Math.max(0, depth - 1);
    else deepest = Math.max(deepest, ++depth);
  }
  return deepest;
}

/** Limits nested conditions, for which esbuild's time grows with the square of the depth. */
const hasFewPrefixes = (text: string): boolean => (text.match(/[?!~]|=>/g)?.length ?? 0) <= sourceLimits.depth;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Finds comments, and parts of strings that look like comments. */
function* commentsIn(text: string): Generator<Range> {
  for (let start = text.indexOf("/"); start >= 0; start = text.indexOf("/", start)) {
    const kind = text[start + 1];
    const close = kind === "*" ? text.indexOf("*/", start + 2) : kind === "/" ? text.indexOf("\n", start) : start;
    const end = close < 0 ? text.length : close + (kind === "*" ? 2 : 1);
    if (end > start + 1) yield { start, end };
    start = end;
  }
}

function withoutPragmas(text: string, comments: Iterable<Range>): string {
  const start = text.startsWith("#!") ? `//${text.slice(2)}` : text;
  if (!text.includes("@jsx")) return start;
  let out = "";
  let end = 0;
  for (const comment of comments) {
    out += start.slice(end, comment.start) + start.slice(comment.start, comment.end).replaceAll("@jsx", "-jsx");
    end = comment.end;
  }
  return out + start.slice(end);
}
