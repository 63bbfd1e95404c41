import { type Diagnostic, likelyName } from "../../lib/diagnostic/index.js";
import type { SiteFiles } from "../source/index.js";
import { diagnosticCollector, jsonFileReader } from "./config-files.js";
import {
  eachItem,
  type JsonMember,
  type JsonObject,
  type JsonValue,
  locationOfSpan,
  madeFlag,
  madeMember,
  madeObject,
  madeText,
  memberOf,
  plainOf,
  type Report,
  renamed,
  textEdit,
} from "./json-value.js";
import mintSettings from "./mint-settings.json" with { type: "json" };
import { parseJson } from "./parse-json.js";
import { inQuotes } from "./readers.js";
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
  for (const member of root.members)
    if (!Object.hasOwn(newPaths, member.name) && !dropped.has(member.name) && !navigationSettings.has(member.name))
      report(() => unknownSetting(root, member));
  const settings = settingsIn(root, newPaths);
  const navigation = upgradeNavigation(root);
  if (navigation) settings.push([["navigation"], navigation]);
  return nested(root, settings);
}

function settingsIn(value: JsonValue, paths: NewPaths): Setting[] {
  if (value.kind !== "object") return [];
  return value.members.flatMap(({ name, value }) => {
    const path = Object.hasOwn(paths, name) ? paths[name] : undefined;
    if (path === undefined) return [];
    if (typeof path === "object") return settingsIn(value, path);
    // Two settings of mint.json hold integrations.
    if (path === "integrations")
      return value.kind === "object" ? value.members.map((each): Setting => [[path, each.name], each.value]) : [];
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

/** By the path in docs.json: the new value, or undefined for one without a counterpart. */
const upgrades = new Map<string, Upgrade>(
  Object.entries<Upgrade>({
    theme: (value) => (isText(value, ...oldThemes) ? undefined : value),
    "fonts.heading": (value) => renamed(value, fontNames),
    "fonts.body": (value) => renamed(value, fontNames),
    "styling.codeblocks": (value) => (isText(value, "auto") ? undefined : value),
    "navbar.links": (value) => eachItem(value, (link) => renamed(link, linkNames)),
    "navbar.primary": ctaButton,
    "footer.socials": (value) => eachItem(value, (link) => renamed(link, { type: "type", url: "href" })),
    "footer.links": (value) => eachItem(value, footerColumn),
    "seo.indexing": (value) => (value.kind === "boolean" && value.value ? madeText(value, "all") : undefined),
    "api.playground.display": playgroundDisplay,
    "api.playground.proxy": (value) => (value.kind === "boolean" ? madeFlag(value, !value.value) : undefined),
    "api.params.expanded": (value) => madeText(value, isText(value, "all") ? "all" : "closed"),
    "api.examples.defaults": (value) =>
      value.kind === "boolean" ? madeText(value, value.value ? "all" : "required") : undefined,
  }),
);

/** Settings of the vendor's own service, and looks that no theme has any longer. */
const dropped = new Set("$schema mintlify layout topbar sidebar rounded feedback isWhiteLabeled".split(" "));

function ctaButton(value: JsonValue): JsonValue {
  const link = renamed(value, linkNames);
  if (link.kind !== "object") return link;
  const isUsual = ({ name, value }: JsonMember): boolean => name === "type" && isText(value, "link");
  return { ...link, members: link.members.filter((member) => !isUsual(member)) };
}

function footerColumn(value: JsonValue): JsonValue {
  const column = renamed(value, { title: "header", links: "items" });
  if (column.kind !== "object") return column;
  const items = column.members.map((member) =>
    member.name === "items"
      ? { ...member, value: eachItem(member.value, (link) => renamed(link, { label: "label", url: "href" })) }
      : member,
  );
  return { ...column, members: items };
}

function playgroundDisplay(value: JsonValue): JsonValue {
  if (isText(value, "show")) return madeText(value, "interactive");
  return isText(value, "hide") ? madeText(value, "none") : value;
}

/** Nests settings by their paths; if two have the same path, the first counts. */
function nested(from: JsonValue, settings: readonly Setting[]): JsonObject {
  const byName = Map.groupBy(settings, ([path]) => path[0]!);
  const members: JsonMember[] = [];
  for (const [name, group] of byName) {
    const [path, value] = group[0]!;
    const inner = group.filter(([path]) => path.length > 1).map(([path, value]): Setting => [path.slice(1), value]);
    members.push(madeMember(name, path.length === 1 ? value : nested(value, inner)));
  }
  return madeObject(from, members);
}

function unknownSetting(root: JsonObject, member: JsonMember) {
  const known = [...Object.keys(newPaths), ...navigationSettings, ...dropped];
  const near = likelyName(member.name, known);
  return {
    code: "CONFIG_UNKNOWN_KEY",
    severity: "warning",
    what: `${inQuotes(root)} has no setting ${JSON.stringify(member.name)}; it is ignored.`,
    location: locationOfSpan(member.nameAt),
    fix: near
      ? `write "${near.name}".`
      : "remove it, or rename mint.json to docs.json and write the settings of that format.",
    ...(near && !memberOf(root, near.name) && textEdit(member.nameAt, near)),
  } as const;
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
  const settings = upgraded && (plainOf(upgraded) as Record<string, unknown>);
  return { ...(settings && { settings }), diagnostics: sorted() };
}
