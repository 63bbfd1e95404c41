// The files of a specification, read as plain YAML or JSON, and references between them followed. Nothing of `src` is used, so
// that a mistake there cannot hide here.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";

export type Value = null | boolean | number | string | readonly Value[] | Record_;
export interface Record_ {
  readonly [name: string]: Value | undefined;
}

export interface Source {
  readonly root: Record_;
  /** Follows references to the end; undefined if one leads nowhere, to another host or in a circle. */
  resolve(value: Value | undefined): Value | undefined;
  /** The last step of the first reference that led to a value: its name, or that of its file. */
  nameOf(value: Value | undefined): string | undefined;
}

export const isRecord = (value: Value | undefined): value is Record_ =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const recordOf = (value: Value | undefined): Record_ => (isRecord(value) ? value : {});
export const listOf = (value: Value | undefined): readonly Value[] => (Array.isArray(value) ? value : []);
export const textOf = (value: Value | undefined): string => (typeof value === "string" ? value : "");

/** Authors keep some parts out of what readers see. */
export const isInternal = (value: Value | undefined): boolean =>
  isRecord(value) && (value["x-internal"] === true || value["x-excluded"] === true);

/** @throws if the file is neither YAML nor JSON. */
export function parseFile(path: string): Value {
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  if (/^\s*[{[]/.test(text))
    try {
      return JSON.parse(text) as Value;
    } catch {
      // YAML may begin with a brace too.
    }
  return parse(text, { maxAliasCount: -1, logLevel: "silent", uniqueKeys: false }) as Value;
}

/** @throws if the file is neither YAML nor JSON. */
export function openSource(path: string): Source {
  const roots = new Map<string, Value | undefined>();
  const fileOf = new WeakMap<object, string>();
  const names = new WeakMap<object, string>();
  const load = (file: string): Value | undefined => {
    if (roots.has(file)) return roots.get(file);
    let root: Value | undefined;
    try {
      root = parseFile(file);
    } catch (error) {
      if (file === path) throw error;
      // A reference to text, such as a description in Markdown.
      if (/\.mdx?$/.test(file))
        try {
          root = readFileSync(file, "utf8");
        } catch {}
    }
    roots.set(file, root);
    const stack = [root];
    while (stack.length > 0) {
      const value = stack.pop();
      if (typeof value !== "object" || value === null || fileOf.has(value)) continue;
      fileOf.set(value, file);
      for (const child of Object.values(value)) stack.push(child as Value);
    }
    return root;
  };
  const root = recordOf(load(path));

  const lookUp = (file: string, reference: string, seen: Set<object>): Value | undefined => {
    const [address = "", pointer = ""] = reference.split(/#(.*)/s);
    if (/^[a-z][a-z\d+.-]*:/i.test(address)) return undefined;
    let value = load(address === "" ? file : join(dirname(file), decodeURIComponent(address)));
    if (pointer !== "" && !pointer.startsWith("/")) return findAnchor(value, pointer);
    for (const part of pointer.split("/").slice(1)) {
      value = follow(value, seen);
      if (typeof value !== "object" || value === null) return undefined;
      const names = [part, safeDecode(part)].map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
      const name = names.find((each) => Object.hasOwn(value as object, each));
      if (name === undefined) return undefined;
      value = (value as Record_)[name];
    }
    if (isRecord(value) && !names.has(value)) {
      const last =
        pointer === "" ? basename(address).replace(/\.[^.]*$/, "") : pointer.slice(pointer.lastIndexOf("/") + 1);
      names.set(value, safeDecode(last).replaceAll("~1", "/").replaceAll("~0", "~"));
    }
    return value;
  };
  const follow = (value: Value | undefined, seen: Set<object>): Value | undefined => {
    let current = value;
    while (isRecord(current) && typeof current["$ref"] === "string") {
      if (seen.has(current)) return undefined;
      seen.add(current);
      current = lookUp(fileOf.get(current) ?? path, current["$ref"], seen);
    }
    return current;
  };
  const nameOf = (value: Value | undefined) => (isRecord(value) ? names.get(value) : undefined);
  return { root, resolve: (value) => follow(value, new Set()), nameOf };
}

function findAnchor(root: Value | undefined, name: string): Value | undefined {
  const stack = [root];
  const seen = new Set<object>();
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isRecord(value) && (value["$anchor"] === name || value["$id"] === `#${name}`)) return value;
    stack.push(...(Object.values(value) as Value[]));
  }
  return undefined;
}

/** The text with its percent-encoding decoded; unchanged if the encoding is invalid. */
export function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
