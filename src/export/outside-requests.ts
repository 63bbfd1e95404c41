import { type Diagnostic, quoted } from "../lib/diagnostic/index.js";
import type { ExternalUse } from "../page/render/index.js";

/**
 * Reports what an air-gapped reader cannot load: everything that the site's own content loads from another host. Inline
 * scripts and the site's own scripts are in `external`, but are not requests.
 */
export function outsideRequests(external: readonly ExternalUse[]): Diagnostic[] {
  return external
    .filter(({ url }) => /^(?:https?:)?\/\//i.test(url))
    .map(({ kind, url, location }) => ({
      code: "OUTSIDE_REQUEST",
      severity: "error",
      what: `${kinds[kind].name} ${quoted(url, 200)} comes from another host, which an air-gapped reader cannot reach.`,
      location,
      fix: kinds[kind].fix,
    }));
}

const intoSite = "put the file into the site and write its path.";
const kinds: Readonly<Record<ExternalUse["kind"], { readonly name: string; readonly fix: string }>> = {
  image: { name: "The image", fix: intoSite },
  media: { name: "The video or audio file", fix: intoSite },
  embed: { name: "The embedded page", fix: "link to it, or put an image or a video of it into the site." },
  script: { name: "The script", fix: intoSite },
  style: { name: "The style sheet or font", fix: intoSite },
};
