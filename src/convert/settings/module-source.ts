/** Modules of settings as JavaScript that the interpreter runs: without types, `await` and what only bundlers know. */
import type { Node } from "acorn";
import { matchGlob } from "../../lib/regexp/match-glob.js";
import { folderOf, joinPath } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { readYaml } from "../data.js";

/** Larger files are not read. */
export const maxBytes = 1024 * 1024;

type ModuleSource = { readonly text: string; readonly written: string } | { readonly fault: string };

/** The module as JavaScript without types and `await`. */
export async function moduleSource(files: SiteFiles, path: string): Promise<ModuleSource> {
  if (files.sizeOf(path) > maxBytes) return { fault: "the file has more than 1 MB" };
  const written = files.readText(path);
  if (/\.(?:json|ya?ml)$/.test(path)) {
    const value = path.endsWith(".json") ? readJson(written) : readYaml(written).value;
    return { text: `module.exports=${JSON.stringify(value ?? null)}`, written };
  }
  if (isTooDeep(written)) return { fault: "its brackets are nested too deeply" };
  try {
    return { text: await withoutWaiting(written, files, path), written };
  } catch {
    // TypeScript or JSX, whose lines change.
  }
  try {
    const esbuild = await import("esbuild");
    const options = { format: "esm", target: "esnext", jsx: "transform", logLevel: "silent" } as const;
    const loader = /\.[cm]?ts$/.test(path) ? "ts" : "tsx";
    const { code } = await esbuild.transform(written, { ...options, loader, jsxFactory: "__h", jsxFragment: "__F" });
    return { text: await withoutWaiting(code, files, path), written };
  } catch (error) {
    return {
      fault: String((error as Error).message)
        .split("\n")
        .slice(0, 2)
        .join(" "),
    };
  }
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return readYaml(text).value;
  }
}

/** Brackets in strings also count; the limit is far above real settings. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/[[({})\]]/g)) {
    depth += "[({".includes(sign) ? 1 : -1;
    if (depth > 200) return true;
  }
  // Unary operators nest without brackets.
  return /[!~]{500}/.test(text);
}

/** The word `async` of a method is before its name, and thus belongs to the property node. */
const isAsync = (node: Readonly<Record<string, unknown>>): boolean =>
  node["async"] === true || (node["method"] === true && (node["value"] as { async?: unknown }).async === true);

type Edit = readonly [start: number, end: number, text: string];

/**
 * Vite's `import.meta.glob("./nav/*.ts", { eager: true })` as an object of the matching files, and `import(`./${name}.json`)` as
 * one of them.
 */
function globImport(node: Node, text: string, files: SiteFiles, path: string): string | undefined {
  const { callee, arguments: args, source } = node as GlobCall;
  const parts = node.type === "ImportExpression" ? source?.quasis : undefined;
  if (parts !== undefined) {
    const glob = parts.map(({ value }) => value.raw).join("*");
    const one = text.slice(source!.start, source!.end);
    return `$default((${filesOf([glob], false, files, path)})[${one}]?.())`;
  }
  if (node.type !== "CallExpression" || callee?.object?.type !== "MetaProperty" || callee.property?.name !== "glob")
    return undefined;
  const [first, options] = args ?? [];
  const globs = (first?.elements ?? [first]).flatMap((item) => (typeof item?.value === "string" ? [item.value] : []));
  return `(${filesOf(globs, JSON.stringify(options ?? "").includes('"eager"'), files, path)})`;
}

/** An object of the modules that match, as an expression: with `isEager`, the modules; otherwise functions that return them. */
function filesOf(globs: readonly string[], isEager: boolean, files: SiteFiles, path: string): string {
  const entries = globs.flatMap((glob) =>
    files.paths.flatMap((file) => {
      if (!matchGlob(`./${joinPath(folderOf(path), glob)}`, file)) return [];
      const start = /^[^*{]*\//.exec(glob)?.[0] ?? "./";
      const name = JSON.stringify(start + file.slice(joinPath(folderOf(path), start).length).replace(/^\//, ""));
      return [`${name}:${isEager ? "" : "()=>"}require(${name})`];
    }),
  );
  return `{${entries.join(",")}}`;
}

interface GlobCall {
  readonly callee?: { readonly object?: { readonly type: string }; readonly property?: { readonly name?: string } };
  readonly arguments?: readonly Literal[];
  readonly source?: Node & { readonly quasis?: readonly { readonly value: { readonly raw: string } }[] };
}
interface Literal {
  readonly value?: unknown;
  readonly elements?: readonly Literal[];
}

/**
 * Removes `async` and `await`: nothing in the interpreter waits, since files and packages answer at once. `import()` and
 * `import.meta` become what they are in CommonJS.
 *
 * @throws {SyntaxError} for what is not plain JavaScript
 */
async function withoutWaiting(text: string, files: SiteFiles, path: string): Promise<string> {
  const { parse } = await import("acorn");
  const tree = parse(text, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true });
  const edits: Edit[] = [];
  const stack: unknown[] = [tree];
  while (stack.length > 0) {
    const value = stack.pop();
    if (Array.isArray(value)) stack.push(...value);
    if (typeof value !== "object" || value === null || !("type" in value)) continue;
    const node = value as Node & Readonly<Record<string, unknown>>;
    const imports = globImport(node, text, files, path);
    if (imports !== undefined) {
      edits.push([node.start, node.end, imports]);
      continue;
    }
    if (node.type === "AwaitExpression") {
      const argument = node["argument"] as Node;
      edits.push([node.start, argument.start, "("], [argument.end, argument.end, ")"]);
    } else if (isAsync(node) && text.startsWith("async", node.start)) edits.push([node.start, node.start + 5, ""]);
    else if (node.type === "MetaProperty") edits.push([node.start, node.end, "$meta"]);
    else if (node.type === "ImportExpression")
      edits.push([node.start, node.start + 6, "$default(require"], [node.end, node.end, ")"]);
    stack.push(...Object.values(node));
  }
  let out = "";
  let at = 0;
  for (const [start, end, replacement] of edits.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    if (start < at) continue;
    out += text.slice(at, start) + replacement;
    at = end;
  }
  return out + text.slice(at);
}
