import type { Comment, Node } from "acorn";
import { jsxParser } from "./check-source.js";
import { toCommonJs } from "./commonjs.js";
import type { CompiledModule, ModuleSource } from "./compile-module.js";
import { compilePlain } from "./compile-plain.js";
import { unfit } from "./element-calls.js";
import type { AnyNode } from "./syntax-tree.js";

type Compile = (sources: readonly ModuleSource[]) => Promise<readonly CompiledModule[]>;

/**
 * Compiles short modules of pages in this process, and others by `compile`. Each page has one of its own, and most only
 * import and show components: to ask esbuild for it takes several times as long as to do it here.
 */
export const shortOnesHere =
  (compile: Compile): Compile =>
  async (sources) => {
    const codes = await Promise.all(
      sources.map(({ id, text }) => (isOfPage.test(id) ? compileShort(text) : undefined)),
    );
    const others = sources.filter((_, i) => codes[i] === undefined);
    const compiled = others.length === 0 ? [] : [...(await compile(others))];
    return codes.map((code) => (code === undefined ? compiled.shift()! : { code }));
  };

/** By its path: whether a module is what a page says itself, and no file of code. */
export const isOfPage = /\.mdx?$/i;

/** Characters. What is made of a longer one is more than what esbuild makes with its helpers. */
const longestShort = 4096;

/** What changes its meaning in a classic script, what esbuild replaces, and names that are used here. */
const unusual = /<!--|-->|\bprocess\b|@jsx|__proto__|__default|__m\d|\\u|^#!/;

/** @returns CommonJS; undefined for what esbuild should compile: also what is no module of ES2020. */
export async function compileShort(text: string): Promise<string | undefined> {
  if (text.length > longestShort || unusual.test(text)) return undefined;
  try {
    return compilePlain(text);
  } catch (error) {
    if (error !== unfit) throw error;
  }
  return compileParsed(text);
}

/** @returns undefined for what esbuild should compile. */
export async function compileParsed(text: string): Promise<string | undefined> {
  const parser = await jsxParser();
  const comments: Comment[] = [];
  try {
    const tree = parser.parse(text, { ecmaVersion: 2020, sourceType: "module", onComment: comments });
    return toCommonJs(text, tree as Node as AnyNode, comments);
  } catch (error) {
    if (error === unfit || error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
