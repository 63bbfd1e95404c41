/** Applies the site's wildcard redirects on the 404 page. Exact redirects have pages of their own. */
import { applyRule, type Leading } from "../../lib/url/apply-rule.js";
import { decodePercent } from "../../lib/url/paths.js";

/** Defined before this code in the same file. */
declare const offprintRedirects: readonly WrittenRule[];
type WrittenRule = readonly [source: string, regex: string, captureNames: readonly string[], destination: Leading];

/** Limit that ends redirect loops. */
const maxHops = 10;

const rules = offprintRedirects.map(([source, regex, names, destination]) => ({
  source,
  destination,
  pattern: { regex: new RegExp(regex), names },
}));
const { currentScript } = document;
if (currentScript instanceof HTMLScriptElement) {
  // This file is one folder below the root of the bundle.
  const root = new URL("..", currentScript.src).pathname;
  const target = location.pathname.startsWith(root) ? redirectTarget(location.pathname.slice(root.length)) : undefined;
  if (target !== undefined) location.replace(/^https?:/.test(target) ? target : root + target);
}

/** The destination: an external URL or a path relative to the root; undefined if no rule matches. */
function redirectTarget(written: string): string | undefined {
  // Accept paths with or without extension, `index` and trailing slash.
  let path = `/${decodePercent(written)}`.replace(/(?:\/index)?(?:\.html?|\.mdx?)?\/*$/i, "") || "/";
  let suffix = location.search;
  for (let hops = 0; hops <= maxHops; hops++) {
    const next = redirected(path);
    if (next === undefined)
      return hops === 0 ? undefined : pageFile(path) + (suffix.includes("#") ? suffix : suffix + location.hash);
    if (next.kind === "external") return next.url;
    path = next.path;
    if (next.suffix !== "") suffix = next.suffix;
  }
  return undefined;
}

function redirected(path: string) {
  for (const rule of rules) {
    const destination = applyRule(rule, path);
    if (destination !== undefined) return destination;
  }
  return undefined;
}

/** The file at a path, which is a page unless the path has an extension. */
function pageFile(path: string): string {
  if (path === "/") return "index.html";
  const encoded = path.slice(1).split("/").map(encodeURIComponent).join("/");
  return /\.[a-z]\w*$/i.test(encoded) ? encoded : `${encoded}.html`;
}
