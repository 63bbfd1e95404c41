import { intoSite, type RemoteFailure } from "../bundle/remote/index.js";
import { type Diagnostic, quoted } from "../lib/diagnostic/index.js";
import type { ExternalUse } from "../page/render/index.js";

/**
 * Reports what an air-gapped reader cannot load: everything that the site's own content loads from another host. Inline
 * scripts and the site's own scripts are in `external`, but are not requests.
 *
 * @param failureOf why the export has no copy of a file, if it tried
 */
export function outsideRequests(
  external: readonly ExternalUse[],
  failureOf: (use: ExternalUse) => RemoteFailure | undefined,
): Diagnostic[] {
  return external
    .filter(({ url }) => /^(?:https?:)?\/\//i.test(url))
    .map((use) => {
      const { kind, url, location } = use;
      const failure = failureOf(use);
      const tried = failure ? ` It is not embedded, because ${failure.reason}.` : "";
      return {
        code: "OUTSIDE_REQUEST",
        severity: "error",
        what: `${kindNames[kind]} ${quoted(url, 200)} comes from another host, which an air-gapped reader cannot reach.${tried}`,
        location,
        fix: failure?.fix ?? fixes[kind] ?? intoSite(url),
      };
    });
}

const fixes: Readonly<Partial<Record<ExternalUse["kind"], string>>> = {
  embed: "link to it, or put an image or a video of it into the site.",
};
/** At the beginning of a sentence. */
export const kindNames: Readonly<Record<ExternalUse["kind"], string>> = {
  image: "The image",
  media: "The video or audio file",
  embed: "The embedded page",
  script: "The script",
  style: "The style sheet or font",
};
