// One specification: exported, and compared with its source.

import type { ExportRun } from "../run-export.ts";
import { checkWorkflow, readWorkflows } from "./check-arazzo.ts";
import { checkChannel, readAsyncApi } from "./check-asyncapi.ts";
import { checkGraphQl } from "./check-graphql.ts";
import { checkOperation, type OperationCheck, placeOf } from "./check-operation.ts";
import { exportSpec } from "./export-spec.ts";
import type { SpecFile } from "./find-specs.ts";
import { openPages, type Pages } from "./pages.ts";
import { readOpenApi, textsOfWhole } from "./read-openapi.ts";
import { runSamples, type SampledOperation } from "./run-samples.ts";
import { createShapeReader } from "./schema-shape.ts";
import { openSource, type Source, textOf } from "./source-files.ts";
import type { SourceOperation, SourceText } from "./source-operation.ts";
import { type Counts, createCounts } from "./tally.ts";
import { createWalker } from "./walk-properties.ts";
import { blocksIn, wordsIn } from "./words.ts";
import type { WrittenPage } from "./written-page.ts";

export interface CheckOptions {
  /** Longest time for following properties; operations are taken from all parts of the specification. */
  readonly walkSeconds: number;
  readonly examplesOfKind: number;
  /** Operations whose samples are run; 0 for none. */
  readonly samples: number;
}

export interface SpecOptions extends CheckOptions {
  /** For the site and the bundle; emptied before. */
  readonly folder: string;
  readonly exportSeconds: number;
}

export interface SpecResult {
  readonly name: string;
  readonly dialect: string;
  readonly operations: number;
  /** Operations whose properties were followed. */
  readonly walked: number;
  readonly run: Omit<ExportRun, "site" | "bundle">;
  readonly pages: number;
  readonly heaviest: { readonly bytes: number; readonly elements: number; readonly page: string };
  readonly bytesOfPages: number;
  readonly counts: Counts;
}

export const limits = { pageBytes: 400_000, pageElements: 6_000, depth: 10, states: 200_000 };

/** Exports a specification and checks the pages. */
export async function checkSpec(spec: SpecFile, options: SpecOptions): Promise<SpecResult> {
  const { site: _, bundle, ...run } = await exportSpec(spec, options.folder, options.exportSeconds);
  const isThere = run.exitCode === 0;
  const checked = isThere ? await checkBundle(spec, bundle, options) : nothingChecked();
  const reason = run.isTimedOut ? `longer than ${options.exportSeconds} s` : run.lastLines;
  // A specification without operations has nothing to show, which the export must say.
  const isSaid = ["SPEC_EMPTY", "NAVIGATION_EMPTY"].some((code) => run.codes[code] !== undefined);
  const isEmpty = isSaid && subjectsOf(spec, openSource(spec.path)).length === 0;
  checked.counts.check("export", isThere || isEmpty, spec.name, () => `exit ${run.exitCode}: ${reason}`);
  // A specification of which nothing was compared is not complete.
  if (isThere)
    checked.counts.check("operations", checked.operations > 0 || isEmpty, spec.name, () => "none were found");
  return { name: spec.name, dialect: spec.dialect, run, ...checked };
}

type BundleResult = Omit<SpecResult, "name" | "dialect" | "run">;

const nothingChecked = (): BundleResult => ({
  counts: createCounts(1),
  operations: 0,
  walked: 0,
  pages: 0,
  heaviest: { bytes: 0, elements: 0, page: "" },
  bytesOfPages: 0,
});

/** Checks the pages of a bundle that is on disk. */
export async function checkBundle(spec: SpecFile, bundle: string, options: CheckOptions): Promise<BundleResult> {
  const counts = createCounts(options.examplesOfKind);
  const pages = openPages(bundle);
  const found = readEndpoints(pages);
  const checked = await checkDialect(spec, pages, found, counts, options);
  for (const { page, bytes } of found.sizes)
    counts.check("page above 400 kB", bytes <= limits.pageBytes, page, () => `${bytes} bytes`);
  const { heaviest } = found;
  counts.check(
    "elements of the heaviest page",
    heaviest.elements <= limits.pageElements,
    heaviest.page,
    () => `${heaviest.elements} elements`,
  );
  return {
    counts,
    ...checked,
    pages: pages.paths.length,
    heaviest,
    bytesOfPages: found.sizes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

interface Endpoints {
  /** Pages by their endpoint, with and without the method: "GET /things". */
  readonly pagesOf: ReadonlyMap<string, readonly string[]>;
  /** Pages without an endpoint by their title. */
  readonly titles: ReadonlyMap<string, readonly string[]>;
  readonly sizes: readonly { readonly page: string; readonly bytes: number }[];
  readonly heaviest: { bytes: number; elements: number; page: string };
  /** Pages without an endpoint, which have the texts about the whole. */
  readonly others: readonly string[];
}

function readEndpoints(pages: Pages): Endpoints {
  const pagesOf = new Map<string, string[]>();
  const sizes: { page: string; bytes: number }[] = [];
  const others: string[] = [];
  const titles = new Map<string, string[]>();
  let heaviest = { bytes: 0, elements: 0, page: "" };
  for (const path of pages.paths) {
    const page = pages.page(path)!;
    sizes.push({ page: path, bytes: page.bytes });
    if (page.elements > heaviest.elements) heaviest = { bytes: page.bytes, elements: page.elements, page: path };
    if (page.endpoint === undefined) {
      others.push(path);
      titles.set(page.title, [...(titles.get(page.title) ?? []), path]);
    } else
      for (const key of [endpointKey(page.method ?? "", page.endpoint), page.endpoint])
        pagesOf.set(key, [...(pagesOf.get(key) ?? []), path]);
    pages.forget(path);
  }
  return { pagesOf, titles, sizes, heaviest, others };
}

/** One page of the source: what identifies it, and its comparison. */
interface Subject {
  readonly key: string;
  readonly place: string;
  /** A channel has a page for each of its protocols. */
  readonly isAlone: boolean;
  /** Titles that its page may have, if its key does not tell it from others. */
  readonly titles?: readonly string[];
  readonly operation?: SourceOperation;
  check(page: WrittenPage, options: OperationCheck): void;
}

async function checkDialect(spec: SpecFile, pages: Pages, found: Endpoints, counts: Counts, options: CheckOptions) {
  if (spec.dialect === "graphql") {
    const operations = checkGraphQl(spec.path, graphPages(found, pages), pages, counts);
    return { operations, walked: operations };
  }
  const source = openSource(spec.path);
  const subjects = subjectsOf(spec, source);
  const walk = createWalker(source, createShapeReader(source), pages);
  checkTexts(textsOfWhole(source), found, pages, counts);
  const end = performance.now() + options.walkSeconds * 1_000;
  let walked = 0;
  const sampled: SampledOperation[] = [];
  for (const subject of spread(subjects)) {
    const all = found.pagesOf.get(subject.key) ?? found.titles.get(subject.key) ?? pagesBelowServer(found, subject.key);
    const titled = all.filter((path) => subject.titles?.some((title) => isTitle(pages.page(path)!.title, title)));
    const paths = titled.length > 0 ? titled : all;
    counts.check("page", paths.length > 0, subject.place, () => "no page");
    if (subject.isAlone) counts.check("page only once", paths.length <= 1, subject.place, () => paths.join(", "));
    const isWalked = performance.now() < end;
    if (isWalked) walked++;
    const walkLimits = isWalked ? { depth: limits.depth, states: limits.states } : undefined;
    for (const path of paths) {
      const { operation } = subject;
      const { samples } = pages.page(path)!;
      const isHttp = /https?:\/\//.test(samples.get("cURL") ?? "");
      const isRun = operation?.kind === "operation" && !operation.hasOwnSamples && isHttp;
      if (isRun && sampled.length < options.samples) sampled.push({ operation, page: path, samples });
      subject.check(pages.page(path)!, { source, pages, tally: counts, walk, limits: walkLimits });
      pages.forget(path);
    }
  }
  if (sampled.length > 0) await runSamples(sampled, source, counts);
  return { operations: subjects.length, walked };
}

const isTitle = (shown: string, written: string): boolean => written !== "" && wordsIn(shown) === wordsIn(written);

/** The pages of an address that follows the path of its server. */
const pagesBelowServer = ({ pagesOf }: Endpoints, address: string): readonly string[] =>
  [...pagesOf].find(([endpoint]) => endpoint.endsWith(`/${address}`))?.[1] ?? [];

function subjectsOf({ dialect }: SpecFile, source: Source): Subject[] {
  if (dialect === "asyncapi")
    return readAsyncApi(source).map((channel) => ({
      key: channel.address,
      place: channel.address,
      isAlone: false,
      titles: channel.titles,
      check: (page, options) => checkChannel(channel, page, options),
    }));
  if (dialect === "arazzo")
    return readWorkflows(source).map((workflow) => ({
      key: endpointKey("WORKFLOW", textOf(workflow["workflowId"])),
      place: textOf(workflow["workflowId"]),
      isAlone: true,
      check: (page, options) => checkWorkflow(workflow, page, options),
    }));
  return readOpenApi(source).map((operation) => ({
    key: endpointKey(operation.method, operation.path),
    place: placeOf(operation),
    operation,
    isAlone: true,
    check: (page, options) => checkOperation(operation, page, options),
  }));
}

/** Some write what tells operations apart after a number sign that no request can have; pages may show a question mark. */
const endpointKey = (method: string, path: string): string => `${method} ${path.trim().replaceAll("#", "?")}`;

function graphPages({ pagesOf, titles }: Endpoints, pages: Pages) {
  const first = (paths: readonly string[] | undefined) => (paths?.[0] === undefined ? undefined : pages.page(paths[0]));
  return {
    operation: (kind: string, name: string) => first(pagesOf.get(endpointKey(kind, name))),
    type: (name: string) => first(titles.get(name)),
  };
}

function checkTexts(texts: readonly SourceText[], { others }: Endpoints, pages: Pages, counts: Counts): void {
  const all = others.map((path) => pages.page(path)!.words);
  for (const { kind, place, text } of texts) {
    if (text === "") continue;
    const missing = blocksIn(text).find((block) => !all.some((words) => words.includes(block)));
    counts.check(kind, missing === undefined, place, () => missing!.trim().slice(0, 160));
  }
}

/** All items, in an order of which each beginning is spread over the whole. */
function spread<T>(items: readonly T[]): T[] {
  const step = 61;
  return Array.from({ length: step }, (_, first) => items.filter((_, i) => i % step === first)).flat();
}
