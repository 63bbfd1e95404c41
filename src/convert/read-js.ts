/**
 * Reads settings that are written in JavaScript or TypeScript as data. Runs nothing: literals, constants, spreads, templates
 * and files that are imported by a relative path have values; everything else is `Unknown`. The interpreter of pages and the
 * sandbox cannot do this: settings import packages that are not there, so one part must not stop the rest from being read.
 */
import { type Node as AcornNode, parse } from "acorn";
import { transformSync } from "esbuild";
import type * as estree from "estree";
import { folderOf, joinPath } from "../lib/url/index.js";
import type { SiteFiles } from "../site/source/index.js";

/** A value that is known only if the code runs. */
export class Unknown {
  constructor(
    readonly sourcePath: string,
    readonly line: number | undefined,
  ) {}
}

/** A call whose arguments are data: `starlight({ … })`. */
export class Call {
  constructor(
    readonly name: string,
    readonly args: readonly unknown[],
  ) {}
}

const maxLength = 1024 * 1024;
const maxNesting = 200;
const maxFiles = 20;
const maxValues = 100_000;

/** The default export of a file, or what `module.exports` is set to. Undefined if the file cannot be read as a module. */
export function readJs(files: SiteFiles, sourcePath: string): unknown {
  try {
    return createReader(files).readExport(sourcePath, "default");
  } catch (error) {
    // The code is nested too deeply.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface ModuleScope {
  readonly sourcePath: string;
  readonly hasLines: boolean;
  readonly constants: Map<string, estree.Expression>;
  readonly imports: Map<string, { readonly from: string; readonly name: string }>;
  readonly exports: Map<string, estree.Expression>;
}

function createReader(files: SiteFiles) {
  const modules = new Map<string, ModuleScope | undefined>();
  const running = new Set<unknown>();
  let left = maxValues;

  const load = (sourcePath: string): ModuleScope | undefined => {
    if (!modules.has(sourcePath))
      modules.set(sourcePath, modules.size < maxFiles ? parseModule(files, sourcePath) : undefined);
    return modules.get(sourcePath);
  };

  const readExport = (sourcePath: string, name: string): unknown => {
    if (sourcePath.endsWith(".json")) return readJson(files, sourcePath);
    const scope = load(sourcePath);
    const expression = scope?.exports.get(name);
    return scope && expression ? evaluate(expression, scope) : undefined;
  };

  const nameValue = (name: string, scope: ModuleScope): unknown => {
    const constant = scope.constants.get(name);
    if (constant) return evaluate(constant, scope);
    const imported = scope.imports.get(name);
    const file = imported && resolveModule(files, scope.sourcePath, imported.from);
    return file === undefined ? undefined : readExport(file, imported!.name);
  };

  const evaluate = (node: estree.Expression | estree.SpreadElement, scope: ModuleScope): unknown => {
    const unknown = (): Unknown => new Unknown(scope.sourcePath, scope.hasLines ? node.loc?.start.line : undefined);
    if (--left < 0 || running.has(node)) return unknown();
    running.add(node);
    try {
      return evaluateNode(node, scope) ?? unknown();
    } finally {
      running.delete(node);
    }
  };

  const evaluateNode = (node: estree.Expression | estree.SpreadElement, scope: ModuleScope): unknown => {
    switch (node.type) {
      case "Literal":
        return node.value instanceof RegExp ? undefined : (node.value ?? null);
      case "TemplateLiteral":
        return joined(
          node.quasis.flatMap(({ value }, i) => [
            value.cooked ?? "",
            ...(node.expressions[i] ? [evaluate(node.expressions[i], scope)] : []),
          ]),
        );
      case "BinaryExpression":
        if (node.operator !== "+" || node.left.type === "PrivateIdentifier") return undefined;
        return joined([evaluate(node.left, scope), evaluate(node.right, scope)]);
      case "UnaryExpression": {
        const value = evaluate(node.argument, scope);
        return node.operator === "!" && typeof value === "boolean" ? !value : undefined;
      }
      case "Identifier":
        return nameValue(node.name, scope);
      case "ArrayExpression":
        return node.elements.flatMap((element) => {
          if (element === null) return [];
          if (element.type !== "SpreadElement") return [evaluate(element, scope)];
          const spread = evaluate(element.argument, scope);
          return Array.isArray(spread) ? spread : [spread];
        });
      case "ObjectExpression":
        return objectOf(node, scope);
      case "CallExpression":
        return callOf(node, scope);
      case "MemberExpression": {
        const object = node.object.type === "Super" ? undefined : evaluate(node.object, scope);
        const key = !node.computed && node.property.type === "Identifier" ? node.property.name : undefined;
        return key !== undefined && object !== null && typeof object === "object" && Object.hasOwn(object, key)
          ? (object as Record<string, unknown>)[key]
          : undefined;
      }
      default:
        return undefined;
    }
  };

  const objectOf = (node: estree.ObjectExpression, scope: ModuleScope): unknown => {
    const members: [string, unknown][] = [];
    for (const property of node.properties) {
      if (property.type === "SpreadElement") {
        const spread = evaluate(property.argument, scope);
        if (spread && typeof spread === "object" && !(spread instanceof Unknown))
          members.push(...Object.entries(spread));
        continue;
      }
      const { key, value } = property;
      const name =
        !property.computed && key.type === "Identifier"
          ? key.name
          : key.type === "Literal"
            ? String(key.value)
            : undefined;
      if (name !== undefined && name !== "__proto__") members.push([name, evaluate(value as estree.Expression, scope)]);
    }
    return Object.fromEntries(members);
  };

  const callOf = ({ callee, arguments: args }: estree.SimpleCallExpression, scope: ModuleScope): unknown => {
    const name =
      callee.type === "Identifier"
        ? callee.name
        : callee.type === "MemberExpression" && callee.property.type === "Identifier"
          ? callee.property.name
          : "";
    const values = args.map((argument) => evaluate(argument, scope));
    // `defineConfig({ … })`, `require.resolve("./a")`.
    if (/^(?:define|with)[A-Z]|^resolve$/.test(name)) return values[0];
    if (name === "require" && typeof values[0] === "string") {
      const file = resolveModule(files, scope.sourcePath, values[0]);
      return file === undefined ? undefined : readExport(file, "default");
    }
    return new Call(name, values);
  };
  return { readExport };
}

const joined = (parts: readonly unknown[]): string | undefined =>
  parts.every((part) => typeof part === "string" || typeof part === "number") ? parts.join("") : undefined;

function resolveModule(files: SiteFiles, from: string, specifier: string): string | undefined {
  if (!/^\.{1,2}\//.test(specifier)) return undefined;
  const path = joinPath(folderOf(from), specifier);
  const stem = path.replace(/\.[cm]?[jt]s$/, "");
  const extensions = ["ts", "js", "mts", "mjs", "cts", "cjs"];
  const tries = [
    path,
    ...extensions.map((extension) => `${stem}.${extension}`),
    ...extensions.map((extension) => `${path}/index.${extension}`),
  ];
  return [...tries, `${path}.json`].find(
    (candidate) => /\.(?:json|[cm]?[jt]s)$/.test(candidate) && files.has(candidate),
  );
}

function readJson(files: SiteFiles, sourcePath: string): unknown {
  if (files.sizeOf(sourcePath) > maxLength) return undefined;
  try {
    return JSON.parse(files.readText(sourcePath));
  } catch {
    return undefined;
  }
}

function parseModule(files: SiteFiles, sourcePath: string): ModuleScope | undefined {
  if (files.sizeOf(sourcePath) > maxLength) return undefined;
  const text = files.readText(sourcePath);
  if (isTooDeep(text)) return undefined;
  const own = parseText(text);
  const program = own ?? parseText(withoutTypes(text));
  return program && scopeOf(program, sourcePath, own !== undefined);
}

function parseText(text: string | undefined): estree.Program | undefined {
  if (text === undefined) return undefined;
  try {
    const tree: AcornNode = parse(text, { ecmaVersion: "latest", sourceType: "module", locations: true });
    return tree as unknown as estree.Program;
  } catch {
    return undefined;
  }
}

/** Types are removed, not checked. The lines change. */
function withoutTypes(text: string): string | undefined {
  try {
    return transformSync(text, { loader: "ts", format: "esm", logLevel: "silent" }).code;
  } catch {
    return undefined;
  }
}

/** Brackets in strings also count; the limit is far above real settings. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/[[({})\]]/g)) {
    depth += "[({".includes(sign) ? 1 : -1;
    if (depth > maxNesting) return true;
  }
  // Unary operators nest without brackets.
  return /[!~]{500}/.test(text);
}

function scopeOf({ body }: estree.Program, sourcePath: string, hasLines: boolean): ModuleScope {
  const scope: ModuleScope = { sourcePath, hasLines, constants: new Map(), imports: new Map(), exports: new Map() };
  const declare = (declaration: estree.Declaration, isExported: boolean): void => {
    if (declaration.type !== "VariableDeclaration") return;
    for (const { id, init } of declaration.declarations)
      if (id.type === "Identifier" && init) {
        scope.constants.set(id.name, init);
        if (isExported) scope.exports.set(id.name, init);
      }
  };
  for (const node of body) {
    if (node.type === "VariableDeclaration") declare(node, false);
    else if (node.type === "ExportNamedDeclaration") {
      if (node.declaration) declare(node.declaration, true);
      // esbuild prints a default export as a named one.
      for (const { local, exported } of node.specifiers)
        if (local.type === "Identifier" && exported.type === "Identifier") scope.exports.set(exported.name, local);
    } else if (node.type === "ExportDefaultDeclaration") {
      scope.exports.set("default", node.declaration as estree.Expression);
    } else if (node.type === "ImportDeclaration") {
      for (const imported of node.specifiers)
        scope.imports.set(imported.local.name, {
          from: String(node.source.value),
          name:
            imported.type === "ImportSpecifier" && imported.imported.type === "Identifier"
              ? imported.imported.name
              : "default",
        });
    } else if (node.type === "ExpressionStatement" && node.expression.type === "AssignmentExpression") {
      const { left, right } = node.expression;
      if (left.type === "MemberExpression" && left.property.type === "Identifier" && left.property.name === "exports")
        scope.exports.set("default", right);
    }
  }
  return scope;
}
