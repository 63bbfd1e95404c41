import type { Location } from "../../lib/diagnostic/index.js";
import { partDefaults } from "./defaults.js";
import type { Report } from "./json-value.js";
import { converted, flag, list, located, object, type Reader, text } from "./readers.js";
import { reportInvalid } from "./report-setting.js";
import type { Redirect } from "./site-config.js";
import { hrefOrBarePath } from "./values.js";

/** A path without query and fragment; the leading slash is optional. */
const redirectSource = converted(text, (source, value, report) => {
  if (/[?#]|^[a-z][a-z0-9+.-]*:\/\//i.test(source))
    return reportInvalid(value, report, 'a path without "?" and "#", such as "/old/page"');
  return source.startsWith("/") ? source : `/${source}`;
});

const redirectFields = object(
  { source: redirectSource, destination: hrefOrBarePath, permanent: flag },
  { required: ["source", "destination"], hints: { from: 'write "source".', to: 'write "destination".' } },
);

/** If two have the same source, the first counts. */
export const redirects: Reader<readonly Redirect[]> = converted(list(located(redirectFields)), (written, _, report) => {
  const bySource = new Map<string, Redirect>();
  for (const redirect of written) {
    reportUnknownPart(redirect, report);
    const first = bySource.get(redirect.source);
    if (first) report(() => sourceTwice(redirect, first));
    else bySource.set(redirect.source, { ...partDefaults.redirect, ...redirect });
  }
  return [...bySource.values()];
});

/** `:page` and `$1` stand for parts of the source; one that the source does not have stays in the URL as typed. */
function reportUnknownPart({ source, destination, location }: Located, report: Report): void {
  const known = new Set(source.match(partNames));
  const path = destination.replace(/^[a-z][a-z\d+.-]*:(?:\/\/[^/]*)?/i, "");
  const unknown = path.match(partNames)?.find((name) => !known.has(name)) ?? /\$\d\b/.exec(path)?.[0];
  if (unknown === undefined) return;
  report({
    code: "REDIRECT_TARGET_MISSING",
    severity: "warning",
    what: `The redirect from "${source}" goes to "${destination}", whose ${unknown} stands for nothing: the source has no such part.`,
    location,
    fix: unknown.startsWith("$")
      ? "write * for the part that * stands for in the source."
      : known.size > 0
        ? `write ${[...known][0]}.`
        : `write ${unknown} in the source too.`,
  });
}
const partNames = /:[a-z]\w*(?:\*|\b)/gi;
type Located = Omit<Redirect, "permanent"> & { readonly location: Location };

function sourceTwice({ source, destination, location }: Located, first: Redirect) {
  const what = `The redirect to "${destination}" has no effect: line ${first.location?.line} already redirects to "${first.destination}" from the same "${source}".`;
  const related = first.location && { related: { location: first.location, what: "first here" } };
  return {
    code: "CONFIG_REDIRECT_TWICE",
    severity: "warning",
    what,
    location,
    ...related,
    fix: "remove one of the two.",
  } as const;
}
