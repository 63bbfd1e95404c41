import type { PagePlan } from "../../discover/site.js";
import { relativeLink, twinPath } from "../address.js";
import type { PageLookup, SiteTarget } from "../page-lookup.js";
import type { RedirectTable } from "../redirect-rules.js";

/** Gives the link of a twin to what `url` leads to; undefined for what leads elsewhere, or nowhere. */
export type ResolveLink = (url: string, sourcePath: string, from: PagePlan) => string | undefined;

/**
 * Links between twins: to the twin of a page, to a file at its own path, through redirects. Relative links count from
 * the file they are written in (FORMAT 4.8), and from the root where nothing stands there.
 */
export function createLinkResolver(lookup: PageLookup, redirects: RedirectTable): ResolveLink {
  const link = (target: SiteTarget, suffix: string, from: PagePlan): string => {
    if (target.kind === "file") return relativeLink(twinPath(from), target.outputPath) + suffix;
    if (target.page === from && suffix.startsWith("#")) return suffix;
    return relativeLink(twinPath(from), twinPath(target.page)) + suffix;
  };

  return (url, sourcePath, from) => {
    if (url === "" || /^(?:#|\/\/|[A-Za-z][\w+.-]*:)/.test(url)) return undefined;
    const end = url.search(/[?#]/);
    const written = decode(end < 0 ? url : url.slice(0, end));
    const suffix = end < 0 ? "" : url.slice(end);
    for (const path of candidates(written, sourcePath)) {
      const target = lookup.find(path);
      if (target !== undefined) return link(target, suffix, from);
      const moved = redirects.follow(path);
      if (moved?.kind === "external") return moved.url;
      if (moved?.target !== undefined) return link(moved.target, moved.suffix || suffix, from);
    }
    return undefined;
  };
}

function candidates(written: string, sourcePath: string): string[] {
  if (written === "") return [];
  if (written.startsWith("/")) return [normalize(written)];
  const folder = sourcePath.slice(0, sourcePath.lastIndexOf("/") + 1);
  const besides = normalize(`/${folder}${written}`);
  return written.startsWith(".") ? [besides] : [besides, normalize(`/${written}`)];
}

/** Takes out `.` and `..`; nothing leads above the root. */
function normalize(path: string): string {
  if (!/\/\.{0,2}(?:\/|$)/.test(path)) return path;
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
