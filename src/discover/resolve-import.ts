import { posix } from "node:path";

/**
 * The file that an import means: from the site's root (`/snippets/x.mdx`, also without the slash) or from the importing
 * file (`./x.mdx`). A left-out extension is tried. Undefined for a package, and where no such file is.
 */
export function resolveImport(from: string, specifier: string, has: (path: string) => boolean): string | undefined {
  const relative = /^\.\.?\//.test(specifier);
  const path = posix.normalize(relative ? posix.join(posix.dirname(from), specifier) : specifier.replace(/^\/+/, ""));
  if (path.startsWith("../") || !(relative || specifier.includes("/") || importable.test(specifier))) return undefined;
  if (importable.test(path)) return has(path) ? path : undefined;
  return extensions.map((extension) => path + extension).find(has);
}

/** The file that `<Snippet file="…"/>` means: looked for in the folders of snippets, then from the root. */
export function resolveSnippetFile(file: string, has: (path: string) => boolean): string | undefined {
  const path = posix.normalize(file.replace(/^\/+/, ""));
  return [`snippets/${path}`, `_snippets/${path}`, path].find(has);
}

const importable = /\.(?:mdx?|[jt]sx?)$/;
const extensions = [".mdx", ".md", ".jsx", ".tsx", ".js", ".ts"];
