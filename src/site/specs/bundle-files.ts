import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { Json, JsonObject } from "../../lib/json/index.js";
import { isContainer, isList, isObject, pointerTo } from "../../lib/json/index.js";
import { decodePercent, folderOf, isHttpAddress, joinPath, nameOf } from "../../lib/url/index.js";
import { filesMember, isData, namedByWriter } from "./check-references.js";
import type { ParsedText } from "./text/spec-text.js";

/** A specification with the files that it refers to. */
export interface Bundled {
  readonly document: Json;
  /** The member of the document that holds the content of a file, as the start of a pointer, and the file. */
  readonly places: readonly (readonly [pointer: string, source: string])[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A reference that does not begin with `#`, in JSON or YAML; some are found that are none. */
const foreign = /\$ref["']?\s*:\s*["']?[^"'#\s]/;
export const mayNameFiles = (text: string): boolean => foreign.test(text);

/** In one specification: files, and UTF-16 code units of all. */
const maxFiles = 500;
const maxCharacters = 32 * 1024 * 1024;

/**
 * Puts the files of the site that a specification refers to into it, and makes the references to them local. References that
 * lead elsewhere stay as written.
 *
 * @param read a file of the site; undefined if there is none.
 */
export function bundleFiles(
  source: string,
  document: Json,
  read: (path: string) => (ParsedText & { readonly length: number }) | undefined,
): Bundled {
  if (!isObject(document) || isHttpAddress(source)) return { document, places: [], diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  /** By path: its name in `filesMember`, none for the specification itself; undefined for what cannot be read. */
  const names = new Map<string, string | undefined>([[source, ""]]);
  const waiting: (readonly [path: string, name: string, content: Json])[] = [];
  const taken = new Set<string>();
  let room = maxCharacters;

  const open = (path: string): string | undefined => {
    if (names.has(path)) return names.get(path);
    const parsed = taken.size < maxFiles ? read(path) : undefined;
    room -= parsed?.length ?? 0;
    const isRead = parsed?.value !== undefined && room >= 0;
    const name = isRead ? freeName(nameOf(path).replace(/\.[^.]*$/, ""), taken) : undefined;
    diagnostics.push(...(parsed?.diagnostics ?? []));
    names.set(path, name);
    if (isRead) waiting.push([path, name!, parsed.value!]);
    return name;
  };
  const local = (reference: string, from: string): string => {
    const at = reference.indexOf("#");
    const file = at < 0 ? reference : reference.slice(0, at);
    const pointer = at < 0 ? "" : reference.slice(at + 1);
    if (/^(?:[a-z][\w+.-]*:|\/)/i.test(file)) return reference;
    const name = file === "" ? names.get(from) : open(joinPath(folderOf(from), decodePercent(file)));
    if (name === undefined) return reference;
    return (name === "" ? "#" : pointerTo(filesMember, name)) + pointer;
  };
  const rewrite = createRewriter(local);

  const bundled = rewrite(document, source) as JsonObject;
  const files: [string, Json][] = [];
  const places: [string, string][] = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [path, name, content] = next;
    files.push([name, rewrite(content, path)]);
    places.push([pointerTo(filesMember, name), path]);
  }
  if (files.length === 0) return { document, places, diagnostics };
  return { document: { ...bundled, [filesMember]: Object.fromEntries(files) }, places, diagnostics };
}

function freeName(preferred: string, taken: Set<string>): string {
  let name = preferred;
  for (let count = 2; taken.has(name); count++) name = `${preferred}-${count}`;
  taken.add(name);
  return name;
}

/** Copies values with other references; what is used in several places is copied once. */
function createRewriter(local: (reference: string, from: string) => string) {
  const known = new Map<Json, Json>();
  const rewrite = (value: Json, from: string, chosen = false): Json => {
    if (!isContainer(value)) return value;
    const done = known.get(value);
    if (done !== undefined) return done;
    const copy: Json = isList(value)
      ? value.map((each) => rewrite(each, from))
      : Object.fromEntries(
          Object.entries(value).map(([name, each]): [string, Json] => {
            if (name === "$ref" && typeof each === "string" && !chosen) return [name, local(each, from)];
            return [name, chosen || !isData(name) ? rewrite(each, from, !chosen && namedByWriter.has(name)) : each];
          }),
        );
    known.set(value, copy);
    return copy;
  };
  return (value: Json, from: string): Json => rewrite(value, from);
}
