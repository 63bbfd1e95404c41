import { type Diagnostic, quoted } from "../../lib/diagnostic/index.js";
import { escapeHtml } from "../../lib/html/escape.js";
import { lazy } from "../../lib/memo.js";
import { oneLine } from "../../lib/plain-text.js";
import { isStorable } from "../../lib/portable-name.js";
import { encodePath, foldPath } from "../../lib/url/index.js";
import {
  bundlePathsOf,
  type Destination,
  isReserved,
  isUsedAtRoot,
  type RedirectRule,
  relativeHref,
} from "../../site/links/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import { pageUrl } from "./address.js";

export interface RedirectFiles {
  /** A page for each exact redirect whose path is free in the bundle, and the one at `/`. */
  readonly stubs: readonly { readonly path: string; readonly text: string }[];
  /** Lines of `_redirects`; empty if there are none. */
  readonly hostRules: string;
  /** Where the exact redirects lead in the bundle. */
  readonly targets: readonly RedirectTarget[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A page or file that a redirect leads to. Only the finished bundle shows whether it has the file and the anchor. */
export interface RedirectTarget {
  readonly rule: RedirectRule;
  readonly outputPath: string;
  /** `?query#fragment`. */
  readonly suffix: string;
}

/** Redirects as stub pages, which replace no page or file, and as rules that hosts read from `_redirects`. */
export function redirectFiles(
  site: Site,
  rules: readonly RedirectRule[],
  baseUrl: string | undefined,
  headScript: string,
): RedirectFiles {
  // Few sites have redirects, and each page has a path.
  const paths = lazy(() => bundlePathsOf(site));
  const diagnostics: Diagnostic[] = [];
  const stubs: { path: string; text: string }[] = [];
  const targets: RedirectTarget[] = [];
  const exactLines: string[] = [];
  const wildcardLines: string[] = [];
  /** Adds a stub, or returns the path of the file or folder in its place. */
  const addStub = (path: string, destination: Destination, source: string): string | undefined => {
    const owner = rules.length > 0 ? paths().claim(path, `the redirect from "${source}"`) : undefined;
    if (owner === undefined) stubs.push({ path, text: stub(path, destination, site, baseUrl, headScript) });
    return owner;
  };

  for (const rule of rules) {
    if (rule.pattern !== undefined) {
      const line = wildcardLine(rule);
      if (line === undefined) diagnostics.push(notPortable(rule));
      else wildcardLines.push(line);
      continue;
    }
    exactLines.push(hostLine(rule, hostPath(rule.source), hostTarget(rule.destination)));
    if (rule.destination.kind === "internal") {
      const { target, suffix } = rule.destination;
      if (target === undefined) continue;
      targets.push({ rule, outputPath: target.outputPath, suffix });
    }
    const path = stubPath(rule.source);
    if (!isPortablePath(path)) {
      diagnostics.push(badName(rule));
      continue;
    }
    const owner = addStub(path, rule.destination, rule.source);
    // `/Guides` -> `/guides`: if both are the same file, it is already the right one.
    if (owner !== undefined && owner !== outputPathOf(rule.destination)) {
      const isOfSite = site.staticFiles.includes(owner) || (owner.endsWith(".html") && !isReserved(owner));
      diagnostics.push(collision(rule, owner, isOfSite));
    }
  }

  const home = site.homePage === undefined ? undefined : site.pages[site.homePage];
  // Most sites have no redirects: they need not know all their paths for this.
  if (home !== undefined && (rules.length > 0 || !isUsedAtRoot(site, "index.html")))
    addStub(
      "index.html",
      {
        kind: "internal",
        path: home.urlPath,
        suffix: "",
        target: { kind: "page", page: home, outputPath: home.outputPath },
      },
      "/",
    );

  // Hosts require exact rules before wildcards.
  const hostRules = [...exactLines, ...wildcardLines].map((line) => `${line}\n`).join("");
  return { stubs, hostRules, targets, diagnostics };
}

function stubPath(source: string): string {
  const path = source.slice(1);
  if (path === "") return "index.html";
  return path.endsWith(".html") ? path : `${path}.html`;
}

/** Whether every system allows a file at that path. */
const isPortablePath = (path: string): boolean =>
  path.length <= 1000 && path.isWellFormed() && isStorable(path) && !foldPath(path).startsWith("_offprint/");

const outputPathOf = (destination: Destination): string | undefined =>
  destination.kind === "external" ? undefined : destination.target?.outputPath;

/** Without an icon of its own, browsers would ask for /favicon.ico, which a bundle need not have. */
function stub(
  path: string,
  destination: Destination,
  site: Site,
  baseUrl: string | undefined,
  headScript: string,
): string {
  const page = targetPage(destination);
  const href =
    destination.kind === "external"
      ? destination.url
      : relativeHref(path, outputPathOf(destination)!) + safeSuffix(destination.suffix);
  const label = oneLine(page?.title ?? (destination.kind === "external" ? destination.url : destination.path));
  const canonical = canonicalOf(destination, site, baseUrl);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(label)}</title>
<meta http-equiv="refresh" content="0; url=${escapeHtml(href)}">
<script src="${relativeHref(path, headScript)}"></script>
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">${canonical === undefined ? "" : `\n<link rel="canonical" href="${escapeHtml(canonical)}">`}
</head>
<body>
<p>This page has moved to <a href="${escapeHtml(href)}">${escapeHtml(label)}</a>.</p>
</body>
</html>
`;
}

const targetPage = (destination: Destination): PagePlan | undefined =>
  destination.kind === "internal" && destination.target?.kind === "page" ? destination.target.page : undefined;

function canonicalOf(destination: Destination, site: Site, baseUrl: string | undefined): string | undefined {
  if (destination.kind === "external") return destination.url;
  const page = targetPage(destination);
  if (baseUrl === undefined || page === undefined) return undefined;
  return pageUrl(baseUrl, page.urlPath, site.config.seo.trailingSlash);
}

/** A query and fragment that cannot end the URL early, in a refresh or in a line of `_redirects`. */
const safeSuffix = (suffix: string) =>
  suffix.replace(/[\s"'<>`]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

/** All hosts support 301 and 302, only some 308 and 307; for GET requests both mean the same. */
const hostLine = ({ redirect }: RedirectRule, source: string, target: string) =>
  `${source} ${target} ${redirect.permanent ? 301 : 302}`;

/** Percent-encoded, except for the characters of a wildcard. */
const hostPath = (path: string): string => encodePath(path).replaceAll("%3A", ":").replaceAll("%2B", "+");

const hostTarget = (destination: Destination): string =>
  destination.kind === "external"
    ? safeSuffix(destination.url)
    : hostPath(destination.target?.kind === "page" ? destination.target.page.urlPath : destination.path) +
      safeSuffix(destination.suffix);

/** Hosts support `:name` for one segment, and one `*` at the end, which the target calls `:splat`. */
function wildcardLine(rule: RedirectRule): string | undefined {
  const { source, destination, pattern } = rule;
  const catchAll = /(?:\*|:([A-Za-z_]\w*)[*+])/g;
  const stars = [...source.matchAll(catchAll)];
  const last = stars[0];
  if (stars.length > 1 || (last !== undefined && last.index + last[0].length !== source.length)) return undefined;
  const star = last?.[1] ?? "*";
  const target = hostTarget(destination).replace(/:([A-Za-z_]\w*)[*+]?|\*/g, (whole, name: string | undefined) => {
    if (name === undefined || name === star) return ":splat";
    return pattern!.names.includes(name) ? `:${name}` : whole;
  });
  return hostLine(rule, hostPath(source.replace(catchAll, "*")), target);
}

function notPortable({ redirect: { source, location } }: RedirectRule): Diagnostic {
  const isPattern = source.endsWith(")");
  const part = isPattern ? "a pattern in parentheses" : 'a "*" before its end';
  const what = `The redirect from "${source}" has ${part}, which _redirects cannot express; only the script on the 404 page follows it.`;
  const path = quoted(source.replace(/(:\w+)?\([^()]*\)$/, "$1*"));
  const fix = `${isPattern ? `write ${path}` : "move the wildcard to the end"}, or write several redirects.`;
  return { code: "REDIRECT_NOT_PORTABLE", severity: "warning", what, location, fix, about: [`redirect ${source}`] };
}

function badName({ redirect: { source, location } }: RedirectRule): Diagnostic {
  const what = `The redirect from "${source}" gets no page of its own, because some systems cannot store a file with that name; hosts that read _redirects still follow it.`;
  const fix = "if your host reads _redirects, do nothing; otherwise link to the new page directly.";
  return { code: "REDIRECT_NAME_UNPORTABLE", severity: "warning", what, location, fix };
}

function collision({ redirect: { source, location } }: RedirectRule, owner: string, isOfSite: boolean): Diagnostic {
  const what = `The redirect from "${source}" gets no page of its own, because ${owner} already has that path (many systems ignore upper and lower case); hosts that read _redirects still follow it.`;
  const fix = isOfSite ? `remove the redirect, or rename ${owner}.` : "remove the redirect.";
  return { code: "REDIRECT_COLLISION", severity: "warning", what, location, fix };
}
