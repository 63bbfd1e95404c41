import type { Redirect } from "../config/site-config.js";
import type { Diagnostic } from "../diagnostic/diagnostic.js";
import type { Site } from "../discover/site.js";
import { parseHttpUrl } from "./address.js";
import type { PageLookup, SiteTarget } from "./page-lookup.js";

/** Where a redirect leads in the end, with every chain followed. */
export type Destination =
  | { readonly kind: "external"; readonly url: string }
  | {
      readonly kind: "internal";
      /** Decoded, from the root. */
      readonly path: string;
      /** `?query#fragment`, as written. */
      readonly suffix: string;
      /** Absent: nothing stands there. */
      readonly target?: SiteTarget;
    };

export interface RedirectRule {
  /** Decoded path from the root: `/guides/old`, `/v1/:slug*`. */
  readonly source: string;
  readonly destination: Destination;
  readonly redirect: Redirect;
  /** Set for a wildcard rule. */
  readonly pattern?: Pattern;
}

export interface RedirectTable {
  /** Rules that can be used, in the order written. Those that lead in a circle or are unsafe are not among them. */
  readonly rules: readonly RedirectRule[];
  readonly diagnostics: readonly Diagnostic[];
  /** Where a decoded path leads if a redirect takes it and no page stands there. */
  follow(path: string): Destination | undefined;
}

interface Pattern {
  readonly regex: RegExp;
  /** Names of the captures in order; `*` for one without a name. */
  readonly names: readonly string[];
}

/** A chain longer than this is a circle that grows with every round: `/a/:x*` -> `/a/b/:x*`. */
const mostHops = 32;

/** Reads `redirects` of docs.json. Nothing is thrown: a rule of no use becomes a diagnostic. */
export function createRedirectTable(site: Site, lookup: PageLookup): RedirectTable {
  const diagnostics: Diagnostic[] = [];
  const exact = new Map<string, RedirectRule>();
  const wildcards: RedirectRule[] = [];
  const written: RedirectRule[] = [];

  for (const redirect of site.config.redirects) {
    const rule = readRule(redirect);
    if ("code" in rule) diagnostics.push({ ...rule, place: redirect.place });
    else if (rule.pattern === undefined && exact.has(rule.source)) diagnostics.push(duplicate(rule));
    else if (rule.pattern === undefined && lookup.pageAt(rule.source) !== undefined)
      diagnostics.push(shadowed(rule, lookup.pageAt(rule.source)!.sourcePath));
    else {
      written.push(rule);
      if (rule.pattern === undefined) exact.set(rule.source, rule);
      else wildcards.push(rule);
    }
  }

  /** The next step from a path, or undefined where no rule takes it. */
  const step = (path: string): Destination | undefined => {
    const rule = exact.get(path);
    if (rule !== undefined) return rule.destination;
    for (const { pattern, destination } of wildcards) {
      const match = pattern!.regex.exec(path);
      if (match) return fill(destination, pattern!.names, match.slice(1));
    }
    return undefined;
  };
  /** Follows a destination to its end; the paths gone through, if it has none. */
  const settle = (first: Destination): Destination | readonly string[] => {
    let destination = first;
    const passed: string[] = [];
    while (destination.kind === "internal") {
      const target = lookup.find(destination.path);
      if (target !== undefined) return { ...destination, target };
      const next = step(destination.path);
      if (next === undefined) return destination;
      if (passed.includes(destination.path) || passed.length === mostHops) return [...passed, destination.path];
      passed.push(destination.path);
      destination = next.kind === "internal" && next.suffix === "" ? { ...next, suffix: destination.suffix } : next;
    }
    return destination;
  };

  const rules: RedirectRule[] = [];
  for (const rule of written) {
    const probe = rule.pattern === undefined ? rule.destination : sample(rule.destination);
    const settled = settle(probe);
    if (isCircle(settled)) diagnostics.push(circle(rule, settled));
    else {
      if (settled.kind === "internal" && settled.target === undefined && rule.pattern === undefined)
        diagnostics.push(missing(rule, settled.path));
      rules.push(rule.pattern === undefined ? { ...rule, destination: settled } : rule);
    }
  }

  const follow = (path: string): Destination | undefined => {
    const next = step(path);
    const settled = next === undefined ? undefined : settle(next);
    return settled === undefined || isCircle(settled) ? undefined : settled;
  };
  return { rules, diagnostics, follow };
}

const isCircle = (settled: Destination | readonly string[]): settled is readonly string[] => Array.isArray(settled);

type Refusal = Pick<Diagnostic, "code" | "severity" | "what" | "fix">;

function readRule(redirect: Redirect): RedirectRule | Refusal {
  const source = readSource(redirect.source);
  if (source === undefined) {
    const what = `The redirect source ${quote(redirect.source)} is no path inside the site, so the redirect is left out.`;
    const fix = `write a path such as "/old/page", without query, fragment, "..", and control characters.`;
    return { code: "REDIRECT_SOURCE_INVALID", severity: "warning", what, fix };
  }
  const destination = readDestination(redirect.destination);
  if (destination === undefined) {
    const what = `The redirect from "${source}" leads to ${quote(redirect.destination)}, which is neither a path of the site nor an http(s) address, so it is left out.`;
    const fix = `write a path such as "/new/page" or an address that starts with https://.`;
    return { code: "REDIRECT_DESTINATION_UNSAFE", severity: "error", what, fix };
  }
  if (!/[*]|\/:[A-Za-z_]/.test(source)) return { source, destination, redirect };
  const pattern = readPattern(source);
  if (pattern !== undefined) return { source, destination, redirect, pattern };
  const what = `The redirect source "${source}" holds more than two "*", which no host can follow, so it is left out.`;
  return { code: "REDIRECT_SOURCE_INVALID", severity: "warning", what, fix: "write it as several redirects." };
}

/** Decoded, one slash in front, none at the end; undefined if it could leave the site. */
function readSource(text: string): string | undefined {
  if (/[?#]/.test(text)) return undefined;
  return cleanPath(text.trim());
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const unsafeCharacters = /[\0-\x1f\x7f\\]/;

function cleanPath(text: string): string | undefined {
  const segments: string[] = [];
  for (const written of text.split("/")) {
    const segment = decode(written);
    if (segment === "") continue;
    if (segment === "." || segment === ".." || segment.includes("/") || unsafeCharacters.test(segment))
      return undefined;
    segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

function readDestination(text: string): Destination | undefined {
  const trimmed = text.trim();
  if (unsafeCharacters.test(trimmed)) return undefined;
  const address = trimmed.startsWith("//") ? `https:${trimmed}` : trimmed;
  if (/^[A-Za-z][\w+.-]*:/.test(address)) {
    const url = parseHttpUrl(address);
    return url === undefined ? undefined : { kind: "external", url: url.href };
  }
  const end = address.search(/[?#]/);
  const path = cleanPath(end < 0 ? address : address.slice(0, end));
  return path === undefined ? undefined : { kind: "internal", path, suffix: end < 0 ? "" : address.slice(end) };
}

function readPattern(source: string): Pattern | undefined {
  const names: string[] = [];
  let stars = 0;
  let regex = "^";
  for (const segment of source.slice(1).split("/")) {
    const named = /^:([A-Za-z_]\w*)([*+]?)$/.exec(segment);
    if (segment === "*" || named?.[2]) {
      names.push(named?.[1] ?? "*");
      stars++;
      regex += named?.[2] === "+" ? "/(.+)" : "(?:/(.*))?";
    } else if (named) {
      names.push(named[1]!);
      regex += "/([^/]+)";
    } else {
      const parts = segment.split("*");
      for (let i = 1; i < parts.length; i++) names.push("*");
      stars += parts.length - 1;
      regex += `/${parts.map(escapeRegExp).join("(.*)")}`;
    }
  }
  // Each further "(.*)" multiplies the time of a failing match by the length of the path.
  return stars > 2 ? undefined : { regex: new RegExp(`${regex}/?$`), names };
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Puts what a wildcard caught into the destination. */
function fill(
  destination: Destination,
  names: readonly string[],
  caught: readonly (string | undefined)[],
): Destination {
  let star = 0;
  const stars = names.flatMap((name, i) => (name === "*" ? [caught[i] ?? ""] : []));
  const put = (text: string) =>
    text.replace(/:([A-Za-z_]\w*)[*+]?|\*/g, (whole, name: string | undefined) => {
      if (name === undefined) return stars[star++] ?? "";
      const at = names.indexOf(name);
      return at >= 0 ? (caught[at] ?? "") : name === "splat" ? (stars[0] ?? "") : whole;
    });
  if (destination.kind === "external") {
    const [, origin, rest] = /^(https?:\/\/[^/?#]*)(.*)$/s.exec(destination.url)!;
    return { kind: "external", url: origin! + put(rest!) };
  }
  const path = put(destination.path).replace(/\/{2,}/g, "/");
  return { ...destination, path: path.length > 1 ? path.replace(/\/$/, "") : path, suffix: put(destination.suffix) };
}

/** A destination with something plain in its wildcards, to see whether the rule would take it again. */
const sample = (destination: Destination): Destination =>
  destination.kind === "external"
    ? destination
    : { ...destination, path: destination.path.replace(/:[A-Za-z_]\w*[*+]?|\*/g, "x") };

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const quote = (text: string) => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);

function duplicate({ source, redirect }: RedirectRule): Diagnostic {
  const what = `There is more than one redirect from "${source}"; the first one counts.`;
  return { code: "REDIRECT_DUPLICATE", severity: "warning", what, place: redirect.place, fix: "remove this one." };
}

function shadowed({ source, redirect }: RedirectRule, sourcePath: string): Diagnostic {
  const what = `The redirect from "${source}" is left out: ${sourcePath} is a page with that address, and a page wins.`;
  const fix = `remove the redirect, or remove ${sourcePath}.`;
  return { code: "REDIRECT_SOURCE_IS_PAGE", severity: "warning", what, place: redirect.place, fix };
}

function circle({ source, redirect }: RedirectRule, passed: readonly string[]): Diagnostic {
  const chain = [source, ...passed];
  const round = chain.findIndex((path, i) => chain.indexOf(path) < i) + 1;
  const shown = round === 0 || round > 7 ? [...chain.slice(0, 6), "…"] : chain.slice(0, round);
  const what = `The redirect from "${source}" leads in a circle: ${shown.join(" -> ")}.`;
  const fix = "let one of them lead to a page that exists.";
  return { code: "REDIRECT_LOOP", severity: "error", what, place: redirect.place, fix };
}

function missing({ source, redirect }: RedirectRule, path: string): Diagnostic {
  const what = `The redirect from "${source}" leads to "${path}", but the site has no such page or file.`;
  const fix = "let it lead to a page that exists, or remove it.";
  return { code: "REDIRECT_TARGET_MISSING", severity: "warning", what, place: redirect.place, fix };
}
