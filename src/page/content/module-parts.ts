/** Reads what a file imports and exports. */
import type * as estree from "estree-jsx";
import type { Parents, Root } from "mdast";
import type { MdxjsEsm } from "mdast-util-mdx";
import { type Diagnostic, errorOf } from "../../lib/diagnostic/index.js";
import { patternNames } from "../../lib/jsx/syntax-node.js";
import { parseModule } from "./expressions/estree.js";
import type { CodeText } from "./expressions/values.js";
import { pointAt } from "./location.js";

export interface ImportPart {
  readonly local: string;
  /** Name in the other file; `default` and `*` as usual. */
  readonly imported: string;
  readonly from: string;
  readonly line: number;
  readonly column: number;
}
/** A constant, function, class or destructured declaration of the file. */
interface DeclarationPart {
  /** Names it defines. */
  readonly names: readonly string[];
  readonly pattern?: estree.Pattern;
  /** Absent for `let x;`. */
  readonly node?: estree.Expression | estree.Function | estree.ClassDeclaration;
  readonly code: CodeText;
}
export interface ModuleParts {
  readonly imports: readonly ImportPart[];
  readonly declarations: readonly DeclarationPart[];
  /** Exported name -> name in the file. */
  readonly exports: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

interface Collected {
  /** Whether it is code of a page, which may only import and export. */
  readonly isPage: boolean;
  imports: ImportPart[];
  declarations: DeclarationPart[];
  exports: Map<string, string>;
  diagnostics: Diagnostic[];
}
const collect = (isPage: boolean): Collected => {
  return { isPage, imports: [], declarations: [], exports: new Map(), diagnostics: [] };
};
export const defaultExport = "*default*";
const simpleImport = /^[ \t]*import[ \t]+([A-Za-z_$][\w$]*)[ \t]+from[ \t]+(?:"([^"\n]+)"|'([^'\n]+)')[ \t]*;?[ \t]*$/;

/** The imports and exports of a page, which may also be between the tags of elements. */
export function* moduleNodes(node: Pick<Parents, "children">): Generator<MdxjsEsm> {
  for (const child of node.children) {
    if (child.type === "mdxjsEsm") yield child;
    else if (child.type === "mdxJsxFlowElement") yield* moduleNodes(child);
  }
}

/** The imports and exports of an MDX file, from its `mdxjsEsm` nodes. */
export function readMdxParts(tree: Root, sourcePath: string): ModuleParts {
  const out = collect(true);
  const lineOf = ({ position }: MdxjsEsm): number => position?.start.line ?? 1;
  for (const node of [...moduleNodes(tree)].sort((a, b) => lineOf(a) - lineOf(b))) {
    const { line, column } = node.position?.start ?? { line: 1, column: 1 };
    if (!readSimpleImports(node.value, line, out))
      readCode({ text: node.value, sourcePath, line, column, shift: 0 }, out);
  }
  return out;
}

/** The imports and exports of a `.jsx` or `.js` file; undefined if it is not valid JavaScript (TypeScript, for example). */
export function readScriptParts(text: string, sourcePath: string): ModuleParts | undefined {
  const out = collect(false);
  readCode({ text, sourcePath, line: 1, column: 1, shift: 0 }, out);
  return out.diagnostics.length > 0 ? undefined : out;
}

/** The names that a file defines, and their places, which are costly to find. */
export const namesIn = ({ imports, declarations }: ModuleParts) => [
  ...imports.flatMap((part) => (part.local.startsWith("*") ? [] : { name: part.local, at: () => part })),
  ...declarations.flatMap(({ names, node, code }) =>
    node ? names.map((name) => ({ name: name.replaceAll("*", ""), at: () => pointOf(node, code) })) : [],
  ),
];

/** Reads default imports without a parser: nearly all blocks contain nothing else. @returns false for other code. */
function readSimpleImports(text: string, line: number, out: Collected): boolean {
  const imports: ImportPart[] = [];
  for (const [index, row] of text.split("\n").entries()) {
    if (row.trim() === "") continue;
    const match = simpleImport.exec(row.replace(/\r$/, ""));
    if (match === null) return false;
    imports.push({ local: match[1]!, imported: "default", from: match[2] ?? match[3]!, line: line + index, column: 1 });
  }
  out.imports.push(...imports);
  return true;
}

/** Why an import or export is left out; undefined if it is valid. */
export function moduleFault(code: CodeText): Diagnostic | undefined {
  const out = collect(true);
  readCode(code, out);
  return out.diagnostics[0];
}

/** Two statements that are valid alone define the same name. This is reported when the names get their values. */
const isRepeated = /^Identifier .* has already been declared$|^Duplicate export /;
const nextStatement = /\n(?=(?:import|export)\b)/;

function readCode(code: CodeText, out: Collected): void {
  const parsed = parseModule(code.text);
  if (parsed.kind === "fault" && isRepeated.test(parsed.reason) && nextStatement.test(code.text)) {
    let { line } = code;
    for (const text of code.text.split(nextStatement)) {
      readCode({ ...code, text, line }, out);
      line += text.split("\n").length;
    }
    return;
  }
  if (parsed.kind === "tree") {
    const text = out.isPage ? parsed.node.body.find(isExpression) : undefined;
    if (text === undefined) readProgram(parsed.node, code, out);
    else out.diagnostics.push(faultAt(startOf(text), unexpected, code));
  } else if (parsed.kind === "fault") out.diagnostics.push(faultAt(parsed.offset, parsed.reason, code));
  else out.diagnostics.push(faultAt(0, "it is nested too deep", code));
}

const unexpected = "Unexpected token";

function faultAt(offset: number, reason: string, code: CodeText): Diagnostic {
  // At the end of the code, nothing can be marked.
  const isCut = code.text.slice(offset).trim() === "";
  const at = isCut ? 0 : offset;
  const point = pointAt(code.text, at);
  const token = /^(?:[\w$]+|[“”‘’][^“”‘’\n]*[“”‘’]?|\S)/.exec(code.text.slice(at))?.[0] ?? "";
  const length = /^[“”‘’]/.test(token) && { length: token.length };
  const isStray = !isCut && reason === unexpected;
  const line = code.text.slice(code.text.lastIndexOf("\n", at - 1) + 1);
  const correction = isStray
    ? `add what is missing before "${token}", or remove it`
    : isCut
      ? "close its brackets and quotes"
      : "correct the syntax";
  return {
    ...errorOf("MODULE_SYNTAX"),
    what: `This import or export is not valid JavaScript, so it is left out: ${isStray ? `unexpected "${token}"` : isCut ? "it ends too early" : reason}.`,
    location: { sourcePath: code.sourcePath, line: code.line + point.line - 1, column: point.column, ...length },
    fix: intendedImport(line) ?? `${correction}; pages cannot contain TypeScript types.`,
    about: aboutNames(code.sourcePath, code.text),
  };
}

/** The names that an import or export of a file would define, for `Diagnostic.about`. */
export const aboutNames = (sourcePath: string, code: string): string[] =>
  [...code.matchAll(/\b(?:import|const|let|var|function|class)\b([^=("'“‘]*)/gi)].flatMap(([, names]) =>
    (names!.match(/[\w$]+/g) ?? []).map((name) => `${sourcePath} ${name}`),
  );

/** Text that follows an import can be valid JavaScript, such as `- word`. */
const isExpression = (statement: estree.Program["body"][number]): boolean =>
  statement.type === "ExpressionStatement" && !("directive" in statement);

/** What to write for an import of a file of the site that lacks a quote, a brace or a letter of `from`. */
export function intendedImport(text: string): string | undefined {
  const match =
    /^import[ \t]+(\{?)[ \t]*([\w$]+(?:[ \t]*,[ \t]*(?!from\b)[\w$]+)*)[ \t,]*(\}?)[ \t]*(?:from|form|frm|fom|=)?[ \t]*["'“”‘’]?([./][^\s"'“”‘’;]+)/.exec(
      text,
    );
  if (!match) return undefined;
  const [, open, names = "", close, path] = match;
  return `write import ${open || close || names.includes(",") ? `{ ${names} }` : names} from "${path}";`;
}

function readProgram(program: estree.Program, code: CodeText, out: Collected): void {
  for (const statement of program.body) {
    if (statement.type === "ImportDeclaration") readImport(statement, code, out);
    else if (statement.type === "ExportNamedDeclaration") {
      if (statement.declaration)
        for (const name of declare(statement.declaration, code, out)) out.exports.set(name, name);
      for (const { local, exported } of statement.specifiers) {
        const from = exportedName(local);
        const as = exportedName(exported);
        if (typeof statement.source?.value === "string") {
          const hidden = `*${as}*`;
          const point = pointOf(statement, code);
          out.imports.push({ local: hidden, imported: from, from: statement.source.value, ...point });
          out.exports.set(as, hidden);
        } else out.exports.set(as, from);
      }
    } else if (statement.type === "ExportDefaultDeclaration") {
      const { declaration } = statement;
      const isNamed = declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration";
      const named = isNamed && declaration.id ? [declaration.id.name] : [];
      out.declarations.push({ names: [defaultExport, ...named], node: declaration as estree.Expression, code });
      out.exports.set("default", defaultExport);
    } else if (statement.type !== "ExportAllDeclaration") declare(statement, code, out);
  }
}

function readImport(statement: estree.ImportDeclaration, code: CodeText, out: Collected): void {
  const from = String(statement.source.value);
  const point = pointOf(statement, code);
  // `import "./x.css"` defines no name; every page loads the site's style sheets anyway.
  for (const specifier of statement.specifiers) {
    let imported = "default";
    if (specifier.type === "ImportNamespaceSpecifier") imported = "*";
    else if (specifier.type === "ImportSpecifier") imported = exportedName(specifier.imported);
    out.imports.push({ local: specifier.local.name, imported, from, ...point });
  }
}

/** @returns the names it defines. */
function declare(statement: estree.Statement | estree.ModuleDeclaration, code: CodeText, out: Collected): string[] {
  if ((statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration") && statement.id) {
    out.declarations.push({ names: [statement.id.name], node: statement, code });
    return [statement.id.name];
  }
  if (statement.type !== "VariableDeclaration") return [];
  return statement.declarations.flatMap(({ id, init }) => {
    const names = patternNames(id);
    out.declarations.push({ names, pattern: id, ...(init ? { node: init } : {}), code });
    return names;
  });
}

const exportedName = (node: { type: string; name?: string; value?: unknown }): string =>
  node.type === "Identifier" ? node.name! : String(node.value);

const startOf = (node: unknown): number => (node as { start: number }).start;

function pointOf(node: unknown, code: CodeText): { line: number; column: number } {
  const point = pointAt(code.text, startOf(node));
  return { line: code.line + point.line - 1, column: point.column };
}
