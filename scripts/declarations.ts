// Makes the declarations that the public modules reach, and no others. An index.ts re-exports more than
// a module needs of it: imports lead straight to the file that declares the name, so that they do not load the rest.
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

const statement = /^(import|export)( type)? \{([^}]*)\} from "(\.[^"]+)";$/gm;
const inlineImport = /\bimport\("(\.[^"]+)"\)\.(\w+)/g;
const source = /^(?:import|export)\b[^"\n]* from "([^"]+)";|\bimport\("([^"]+)"\)/gm;

function reachedFrom(folder: string, entry: string, isInstalled: (name: string) => boolean): Map<string, string> {
  const files = new Map<string, string>();
  const texts = new Map<string, string>();
  const textOf = (path: string): string => {
    // An import without names declares nothing.
    const text = texts.get(path) ?? readFileSync(join(folder, path), "utf8").replace(/^import "[^"]+";\n/gm, "");
    texts.set(path, text);
    return text;
  };
  const resolve = (from: string, to: string): string => join(dirname(from), to).replace(/\.js$/, ".d.ts");
  const specifier = (from: string, to: string): string => {
    const path = relative(dirname(from), to).replace(/\.d\.ts$/, ".js");
    return path.startsWith(".") ? path : `./${path}`;
  };

  /** Follows re-exports to the file that declares `name`, and the name it has there. */
  const declarationOf = (path: string, name: string): { readonly path: string; readonly name: string } => {
    for (const [, keyword, , names = "", to = ""] of textOf(path).matchAll(statement)) {
      const found = keyword === "export" && namesIn(names).find((each) => each.exported === name);
      if (found) return declarationOf(resolve(path, to), found.local);
    }
    return { path, name };
  };

  const rewrite = (path: string, text: string): string =>
    text
      .replace(statement, (_, keyword: string, type: string | undefined, names: string, to: string) =>
        namesIn(names)
          .map(({ local, exported, isType }) => {
            const { path: at, name } = declarationOf(resolve(path, to), local);
            const renamed = name === exported ? name : `${name} as ${exported}`;
            return `${keyword}${type ?? ""} { ${isType ? "type " : ""}${renamed} } from "${specifier(path, at)}";`;
          })
          .join("\n"),
      )
      .replace(inlineImport, (_, to: string, local: string) => {
        const { path: at, name } = declarationOf(resolve(path, to), local);
        return `import("${specifier(path, at)}").${name}`;
      });

  const visit = (path: string, from: readonly string[] = []): void => {
    if (files.has(path)) return;
    const chain = [...from, path];
    const text = rewrite(path, textOf(path));
    files.set(path, text);
    for (const [, first, second] of text.matchAll(source)) {
      const name = (first ?? second)!;
      if (name.startsWith(".")) visit(resolve(path, name), chain);
      else if (!isInstalled(name)) throw new Error(`Users may not have ${name}, which ${chain.join(" -> ")} imports.`);
    }
  };
  visit(`${entry}.d.ts`);
  return files;
}

interface ImportedName {
  readonly local: string;
  readonly exported: string;
  readonly isType: boolean;
}

const namesIn = (list: string): ImportedName[] =>
  list
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [local = "", exported = local] = part.replace(/^type /, "").split(" as ");
      return { local, exported, isType: part.startsWith("type ") };
    });
