import { type Diagnostic, nearestName, warningOf } from "../../../lib/diagnostic/index.js";
import { followReferences, isObject, type Json, listAt, member, pointerTo, textAt } from "../../../lib/json/index.js";
import type { ApiSpec } from "../../api-spec.js";
import { reportFirst } from "../check-references.js";
import type { SpecEntry } from "../entry-reader.js";
import { below } from "../resolve-pointer.js";

interface Fault {
  readonly pointer: string;
  readonly what: string;
  readonly fix: string;
}

/** Reports paths that other tools refuse, and names in them that do not match the described parameters. */
export function checkPaths(spec: ApiSpec, entries: readonly SpecEntry[]): Diagnostic[] {
  const operations = entries.filter(({ kind }) => kind === "operation");
  const byPath = Map.groupBy(operations, ({ name }) => name);
  const describe = ({ pointer, what, fix }: Fault): Diagnostic => ({
    ...warningOf("SPEC_ENTRY_INVALID"),
    what,
    location: spec.locationOf(pointer),
    fix,
  });
  return [
    ...reportFirst(spec.source, [...byPath.keys()].flatMap(pathFault), describe, "paths that other tools refuse"),
    ...reportFirst(spec.source, sameAddressFaults(byPath), describe, "paths that differ only in names of parameters"),
    ...reportFirst(
      spec.source,
      [...byPath].flatMap(([path, at]) => parameterFaults(spec, path, at)),
      describe,
      "path parameters that do not match",
    ),
    ...reportFirst(spec.source, sameIdFaults(spec, entries), describe, "values of operationId that are not unique"),
  ];
}

function pathFault(path: string): Fault[] {
  const [, route, query] = /^([^?#{}]*(?:\{[^{}]*\}[^?#{}]*)*)\?([^#]*)$/s.exec(path) ?? [];
  if (query !== undefined) {
    const what = `The path "${path}" contains a query string, which other tools refuse.`;
    const fix = `write "${route}", and describe ${/^[\w-]+/.exec(query)?.[0] ?? "the rest"} as a parameter with "in": "query".`;
    return [{ pointer: pointerTo("paths", path), what, fix }];
  }
  if (path.startsWith("/")) return [];
  const [, host, rest = path] = /^(https?:\/\/[^/]+)(.*)$/i.exec(path) ?? [];
  const server = host === undefined ? "" : ` and { "url": "${host}" } in its "servers"`;
  const what = `The path "${path}" does not begin with a slash, so other tools refuse it or join it to the host.`;
  return [{ pointer: pointerTo("paths", path), what, fix: `write "/${rest.replace(/^\//, "")}"${server}.` }];
}

/** Reports each pair of paths with a common method. Of the other pairs, which only break a rule of OpenAPI, the first one. */
function sameAddressFaults(byPath: ReadonlyMap<string, readonly SpecEntry[]>): Fault[] {
  const groups = Map.groupBy(byPath.keys(), (path) => path.replace(/\{[^{}]*\}/g, "{}"));
  const pairs = [...groups.values()].flatMap(([first = "", ...others]) =>
    others.map((path) => {
      const methods = byPath.get(first)!.map(({ method }) => method);
      const shared = byPath.get(path)!.filter(({ method }) => methods.includes(method));
      return { first, path, shared: shared.map(({ method = "" }) => method.toUpperCase()) };
    }),
  );
  const harmless = pairs.filter(({ shared }) => shared.length === 0);
  return [...pairs.filter(({ shared }) => shared.length > 0), ...harmless.slice(0, 1)].map(
    ({ first, path, shared }): Fault => ({
      pointer: pointerTo("paths", path),
      what: `The paths "${first}" and "${path}" differ only in the names of their parameters, so ${shared.length > 0 ? `${shared.join(" and ")} requests to both have the same address` : "for OpenAPI they are one path"}.${shared.length === 0 && harmless.length > 1 ? ` There are ${harmless.length} such pairs.` : ""}`,
      fix: shared.length > 0 ? "remove one, or change a fixed part of its path." : `move its operations to "${first}".`,
    }),
  );
}

/** The name in a placeholder, without the syntax of frameworks and RFC 6570: `{+path}`, `{path*}`, `{id:[0-9]+}`. */
const placeholderName = (text: string): string =>
  text
    .replace(/[:=<].*$/s, "")
    .replace(/^[+#./;*]+|[*+?]+$/g, "")
    .trim();

interface Mismatch {
  readonly name: string;
  /** Pointer of the parameter's name, or of the reference to the parameter. */
  readonly pointer: string | undefined;
  /** In capitals. */
  readonly methods: string[];
}

function parameterFaults(spec: ApiSpec, path: string, operations: readonly SpecEntry[]): Fault[] {
  const texts = (part: string): string[] => [...part.matchAll(/\{([^{}]*)\}/g)].map(([, text = ""]) => text);
  // `{?limit}` and `{#part}` are not parts of the path.
  const inPath = texts(path.replace(/\{[?&#].*|[?#].*/s, ""));
  const names = inPath.map(placeholderName);
  if (/\{[^}]*\{/.test(path) || !names.every((name) => /^[\w.$@ -]+$/.test(name))) return [];
  const known = new Set([...names, ...texts(path)]);
  const undescribed = new Map<string, Mismatch>();
  const unused = new Map<string, Mismatch>();
  const add = (mismatches: Map<string, Mismatch>, name: string, pointer: string | undefined, method = "") => {
    const before = mismatches.get(name) ?? { name, pointer, methods: [] };
    before.methods.push(method.toUpperCase());
    mismatches.set(name, before);
  };
  for (const { pointer, method } of operations) {
    const parameters = parametersOf(spec, pointerTo("paths", path), pointer);
    // Skip operations with broken references, which `checkReferences` reports.
    if (parameters === undefined) continue;
    const described = new Set(parameters.flatMap(({ place, name }) => (place === "path" ? name : [])));
    for (const [i, name] of names.entries())
      if (!described.has(name) && !described.has(inPath[i]!))
        add(undescribed, name, parameters.find((parameter) => parameter.name === name)?.pointer, method);
    for (const { place, name, pointer } of parameters)
      if (place === "path" && !known.has(name)) add(unused, name, pointer, method);
  }

  const inBraces = path.replace(/(?<=\/):(\w+)(?=\/|$)|:(\w+)|<(\w+)>/g, (text, whole, ...marked) => {
    const name = whole ?? marked.find((candidate) => unused.has(candidate));
    return name === undefined ? text : `{${name}}`;
  });
  if (inBraces !== path) {
    const what = `The path "${path}" has parameters without braces, so requests do not send them.`;
    return [{ pointer: pointerTo("paths", path), what, fix: `write "${inBraces}".` }];
  }
  const renamed = [...unused.values()].flatMap((parameter): Fault[] => {
    const { name, pointer, methods } = parameter;
    const near = nearestName(name, undescribed.keys());
    const other = near ?? (undescribed.size === 1 && unused.size === 1 ? [...undescribed.keys()][0] : undefined);
    if (other === undefined || pointer === undefined) return [];
    undescribed.delete(other);
    unused.delete(name);
    const what = `The path parameter "${name}" of ${titleOf(methods, path)} is called {${other}} in the path, so nobody can fill it in.`;
    return [
      { pointer, what, fix: `write "name": "${other}"${near === undefined ? `, or {${name}} in the path` : ""}.` },
    ];
  });
  return [
    ...renamed,
    ...[...undescribed.values()].map(({ name, pointer, methods }) => ({
      pointer: pointer ?? pointerTo("paths", path),
      what: `The path parameter "${name}" of ${titleOf(methods, path)} is not described, so nobody can fill it in.`,
      fix:
        pointer === undefined
          ? `write "parameters": [{ "name": "${name}", "in": "path", "required": true, "schema": { "type": "string" } }] in the path.`
          : 'write "in": "path".',
    })),
    ...[...unused.values()].map(({ name, pointer = "", methods }) => ({
      pointer,
      what: `The path parameter "${name}" of ${titleOf(methods, path)} is not in the path, so requests do not send it.`,
      fix: `write {${name}} in the path, or "in": "query".`,
    })),
  ];
}

const titleOf = (methods: readonly string[], path: string): string =>
  methods.length <= 2 ? `${methods.join(" and ")} ${path}` : `the ${methods.length} operations of ${path}`;

/** The parameters of an operation and its path; undefined if a reference to one is broken. */
function parametersOf(spec: ApiSpec, ...pointers: readonly string[]) {
  const parameters: { readonly name: string; readonly place: string | undefined; readonly pointer: string }[] = [];
  for (const holder of pointers) {
    const value = spec.resolve(holder);
    const direct = listAt(value, "parameters");
    const list = direct.length > 0 ? direct : listAt(followReferences(value, spec.resolve), "parameters");
    for (const [i, written] of list.entries()) {
      const parameter: Json | undefined = followReferences(written, spec.resolve);
      if (!isObject(parameter)) return undefined;
      const name = textAt(parameter, "name");
      const key = member(written, "$ref") === undefined ? "name" : "$ref";
      if (name !== undefined)
        parameters.push({ name, place: textAt(parameter, "in"), pointer: below(holder, "parameters", i, key) });
    }
  }
  return parameters;
}

function sameIdFaults(spec: ApiSpec, entries: readonly SpecEntry[]): Fault[] {
  const firsts = new Map<string, SpecEntry>();
  const ids = new Set(entries.map(({ operationId }) => operationId));
  return entries.flatMap((entry): Fault[] => {
    const { operationId: id, pointer, method = "" } = entry;
    const first = id === undefined ? undefined : firsts.get(id);
    if (id === undefined || first === undefined) {
      if (id !== undefined) firsts.set(id, entry);
      return [];
    }
    // Several paths may refer to the same operation.
    if (spec.resolve(pointer) === spec.resolve(first.pointer)) return [];
    const ofMethod = id + method.charAt(0).toUpperCase() + method.slice(1);
    let free = ofMethod;
    for (let i = 2; ids.has(free); i++) free = `${id}${i}`;
    ids.add(free);
    const what = `The operationId "${id}" belongs to ${requestOf(first)} and to ${requestOf(entry)}, so links and workflows that name it lead to only one of them.`;
    return [{ pointer: below(pointer, "operationId"), what, fix: `write "${free}".` }];
  });
}

const requestOf = ({ method = "", name }: SpecEntry): string => `${method.toUpperCase()} ${name}`;
