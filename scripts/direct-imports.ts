// A plugin of esbuild: replaces an import from the index.ts of a folder by an import from the file that declares the name. Otherwise
// esbuild would load all files that an index.ts names.
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, relative, resolve } from "node:path";
import type { Plugin } from "esbuild";

const statement = /^(import|export) \{([^}]*)\} from "(\.[^"]*)";$/gm;

export const directImports: Plugin = {
  name: "direct-imports",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8").replace(
        statement,
        (whole, kind: string, names: string, from: string) =>
          from.endsWith("/index.js")
            ? namesIn(names)
                .map(([name, alias]) => {
                  const [file, own] = origin(sourceFile(path, from), name);
                  return `${kind} { ${own} as ${alias} } from "./${relative(dirname(path), file).replaceAll("\\", "/")}";`;
                })
                .join(" ")
            : whole,
      );
      return { contents, loader: extname(path) === ".tsx" ? "tsx" : "ts" };
    });
  },
};

/** Exports of values, without those of types. */
const namesIn = (list: string): (readonly [name: string, alias: string])[] =>
  list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
    .map((each) => {
      const [name = "", alias = name] = each.split(" as ");
      return [name, alias];
    });

/** The file that declares an export of a file, and its name there. */
function origin(file: string, name: string): readonly [file: string, name: string] {
  for (const [, kind, names = "", from = ""] of readFileSync(file, "utf8").matchAll(statement)) {
    const own = kind === "export" && namesIn(names).find(([, alias]) => alias === name)?.[0];
    if (own) return origin(sourceFile(file, from), own);
  }
  return [file, name];
}

const sourceFile = (importer: string, path: string): string => {
  const file = resolve(dirname(importer), path.replace(/\.js$/, ".ts"));
  return existsSync(file) ? file : `${file}x`;
};
