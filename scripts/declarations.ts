// Writes the declarations that the public modules reach, and no others: only the needed ones of each file, so that imports of its
// other declarations do not matter. Imports lead straight to the file that declares the name.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/**
 * Text by path in dist.
 *
 * @param check whether faults of types fail, too.
 * @throws {Error} if a declaration imports something that not every user of the entry has.
 */
export function declarationsOf(
  root: string,
  entries: readonly string[],
  isInstalled: (packageName: string, entry: string) => boolean,
  check = true,
): ReadonlyMap<string, string> {
  const emitted = mkdtempSync(join(tmpdir(), "offprint-types-"));
  try {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const flags = ["-p", join(root, "tsconfig.json"), "--outDir", emitted, ...(check ? [] : ["--noCheck"])];
    execFileSync(process.execPath, [tsc, ...flags], { stdio: "inherit" });
    return new Map(entries.flatMap((entry) => [...reachedFrom(emitted, entry, (name) => isInstalled(name, entry))]));
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

/** A file as the compiler writes it: each statement begins at the start of a line, with its comment before it. */
interface DeclarationFile {
  /** The comment at its top. */
  readonly header: string;
  readonly statements: readonly Statement[];
  /** The imports of the file, by their local name. */
  readonly imports: ReadonlyMap<string, ImportedName>;
  /** The re-exports of the file, by their exported name. */
  readonly reexports: ReadonlyMap<string, ImportedName>;
  /** Modules that the file re-exports completely. */
  readonly everythingOf: readonly string[];
}
interface Statement {
  readonly name: string;
  readonly text: string;
  /** The identifiers in its code. */
  readonly words: ReadonlySet<string>;
}
/** `import { name as x } from "module"`; `*` for the module as a whole, `default` for its default. */
interface ImportedName {
  readonly module: string;
  readonly name: string;
}
/** A declaration, or a name of a package. */
interface Place {
  readonly path: string;
  readonly name: string;
  readonly isPackage: boolean;
}

const startOfStatement = /^(?:export|declare|interface|type|import|abstract)\b/;
const declaration =
  /^(?:export )?(?:declare )?(?:abstract )?(?:function|const|let|class|interface|type|enum|namespace) ([\w$]+)/;
const inlineImport = /\bimport\("([^"]+)"\)\.(\w+)/g;

function reachedFrom(folder: string, entry: string, isInstalled: (name: string) => boolean): Map<string, string> {
  const files = new Map<string, DeclarationFile>();
  const open = (path: string): DeclarationFile => {
    const file = files.get(path) ?? parseFile(readFileSync(join(folder, path), "utf8"));
    files.set(path, file);
    return file;
  };
  const resolve = (from: string, module: string): string => join(dirname(from), module).replace(/\.js$/, ".d.ts");

  /** Follows re-exports to the file that declares a name. */
  const find = (from: string, { module, name }: ImportedName): Place | undefined => {
    if (!module.startsWith(".")) return { path: module, name, isPackage: true };
    const path = resolve(from, module);
    const file = open(path);
    if (name === "*" || file.statements.some((statement) => statement.name === name))
      return { path, name, isPackage: false };
    const passedOn = file.reexports.get(name);
    if (passedOn) return find(path, passedOn);
    for (const each of file.everythingOf) {
      const place = find(path, { module: each, name });
      if (place) return place;
    }
    return undefined;
  };
  const findOrFail = (from: string, imported: ImportedName): Place => {
    const place = find(from, imported);
    if (!place) throw new Error(`${from} imports ${imported.name} of ${imported.module}, which does not declare it.`);
    return place;
  };

  const needed = new Map<string, { readonly names: Set<string>; readonly imports: Map<string, Place> }>();
  const neededOf = (path: string) => {
    const known = needed.get(path) ?? { names: new Set<string>(), imports: new Map<string, Place>() };
    needed.set(path, known);
    return known;
  };
  const reach = (place: Place, chain: readonly string[]): void => {
    const { path, name, isPackage } = place;
    if (isPackage) {
      if (!isInstalled(path)) throw new Error(`Users may not have ${path}, which ${chain.join(" -> ")} imports.`);
      return;
    }
    const file = open(path);
    const { names, imports } = neededOf(path);
    if (names.has(name)) return;
    names.add(name);
    for (const statement of file.statements.filter((each) => each.name === name || name === "*")) {
      const next = [...chain, `${path} (${statement.name})`];
      for (const word of statement.words) {
        const imported = file.imports.get(word);
        if (imported) {
          const target = findOrFail(path, imported);
          imports.set(word, target);
          reach(target, next);
        } else if (word !== name && file.statements.some((each) => each.name === word))
          reach({ path, name: word, isPackage: false }, next);
      }
      for (const [, module = "", type = ""] of statement.text.matchAll(inlineImport))
        reach(findOrFail(path, { module, name: type }), next);
    }
  };

  const entryPath = `${entry}.d.ts`;
  const entryFile = open(entryPath);
  const passedOn = [...entryFile.reexports].map(([name, imported]) => [name, findOrFail(entryPath, imported)] as const);
  for (const { name } of entryFile.statements) reach({ path: entryPath, name, isPackage: false }, []);
  neededOf(entryPath);
  for (const [, place] of passedOn) reach(place, [entryPath]);

  const specifier = (from: string, { path, isPackage }: Place): string => {
    const to = relative(dirname(from), path).replace(/\.d\.ts$/, ".js");
    return isPackage ? path : to.startsWith(".") ? to : `./${to}`;
  };
  const line = (keyword: string, from: string, as: string, place: Place): string => {
    const { name } = place;
    const names =
      name === "*" ? `* as ${as}` : name === "default" ? as : `{ ${name === as ? as : `${name} as ${as}`} }`;
    return `${keyword} ${names} from "${specifier(from, place)}";`;
  };
  const write = (path: string): string => {
    const { names, imports } = neededOf(path);
    const statements = open(path).statements.filter(({ name }) => names.has(name) || names.has("*"));
    const texts = statements.map(({ text }) =>
      text.replace(inlineImport, (_, module: string, type: string) => {
        const place = findOrFail(path, { module, name: type });
        return `import("${specifier(path, place)}").${place.name}`;
      }),
    );
    const exported = path === entryPath ? passedOn.map(([name, place]) => line("export", path, name, place)) : [];
    const imported = [...imports].map(([name, place]) => line("import type", path, name, place));
    const header = path === entryPath ? open(path).header : "";
    return `${header}${[...imported, ...exported, ...texts].join("\n")}\n`;
  };
  return new Map([...needed.keys()].map((path) => [path, write(path)]));
}

function parseFile(text: string): DeclarationFile {
  const statements: Statement[] = [];
  const imports = new Map<string, ImportedName>();
  const reexports = new Map<string, ImportedName>();
  const everythingOf: string[] = [];
  for (const statement of statementsIn(text)) {
    const code = statement.replace(/\/\*[\s\S]*?\*\//g, "").trim();
    const module = /\bfrom "([^"]+)"/.exec(code)?.[1];
    const isImport = code.startsWith("import");
    if (module !== undefined && /^(?:import|export)\b[^=]*? from "/.test(code)) {
      const names = /\{([^}]*)\}/.exec(code)?.[1];
      const whole = /\* as (\w+)/.exec(code)?.[1];
      const own = /^import (?:type )?(\w+)(?:,| from)/.exec(code)?.[1];
      for (const { local, exported } of namesIn(names ?? ""))
        (isImport ? imports : reexports).set(exported, { module, name: local });
      if (whole !== undefined) imports.set(whole, { module, name: "*" });
      if (own !== undefined) imports.set(own, { module, name: "default" });
      if (/^export (?:type )?\*/.test(code)) everythingOf.push(module);
      continue;
    }
    // `export { Name }` of an imported name.
    for (const { local, exported } of namesIn(/^export (?:type )?\{([^}]*)\};$/.exec(code)?.[1] ?? "")) {
      const imported = imports.get(local);
      if (imported) reexports.set(exported, imported);
    }
    const name = declaration.exec(code)?.[1];
    if (name !== undefined) statements.push({ name, text: statement, words: new Set(code.match(/[A-Za-z_$][\w$]*/g)) });
  }
  const header = /^\/\*\*[\s\S]*?\*\/\n/.exec(text)?.[0] ?? "";
  return { header, statements, imports, reexports, everythingOf };
}

/** Each with the comment before it. A comment may also stand between the members of a union. */
function statementsIn(text: string): string[] {
  const statements: string[] = [];
  let comment = "";
  for (const line of text.split("\n")) {
    if (comment !== "" ? !comment.endsWith("*/\n") : line.startsWith("/**")) comment += `${line}\n`;
    else if (startOfStatement.test(line)) {
      statements.push(comment + line);
      comment = "";
    } else {
      statements.push(`${statements.pop() ?? ""}\n${comment}${line}`);
      comment = "";
    }
  }
  return statements.map((statement) => statement.trimEnd());
}

interface NameInList {
  readonly local: string;
  readonly exported: string;
}

const namesIn = (list: string): NameInList[] =>
  list
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [local = "", exported = local] = part.replace(/^type /, "").split(" as ");
      return { local, exported };
    });
