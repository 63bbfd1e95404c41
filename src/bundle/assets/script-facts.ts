import type { Node, Program } from "acorn";
import { type AnyNode, isNode, patternNames } from "../../lib/jsx/syntax-node.js";

/** What decides how a script of the site is adapted. */
export interface ScriptFacts {
  /** Names that the script declares anywhere. */
  readonly declared: ReadonlySet<string>;
  /** Names that it declares for all scripts. */
  readonly globals: ReadonlySet<string>;
  /** Names that its outermost statements declare. */
  readonly outermost: ReadonlySet<string>;
  /** Names of its outermost `const`, `let` and `class`, which no other script may declare. */
  readonly lexical: ReadonlySet<string>;
  /** Uses of what only Node and bundlers have, in source order. A use inside `try` does no harm. */
  readonly nodeUses: readonly { readonly name: string; readonly start: number }[];
  /** It looks where it runs before it uses anything, as scripts for both Node and browsers do. */
  readonly testsEnvironment: boolean;
  /** Strings whose value is passed on, in source order. */
  readonly strings: readonly { readonly start: number; readonly end: number; readonly value: string }[];
  /** Strings and the texts of templates, in source order; `quote` starts and ends them. */
  readonly texts: readonly { readonly start: number; readonly end: number; readonly quote: string }[];
  /** Where the path of the page is read to look at it, as in `location.pathname.startsWith("/fr")`, in source order. */
  readonly pathReads: readonly { readonly start: number; readonly end: number }[];
  /** Offset of the first statement after the directives. */
  readonly bodyStart: number;
}

interface Visit {
  readonly node: AnyNode;
  readonly parent: AnyNode | undefined;
  /** The property of the parent. */
  readonly key: string;
  readonly inTry: boolean;
}

export function readScript(program: Program): ScriptFacts {
  const declared = new Set<string>();
  const globals = new Set<string>();
  const nodeUses: { name: string; start: number }[] = [];
  const strings: { start: number; end: number; value: string }[] = [];
  const texts: { start: number; end: number; quote: string }[] = [];
  const pathReads: { start: number; end: number }[] = [];
  const tagged = new Set<unknown>();
  /** A bracket there could make the statement a part of the one before. */
  const statementStarts = new Set<number>();
  let testsEnvironment = false;
  // No recursion: a script may be nested as deeply as the parser allows.
  const stack: Visit[] = [{ node: program as unknown as AnyNode, parent: undefined, key: "", inTry: false }];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    const { node, parent, key } = visit;
    for (const name of declaredBy(node)) {
      declared.add(name);
      if (parent?.type === "Program" || (node.type === "VariableDeclarator" && isVar(parent))) globals.add(name);
    }
    const assigned = globalAssigned(node);
    if (assigned !== undefined) globals.add(assigned);
    if (testsWhereItRuns(node)) testsEnvironment = true;
    const used = visit.inTry ? undefined : nodeName(node);
    if (used !== undefined) nodeUses.push({ name: used, start: node.start });
    const value = stringOf(node);
    if (value !== undefined && parent && isPassedOn(parent, key))
      strings.push({ start: node.start, end: node.end, value });
    if (node.type === "TaggedTemplateExpression") tagged.add(node["quasi"]);
    const isText = node.type === "TemplateElement" ? !tagged.has(parent) : value !== undefined && key !== "key";
    if (isText && node.type !== "TemplateLiteral")
      texts.push({ start: node.start, end: node.end, quote: String(node["raw"] ?? "`")[0]! });
    if (parent && isPathRead(node, parent, key)) pathReads.push({ start: node.start, end: node.end });
    if (node.type === "ExpressionStatement") statementStarts.add(node.start);
    pushChildren(stack, visit);
  }
  const { body } = program;
  const first = body.find((each) => !("directive" in each));
  return {
    declared,
    globals,
    lexical: new Set(body.flatMap((each) => (isLexical(each) ? outermostNames(each) : []))),
    outermost: new Set(body.flatMap(outermostNames)),
    nodeUses: nodeUses.sort((a, b) => a.start - b.start),
    testsEnvironment,
    strings: strings.filter(({ start }) => !statementStarts.has(start)).sort((a, b) => a.start - b.start),
    texts: texts.filter(({ start }) => !statementStarts.has(start)).sort((a, b) => a.start - b.start),
    pathReads: pathReads.filter(({ start }) => !statementStarts.has(start)).sort((a, b) => a.start - b.start),
    bodyStart: first?.start ?? program.end,
  };
}

function pushChildren(stack: Visit[], { node, inTry }: Visit): void {
  for (const [key, value] of Object.entries(node)) {
    const guarded = inTry || (node.type === "TryStatement" && key === "block" && Boolean(node["handler"]));
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) stack.push({ node: child, parent: node, key, inTry: guarded });
  }
}

const identifierName = (value: unknown): string | undefined =>
  isNode(value) && value.type === "Identifier" ? String(value["name"]) : undefined;

/** A `var` outside of functions is global; one inside of them counts too, which only keeps more scripts. */
const isVar = (parent: AnyNode | undefined): boolean => parent?.type === "VariableDeclaration";

const declares =
  /^(?:VariableDeclarator|FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassDeclaration|CatchClause)$/;

const declaredBy = (node: AnyNode): string[] =>
  declares.test(node.type) ? [node["id"], node["param"], node["params"]].flat().flatMap(patternNames) : [];

const isLexical = (node: Node): boolean => node.type === "ClassDeclaration" || ("kind" in node && node.kind !== "var");

/** What a statement of a script declares for all scripts. */
const outermostNames = (node: Node): string[] =>
  node.type === "VariableDeclaration" && "declarations" in node
    ? (node.declarations as readonly AnyNode[]).flatMap(declaredBy)
    : /^(?:Function|Class)Declaration$/.test(node.type)
      ? patternNames((node as AnyNode)["id"])
      : [];

/** `window.require = …`, and `require = …` without a declaration. */
function globalAssigned(node: AnyNode): string | undefined {
  if (node.type !== "AssignmentExpression") return undefined;
  const left = node["left"];
  const direct = identifierName(left);
  if (direct !== undefined || !isNode(left) || left.type !== "MemberExpression" || left["computed"]) return direct;
  return /^(?:window|self|globalThis)$/.test(identifierName(left["object"]) ?? "")
    ? identifierName(left["property"])
    : undefined;
}

const environment = new Set("require module exports define process window document self global globalThis".split(" "));

/** `typeof module`. */
const testsWhereItRuns = (node: AnyNode): boolean =>
  node.type === "UnaryExpression" &&
  node["operator"] === "typeof" &&
  environment.has(identifierName(node["argument"]) ?? "");

/** `require("…")`, `import("package")`, `module.exports`, `exports.name = …`, `__dirname`. */
function nodeName(node: AnyNode): string | undefined {
  if (node.type === "ImportExpression") {
    const name = stringOf(node["source"] as AnyNode);
    return name !== undefined && /^@?[\w-]+(?:\/[\w./-]*)?$/.test(name) ? `import("${name}")` : undefined;
  }
  if (node.type === "CallExpression") {
    const [first] = node["arguments"] as readonly AnyNode[];
    return identifierName(node["callee"]) === "require" && first !== undefined && stringOf(first) !== undefined
      ? "require"
      : undefined;
  }
  if (node.type === "MemberExpression")
    return identifierName(node["object"]) === "module" && identifierName(node["property"]) === "exports"
      ? "module"
      : undefined;
  if (node.type === "AssignmentExpression") {
    const left = node["left"] as AnyNode;
    return left.type === "MemberExpression" && identifierName(left["object"]) === "exports" ? "exports" : undefined;
  }
  return undefined;
}

/** The value of a string or of a template without expressions. */
function stringOf(node: AnyNode): string | undefined {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : undefined;
  if (node.type !== "TemplateLiteral" || (node["expressions"] as readonly unknown[]).length > 0) return undefined;
  const [quasi] = node["quasis"] as readonly { readonly value: { readonly cooked?: string | null } }[];
  return quasi?.value.cooked ?? undefined;
}

/** `location.pathname` where no address is made of it: those of a file and of a page below a path are other ones. */
function isPathRead(node: AnyNode, parent: AnyNode, key: string): boolean {
  if (node.type !== "MemberExpression" || identifierName(node["property"]) !== "pathname" || node["computed"])
    return false;
  if (lastName(node["object"]) !== "location" || parent.type === "UpdateExpression") return false;
  if (parent.type === "AssignmentExpression" && key === "left") return false;
  if (parent.type === "CallExpression") return key === "callee" || !goes.has(lastName(parent["callee"]) ?? "");
  return parent.type !== "TemplateLiteral" && parent["operator"] !== "+";
}

/** Functions that go to their argument, or load it. */
const goes = new Set("fetch open assign replace pushState replaceState".split(" "));

/** `c` of `a.b.c`. */
const lastName = (node: unknown): string | undefined =>
  isNode(node) && node.type === "MemberExpression" ? identifierName(node["property"]) : identifierName(node);

/** Methods whose argument is searched for or is a key, by name. */
const searches = new Set(
  (
    "endsWith startsWith includes indexOf lastIndexOf match matchAll search split test replace replaceAll " +
    "has get set delete getItem setItem removeItem"
  ).split(" "),
);

/** Whether a string is passed on: not a name, not compared or searched for, not the end of another text. */
function isPassedOn(parent: AnyNode, key: string): boolean {
  switch (parent.type) {
    case "ExpressionStatement":
    case "MemberExpression":
    case "SwitchCase":
    case "TaggedTemplateExpression":
    case "TemplateLiteral":
      return false;
    case "Property":
    case "PropertyDefinition":
    case "MethodDefinition":
      return key === "value";
    case "AssignmentExpression":
      return parent["operator"] !== "+=";
    case "BinaryExpression":
      return parent["operator"] === "+" && key === "left";
    case "CallExpression": {
      const callee = parent["callee"] as AnyNode;
      const method = callee.type === "MemberExpression" ? identifierName(callee["property"]) : undefined;
      return key === "arguments" && !searches.has(method ?? "");
    }
    default:
      return true;
  }
}
