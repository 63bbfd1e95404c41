import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { specFormats } from "../api-spec.js";
import type { SiteFiles } from "../source/index.js";
import { diagnosticCollector, jsonFileReader } from "./config-files.js";
import { configDefaults } from "./defaults.js";
import { type JsonObject, type JsonValue, locationOf, memberOf, type Report, shown } from "./json-value.js";
import oldSettingHints from "./old-setting-hints.json" with { type: "json" };
import { parseJson } from "./parse-json.js";
import { api } from "./read-api.js";
import { appearanceFields, primaryMissing } from "./read-appearance.js";
import { integrations } from "./read-integrations.js";
import { navigation } from "./read-navigation.js";
import { frameFields } from "./read-page-frame.js";
import { pageFields } from "./read-page-settings.js";
import { redirects } from "./read-redirects.js";
import { flag, ignored, object, text } from "./readers.js";
import { reportAt } from "./report-setting.js";
import { resolveRefs } from "./resolve-refs.js";
import type { Navigation, SiteConfig } from "./site-config.js";
import { upgradeMintJson } from "./upgrade-mint-json.js";

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
  const { report, hasErrors, sorted } = diagnosticCollector(sourcePath);
  const settingsFiles: string[] = [];
  const written = readRoot(sourcePath, files, report, settingsFiles);
  const root = written && (sourcePath === "mint.json" ? upgradeMintJson(written, report) : written);
  // After an error, such as a broken reference, missing settings would only be its consequence.
  const mayReportMissing = !hasErrors();
  const settings = root && rootFields(root, report);
  if (root === undefined || settings === undefined) return { diagnostics: sorted() };
  const { errors: notFound = configDefaults.notFound, ...rest } = settings;
  const includedFiles = settingsFiles.slice(1);
  const config = { ...configDefaults, ...rest, notFound, sourcePath, includedFiles, locations: settingLocations(root) };
  if (mayReportMissing) missingSettings(root, config.navigation).forEach(report);
  return { config, diagnostics: sorted() };
}

/** @param paths gets the paths of all files that are read. */
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

function missingSettings(root: JsonObject, navigation: Navigation): Diagnostic[] {
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
  if (navigation.children.length === 0 && specFormats.every((format) => navigation[format].length === 0)) {
    const written = memberOf(root, "navigation");
    faults.push({
      code: "CONFIG_NAVIGATION_MISSING",
      severity: "error",
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
 * Where settings that later stages report on were written, also in files that docs.json refers to: by the path of each
 * value (`background.image.dark`, `styling.codeblocks.languages.custom[0]`). Redirects and navigation may be large and
 * hold their locations themselves.
 */
function settingLocations(root: JsonObject): ReadonlyMap<string, Location> {
  const locations = new Map<string, Location>();
  const add = (value: JsonValue, path: string): void => {
    if (locations.size >= maxLocations) return;
    locations.set(path, locationOf(value));
    if (value.kind === "object") for (const { name, value: each } of value.members) add(each, `${path}.${name}`);
    if (value.kind === "array") for (const [index, each] of value.items.entries()) add(each, `${path}[${index}]`);
  };
  for (const { name, value } of root.members) if (reportedLater.has(name)) add(value, name);
  return locations;
}

const reportedLater: ReadonlySet<string> = new Set(
  "logo favicon fonts background styling errors seo thumbnails".split(" "),
);
/** The map is cloned to every thread; no real site has so many of these settings. */
const maxLocations = 1000;
