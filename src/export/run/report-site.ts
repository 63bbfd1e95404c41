import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RemoteFailure, RemoteFiles } from "../../bundle/remote/index.js";
import {
  compareDiagnostics,
  createCulpritFinder,
  type Diagnostic,
  type Location,
  positionFinder,
} from "../../lib/diagnostic/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { ExternalUse } from "../../page/render/index.js";
import type { SiteReport } from "../export-options.js";
import type { TrackedFiles } from "../store/source-files.js";
import type { BegunBundle } from "./begin-bundle.js";
import { outsideRequests, remoteFailures } from "./embed-remote.js";
import type { LoadedSite } from "./load-site.js";
import type { MadePages } from "./make-pages.js";
import type { ExportRun } from "./start-run.js";

type Report = Omit<SiteReport, "timings" | "pageMs" | "pagesMade">;

/** Of a folder that has no site, no configuration or no page. */
export const reportUnreadable = ({ files, diagnostics }: LoadedSite & { readonly files: TrackedFiles }): Report => ({
  siteName: "",
  pageCount: 0,
  diagnostics: tidyDiagnostics(diagnostics, files),
  external: [],
  ...inputsOf(files),
});

/** Puts together what the steps have found. */
export function reportSite(run: ExportRun, loaded: LoadedSite, bundle: BegunBundle, pages: MadePages): Report {
  const { site } = bundle;
  const { records } = pages;
  const allFailures = bundle.remote?.failures() ?? [];
  const leftOut = allFailures.filter(({ use }) => use.isOptional);
  const failures = allFailures.filter(({ use }) => !use.isOptional);
  const external = tidyExternal([
    ...bundle.external,
    ...records.flatMap((record) => record.external),
    ...failures.map(({ use }) => use),
  ]);
  return {
    siteName: site.config.name,
    pageCount: site.pages.length,
    diagnostics: tidyDiagnostics(
      [
        ...loaded.diagnostics,
        ...bundle.diagnostics,
        ...mergeSpecFaults(
          records.flatMap((record) => record.diagnostics),
          new Set(site.specs.map(({ source }) => source)),
          readerOf(bundle.siteFiles),
        ),
        ...pages.linkFaults,
        ...(bundle.remote?.diagnostics ?? []),
        ...remoteFailures(leftOut),
        ...(run.features.outsideRequests ? remoteFailures(failures) : outsideRequests(external, byUse(failures))),
      ],
      bundle.siteFiles,
    ),
    external,
    ...withoutUndefined({ remoteLock: bundle.remote?.lockText() }),
    ...inputsOf(
      bundle.siteFiles,
      records.flatMap((record) => record.inputs),
    ),
  };
}

function byUse(failures: ReturnType<RemoteFiles["failures"]>) {
  const found = new Map(failures.map(({ use, failure }) => [`${use.kind} ${use.url}`, failure]));
  return ({ kind, url }: ExternalUse): RemoteFailure | undefined => found.get(`${kind} ${url}`);
}

/** Sorted by location; a diagnostic that several pages report appears once. */
function tidyDiagnostics(diagnostics: readonly Diagnostic[], files: TrackedFiles): Diagnostic[] {
  const unique = new Map(diagnostics.map((each) => [JSON.stringify(each), each]));
  const point = createCulpritFinder(readerOf(files));
  return [...unique.values()].sort(compareDiagnostics).map(point).sort(compareDiagnostics);
}

/** Not through `files`, which record what the export depends on. */
const readerOf =
  (files: TrackedFiles) =>
  (path: string): string | undefined =>
    files.has(path) ? readFileSync(join(files.root, path), "utf8") : undefined;

function tidyExternal(uses: readonly ExternalUse[]): ExternalUse[] {
  const unique = new Map(uses.map((each) => [JSON.stringify(each), each]));
  return [...unique.keys()].sort().map((key) => unique.get(key)!);
}

function inputsOf(files: TrackedFiles, ofPages: readonly string[] = []): Pick<Report, "inputs" | "inputFolders"> {
  const read = new Set([...files.takeReads(), ...ofPages]);
  // Opening the folder reads this one.
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

/** Texts that precede the address of a link or an image, in Markdown, in HTML, and in HTML within JSON. */
const openings = ["(", "(<", '="', '=\\"', "='", "]: "];

/**
 * A fault in a description of an API is found on every page that shows the description. It becomes one fault, at the place in
 * the specification where its text is written, with the number of those pages. Other faults stay as they are.
 *
 * @param specs paths of the specifications.
 * @param readText returns a file of the site; undefined if it cannot be read.
 */
function mergeSpecFaults(
  diagnostics: readonly Diagnostic[],
  specs: ReadonlySet<string>,
  readText: (sourcePath: string) => string | undefined,
): Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  const others: Diagnostic[] = [];
  for (const each of diagnostics) {
    if (!specs.has(each.location?.sourcePath ?? "")) others.push(each);
    else {
      const key = JSON.stringify([each.code, each.what, each.fix, each.location!.sourcePath]);
      const group = groups.get(key);
      if (group) group.push(each);
      else groups.set(key, [each]);
    }
  }
  const placeIn = createPlacer(readText);
  const merged = [...groups.values()].map((group) => {
    const [first] = group as [Diagnostic];
    const count = new Set(group.map(({ location }) => `${location!.line}:${location!.column}`)).size;
    const what = count < 2 ? first.what : `${first.what} ${count} pages of the API show it.`;
    return { ...first, what, location: placeIn(first) };
  });
  return [...others, ...merged];
}

/** Finds the text that a fault quotes. */
function createPlacer(readText: (sourcePath: string) => string | undefined) {
  const files = new Map<string, { readonly text: string; readonly positionOf: ReturnType<typeof positionFinder> }>();
  const open = (path: string) => {
    const known = files.get(path);
    if (known) return known;
    const text = readText(path) ?? "";
    const file = { text, positionOf: positionFinder(text) };
    files.set(path, file);
    return file;
  };
  return ({ what, location }: Diagnostic): Location | undefined => {
    const name = /"([^"\n]+)"/.exec(what)?.[1];
    if (name === undefined || name.endsWith("…")) return location;
    const { text, positionOf } = open(location!.sourcePath);
    const places = openings.flatMap((opening) => {
      const at = text.indexOf(opening + name);
      return at < 0 ? [] : [at + opening.length];
    });
    if (places.length === 0) return location;
    return { sourcePath: location!.sourcePath, ...positionOf(Math.min(...places)), length: name.length };
  };
}
