import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { Json, JsonObject } from "../../lib/json/index.js";
import { isContainer, isList, isObject, pointerTo, textAt } from "../../lib/json/index.js";
import { decodePercent, folderOf, isHttpAddress, joinPath, nameOf } from "../../lib/url/index.js";
import { filesMember, isData, isNamedByWriter } from "./check-references.js";
import { resolvePointer } from "./resolve-pointer.js";
import type { ParsedText } from "./text/spec-text.js";

/** A specification with the files that it refers to. */
export interface Bundled {
  readonly document: Json;
  /** The member of the document that holds the content of a file, as the start of a pointer, and the file. */
  readonly places: readonly (readonly [pointer: string, source: string])[];
  /** The other files in it, those of examples included. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** References to files that a limit left out, which is reported. */
  readonly leftOut: ReadonlySet<string>;
}

/** A reference that does not begin with `#`, in JSON or YAML; some are found that are none. */
const foreign = /\$ref["']?\s*:\s*["']?[^"'#\s]/;
export const mayNameFiles = (text: string): boolean => foreign.test(text);

/** In one specification: files, and bytes of all. */
const limits = { files: 20_000, bytes: 64 * 1024 * 1024 };

/**
 * Puts the files of the site that a specification refers to into it, and makes the references to them local. References that
 * lead elsewhere stay as written. In examples and extensions, the content of a file replaces the reference to it. A part of
 * an extension can be the target of a reference, so references inside its own file are made local as well.
 *
 * @param read a file of the site; undefined if there is none.
 */
export function bundleFiles(
  source: string,
  document: Json,
  read: (path: string) => (ParsedText & { readonly length: number }) | undefined,
  { files: maxFiles, bytes: maxBytes } = limits,
): Bundled {
  const leftOut = new Set<string>();
  if (!isObject(document) || isHttpAddress(source))
    return { document, places: [], files: [], diagnostics: [], leftOut };
  const diagnostics: Diagnostic[] = [];
  /** By path; undefined for what cannot be read. */
  const contents = new Map<string, Json | undefined>([[source, document]]);
  /** By path: the name in `filesMember`, none for the specification itself. */
  const names = new Map<string, string>([[source, ""]]);
  const waiting: string[] = [];
  const taken = new Set<string>();
  let size = 0;

  const contentOf = (path: string, reference: string): Json | undefined => {
    if (contents.has(path)) return contents.get(path);
    const parsed = read(path);
    size += parsed?.length ?? 0;
    if (parsed !== undefined && (contents.size > maxFiles || size > maxBytes)) {
      if (leftOut.size === 0) diagnostics.push(tooManyFiles(source, path, { maxFiles, maxBytes }));
      leftOut.add(reference);
      return undefined;
    }
    diagnostics.push(...(parsed?.diagnostics ?? []));
    contents.set(path, parsed?.value);
    return parsed?.value;
  };
  const nameFor = (path: string, reference: string): string | undefined => {
    if (names.has(path) || contentOf(path, reference) === undefined) return names.get(path);
    const name = freeName(nameOf(path).replace(/\.[^.]*$/, ""), taken);
    names.set(path, name);
    waiting.push(path);
    return name;
  };
  const local = (reference: string, from: string): string => {
    const { path, pointer } = targetOf(reference, from);
    const name = path === undefined ? undefined : nameFor(path, reference);
    if (name === undefined) return reference;
    return (name === "" ? "#" : pointerTo(filesMember, name)) + pointer;
  };
  const known = new Map<string, Json>();
  /** The part of a file that data refers to; undefined if it is no reference to a file of the site. */
  const dataAt = (reference: string, from: string, isExtension: boolean): Json | undefined => {
    const { path, pointer } = reference.startsWith("#") ? {} : targetOf(reference, from);
    const content = path === undefined ? undefined : contentOf(path, reference);
    if (content === undefined) return undefined;
    const part = isContainer(content) ? resolvePointer(content as JsonObject, `#${pointer}`) : content;
    const key = `${isExtension ? "x-" : ""}${path}#${pointer}`;
    if (part === undefined || known.has(key)) return known.get(key);
    known.set(key, part);
    const whole = copier.data(part, path!, isExtension);
    known.set(key, whole);
    return whole;
  };
  const copier = createCopier(local, dataAt);

  const bundled = copier.part(document, source) as JsonObject;
  const members: [string, Json][] = [];
  const places: [string, string][] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const name = names.get(path)!;
    members.push([name, copier.part(contents.get(path)!, path)]);
    places.push([pointerTo(filesMember, name), path]);
  }
  const [, ...files] = [...contents.keys()].filter((path) => contents.get(path) !== undefined);
  if (files.length === 0) return { document, places, files, diagnostics, leftOut };
  const others = members.length > 0 && { [filesMember]: Object.fromEntries(members) };
  return { document: { ...bundled, ...others }, places, files, diagnostics, leftOut };
}

/** The file that a reference leads to, and the place in it. No path: it is an address of another host. */
function targetOf(reference: string, from: string): { readonly path?: string; readonly pointer: string } {
  const [, file = "", pointer = ""] = /^([^#]*)#?(.*)$/s.exec(reference)!;
  if (/^(?:[a-z][\w+.-]*:|\/\/)/i.test(file)) return { pointer };
  const path = decodePercent(file);
  return { pointer, path: file === "" ? from : joinPath(path.startsWith("/") ? "" : folderOf(from), path) };
}

function freeName(preferred: string, taken: Set<string>): string {
  let name = preferred;
  for (let count = 2; taken.has(name); count++) name = `${preferred}-${count}`;
  taken.add(name);
  return name;
}

function tooManyFiles(
  source: string,
  path: string,
  { maxFiles, maxBytes }: { readonly maxFiles: number; readonly maxBytes: number },
): Diagnostic {
  const what = `${source} refers to more than ${maxFiles} files or ${Math.floor(maxBytes / 1024 / 1024)} MB, which is the limit; ${path} and the files after it are left out.`;
  const fix = "split the API into several specifications.";
  return { code: "SPEC_TOO_LARGE", severity: "error", what, location: { sourcePath: source }, fix };
}

type Follow<T> = (reference: string, from: string) => T;

/** Copies values with other references; what is used in several places is copied once. */
function createCopier(
  local: Follow<string>,
  dataAt: (reference: string, from: string, isExtension: boolean) => Json | undefined,
) {
  const known = new Map<Json, Json>();
  /** @param chosen the names in it are the writer's. */
  const part = (value: Json, from: string, chosen = false): Json => {
    if (!isContainer(value)) return value;
    const done = known.get(value);
    if (done !== undefined) return done;
    const copy: Json = isList(value)
      ? value.map((each) => part(each, from))
      : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, memberOf(name, each, from, chosen)]));
    known.set(value, copy);
    return copy;
  };
  const memberOf = (name: string, each: Json, from: string, chosen: boolean): Json => {
    if (name === "$ref" && typeof each === "string") return local(each, from);
    if (chosen) return part(each, from);
    // The examples of a schema are a list of values; those of other parts have names and may be references.
    if (name === "examples" && isObject(each))
      return mapValues(each, (example) =>
        textAt(example, "$ref") === undefined ? data(example, from) : part(example, from),
      );
    if (name === "mapping" && isObject(each))
      return mapValues(each, (target) => (isFileName(target) ? local(target, from) : target));
    if (name === "operationRef" && typeof each === "string") return local(each, from);
    return isData(name) ? data(each, from, name.startsWith("x-")) : part(each, from, isNamedByWriter(name, each));
  };
  const data = (value: Json, from: string, isExtension = false): Json => {
    if (!isContainer(value)) return value;
    if (isList(value)) {
      const items = value.map((each) => data(each, from, isExtension));
      return items.some((item, i) => item !== value[i]) ? items : value;
    }
    const reference = textAt(value, "$ref");
    if (reference === undefined) return mapValues(value, (each) => data(each, from, isExtension));
    const isLocal = isExtension && reference.startsWith("#");
    const target = isLocal ? { ...value, $ref: local(reference, from) } : dataAt(reference, from, isExtension);
    return target ?? mapValues(value, (each) => data(each, from, isExtension));
  };
  return { part, data };
}

/** The same object if no value changes. */
function mapValues(value: JsonObject, change: (each: Json) => Json): JsonObject {
  const entries = Object.entries(value).map(([name, each]) => [name, change(each)] as const);
  return entries.some(([name, each]) => each !== value[name]) ? Object.fromEntries(entries) : value;
}

/** Whether the target of a discriminator's value is a file, not the name of a component. */
const isFileName = (target: Json): target is string =>
  typeof target === "string" && /[#/]|\.(?:json|ya?ml)$/i.test(target);
