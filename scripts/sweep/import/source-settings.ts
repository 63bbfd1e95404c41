// Settings in JavaScript or TypeScript, read without running them: texts, lists and objects as they are written, names and functions
// of the repository followed. A value that is computed in any other way is undefined.
import { posix } from "node:path";
import { type Node, Parser } from "acorn";
import jsx from "acorn-jsx";
import { transformSync } from "esbuild";

/** A call of a function that no file of the repository has: `starlight({ … })`. */
export interface WrittenCall {
  readonly call: string;
  readonly args: readonly unknown[];
}

interface Module {
  readonly path: string;
  readonly names: ReadonlyMap<string, () => unknown>;
  readonly exported: () => unknown;
}

/** Properties that the kinds of nodes below have. */
// biome-ignore lint/suspicious/noExplicitAny: each kind of node has other properties
type Tree = Node & Record<string, any>;

class Written {
  readonly node: Tree;
  readonly names: ReadonlyMap<string, () => unknown>;

  constructor(node: Tree, names: ReadonlyMap<string, () => unknown>) {
    this.node = node;
    this.names = names;
  }
}

const parser = Parser.extend(jsx());
const endings = ["", ".ts", ".js", ".mts", ".mjs", ".tsx", ".json", "/index.ts", "/index.js", "/index.mts"];
const maxDepth = 60;

/**
 * What a file exports by default.
 *
 * @param read the text of a file of the repository; undefined if there is none
 */
export function readSettings(path: string, read: (path: string) => string | undefined): unknown {
  const modules = new Map<string, Module | undefined>();
  let depth = 0;

  const moduleAt = (file: string): Module | undefined => {
    if (modules.has(file)) return modules.get(file);
    modules.set(file, undefined);
    const text = read(file);
    if (text === undefined) return undefined;
    const own = file.endsWith(".json")
      ? { path: file, names: new Map(), exported: () => jsonOf(text) }
      : parsed(file, text);
    modules.set(file, own);
    return own;
  };

  const moduleOf = (file: string, from: string): Module | undefined =>
    endings
      .map((ending) => posix.join(posix.dirname(file), from.replace(/\.js$/, "") + ending))
      .map((each) => (from.startsWith(".") ? moduleAt(each) : undefined))
      .find((each) => each !== undefined);

  const parsed = (file: string, text: string): Module => {
    const names = new Map<string, () => unknown>();
    let exported = (): unknown => undefined;
    let body: Tree[] = [];
    try {
      const { code } = transformSync(text, { loader: /\.[cm]?ts$/.test(file) ? "ts" : "tsx", jsx: "preserve" });
      body = (parser.parse(code, { sourceType: "module", ecmaVersion: "latest" }) as Tree)["body"];
    } catch {
      return { path: file, names, exported };
    }
    for (const node of body) {
      const own = node["declaration"] ?? node;
      declare(own, names);
      if (node.type === "ImportDeclaration")
        for (const { type, imported, local } of node["specifiers"]) {
          const from = String(node["source"].value);
          names.set(local.name, () => {
            const target = moduleOf(file, from);
            if (type === "ImportNamespaceSpecifier")
              return Object.fromEntries([...(target?.names ?? [])].map(([name, value]) => [name, value()]));
            return type === "ImportSpecifier" && imported.name !== "default"
              ? target?.names.get(imported.name)?.()
              : target?.exported();
          });
        }
      // What other files of the repository export.
      const from = String(node["source"]?.value ?? "");
      const other = (): Module | undefined => moduleOf(file, from);
      if (node.type === "ExportAllDeclaration")
        for (const [name, value] of other()?.names ?? []) names.set(name, value);
      if (node.type === "ExportNamedDeclaration" && from !== "")
        for (const { local, exported: name } of node["specifiers"])
          names.set(name.name, () =>
            local.name === "default" ? other()?.exported() : other()?.names.get(local.name)?.(),
          );
      for (const { local, exported: name } of node["specifiers"] ?? [])
        if (name?.name === "default") exported = () => names.get(local.name)?.();
      if (node.type === "ExportDefaultDeclaration") exported = () => valueIn(own, names);
      const { left, right } = node["expression"] ?? {};
      if (left?.type === "MemberExpression" && left.object.name === "module") exported = () => valueIn(right, names);
    }
    return { path: file, names, exported };
  };

  const declare = (node: Tree, names: Map<string, () => unknown>): void => {
    if (node.type === "FunctionDeclaration" && node["id"]) names.set(node["id"].name, () => new Written(node, names));
    for (const { id, init } of node["declarations"] ?? [])
      if (id.type === "Identifier" && init) names.set(id.name, () => valueIn(init, names));
  };

  /** What a function returns at its end. */
  const returned = ({ node, names }: Written, args: readonly unknown[]): unknown => {
    const own = new Map(names);
    for (const [i, { type, name }] of node["params"].entries()) if (type === "Identifier") own.set(name, () => args[i]);
    if (node["body"].type !== "BlockStatement") return valueIn(node["body"], own);
    for (const each of node["body"].body) declare(each, own);
    const last = node["body"].body.findLast(({ type }: Node) => type === "ReturnStatement");
    return last?.argument && valueIn(last.argument, own);
  };

  const valueIn = (node: Tree, names: ReadonlyMap<string, () => unknown>): unknown => {
    if (++depth > maxDepth) {
      depth--;
      return undefined;
    }
    try {
      const value = (each: Tree): unknown => valueIn(each, names);
      switch (node.type) {
        case "Literal":
          return node["value"];
        case "TemplateLiteral":
          return node["expressions"].length === 0 ? node["quasis"][0].value.cooked : undefined;
        case "ArrayExpression":
          return node["elements"].flatMap((each: Tree | null) => {
            if (each?.type !== "SpreadElement") return each === null ? [] : [value(each)];
            const inner = value(each["argument"]);
            return Array.isArray(inner) ? inner : [];
          });
        case "ObjectExpression":
          return Object.assign(
            {},
            ...node["properties"].map((each: Tree) =>
              each.type === "SpreadElement"
                ? value(each["argument"])
                : each["computed"]
                  ? {}
                  : { [each["key"].name ?? each["key"].value]: value(each["value"]) },
            ),
          );
        case "Identifier":
          return names.get(node["name"])?.();
        case "MemberExpression":
          return (value(node["object"]) as Record<string, unknown> | undefined)?.[
            node["property"].name ?? node["property"].value
          ];
        case "FunctionDeclaration":
        case "ArrowFunctionExpression":
        case "FunctionExpression":
          return new Written(node, names);
        case "AwaitExpression":
          return value(node["argument"]);
        case "CallExpression": {
          const args = node["arguments"].map(value);
          const target = value(node["callee"]);
          if (target instanceof Written) return returned(target, args);
          const call = String(node["callee"].name ?? node["callee"].property?.name ?? "");
          // Such functions return their argument.
          if (!/^(?:define|with|extend|sidebar$|navbar$)/.test(call)) return { call, args } satisfies WrittenCall;
          const own = args.find((each: unknown) => typeof each === "object");
          return own instanceof Written ? returned(own, []) : own;
        }
        default:
          return undefined;
      }
    } finally {
      depth--;
    }
  };

  const settings = moduleAt(path)?.exported();
  return settings instanceof Written ? returned(settings, []) : settings;
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
