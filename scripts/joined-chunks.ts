import { basename, dirname, join, relative } from "node:path";
import { parse } from "acorn";
import { build, type Metafile } from "esbuild";

type Scripts = ReadonlyMap<string, string>;

/**
 * The scripts of a build, in which one file takes the place of all chunks that a script needs at its start: to find and open
 * one more file takes Node 0.7 ms.
 *
 * @param scripts contents by absolute path
 * @param root the folder that paths of `outputs` are relative to
 * @param entries source files of these scripts; each gets the chunks that those before it do not need
 * @param others source files of scripts whose chunks stay as they are
 */
export async function withJoinedChunks(
  scripts: Scripts,
  { outputs }: Metafile,
  root: string,
  entries: readonly string[],
  others: readonly string[] = [],
): Promise<Scripts> {
  const chunksOf = (entry: string): ReadonlySet<string> => {
    const needed = new Set<string>();
    const visit = (path: string): void => {
      for (const { path: chunk, kind, external } of outputs[path]!.imports) {
        if (kind !== "import-statement" || external || needed.has(chunk)) continue;
        needed.add(chunk);
        visit(chunk);
      }
    };
    visit(Object.keys(outputs).find((path) => outputs[path]!.entryPoint === entry)!);
    return needed;
  };
  const done = new Set(others.flatMap((entry) => [...chunksOf(entry)]));
  const places = new Map<string, { readonly file: string; readonly prefix: string }>();
  const all = new Map(scripts);
  for (const entry of entries) {
    const chunks = [...chunksOf(entry)].filter((path) => !done.has(path));
    const file = join(root, dirname(chunks[0]!), `start-${basename(entry, ".ts")}.js`);
    for (const [at, path] of chunks.entries()) {
      done.add(path);
      places.set(join(root, path), { file, prefix: `c${at}_` });
    }
    const exported = chunks.flatMap((path) => {
      const { prefix } = places.get(join(root, path))!;
      const names = outputs[path]!.exports.map((name) => `${name} as ${prefix}${name}`);
      return names.length === 0 ? [] : [`export { ${names.join(", ")} } from ${JSON.stringify(join(root, path))};`];
    });
    const own = new Set(chunks.map((path) => join(root, path)));
    all.set(file, await joined(exported.join("\n"), dirname(file), scripts, own));
    for (const path of own) all.delete(path);
  }
  return new Map([...all].map(([path, script]) => [path, importJoined(script, dirname(path), places)]));
}

/** One script of several, which exports what `contents` exports of them. */
async function joined(contents: string, folder: string, scripts: Scripts, own: ReadonlySet<string>): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: "esm",
    charset: "utf8",
    legalComments: "none",
    minifyWhitespace: true,
    minifySyntax: true,
    treeShaking: false,
    target: "node22.13",
    write: false,
    plugins: [
      {
        name: "chunks",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, ({ path, resolveDir }) => {
            const place = path.startsWith(".") ? join(resolveDir, path) : path;
            return own.has(place) ? { path: place } : { path, external: true };
          });
          onLoad({ filter: /.*/ }, ({ path }) => ({ contents: scripts.get(path)!, resolveDir: dirname(path) }));
        },
      },
    ],
  });
  return outputFiles[0]!.text;
}

/** The script with its imports of chunks turned into those of the files that have them. */
function importJoined(
  script: string,
  folder: string,
  places: ReadonlyMap<string, { readonly file: string; readonly prefix: string }>,
): string {
  let result = "";
  let end = 0;
  for (const node of parse(script, { ecmaVersion: "latest", sourceType: "module" }).body) {
    if (node.type !== "ImportDeclaration" || !String(node.source.value).startsWith(".")) continue;
    const place = places.get(join(folder, String(node.source.value)));
    if (place === undefined) continue;
    const names = node.specifiers.map((specifier) => {
      if (specifier.type !== "ImportSpecifier" || specifier.imported.type !== "Identifier")
        throw new Error("A chunk is imported as a whole.");
      return `${place.prefix}${specifier.imported.name} as ${specifier.local.name}`;
    });
    const path = relative(folder, place.file);
    const from = JSON.stringify(path.startsWith(".") ? path : `./${path}`);
    result += `${script.slice(end, node.start)}import${names.length === 0 ? "" : `{${names.join(",")}}from`}${from};`;
    end = node.end;
  }
  return result + script.slice(end);
}
