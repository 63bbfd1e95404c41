import { type Diagnostic, quoted } from "../lib/diagnostic/index.js";
import type { ExternalUse } from "../page/render/index.js";

/**
 * What an air-gapped reader will not get: everything that the site's own content loads from another host. Nothing of ours
 * does, and integrations are not part of a bundle. Inline scripts and scripts of the site itself make no request by being
 * there, so only the list of outside uses names them.
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
  media: { name: "The film or sound", fix: intoSite },
  embed: { name: "The frame", fix: "link to what it shows, or put a picture or film of it into the site." },
  script: { name: "The script", fix: intoSite },
  style: { name: "The style sheet or font", fix: intoSite },
};
