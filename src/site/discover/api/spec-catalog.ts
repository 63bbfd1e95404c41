import { posix } from "node:path";
import { type Diagnostic, errorOf, type Location, nearestName } from "../../../lib/diagnostic/index.js";
import { isObject, member, textAt } from "../../../lib/json/index.js";
import { lazy } from "../../../lib/memo.js";
import { isHttpAddress, nameOf } from "../../../lib/url/index.js";
import { type ApiSpec, isGraphql, type SpecFormat } from "../../api-spec.js";
import type { SpecRef } from "../../config/index.js";
import { addFile } from "../../links/index.js";
import type { SiteFiles } from "../../source/index.js";
import type { GraphTarget, SpecEntry, SpecObject, SpecPlan, SpecReader, SpecReading } from "../../specs/index.js";

/** A specification of the site that has been read, with look-ups for its entries. */
export interface CatalogSpec extends Pick<SpecReading, "key" | "entries" | "tags" | "files"> {
  readonly source: string;
  readonly format: SpecFormat;
  readonly spec: ApiSpec;
  /** Title of the API. */
  readonly title?: string;
  /** The description of the whole API, in Markdown. */
  readonly description?: string;
  /** Whether there is a page about the whole API: if it has a version or a description, or links to documents about it. */
  readonly hasOverview: boolean;
  /** Finds an operation or a webhook. @param method a method or "webhook" */
  find(method: string, name: string): SpecEntry | undefined;
  /** Finds a channel by its name, otherwise by its address. */
  channel(name: string): SpecEntry | undefined;
  graph(list: GraphTarget["list"], name: string): SpecEntry | undefined;
  workflow(name: string): SpecEntry | undefined;
  /** The objects of the entries that every reader sees. */
  readonly objects: readonly SpecObject[];
  /** The objects of these entries. */
  objectsOf(entries: readonly SpecEntry[]): readonly SpecObject[];
  /** Names of the data models. */
  readonly schemas: readonly string[];
}

export type SpecCatalog = ReturnType<typeof createSpecCatalog>;

/**
 * Reads each specification of a site once, when it is first needed.
 *
 * @param configured every setting that names one, in the order written.
 */
export function createSpecCatalog(reader: SpecReader, files: SiteFiles, configured: readonly SpecRef[]) {
  const diagnostics: Diagnostic[] = [];
  const opened = new Map<string, Opened>();
  const reported = new Set<string>();
  const used = new Set<string>();
  const linked = new Map<string, ApiSpec["sources"]>();
  /** Sources that are needed but could not be read. */
  const unread = new Set<string>();
  const specFiles = new Set(reader.candidates);

  const reportOnce = (key: string, faults: readonly Diagnostic[]): void => {
    if (reported.has(key)) return;
    reported.add(key);
    diagnostics.push(...faults);
  };
  const read = (ref: Omit<SpecRef, "location">): Opened => {
    const { source } = ref;
    const overlays = ref.overlays ?? (isGraphql(source) ? [] : overlaysExtending(source));
    const service = ref.service ?? configured.find((other) => other.source === source && other.service)?.service;
    const id = JSON.stringify([source, overlays, service]);
    const cached = opened.get(id);
    if (cached) return cached;
    const reading = reader.read(source, overlays, service);
    const spec = reading.spec && catalogSpec(reading.key, reading.spec, reading, reader);
    const result = { reading, spec };
    opened.set(id, result);
    return result;
  };

  const overlaysExtending = (source: string): readonly string[] => {
    const { bySpec, diagnostics: faults } = reader.findOverlays();
    reportOnce("overlays", faults);
    return bySpec.get(source) ?? [];
  };
  const configuredAs = (source: string): SpecRef | undefined => configured.find((ref) => ref.source === source);
  const findIn = (isGraph: boolean) => (): readonly Opened[] =>
    reader.candidates
      .filter((path) => isGraphql(path) === isGraph && files.sizeOf(path) <= maxSniffedBytes)
      .filter((path) => (isGraph ? looksLikeSchema : looksLikeSpec)(files.readText(path)))
      .map((path) => read(configuredAs(path) ?? { source: path }));
  const graphs = lazy(findIn(true));
  const others = lazy(findIn(false));

  /** The source most similar to a missing one. */
  const nearest = (written: string): string | undefined => {
    const name = written.replace(/^(?:\.{0,2}\/)+/, "");
    const candidates = reader.candidates.slice(0, maxCompared);
    return (
      // Translators often write the folder of a language before every path.
      candidates.find((path) => name.endsWith(`/${path}`)) ??
      nearestName(name, candidates) ??
      candidates.find((path) => nameOf(path).toLowerCase() === nameOf(name).toLowerCase())
    );
  };
  /** The same for a specification; if the site has only one, it is that one. */
  const nearestSpec = (written: string): string | undefined => {
    const stem = nameOf(written).replace(/\w+$/, "");
    const specs = (isGraphql(written) ? graphs() : others()).flatMap(({ spec }) => spec?.source ?? []);
    return nearest(written) ?? specs.find((source) => specs.length === 1 || nameOf(source).startsWith(stem));
  };

  /** The file or address that the first word of a reference stands for, in a file of this folder. */
  const sourceOf = (written: string, folder: string): string | undefined => {
    if (isHttpAddress(written)) return written;
    const path = written.replaceAll("\\", "/");
    const root = posix.normalize(path.replace(/^(?:\.?\/)+/, ""));
    const beside = posix.join(folder, path);
    const candidates = path.startsWith(".") ? [beside, root] : path.startsWith("/") ? [root] : [root, beside];
    for (const candidate of candidates)
      for (const extension of ["", ".json", ".yaml", ".yml", ".graphql"])
        if (specFiles.has(candidate + extension)) return candidate + extension;
    const isStem = (source: string): boolean => nameOf(source).replace(/\.\w+$/, "") === path;
    return configured.find((ref) => isStem(ref.source))?.source ?? reader.candidates.find(isStem);
  };

  return {
    diagnostics,
    unread,
    nearest: nearestSpec,
    sourceOf,
    /** Whether the first word of a reference in docs.json is an Arazzo document that can be read. */
    hasWorkflows(written: string): boolean {
      const source = sourceOf(written, "");
      return source !== undefined && read(configuredAs(source) ?? { source }).spec?.format === "arazzo";
    },
    /** Whether the specification has an address that could not be fetched. */
    isUnavailable: (ref: SpecRef): boolean => isHttpAddress(ref.source) && read(ref).reading.unavailable !== undefined,
    /** The specification of a setting; undefined if it cannot be read, which is reported once. */
    open(ref: SpecRef, format: SpecFormat): CatalogSpec | undefined {
      const { source } = ref;
      if (!isHttpAddress(source) && !files.has(source)) {
        unread.add(source);
        reportOnce(`missing ${source}`, [specNotFound(source, nearestSpec(source), ref.location)]);
        return undefined;
      }
      const { reading, spec } = read(ref);
      if (reading.unavailable !== undefined)
        reportOnce(`spec ${reading.key}`, [specUnavailable(source, reading.unavailable, ref.location)]);
      reportOnce(`spec ${reading.key}`, [
        ...reading.diagnostics,
        ...reading.missing.map(({ overlay, reason }) =>
          overlayMissing(overlay, reason, nearest(overlay), ref.location),
        ),
      ]);
      if (spec?.format === format) {
        if (spec.entries.length === 0 && spec.schemas.length === 0) {
          unread.add(source);
          const isTold = reading.diagnostics.some(({ code }) => code === "SPEC_EMPTY");
          reportOnce(`empty ${source}`, isTold ? [] : [specEmpty(spec)]);
        }
        return spec;
      }
      unread.add(source);
      if (spec === undefined) return undefined;
      reportOnce(`kind ${source} ${format}`, [wrongKind(source, spec.format, format, ref.location)]);
      return undefined;
    },
    /** The setting that names this source, so that its overlays always apply; otherwise a plain setting. */
    refOf(source: string, from: { readonly location: Location }): SpecRef {
      const setting = configuredAs(source);
      if (setting) return setting;
      return {
        source,
        get location() {
          return from.location;
        },
      };
    },
    /** Every specification among the site's files, by path; unreadable ones are skipped. */
    all: (format: SpecFormat): readonly CatalogSpec[] =>
      (format === "graphql" ? graphs : others)().flatMap(({ spec }) => (spec?.format === format ? [spec] : [])),
    /** Reports the faults of the specifications that `all` skipped. */
    reportUnreadable(format: SpecFormat): void {
      for (const { reading, spec } of (format === "graphql" ? graphs : others)())
        if (!spec) reportOnce(`spec ${reading.key}`, reading.diagnostics);
    },
    /** Marks a specification as used, so that threads can read it. */
    use: ({ key }: CatalogSpec): void => void used.add(key),
    /** Sets the keys of the specifications that a document of workflows names. */
    link: ({ key }: CatalogSpec, sources: NonNullable<ApiSpec["sources"]>): void => void linked.set(key, sources),
    /** The used specifications, with their plans. */
    used: (): readonly (readonly [CatalogSpec, SpecPlan])[] =>
      [...opened.values()].flatMap(({ reading, spec }) => {
        const plan = used.has(reading.key) ? reading.plan() : undefined;
        const sources = linked.get(reading.key);
        return !plan || !spec ? [] : [[spec, { ...plan, ...(sources && { sources }) }] as const];
      }),
  };
}

const specEmpty = ({ source, spec }: CatalogSpec): Diagnostic => ({
  ...errorOf("SPEC_EMPTY"),
  what: `${source} describes no operations, so it gets no pages.`,
  location: spec.locationOf("#"),
  fix: "add the operations of the API to it, or use another file.",
});

interface Opened {
  readonly reading: SpecReading;
  readonly spec?: CatalogSpec;
}

/** Bounds the time for suggestions in a site with a hundred thousand data files. */
const maxCompared = 2000;
/** Larger files are read only if a setting or a page names them. */
const maxSniffedBytes = 32 * 1024 * 1024;
const looksLikeSpec = (text: string): boolean =>
  /"(?:openapi|asyncapi|swagger|arazzo)"\s*:\s*"\d/.test(text) ||
  /^["']?(?:openapi|asyncapi|swagger|arazzo)["']?\s*:\s*["']?\d/m.test(text);

const looksLikeSchema = (text: string): boolean => /^\s*(?:extend\s+)?(?:schema|type)\b/m.test(text);

function catalogSpec(
  key: string,
  spec: ApiSpec,
  { entries, tags, files }: SpecReading,
  { listObjects }: SpecReader,
): CatalogSpec {
  const byName = lazy(() => {
    const names = new Map<string, SpecEntry>();
    for (const nameOf of [(name: string) => name, withoutSlash])
      for (const entry of entries) {
        const name = `${entry.kind === "operation" ? entry.method : entry.kind} ${nameOf(entry.name)}`;
        if (!names.has(name)) names.set(name, entry);
      }
    return names;
  });
  const schemas = lazy(() => {
    const models = spec.resolve("#/components/schemas");
    return isObject(models) ? Object.keys(models) : [];
  });
  const objectsOf = (some: readonly SpecEntry[], all?: readonly SpecEntry[]): readonly SpecObject[] => {
    const open = some.filter(({ excluded, restrictions }) => !excluded && restrictions.length === 0);
    return listObjects(spec, open, all).filter(({ isListed }) => isListed);
  };
  const visible = entries.filter(({ hidden }) => !hidden);
  const objects = lazy(() => objectsOf(visible, entries));
  const { info } = spec.document;
  const description = textAt(info, "description");
  return {
    key,
    source: spec.source,
    format: spec.format,
    spec,
    files,
    title: textAt(info, "title")?.trim(),
    entries,
    tags,
    description,
    hasOverview:
      description !== undefined ||
      member(info, "version") !== undefined ||
      [info, spec.document].some((holder) => textAt(member(holder, "externalDocs"), "url") !== undefined),
    get objects() {
      return objects();
    },
    objectsOf,
    get schemas() {
      return schemas();
    },
    find: (method, name) =>
      byName().get(`${method} ${name}`) ??
      byName().get(`${method} ${withoutSlash(name)}`) ??
      (name.startsWith("/") ? undefined : byName().get(`${method} /${withoutSlash(name)}`)),
    channel: (name) =>
      entries.find((entry) => entry.kind === "channel" && entry.name === name) ??
      entries.find((entry) => entry.kind === "channel" && entry.address === name),
    graph: (list, name) =>
      entries.find(({ target }) => target.kind === "graphql" && target.list === list && target.name === name),
    workflow: (name) => entries.find((entry) => entry.kind === "workflow" && entry.name === name),
  };
}

/** A path without slashes at its end, which make no difference. */
const withoutSlash = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, "") : path);

export function specNotFound(source: string, near: string | undefined, location: Location | undefined): Diagnostic {
  const what = `The API specification ${source} does not exist in the site.`;
  const fix = near ? `write "${near}".` : addFile(source, "use another file");
  return { code: "SPEC_NOT_FOUND", severity: "error", what, location, fix, cause: source };
}

function specUnavailable(source: string, reason: string, location: Location | undefined): Diagnostic {
  const what = `The specification at ${source} could not be fetched: ${reason}. Its pages only say that it is missing.`;
  const fix = "add a copy to the site and use its path, or export again when it can be fetched.";
  return { code: "SPEC_UNAVAILABLE", severity: "warning", what, location, fix };
}

function overlayMissing(
  overlay: string,
  reason: string,
  near: string | undefined,
  location: Location | undefined,
): Diagnostic {
  const what = `The overlay "${overlay}" is left out, because ${reason}.`;
  const fix = near ? `write "${near}".` : 'add it to the site, or remove it from "overlays".';
  return { code: "OVERLAY_NOT_FOUND", severity: "error", what, location, fix };
}

export const formatNames = { asyncapi: "AsyncAPI", openapi: "OpenAPI", graphql: "GraphQL", arazzo: "Arazzo" } as const;

function wrongKind(
  source: string,
  format: SpecFormat,
  expected: SpecFormat,
  location: Location | undefined,
): Diagnostic {
  const what = `${source} is ${formatNames[format]}, but this setting expects ${formatNames[expected]}.`;
  const fix = `rename the setting to "${format}".`;
  return { code: "SPEC_WRONG_KIND", severity: "error", what, location, fix };
}
