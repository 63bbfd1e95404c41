import { type Addresses, hrefWithSuffix } from "../../../site/links/index.js";
import type { PagePlan } from "../../../site/site.js";
import { markdownPath } from "../address.js";
import { withoutBrackets } from "../escape.js";

/** Gives the link of a Markdown version to what `url` leads to; undefined for what stays as written, or leads nowhere. */
export type ResolveLink = (url: string, sourcePath: string, from: PagePlan) => string | undefined;

/** Links between Markdown versions: to the Markdown version of a page, to a file at its own path, through redirects. */
export function createMarkdownLinks(addresses: Addresses): ResolveLink {
  return (url, sourcePath, from) => {
    const target = addresses.resolve(url, { sourcePath: from.sourcePath, writtenIn: sourcePath });
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
