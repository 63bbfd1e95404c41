import { type Addresses, hrefWithSuffix, type LoadedKind } from "../../../site/links/index.js";
import type { PagePlan } from "../../../site/site.js";
import { markdownPath } from "../address.js";
import { withoutBrackets } from "../escape.js";

/**
 * Returns the link of a Markdown version to the target of `url`; undefined if it stays as written or is broken. With a
 * `kind` the page loads the target, and an embedded file means its copy in the bundle.
 */
export type ResolveLink = (url: string, sourcePath: string, from: PagePlan, kind?: LoadedKind) => string | undefined;

/** Resolves links to the Markdown versions of pages, and to files; follows redirects. */
export function createMarkdownLinks(addresses: Pick<Addresses, "resolve" | "resolveFile">): ResolveLink {
  return (url, sourcePath, from, kind) => {
    const origin = { sourcePath: from.sourcePath, writtenIn: sourcePath };
    const target = kind ? addresses.resolveFile(url, origin, kind) : addresses.resolve(url, origin);
    switch (target.kind) {
      case "page":
        return withoutBrackets(hrefWithSuffix(markdownPath(from), markdownPath(target.page), target.suffix));
      case "file":
        return withoutBrackets(hrefWithSuffix(markdownPath(from), target.outputPath, target.suffix));
      case "external":
        return target.url === url ? undefined : target.url;
      default:
        return undefined;
    }
  };
}
