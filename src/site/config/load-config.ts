import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import type { SiteFiles } from "../source/index.js";
import { diagnosticCollector, jsonFileReader } from "./config-files.js";
import { configDefaults } from "./defaults.js";
import { type JsonObject, type JsonValue, locationOf, memberOf, type Report, shown } from "./json-value.js";
import oldSettingHints from "./old-setting-hints.json" with { type: "json" };
import { parseJson } from "./parse-json.js";
import { api } from "./read-api.js";
import {
  appearance,
  background,
  colors,
  fonts,
  icons,
  logo,
  primaryMissing,
  styling,
  theme,
  thumbnails,
} from "./read-appearance.js";
import { integrations } from "./read-integrations.js";
import { navigation } from "./read-navigation.js";
import { banner, footer, navbar } from "./read-page-frame.js";
import {
  contextual,
  errors,
  feedback,
  markdown,
  metadata,
  search,
  seo,
  variables,
  variations,
} from "./read-page-settings.js";
import { redirects } from "./read-redirects.js";
import { flag, ignored, object, reportAt, text } from "./readers.js";
import { resolveRefs } from "./resolve-refs.js";
import type { Navigation, SiteConfig } from "./site-config.js";
import { upgradeMintJson } from "./upgrade-mint-json.js";
import { imagePair } from "./values.js";

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
  const written = readRoot(sourcePath, files, report);
  const root = written && (sourcePath === "mint.json" ? upgradeMintJson(written, report) : written);
  const isWhole = !hasErrors();
  const config = root && readConfig(root, sourcePath, report);
  // After an error, such as a broken reference, missing settings would only be its consequence.
  if (root && config && isWhole) missingSettings(root, config.navigation).forEach(report);
  return { config, diagnostics: sorted() };
}

function readRoot(sourcePath: string, files: SiteFiles, report: Report): JsonObject | undefined {
  const readFile = jsonFileReader(files, report);
  const file = readFile(sourcePath);
  const parsed = file && parseJson(file, report);
  const root = parsed && resolveRefs(parsed, files, readFile, report);
  if (!root || root.kind === "object") return root;
  const what = `${root.at.file.sourcePath} contains ${shown(root)}, but must contain an object.`;
  return reportAt(root, report, "CONFIG_NOT_AN_OBJECT", what, "put the settings into { }.", "error");
}

export const rootFields = object(
  {
    theme,
    name: text,
    description: text,
    colors,
    logo,
    favicon: imagePair,
    appearance,
    fonts,
    icons,
    background,
    styling,
    thumbnails,
    navbar,
    footer,
    banner,
    interaction: object({ drilldown: flag }),
    contextual,
    redirects,
    variables,
    metadata,
    errors,
    markdown,
    seo,
    search,
    variations,
    integrations,
    api,
    navigation,
    public: ignored,
    feedback,
  },
  {
    hints: oldSettingHints,
  },
);

function readConfig(root: JsonObject, sourcePath: string, report: Report): SiteConfig | undefined {
  const read = rootFields(root, report);
  if (read === undefined) return undefined;
  const { errors, ...settings } = read;
  return {
    ...configDefaults,
    ...settings,
    notFound: errors ?? configDefaults.notFound,
    sourcePath,
    locations: settingLocations(root),
  };
}

function missingSettings(root: JsonObject, navigation: Navigation): Diagnostic[] {
  const missing: Diagnostic[] = [];
  const location = locationOf(root);
  const { name, theme } = configDefaults;
  const warn = (what: string, fix: string): void => {
    missing.push({ code: "CONFIG_KEY_MISSING", severity: "warning", what, location, fix });
  };
  const upgraded = root.at.file.sourcePath === "mint.json";
  if (!memberOf(root, "theme") && !upgraded)
    warn(`The site has no "theme"; "${theme}" is used.`, `add "theme": "${theme}".`);
  if (!memberOf(root, "name"))
    warn(`The site has no "name"; "${name}" is used.`, 'add "name": "…" with the name of the product.');
  if (!memberOf(root, "colors")) missing.push(primaryMissing(root));
  const { children, openapi, asyncapi, graphql, arazzo } = navigation;
  if ([children, openapi, asyncapi, graphql, arazzo].every((list) => list.length === 0)) {
    const written = memberOf(root, "navigation");
    missing.push({
      code: "CONFIG_NAVIGATION_MISSING",
      severity: "error",
      what: `The site has no ${written ? "pages in its " : ""}"navigation", so its pages are exported without one.`,
      location: locationOf(written ?? root),
      fix: 'add "navigation": { "pages": ["index"] } with the paths of the pages.',
    });
  }
  return missing;
}

const smallestConfig = `{
  "theme": "mint",
  "name": "My product",
  "colors": { "primary": "${configDefaults.colors.primary}" },
  "navigation": { "pages": ["index"] }
}`;

function configNotFound(files: SiteFiles): Diagnostic {
  const deeper = files.paths.find((path) => path.endsWith("/docs.json") || path.endsWith("/mint.json"));
  return {
    code: "CONFIG_NOT_FOUND",
    severity: "error",
    what: "The site folder has neither docs.json nor the older mint.json.",
    location: { sourcePath: "docs.json" },
    fix: deeper
      ? `export the folder ${deeper.slice(0, deeper.lastIndexOf("/"))} inside it, which has one.`
      : `add a file docs.json that lists the pages:\n${smallestConfig}`,
  };
}

/**
 * Where settings that later stages report on were written, also in files that docs.json refers to: by the path of each
 * value (`background.image.dark`, `styling.codeblocks.languages.custom[0]`). Redirects and navigation may be large and
 * hold their locations themselves.
 */
function settingLocations(root: JsonObject): ReadonlyMap<string, Location> {
  const locations = new Map<string, Location>();
  const add = (value: JsonValue, way: string): void => {
    if (locations.size >= maxLocations) return;
    locations.set(way, locationOf(value));
    if (value.kind === "object") for (const { name, value: each } of value.members) add(each, `${way}.${name}`);
    if (value.kind === "array") for (const [index, each] of value.items.entries()) add(each, `${way}[${index}]`);
  };
  for (const { name, value } of root.members) if (reported.has(name)) add(value, name);
  return locations;
}

const reported: ReadonlySet<string> = new Set(["logo", "favicon", "fonts", "background", "styling", "errors", "seo"]);

/** The map is cloned to every thread; no real site has so many of these settings. */
const maxLocations = 1000;
