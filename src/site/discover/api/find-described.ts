import { type Diagnostic, type Location, nearestName } from "../../../lib/diagnostic/index.js";
import type { SpecRef } from "../../config/index.js";
import type { ApiTarget, SpecEntry } from "../../specs/index.js";
import { type EndpointReference, parseEndpoint, parseGraph, parseNamed } from "./parse-reference.js";
import { type CatalogSpec, type SpecCatalog, type SpecFormat, specNotFound } from "./spec-catalog.js";

/** The specifications that an entry of the navigation inherits from its containers, nearest first. */
export interface SpecScope {
  /** The languages, versions and products around it: each has pages of its own about the same operations. */
  readonly within: readonly string[];
  readonly language?: string;
  readonly openapi: readonly SpecRef[];
  readonly asyncapi: readonly SpecRef[];
  readonly graphql: readonly SpecRef[];
  readonly arazzo: readonly SpecRef[];
}

/** The target of a reference. */
export interface Described {
  readonly spec: CatalogSpec;
  readonly target: ApiTarget;
  /** Absent for a data model. */
  readonly entry?: SpecEntry;
}
/** The reference may be in a specification that could not be fetched. */
export interface Unavailable {
  readonly unavailable: string;
}
export type Found = Described | Unavailable;

/** Where a reference was written. */
export interface ReferenceOrigin {
  /** Start of the diagnostic: `The navigation lists`, `The page's openapi is`. */
  readonly says: string;
  /** Folder of the file. */
  readonly folder: string;
  readonly location: Location;
  readonly scope: SpecScope;
}

export interface Finder {
  /** `GET /users` and the like; undefined once the reason has been reported. */
  endpoint(written: string, from: ReferenceOrigin): Found | undefined;
  channel(written: string, from: ReferenceOrigin): Found | undefined;
  schema(written: string, from: ReferenceOrigin): Found | undefined;
  /** `query user`, `type User`. */
  graph(written: string, from: ReferenceOrigin): Found | undefined;
  /** The id of a workflow. */
  workflow(written: string, from: ReferenceOrigin): Found | undefined;
}

/**
 * Resolves references. A reference without a specification is searched in those of its containers, then in those of the
 * whole site, then in all specifications among the site's files, by path.
 *
 * @param site the specifications that `api` in docs.json names.
 */
export function createFinder(
  catalog: SpecCatalog,
  site: Pick<SpecScope, SpecFormat>,
  report: (fault: Diagnostic) => void,
): Finder {
  /** The settings of the specifications to search, most likely first; undefined if there is none, which is reported. */
  const refsFor = (
    spec: string | undefined,
    format: SpecFormat,
    from: ReferenceOrigin,
  ): readonly SpecRef[] | undefined => {
    if (spec === undefined) return [...from.scope[format], ...site[format]];
    const source = catalog.sourceOf(spec, from.folder);
    if (source !== undefined) return [catalog.refOf(source, from)];
    report(specNotFound(spec, catalog.nearest(spec), from.location));
    return undefined;
  };
  /** The first word is a specification only if one has that name. */
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
    findIn: (spec: CatalogSpec) => Omit<Described, "spec"> | undefined,
    notFound: (specs: readonly CatalogSpec[]) => Diagnostic,
  ): Found | undefined => {
    const refs = refsFor(spec, format, from);
    if (refs === undefined) return undefined;
    const seen: CatalogSpec[] = [];
    for (const each of inOrder(catalog, refs, format, spec === undefined)) {
      const found = findIn(each);
      seen.push(each);
      if (found === undefined) continue;
      catalog.use(each);
      return { spec: each, ...found };
    }
    const unavailable = refs.find((ref) => catalog.isUnavailable(ref));
    if (unavailable) return { unavailable: unavailable.source };
    // An unreadable specification has been reported, and may contain it.
    if (refs.every((ref) => catalog.open(ref, format) !== undefined)) {
      if (spec === undefined) catalog.reportUnreadable(format);
      report(notFound(seen));
    }
    return undefined;
  };

  /** Finds what a reference names by a name alone. */
  const byName =
    (format: SpecFormat, kind: "channel" | "workflow", code: string) =>
    (written: string, from: ReferenceOrigin): Found | undefined => {
      const { spec, name } = split(written, from);
      const findIn = (each: CatalogSpec): Omit<Described, "spec"> | undefined => {
        const entry = each[kind](name);
        return entry && { entry, target: entry.target };
      };
      return find(spec, format, from, findIn, (specs) => {
        const names = specs.flatMap((each) => each.entries.map((entry) => entry.name));
        return notFound(code, kind, { written, spec, name }, names, specs, from);
      });
    };

  return {
    endpoint(written, from) {
      const reference = parseEndpoint(written);
      if (!reference) {
        report(notAnEndpoint(written, catalog.all("openapi"), from));
        return undefined;
      }
      const findIn = (spec: CatalogSpec): Omit<Described, "spec"> | undefined => {
        const entry = spec.find(reference.method, reference.name);
        return entry && { entry, target: entry.target };
      };
      return find(reference.spec, "openapi", from, findIn, (specs) => {
        const elsewhere = catalog.all("openapi").find((spec) => spec.find(reference.method, reference.name));
        return operationNotFound(written, reference, specs, elsewhere, from);
      });
    },
    channel: byName("asyncapi", "channel", "CHANNEL_NOT_FOUND"),
    schema(written, from) {
      const { spec, name } = split(written, from);
      const findIn = (each: CatalogSpec): Omit<Described, "spec"> | undefined =>
        each.schemas.includes(name) ? { target: { kind: "schema", spec: each.key, name } } : undefined;
      return find(spec, "openapi", from, findIn, (specs) => {
        const names = specs.flatMap((each) => each.schemas);
        return notFound("SCHEMA_NOT_FOUND", "schema", { written, spec, name }, names, specs, from);
      });
    },
    graph(written, from) {
      const reference = parseGraph(written);
      if (!reference) {
        report(notAGraphPart(written, from));
        return undefined;
      }
      const { spec, list, name } = reference;
      const findIn = (each: CatalogSpec): Omit<Described, "spec"> | undefined => {
        const entry = each.graph(list, name);
        return entry && { entry, target: entry.target };
      };
      return find(spec, "graphql", from, findIn, (specs) => {
        const kind = written.trim().split(/\s+/).at(-2)!.toLowerCase();
        const entries = specs.flatMap((each) => each.entries);
        const names = entries.flatMap(({ target }) =>
          target.kind === "graphql" && target.list === list ? [target.name] : [],
        );
        const code = list === "types" ? "SCHEMA_NOT_FOUND" : "OPERATION_NOT_FOUND";
        return notFound(code, kind, { written, spec, name }, names, specs, from);
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

/** Reads each only if the ones before it have no match; with `andAll`, finally all of the site. */
function* inOrder(
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

/** Names to compare for a suggestion. */
const mostCompared = 3000;

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
  const fix = near
    ? `write "${spec === undefined ? "" : `${spec} `}${near}".`
    : `correct it, or describe the ${kind} in the specification.`;
  return { code: "OPERATION_NOT_FOUND", severity: "error", what, location: from.location, fix };
}

/** The same path with another method, or a similar path with a similar end: long paths are alike in their start. */
function nearestEntry(
  label: string,
  name: string,
  kind: SpecEntry["kind"],
  specs: readonly CatalogSpec[],
): string | undefined {
  const entries = specs.flatMap((spec) => spec.entries).filter((entry) => entry.kind === kind);
  const samePath = entries.find((entry) => entry.name === name);
  if (samePath) return labelOf(samePath);
  const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  const similar = entries
    .slice(0, mostCompared)
    .filter((entry) => lastPart(entry.name) === lastPart(name) || nearestName(lastPart(name), [lastPart(entry.name)]));
  return nearestName(label, similar.map(labelOf));
}

/** How the documents are called that describe a channel, a schema or a workflow. */
const formatNames: Readonly<Record<string, string>> = { channel: "AsyncAPI", schema: "OpenAPI", workflow: "Arazzo" };

function notFound(
  code: string,
  kind: string,
  reference: { readonly written: string; readonly spec?: string; readonly name: string },
  names: readonly string[],
  specs: readonly CatalogSpec[],
  from: ReferenceOrigin,
): Diagnostic {
  const { written, spec } = reference;
  const near = nearestName(reference.name, names.slice(0, mostCompared));
  const format = formatNames[kind] ?? "GraphQL";
  const what = `${from.says} "${written}", but ${noneOf(specs, format)} that ${kind}.`;
  const fix = near
    ? `write "${spec === undefined ? "" : `${spec} `}${format === "GraphQL" ? `${kind} ` : ""}${near}".`
    : `correct it, or describe the ${kind} in the specification.`;
  return { code, severity: "error", what, location: from.location, fix };
}

function noneOf(specs: readonly CatalogSpec[], format: string): string {
  if (specs.length === 0) return `the site has no ${format} specification with`;
  if (specs.length === 1) return `${specs[0]!.source} does not describe`;
  return `none of ${specs
    .slice(0, 3)
    .map((spec) => spec.source)
    .join(", ")}${specs.length > 3 ? ` and ${specs.length - 3} more` : ""} describes`;
}

function notAnEndpoint(written: string, specs: readonly CatalogSpec[], from: ReferenceOrigin): Diagnostic {
  const words = written.trim().split(/\s+/);
  const path = words.at(-1)!.replace(/^[a-z]+:?(?=\/)/i, "");
  const same = specs
    .flatMap((spec) => spec.entries)
    .filter(({ kind, name }) => kind === "operation" && (name === path || name === `/${path}`));
  const meant = same.find(({ method = "" }) => written.toLowerCase().includes(method)) ?? same[0];
  const file = words.length > 1 && /\.(?:json|ya?ml)$/i.test(words[0]!) ? `${words[0]} ` : "";
  return {
    code: "API_REFERENCE_INVALID",
    severity: "warning",
    what: `${from.says} "${written}", which names no operation.`,
    location: from.location,
    fix: meant
      ? `write "${file}${labelOf(meant)}".`
      : 'write the method and the path, as in "GET /users" or "openapi.json GET /users".',
  };
}

const notAGraphPart = (written: string, { says, location }: ReferenceOrigin): Diagnostic => ({
  code: "API_REFERENCE_INVALID",
  severity: "warning",
  what: `${says} "${written}", which names no part of a GraphQL schema.`,
  location,
  fix: 'write its kind and its name, as in "query user", "type User" or "schema.graphql mutation addUser".',
});
