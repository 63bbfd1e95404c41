import { posix } from "node:path";
import { decodePercent, fragmentOf } from "../../lib/url/index.js";
import { changeLinks } from "./scan-document.js";

/** The ids that replace missing anchors, by `anchorKey`. */
export type AnchorRepairs = ReadonlyMap<string, string>;

/** @param outputPath the page that the link leads to. */
export const anchorKey = (outputPath: string, fragment: string): string => `${outputPath}#${fragment}`;

/** Repairs the links of a document, or of a piece of one. */
export const repairLinks = (html: string, outputPath: string, repairs: AnchorRepairs): string =>
  changeLinks(html, (href) => {
    const target = href.includes("#") ? targetOf(outputPath, href) : undefined;
    const id = target && repairs.get(anchorKey(target.path, target.fragment));
    return id === undefined ? undefined : href.replace(/#.*$/s, () => fragmentOf(id));
  });

export interface LinkTarget {
  readonly path: string;
  readonly fragment: string;
}

/** Output path and fragment that a link of a page leads to; undefined for one that leaves the bundle. */
export function targetOf(from: string, href: string): LinkTarget | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href)) return undefined;
  const hash = href.indexOf("#");
  const fragment = hash < 0 ? "" : href.slice(hash + 1);
  const path = (hash < 0 ? href : href.slice(0, hash)).replace(/\?.*$/s, "");
  return {
    path: path === "" ? from : posix.join(posix.dirname(from), decodePercent(path)),
    // A text fragment marks words, not an element; "top" is the start of the page.
    fragment: fragment.startsWith(":~:") || fragment === "top" ? "" : decodePercent(fragment),
  };
}

/** Limit of cached links of a folder. */
const maxCached = 10_000;

/** A `targetOf` that caches its results for the pages of one folder, which share most of their links. */
export function createTargetFinder(): typeof targetOf {
  let folder: string | undefined;
  const cached = new Map<string, LinkTarget | undefined>();
  return (from, href) => {
    // The link leads to the page itself.
    if (href === "" || href[0] === "#" || href[0] === "?") return targetOf(from, href);
    const folderOfPage = from.slice(0, from.lastIndexOf("/") + 1);
    if (folder !== folderOfPage || cached.size >= maxCached) {
      folder = folderOfPage;
      cached.clear();
    }
    if (cached.has(href)) return cached.get(href);
    const key = copied(href);
    const target = targetOf(from, key);
    cached.set(key, target);
    return target;
  };
}

/** Copies a part of a string, which would otherwise keep the whole string in memory: here, a document for each link. */
const copied = (part: string): string => ` ${part}`.slice(1);
