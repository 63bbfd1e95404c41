import { decodePercent } from "../../lib/url/index.js";

/** The target of an import. */
export type ImportTarget =
  | { readonly kind: "file"; readonly sourcePath: string }
  | { readonly kind: "missing"; readonly sourcePath: string }
  /** Leads out of the site folder. */
  | { readonly kind: "outside" }
  /** A package, or an alias of another system. */
  | { readonly kind: "package" };

/** Whether the site has a file at a path. */
type Has = (sourcePath: string) => boolean;

const extensions = ["", ".mdx", ".md", ".jsx", ".js", ".tsx", ".ts"];

/**
 * Finds the file of an import in `importer`: relative to the site's root, with or without a leading slash, or, with `./` or
 * `../`, to the importing file. The extension may be omitted.
 */
export function resolveImport(from: string, importer: string, has: Has): ImportTarget {
  const written = from.replace(/[?#].*$/, "").replaceAll("\\", "/");
  const relative = /^\.\.?(?:\/|$)/.test(written);
  const bare = !relative && !written.startsWith("/");
  if (/^(?:[@~]\/|@[\w-]+\/|[a-z]+:)/i.test(written) || (bare && /^[^/.]+$/.test(written))) return { kind: "package" };
  const folder = relative ? importer.slice(0, importer.lastIndexOf("/") + 1) : "";
  const path = joinInside(folder + written);
  if (path === undefined) return { kind: "outside" };
  const found = findFile(path, has);
  if (found !== undefined) return { kind: "file", sourcePath: found };
  return bare && !/\.[a-z]{2,5}$/i.test(written) ? { kind: "package" } : { kind: "missing", sourcePath: path };
}

/** Finds the file of `<Snippet file="…">`: in a folder of snippets, or by its path in the site. */
export function resolveSnippetFile(file: string, has: Has): ImportTarget {
  const path = joinInside(file);
  if (path === undefined) return { kind: "outside" };
  for (const folder of ["snippets/", "_snippets/", ""]) {
    const found = findFile(folder + path, has);
    if (found !== undefined) return { kind: "file", sourcePath: found };
  }
  return { kind: "missing", sourcePath: `snippets/${path}` };
}

/** The path as written comes before its percent-decoded form (`my%20file.mdx`). */
function findFile(path: string, has: Has): string | undefined {
  const decoded = joinInside(decodePercent(path));
  for (const candidate of decoded === undefined || decoded === path ? [path] : [path, decoded])
    for (const extension of extensions) if (has(candidate + extension)) return candidate + extension;
  return undefined;
}

/** Undefined if it leads out of the site. */
function joinInside(path: string): string | undefined {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") {
      if (names.pop() === undefined) return undefined;
    } else if (name !== "" && name !== ".") names.push(name);
  }
  return path.includes("\0") ? undefined : names.join("/");
}
