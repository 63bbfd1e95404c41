import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { isContainer, isList, isObject, type Json, type JsonObject, pointerTo, textAt } from "../../lib/json/index.js";
import { decodePercent, folderOf, isHttpAddress, joinPath, nameOf } from "../../lib/url/index.js";
import { filesMember, isData, isNamedByWriter } from "./check-references.js";
import { resolvePointer } from "./resolve-pointer.js";
import type { ParsedText } from "./text/spec-text.js";

/** A specification with the files to which it refers. */
export interface Bundled {
  readonly document: Json;
  /** For each added file, the pointer of the document's member with its content, and the path of the file. */
  readonly places: readonly (readonly [pointer: string, source: string])[];
  /** The other files in it, those of examples included. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** References to files that are not read, for a reason that is reported: a limit, or a fault in the file. */
  readonly leftOut: ReadonlySet<string>;
}

/** Finds references that do not start with `#`, in JSON or YAML. It may also find other text. */
const foreign = /\$ref["']?\s*:\s*["']?[^"'#\s]/;
export const mayNameFiles = (text: string): boolean => foreign.test(text);

/** The most files of one specification, and the most bytes of all of them together. */
const limits = { files: 20_000, bytes: 64 * 1024 * 1024 };

/**
 * Adds the files of the site to which a specification refers to the document, and makes the references to them local. Other
 * references stay as written. In examples and extensions, the content of a file replaces the reference to it. A part of an
 * extension may be the target of a reference, so references inside its own file are made local as well.
 *
 * @param read returns a file of the site; undefined if there is none.
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
  /** By path; undefined for a file that cannot be read. */
  const contents = new Map<string, Json | undefined>([[source, document]]);
  /** Files whose faults are reported, so that the references to them are not. */
  const invalid = new Set<string>();
  let isCut = false;
  /** Names in `filesMember` by path; empty for the specification itself. */
  const names = new Map<string, string>([[source, ""]]);
  const waiting: string[] = [];
  const folder = source.slice(0, -nameOf(source).length);
  const taken = new Set<string>();
  let size = 0;

  const contentOf = (path: string, reference: string): Json | undefined => {
    if (!contents.has(path)) {
      const parsed = read(path);
      size += parsed?.length ?? 0;
      if (parsed !== undefined && (contents.size > maxFiles || size > maxBytes)) {
        if (!isCut) diagnostics.push(tooManyFiles(source, path, { maxFiles, maxBytes }));
        isCut = true;
        leftOut.add(reference);
        return undefined;
      }
      diagnostics.push(...(parsed?.diagnostics ?? []));
      contents.set(path, parsed?.value);
      if (parsed !== undefined && parsed.value === undefined) invalid.add(path);
    }
    if (invalid.has(path)) leftOut.add(reference);
    return contents.get(path);
  };
  const nameFor = (path: string, reference: string): string | undefined => {
    if (names.has(path) || contentOf(path, reference) === undefined) return names.get(path);
    // Relative to the specification, so that it differs from that of any other file.
    const name = freeName((path.startsWith(folder) ? path.slice(folder.length) : path).replace(/\.[^./]*$/, ""), taken);
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
  const parts = new Map<string, Json>();
  /** The part of a file to which data refers; undefined if the reference is not to a file of the site. */
  const dataAt = (reference: string, from: string, isExtension: boolean): Json | undefined => {
    const { path, pointer } = reference.startsWith("#") ? {} : targetOf(reference, from);
    const content = path === undefined ? undefined : contentOf(path, reference);
    if (content === undefined) return undefined;
    const part = isContainer(content) ? resolvePointer(content as JsonObject, `#${pointer}`) : content;
    const key = `${isExtension ? "x-" : ""}${path}#${pointer}`;
    if (part === undefined || parts.has(key)) return parts.get(key);
    parts.set(key, part);
    const copy = copier.data(part, path!, isExtension);
    parts.set(key, copy);
    return copy;
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

/** The file of a reference, and the pointer in it. The path is absent for an address of another host. */
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

/** Copies values and replaces their references. A value that is used in several places is copied only once. */
function createCopier(
  local: Follow<string>,
  dataAt: (reference: string, from: string, isExtension: boolean) => Json | undefined,
) {
  const copies = new Map<Json, Json>();
  /** @param chosen whether the writer chooses the names in the value. */
  const part = (value: Json, from: string, chosen = false): Json => {
    if (!isContainer(value)) return value;
    const copied = copies.get(value);
    if (copied !== undefined) return copied;
    const copy: Json = isList(value)
      ? value.map((item) => part(item, from))
      : Object.fromEntries(Object.entries(value).map(([name, child]) => [name, memberOf(name, child, from, chosen)]));
    copies.set(value, copy);
    return copy;
  };
  const memberOf = (name: string, value: Json, from: string, chosen: boolean): Json => {
    if (name === "$ref" && typeof value === "string") return local(value, from);
    if (chosen) return part(value, from);
    // The examples of a schema are a list of values; those of other parts have names and may be references.
    if (name === "examples" && isObject(value))
      return mapValues(value, (example) =>
        textAt(example, "$ref") === undefined ? data(example, from) : part(example, from),
      );
    if (name === "mapping" && isObject(value))
      return mapValues(value, (target) => (isFileName(target) ? local(target, from) : target));
    if (name === "operationRef" && typeof value === "string") return local(value, from);
    return isData(name) ? data(value, from, name.startsWith("x-")) : part(value, from, isNamedByWriter(name, value));
  };
  const data = (value: Json, from: string, isExtension = false): Json => {
    if (!isContainer(value)) return value;
    const change = (child: Json): Json => data(child, from, isExtension);
    if (isList(value)) {
      const items = value.map(change);
      return items.some((item, i) => item !== value[i]) ? items : value;
    }
    const reference = textAt(value, "$ref");
    if (reference === undefined) return mapValues(value, change);
    const isLocal = isExtension && reference.startsWith("#");
    const target = isLocal ? { ...value, $ref: local(reference, from) } : dataAt(reference, from, isExtension);
    return target ?? mapValues(value, change);
  };
  return { part, data };
}

/** Changes the values of an object; returns the same object if no value changes. */
function mapValues(value: JsonObject, change: (child: Json) => Json): JsonObject {
  const entries = Object.entries(value).map(([name, child]) => [name, change(child)] as const);
  return entries.some(([name, child]) => child !== value[name]) ? Object.fromEntries(entries) : value;
}

/** Whether the target of a discriminator's value is a file, not the name of a component. */
const isFileName = (target: Json): target is string =>
  typeof target === "string" && /[#/]|\.(?:json|ya?ml)$/i.test(target);
