import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { applyRule, redirectedSuffix } from "../../lib/url/index.js";
import type { Redirect } from "../config/index.js";
import { spellingsOf } from "./page-index.js";
import { circle, duplicate, missing, refused, shadowed } from "./redirect-faults.js";
import { type Destination, type RedirectRule, readRedirect } from "./redirect-rule.js";
import type { SiteTarget } from "./target.js";

/** `redirects` of docs.json, read once. */
export interface RedirectTable {
  /**
   * Where the redirects lead a path of the site at last, an extension or `/index` written or not; undefined where none
   * takes it, or they go round in a circle. The path is as `joinPath` gives it.
   */
  follow(path: string): Destination | undefined;
  /**
   * The rules that can be used, in the order written, with every chain of exact ones followed to its end; and what is
   * wrong with the others. Nothing is thrown: a rule of no use becomes a diagnostic.
   */
  check(): { readonly rules: readonly RedirectRule[]; readonly diagnostics: readonly Diagnostic[] };
}

export interface RedirectContext {
  /** Source path of the page at exactly this address. */
  readonly sourceOfPageAt: (urlPath: string) => string | undefined;
  /** What stands at a decoded path with a slash in front. */
  readonly find: (path: string) => SiteTarget | undefined;
  /** What a path stands for that neither `find` nor a redirect knows. */
  readonly fallback: (path: string) => SiteTarget | undefined;
}

/** A chain longer than this is a circle that grows with every round: `/a/:x*` -> `/a/b/:x*`. */
const maxHops = 32;

export function createRedirectTable(
  redirects: readonly Redirect[],
  { sourceOfPageAt, find, fallback }: RedirectContext,
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
      if (exact.has(rule.source)) diagnostics.push(duplicate(rule));
      else if (page !== undefined) diagnostics.push(shadowed(rule, page));
      else exact.set(rule.source, rule);
      if (exact.get(rule.source) !== rule) continue;
    } else wildcards.push(rule);
    written.push(rule);
  }

  /** The next step from a path, or undefined where no rule takes it. */
  const step = (path: string): Destination | undefined => {
    const rule = exact.get(path);
    if (rule !== undefined) return rule.destination;
    for (const wildcard of wildcards) {
      const destination = applyRule(wildcard, path);
      if (destination !== undefined) return destination;
    }
    return undefined;
  };
  /** Follows a destination to its end; the paths gone through, if it has none. */
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
      for (const rule of written) {
        const settled = settle(rule.pattern === undefined ? rule.destination : sample(rule.destination));
        if (isCircle(settled)) faults.push(circle(rule, settled));
        else if (rule.pattern !== undefined) rules.push(rule);
        else {
          if (settled.kind === "internal" && settled.target === undefined) faults.push(missing(rule, settled.path));
          rules.push({ ...rule, destination: settled });
        }
      }
      return { rules, diagnostics: faults };
    },
  };
}

const isCircle = (settled: Destination | readonly string[]): settled is readonly string[] => Array.isArray(settled);

/** A destination with something plain in its wildcards, to see whether the rule would take it again. */
const sample = (destination: Destination): Destination =>
  destination.kind === "external"
    ? destination
    : { ...destination, path: destination.path.replace(/:[A-Za-z_]\w*[*+]?|\*/g, "x") };
