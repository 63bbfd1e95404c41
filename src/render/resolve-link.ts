import type { Site } from "../discover/site.js";
import { relativeHref } from "./relative-href.js";
import { createSitePaths, type SiteFile } from "./site-paths.js";
import { cleanUrl, isUnsafeUrl } from "./url-safety.js";

/** Where a link stands. */
export interface LinkOrigin {
  /** The page that shows it. */
  readonly sourcePath: string;
  readonly outputPath: string;
  /** The file it was written in, if that is a snippet. */
  readonly writtenIn?: string;
}

export type ResolvedLink =
  /** Leads to a place in the page itself. */
  | { readonly kind: "fragment"; readonly href: string }
  /** Leads to a page or file of the site. `rightCase` is its site path where the written one differs in case only. */
  | {
      readonly kind: "page" | "file";
      readonly href: string;
      readonly outputPath: string;
      readonly rightCase?: string;
    }
  /** Has a scheme or a host of its own; `host` tells whether it opens another site. */
  | { readonly kind: "external"; readonly href: string; readonly host: boolean }
  /** Would run code or reach into the reader's machine. */
  | { readonly kind: "unsafe" }
  /** Leads nowhere: `href` is where its target would stand, `nearest` the site path it may mean. */
  | { readonly kind: "missing"; readonly href: string; readonly path: string; readonly nearest?: string };

export type LinkResolver = (written: string, from: LinkOrigin) => ResolvedLink;

/**
 * Finds what the links of a site mean. A path is looked for from the file it was written in, then from the page that
 * shows it, then from the root; pages answer before redirects. Hrefs are relative to the page's output path, with
 * query and fragment kept and everything percent-encoded. Cheap to make: look-ups build their tables when first asked.
 */
export function createLinkResolver(site: Site): LinkResolver {
  const paths = createSitePaths(site);

  return (written, from) => {
    const url = cleanUrl(written);
    if (url === "" || url.startsWith("#")) return { kind: "fragment", href: `#${encodeFragment(url.slice(1))}` };
    if (isUnsafeUrl(url)) return { kind: "unsafe" };
    if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return external(url);
    // From file:// an address without a scheme would be looked for on the reader's disk.
    if (/^[\\/]{2}/.test(url)) return external(`https://${url.replace(/^[\\/]+/, "")}`);

    const tail = url.search(/[?#]/);
    const path = decode(tail < 0 ? url : url.slice(0, tail)).replaceAll("\\", "/");
    const suffix = tail < 0 ? "" : encodeSuffix(url.slice(tail));
    const to = (target: SiteFile, tailOfTarget = ""): ResolvedLink => {
      const href = hrefTo(from.outputPath, target.outputPath, suffix === "" ? encodeSuffix(tailOfTarget) : suffix);
      return { kind: target.kind, outputPath: target.outputPath, href };
    };
    if (path === "") return to({ kind: "page", path: "", outputPath: from.outputPath });

    const candidates = candidatesOf(path, from);
    const exact = firstOf(candidates, paths.find);
    if (exact) return to(exact);
    const redirected = firstOf(candidates, paths.redirected);
    if (redirected?.kind === "external") return external(redirected.url);
    if (redirected) return to(redirected, redirected.suffix);
    const otherCase = firstOf(candidates, paths.findIgnoringCase);
    if (otherCase) return { ...to(otherCase), rightCase: otherCase.path } as ResolvedLink;

    const wanted = candidates[0]!;
    const nearest = firstOf(candidates, paths.nearest);
    const outputPath = /\.\w+$/.test(wanted) ? wanted.replace(/\.mdx?$/, ".html") : `${wanted || "index"}.html`;
    return { kind: "missing", href: relativeHref(from.outputPath, outputPath) + suffix, path: `/${wanted}`, nearest };
  };
}

function firstOf<T>(candidates: readonly string[], find: (candidate: string) => T | undefined): T | undefined {
  for (const candidate of candidates) {
    const found = find(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

const external = (url: string): ResolvedLink =>
  isUnsafeUrl(url)
    ? { kind: "unsafe" }
    : { kind: "external", href: encodeUnsafe(url), host: /^(?:https?|ftps?):|^\/\//i.test(url) };

/** A link to the page itself needs only the fragment. */
function hrefTo(from: string, to: string, suffix: string): string {
  return from === to && suffix.startsWith("#") ? suffix : relativeHref(from, to) + suffix;
}

/** The site paths that a written path may mean, likeliest first, without leading or trailing slash. */
function candidatesOf(path: string, from: LinkOrigin): readonly string[] {
  if (path.startsWith("/")) return [joined("", path)];
  const candidates = [joined(folderOf(from.writtenIn ?? from.sourcePath), path)];
  if (from.writtenIn !== undefined) candidates.push(joined(folderOf(from.sourcePath), path));
  if (!path.startsWith(".")) candidates.push(joined("", path));
  return candidates;
}

const folderOf = (sourcePath: string): string => sourcePath.slice(0, Math.max(0, sourcePath.lastIndexOf("/")));

/** Joined and normalised; `..` does not lead out of the site. */
function joined(folder: string, path: string): string {
  const segments: string[] = folder === "" ? [] : folder.split("/");
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}

function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const encodeUnsafe = (text: string): string => text.replace(/[\s"<>\\^`{|}\p{Cc}]/gu, encodeURIComponent);

function encodeFragment(fragment: string): string {
  if (/^[\w/:.~-]*$/.test(fragment)) return fragment;
  // In a text fragment a comma and an encoded comma differ.
  if (fragment.startsWith(":~:")) return encodeUnsafe(fragment);
  return encodeURI(decode(fragment)).replaceAll("#", "%23");
}

function encodeSuffix(suffix: string): string {
  const hash = suffix.indexOf("#");
  if (hash < 0) return encodeUnsafe(suffix);
  return `${encodeUnsafe(suffix.slice(0, hash))}#${encodeFragment(suffix.slice(hash + 1))}`;
}
