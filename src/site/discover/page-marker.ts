import type { Frontmatter } from "../site.js";
import type { ApiTarget } from "../specs/index.js";

/** What a page is about, as far as its marker tells it. */
export interface Marked {
  readonly frontmatter: Frontmatter;
  readonly api?: ApiTarget;
  /** Of the channel. */
  readonly protocol?: string;
}

/**
 * The word on the pill beside a page's name: its HTTP method; WEBHOOK, or the protocol of a channel, for what is called
 * in other ways. Undefined for pages that are about no endpoint, and where the writer wants none.
 */
export function markerOf({ frontmatter, api, protocol }: Marked): string | undefined {
  const { openapi, api: endpoint, hideApiMarker } = frontmatter;
  if (hideApiMarker === true) return undefined;
  if (api?.kind === "operation") return api.method.toUpperCase();
  if (api?.kind === "webhook") return "WEBHOOK";
  if (api?.kind === "channel") return protocol;
  const written = openapi ?? endpoint;
  if (typeof written !== "string") return undefined;
  return /(?:^|\s)(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)\s/i.exec(written)?.[1]?.toUpperCase();
}
