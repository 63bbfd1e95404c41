import { type Addresses, hrefWithSuffix } from "../../../site/links/index.js";
import type { PagePlan } from "../../../site/site.js";
import { twinPath } from "../address.js";
import { withoutBrackets } from "../escape.js";

/** Gives the link of a twin to what `url` leads to; undefined for what stays as written, or leads nowhere. */
export type ResolveLink = (url: string, sourcePath: string, from: PagePlan) => string | undefined;

/** Links between twins: to the twin of a page, to a file at its own path, through redirects. */
export function createTwinLinks(addresses: Addresses): ResolveLink {
  return (url, sourcePath, from) => {
    const target = addresses.resolve(url, { sourcePath: from.sourcePath, writtenIn: sourcePath });
    switch (target.kind) {
      case "page":
        return withoutBrackets(hrefWithSuffix(twinPath(from), twinPath(target.page), target.suffix));
      case "file":
        return withoutBrackets(hrefWithSuffix(twinPath(from), target.outputPath, target.suffix));
      case "external":
        return target.url === url ? undefined : target.url;
      default:
        return undefined;
    }
  };
}
