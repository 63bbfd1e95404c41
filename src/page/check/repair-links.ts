import { posix } from "node:path";
import { decodePercent, fragmentOf } from "../../lib/url/index.js";
import { changeLinks } from "./scan-document.js";

/** The id that each missing anchor means, by `anchorKey`. */
export type HealedAnchors = ReadonlyMap<string, string>;

/** @param outputPath of the page that the anchor was looked for in. */
export const anchorKey = (outputPath: string, fragment: string): string => `${outputPath}#${fragment}`;

/** A document, or a piece of one, whose links to healed anchors lead to the ids that they mean. */
export const healLinks = (html: string, outputPath: string, healed: HealedAnchors): string =>
  changeLinks(html, (href) => {
    const target = href.includes("#") ? targetOf(outputPath, href) : undefined;
    const id = target && healed.get(anchorKey(target.path, target.fragment));
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

/** Links that are kept for a folder. */
const mostKept = 10_000;

/** `targetOf` that keeps what it finds for the pages of one folder: they share most of their links. */
export function createTargetFinder(): typeof targetOf {
  let folder: string | undefined;
  const kept = new Map<string, LinkTarget | undefined>();
  return (from, href) => {
    // It leads to the page itself.
    if (href === "" || href[0] === "#" || href[0] === "?") return targetOf(from, href);
    const folderOfPage = from.slice(0, from.lastIndexOf("/") + 1);
    if (folder !== folderOfPage || kept.size >= mostKept) {
      folder = folderOfPage;
      kept.clear();
    }
    const known = kept.get(href);
    if (known !== undefined || kept.has(href)) return known;
    const target = targetOf(from, href);
    kept.set(href, target);
    return target;
  };
}
