import { type Diagnostic, type Location, nearestName } from "../../../lib/diagnostic/index.js";
import { oneLine } from "../../../lib/plain-text.js";
import type { SpecFormat } from "../../api-spec.js";
import { noSpecs, type SpecRef, type SpecRefs } from "../../config/index.js";
import type { ApiTarget, SpecEntry } from "../../specs/index.js";
import { type EndpointReference, parseEndpoint, parseGraph, parseNamed } from "./parse-reference.js";
import { type CatalogSpec, formatNames, type SpecCatalog, specNotFound } from "./spec-catalog.js";

/** The specifications that an entry of the navigation inherits from its containers, nearest first. */
export interface SpecScope extends SpecRefs {
  /** The languages, versions and products that contain the entry: each has its own pages about the same operations. */
  readonly within: readonly string[];
  readonly language?: string;
}
export const noScope: SpecScope = { within: [], ...noSpecs };

/** The target of a reference. */
export interface Described {
  readonly spec: CatalogSpec;
  readonly target: ApiTarget;
  /** Absent for a data model. */
  readonly entry?: SpecEntry;
}
/** `unavailable`: the address of a specification that could not be fetched and may contain the target. */
export type Found = Described | { readonly unavailable: string };

export interface ReferenceOrigin {
  /** Start of the diagnostic: `The navigation lists`, `The page's openapi is`. */
  readonly says: string;
  /** Folder of the file. */
  readonly folder: string;
  readonly location: Location;
  readonly scope: SpecScope;
}

/** Finds what a reference names; undefined once the reason has been reported. */
type Find = (written: string, from: ReferenceOrigin) => Found | undefined;

/** Finds `GET /users` and the like, channels, schemas, `query user` or `type User` of GraphQL, and ids of workflows. */
export type Finder = Readonly<Record<"endpoint" | "channel" | "schema" | "graph" | "workflow", Find>>;

/**
 * Resolves references. A reference without a specification is looked up in the specifications of its containers, then in
 * those of the whole site, then in all specifications among the site's files, by path.
 *
 * @param site the specifications that `api` in docs.json names.
 */
export function createFinder(catalog: SpecCatalog, site: SpecRefs, report: (fault: Diagnostic) => void): Finder {
  /** The settings of the specifications to search, most likely first; undefined if there is none, which is reported. */
  const refsFor = (
    spec: string | undefined,
    format: SpecFormat,
    from: ReferenceOrigin,
  ): readonly SpecRef[] | undefined => {
    if (spec === undefined) return [...from.scope[format], ...site[format]];
    const source = catalog.sourceOf(spec, from.folder);
    if (source !== undefined) return [catalog.refOf(source, from)];
    const near = catalog.nearest(spec);
    const isInFolder = near !== undefined && spec.endsWith(`/${near}`);
    const fault = specNotFound(spec, near, from.location);
    if (!isInFolder) {
      report(fault);
      return undefined;
    }
    const what = `The API specification ${spec} does not exist in the site; ${near} is used.`;
    report({ ...fault, severity: "warning", what });
    return [catalog.refOf(near, from)];
  };
  /** Splits a reference. Its first word is a specification only if one has that name. */
  const split = (written: string, from: ReferenceOrigin): { readonly spec?: string; readonly name: string } => {
    const { spec, rest, whole } = parseNamed(written);
    const isSpec = spec !== undefined && (/\.(?:json|ya?ml)$/i.test(spec) || catalog.sourceOf(spec, from.folder));
    return isSpec ? { spec, name: rest } : { name: whole };
  };
  /** @param notFound called with all specifications that were searched. */
  const find = (
    spec: string | undefined,
    format: SpecFormat,
    from: ReferenceOrigin,
    findIn: (spec: CatalogSpec) => SpecEntry | ApiTarget | undefined,
    notFound: (specs: readonly CatalogSpec[]) => Diagnostic,
  ): Found | undefined => {
    const refs = refsFor(spec, format, from);
    if (refs === undefined) return undefined;
    const searched: CatalogSpec[] = [];
    for (const candidate of specsInOrder(catalog, refs, format, spec === undefined)) {
      const match = findIn(candidate);
      searched.push(candidate);
      if (match === undefined) continue;
      catalog.use(candidate);
      return { spec: candidate, ...("target" in match ? { entry: match, target: match.target } : { target: match }) };
    }
    const unavailable = refs.find((ref) => catalog.isUnavailable(ref));
    if (unavailable) return { unavailable: unavailable.source };
    // Report nothing if a specification cannot be read: that has been reported, and it may contain the target.
    if (refs.every((ref) => catalog.open(ref, format) !== undefined)) {
      if (spec === undefined) catalog.reportUnreadable(format);
      report(notFound(searched));
    }
    return undefined;
  };

  /** Finds what a reference names by a name alone. */
  const byName =
    (format: SpecFormat, kind: "channel" | "workflow", code: string): Find =>
    (written, from) => {
      const { spec, name } = split(written, from);
      return find(
        spec,
        format,
        from,
        (candidate) => candidate[kind](name),
        (specs) => {
          const names = specs.flatMap(({ entries }) => entries.map((entry) => entry.name));
          return notFound(code, kind, format, { written, spec, name }, names, specs, from);
        },
      );
    };

  return {
    endpoint(written, from) {
      const reference = parseEndpoint(written);
      if (!reference) return void report(notAnEndpoint(written, catalog.all("openapi"), from));
      const findIn = (spec: CatalogSpec) => spec.find(reference.method, reference.name);
      return find(reference.spec, "openapi", from, findIn, (specs) =>
        operationNotFound(written, reference, specs, catalog.all("openapi").find(findIn), from),
      );
    },
    channel: byName("asyncapi", "channel", "CHANNEL_NOT_FOUND"),
    schema(written, from) {
      const { spec, name } = split(written, from);
      const findIn = ({ schemas, key }: CatalogSpec): ApiTarget | undefined =>
        schemas.includes(name) ? { kind: "schema", spec: key, name } : undefined;
      return find(spec, "openapi", from, findIn, (specs) => {
        const names = specs.flatMap(({ schemas }) => schemas);
        return notFound("SCHEMA_NOT_FOUND", "schema", "openapi", { written, spec, name }, names, specs, from);
      });
    },
    graph(written, from) {
      const reference = parseGraph(written);
      if (!reference) return void report(notAGraphPart(written, from));
      const { spec, list, name } = reference;
      const findIn = (candidate: CatalogSpec) => candidate.graph(list, name);
      return find(spec, "graphql", from, findIn, (specs) => {
        const kind = written.trim().split(/\s+/).at(-2)!.toLowerCase();
        const names = specs
          .flatMap(({ entries }) => entries)
          .flatMap(({ target }) => (target.kind === "graphql" && target.list === list ? [target.name] : []));
        const code = list === "types" ? "SCHEMA_NOT_FOUND" : "OPERATION_NOT_FOUND";
        return notFound(code, kind, "graphql", { written, spec, name }, names, specs, from);
      });
    },
    workflow: byName("arazzo", "workflow", "WORKFLOW_NOT_FOUND"),
  };
}

/** The written form of a reference: `GET /users`, `WEBHOOK order.paid`, `orders`. */
export function labelOf({ kind, method, name }: SpecEntry): string {
  if (kind === "channel" || kind === "graphql" || kind === "workflow") return name;
  return `${kind === "webhook" ? "WEBHOOK" : method!.toUpperCase()} ${name}`;
}

/** Yields the specifications of the settings, then, with `andAll`, all others of the site. Each is read when it is reached. */
function* specsInOrder(
  catalog: SpecCatalog,
  refs: readonly SpecRef[],
  format: SpecFormat,
  andAll: boolean,
): Generator<CatalogSpec> {
  const seen = new Set<string>();
  for (const ref of refs) {
    const spec = catalog.open(ref, format);
    if (spec && !seen.has(spec.source)) yield spec;
    seen.add(ref.source);
  }
  for (const spec of andAll ? catalog.all(format) : []) if (!seen.has(spec.source)) yield spec;
}

/** The most names to compare for a suggestion. */
const maxCompared = 3000;

function operationNotFound(
  written: string,
  reference: EndpointReference,
  specs: readonly CatalogSpec[],
  elsewhere: CatalogSpec | undefined,
  from: ReferenceOrigin,
): Diagnostic {
  const kind = reference.method === "webhook" ? "webhook" : "operation";
  const label = `${reference.method.toUpperCase()} ${reference.name}`;
  const near = elsewhere ? label : nearestEntry(label, reference.name, kind, specs);
  const spec = elsewhere ? `/${elsewhere.source}` : reference.spec;
  const what = `${from.says} "${written}", but ${noneOf(specs, "OpenAPI")} that ${kind}.`;
  const right = inOrder(written) ?? (near && `${spec === undefined ? "" : `${spec} `}${near}`);
  const fix = right ? `write "${right}".` : `correct it, or describe the ${kind} in the specification.`;
  return { code: "OPERATION_NOT_FOUND", severity: "error", what, location: from.location, fix, cause: written };
}

/** The file, the method and the path of a reference that has them in another order, such as `GET /pets api.yaml`. */
function inOrder(written: string): string | undefined {
  const words = oneLine(written).split(" ");
  const parts = [/\.(?:json|ya?ml)$/i, /^(?:get|put|post|delete|options|head|patch)$/i, /^\/(?!.*\.(?:json|ya?ml)$)/i];
  const [file, method, path] = parts.map((form) => words.find((word) => form.test(word)));
  if (method === undefined || path === undefined || words.length !== (file ? 3 : 2)) return undefined;
  const right = `${file ? `${file} ` : ""}${method.toUpperCase()} ${path}`;
  return right.toLowerCase() === words.join(" ").toLowerCase() ? undefined : right;
}

/** The same path with another method, or a similar path with a similar last part, since long paths often start alike. */
function nearestEntry(
  label: string,
  name: string,
  kind: SpecEntry["kind"],
  specs: readonly CatalogSpec[],
): string | undefined {
  const entries = specs.flatMap((spec) => spec.entries).filter((entry) => entry.kind === kind);
  const samePath = entries.find((entry) => entry.name === name);
  if (samePath) return labelOf(samePath);
  // `/users/:id` and `/users/{userId}` are the same path.
  const shapeOf = (path: string): string =>
    path
      .toLowerCase()
      .replace(/:\w+|\{[^{}]*\}|<[^<>]*>|\[\w+\]/g, "{}")
      .replace(/\/$/, "");
  const sameShape = entries.filter((entry) => shapeOf(entry.name) === shapeOf(name));
  const method = label.slice(0, label.indexOf(" "));
  if (sameShape[0]) return labelOf(sameShape.find((entry) => entry.method?.toUpperCase() === method) ?? sameShape[0]);
  const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  const similar = entries
    .slice(0, maxCompared)
    .filter((entry) => lastPart(entry.name) === lastPart(name) || nearestName(lastPart(name), [lastPart(entry.name)]));
  return nearestName(label, similar.map(labelOf));
}

function notFound(
  code: string,
  kind: string,
  format: SpecFormat,
  { written, spec, name }: { readonly written: string; readonly spec?: string; readonly name: string },
  names: readonly string[],
  specs: readonly CatalogSpec[],
  from: ReferenceOrigin,
): Diagnostic {
  const near = nearestName(name, names.slice(0, maxCompared));
  const what = `${from.says} "${written}", but ${noneOf(specs, formatNames[format])} that ${kind}.`;
  const fix = near
    ? `write "${spec === undefined ? "" : `${spec} `}${format === "graphql" ? `${kind} ` : ""}${near}".`
    : `correct it, or describe the ${kind} in the specification.`;
  return { code, severity: "error", what, location: from.location, fix };
}

function noneOf(specs: readonly CatalogSpec[], format: string): string {
  const [first] = specs;
  if (first === undefined) return `the site has no ${format} specification that describes`;
  if (specs.length === 1) return `${first.source} does not describe`;
  const named = specs.slice(0, 3).map(({ source }) => source);
  return `none of ${named.join(", ")}${specs.length > 3 ? ` and ${specs.length - 3} more` : ""} describes`;
}

function notAnEndpoint(written: string, specs: readonly CatalogSpec[], from: ReferenceOrigin): Diagnostic {
  const words = written.trim().split(/\s+/);
  const path = words.at(-1)!.replace(/^[a-z]+:?(?=\/)/i, "");
  const samePath = specs
    .flatMap((spec) => spec.entries)
    .filter(({ kind, name }) => kind === "operation" && (name === path || name === `/${path}`));
  const likely = samePath.find(({ method = "" }) => written.toLowerCase().includes(method)) ?? samePath[0];
  const file = words.length > 1 && /\.(?:json|ya?ml)$/i.test(words[0]!) ? `${words[0]} ` : "";
  const what = `${from.says} "${written}", which does not identify an operation.`;
  const right = inOrder(written) ?? (likely && `${file}${labelOf(likely)}`);
  const fix = right
    ? `write "${right}".`
    : 'write the method and the path, such as "GET /users" or "openapi.json GET /users".';
  return { code: "API_REFERENCE_INVALID", severity: "warning", what, location: from.location, fix };
}

function notAGraphPart(written: string, { says, location }: ReferenceOrigin): Diagnostic {
  const what = `${says} "${written}", which does not identify a part of a GraphQL schema.`;
  const fix = 'write the kind and the name, such as "query user", "type User" or "schema.graphql mutation addUser".';
  return { code: "API_REFERENCE_INVALID", severity: "warning", what, location, fix };
}
