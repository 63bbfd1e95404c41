import type { Frontmatter } from "../site.js";
import type { ApiTarget } from "../specs/index.js";

/** The facts that the marker of a page depends on. */
export interface Marked {
  readonly frontmatter: Frontmatter;
  readonly api?: ApiTarget;
  /** Of the channel. */
  readonly protocol?: string;
}

/**
 * The word on the pill next to a page's name: the HTTP method, WEBHOOK, or the protocol of a channel. Undefined for a page
 * without an endpoint, or if the writer turns it off.
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
