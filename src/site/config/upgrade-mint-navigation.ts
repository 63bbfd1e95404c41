import {
  changeMember,
  type JsonMember,
  type JsonObject,
  type JsonValue,
  mapItems,
  memberOf,
  newFlag,
  newList,
  newMember,
  newObject,
  newText,
} from "./json-value.js";

/** The settings of mint.json that make up its navigation. */
export const navigationSettings = ["navigation", "tabs", "primaryTab", "anchors", "topAnchor", "versions"];

/**
 * Makes one navigation tree of six settings of mint.json.
 *
 * In mint.json, `navigation` is a flat list of groups. A tab or anchor has the start of a URL and shows the groups whose
 * pages start with it; other groups are in the primary tab (top anchor). A group without a version is in all versions.
 *
 * Out: tabs contain anchors, anchors contain versions if groups differ by version, versions contain groups; levels that
 *      the site does not use are omitted. If a tab or an anchor belongs to one version, versions come first; languages
 *      always do. Anchors that link to other sites are global. Undefined if there is no `navigation`.
 */
export function upgradeNavigation(root: JsonObject): JsonValue | undefined {
  const navigation = memberOf(root, "navigation");
  if (navigation?.kind !== "array") return navigation;
  const site: OldSite = {
    from: navigation,
    groups: navigation.items.map(oldGroup),
    tabs: itemsOf(root, "tabs").map(oldDivision),
    primaryTab: memberOf(root, "primaryTab"),
    anchors: itemsOf(root, "anchors").map(oldDivision),
    topAnchor: memberOf(root, "topAnchor"),
    versions: itemsOf(root, "versions").map(oldVersion),
  };
  const isGlobal = ({ prefix, version }: OldDivision): boolean => prefix === undefined && version === undefined;
  const globals = site.anchors.filter(isGlobal).map((anchor) => link(anchor, "anchor"));
  const members = versionsFirst({ ...site, anchors: site.anchors.filter((anchor) => !isGlobal(anchor)) });
  if (globals.length > 0)
    members.push(newMember("global", newObject(navigation, [listMember("anchors", navigation, globals)])));
  return newObject(navigation, members);
}

interface OldSite {
  /** Its location is used for values that are not written in mint.json. */
  readonly from: JsonValue;
  readonly groups: readonly OldGroup[];
  readonly tabs: readonly OldDivision[];
  readonly primaryTab?: JsonValue;
  readonly anchors: readonly OldDivision[];
  readonly topAnchor?: JsonValue;
  readonly versions: readonly OldVersion[];
}
interface OldGroup {
  readonly value: JsonValue;
  readonly version?: string;
  /** Path of its first page without a leading slash; "" if it has none. */
  readonly firstPage: string;
}
/** A tab or an anchor. */
interface OldDivision {
  readonly value: JsonValue;
  /** Start of the paths of its pages, without slashes at the ends; undefined if it links to another site. */
  readonly prefix?: string;
  readonly version?: string;
}
interface OldVersion {
  readonly value: JsonValue;
  readonly name: string;
  /** Set if the version is really a language. */
  readonly locale?: string;
}

const listMember = (name: string, from: JsonValue, items: readonly JsonValue[]): JsonMember =>
  newMember(name, newList(from, items));

function versionsFirst(site: OldSite): JsonMember[] {
  const { versions } = site;
  const areLanguages = versions.length > 0 && versions.every(({ locale }) => locale !== undefined);
  if (!areLanguages && ![...site.tabs, ...site.anchors].some(({ version }) => isOneOf(versions, version)))
    return tabsOf(site);
  const entries = versions.map((version) => {
    const isFor = (other: { readonly version?: string }) =>
      other.version === undefined || isVersion(version, other.version);
    const ofVersion: OldSite = {
      ...site,
      groups: site.groups.filter(isFor),
      tabs: site.tabs.filter(isFor),
      anchors: site.anchors.filter(isFor),
      versions: [],
    };
    return versionEntry(version, areLanguages, tabsOf(ofVersion));
  });
  return [listMember(areLanguages ? "languages" : "versions", site.from, entries)];
}

function tabsOf(site: OldSite): JsonMember[] {
  if (site.tabs.length === 0) return anchorsOf(site);
  const groups = byDivision(site.groups, site.tabs);
  const anchors = byDivision(
    site.anchors.map((anchor) => ({ ...anchor, firstPage: anchor.prefix ?? "" })),
    site.tabs,
  );
  const content = (tab: OldDivision | undefined): JsonMember[] =>
    anchorsOf({ ...site, groups: groups.get(tab) ?? [], anchors: anchors.get(tab) ?? [] });
  const entries = site.tabs.map((tab) => (groups.has(tab) ? division(tab, "tab", content(tab)) : link(tab, "tab")));
  if (groups.has(undefined))
    entries.unshift(mainDivision(site.primaryTab ?? site.from, "tab", { name: "Documentation" }, content(undefined)));
  return [listMember("tabs", site.from, entries)];
}

function anchorsOf(site: OldSite): JsonMember[] {
  if (site.anchors.length === 0 && site.topAnchor === undefined) return groupsOf(site, site.groups);
  const groups = byDivision(site.groups, site.anchors);
  const content = (anchor: OldDivision | undefined): JsonMember[] => groupsOf(site, groups.get(anchor) ?? []);
  const entries = site.anchors.map((anchor) =>
    groups.has(anchor) ? division(anchor, "anchor", content(anchor)) : link(anchor, "anchor"),
  );
  if (groups.has(undefined)) {
    const defaults = { name: "Documentation", icon: "book-open" };
    entries.unshift(mainDivision(site.topAnchor ?? site.from, "anchor", defaults, content(undefined)));
  }
  return [listMember("anchors", site.from, entries)];
}

/** Groups, separated by version if some belong to one. Versions without a group of their own are left out. */
function groupsOf({ from, versions }: OldSite, groups: readonly OldGroup[]): JsonMember[] {
  const list = (shown: readonly OldGroup[]): JsonMember =>
    listMember(
      "groups",
      from,
      shown.map(({ value }) => value),
    );
  const used = versions.filter((version) => groups.some((group) => isVersion(version, group.version)));
  if (used.length === 0) return [list(groups)];
  const entries = used.map((version) => {
    const ofVersion = groups.filter((group) => !isOneOf(versions, group.version) || isVersion(version, group.version));
    return versionEntry(version, false, [list(ofVersion)]);
  });
  return [listMember("versions", from, entries)];
}

/** Entries by the division with the longest matching prefix; undefined for those that match none. */
function byDivision<T extends { readonly firstPage: string }>(
  entries: readonly T[],
  divisions: readonly OldDivision[],
): Map<OldDivision | undefined, T[]> {
  const longestFirst = divisions
    .filter(({ prefix }) => prefix !== undefined)
    .sort((a, b) => b.prefix!.length - a.prefix!.length);
  return Map.groupBy(entries, ({ firstPage }) =>
    longestFirst.find(({ prefix }) => firstPage === prefix || firstPage.startsWith(`${prefix}/`)),
  );
}

const division = ({ value }: OldDivision, kind: "tab" | "anchor", content: readonly JsonMember[]): JsonValue =>
  newObject(value, [...labelAndLooks(value, kind), ...content]);

/** A tab or anchor without groups: a link to a page or to another site. */
function link({ value, prefix }: OldDivision, kind: "tab" | "anchor"): JsonValue {
  const url = memberOf(value, "url");
  const href = url && (prefix === undefined ? url : newText(url, `/${prefix}`));
  return newObject(value, [...labelAndLooks(value, kind), ...(href ? [newMember("href", href)] : [])]);
}

/** The primary tab or top anchor. */
function mainDivision(
  from: JsonValue,
  kind: "tab" | "anchor",
  defaults: Readonly<Record<string, string>>,
  content: readonly JsonMember[],
): JsonValue {
  const written = from.kind === "object" ? from.members : [];
  const missing = Object.entries(defaults).filter(([name]) => !written.some((member) => member.name === name));
  const added = missing.map(([name, text]) => newMember(name, newText(from, text)));
  return newObject(from, [...labelAndLooks(newObject(from, [...written, ...added]), kind), ...content]);
}

function labelAndLooks(value: JsonValue, kind: "tab" | "anchor"): JsonMember[] {
  if (value.kind !== "object") return [];
  const url = memberOf(value, "url");
  const label = memberOf(value, "name") === undefined && url ? [newMember(kind, url)] : [];
  const others = value.members.flatMap((member): JsonMember[] => {
    const { name } = member;
    if (name === "name") return [{ ...member, name: kind }];
    if (name === "icon" || name === "iconType" || name === "openapi") return [member];
    // Use the start of a gradient.
    if (name === "color" && kind === "anchor")
      return [{ ...member, value: memberOf(member.value, "from") ?? member.value }];
    // In mint.json, such a tab was shown only on its own pages, but search found them.
    const isHidden = name === "isDefaultHidden" && member.value.kind === "boolean" && member.value.value;
    return isHidden ? ["hidden", "searchable"].map((flag) => newMember(flag, newFlag(member.value, true))) : [];
  });
  return [...label, ...others];
}

function versionEntry(
  { value, name, locale }: OldVersion,
  isLanguage: boolean,
  content: readonly JsonMember[],
): JsonValue {
  const isDefault = memberOf(value, "default");
  return newObject(value, [
    newMember(isLanguage ? "language" : "version", newText(value, isLanguage ? (locale ?? name) : name)),
    ...(isDefault ? [newMember("default", isDefault)] : []),
    ...content,
  ]);
}

const isVersion = (version: OldVersion, name: string | undefined): boolean =>
  name !== undefined && (name === version.name || name === version.locale);

const isOneOf = (versions: readonly OldVersion[], name: string | undefined): boolean =>
  versions.some((version) => isVersion(version, name));

function itemsOf(root: JsonObject, name: string): readonly JsonValue[] {
  const value = memberOf(root, name);
  return value?.kind === "array" ? value.items : [];
}

const oldGroup = (value: JsonValue): OldGroup => ({
  value: withoutVersion(value),
  version: memberText(value, "version"),
  firstPage: firstPage(value),
});

const withoutVersion = (value: JsonValue): JsonValue =>
  changeMember(
    changeMember(value, "version", () => undefined),
    "pages",
    (pages) => mapItems(pages, withoutVersion),
  );

/** The path of the first page in a group. Endpoints such as `GET /users`, which are not paths, are skipped. */
function firstPage(value: JsonValue): string {
  if (value.kind === "string") return /\s/.test(value.value.trim()) ? "" : withoutSlashes(value.value);
  const pages = memberOf(value, "pages");
  if (pages?.kind !== "array") return "";
  for (const page of pages.items) {
    const first = firstPage(page);
    if (first !== "") return first;
  }
  return "";
}

function oldDivision(value: JsonValue): OldDivision {
  const url = memberText(value, "url");
  const isElsewhere = url === undefined || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url);
  return { value, version: memberText(value, "version"), prefix: isElsewhere ? undefined : withoutSlashes(url) };
}

function oldVersion(value: JsonValue): OldVersion {
  const locale = memberText(value, "locale");
  const name = value.kind === "string" ? value.value : (memberText(value, "name") ?? locale ?? "");
  return { value, locale, name };
}

function memberText(value: JsonValue, name: string): string | undefined {
  const member = memberOf(value, name);
  return member?.kind === "string" && member.value.trim() !== "" ? member.value.trim() : undefined;
}

const withoutSlashes = (path: string): string => path.trim().replace(/^(?:\.?\/)+|\/+$/g, "");
