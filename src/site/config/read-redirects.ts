import type { Location } from "../../lib/diagnostic/index.js";
import { partDefaults } from "./defaults.js";
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
    const first = bySource.get(redirect.source);
    if (first) report(() => sourceTwice(redirect, first));
    else bySource.set(redirect.source, { ...partDefaults.redirect, ...redirect });
  }
  return [...bySource.values()];
});

function sourceTwice(
  { source, destination, location }: Omit<Redirect, "permanent"> & { readonly location: Location },
  first: Redirect,
) {
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
