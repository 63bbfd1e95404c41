import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { SiteFiles } from "../source/index.js";
import {
  changeMember,
  type JsonMember,
  type JsonObject,
  type JsonValue,
  mapItems,
  memberOf,
  newFlag,
  newMember,
  newObject,
  newText,
  plainValue,
  type Report,
  renameMembers,
  shown,
} from "./json-value.js";
import mintSettings from "./mint-settings.json" with { type: "json" };
import { diagnosticCollector, jsonFileReader, parseJson } from "./parse-json.js";
import { reportReadAs, reportUnknown } from "./report-setting.js";
import { navigationSettings, upgradeNavigation } from "./upgrade-mint-navigation.js";

/** One setting of docs.json: its path and its value. */
type Setting = readonly [path: readonly string[], value: JsonValue];

/** The path in docs.json of each setting of mint.json; an object has one for each of its members. */
interface NewPaths {
  readonly [name: string]: string | NewPaths;
}
const newPaths: NewPaths = mintSettings;

/**
 * Converts the older mint.json to docs.json, so that one set of readers checks both. Every value keeps its location in
 * mint.json. Settings without a counterpart have no effect on an export and are dropped; unknown ones are reported.
 */
export function upgradeMintJson(root: JsonObject, report: Report): JsonObject {
  const settingNames = [...Object.keys(newPaths), ...navigationSettings, ...droppedSettings];
  const advice = "remove it, or rename mint.json to docs.json and use the settings of that format.";
  for (const member of root.members)
    if (!settingNames.includes(member.name)) reportUnknown(root, member, settingNames, report, {}, advice);
  const settings = settingsIn(root, newPaths);
  const navigation = upgradeNavigation(root);
  if (navigation) settings.push([["navigation"], navigation]);
  return withSettings(newObject(root, []), settings);
}

/**
 * Reads settings of mint.json that docs.json contains, unless it has the new setting too. Reports each.
 *
 * @param advice what to write, by old name; by default the new path.
 */
export function upgradeOldSettings(
  root: JsonObject,
  advice: Readonly<Record<string, string>>,
  report: Report,
): JsonObject {
  const added: Setting[] = [];
  const withoutOld = (object: JsonObject, paths: NewPaths, parents: readonly string[]): JsonObject => {
    const members = object.members.flatMap((member): JsonMember[] => {
      const { name, value } = member;
      const newPath = Object.hasOwn(paths, name) ? paths[name]! : "";
      const path = [...parents, name].join(".");
      if (newPath === "" || newPath === path || hasOtherMeaning(path, value)) return [member];
      if (typeof newPath === "object" && isSection(path))
        return [
          value.kind === "object" ? { ...member, value: withoutOld(value, newPath, [...parents, name]) } : member,
        ];
      const settings = settingsIn(newObject(object, [member]), paths);
      if (settings.length === 0 || !settings.every(([newPath]) => isFree(root, newPath))) return [member];
      const readAs = commonPath(settings.map(([newPath]) => newPath));
      const [, newValue] = settings[0]!;
      const isObject = settings.length > 1 || newValue.kind === "object";
      const newWritten = isObject ? "{ … }" : "value" in newValue ? shown(newValue) : "…";
      const example = readAs.reduceRight((text, part) => `{ "${part}": ${text} }`, newWritten);
      const fix =
        (parents.length === 0 && Object.hasOwn(advice, name) && advice[name]) || `write ${example.slice(2, -2)}.`;
      // `metadata` itself is a setting of both formats.
      const [first] = path === "metadata" && value.kind === "object" ? value.members : [];
      reportReadAs(first ? (value as JsonObject) : object, first ?? member, readAs.join("."), fix, report);
      added.push(...settings);
      return [];
    });
    return newObject(object, members);
  };
  return withSettings(withoutOld(withNavigation(root, report), newPaths, []), added);
}

/** Reads the navigation of a mint.json that was only renamed. Its tabs, anchors and versions are settings of their own. */
function withNavigation(root: JsonObject, report: Report): JsonObject {
  const isOld = ({ name }: JsonMember): boolean => name !== "navigation" && navigationSettings.includes(name);
  const old = root.members.filter(isOld);
  if (old.length === 0 || memberOf(root, "navigation")?.kind !== "array") return root;
  for (const member of old)
    reportReadAs(root, member, "navigation", 'rename the file to mint.json, or put it into "navigation".', report);
  const navigation = upgradeNavigation(root)!;
  const others = root.members.filter((member) => !isOld(member));
  return newObject(
    root,
    others.map((member) => (member.name === "navigation" ? { ...member, value: navigation } : member)),
  );
}

/** Both formats have `metadata`: tags such as `og:title` here, what pages show there. */
const hasOtherMeaning = (path: string, value: JsonValue): boolean =>
  path === "metadata" && !(value.kind === "object" && value.members.some(({ name }) => name.includes(":")));

const leaves = (paths: NewPaths): string[] =>
  Object.values(paths).flatMap((path) => (typeof path === "string" ? [path] : leaves(path)));
const allNewPaths = leaves(newPaths);

/** Whether docs.json has an object of this path, too. */
const isSection = (path: string): boolean => allNewPaths.some((newPath) => newPath.startsWith(`${path}.`));

/** Whether the setting can be added. */
function isFree(root: JsonObject, path: readonly string[]): boolean {
  let value: JsonValue | undefined = root;
  for (const name of path) {
    if (value.kind !== "object") return false;
    value = memberOf(value, name);
    if (value === undefined) return true;
  }
  return false;
}

const commonPath = ([first = [], ...others]: readonly (readonly string[])[]): readonly string[] =>
  first.filter((_, index) => others.every((path) => first.slice(0, index + 1).every((name, at) => path[at] === name)));

function settingsIn(value: JsonValue, paths: NewPaths): Setting[] {
  if (value.kind !== "object") return [];
  return value.members.flatMap(({ name, value }) => {
    const path = Object.hasOwn(paths, name) ? paths[name] : undefined;
    if (path === undefined) return [];
    if (typeof path === "object") return settingsIn(value, path);
    // Two settings of mint.json contain integrations.
    if (path === "integrations")
      return value.kind === "object" ? value.members.map((member): Setting => [[path, member.name], member.value]) : [];
    const upgrade = upgrades.get(path);
    const upgraded = upgrade ? upgrade(value) : value;
    return upgraded ? [[path.split("."), upgraded]] : [];
  });
}

const linkNames = { name: "label", url: "href", type: "type", icon: "icon", iconType: "iconType" };
const fontNames = { family: "family", weight: "weight", url: "source", format: "format" };
const oldThemes = ["venus", "quill", "prism"];

const isText = (value: JsonValue, ...texts: readonly string[]): boolean =>
  value.kind === "string" && texts.includes(value.value);

type Upgrade = (value: JsonValue) => JsonValue | undefined;

/** Converts a value, by its path in docs.json; undefined for one without a counterpart. */
const upgrades = new Map<string, Upgrade>(
  Object.entries<Upgrade>({
    theme: (value) => (isText(value, ...oldThemes) ? undefined : value),
    "fonts.heading": (value) => renameMembers(value, fontNames),
    "fonts.body": (value) => renameMembers(value, fontNames),
    "styling.codeblocks": (value) => (isText(value, "auto") ? undefined : value),
    "navbar.links": (value) => mapItems(value, (link) => renameMembers(link, linkNames)),
    "navbar.primary": (value) => ctaButton(value),
    "footer.socials": (value) => mapItems(value, (link) => renameMembers(link, { type: "type", url: "href" })),
    "footer.links": (value) => mapItems(value, (column) => footerColumn(column)),
    "seo.indexing": (value) => (value.kind === "boolean" && value.value ? newText(value, "all") : undefined),
    "api.playground.display": playgroundDisplay,
    "api.playground.proxy": (value) => (value.kind === "boolean" ? newFlag(value, !value.value) : undefined),
    "api.params.expanded": (value) => newText(value, isText(value, "all") ? "all" : "closed"),
    "api.examples.defaults": (value) =>
      value.kind === "boolean" ? newText(value, value.value ? "all" : "required") : undefined,
  }),
);

/** Settings of the vendor's service, and of layouts that themes no longer have. */
const droppedSettings = "$schema mintlify layout topbar sidebar rounded feedback isWhiteLabeled".split(" ");

const ctaButton = (value: JsonValue): JsonValue =>
  changeMember(renameMembers(value, linkNames), "type", (type) => (isText(type, "link") ? undefined : type));

const footerColumn = (value: JsonValue): JsonValue =>
  changeMember(renameMembers(value, { title: "header", links: "items" }), "items", (items) =>
    mapItems(items, (link) => renameMembers(link, { label: "label", url: "href" })),
  );

function playgroundDisplay(value: JsonValue): JsonValue {
  if (isText(value, "show")) return newText(value, "interactive");
  return isText(value, "hide") ? newText(value, "none") : value;
}

/** Adds settings at their paths; if two have the same path, the first one applies. */
function withSettings(object: JsonObject, settings: readonly Setting[]): JsonObject {
  if (settings.length === 0) return object;
  const members = new Map(object.members.map((member) => [member.name, member]));
  for (const [name, group] of Map.groupBy(settings, ([path]) => path[0]!)) {
    const [path, value] = group[0]!;
    const inner = group.filter(([path]) => path.length > 1).map(([path, value]): Setting => [path.slice(1), value]);
    const before = members.get(name);
    const section = before?.value.kind === "object" ? before.value : newObject(value, []);
    const next = path.length === 1 ? value : withSettings(section, inner);
    members.set(name, before ? { ...before, value: next } : newMember(name, next));
  }
  return newObject(object, [...members.values()]);
}

/** The settings of mint.json as those of docs.json; without them if the file cannot be read. */
export function readMintJson(files: SiteFiles): {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { report, sorted } = diagnosticCollector("mint.json");
  const file = jsonFileReader(files, report)("mint.json");
  const root = file && parseJson(file, report);
  const upgraded = root?.kind === "object" ? upgradeMintJson(root, report) : undefined;
  const settings = upgraded && (plainValue(upgraded) as Record<string, unknown>);
  return { ...(settings && { settings }), diagnostics: sorted() };
}
