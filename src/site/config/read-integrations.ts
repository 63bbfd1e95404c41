import { byKind, converted, flag, object, oneOf, type Reader, scalarText, text, textLike } from "./readers.js";
import { inQuotes, reportAt, reportInvalid } from "./report-setting.js";

/** Readers of the settings of third-party services, one for each service. */

const httpsUrl = textLike(/^https:\/\/[^\s"'<>]+$/i, "an https:// URL");
const host = textLike(/^[a-z0-9.-]+(?::\d+)?(?:\/[\w./-]*)?$/i, 'a host name without "https://"');
const startsWithG = textLike(/^G[A-Z0-9-]+$/i, 'an ID that starts with "G", such as "G-1A2B3C4D"');
const longText = textLike(/^.{6,}$/, "a string of at least 6 characters");

const snippet = object({ snippetId: longText }, { required: ["snippetId"] });

const services = object({
  adobe: object({ launchUrl: httpsUrl }, { required: ["launchUrl"] }),
  amplitude: object({ apiKey: text }, { required: ["apiKey"] }),
  clarity: object({ projectId: text }, { required: ["projectId"] }),
  clearbit: object({ publicApiKey: text }, { required: ["publicApiKey"] }),
  cookies: object({ key: text, value: scalarText }, { required: ["key", "value"] }),
  fathom: object({ siteId: text }, { required: ["siteId"] }),
  frontchat: byKind({ string: converted(longText, (snippetId) => ({ snippetId })), object: snippet }),
  ga4: object({ measurementId: startsWithG }, { required: ["measurementId"] }),
  gtm: object({ tagId: startsWithG }, { required: ["tagId"] }),
  heap: object({ appId: scalarText }, { required: ["appId"] }),
  hightouch: object({ writeKey: text, apiHost: host }, { required: ["writeKey"] }),
  hotjar: object({ hjid: scalarText, hjsv: scalarText }, { required: ["hjid", "hjsv"] }),
  intercom: object({ appId: longText }, { required: ["appId"] }),
  koala: object({ publicApiKey: text }, { required: ["publicApiKey"] }),
  logrocket: converted(object({ appId: text, apiKey: text }), ({ appId, apiKey }, value, report) =>
    appId === undefined && apiKey === undefined
      ? reportInvalid(value, report, 'an object with "appId"')
      : { appId: appId ?? apiKey },
  ),
  mixpanel: object({ projectToken: text, region: oneOf(["us", "eu", "in"]) }, { required: ["projectToken"] }),
  onetrust: object({ domainScript: text, categoryId: text, scriptSource: httpsUrl }, { required: ["domainScript"] }),
  pirsch: object({ id: text }, { required: ["id"] }),
  plausible: object({ domain: host, server: host }, { required: ["domain"] }),
  posthog: object(
    { apiKey: textLike(/^phc_\w+$/, 'a key that starts with "phc_"'), apiHost: httpsUrl, sessionRecording: flag },
    { required: ["apiKey"] },
  ),
  segment: object({ key: text, cdnUrl: httpsUrl }, { required: ["key"] }),
  telemetry: object({ enabled: flag }),
  transcend: object(
    { bundleId: textLike(/^[\w-]+$/, "letters, digits, _ and - only"), analyticsPurpose: text },
    { required: ["bundleId"] },
  ),
});

/** Consent and switches have no script of their own. */
const withoutScript = new Set(["cookies", "telemetry"]);

/** A bundle contains no script of another company, so each one that the site asks for is reported. */
export const integrations: Reader<Readonly<Record<string, unknown>>> = converted(services, (read, value, report) => {
  for (const { name, value: settings } of value.kind === "object" ? value.members : [])
    if (Object.hasOwn(read, name) && !withoutScript.has(name)) {
      const what = `${inQuotes(settings)} has no effect: exported pages load no script of another service, so it sees none of their readers.`;
      const fix = `remove it; if you need the service, put its script into a .js file of the site, which every page loads.`;
      reportAt(settings, report, "INTEGRATION_LEFT_OUT", what, fix);
    }
  return read;
});
