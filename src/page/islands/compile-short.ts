import type { Comment, Node } from "acorn";
import { type AnyNode, jsxParser } from "./check-source.js";
import { type ModuleParts, toCommonJs, usedNames, withDefault, writeModule } from "./commonjs.js";
import type { CompiledModule, ModuleSource } from "./compile-module.js";
import { unfit, visibleText } from "./element-calls.js";

type Compile = (sources: readonly ModuleSource[]) => Promise<readonly CompiledModule[]>;

/**
 * Compiles short modules of pages in this process, and all others with `compile`. Each page has its own module, and most only
 * import and show components: asking esbuild takes several times as long.
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
  try {
    return compilePlain(text);
  } catch (error) {
    if (error !== unfit) throw error;
  }
  return compileParsed(text);
}

/** @returns undefined if esbuild should compile it. */
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

/** Levels of elements and values. */
const maxDepth = 100;

const importLine =
  /import(?:\s+([A-Za-z_$][\w$]*))?(\s*,)?(?:\s*\{([\w$\s,]*)\})?\s*from\s*("[^"\\\n]*"|'[^'\\\n]*')(?:;|(?=\s*(?:\n|$)))/y;
const specifier = /^([A-Za-z_$][\w$]*)(?:\s+as\s+([A-Za-z_$][\w$]*))?$/;
const rootStart = /export const ([A-Za-z_$][\w$]*) = \(\) => /y;
const rootEnd = /;|(?=\s*$)/y;
const space = /\s*/y;
const tagName = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?![\w$.:-])/y;
const attributeName = /[A-Za-z_$][\w$]*(?:-[\w$]+)*(?![\w$:-])/y;
const quoted = /"[^"&\r]*"|'[^'&\r]*'/y;
const shown = /[^<>{}&]*/y;
const literal =
  /"[^"\\\n\r]*"|'[^'\\\n\r]*'|`[^`\\$\r]*`|-?(?:0|[1-9]\d*)(?:\.\d+)?(?![\w$.])|(?:true|false|null|undefined)(?![\w$])/y;
const propertyKey = /(?:[A-Za-z_$][\w$]*|"[^"\\\n\r]*"|'[^'\\\n\r]*')\s*:/y;
const identifier = /[A-Za-z_$][\w$]*/y;

/** Names that no module can bind. */
const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/**
 * What `toCommonJs` makes of modules of imports and of elements with plain values, which most pages have: without a tree,
 * and the parser is not loaded for it. Throws `unfit` for all else.
 */
export function compilePlain(text: string): string {
  const parts: ModuleParts = { requires: [], imported: new Map(), exported: [] };
  let at = 0;

  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const need = (pattern: RegExp): RegExpExecArray => {
    const found = take(pattern);
    if (!found) throw unfit;
    return found;
  };
  const isNext = (char: string): boolean => text[at] === char;
  const takeChar = (char: string): boolean => {
    if (!isNext(char)) return false;
    at++;
    return true;
  };

  const bind = (name: string): string => {
    if (reserved.has(name) || usedNames.has(name) || parts.imported.has(name)) throw unfit;
    if (parts.exported.some(([, local]) => local === name)) throw unfit;
    return name;
  };

  const readImport = ([, own, comma, list, path]: RegExpExecArray): void => {
    if ((own !== undefined && list !== undefined) !== (comma !== undefined)) throw unfit;
    if (own === undefined && list === undefined) throw unfit;
    const required = `require(${JSON.stringify(path!.slice(1, -1))})`;
    const module = `__m${parts.requires.length}`;
    let hasDefault = false;
    const add = (name: string, local: string): void => {
      if (name === "default") hasDefault = true;
      parts.imported.set(bind(local), `${module}.${name}`);
    };
    if (own !== undefined) add("default", own);
    const names = list?.split(",") ?? [];
    // A comma may be after the last one.
    if (names.at(-1)?.trim() === "") names.pop();
    for (const each of names) {
      const [, name, local = name] = specifier.exec(each.trim()) ?? [];
      if (name === undefined) throw unfit;
      add(name, local!);
    }
    parts.requires.push(hasDefault ? `${withDefault}(${required})` : required);
  };

  const readValue = (depth: number): string => {
    if (depth > maxDepth) throw unfit;
    const plain = take(literal);
    if (plain) return plain[0];
    if (isNext("[")) return readList("[", "]", () => readValue(depth + 1));
    if (isNext("{")) return readList("{", "}", () => need(propertyKey)[0] + need(space)[0] + readValue(depth + 1));
    if (isNext("<")) return readElement(depth + 1);
    const imported = parts.imported.get(need(identifier)[0]);
    if (imported === undefined) throw unfit;
    return imported;
  };

  const readList = (open: string, close: string, readItem: () => string): string => {
    let out = open;
    at++;
    for (;;) {
      out += need(space)[0];
      if (takeChar(close)) return out + close;
      out += readItem() + need(space)[0];
      if (takeChar(close)) return out + close;
      if (!takeChar(",")) throw unfit;
      out += ",";
    }
  };

  /** In braces. */
  const readExpression = (depth: number): string => {
    at++;
    const out = need(space)[0] + readValue(depth + 1) + need(space)[0];
    if (!takeChar("}")) throw unfit;
    return out;
  };

  const readAttribute = (depth: number): string => {
    const [name] = need(attributeName);
    const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
    if (!takeChar("=")) return `${key}:!0`;
    if (isNext("{")) return `${key}:${readExpression(depth)}`;
    return `${key}:${JSON.stringify(need(quoted)[0].slice(1, -1))}`;
  };

  const typeOf = (name: string): string => {
    if (!name.includes(".") && /^[a-z]/.test(name)) return JSON.stringify(name);
    const [first, ...rest] = name.split(".");
    if (reserved.has(first!)) throw unfit;
    return [parts.imported.get(first!) ?? first, ...rest].join(".");
  };

  const readElement = (depth: number): string => {
    if (depth > maxDepth) throw unfit;
    const before = /[\w$\u0080-\uffff]/.test(text[at - 1] ?? "") ? " " : "";
    at++;
    const [name] = need(tagName);
    const attributes: string[] = [];
    while (need(space)[0] !== "" && !isNext("/") && !isNext(">")) attributes.push(readAttribute(depth));
    const out = `${before}__h(${typeOf(name)}${attributes.length > 0 ? `,{${attributes.join()}}` : ",null"}`;
    const isClosed = takeChar("/");
    if (!takeChar(">")) throw unfit;
    return isClosed ? `${out})` : `${out}${readContent(name, depth)})`;
  };

  const readContent = (name: string, depth: number): string => {
    let out = "";
    for (;;) {
      const words = visibleText(need(shown)[0]);
      if (words !== "") out += `,${JSON.stringify(words)}`;
      if (isNext("{")) out += `,${readExpression(depth)}`;
      else if (text.startsWith("</", at)) {
        const end = `</${name}>`;
        if (!text.startsWith(end, at)) throw unfit;
        at += end.length;
        return out;
      } else if (isNext("<")) out += `,${readElement(depth + 1)}`;
      else throw unfit;
    }
  };

  const readRoot = (name: string): string => {
    parts.exported.push([bind(name), name]);
    const isInBrackets = takeChar("(");
    let out = isInBrackets ? `(${need(space)[0]}` : "";
    if (!isNext("<")) throw unfit;
    out += readElement(0);
    if (isInBrackets) {
      out += need(space)[0];
      if (!takeChar(")")) throw unfit;
      out += ")";
    }
    return `${out}${need(rootEnd)[0]}`;
  };

  // Imports may be after their uses, which are not changed then.
  let body = need(space)[0];
  for (let found = take(importLine); found; found = take(importLine)) {
    readImport(found);
    body += need(space)[0];
  }
  while (at < text.length) {
    const [, name] = need(rootStart);
    body += ` const ${name} = () => ${readRoot(name!)}${need(space)[0]}`;
  }
  return writeModule(parts, body);
}
