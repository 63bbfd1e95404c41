// The specifications below a folder: files that say what they are. A file directly in the folder is a specification of its own;
// one below is exported together with all files of its top folder, since it may refer to them.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, relative, sep } from "node:path";

export interface SpecFile {
  /** Relative to the folder. */
  readonly name: string;
  readonly dialect: "openapi" | "swagger" | "asyncapi" | "arazzo" | "graphql";
  readonly path: string;
  /** Size of this file alone. */
  readonly bytes: number;
  /** Files and folders to copy into the site: from, and to. */
  readonly files: readonly (readonly [from: string, to: string])[];
  /** Groups of the navigation. */
  readonly groups: readonly object[];
}

const specExtensions = new Set([".json", ".yaml", ".yml", ".graphql", ".graphqls", ".gql"]);

export function findSpecs(folder: string, pattern = ""): SpecFile[] {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return entries.flatMap((name) => {
    if (!specExtensions.has(extname(name)) || /(^|\/)(node_modules|\.git)\//.test(name)) return [];
    if (!name.includes(pattern)) return [];
    const path = join(folder, name);
    if (!statSync(path).isFile()) return [];
    const dialect = dialectOf(path);
    return dialect === undefined ? [] : [specOf(folder, name, dialect)];
  });
}

/** By the first key that says it; a part of a specification has none. */
function dialectOf(path: string): SpecFile["dialect"] | undefined {
  if (/\.(graphqls?|gql)$/.test(path)) return "graphql";
  const text = readFileSync(path, "utf8");
  const found =
    /^(?:"|')?(openapi|swagger|asyncapi|arazzo)(?:"|')?[ \t]*:[ \t]*["']?\d/m.exec(text) ??
    /^\s*\{(?:[^{}[\]]|\{[^{}]*\})*?"(openapi|swagger|asyncapi|arazzo)"\s*:\s*"\d/.exec(text.slice(0, 200_000)) ??
    /^ {1,4}"(openapi|swagger|asyncapi|arazzo)"\s*:\s*"\d/m.exec(text);
  return found?.[1] as SpecFile["dialect"] | undefined;
}

function specOf(folder: string, name: string, dialect: SpecFile["dialect"]): SpecFile {
  const path = join(folder, name);
  const [top] = name.split(sep);
  const isAlone = top === name;
  const fileName = isAlone ? `api${extname(name)}` : relative(join(folder, top!), path).split(sep).join("/");
  const key = dialect === "swagger" ? "openapi" : dialect;
  const groups: object[] = [{ group: "API", [key]: fileName }];
  if (dialect === "arazzo") groups.unshift(...sourcesOfWorkflows(path, fileName));
  return {
    name,
    dialect,
    path,
    bytes: statSync(path).size,
    files: isAlone ? [[path, fileName]] : partsOf(join(folder, top!)),
    groups,
  };
}

/** All that a specification may refer to; settings and pages of another site stay away. */
function partsOf(folder: string): [string, string][] {
  return readdirSync(folder)
    .filter((name) => !/^(?:\.|docs\.json$|mint\.json$|node_modules$|package(?:-lock)?\.json$|README)/.test(name))
    .map((name) => [join(folder, name), name]);
}

/** Workflows link to the pages of the operations that they call. */
function sourcesOfWorkflows(path: string, fileName: string): object[] {
  const text = readFileSync(path, "utf8");
  const base = fileName.split("/").slice(0, -1);
  return [...text.matchAll(/^\s*-?\s*url:\s*["']?(\.?\/?[\w./-]+\.(?:ya?ml|json))["']?\s*$/gm)]
    .map(([, url]) => [...base, url!.replace(/^\.\//, "")].join("/"))
    .filter((file, i, all) => !/arazzo/.test(basename(file)) && all.indexOf(file) === i)
    .map((file) => ({ group: basename(file), openapi: file }));
}
