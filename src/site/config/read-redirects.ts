import { partDefaults } from "./defaults.js";
import { type JsonValue, locationOf } from "./json-value.js";
import { described, flag, list, object, type Reader, schemaOf, text, wrong } from "./readers.js";
import type { Redirect } from "./site-config.js";
import { hrefOrBarePath } from "./values.js";

/** A path without query and fragment; the leading slash is optional. */
const redirectSource = described<Reader<string>>(
  (value, report) => {
    const source = text(value, report);
    if (source === undefined) return undefined;
    if (/[?#]|^[a-z][a-z0-9+.-]*:\/\//i.test(source))
      return wrong(value, report, 'a path without "?" and "#", such as "/old/page"');
    return source.startsWith("/") ? source : `/${source}`;
  },
  () => ({ type: "string", pattern: "\\S" }),
);

const redirectFields = object(
  { source: redirectSource, destination: hrefOrBarePath, permanent: flag },
  { required: ["source", "destination"], hints: { from: 'write "source".', to: 'write "destination".' } },
);

/** If two have the same source, the first counts. */
export const redirects = described<Reader<readonly Redirect[]>>(
  (value, report) => {
    const bySource = new Map<string, Redirect>();
    const one: Reader<Redirect> = (item, report) => {
      const read = redirectFields(item, report);
      if (read === undefined) return undefined;
      const before = bySource.get(read.source);
      if (before) report(() => sourceTwice(item, read, before));
      else bySource.set(read.source, { ...partDefaults.redirect, ...read, location: locationOf(item) });
      return undefined;
    };
    return list(one)(value, report) && [...bySource.values()];
  },
  () => schemaOf(list(redirectFields)),
);

function sourceTwice(
  item: JsonValue,
  { source, destination }: { source: string; destination: string },
  before: Redirect,
) {
  return {
    code: "CONFIG_REDIRECT_TWICE",
    severity: "warning",
    what: `The redirect to "${destination}" has no effect: line ${before.location?.line} has one to "${before.destination}" from the same "${source}".`,
    location: locationOf(item),
    fix: "remove one of the two.",
  } as const;
}
