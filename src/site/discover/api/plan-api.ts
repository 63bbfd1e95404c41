import type { Diagnostic, Location } from "../../../lib/diagnostic/index.js";
import { member, pathOf } from "../../../lib/json/index.js";
import { languageTag, messagesFor } from "../../../lib/language/index.js";
import { lazy } from "../../../lib/memo.js";
import { isHttpAddress } from "../../../lib/url/index.js";
import { type SpecFormat, specFormats } from "../../api-spec.js";
import { readPartRestriction } from "../../audience.js";
import type { Navigation, NavPage, SiteConfig, SpecRef } from "../../config/index.js";
import type { Frontmatter, Site } from "../../site.js";
import type { SiteFiles } from "../../source/index.js";
import type { ApiTarget, SpecEntry, SpecPlan, SpecReader } from "../../specs/index.js";
import { stemOf, urlPathOf } from "../output-paths.js";
import { locationOfValue } from "../page-facts.js";
import type { PageLookup } from "../resolve-page-refs.js";
import { type ExpansionTools, expandNavigation } from "./expand-navigation.js";
import { fillFrom, objectsOf, overviewsOf } from "./fill-container.js";
import { createFinder, type Described, labelOf, noScope, type SpecScope } from "./find-described.js";
import { folderOfPages } from "./generated-addresses.js";
import { createGeneratedPages, type DescribedFacts, describedFacts, type GeneratedPage } from "./generated-pages.js";
import {
  configuredSpecs,
  findMentioned,
  formatOf,
  listsPartsOfApi,
  type Mention,
  mentionIn,
  specAddresses,
  workflowRefs,
} from "./named-specs.js";
import { parseEndpoint, parseNamed } from "./parse-reference.js";
import { type CatalogSpec, createSpecCatalog, type SpecCatalog, specNotFound } from "./spec-catalog.js";

export interface ApiPlanInput {
  readonly config: SiteConfig;
  readonly files: SiteFiles;
  readonly openSpecs: () => Promise<SpecReader>;
  readonly lookup: PageLookup;
  /** By source path, for every file that may be a page. */
  readonly frontmatters: ReadonlyMap<string, Frontmatter>;
  readonly signal?: AbortSignal;
  /** False for files that are pages only where the navigation lists them. */
  readonly isPage: (sourcePath: string) => boolean;
}

export interface ApiPlan {
  /** The navigation, with an entry for every generated page. */
  readonly navigation: Navigation;
  /** The page of an entry that is not a path: the id of a generated page, or a page file. */
  readonly entries: ReadonlyMap<NavPage, string>;
  /** By id. */
  readonly generated: ReadonlyMap<string, GeneratedPage>;
  /** The targets of page files, by source path. */
  readonly targets: ReadonlyMap<string, PageTarget>;
  /** Specifications from which pages are generated. */
  readonly specs: readonly (readonly [CatalogSpec, SpecPlan])[];
  /** Sources of specifications that could not be read. */
  readonly unread: ReadonlySet<string>;
  /** See `Site`. */
  readonly unreadFolders: NonNullable<Site["unreadFolders"]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The part of an API that a page file documents. */
export type PageTarget = Pick<GeneratedPage, "api" | "unavailable"> & { readonly described?: DescribedFacts };

/**
 * Plans all pages about API specifications: page files with `openapi`, `openapi-schema`, `asyncapi`, `graphql` or `arazzo`
 * in their front matter, entries of the navigation such as `METHOD /path`, and pages of containers that name a
 * specification. A specification is read only if one of these needs it.
 */
export async function planApi(input: ApiPlanInput): Promise<ApiPlan> {
  const { config, files, lookup, frontmatters } = input;
  const mentions = new Map<string, Mention>();
  for (const [sourcePath, frontmatter] of frontmatters) {
    const mention = mentionIn(frontmatter);
    if (mention) mentions.set(sourcePath, mention);
  }
  const configured = configuredSpecs(config);
  if (configured.length === 0 && mentions.size === 0 && !listsPartsOfApi(config.navigation)) return withoutApi(config);
  const reader = await input.openSpecs();
  await reader.prefetch(specAddresses(configured, mentions.values(), config.navigation), input.signal);
  const catalog = createSpecCatalog(reader, files, configured);
  const diagnostics: Diagnostic[] = [];
  const report = (fault: Diagnostic): void => void diagnostics.push(fault);
  const finder = createFinder(catalog, config.api, report);

  const formatAt = (ref: string): SpecFormat | undefined => {
    const format = formatOf(ref);
    return format === "asyncapi" && catalog.hasWorkflows(parseNamed(ref).spec!) ? "arazzo" : format;
  };
  const fileOf = (page: NavPage): string | undefined => (isHttpAddress(page.ref) ? undefined : lookup.find(page.ref));
  const expand = (tools: Omit<ExpansionTools, "describes">): Navigation => {
    const describes = (page: NavPage): SpecFormat | undefined => {
      const file = fileOf(page);
      return file === undefined ? formatAt(page.ref) : mentions.get(file)?.format;
    };
    return expandNavigation(config.navigation, { ...tools, describes }, { sourcePath: config.sourcePath });
  };

  // Plan page files first, since they take precedence over generated pages.
  const scopes = new Map<string, SpecScope>();
  const noteScope = (page: NavPage, scope: SpecScope): void => {
    const file = fileOf(page);
    if (file !== undefined && !scopes.has(file)) scopes.set(file, scope);
  };
  const addNothing = (): readonly [] => [];
  if (mentions.size > 0)
    expand({ onPage: noteScope, fill: addNothing, addOverviews: addNothing, addObjects: addNothing });
  const targets = new Map<string, PageTarget>();
  const workflowDocuments = new Set<CatalogSpec>();
  /** Entries that the navigation lists by hand. */
  const named = new Set<SpecEntry>();
  for (const [sourcePath, mention] of mentions) {
    if (!scopes.has(sourcePath) && !input.isPage(sourcePath)) continue;
    const locationOf = (): Location => locationOfValue(sourcePath, files.readText(sourcePath), mention.key);
    const found = findMentioned(sourcePath, mention, scopes.get(sourcePath) ?? noScope, finder, locationOf);
    if (!found) continue;
    if ("unavailable" in found) {
      targets.set(sourcePath, found);
      continue;
    }
    const { entry, target, spec } = found;
    if (entry && scopes.has(sourcePath)) named.add(entry);
    if (target.kind === "workflow") workflowDocuments.add(spec);
    targets.set(sourcePath, { api: target, described: { ...factsOf(found), hidden: false } });
  }

  const filesAbout = lookupByTarget(targets);
  const entries = new Map<NavPage, string>();
  const pages = createGeneratedPages(fileAt(frontmatters, targets), (page, address, urlPath, by) =>
    report(addressTaken(page.spec.source, labelOf(page.entry), address, urlPath, by)),
  );
  const addEntry = (page: NavPage, scope: SpecScope): void => {
    const format = fileOf(page) === undefined ? formatAt(page.ref) : undefined;
    if (format === undefined) return;
    const from = { says: "The navigation lists", folder: "", location: page.location, scope };
    const found = finder[finders[format]](page.ref, from);
    if (!found) return;
    const directoryOf = (source: string): string | undefined =>
      [...scope[format], ...config.api[format], ...configured].find((ref) => ref.source === source)?.directory;
    if ("unavailable" in found) {
      const { unavailable } = found;
      entries.set(page, pages.placeholderOf(unavailable, withoutSpec(page.ref), directoryOf(unavailable)));
    } else if (found.entry?.excluded) report(excluded(page, found.spec.source));
    else if (found.entry) {
      if (format === "arazzo") workflowDocuments.add(found.spec);
      const id = pages.pageOf(found.spec, found.entry, directoryOf(found.spec.source), true);
      entries.set(page, id);
      named.add(found.entry);
      const other = filesAbout(found.target).find((file) => isForSameReaders(scopes.get(file), scope));
      if (other !== undefined && other !== id) report(describedTwice(page, other));
    }
  };
  const fileAbout = (api: ApiTarget) => {
    const path = api.kind === "model" ? pathOf(api.pointer) : [];
    const schema = path.length === 3 ? ({ kind: "schema", spec: api.spec, name: path[2]! } as const) : undefined;
    const id = schema && filesAbout(schema)[0];
    return id === undefined ? undefined : { id, isListed: scopes.has(id) };
  };
  const isNamed = (entry: SpecEntry): boolean => named.has(entry);
  const filling =
    (fill: typeof fillFrom): ExpansionTools["fill"] =>
    (refs, format, location, label, language) =>
      fill({
        ...{ refs, format, location, label, catalog, pages, entries, fileAbout, isNamed },
        messages: messagesFor(languageTag(language)),
      });
  const navigation = expand({
    onPage: addEntry,
    fill: filling(fillFrom),
    addOverviews: filling(overviewsOf),
    addObjects: filling(objectsOf),
  });
  // Only a warning: no page needs these specifications, but the author may expect their pages.
  const unneeded = configured
    .filter(({ source }) => !isHttpAddress(source) && !files.has(source) && !catalog.unread.has(source))
    .map((ref) => ({
      ...specNotFound(ref.source, catalog.nearest(ref.source), ref.location),
      severity: "warning" as const,
    }));
  const workflowFaults = await checkWorkflows(input, workflowDocuments, catalog, reader);
  const specs = catalog.used();
  const shown = new Set(specs.map(([{ source }]) => source));
  const unshown = specFormats.flatMap((format) =>
    config.api[format]
      .filter(({ source }) => !shown.has(source) && !catalog.unread.has(source) && files.has(source))
      .map((ref) => unusedSpec(ref, format)),
  );
  return {
    navigation,
    entries,
    generated: pages.all(),
    targets,
    specs,
    unread: catalog.unread,
    unreadFolders: configured
      .filter(({ source }) => catalog.unread.has(source))
      .map(({ source, directory }) => [folderOfPages(source, directory), source]),
    diagnostics: [...catalog.diagnostics, ...unneeded, ...unshown, ...workflowFaults, ...diagnostics],
  };
}

/**
 * Checks workflows. Loads the module for that only if the site has some.
 *
 * @param named the documents whose workflows a page or the navigation names.
 */
async function checkWorkflows(
  { config, signal }: ApiPlanInput,
  named: ReadonlySet<CatalogSpec>,
  catalog: SpecCatalog,
  reader: SpecReader,
): Promise<readonly Diagnostic[]> {
  const refs = workflowRefs(config.navigation);
  if (refs.length === 0 && named.size === 0) return [];
  const { linkWorkflows } = await import("./link-workflows.js");
  const documents = new Set(named);
  for (const ref of refs) {
    const found = catalog.open(ref, "arazzo");
    if (found) documents.add(found);
  }
  return linkWorkflows(documents, catalog, reader, signal);
}

const withoutApi = ({ navigation }: SiteConfig): ApiPlan => ({
  navigation,
  entries: new Map(),
  generated: new Map(),
  targets: new Map(),
  specs: [],
  unread: new Set(),
  unreadFolders: [],
  diagnostics: [],
});

const finders = { openapi: "endpoint", asyncapi: "channel", graphql: "graph", arazzo: "workflow" } as const;

function lookupByTarget(targets: ApiPlan["targets"]): (target: ApiTarget) => readonly string[] {
  const files = Map.groupBy(targets.keys(), (file) => JSON.stringify(targets.get(file)?.api));
  return (target) => files.get(JSON.stringify(target)) ?? [];
}

/** Whether a page file and an entry are in the same language, version and product. */
const isForSameReaders = (file: SpecScope | undefined, entry: SpecScope): boolean =>
  (file?.within ?? []).join() === entry.within.join();

function factsOf({ entry, target, spec }: Described): Omit<DescribedFacts, "hidden"> {
  if (entry) return describedFacts(entry);
  if (target.kind !== "schema") return { deprecated: false };
  const schema = member(member(spec.spec.document["components"], "schemas"), target.name);
  const restriction = readPartRestriction(member(member(schema, "x-mint"), "groups"));
  return { title: target.name, deprecated: false, ...(restriction && { restrictions: [restriction] }) };
}

/** Finds the page file at an address, ignoring case, as many file systems do. */
function fileAt(frontmatters: ReadonlyMap<string, Frontmatter>, targets: ApiPlan["targets"]) {
  const files = lazy(() => new Map(Array.from(frontmatters.keys(), (path) => [urlPathOf(path).toLowerCase(), path])));
  return (urlPath: string) => {
    const sourcePath = files().get(urlPath.toLowerCase());
    return sourcePath === undefined ? undefined : { sourcePath, about: targets.get(sourcePath)?.api };
  };
}

/** Removes the specification: `https://x.y/api.json GET /z` -> `GET /z`. */
function withoutSpec(written: string): string {
  const endpoint = parseEndpoint(written);
  return endpoint ? `${endpoint.method.toUpperCase()} ${endpoint.name}` : parseNamed(written).rest;
}

function unusedSpec({ source, location }: SpecRef, format: SpecFormat): Diagnostic {
  const what = `${source} gets no pages: neither the navigation nor the front matter of a page refers to it.`;
  const fix = `write "${format}": "${source}" into a group or tab of the navigation.`;
  return { code: "SPEC_UNUSED", severity: "hint", what, location, fix };
}

function describedTwice({ ref, location }: NavPage, file: string): Diagnostic {
  const what = `The navigation lists "${ref}", which ${file} also documents, so there are two pages about it.`;
  const fix = `remove the entry, or list "${stemOf(file)}" instead.`;
  return { code: "OPERATION_TWICE", severity: "warning", what, location, fix };
}

function excluded({ ref, location }: NavPage, source: string): Diagnostic {
  const what = `The navigation lists "${ref}", but ${source} excludes it with "x-excluded", so it has no page.`;
  const fix = 'remove the entry, or "x-excluded" in the specification.';
  return { code: "OPERATION_EXCLUDED", severity: "warning", what, location, fix };
}

function addressTaken(source: string, label: string, address: string, urlPath: string, by: string): Diagnostic {
  const what = `The page of ${label} (${source}) would have the URL ${address}, which belongs to ${by}, so its URL is ${urlPath} instead.`;
  const fix = `rename one of the two: the file, or the page with "x-mint": { "href": "..." } in the specification.`;
  return { code: "PATH_TAKEN", severity: "warning", what, location: { sourcePath: by }, fix };
}
