import type { Comment, Node } from "acorn";
import { type AnyNode, jsxParser } from "./check-source.js";
import { toCommonJs } from "./commonjs.js";
import type { CompiledModule, ModuleSource } from "./compile-module.js";
import { unfit } from "./element-calls.js";

type Compile = (sources: readonly ModuleSource[]) => Promise<readonly CompiledModule[]>;

/**
 * Compiles short modules of pages in this process, and all others with `compile`. Each page has its own module, and most only
 * import and show components: asking esbuild takes about 2 ms a page, compiling here 0.1 to 0.4 ms.
 */
export const compileShortHere =
  (compile: Compile): Compile =>
  async (sources) => {
    const codes = await Promise.all(
      sources.map(({ id, text }) => (isPageModule.test(id) ? compileShort(text) : undefined)),
    );
    const others = sources.filter((_, i) => codes[i] === undefined);
    const compiled = others.length === 0 ? [] : [...(await compile(others))];
    return codes.map((code) => (code === undefined ? compiled.shift()! : { code }));
  };

/** Whether the module is that of a page, not a file of code. */
export const isPageModule = /\.mdx?$/i;

/** In characters. The output for longer modules would exceed that of esbuild with its helpers. */
const maxShortLength = 4096;

/** Syntax with another meaning in classic scripts, text that esbuild replaces, and names that compiled modules use. */
const unsupported = /<!--|-->|\bprocess\b|@jsx|__proto__|__default|__m\d|\\u|^#!/;

/** @returns CommonJS; undefined if esbuild should compile it, as it should all that is not an ES2020 module. */
export async function compileShort(text: string): Promise<string | undefined> {
  if (text.length > maxShortLength || unsupported.test(text)) return undefined;
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
