import { type Diagnostic, type Location, warningOf } from "../../lib/diagnostic/index.js";
import { isContainer, isList, type Json, type JsonObject, member, pointerTo } from "../../lib/json/index.js";
import { lazy } from "../../lib/memo.js";
import { isHttpAddress } from "../../lib/url/index.js";
import { type ApiSpec, isGraphql } from "../api-spec.js";
import type { GraphService } from "../config/index.js";
import { invalidUtf8, type SiteFiles } from "../source/index.js";
import { type Bundled, bundleFiles, mayNameFiles } from "./bundle-files.js";
import { checkReferences, isData, reportFirst } from "./check-references.js";
import { createApiSpec, refusedFormat } from "./create-api-spec.js";
import type { SpecEntry } from "./entry-reader.js";
import { isIntrospection, parseGraphql, placeAt, serviceMembers } from "./graphql/read-graphql.js";
import { inlineReferences, type Moves, nameExtensions, writtenPlace } from "./inline-references.js";
import { kindOf, specKinds } from "./kinds.js";
import { listEntries } from "./list-entries.js";
import { listObjects } from "./list-objects.js";
import { type SpecPlan, specKey } from "./open-specs.js";
import { applyOverlay, findOverlays, type OverlaysBySpec } from "./overlay.js";
import { readTags, type SpecTag } from "./read-tags.js";
import { mayNameSchemas, resolveAnchors } from "./resolve-anchors.js";
import { resolvePointer } from "./resolve-pointer.js";
import { parseSpecText } from "./text/parse-spec-text.js";
import { createLocations } from "./text/spec-locations.js";
import {
  isSpecFile,
  maxNameLength,
  maxSpecBytes,
  maxSummaryLength,
  maxValueLength,
  type ParsedText,
  type SpecText,
  specTooLarge,
} from "./text/spec-text.js";

/** The facts of a specification that the plan of a site needs. */
export interface SpecReading {
  readonly key: string;
  /** Absent if it cannot be read; `diagnostics` say why. */
  readonly spec?: ApiSpec;
  readonly entries: readonly SpecEntry[];
  readonly tags: readonly SpecTag[];
  readonly diagnostics: readonly Diagnostic[];
  /** The reason why its address could not be fetched: `it answered 404`. */
  readonly unavailable?: string;
  /** Its files in the site: itself, its overlays, and the files to which it refers. */
  readonly files: readonly string[];
  /** Overlays that were left out; `reason` completes a sentence after "because". */
  readonly missing: readonly { readonly overlay: string; readonly reason: string }[];
  /** The plan for the threads that make its pages; undefined if it cannot be read. */
  plan(): SpecPlan | undefined;
}

export interface SpecReader {
  /** Paths of the files of the site that may be specifications, sorted. */
  readonly candidates: readonly string[];
  /** Fetches these addresses for `read`, each only once. */
  prefetch(urls: readonly string[], signal?: AbortSignal): Promise<void>;
  /** The overlays among the site's files that name a specification in `extends`. */
  findOverlays(): OverlaysBySpec;
  /**
   * Reads a specification that is a file of the site or has been fetched. Does not cache it.
   *
   * @param service the server of a GraphQL schema.
   */
  read(source: string, overlays: readonly string[], service?: GraphService): SpecReading;
  readonly listObjects: typeof listObjects;
}

/** Fetches a text; `reason` completes a sentence after "because". */
export type FetchText = (
  url: string,
  signal?: AbortSignal,
) => Promise<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }>;

/** Limits for fetching: specifications at once, in total, and UTF-16 code units in total. */
const maxAtOnce = 4;
const maxFetched = 50;
const maxCharacters = 64 * 1024 * 1024;

/**
 * Reads specifications, checks them and lists their entries.
 *
 * Fails: a fault in a file is never thrown. A file that cannot be read from disk is thrown.
 *
 * @param fetchText if absent, nothing is fetched.
 */
export function createSpecReader(files: SiteFiles, fetchText?: FetchText): SpecReader {
  const fetched = new Map<string, Awaited<ReturnType<FetchText>>>();
  const candidates = files.paths.filter(isSpecFile);
  let room = maxCharacters;

  const textAt = (source: string): string | undefined => {
    if (!isHttpAddress(source)) return files.has(source) ? files.readText(source) : undefined;
    const answer = fetched.get(source);
    return answer?.ok ? answer.text : undefined;
  };
  const parse = (source: string): ParsedText => {
    if (!isHttpAddress(source) && files.sizeOf(source) > maxSpecBytes) return { diagnostics: [specTooLarge(source)] };
    const text = textAt(source) ?? "";
    const parsed = parseSource({ source, text });
    const encoding = isHttpAddress(source) ? [] : invalidUtf8(files, source, text);
    return encoding.length === 0 ? parsed : { ...parsed, diagnostics: [...encoding, ...parsed.diagnostics] };
  };

  const whyMissing = (source: string): string | undefined => {
    if (!isHttpAddress(source)) return files.has(source) ? undefined : "the site has no such file";
    const answer = fetched.get(source);
    return answer?.ok ? undefined : (answer?.reason ?? `an export fetches at most ${maxFetched} specifications`);
  };
  const locationsOf = (source: string) => createLocations(source, () => textAt(source));
  /** @param places places of other files in the document. */
  const locationsIn = (source: string, places: Bundled["places"]) => {
    const locationOf = locationsOf(source);
    const others = places.map(([start, file]) => ({ start, locationOf: locationsOf(file) }));
    return (pointer: string, part?: "name"): Location => {
      const other = others.find(({ start }) => pointer === start || pointer.startsWith(`${start}/`));
      return other ? other.locationOf(`#${pointer.slice(other.start.length)}`, part) : locationOf(pointer, part);
    };
  };
  const withFiles = (source: string, document: Json): Bundled => {
    if (!mayNameFiles(textAt(source) ?? ""))
      return { document, places: [], files: [], diagnostics: [], leftOut: new Set() };
    return bundleFiles(source, document, (path) => {
      if (!files.has(path)) return undefined;
      // Other files are texts, since some writers put long texts into separate files.
      const content = isSpecFile(path) ? parse(path) : { value: files.readText(path), diagnostics: [] };
      return { ...content, length: files.sizeOf(path) };
    });
  };
  const withOverlays = (document: Json, overlays: readonly string[]) => {
    const diagnostics: Diagnostic[] = [];
    const missing: { overlay: string; reason: string }[] = [];
    let changed = document;
    for (const source of overlays) {
      const reason = whyMissing(source);
      if (reason !== undefined) {
        missing.push({ overlay: source, reason });
        continue;
      }
      const { value, diagnostics: faults } = parse(source);
      diagnostics.push(...faults);
      if (value === undefined) continue;
      const applied = applyOverlay(changed, { source, document: value, locationOf: locationsOf(source) });
      diagnostics.push(...applied.diagnostics);
      changed = applied.document;
    }
    return { document: changed, diagnostics, missing };
  };

  return {
    candidates,
    listObjects,
    findOverlays: lazy(() =>
      findOverlays(
        candidates.filter((path) => !isGraphql(path)),
        files,
        (source, text) => parseSpecText({ source, text }),
      ),
    ),
    async prefetch(urls, signal) {
      const queue = [...new Set(urls)].filter((url) => !fetched.has(url)).slice(0, maxFetched);
      const fetchOne = async (url: string): ReturnType<FetchText> => {
        if (!fetchText) return { ok: false, reason: "this export fetches nothing from the network" };
        const answer = await fetchText(url, signal);
        if (!answer.ok || answer.text.length <= room) return answer;
        return { ok: false, reason: "together with the earlier ones, it exceeds the size that an export fetches" };
      };
      const work = async (): Promise<void> => {
        for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
          const answer = await fetchOne(url);
          if (answer.ok) room -= answer.text.length;
          fetched.set(url, answer);
        }
      };
      await Promise.all(Array.from({ length: maxAtOnce }, work));
    },
    read(source, overlays, service) {
      const key = specKey(source, overlays, service);
      const failed = (diagnostics: readonly Diagnostic[], unavailable?: string): SpecReading => ({
        key,
        entries: [],
        tags: [],
        files: [],
        diagnostics,
        missing: [],
        unavailable,
        plan: () => undefined,
      });
      const reason = whyMissing(source);
      if (reason !== undefined) return failed([], reason);
      const { value, diagnostics: reading } = parse(source);
      const isRefused =
        value === undefined
          ? reading[0]?.code === "SPEC_SYNTAX"
          : specKinds.every(({ key }) => member(value, key) === undefined);
      const refused = isRefused && refusedFormat(source, textAt(source) ?? "");
      if (refused) return failed([refused]);
      if (value === undefined) return failed(reading);
      const overlaid = withOverlays(value, overlays);
      const moves: Moves = new Map();
      const bundled = withFiles(source, nameExtensions(overlaid.document, moves));
      const hasNames = [source, ...bundled.files].some((file) => mayNameSchemas(textAt(file) ?? ""));
      const isGraph = member(bundled.document, "graphql") === "schema";
      const locationOf = isGraph ? placesIn(source, bundled.document) : locationsIn(source, bundled.places);
      const placeOf = (pointer: string, part?: "name"): Location => locationOf(writtenPlace(pointer, moves), part);
      const cut = cutTexts(isGraph ? bundled.document : inlineReferences(bundled.document, moves), placeOf);
      const diagnostics = [...reading, ...overlaid.diagnostics, ...bundled.diagnostics, ...cut.diagnostics];
      const document = isGraph
        ? { ...(cut.document as JsonObject), ...(service && serviceMembers(service)) }
        : hasNames
          ? resolveAnchors(cut.document)
          : cut.document;
      const spec = createApiSpec(source, document, placeOf);
      if ("code" in spec) return failed([...diagnostics, spec]);
      const listed = listEntries(spec, key);
      const kind = kindOf(spec.format);
      const empty = kind.checkEmpty?.(spec, listed.entries) ?? [];
      return {
        key,
        spec,
        entries: listed.entries,
        tags: readTags(spec),
        files: [source, ...overlays, ...bundled.files].filter(files.has),
        diagnostics: [
          ...diagnostics,
          ...listed.diagnostics,
          // One error replaces many broken references.
          ...(empty.length > 0
            ? empty
            : [
                ...checkReferences(spec, listed.entries.length > 0, bundled.leftOut),
                ...(kind.check?.(spec, listed.entries) ?? []),
              ]),
        ],
        missing: overlaid.missing,
        plan: () => ({
          key,
          source,
          format: spec.format,
          ...(isQuick(source) && spec.format !== "graphql" && overlays.length === 0 && document === value
            ? {}
            : { json: JSON.stringify(spec.document) }),
          ...(bundled.files.length > 0 && { otherFiles: bundled.files }),
        }),
      };
    },
  };
}

function parseSource(file: SpecText): ParsedText {
  if (isGraphql(file.source)) return parseGraphql(file);
  const parsed = parseSpecText(file);
  return isIntrospection(parsed.value) ? parseGraphql(file) : parsed;
}

/** Locations in a GraphQL schema, whose parts contain them. A text has the location of its part. */
const placesIn =
  (source: string, document: Json) =>
  (pointer: string): Location => {
    const locate = (part: string): Location => placeAt(source, resolvePointer(document as JsonObject, part));
    const location = locate(pointer);
    return location.line === undefined ? locate(pointer.replace(/\/[^/]*$/, "")) : location;
  };

/** Whether threads can read the file again. YAML takes thirty times as long to read as JSON, so it is read only once. */
const isQuick = (source: string): boolean => /\.json$/i.test(source) && !isHttpAddress(source);

/**
 * Longest text of a member, in UTF-16 code units. Titles and summaries are in the sidebar of every page; the length of a
 * description is not limited.
 */
const limits = new Map([
  ["description", Number.POSITIVE_INFINITY],
  ["summary", maxSummaryLength],
  ["title", maxSummaryLength],
]);

/**
 * Cuts texts that are too long for a page, and leaves out members whose names are too long. Returns a document without such
 * texts and names unchanged.
 */
export function cutTexts(document: Json, locationOf: (pointer: string) => Location) {
  const faults: { readonly what: string; readonly pointer: string }[] = [];
  const path: string[] = [];
  const report = (what: string): void => void faults.push({ what, pointer: pointerTo(...path) });
  /** @param isExample whether the value is data of the API, in which a title is a value like any other. */
  const cut = (value: Json, limit: number, isExample: boolean): Json => {
    if (typeof value === "string") {
      if (value.length <= limit) return value;
      report(`This text has ${value.length} characters; only the first ${limit} are used.`);
      return `${value.slice(0, limit).toWellFormed()}…`;
    }
    if (!isContainer(value)) return value;
    if (isList(value)) return cutList(value, isExample);
    let changed: { [name: string]: Json } | undefined;
    for (const name in value) {
      if (name.length > maxNameLength) {
        report(`A name has ${name.length} characters; names of more than ${maxNameLength} are left out.`);
        changed ??= { ...value };
        delete changed[name];
        continue;
      }
      const child = value[name]!;
      if (typeof child === "string" ? child.length <= maxSummaryLength : !isContainer(child)) continue;
      path.push(name);
      const isInExample = isExample || isData(name);
      const shorter = cut(child, (isInExample ? undefined : limits.get(name)) ?? maxValueLength, isInExample);
      path.pop();
      if (shorter === child) continue;
      changed ??= { ...value };
      changed[name] = shorter;
    }
    return changed ?? value;
  };
  const cutList = (list: readonly Json[], isExample: boolean): readonly Json[] => {
    let changed: Json[] | undefined;
    list.forEach((item, i) => {
      if (typeof item !== "string" && !isContainer(item)) return;
      path.push(`${i}`);
      const shorter = cut(item, maxValueLength, isExample);
      path.pop();
      if (shorter === item) return;
      changed ??= [...list];
      changed[i] = shorter;
    });
    return changed ?? list;
  };
  const shortened = cut(document, maxValueLength, false);
  const describe = ({ what, pointer }: (typeof faults)[number]): Diagnostic => ({
    ...warningOf("SPEC_TEXT_TOO_LONG"),
    what,
    location: locationOf(pointer),
    fix: "write a shorter one, and move the rest to a page of the site.",
  });
  const source = faults.length === 0 ? "" : locationOf("#").sourcePath;
  const diagnostics = reportFirst(source, faults, describe, "texts and names that are cut");
  return { document: shortened, diagnostics };
}
