import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { byFormat } from "../api-spec.js";
import type { NavEntry, Navigation, SiteConfig } from "../config/index.js";
import {
  type Division,
  type LeftOutPage,
  type PagePlan,
  pathInLanguage,
  type SidebarEntry,
  type Site,
} from "../site.js";
import type { SiteFiles } from "../source/index.js";
import type { SpecReader } from "../specs/index.js";
import { visibleSpecs } from "./api/named-specs.js";
import { planApi } from "./api/plan-api.js";
import type { ListedPage } from "./build-sidebar.js";
import { assignOutputPaths, isPageFile, urlPathOf } from "./output-paths.js";
import { locationOfValue, type PageFacts, pageFacts } from "./page-facts.js";
import { type PageSource, planPages } from "./plan-pages.js";
import { resolveNavigation } from "./resolve-navigation.js";
import { createPageLookup, type ResolvedRefs, reportEmpty, resolvePageRefs, selectPaths } from "./resolve-page-refs.js";
import { type ScanOptions, scanPages, sortFiles } from "./scan-pages.js";
import { isForReaders, openNavigation, restrictedEntry, restrictedPage, specsForReaders } from "./spec-audience.js";

export interface DiscoverOptions extends ScanOptions {
  /** Called once, if the site names a specification or a part of one. */
  readonly openSpecs: () => Promise<SpecReader>;
  /** Exports only these pages: addresses or source paths. The navigation then shows only them. */
  readonly paths?: readonly string[];
  /** Also pages with `draft: true`. */
  readonly drafts?: boolean | undefined;
  /** The groups of readers that the bundle is for, sorted; see `Site`. */
  readonly audience?: readonly string[] | undefined;
}

/**
 * Makes the plan of a site.
 *
 * Fails: a fault in the site is never thrown. An unreadable file is thrown, since it is a fault of the environment.
 * Stops: once `options.signal` aborts, rejects with its reason.
 */
export async function discoverSite(
  config: SiteConfig,
  files: SiteFiles,
  options: DiscoverOptions,
): Promise<{ readonly site: Site; readonly diagnostics: readonly Diagnostic[] }> {
  const includedFiles = new Set(config.includedFiles);
  const sorted = sortFiles(files.paths.filter((path) => !includedFiles.has(path)));
  const scan = await scanPages(sorted, files, options);
  const lookup = createPageLookup(sorted.candidates);
  const api = await planApi({
    config,
    files,
    openSpecs: options.openSpecs,
    lookup,
    frontmatters: scan.frontmatters,
    signal: options.signal,
    isPage: (path) => !scan.imported.has(path) && !sorted.notes.has(path),
  });
  const { audience = [] } = options;
  const { navigation: open, closed } = openNavigation(api.navigation, audience);
  const refsIn = (navigation: Navigation) =>
    resolvePageRefs(navigation, lookup, new Set(sorted.modules), api.entries, config.redirects);
  const refs = refsIn(open);
  const closedRefs = closed.map((entry) => refsIn({ ...open, children: [entry], global: [] }));
  /** Pages that only closed entries list. */
  const closedIds = new Set(closedRefs.flatMap(({ listed }) => [...listed].filter((id) => !refs.listed.has(id))));

  const facts = new Map<string, PageFacts>();
  for (const [sourcePath, frontmatter] of scan.frontmatters) {
    const described = api.targets.get(sourcePath)?.described;
    facts.set(sourcePath, pageFacts(frontmatter, urlPathOf(sourcePath), config.name, described));
  }
  for (const { id, frontmatter, urlPath, described } of api.generated.values())
    facts.set(id, pageFacts(frontmatter, urlPath, config.name, described));

  const unlisted = sorted.candidates.filter(
    (path) => !refs.listed.has(path) && !closedIds.has(path) && !scan.imported.has(path) && !sorted.notes.has(path),
  );
  const isDraft = (id: string): boolean => facts.get(id)!.draft && !options.drafts;
  const ofOthers = (id: string): boolean => closedIds.has(id) || !isForReaders(facts.get(id)!, audience);
  const isLeftOut = (id: string): boolean => isDraft(id) || ofOthers(id);
  const candidates = [...refs.listed, ...unlisted];
  const withoutAddress = candidates.filter((id) => facts.get(id)!.url === undefined && !isLeftOut(id));
  const restricted = [...closedIds, ...candidates.filter((id) => ofOthers(id) && !isDraft(id))];
  const output = assignOutputPaths(withoutAddress, sorted.statics, api.generated);
  const exported = withoutAddress.filter((id) => output.addresses.has(id));
  const fileOf = (id: string): string => api.generated.get(id)?.urlPath.slice(1) ?? id;
  const selection = selectPaths(options.paths, exported, fileOf);
  const pages = exported
    .filter((id) => selection.selected?.has(id) ?? true)
    .map((id): PageSource => {
      const generatedPage = api.generated.get(id);
      return {
        id,
        sourcePath: generatedPage?.sourcePath ?? id,
        ...output.addresses.get(id)!,
        frontmatter: generatedPage?.frontmatter ?? scan.frontmatters.get(id)!,
        facts: facts.get(id)!,
        api: generatedPage?.api ?? api.targets.get(id)?.api,
        unavailableSpec: generatedPage?.unavailable ?? api.targets.get(id)?.unavailable,
        generated: generatedPage && { text: generatedPage.text },
      };
    });

  const pageAt = createPageAt(pages, facts, isLeftOut);
  const navigation = resolveNavigation({
    navigation: open,
    siteName: config.name,
    targets: refs.targets,
    pageAt,
    urlPathOf: (index) => pages[index]!.urlPath,
    leadsToLeftOut: (href) => {
      const target = href.startsWith("/") && !href.startsWith("//") ? lookup.find(href) : undefined;
      return target !== undefined && pageAt(target)?.type !== "page";
    },
  });

  const plans = tellRowsApart(planPages(pages, navigation, config), navigation.divisions);
  const pagePaths = new Set(withoutAddress);
  const imported = [...scan.imported].filter((path) => !pagePaths.has(path)).sort();
  const { navigation: _, includedFiles: __, ...settings } = config;
  const specs = await specsForReaders({
    api,
    pages,
    restricted,
    facts: [...facts.values()],
    files,
    statics: output.statics,
    audience,
  });
  const urlPaths = new Set(plans.map((page) => page.urlPath));
  const moved = [...api.generated.values()].flatMap(({ formerPath, urlPath }) =>
    formerPath === undefined || !urlPaths.has(urlPath) || config.redirects.some(({ source }) => source === formerPath)
      ? []
      : [{ source: formerPath, destination: urlPath, permanent: true }],
  );
  const leftOutPage = (id: string, why: LeftOutPage["why"]): readonly [string, LeftOutPage] => {
    const generatedPage = api.generated.get(id);
    return [generatedPage?.urlPath ?? urlPathOf(id), { sourcePath: generatedPage?.sourcePath ?? id, why }];
  };
  const site: Site = {
    config: moved.length === 0 ? settings : { ...settings, redirects: [...config.redirects, ...moved] },
    pages: plans,
    sections: navigation.sections,
    divisions: navigation.divisions,
    globalLinks: navigation.globalLinks,
    specRefs: byFormat((format) => visibleSpecs({ api: config.api, navigation: open }, format)),
    homePage: plans.find((page) => page.urlPath === "/")?.index ?? navigation.sections[0]?.landing ?? plans[0]?.index,
    staticFiles: output.statics.filter((path) => !specs.closedFiles.has(path)),
    styles: sorted.styles,
    scripts: sorted.scripts.filter((path) => !scan.imported.has(path)),
    specs: specs.plans,
    snippets: imported,
    leftOut: [
      ...[...scan.frontmatters.keys()].filter(isDraft).map((id) => leftOutPage(id, "draft")),
      ...restricted.map((id) => leftOutPage(id, "groups")),
      ...(selection.selected ? exported : []).flatMap((id) =>
        selection.selected!.has(id) ? [] : [leftOutPage(id, "paths")],
      ),
    ],
    ...(api.unreadFolders.length > 0 && { unreadFolders: api.unreadFolders }),
    ...(audience.length > 0 && { audience }),
    ...scan.stylesOf(withoutAddress),
  };
  const pageFileCount = files.paths.filter(isPageFile).length;
  const diagnostics = [
    ...sorted.diagnostics,
    ...scan.diagnostics,
    ...refusedUrls(facts, files),
    ...contextualFaults(facts),
    ...api.diagnostics,
    // Do not report missing pages if the site has none.
    ...(pageFileCount === 0 ? [] : refs.diagnostics),
    ...listedDrafts(refs.targets, isDraft),
    ...closedRefs.flatMap(({ diagnostics }) => diagnostics),
    ...closed.map((entry, i) => restrictedEntry(entry, closedRefs[i]!.listed, closedIds)),
    ...restricted
      .filter((id) => !closedIds.has(id) && scan.frontmatters.has(id))
      .map((id) => restrictedPage(id, files.readText(id), facts.get(id)!, audience)),
    ...specs.diagnostics,
    ...output.diagnostics,
    ...selection.diagnostics,
    ...reportEmpty(open, api.unread),
    ...(options.paths === undefined ? reportUntranslated(open.children, plans) : []),
  ];
  const linkCount = candidates.filter((id) => facts.get(id)!.url !== undefined).length;
  if (withoutAddress.length === 0)
    diagnostics.push(emptySite(config.sourcePath, pageFileCount, restricted.length, linkCount));
  return { site, diagnostics };
}

/** Returns what the navigation shows for a page's id: the page, the link in its front matter, or nothing. */
function createPageAt(
  pages: readonly PageSource[],
  facts: ReadonlyMap<string, PageFacts>,
  isLeftOut: (id: string) => boolean,
): (id: string) => ListedPage | undefined {
  const indexes = new Map(pages.map((page, index) => [page.id, index]));
  return (id) => {
    if (isLeftOut(id)) return undefined;
    const { title, sidebarTitle: navTitle = title, hidden = false, url, icon, tag } = facts.get(id)!;
    if (url !== undefined)
      return { type: "link", link: { type: "link", label: navTitle, href: url, icon, tag }, hidden };
    const index = indexes.get(id);
    return index === undefined ? undefined : { type: "page", index, urlPath: pages[index]!.urlPath, navTitle, hidden };
  };
}

const listedDrafts = (targets: ResolvedRefs["targets"], isDraft: (id: string) => boolean): Diagnostic[] =>
  [...targets].flatMap(([{ ref, location }, target]): Diagnostic[] => {
    if (target.type !== "page" || !isDraft(target.id)) return [];
    const what = `The navigation lists "${ref}", which is a draft, so it is left out.`;
    const fix = `remove "draft: true" from ${target.id} to publish it, or remove the entry.`;
    return [{ code: "DRAFT_LISTED", severity: "warning", what, location, fix }];
  });

const refusedUrls = (facts: ReadonlyMap<string, PageFacts>, files: SiteFiles): Diagnostic[] =>
  [...facts].flatMap(([sourcePath, { refusedUrl }]): Diagnostic[] => {
    if (refusedUrl === undefined) return [];
    const what = `The page's url is "${refusedUrl}", which could run code in the reader's browser, so it is ignored.`;
    const location = locationOfValue(sourcePath, files.readText(sourcePath), "url");
    const fix = "write a path of the site or an https:// URL.";
    return [{ code: "LINK_REFUSED", severity: "warning", what, location, fix }];
  });

const contextualFaults = (facts: ReadonlyMap<string, PageFacts>): Diagnostic[] =>
  [...facts].flatMap(([sourcePath, { contextualFaults: faults = [] }]) =>
    faults.map((fault) => ({ ...fault, location: { sourcePath } })),
  );

function emptySite(sourcePath: string, fileCount: number, restrictedCount: number, linkCount: number): Diagnostic {
  const add = "add a page, such as index.mdx, next to this file";
  const [reason, remedy] =
    fileCount === 0
      ? ["there is no .mdx or .md file", `${add}.`]
      : linkCount > 0
        ? [
            'every page only links to another address, by "url" in its front matter',
            `remove "url" from a page that has text, or ${add}.`,
          ]
        : [
            "every .mdx and .md file is a snippet or a symbolic link",
            `move a file out of the folder "snippets", put a copy in place of a symbolic link, or ${add}.`,
          ];
  const [what, fix] =
    restrictedCount > 0
      ? [
          "The site has no public page: every page is restricted to groups of readers.",
          "export with --audience for one of the groups, or add a page without groups.",
        ]
      : [`The site has no page: ${reason}.`, remedy];
  return { code: "SITE_EMPTY", severity: "error", what, location: { sourcePath }, fix };
}

/**
 * Adds the path of its operation to the name of a generated page if another row of its group has the same name and method.
 * The common start of these paths is left out, and the common end of long ones.
 */
function tellRowsApart(plans: readonly PagePlan[], divisions: readonly Division[]): readonly PagePlan[] {
  const names = new Map<number, string>();
  const visit = (entries: readonly SidebarEntry[]): void => {
    const rows = entries.flatMap((entry) => (entry.type === "page" ? [plans[entry.page]!] : []));
    const isOperation = ({ generated, api }: PagePlan): boolean => generated !== undefined && api?.kind === "operation";
    const alike = Map.groupBy(rows.filter(isOperation), ({ sidebarTitle, title, marker }) =>
      JSON.stringify([(sidebarTitle ?? title).toLowerCase(), marker]),
    );
    for (const pages of alike.values()) {
      if (pages.length < 2) continue;
      const paths = shortened(pages.map(({ api }) => (api?.kind === "operation" ? api.path : "")));
      for (const [at, { index, sidebarTitle, title }] of pages.entries())
        names.set(index, `${sidebarTitle ?? title} · ${paths[at]}`);
    }
    for (const entry of entries) if (entry.type === "group") visit(entry.entries);
  };
  for (const { entries } of divisions) visit(entries);
  if (names.size === 0) return plans;
  return plans.map((plan) => (names.has(plan.index) ? { ...plan, sidebarTitle: names.get(plan.index)! } : plan));
}

/** Characters of a path that fit into a row. */
const maxShown = 40;

/** Paths without their common first segments and, if one is still long, without their common last segments. */
function shortened(paths: readonly string[]): string[] {
  const segments = paths.map((path) => path.split("/"));
  const minLength = Math.min(...segments.map(({ length }) => length));
  const countShared = (max: number, at: (path: readonly string[], i: number) => string | undefined): number => {
    let count = 0;
    while (count < max && segments.every((path) => at(path, count) === at(segments[0]!, count))) count++;
    return count;
  };
  // The first segment is empty.
  const start = countShared(minLength - 1, (path, i) => path[i]);
  const joined = (end: number): string[] =>
    segments.map((path) => {
      const shown = path.slice(start, path.length - end).join("/");
      return `${start > 1 ? "…" : ""}/${shown}${end > 0 ? "/…" : ""}`;
    });
  const withEnds = joined(0);
  if (withEnds.every(({ length }) => length <= maxShown)) return withEnds;
  return joined(countShared(minLength - start - 1, (path, i) => path.at(-1 - i)));
}

/** The most pages that a diagnostic names. */
const maxNamed = 5;

/**
 * One hint for each language that lacks pages of the default language and version. There is no hint for a language that lacks
 * half of them or more: its authors have probably chosen a few pages, or translated the paths, too.
 */
function reportUntranslated(entries: readonly NavEntry[], pages: readonly PagePlan[]): Diagnostic[] {
  const languages = entries.flatMap((entry) => (entry.kind === "language" ? [entry] : []));
  const shown = pages.filter(({ visible, api }) => visible && api === undefined);
  const [main] = languages.filter(({ label }) => shown.some((page) => page.language === label && page.inDefaultScope));
  if (main === undefined) return [];
  const pathsOf = (label: string): Set<string> =>
    new Set(shown.filter((page) => page.language === label).map(pathInLanguage));
  const mainPaths = new Set(shown.filter((page) => page.inDefaultScope).map(pathInLanguage));
  return languages.flatMap(({ label, location }): Diagnostic[] => {
    const paths = pathsOf(label);
    const missing = [...mainPaths].filter((path) => !paths.has(path));
    if (label === main.label || missing.length === 0 || missing.length * 2 >= mainPaths.size) return [];
    const named = missing.slice(0, maxNamed).map((path) => `"/${label}${path === "/" ? "" : path}"`);
    const rest = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : "";
    const what = `The language "${label}" has no version of ${missing.length} page${missing.length === 1 ? "" : "s"} of "${main.label}".`;
    const fix = `translate ${named.join(", ")}${rest}, and list ${missing.length === 1 ? "it" : "them"}; until then, readers come to the first page.`;
    return [{ code: "PAGE_UNTRANSLATED", severity: "hint", what, location, fix }];
  });
}
