import { type Diagnostic, spelledAlike, warningOf } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { folderOf, isHttpAddress, joinPath, parseAddress } from "../../lib/url/index.js";
import type { NavContainer, NavEntry, Navigation, NavPage, Redirect } from "../config/index.js";
import { createPageIndex, createSimilarPaths, withoutExtension } from "../links/index.js";
import { pagesIn, specsIn } from "./api/named-specs.js";
import { isApiReference } from "./api/parse-reference.js";
import { isPageFile, stemOf, urlPathOf } from "./output-paths.js";

/** The target of a navigation entry. */
export type RefTarget =
  /** `id` is a source path, or the id of a generated page. */
  | { readonly type: "page"; readonly id: string; readonly fragment: string }
  /** A part of an API that has no page, which is reported. */
  | { readonly type: "operation" }
  /** An address outside the site. */
  | { readonly type: "address"; readonly href: string }
  | { readonly type: "missing" };

export interface ResolvedRefs {
  readonly targets: ReadonlyMap<NavPage, RefTarget>;
  /** Ids of pages in the order of the navigation, each once. */
  readonly listed: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds the file of every page that the navigation lists, global entries last.
 *
 * @param snippets paths of files that are not pages.
 * @param ofApi ids of the pages of entries that are not paths.
 * @param redirects tell the new paths of moved pages.
 */
export function resolvePageRefs(
  navigation: Navigation,
  lookup: PageLookup,
  snippets: ReadonlySet<string>,
  ofApi: ReadonlyMap<NavPage, string>,
  redirects: readonly Redirect[],
): ResolvedRefs {
  const moved = lazy(
    () => new Map(redirects.toReversed().map(({ source, destination }) => [withoutSlashes(source), destination])),
  );

  const targets = new Map<NavPage, RefTarget>();
  /** The pages that are listed by their own path. */
  const listedExactly = lazy(() => new Set(Array.from(pagesIn(navigation), ({ ref }) => lookup.find(ref.trim()))));
  const listed = new Set<string>();
  const diagnostics: Diagnostic[] = [];

  /** @param around the pages listed so far in the same sidebar. */
  const visitPage = (page: NavPage, around?: Map<string, NavPage>): void => {
    const id = ofApi.get(page);
    let target: RefTarget = id === undefined ? targetOf(page.ref, lookup) : { type: "page", id, fragment: "" };
    if (target.type === "missing") {
      const missing = missingPage(page, lookup, snippets, moved());
      const { meant } = missing;
      const isShown = meant !== undefined && !listedExactly().has(meant);
      diagnostics.push(
        isShown ? { ...missing.fault, what: `${missing.fault.what} The entry shows ${meant}.` } : missing.fault,
      );
      if (isShown) target = { type: "page", id: meant, fragment: "" };
    }
    targets.set(page, target);
    if (target.type === "page") {
      listed.add(target.id);
      const before = target.fragment === "" ? around?.get(target.id) : undefined;
      if (before) diagnostics.push(listedTwice(page, before));
      else if (target.fragment === "") around?.set(target.id, page);
    }
  };
  const visit = (entry: NavEntry, around: Map<string, NavPage>): void => {
    if (entry.kind === "page") {
      visitPage(entry, around);
      return;
    }
    if (entry.root) visitPage(entry.root);
    const within = entry.kind === "group" ? around : new Map<string, NavPage>();
    for (const child of [...entry.children, ...(entry.global ?? [])]) visit(child, within);
  };
  const outermost = new Map<string, NavPage>();
  for (const child of [...navigation.children, ...navigation.global]) visit(child, outermost);
  return { targets, listed, diagnostics };
}

function targetOf(ref: string, lookup: PageLookup): RefTarget {
  const written = ref.trim();
  if (isHttpAddress(written)) {
    return isApiReference(written) ? { type: "operation" } : { type: "address", href: written };
  }
  const sourcePath = lookup.find(written);
  if (sourcePath === undefined) return { type: isApiReference(written) ? "operation" : "missing" };
  const hash = sourcePath.includes("#") ? -1 : written.indexOf("#");
  return { type: "page", id: sourcePath, fragment: hash < 0 ? "" : written.slice(hash + 1) };
}

const listedTwice = (page: NavPage, before: NavPage): Diagnostic => ({
  ...warningOf("PAGE_LISTED_TWICE"),
  what: `The navigation lists "${page.ref}" twice in one sidebar${before.location.line === undefined ? "" : `; the first entry is on line ${before.location.line}`}.`,
  location: page.location,
  related: { location: before.location, what: "first here" },
  fix: "remove one of the two.",
});

const withoutSlashes = (path: string): string => path.replace(/^\/+|\/+$/g, "");

/** Reports an entry without a page. `meant` is the source path of the page that it certainly means. */
function missingPage(
  page: NavPage,
  lookup: PageLookup,
  snippets: ReadonlySet<string>,
  moved: ReadonlyMap<string, string>,
): { readonly fault: Diagnostic; readonly meant?: string | undefined } {
  const path = withoutSlashes(page.ref.trim().replace(/[?#].*$/s, ""));
  const file = isPageFile(path) ? path : `${path}.mdx`;
  const snippet = [file, `${stemOf(file)}.mdx`, `${stemOf(file)}.md`].find((name) => snippets.has(name));
  const inFolder = snippet ? [] : lookup.below(path.replace(/\/?\*+$/, ""));
  const fault = { code: "PAGE_NOT_FOUND", severity: "error", location: page.location } as const;
  if (inFolder.length > 0) {
    const first = inFolder.slice(0, 5).map((page) => `"${page}"`);
    const others = inFolder.length > 5 ? ` and the other ${inFolder.length - 5}` : "";
    const what = `The navigation lists "${page.ref}", a folder, but must list each page.`;
    return { fault: { ...fault, what, fix: `write ${first.join(", ")}${others}.` } };
  }
  if (/\.(?:json|ya?ml)$/i.test(path)) {
    const what = `The navigation lists "${page.ref}" as a page, but it is a file of data.`;
    const fix = `write { "group": "API", "openapi": "${path}" } in its place, or remove the entry.`;
    return { fault: { ...fault, what, fix } };
  }
  if (/^(?:mailto|tel):/i.test(path)) {
    const what = `The navigation lists "${page.ref}" as a page, but it is a link.`;
    const fix = `write { "anchor": "Contact", "href": "${page.ref.trim()}" } in "anchors" of "global" in "navigation" instead.`;
    return { fault: { ...fault, what, fix } };
  }
  const target = moved.get(path);
  const alike = snippet ? undefined : ((target && lookup.find(target)) ?? lookup.spelledAlike(page.ref));
  const other = snippet || alike !== undefined ? undefined : lookup.otherPrefix(page.ref);
  const meant = alike ?? other?.sourcePath;
  const near = snippet ? undefined : (meant ?? lookup.nearest(page.ref));
  const what = snippet
    ? `The navigation lists "${page.ref}", but files in ${folderOf(snippet).replace(/\/.*/, "")}/ are snippets, not pages.`
    : `The navigation lists "${page.ref}", but the site has no ${file}.`;
  const fix = near
    ? `write "${stemOf(near)}" (${near} exists) or remove the entry.`
    : snippet
      ? "move the file to another folder or remove the entry."
      : `add ${file} or remove the entry.`;
  const rewrites = near && [{ written: page.ref, replacement: stemOf(near), certain: meant !== undefined }];
  return { meant, fault: { ...fault, what, fix, ...(rewrites && { rewrites }), ...(other && { cause: other.cause }) } };
}

/**
 * Reports containers of the navigation without any entry.
 *
 * @param navigation contains the pages of specifications.
 * @param unread specifications that could not be read, which is reported already.
 */
export function reportEmpty(navigation: Navigation, unread: ReadonlySet<string>): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const visit = (node: NavContainer, inherited: string | undefined): void => {
    const specification = specsIn(node)[0]?.source ?? inherited;
    for (const child of [...node.children, ...(node.global ?? [])])
      if (child.kind !== "page") visit(child, specification);
    const isEmpty = node.children.length === 0 && !node.root && !node.href && !node.isFaulty;
    if (isEmpty && !(specification && unread.has(specification))) diagnostics.push(empty(node, specification));
  };
  for (const child of [...navigation.children, ...navigation.global])
    if (child.kind !== "page") visit(child, specsIn(navigation)[0]?.source);
  return diagnostics;
}

function empty(node: NavContainer, specification: string | undefined): Diagnostic {
  const fact = specification === undefined ? "has no entries" : `gets no pages from ${specification}`;
  const what = `The ${node.kind} "${node.label}" ${fact}, so it is not shown.`;
  const fix =
    specification === undefined
      ? node.kind === "anchor"
        ? 'add "href": "https://…", list pages in it, or remove it.'
        : "list pages in it or remove it."
      : "list pages in it, name another specification, or remove it.";
  return { code: "NAVIGATION_EMPTY", severity: "warning", what, location: node.location, fix };
}

/** Finds pages by references in the navigation, before they have addresses. */
export interface PageLookup {
  /**
   * Source path of the page that `reference` names: with or without extra slashes, an extension, `/index`,
   * percent-encoding, `?…` and `#…`. Case-sensitive, like addresses.
   */
  find(reference: string): string | undefined;
  /** The page whose path differs only in case, hyphens, underscores and spaces. */
  spelledAlike(reference: string): string | undefined;
  /** The only page whose path has more or fewer folders at its start, and what differs. */
  otherPrefix(reference: string): { readonly sourcePath: string; readonly cause: string } | undefined;
  /** The pages in a folder at any depth, as the navigation writes them. */
  below(folder: string): readonly string[];
  /** The most similar page: the same name in another folder, or a similar name in the same folder. */
  nearest(reference: string): string | undefined;
}

/** @param candidates source paths of pages, no two with the same stem. */
export function createPageLookup(candidates: readonly string[]): PageLookup {
  const pages = createPageIndex(candidates.map((sourcePath) => [`/${stemOf(sourcePath)}`, sourcePath] as const));
  const stems = lazy(() => candidates.map(stemOf));
  const similar = createSimilarPaths(stems);
  return {
    find(reference) {
      // A file's name may itself contain a "?", a "#" or a percent code.
      const whole = pages.get(reference.replace(/^\/+/, ""));
      const path = pathOfReference(reference);
      return whole ?? (path === undefined ? undefined : pages.find(path));
    },
    spelledAlike(reference) {
      const path = pathOfReference(reference);
      const alike = path === undefined ? undefined : spelledAlike(withoutExtension(path), stems());
      return alike === undefined ? undefined : pages.get(alike);
    },
    otherPrefix(reference) {
      const path = pathOfReference(reference);
      const other = path === undefined ? undefined : similar.otherPrefix(path);
      const sourcePath = other && pages.get(other.path.slice(1));
      return sourcePath === undefined ? undefined : { sourcePath, cause: other!.cause };
    },
    below: (folder) => stems().filter((stem) => stem.startsWith(`${folder}/`)),
    nearest(reference) {
      const path = pathOfReference(reference);
      const near = path === undefined ? undefined : similar.nearest(path);
      return near === undefined ? undefined : pages.get(near);
    },
  };
}

/** The path of a reference, from the root; undefined for an external address. */
function pathOfReference(reference: string): string | undefined {
  const address = parseAddress(reference.replace(/^\/+/, "/"));
  if (address.kind === "self") return "";
  return address.kind === "path" ? joinPath("", address.path) : undefined;
}

/**
 * The ids of the pages that the caller selects; undefined for all. A path is written as in the navigation or as an
 * address: `guides/install`, `/guides/install`, `guides/install.mdx`.
 *
 * @param ids the ids of all pages.
 * @param fileOf returns the path of a page, or the path that a generated page would have.
 */
export function selectPaths(
  paths: readonly string[] | undefined,
  ids: readonly string[],
  fileOf: (id: string) => string,
): { readonly selected?: ReadonlySet<string>; readonly diagnostics: readonly Diagnostic[] } {
  if (paths === undefined) return { diagnostics: [] };
  const byFile = new Map(ids.map((id) => [fileOf(id), id]));
  const lookup = createPageLookup([...byFile.keys()]);
  const selected = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    const file = lookup.find(path);
    if (file !== undefined) selected.add(byFile.get(file)!);
    else diagnostics.push(unknownPath(path, lookup.nearest(path)));
  }
  return { selected, diagnostics };
}

function unknownPath(path: string, nearest: string | undefined): Diagnostic {
  const what = `The export should include "${path}", but the site has no such page.`;
  const fix = nearest ? `write "${urlPathOf(nearest)}".` : "write the path of a page, such as /guides/install.";
  return { code: "PATH_UNKNOWN", severity: "error", what, fix };
}
