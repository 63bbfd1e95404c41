import { type Diagnostic, errorOf, type Location, quoted, warningOf } from "../../lib/diagnostic/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { specFormats } from "../api-spec.js";
import type { SiteFiles } from "../source/index.js";
import { configDefaults, partDefaults } from "./defaults.js";
import { type JsonObject, type JsonValue, locationOf, memberOf, type Report, shown } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import oldSettingHints from "./old-setting-hints.json" with { type: "json" };
import { diagnosticCollector, jsonFileReader, parseJson } from "./parse-json.js";
import { appearanceFields, primaryMissing } from "./read-appearance.js";
import { navigation } from "./read-navigation.js";
import { frameFields } from "./read-page-frame.js";
import { pageFields } from "./read-page-settings.js";
import {
  byKind,
  converted,
  flag,
  ignored,
  list,
  located,
  object,
  oneOf,
  oneOrList,
  type Reader,
  scalarText,
  text,
  textLike,
} from "./readers.js";
import { inQuotes, reportAt, reportInvalid } from "./report-setting.js";
import { resolveRefs } from "./resolve-refs.js";
import type { ApiConfig, Navigation, Redirect, SiteConfig } from "./site-config.js";
import { upgradeMintJson, upgradeOldSettings } from "./upgrade-mint-json.js";
import { href, hrefOrBarePath, specLists } from "./values.js";

export interface LoadedConfig {
  /** Absent if the configuration file is missing or unreadable; an error says why. */
  readonly config?: SiteConfig;
  /** In printing order. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads docs.json, or else mint.json, with the files it refers to.
 *
 * Out:   every setting checked, defaults filled in. An invalid setting is reported with its location and the default
 *        applies, so the pages can be exported even without a navigation.
 * Fails: a fault in the site is never thrown.
 */
export function loadConfig(files: SiteFiles): LoadedConfig {
  const sourcePath = ["docs.json", "mint.json"].find((name) => files.has(name));
  if (sourcePath === undefined) return { diagnostics: [configNotFound(files)] };
  const { report, hasErrors, blame, sorted } = diagnosticCollector(sourcePath);
  const settingsFiles: string[] = [];
  const written = readRoot(sourcePath, files, report, settingsFiles);
  const root =
    written &&
    (sourcePath === "mint.json"
      ? upgradeMintJson(written, report)
      : upgradeOldSettings(written, oldSettingHints, report));
  // Do not report missing settings after an error, such as a broken reference, which may be the reason.
  const mayReportMissing = !hasErrors();
  const settings = root && rootFields(root, report);
  if (root === undefined || settings === undefined) return { diagnostics: sorted() };
  const { errors: notFound = configDefaults.notFound, ...rest } = settings;
  const includedFiles = settingsFiles.slice(1);
  const config = { ...configDefaults, ...rest, notFound, sourcePath, includedFiles, locations: settingLocations(root) };
  if (mayReportMissing) missingSettings(root, config.navigation, blame).forEach(report);
  return { config, diagnostics: sorted() };
}

/** @param paths receives the paths of all files that are read. */
function readRoot(sourcePath: string, files: SiteFiles, report: Report, paths: string[]): JsonObject | undefined {
  const read = jsonFileReader(files, report);
  const readFile = (path: string) => {
    paths.push(path);
    return read(path);
  };
  const file = readFile(sourcePath);
  const parsed = file && parseJson(file, report);
  const root = parsed && resolveRefs(parsed, files, readFile, report);
  if (!root || root.kind === "object") return root;
  const what = `${root.at.file.sourcePath} contains ${shown(root)}, but must contain an object.`;
  return reportAt(root, report, "CONFIG_NOT_AN_OBJECT", what, "put the settings inside { }.", { severity: "error" });
}

function missingSettings(
  root: JsonObject,
  navigation: Navigation,
  blame: (setting: string, code: string, effect: string) => boolean,
): Diagnostic[] {
  const location = locationOf(root);
  const missing = (what: string, fix: string): Diagnostic => {
    return { code: "CONFIG_KEY_MISSING", severity: "warning", what, location, fix };
  };
  const { name, theme } = configDefaults;
  const faults: Diagnostic[] = [];
  if (!memberOf(root, "theme") && root.at.file.sourcePath !== "mint.json")
    faults.push(missing(`The site has no "theme"; "${theme}" is used.`, `add "theme": "${theme}".`));
  if (!memberOf(root, "name"))
    faults.push(
      missing(`The site has no "name"; "${name}" is used.`, 'add "name": "…" with the name of your product.'),
    );
  if (!memberOf(root, "colors")) faults.push(primaryMissing(root));
  const isEmpty = navigation.children.length === 0 && specFormats.every((format) => navigation[format].length === 0);
  if (isEmpty && !blame("navigation", "CONFIG_NAVIGATION_MISSING", "The pages are exported without a navigation.")) {
    const written = memberOf(root, "navigation");
    faults.push({
      ...errorOf("CONFIG_NAVIGATION_MISSING"),
      what: `The site has no ${written ? "pages in its " : ""}"navigation", so its pages are exported without one.`,
      location: locationOf(written ?? root),
      fix: 'add "navigation": { "pages": ["index"] }, and list the paths of your pages.',
    });
  }
  return faults;
}

const smallestConfig = `{
  "theme": "mint",
  "name": "My product",
  "colors": { "primary": "${configDefaults.colors.primary}" },
  "navigation": { "pages": ["index"] }
}`;

function configNotFound(files: SiteFiles): Diagnostic {
  const deeper = files.paths.find((path) => path.endsWith("/docs.json") || path.endsWith("/mint.json"));
  const what = "The site folder has neither docs.json nor the older mint.json.";
  const other = files.paths.find((path) => /^(?:docs|mint)\.(?:json|json\.txt|jsonc|json5|ya?ml)$/i.test(path));
  const fix = other
    ? `${/ya?ml$/i.test(other) ? `convert ${other} to JSON, and save it as` : `rename ${other} to`} docs.json.`
    : deeper
      ? `export the folder ${deeper.slice(0, deeper.lastIndexOf("/"))} inside it, which contains one.`
      : `create docs.json with a list of the pages:\n${smallestConfig}`;
  return { code: "CONFIG_NOT_FOUND", severity: "error", what, location: { sourcePath: "docs.json" }, fix };
}

/**
 * The locations of the settings that later stages report on, including those in files that docs.json refers to, by the path
 * of each value (`background.image.dark`, `styling.codeblocks.languages.custom[0]`). Redirects and navigation may be large;
 * their values contain their locations.
 */
function settingLocations(root: JsonObject): ReadonlyMap<string, Location> {
  const locations = new Map<string, Location>();
  const add = (value: JsonValue, path: string): void => {
    if (locations.size >= maxLocations) return;
    locations.set(path, locationOf(value));
    if (value.kind === "object") for (const member of value.members) add(member.value, `${path}.${member.name}`);
    if (value.kind === "array") for (const [index, item] of value.items.entries()) add(item, `${path}[${index}]`);
  };
  for (const { name, value } of root.members) if (reportedLater.has(name)) add(value, name);
  return locations;
}

const reportedLater: ReadonlySet<string> = new Set(
  "logo favicon fonts background styling errors seo thumbnails".split(" "),
);
/** The map is cloned to every thread; no real site has so many of these settings. */
const maxLocations = 1000;

const defaults: ApiConfig = configDefaults.api;

/** Warns if the playground is set to use a proxy. */
const playground = converted(
  object({ display: oneOf(["interactive", "simple", "none", "auth"]), proxy: flag, credentials: flag }),
  (read, value, report) => {
    const { display = defaults.playground.display } = read;
    const proxy = memberOf(value, "proxy");
    if (read.proxy === true && proxy !== undefined && display === "interactive") {
      const what = `${inQuotes(proxy)} is true, but a bundle has no proxy: the playground sends requests from the reader's browser directly to the API.`;
      const fix =
        'allow other origins in the API (CORS) and write "proxy": false, or hide the playground with "display": "simple".';
      reportAt(proxy, report, "PLAYGROUND_WITHOUT_PROXY", what, fix);
    }
    return read;
  },
);

const api: Reader<ApiConfig> = converted(
  object(
    {
      ...specLists,
      playground,
      params: object({ expanded: oneOf(["all", "closed"]), order: oneOf(["required", "source"]), post: list(text) }),
      url: oneOf(["full"]),
      downloads: flag,
      examples: object({
        languages: list(oneOf(knownNames.sampleLanguages)),
        defaults: oneOf(["required", "examples", "all"]),
        prefill: flag,
        autogenerate: flag,
      }),
      mdx: object({
        auth: object({ method: oneOf(["bearer", "basic", "key", "cobo"]), name: text }),
        server: oneOrList(href),
      }),
    },
    { hints: { baseUrl: 'write "mdx": { "server": "…" }.', auth: 'put "auth" into "mdx".' } },
  ),
  ({ playground, params, examples, mdx, ...read }) => ({
    ...defaults,
    ...read,
    playground: { ...defaults.playground, ...playground },
    params: { ...defaults.params, ...params },
    examples: { ...defaults.examples, ...examples },
    mdx: withoutUndefined({
      authMethod: mdx?.auth?.method,
      authName: mdx?.auth?.name,
      servers: mdx?.server ?? defaults.mdx.servers,
    }),
  }),
);

const httpsUrl = textLike(/^https:\/\/[^\s"'<>]+$/i, "an https:// URL");
const host = textLike(/^[a-z0-9.-]+(?::\d+)?(?:\/[\w./-]*)?$/i, 'a host name without "https://"');
const startsWithG = textLike(/^G[A-Z0-9-]+$/i, 'an ID that starts with "G", such as "G-1A2B3C4D"');
const longText = textLike(/^.{6,}$/, "a string of at least 6 characters");

const snippet = object({ snippetId: longText }, { required: ["snippetId"] });

/** Readers of the settings of third-party services, one for each service. */
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

/** Settings of consent and telemetry, which are not services with a script. */
const withoutScript = new Set(["cookies", "telemetry"]);

/** A bundle contains no script of another company, so each one that the site asks for is reported. */
const integrations: Reader<Readonly<Record<string, unknown>>> = converted(services, (read, value, report) => {
  for (const { name, value: settings } of value.kind === "object" ? value.members : [])
    if (Object.hasOwn(read, name) && !withoutScript.has(name)) {
      const what = `${inQuotes(settings)} has no effect: exported pages load no script of another service, so it sees none of their readers.`;
      const fix = `remove it; if you need the service, put its script into a .js file of the site, which every page loads.`;
      reportAt(settings, report, "INTEGRATION_LEFT_OUT", what, fix);
    }
  return read;
});

const pathOfAddress = (address: string): string =>
  address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*|[?#].*$/gis, "") || "/";

/** A path without query and fragment; the leading slash is optional. */
const redirectSource = converted(text, (source, value, report) => {
  if (/[?#]|^[a-z][a-z0-9+.-]*:\/\//i.test(source))
    return reportInvalid(
      value,
      report,
      'a path without "?" and "#", such as "/old/page"',
      `write "${pathOfAddress(source)}", which redirects all of its sections, or remove it.`,
    );
  return source.startsWith("/") ? source : `/${source}`;
});

const redirectFields = object(
  { source: redirectSource, destination: hrefOrBarePath, permanent: flag },
  { required: ["source", "destination"] },
);

/** If two redirects have the same source, the first one applies. */
const redirects: Reader<readonly Redirect[]> = converted(list(located(redirectFields)), (written, _, report) => {
  const bySource = new Map<string, Redirect>();
  for (const redirect of written) {
    reportUnknownPart(redirect, report);
    const first = bySource.get(redirect.source);
    if (first) report(() => sourceTwice(redirect, first));
    else bySource.set(redirect.source, { ...partDefaults.redirect, ...redirect });
  }
  return [...bySource.values()];
});

/** `:page` and `$1` stand for parts of the source. One that the source lacks stays in the URL as written. */
function reportUnknownPart({ source, destination, location }: Located, report: Report): void {
  const sourceParts = new Set(source.match(partNames));
  const path = destination.replace(/^[a-z][a-z\d+.-]*:(?:\/\/[^/]*)?/i, "");
  const unknown = path.match(partNames)?.find((name) => !sourceParts.has(name)) ?? /\$\d\b/.exec(path)?.[0];
  if (unknown === undefined) return;
  const what = `The redirect from "${source}" goes to "${destination}", whose ${unknown} stands for nothing: the source has no such part.`;
  const fix = unknown.startsWith("$")
    ? source.endsWith("(.*)")
      ? `write ${quoted(source.replace("(.*)", "*"))} as the source, and ${quoted(destination.replace(unknown, "*"))}.`
      : "write * instead: it takes what * matches in the source."
    : sourceParts.size > 0
      ? `write ${[...sourceParts][0]}.`
      : `write ${unknown} in the source too.`;
  report({ code: "REDIRECT_TARGET_MISSING", severity: "warning", what, location, fix, about: [`redirect ${source}`] });
}
const partNames = /:[a-z]\w*(?:\*|\b)/gi;
type Located = Omit<Redirect, "permanent"> & { readonly location: Location };

function sourceTwice({ source, destination, location }: Located, first: Redirect) {
  const what = `The redirect to "${destination}" has no effect: line ${first.location?.line} already redirects to "${first.destination}" from the same "${source}".`;
  const related = first.location && { related: { location: first.location, what: "first here" } };
  return { ...warningOf("CONFIG_REDIRECT_TWICE"), what, location, ...related, fix: "remove one of the two." } as const;
}

export const rootFields = object(
  {
    name: text,
    description: text,
    ...appearanceFields,
    ...frameFields,
    interaction: object({ drilldown: flag }),
    ...pageFields,
    redirects,
    integrations,
    api,
    navigation,
    public: ignored,
  },
  { hints: oldSettingHints },
);
