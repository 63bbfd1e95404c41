import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { escapeRegExp } from "../../lib/regexp/match-glob.js";
import { applyRule, redirectedSuffix } from "../../lib/url/index.js";
import type { Redirect } from "../config/index.js";
import type { LeftOutPage, Site } from "../site.js";
import { createPageIndex, spellingsOf, withoutExtension } from "./page-index.js";
import {
  circle,
  type Destination,
  differs,
  duplicate,
  type Instead,
  missing,
  type RedirectRule,
  readRedirect,
  refused,
  restrictedSource,
  shadowed,
} from "./redirect-rule.js";
import type { SiteTarget } from "./target.js";

export interface RedirectTable {
  /**
   * The final destination of the redirects from a path of the site, with or without an extension or `/index`; undefined if
   * none matches or they form a loop. The path is in the form that `joinPath` returns.
   */
  follow(path: string): Destination | undefined;
  /**
   * The valid rules, in the order written, with every chain of exact rules followed to its end, and diagnostics for the other
   * rules. Nothing is thrown.
   */
  check(): { readonly rules: readonly RedirectRule[]; readonly diagnostics: readonly Diagnostic[] };
}

interface RedirectContext {
  /** Source path of the page at exactly this address. */
  readonly sourceOfPageAt: (urlPath: string) => string | undefined;
  /** The page or file at a decoded path with a leading slash. */
  readonly find: (path: string) => SiteTarget | undefined;
  /** The target of a path that neither `find` nor a redirect resolves. */
  readonly fallback: (path: string) => SiteTarget | undefined;
  /** Suggestions for a path without a page or file. */
  readonly instead: (path: string) => Instead;
  /**
   * A page for other readers, if a path is its path or its folder's and the bundle has nothing there.
   *
   * @param path may have wildcards
   */
  readonly restrictedAt: (path: string) => LeftOutPage | undefined;
}

/** A longer chain is considered a loop, whose path grows with every round: `/a/:x*` -> `/a/b/:x*`. */
const maxHops = 32;

export function createRedirectTable(
  redirects: readonly Redirect[],
  { sourceOfPageAt, find, fallback, instead, restrictedAt }: RedirectContext,
): RedirectTable {
  const diagnostics: Diagnostic[] = [];
  const exact = new Map<string, RedirectRule>();
  const wildcards: RedirectRule[] = [];
  const written: RedirectRule[] = [];

  for (const redirect of redirects) {
    const rule = readRedirect(redirect);
    if (typeof rule === "string") {
      diagnostics.push(refused(redirect, rule));
      continue;
    }
    if (rule.pattern === undefined) {
      const page = sourceOfPageAt(rule.source);
      const first = exact.get(rule.source);
      if (first !== undefined) diagnostics.push(duplicate(rule, first));
      else if (page !== undefined) diagnostics.push(shadowed(rule, page));
      else exact.set(rule.source, rule);
      if (exact.get(rule.source) !== rule) continue;
    } else wildcards.push(rule);
    written.push(rule);
  }

  /** The next step from a path, or undefined if no rule matches. */
  const step = (path: string): Destination | undefined => {
    const rule = exact.get(path);
    if (rule !== undefined) return rule.destination;
    for (const wildcard of wildcards) {
      const destination = applyRule(wildcard, path);
      if (destination !== undefined) return destination;
    }
    return undefined;
  };
  /** Follows a destination to its end. Returns the paths of the loop if there is none. */
  const settle = (first: Destination): Destination | readonly string[] => {
    let destination = first;
    const passed: string[] = [];
    while (destination.kind === "internal") {
      const target = find(destination.path);
      if (target !== undefined) return { ...destination, target };
      const next = step(destination.path);
      if (next === undefined) return { ...destination, target: fallback(destination.path) };
      if (passed.includes(destination.path) || passed.length === maxHops) return [...passed, destination.path];
      passed.push(destination.path);
      destination =
        next.kind === "internal" ? { ...next, suffix: redirectedSuffix(destination.suffix, next.suffix) } : next;
    }
    return destination;
  };

  const followed = new Map<string, Destination | undefined>();
  const followOnce = (path: string): Destination | undefined => {
    for (const spelling of spellingsOf(path)) {
      const next = step(`/${spelling}`.normalize("NFC"));
      if (next === undefined) continue;
      const settled = settle(next);
      return isCircle(settled) ? undefined : settled;
    }
    return undefined;
  };

  return {
    follow(path) {
      if (!followed.has(path)) followed.set(path, followOnce(path));
      return followed.get(path);
    },
    check() {
      const faults = [...diagnostics];
      const rules: RedirectRule[] = [];
      /** The addresses of loops that have been reported. */
      const looped = new Set<string>();
      for (const rule of written) {
        const { destination } = rule;
        const sourcePage = restrictedAt(rule.source);
        const targetPage = destination.kind === "internal" ? restrictedAt(destination.path) : undefined;
        if (sourcePage) faults.push(restrictedSource(rule, sourcePage));
        else if (targetPage) faults.push(missing(rule, (destination as Internal).path, { leftOut: targetPage }));
        if (sourcePage || targetPage) continue;
        const settled = settle(rule.pattern === undefined ? destination : sample(destination));
        if (isCircle(settled)) {
          if (!looped.has(rule.source)) faults.push(circle(rule, settled));
          for (const path of settled) looped.add(path);
        } else if (rule.pattern !== undefined) rules.push(rule);
        else {
          const different = settled.kind === "internal" && settled.target && differs(rule, settled.target);
          if (different) faults.push(different);
          const isMissing = settled.kind === "internal" && settled.target === undefined;
          const leftOut = isMissing ? restrictedAt(settled.path) : undefined;
          const target = leftOut ? { leftOut } : isMissing ? instead(settled.path) : {};
          if (isMissing) faults.push(missing(rule, settled.path, target));
          // Leave the rule out, since its addresses name a page for other readers.
          if (leftOut) continue;
          rules.push({ ...rule, destination: settled });
        }
      }
      return { rules, diagnostics: faults };
    },
  };
}

type Internal = Extract<Destination, { readonly kind: "internal" }>;

const isCircle = (settled: Destination | readonly string[]): settled is readonly string[] => Array.isArray(settled);

/** Fills in the wildcards of a destination, to find out whether a rule matches it again. */
const sample = (destination: Destination): Destination =>
  destination.kind === "external"
    ? destination
    : { ...destination, path: destination.path.replace(/:[A-Za-z_]\w*[*+]?|\*/g, "x") };

/**
 * Finds pages for other readers by the paths of redirects, see `RedirectContext`.
 *
 * @param isInBundle whether a page or file has a path without wildcards.
 */
export function createRestrictedPaths(
  {
    leftOut = [],
    pages,
    staticFiles,
    styles,
    scripts,
  }: Pick<Site, "pages" | "leftOut" | "staticFiles" | "styles" | "scripts">,
  isInBundle: (path: string) => boolean,
): (path: string) => LeftOutPage | undefined {
  const restricted = leftOut.filter(([, { why }]) => why === "groups");
  if (restricted.length === 0) return () => undefined;
  const closed = createPageIndex(restricted);
  const closedFolders = new Map(restricted.flatMap(([path, page]) => foldersOf(path).map((folder) => [folder, page])));
  const openPaths = lazy(() => [
    ...pages.map(({ urlPath }) => urlPath.normalize("NFC")),
    ...[...staticFiles, ...styles, ...scripts].map((path) => `/${path}`.normalize("NFC")),
  ]);
  const openFolders = lazy(() => new Set(openPaths().flatMap(foldersOf)));

  return (written) => {
    const path = written.normalize("NFC");
    const pattern = patternOf(path);
    if (pattern !== undefined) {
      const page = restricted.find(([urlPath]) => pattern.test(urlPath.normalize("NFC")))?.[1];
      return page && openPaths().some((openPath) => pattern.test(openPath)) ? undefined : page;
    }
    const page = closed.find(path.slice(1)) ?? closedFolders.get(path);
    return page && (isInBundle(path) || openFolders().has(path)) ? undefined : page;
  };
}

/** The folders of a path: `/a` and `/a/b` for `/a/b/c`. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/", 1); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders.map((folder) => folder.normalize("NFC"));
}

/** More wildcards would multiply the time of a test by the length of the path. */
const maxWildcards = 2;

/** An expression for the paths that a path with wildcards matches, and everything below them; undefined without wildcard. */
function patternOf(path: string): RegExp | undefined {
  const [first, ...rest] = withoutExtension(path).split(/:[A-Za-z_]\w*[*+]?|\*/);
  if (rest.length === 0) return undefined;
  const parts = [first!, ...rest.slice(0, maxWildcards)].map(escapeRegExp);
  const regex = parts.join(".*").replaceAll("/.*", "(?:/.*)?");
  return new RegExp(`^${regex}${rest.length > maxWildcards ? ".*" : "(?:/.*)?"}$`);
}
