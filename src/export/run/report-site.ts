import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RemoteFailure } from "../../bundle/remote/index.js";
import {
  type Diagnostic,
  intoSite,
  type Location,
  placedFaults,
  positionFinder,
  quoted,
  warningOf,
} from "../../lib/diagnostic/index.js";
import type { ExternalUse } from "../../page/render/index.js";
import type { SiteReport } from "../export-options.js";
import type { TrackedFiles } from "../store/source-files.js";
import type { BegunBundle } from "./begin-bundle.js";
import type { MadePages } from "./make-pages.js";
import type { Settings } from "./open-run.js";
import type { LoadedSite } from "./read-site.js";
import type { RepairedPages } from "./write-outputs.js";

type Report = Omit<SiteReport, "timings" | "pageMs" | "pagesMade" | "threads">;

/** Reports on a folder that has no site, no configuration or no page. */
export const reportUnreadable = ({ files, diagnostics }: LoadedSite & { readonly files: TrackedFiles }): Report => ({
  siteName: "",
  pageCount: 0,
  diagnostics: joined(placedFaults(diagnostics, readerOf(files))),
  external: [],
  ...inputsOf(files),
});

/** Joins the diagnostics and inputs of all steps into the report. */
export function reportSite(
  { features }: Settings,
  loaded: LoadedSite,
  bundle: BegunBundle,
  { records, linkFaults }: RepairedPages,
  questions?: MadePages["questions"],
): Report {
  const { site, siteFiles, remote } = bundle;
  const allFailures = remote?.failures() ?? [];
  const leftOut = allFailures.filter(({ use }) => use.isOptional);
  const failures = allFailures.filter(({ use }) => !use.isOptional);
  const external = sortedUses([
    ...bundle.external,
    ...records.flatMap((record) => record.external.filter((use) => !use.isOptional)),
    ...failures.map(({ use }) => use),
  ]);
  const pageFaults = records.flatMap((record) => record.diagnostics);
  const specs = new Map(site.specs.map(({ source, otherFiles = [] }) => [source, otherFiles]));
  const faults = [
    ...loaded.diagnostics,
    ...bundle.diagnostics,
    ...mergeSpecFaults([...pageFaults, ...linkFaults], specs, readerOf(siteFiles)),
    ...(remote?.diagnostics ?? []),
    ...(questions?.diagnostics() ?? []),
    ...leftOut.map(notEmbedded),
    ...(features.outsideRequests ? failures.map(notEmbedded) : outsideRequests(external, failures)),
  ];
  const remoteLock = remote?.lockText();
  return {
    siteName: site.config.name,
    pageCount: site.pages.length,
    diagnostics: joined(placedFaults(faults, readerOf(siteFiles))),
    external,
    ...(remoteLock !== undefined && { remoteLock }),
    ...(questions && { questions: questions.usage() }),
    ...inputsOf(
      siteFiles,
      records.flatMap((record) => record.inputs),
    ),
  };
}

/** One diagnostic for all that have the same code and cause, with the edits of all. */
function joined(sorted: readonly Diagnostic[]): Diagnostic[] {
  const groups = Map.groupBy(sorted, (fault) => (fault.cause === undefined ? fault : `${fault.code} ${fault.cause}`));
  return [...groups.values()].map(([first, ...others]) => {
    const { cause: _, ...shown } = first!;
    if (others.length === 0) return shown;
    const edits = [first!, ...others].flatMap((fault) => fault.edits ?? []);
    const what = `${shown.what} ${others.length} other ${others.length === 1 ? "place has" : "places have"} the same cause.`;
    return { ...shown, what, ...(edits.length > 0 && { edits }) };
  });
}

function sortedUses(uses: readonly ExternalUse[]): ExternalUse[] {
  const unique = new Map(uses.map((use) => [JSON.stringify(use), use]));
  return [...unique.keys()].sort().map((key) => unique.get(key)!);
}

/** Reads a file from disk, not through `files`, which record what the export depends on. */
const readerOf =
  (files: TrackedFiles) =>
  (path: string): string | undefined =>
    files.has(path) ? readFileSync(join(files.root, path), "utf8") : undefined;

function inputsOf(files: TrackedFiles, ofPages: readonly string[] = []): Pick<Report, "inputs" | "inputFolders"> {
  const read = new Set([...files.takeReads(), ...ofPages]);
  // Opening the folder reads this file.
  if (existsSync(join(files.root, ".mintignore"))) read.add(".mintignore");
  const folders = new Set(["."]);
  for (const path of files.paths)
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  const absolute = (paths: ReadonlySet<string>) => [...paths].map((path) => join(files.root, path)).sort();
  return { inputs: absolute(read), inputFolders: absolute(folders) };
}

interface EmbedFailure {
  readonly use: ExternalUse;
  readonly failure: RemoteFailure;
}

const notEmbedded = ({ use, failure: { code, reason, fix } }: EmbedFailure): Diagnostic => ({
  ...warningOf(code),
  what: `${kindNames[use.kind]} ${quoted(use.url, 200)} is not embedded, because ${reason}; ${use.isOptional ? "it is left out" : "readers load it from its host"}.`,
  location: use.location,
  fix,
});

/**
 * Reports what an air-gapped reader cannot load: everything that the site's own content loads from another host. Inline
 * scripts and the site's own scripts are in `external`, but are not requests.
 */
function outsideRequests(external: readonly ExternalUse[], failures: readonly EmbedFailure[]): Diagnostic[] {
  const keyOf = ({ kind, url }: ExternalUse): string => `${kind} ${url}`;
  const reasons = new Map(failures.map(({ use, failure }) => [keyOf(use), failure]));
  return external
    .filter(({ url }) => /^(?:https?:)?\/\//i.test(url))
    .map((use) => {
      const { kind, url, location } = use;
      const failure = reasons.get(keyOf(use));
      const tried = failure ? ` It is not embedded, because ${failure.reason}.` : "";
      const what = `${kindNames[kind]} ${quoted(url, 200)} comes from another host, which readers in an air-gapped network cannot reach.${tried}`;
      const fix = failure?.fix ?? fixes[kind] ?? intoSite(url);
      return { code: "OUTSIDE_REQUEST", severity: "error", what, location, fix };
    });
}

const fixes: Readonly<Partial<Record<ExternalUse["kind"], string>>> = {
  embed: "link to it, or add an image or a video of it to the site.",
};
/** At the beginning of a sentence. */
const kindNames: Readonly<Record<ExternalUse["kind"], string>> = {
  image: "The image",
  media: "The video or audio file",
  embed: "The embedded page",
  script: "The script",
  style: "The style sheet or font",
};

/**
 * A fault in a description of an API is found on every page that shows the description. Merges these into one fault, at the
 * place in the specification where its text is written, with the number of those pages. Other faults stay as they are.
 *
 * @param specs paths of the specifications, and of the other files of each
 * @param readText returns a file of the site; undefined if it cannot be read
 */
function mergeSpecFaults(
  faults: readonly Diagnostic[],
  specs: ReadonlyMap<string, readonly string[]>,
  readText: (sourcePath: string) => string | undefined,
): Diagnostic[] {
  const isInSpec = ({ location }: Diagnostic): boolean => specs.has(location?.sourcePath ?? "");
  const groups = Map.groupBy(faults.filter(isInSpec), ({ code, what, fix, location }) =>
    // Each page that shows the description reports the missing anchor, with its own address in the text.
    JSON.stringify([code, ...(code === "ANCHOR_NOT_FOUND" ? [quoteIn(what)] : [what, fix]), location!.sourcePath]),
  );
  const locate = createQuoteFinder(
    [...groups.values()].map(([first]) => first!),
    specs,
    readText,
  );
  const merged = [...groups.values()].map((group) => {
    const [first] = group as [Diagnostic];
    const count = new Set(group.map(({ location }) => `${location!.line}:${location!.column}`)).size;
    const what = count < 2 ? first.what : `${first.what} This affects ${count} API pages.`;
    return { ...first, what, location: locate(first) };
  });
  return [...faults.filter((fault) => !isInSpec(fault)), ...merged];
}

/** What precedes the address of a link or an image, in Markdown, in HTML, and in HTML within JSON. */
const opening = /\(<?|=\\?"|='|\]: /g;

const quoteIn = (what: string): string | undefined => /"([^"\n]+)"/.exec(what)?.[1];

/** The address that a fault quotes; undefined if it is cut. */
function quoteOf({ what }: Diagnostic): string | undefined {
  const quote = quoteIn(what);
  return quote?.endsWith("…") ? undefined : quote;
}

/** Finds the addresses that faults quote: in one pass over each specification, then over its other files for those left. */
function createQuoteFinder(
  faults: readonly Diagnostic[],
  specs: ReadonlyMap<string, readonly string[]>,
  readText: (sourcePath: string) => string | undefined,
) {
  const locations = new Map<string, Location>();
  for (const [spec, specFaults] of Map.groupBy(faults, ({ location }) => location!.sourcePath)) {
    const left = new Set(specFaults.map(quoteOf).filter((quote) => quote !== undefined));
    for (const sourcePath of [spec, ...(specs.get(spec) ?? [])]) {
      if (left.size === 0) break;
      const text = readText(sourcePath) ?? "";
      const positionOf = positionFinder(text);
      for (const [quote, at] of placesOf(left, text)) {
        locations.set(`${spec} ${quote}`, { sourcePath, ...positionOf(at), length: quote.length });
        left.delete(quote);
      }
    }
  }
  return (fault: Diagnostic): Location | undefined =>
    locations.get(`${fault.location!.sourcePath} ${quoteOf(fault)}`) ?? fault.location;
}

/** The offset at which each of these texts first follows an opening. */
function placesOf(quotes: ReadonlySet<string>, text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  if (quotes.size === 0) return places;
  const startLength = Math.min(...[...quotes].map((quote) => quote.length));
  const byStart = Map.groupBy(quotes, (quote) => quote.slice(0, startLength));
  const find = (at: number): void => {
    for (const quote of byStart.get(text.slice(at, at + startLength)) ?? [])
      if (!places.has(quote) && text.startsWith(quote, at)) places.set(quote, at);
  };
  for (const { 0: mark, index } of text.matchAll(opening)) {
    if (mark === "(<") find(index + 1);
    find(index + mark.length);
    if (places.size === quotes.size) break;
  }
  return places;
}
