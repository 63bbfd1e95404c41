import type { Comment } from "acorn";
import { type AnyNode, childNodes, identifierName, isNode } from "../../lib/jsx/syntax-node.js";
import { sourceLimits } from "./check-source.js";
import { type Changes, unfit, writeElement } from "./element-calls.js";

type Edit = readonly [start: number, end: number, text: string];

/** The imports and exports of a module. */
interface ModuleParts {
  readonly requires: string[];
  /** Replacements for the names of imports: expressions that read an export when it is used. */
  readonly imported: Map<string, string>;
  readonly exported: (readonly [name: string, local: string])[];
}

/** Names that compiled modules use, and that a module therefore must not bind. */
const usedNames: ReadonlySet<string> = new Set(["require", "module", "exports", "Object"]);

/**
 * Compiles a module to CommonJS by replacing ranges of its text, and its JSX to calls. Throws `unfit` if that is not
 * enough.
 *
 * @param comments are removed.
 */
export function toCommonJs(text: string, tree: AnyNode, comments: readonly Comment[]): string {
  const edits: Edit[] = [];
  const edit = (start: number, end: number, replacement: string): void => {
    edits.push([start, end, replacement]);
  };
  const parts: ModuleParts = { requires: [], imported: new Map(), exported: [] };
  const { requires, imported, exported } = parts;

  const requireModule = (source: unknown): string => {
    requires.push(`require(${JSON.stringify((source as AnyNode)["value"])})`);
    return `__m${requires.length - 1}`;
  };

  const readImport = (node: AnyNode): void => {
    const module = requireModule(node["source"]);
    const required = requires.at(-1)!;
    for (const specifier of node["specifiers"] as AnyNode[]) {
      const isAll = specifier.type === "ImportNamespaceSpecifier";
      const name = specifier["imported"] ? identifierName(specifier["imported"]) : "default";
      if (name === "default") requires[requires.length - 1] = `${withDefault}(${required})`;
      imported.set(boundName(specifier["local"] as AnyNode), isAll ? module : `${module}.${name}`);
    }
    edit(node.start, node.end, "");
  };

  const boundName = (node: AnyNode): string => {
    const name = identifierName(node);
    if (imported.has(name) || usedNames.has(name)) throw unfit;
    return name;
  };

  /** Checks the names that a pattern binds, and visits its expressions. */
  const bind = (node: unknown, depth: number): void => {
    if (!isNode(node)) return;
    if (node.type === "Identifier") boundName(node);
    else if (node.type === "AssignmentPattern") {
      bind(node["left"], depth + 1);
      visit(node["right"], depth + 1);
    } else if (node.type === "Property") {
      if (node["computed"]) visit(node["key"], depth + 1);
      bind(node["value"], depth + 1);
    } else for (const part of childNodes(node)) bind(part, depth + 1);
  };

  const readDefault = (node: AnyNode, depth: number): void => {
    const { start, end } = node;
    const declaration = node["declaration"] as AnyNode;
    const [words] = /^export\s+default\b/.exec(text.slice(start)) ?? [];
    if (words === undefined) throw unfit;
    const isNamed = /^(?:Function|Class)Declaration$/.test(declaration.type) && declaration["id"];
    exported.push(["default", isNamed ? identifierName(declaration["id"]) : "__default"]);
    edit(start, start + words.length, isNamed ? "" : "const __default=");
    visit(declaration, depth);
    if (!isNamed) edit(end, end, ";");
  };

  const readExport = (node: AnyNode, depth: number): void => {
    const { start, end } = node;
    const declaration = node["declaration"];
    if (isNode(declaration)) {
      for (const name of declaredNames(declaration)) exported.push([name, name]);
      edit(start, start + "export".length, "");
      visit(declaration, depth);
      return;
    }
    const module = node["source"] ? `${requireModule(node["source"])}.` : "";
    for (const specifier of node["specifiers"] as AnyNode[]) {
      const local = identifierName(specifier["local"]);
      if (module !== "" && local === "default") throw unfit;
      exported.push([identifierName(specifier["exported"]), module + local]);
    }
    edit(start, end, "");
  };

  const visit = (value: unknown, depth: number): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, depth);
    else if (isNode(value)) {
      if (depth > sourceLimits.depth) throw unfit;
      visitNode(value, depth + 1);
    }
  };

  const changes: Changes = { text, imported, edit, visit };

  const visitNode = (node: AnyNode, depth: number): void => {
    const { type, start, end } = node;
    switch (type) {
      case "Identifier": {
        const replacement = imported.get(identifierName(node));
        if (replacement !== undefined) edit(start, end, replacement);
        return;
      }
      case "MemberExpression":
        visit(node["object"], depth);
        if (node["computed"]) visit(node["property"], depth);
        return;
      case "Property":
      case "MethodDefinition": {
        const { key, value, computed, shorthand } = node as AnyNode & {
          readonly key: AnyNode;
          readonly value: AnyNode;
        };
        if (computed) visit(key, depth);
        const replacement = shorthand ? imported.get(identifierName(key)) : undefined;
        if (replacement === undefined) visit(value, depth);
        else if (value.type === "Identifier") edit(key.end, key.end, `:${replacement}`);
        else throw unfit;
        return;
      }
      case "LabeledStatement":
        visit(node["body"], depth);
        return;
      case "BreakStatement":
      case "ContinueStatement":
      case "ImportDeclaration":
        return;
      case "VariableDeclarator":
        bind(node["id"], depth);
        visit(node["init"], depth);
        return;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
      case "CatchClause":
      case "ClassDeclaration":
      case "ClassExpression":
        bind(node["id"], depth);
        bind(node["param"], depth);
        for (const param of (node["params"] ?? []) as AnyNode[]) bind(param, depth);
        visit(node["superClass"], depth);
        visit(node["body"], depth);
        return;
      case "ExportNamedDeclaration":
        readExport(node, depth);
        return;
      case "ExportDefaultDeclaration":
        readDefault(node, depth);
        return;
      case "JSXElement":
      case "JSXFragment":
        writeElement(node, depth, changes);
        return;
      case "ExportAllDeclaration":
      case "ImportExpression":
      case "MetaProperty":
      case "ThisExpression":
      case "JSXSpreadChild":
        throw unfit;
      default:
        for (const part of childNodes(node)) visit(part, depth);
    }
  };

  const body = tree["body"] as AnyNode[];
  // Imports may follow their uses.
  for (const node of body) if (node.type === "ImportDeclaration") readImport(node);
  visit(body, 0);
  for (const { type, start, end } of comments)
    edit(start, end, type === "Line" ? "" : /[\n\r\u2028\u2029]/.test(text.slice(start, end)) ? "\n" : " ");
  return writeModule(parts, applyEdits(text, edits));
}

function writeModule({ requires, imported, exported }: ModuleParts, body: string): string {
  const getters = exported.map(([name, local]) => `${name}:{enumerable:!0,get:()=>${imported.get(local) ?? local}}`);
  const table = `Object.defineProperties(exports,{${["__esModule:{value:!0}", ...getters].join()}});`;
  const modules = requires.map((call, i) => `__m${i}=${call}`).join();
  return `${table}${modules && `const ${modules};`}${body.trim()}`;
}

/** Gives a module that is not an ES module a default export: itself. Its other properties are kept. */
const withDefault = "(m=>m&&m.__esModule?m:Object.create(Object(m),{default:{value:m}}))";

function declaredNames(declaration: AnyNode): string[] {
  if (declaration.type !== "VariableDeclaration") return [identifierName(declaration["id"])];
  return (declaration["declarations"] as AnyNode[]).map(({ id }) => {
    if ((id as AnyNode).type !== "Identifier") throw unfit;
    return identifierName(id);
  });
}

/** Applies the edits. An edit within another one, such as of a comment between attributes, is dropped. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  let out = "";
  let at = 0;
  for (const [start, end, replacement] of edits.toSorted((a, b) => a[0] - b[0])) {
    if (start < at) continue;
    out += text.slice(at, start) + replacement;
    at = end;
  }
  return out + text.slice(at);
}
