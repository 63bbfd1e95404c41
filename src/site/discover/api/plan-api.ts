import type { Diagnostic, Location } from "../../../lib/diagnostic/index.js";
import { member } from "../../../lib/json/index.js";
import { languageTag, messagesFor } from "../../../lib/language/index.js";
import { isHttpAddress } from "../../../lib/url/index.js";
import { readPartRestriction } from "../../audience.js";
import type { Navigation, NavPage, SiteConfig } from "../../config/index.js";
import type { Frontmatter } from "../../site.js";
import type { SiteFiles } from "../../source/index.js";
import type { ApiTarget, SpecPlan, SpecReader } from "../../specs/index.js";
import { stemOf, urlPathOf } from "../output-paths.js";
import { locationOfKey } from "../page-facts.js";
import type { PageLookup } from "../page-lookup.js";
import { type ExpansionTools, expandNavigation } from "./expand-navigation.js";
import { fillFrom, overviewsOf } from "./fill-container.js";
import { createFinder, type Described, labelOf, type SpecScope } from "./find-described.js";
import { createGeneratedPages, type DescribedFacts, describedFacts, type GeneratedPage } from "./generated-pages.js";
import {
  addressesIn,
  configuredSpecs,
  describedBy,
  formatOf,
  listsOfApi,
  type Mention,
  mentionOf,
  workflowRefs,
} from "./named-specs.js";
import { parseEndpoint, parseNamed } from "./parse-reference.js";
import { type CatalogSpec, createSpecCatalog, type SpecCatalog, type SpecFormat } from "./spec-catalog.js";

export interface ApiPlanInput {
  readonly config: SiteConfig;
  readonly files: SiteFiles;
  readonly openSpecs: () => Promise<SpecReader>;
  /** Finds page files. */
  readonly lookup: PageLookup;
  /** By source path, for every file that may be a page. */
  readonly frontmatters: ReadonlyMap<string, Frontmatter>;
  readonly signal?: AbortSignal;
  /** False for files that are pages only where the navigation lists them. */
  readonly isPage: (sourcePath: string) => boolean;
}

export interface ApiPlan {
  /** With an entry for every generated page. */
  readonly navigation: Navigation;
  /** The page of an entry that is not a path: the id of a generated page, or a page file. */
  readonly entries: ReadonlyMap<NavPage, string>;
  /** By id. */
  readonly generated: ReadonlyMap<string, GeneratedPage>;
  /** What page files document, by source path. */
  readonly targets: ReadonlyMap<string, PageTarget>;
  /** Specifications that pages are generated from. */
  readonly specs: readonly (readonly [CatalogSpec, SpecPlan])[];
  /** Sources of specifications that could not be read. */
  readonly unread: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a page file documents. */
export type PageTarget = Pick<GeneratedPage, "api" | "unavailable"> & { readonly described?: DescribedFacts };

/**
 * Plans everything that comes from API specifications: the targets of pages with `openapi`, `openapi-schema`, `asyncapi`,
 * `graphql` or `arazzo` in their front matter, pages that the navigation lists as `METHOD /path` and the like, and pages of
 * containers that name a specification. A specification is read only if one of these needs it.
 */
export async function planApi(input: ApiPlanInput): Promise<ApiPlan> {
  const { config, files, lookup, frontmatters } = input;
  const diagnostics: Diagnostic[] = [];
  const report = (fault: Diagnostic): void => void diagnostics.push(fault);
  const mentions = new Map<string, Mention>();
  for (const [sourcePath, frontmatter] of frontmatters) {
    const mention = mentionOf(frontmatter);
    if (mention) mentions.set(sourcePath, mention);
  }
  const configured = configuredSpecs(config);
  if (configured.length === 0 && mentions.size === 0 && !listsOfApi(config.navigation)) return withoutApi(config);
  const reader = await input.openSpecs();
  await reader.prefetch(addressesIn(configured, mentions.values(), config.navigation), input.signal);
  const catalog = createSpecCatalog(reader, files, configured);
  const finder = createFinder(catalog, config.api, report);

  // Page files first, since they come before generated pages.
  const scopes = new Map<string, SpecScope>();
  const formatAt = (ref: string): SpecFormat | undefined => {
    const format = formatOf(ref);
    return format === "asyncapi" && catalog.hasWorkflows(parseNamed(ref).spec!) ? "arazzo" : format;
  };
  const fileOf = (page: NavPage): string | undefined => (isHttpAddress(page.ref) ? undefined : lookup.find(page.ref));
  const tools = {
    describes: (page: NavPage): SpecFormat | undefined => {
      const file = fileOf(page);
      return file === undefined ? formatAt(page.ref) : mentions.get(file)?.format;
    },
    onPage: () => {},
    fill: () => [],
    introduce: () => [],
  };
  const docs: Location = { sourcePath: config.sourcePath };
  if (mentions.size > 0)
    expandNavigation(
      config.navigation,
      {
        ...tools,
        onPage: (page, scope) => {
          const file = fileOf(page);
          if (file !== undefined && !scopes.has(file)) scopes.set(file, scope);
        },
      },
      docs,
    );
  const targets = new Map<string, PageTarget>();
  const flows = new Set<CatalogSpec>();
  for (const [sourcePath, mention] of mentions) {
    if (!scopes.has(sourcePath) && !input.isPage(sourcePath)) continue;
    const locationOf = (): Location => locationOfKey(sourcePath, files.readText(sourcePath), mention.key);
    const found = describedBy(sourcePath, mention, scopes.get(sourcePath) ?? noScope, finder, locationOf);
    if (!found) continue;
    const isThere = "target" in found;
    if (isThere && found.target.kind === "workflow") flows.add(found.spec);
    targets.set(sourcePath, isThere ? { api: found.target, described: { ...factsOf(found), hidden: false } } : found);
  }

  const filesAbout = lookupByTarget(targets);

  const entries = new Map<NavPage, string>();
  const pages = createGeneratedPages(fileAt(frontmatters, targets), (page, wanted, urlPath, by) =>
    report(addressTaken(page.spec.source, labelOf(page.entry), wanted, urlPath, by)),
  );
  const entriesBy =
    (make: typeof fillFrom): ExpansionTools["fill"] =>
    (refs, format, location, label, language) =>
      make({ refs, format, location, label, messages: messagesFor(languageTag(language)), catalog, pages, entries });
  const navigation = expandNavigation(
    config.navigation,
    {
      describes: tools.describes,
      onPage: (page, scope) => {
        const format = fileOf(page) === undefined ? formatAt(page.ref) : undefined;
        if (format === undefined) return;
        const from = { says: "The navigation lists", folder: "", location: page.location, scope };
        const found = finder[finders[format]](page.ref, from);
        if (!found) return;
        const directoryOf = (source: string): string | undefined =>
          [...scope[format], ...config.api[format], ...configured].find((each) => each.source === source)?.directory;
        if ("unavailable" in found) {
          const { unavailable } = found;
          entries.set(page, pages.placeholderOf(unavailable, withoutSpec(page.ref), directoryOf(unavailable)));
        } else if (found.entry?.excluded) report(excluded(page, found.spec.source));
        else if (found.entry) {
          if (format === "arazzo") flows.add(found.spec);
          const id = pages.pageOf(found.spec, found.entry, directoryOf(found.spec.source), true);
          entries.set(page, id);
          const twin = filesAbout(found.target).find((file) => isBeside(scopes.get(file), scope));
          if (twin !== undefined && twin !== id) report(describedTwice(page, twin));
        }
      },
      fill: entriesBy(fillFrom),
      introduce: entriesBy(overviewsOf),
    },
    docs,
  );
  const workflows = await checkedWorkflows(input, flows, catalog, reader);
  const generated = pages.all();
  return {
    navigation,
    entries,
    generated,
    targets,
    specs: catalog.used(),
    unread: catalog.unread,
    diagnostics: [...catalog.diagnostics, ...workflows, ...diagnostics],
  };
}

/**
 * Loads what reads workflows only for a site that has some.
 *
 * @param named the documents whose workflows pages or the navigation name.
 */
async function checkedWorkflows(
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

/** The plan of a site without an API. */
const withoutApi = ({ navigation }: SiteConfig): ApiPlan => ({
  navigation,
  entries: new Map(),
  generated: new Map(),
  targets: new Map(),
  specs: [],
  unread: new Set(),
  diagnostics: [],
});

const finders = { openapi: "endpoint", asyncapi: "channel", graphql: "graph", arazzo: "workflow" } as const;
const noScope: SpecScope = { within: [], openapi: [], asyncapi: [], graphql: [], arazzo: [] };

/** Finds the page files about a target. */
function lookupByTarget(targets: ApiPlan["targets"]): (target: ApiTarget) => readonly string[] {
  const keyOf = (target: ApiTarget | undefined): string => JSON.stringify(target);
  const files = Map.groupBy(targets.keys(), (file) => keyOf(targets.get(file)?.api));
  return (target) => files.get(keyOf(target)) ?? [];
}

/** Whether the same readers see both; a page outside the navigation counts if there is only one audience. */
const isBeside = (file: SpecScope | undefined, entry: SpecScope): boolean =>
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
  let files: Map<string, string> | undefined;
  return (urlPath: string) => {
    files ??= new Map([...frontmatters.keys()].map((path) => [urlPathOf(path).toLowerCase(), path]));
    const sourcePath = files.get(urlPath.toLowerCase());
    return sourcePath === undefined ? undefined : { sourcePath, about: targets.get(sourcePath)?.api };
  };
}

/** `https://x.y/api.json GET /z` -> `GET /z`. */
function withoutSpec(written: string): string {
  const endpoint = parseEndpoint(written);
  return endpoint ? `${endpoint.method.toUpperCase()} ${endpoint.name}` : parseNamed(written).rest;
}

function describedTwice(page: NavPage, file: string): Diagnostic {
  return {
    code: "OPERATION_TWICE",
    severity: "warning",
    what: `The navigation lists "${page.ref}", and ${file} is about the same, so there are two pages about it.`,
    location: page.location,
    fix: `remove the entry, or list "${stemOf(file)}" in its place.`,
  };
}

function excluded(page: NavPage, source: string): Diagnostic {
  return {
    code: "OPERATION_EXCLUDED",
    severity: "warning",
    what: `The navigation lists "${page.ref}", but ${source} says "x-excluded", so it has no page.`,
    location: page.location,
    fix: 'remove the entry, or "x-excluded" in the specification.',
  };
}

function addressTaken(source: string, label: string, wanted: string, urlPath: string, by: string): Diagnostic {
  return {
    code: "PATH_TAKEN",
    severity: "warning",
    what: `The page of ${label} (${source}) would have the address ${wanted}, which belongs to ${by}; it is at ${urlPath} instead.`,
    location: { sourcePath: by },
    fix: `rename one of the two: the file, or the page with "x-mint": { "href": "..." } in the specification.`,
  };
}
