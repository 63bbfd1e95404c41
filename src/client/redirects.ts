/**
 * On the page for unknown addresses: sends on whom one of the site's wildcard redirects takes, on hosts that read no
 * rules. Exact redirects have pages of their own.
 */
import { applyRule, type Leading } from "../lib/url/apply-rule.js";

/** Stands before this code in the same file. */
declare const offprintRedirects: readonly WrittenRule[];
type WrittenRule = readonly [source: string, regex: string, namesOfCaptures: readonly string[], destination: Leading];

/** No chain of redirects is longer. */
const mostHops = 10;

const rules = offprintRedirects.map(([source, regex, names, destination]) => ({
  source,
  destination,
  pattern: { regex: new RegExp(regex), names },
}));
const { currentScript } = document;
if (currentScript instanceof HTMLScriptElement) {
  // This file lies one folder below the root of the bundle, wherever that is.
  const root = new URL("..", currentScript.src).pathname;
  const target = location.pathname.startsWith(root) ? targetOf(location.pathname.slice(root.length)) : undefined;
  if (target !== undefined) location.replace(/^https?:/.test(target) ? target : root + target);
}

/** Where the rules lead: an address elsewhere, or one relative to the root; undefined where none takes the path. */
function targetOf(written: string): string | undefined {
  // As readers have it: with or without extension, index and slash.
  let path = `/${decode(written)}`.replace(/(?:\/index)?(?:\.html?|\.mdx?)?\/*$/i, "") || "/";
  let suffix = location.search;
  for (let hops = 0; hops <= mostHops; hops++) {
    const next = firstOf(path);
    if (next === undefined)
      return hops === 0 ? undefined : fileOf(path) + (suffix.includes("#") ? suffix : suffix + location.hash);
    if (next.kind === "external") return next.url;
    path = next.path;
    if (next.suffix !== "") suffix = next.suffix;
  }
  return undefined;
}

function firstOf(path: string) {
  for (const rule of rules) {
    const destination = applyRule(rule, path);
    if (destination !== undefined) return destination;
  }
  return undefined;
}

/** The file at a path: a page, if it names no other. */
function fileOf(path: string): string {
  if (path === "/") return "index.html";
  const encoded = path.slice(1).split("/").map(encodeURIComponent).join("/");
  return /\.[a-z]\w*$/i.test(encoded) ? encoded : `${encoded}.html`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
