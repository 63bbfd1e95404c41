/** From the path of an import, as written, to a file of the site. */
import { closest, distance } from "fastest-levenshtein";
import type { SiteFiles } from "../ports/site-files.js";

export type ResolvedImport =
  | { readonly kind: "file"; readonly sourcePath: string }
  | { readonly kind: "missing"; readonly sourcePath: string }
  /** The path leads out of the site folder. */
  | { readonly kind: "outside" }
  /** A package, or an alias of another system. */
  | { readonly kind: "package" };

const extensions = ["", ".mdx", ".md", ".jsx", ".js", ".tsx", ".ts"];

export function resolveImport(from: string, importer: string, files: SiteFiles): ResolvedImport {
  const written = from.replace(/[?#].*$/, "").replaceAll("\\", "/");
  const relative = /^\.\.?(?:\/|$)/.test(written);
  if (!relative && !written.startsWith("/") && !/\.[a-z]{2,5}$/i.test(written)) return { kind: "package" };
  if (/^[@~]\//.test(written) || /^@[\w-]+\//.test(written) || /^[a-z]+:/i.test(written)) return { kind: "package" };
  const folder = relative ? importer.slice(0, importer.lastIndexOf("/") + 1) : "";
  const path = joinPath(folder, written);
  if (path === undefined) return { kind: "outside" };
  const found = findFile(path, files);
  return found === undefined ? { kind: "missing", sourcePath: path } : { kind: "file", sourcePath: found };
}

/** The file that `<Snippet file="…">` names: in the snippets folder, or by its path in the site. */
export function resolveSnippetFile(file: string, files: SiteFiles): ResolvedImport {
  const path = joinPath("", file);
  if (path === undefined) return { kind: "outside" };
  for (const folder of ["snippets/", "_snippets/", ""]) {
    const found = findFile(folder + path, files);
    if (found !== undefined) return { kind: "file", sourcePath: found };
  }
  return { kind: "missing", sourcePath: `snippets/${path}` };
}

function findFile(path: string, files: SiteFiles): string | undefined {
  for (const candidate of decodeOnce(path))
    for (const extension of extensions) if (files.has(candidate + extension)) return candidate + extension;
  return undefined;
}

/** The path as written, and as a URL would mean it (`my%20file.mdx`). */
function decodeOnce(path: string): string[] {
  if (!path.includes("%")) return [path];
  try {
    const decoded = joinPath("", decodeURIComponent(path));
    return decoded === undefined || decoded === path ? [path] : [path, decoded];
  } catch {
    return [path];
  }
}

/** Undefined if it leads out of the site. */
function joinPath(folder: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of (folder + path).split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.some((part) => part.includes("\0")) ? undefined : parts.join("/");
}

/** The file that was probably meant: the same name elsewhere, or the most similar path of the same kind. */
export function nearestFile(path: string, files: SiteFiles): string | undefined {
  const extension = /\.[a-z]+$/i.exec(path)?.[0].toLowerCase() ?? ".mdx";
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const similar = files.paths.filter((each) => each.toLowerCase().endsWith(extension));
  const named = similar.find((each) => each.slice(each.lastIndexOf("/") + 1).toLowerCase() === name);
  if (named !== undefined || similar.length === 0 || similar.length > 20_000 || path.length > 200) return named;
  const best = closest(path, similar);
  return distance(path, best) <= Math.max(2, path.length * 0.3) ? best : undefined;
}
