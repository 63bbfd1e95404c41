// The handbook's page about the library, from the types and comments of the package's entries.
import { join } from "node:path";
import { SyntaxKind } from "typescript/unstable/ast";
import { API, type Checker, type Project, SignatureKind, type Symbol as TsSymbol } from "typescript/unstable/sync";

export interface LibraryEntry {
  /** As users import it: `offprint/serve`. */
  readonly name: string;
  /** File in `src`. */
  readonly file: string;
  readonly text: string;
}
/** The default of each option, by the name of the type of options. */
export type Defaults = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Context {
  readonly project: Project;
  readonly checker: Checker;
  /** Anchors of the types that the page has, by name. */
  readonly names: ReadonlySet<string>;
  readonly defaults: Defaults;
}
interface Exported {
  readonly name: string;
  readonly symbol: TsSymbol;
}

/** The functions, classes and types of each entry as Markdown. */
export function librarySections(root: string, entries: readonly LibraryEntry[], defaults: Defaults): string {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, "tsconfig.json")] }).getProjects();
    if (!project) throw new Error(`${root} has no project.`);
    const { checker } = project;
    const all = entries.map((entry) => ({ ...entry, exports: exportsOf(project, join(root, "src", entry.file)) }));
    const names = new Set(all.flatMap(({ exports }) => exports.map(({ name }) => name)));
    const context = { project, checker, names, defaults };
    return all
      .map(({ name, text, exports }) =>
        [
          `## ${name}`,
          text,
          ...exports.filter(({ symbol }) => isValue(symbol)).map((each) => valueSection(each, context)),
          ...exports.filter(({ symbol }) => !isValue(symbol)).map((each) => typeSection(each, context)),
        ].join("\n\n"),
      )
      .join("\n\n");
  } finally {
    api.close();
  }
}

function exportsOf({ program, checker }: Project, path: string): Exported[] {
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${path} is no module of the project.`);
  return checker
    .getExportsOfModule(module)
    .map((each) => ({ name: each.name, symbol: checker.getAliasedSymbol(each) }))
    .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

const typeKinds: readonly SyntaxKind[] = [SyntaxKind.InterfaceDeclaration, SyntaxKind.TypeAliasDeclaration];
const isValue = (symbol: TsSymbol): boolean => symbol.declarations.every(({ kind }) => !typeKinds.includes(kind));

function valueSection({ name, symbol }: Exported, context: Context): string {
  const { project, checker } = context;
  const declarations = declarationsOf(symbol, project);
  const type = checker.getTypeOfSymbol(symbol);
  const isClass = declarations.some(({ kind }) => kind === SyntaxKind.ClassDeclaration);
  const signature = type && checker.getSignaturesOfType(type, SignatureKind.Call).at(-1);
  const node = signature && checker.signatureToSignatureDeclaration(signature, SyntaxKind.MethodSignature);
  const code = isClass ? `class ${name} extends Error` : node && broken(`${name}${project.emitter.printNode(node)}`);
  // Of several signatures, the last one is the general one.
  const documented = declarations.findLast((each) => commentOf(each) !== "");
  return [`### ${name}`, `\`\`\`ts\n${code}\n\`\`\``, documented ? commentText(commentOf(documented)) : ""]
    .filter(Boolean)
    .join("\n\n");
}

/** A signature that is too long for the page, with each parameter on a line. */
function broken(signature: string): string {
  const short = signature
    .replace(/\?: \((.*?)\) \| undefined(?=[,)])/g, "?: $1")
    .replace(/(\?: [\w.]+) \| undefined/g, "$1");
  const [, name, parameters = "", result] = /^(\w+\()(.*)(\): .*)$/.exec(short) ?? [];
  return short.length < 74 ? short : `${name}\n  ${parameters.replace(/, (?=\w+\??:|\{)/g, ",\n  ")},\n${result}`;
}

function typeSection({ name, symbol }: Exported, context: Context): string {
  const [declaration] = declarationsOf(symbol, context.project);
  const head = [`### ${name}`, commentText(commentOf(declaration!))];
  if (declaration!.kind === SyntaxKind.TypeAliasDeclaration)
    return [...head, `\`\`\`ts\n${withoutComments(declaration!.getText())}\n\`\`\``].filter(Boolean).join("\n\n");
  const bases = basesOf(declaration!).filter((base) => linked(base, context).startsWith("["));
  return [
    ...head,
    bases.length > 0 && `Also has the fields of ${bases.map((base) => linked(base, context)).join(" and ")}.`,
    fieldTable(name, fieldsOf(symbol, context), context),
  ]
    .filter(Boolean)
    .join("\n\n");
}

interface Field {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly comment: string;
}

/** `A, Pick<B, "c" | "d">`, one by one. */
const basesOf = (declaration: Declaration): string[] =>
  (/^export interface \w+ extends ([^{]+)\{/.exec(declaration.getText())?.[1] ?? "")
    .split(/,(?![^<]*>)/)
    .map((base) => base.trim())
    .filter(Boolean);

/** Those of the type and of what it extends, without the ones that the page has in another section. */
function fieldsOf(symbol: TsSymbol, { project, checker, names }: Context): Field[] {
  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).flatMap((property) => {
    const [declaration] = declarationsOf(property, project);
    const owner = property.getParent();
    if (!declaration || (owner && owner.name !== symbol.name && names.has(owner.name))) return [];
    const text = withoutComments(declaration.getText())
      .replace(/^readonly /, "")
      .replace(/;$/, "");
    const [, mark, colon, rest = ""] = /^\w+(\??)(:?)\s*([\s\S]*)$/.exec(text) ?? [];
    const written = rest
      .replace(/\s+/g, " ")
      .replace(mark === "?" ? / \| undefined$/ : "", "")
      .replace(/^\((.*)\)$/, "$1");
    if (written === "undefined") return [];
    const type = colon ? written : rest.replace(/\s+/g, " ").replace(/\): (?!.*\): )/, ") => ");
    return [{ name: property.name, type, isOptional: mark === "?", comment: commentOf(declaration) }];
  });
}

function fieldTable(owner: string, fields: readonly Field[], context: Context): string {
  if (fields.length === 0) return "";
  const rows = fields.map(({ name, type, isOptional, comment }) => {
    const value = context.defaults[owner]?.[name];
    const text = [
      commentText(comment)
        .replace(/(^|\s)\s*- /g, "$1")
        .replace(/\s*\n+\s*/g, " "),
      ["string", "number", "boolean"].includes(typeof value) && value !== ""
        ? `Default: ${linked(String(value), context)}.`
        : "",
    ];
    const cells = [`\`${name}${isOptional ? "?" : ""}\``, linked(type, context), text.filter(Boolean).join(" ")];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return ["| Field | Type | What it is |", "| --- | --- | --- |", ...rows].join("\n");
}

/** A type as code; a single name leads to its section. */
function linked(type: string, { names }: Context): string {
  const code = `\`${type}\``;
  const used = [...new Set(type.match(/\b[A-Z]\w+/g) ?? [])].filter((name) => names.has(name));
  return used.length === 1 ? `[${code}](#${used[0]!.toLowerCase()})` : code;
}

type Declaration = NonNullable<ReturnType<TsSymbol["declarations"][number]["resolve"]>>;

const declarationsOf = (symbol: TsSymbol, project: Project): Declaration[] =>
  symbol.declarations.flatMap((each) => each.resolve(project) ?? []);

/** The text of the comment in front, without its stars. */
function commentOf(declaration: Declaration): string {
  const before = declaration.getSourceFile().text.slice(0, declaration.getStart());
  const [, comment = ""] =
    /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export const )?$/.exec(before.slice(before.lastIndexOf("/**"))) ?? [];
  return comment.replace(/^[ \t]*\* ?/gm, "").trim();
}

const withoutComments = (code: string): string => code.replace(/\/\*\*[\s\S]*?\*\/\s*/g, "").replace(/^export /, "");

/** Paragraphs; text under a keyword of our comments, such as `Fails:`, becomes a list. */
function commentText(comment: string): string {
  const parts = comment.split(/\n(?=(?:In|Out|Fails|Stops):|@\w+)| (?=@throws )/);
  const items = parts.flatMap(paragraphs).map((part) => {
    const text = part
      .replace(/\n[ \t]+/g, " ")
      .replace(/([^\n])\n(?=[^\n])/g, "$1 ")
      .trim();
    const [, keyword, rest] = /^(In|Out|Fails|Stops):\s+([\s\S]*)$/.exec(text) ?? [];
    if (keyword) return `- **${keywords[keyword]}**: ${safe(rest!)}`;
    const [, thrown, reason] = /^@throws \{(\w+)\} ([\s\S]*)$/.exec(text) ?? [];
    if (thrown) return `- **Throws** \`${thrown}\` ${safe(reason!)}`;
    const [, parameter, meaning] = /^@param (\w+) ([\s\S]*)$/.exec(text) ?? [];
    return parameter ? `- \`${parameter}\`: ${safe(meaning!)}` : safe(text);
  });
  const isItem = (text: string): boolean => text.startsWith("- ");
  return [items.filter((each) => !isItem(each)).join("\n\n"), items.filter(isItem).join("\n")]
    .filter(Boolean)
    .join("\n\n");
}

/** Text under a keyword is indented; other text after it is a paragraph. */
const paragraphs = (part: string): string[] => {
  const end = /^\w+:/.test(part) ? part.search(/\n(?=\S)/) : -1;
  return end < 0 ? [part] : [part.slice(0, end), part.slice(end + 1)];
};

const keywords: Readonly<Record<string, string>> = { In: "Takes", Out: "Returns", Fails: "Fails", Stops: "Stops" };

/** Text that MDX would read as an expression or an element. */
const safe = (text: string): string =>
  text.replace(/`[^`]*`|[<{]/g, (found) => (found.length === 1 ? `\\${found}` : found));
