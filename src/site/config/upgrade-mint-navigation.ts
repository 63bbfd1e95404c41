import {
  eachItem,
  type JsonMember,
  type JsonObject,
  type JsonValue,
  madeFlag,
  madeList,
  madeMember,
  madeObject,
  madeText,
  memberOf,
} from "./json-value.js";

/** The settings of mint.json that make up its navigation. */
export const navigationSettings = new Set(["navigation", "tabs", "primaryTab", "anchors", "topAnchor", "versions"]);

/**
 * Makes one navigation tree of six settings of mint.json.
 *
 * There `navigation` is a flat list of groups. A tab or anchor is the start of a URL and shows the groups whose pages
 * start with it; other groups are in the primary tab (top anchor). A group without a version is in all versions.
 *
 * Out: tabs contain anchors, anchors contain versions if groups differ by version, versions contain groups; levels that
 *      the site does not use are omitted. If a tab or an anchor belongs to one version, versions come first; languages
 *      always do. Anchors that lead elsewhere are global. Undefined if there is no `navigation`.
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
  const elsewhere = site.anchors.filter((anchor) => anchor.prefix === undefined && anchor.version === undefined);
  const members = versionsFirst({ ...site, anchors: site.anchors.filter((anchor) => !elsewhere.includes(anchor)) });
  if (elsewhere.length > 0) {
    const anchors = madeList(
      navigation,
      elsewhere.map((anchor) => link(anchor, "anchor")),
    );
    members.push(madeMember("global", madeObject(navigation, [madeMember("anchors", anchors)])));
  }
  return madeObject(navigation, members);
}

interface OldSite {
  /** The location of values that have none of their own. */
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
  /** Start of the paths of its pages, without slashes at the ends; undefined if it leads elsewhere. */
  readonly prefix?: string;
  readonly version?: string;
}
interface OldVersion {
  readonly value: JsonValue;
  readonly name: string;
  /** Set if the version is really a language. */
  readonly locale?: string;
}

function versionsFirst(site: OldSite): JsonMember[] {
  const { versions } = site;
  const areLanguages = versions.length > 0 && versions.every(({ locale }) => locale !== undefined);
  if (!areLanguages && ![...site.tabs, ...site.anchors].some(({ version }) => isOneOf(versions, version)))
    return tabsOf(site);
  const entries = versions.map((version) => {
    const isFor = (other: { readonly version?: string }) =>
      other.version === undefined || isVersion(version, other.version);
    const own: OldSite = {
      ...site,
      groups: site.groups.filter(isFor),
      tabs: site.tabs.filter(isFor),
      anchors: site.anchors.filter(isFor),
      versions: [],
    };
    return versionEntry(version, areLanguages, tabsOf(own));
  });
  return [madeMember(areLanguages ? "languages" : "versions", madeList(site.from, entries))];
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
  if (groups.has(undefined)) {
    entries.unshift(main(site.primaryTab ?? site.from, "tab", { name: "Documentation" }, content(undefined)));
  }
  return [madeMember("tabs", madeList(site.from, entries))];
}

function anchorsOf(site: OldSite): JsonMember[] {
  if (site.anchors.length === 0 && site.topAnchor === undefined) return groupsOf(site, site.groups);
  const groups = byDivision(site.groups, site.anchors);
  const content = (anchor: OldDivision | undefined): JsonMember[] => groupsOf(site, groups.get(anchor) ?? []);
  const entries = site.anchors.map((anchor) =>
    groups.has(anchor) ? division(anchor, "anchor", content(anchor)) : link(anchor, "anchor"),
  );
  if (groups.has(undefined)) {
    const usual = { name: "Documentation", icon: "book-open" };
    entries.unshift(main(site.topAnchor ?? site.from, "anchor", usual, content(undefined)));
  }
  return [madeMember("anchors", madeList(site.from, entries))];
}

/** Groups, separated by version if some belong to one; versions without a group of their own are left out. */
function groupsOf({ from, versions }: OldSite, groups: readonly OldGroup[]): JsonMember[] {
  const list = (some: readonly OldGroup[]) =>
    madeMember(
      "groups",
      madeList(
        from,
        some.map(({ value }) => value),
      ),
    );
  const here = versions.filter((version) => groups.some((group) => isVersion(version, group.version)));
  if (here.length === 0) return [list(groups)];
  const entries = here.map((version) => {
    const own = groups.filter((group) => !isOneOf(versions, group.version) || isVersion(version, group.version));
    return versionEntry(version, false, [list(own)]);
  });
  return [madeMember("versions", madeList(from, entries))];
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

function division({ value }: OldDivision, kind: "tab" | "anchor", content: readonly JsonMember[]): JsonValue {
  return madeObject(value, [...labelAndLooks(value, kind), ...content]);
}

/** A tab or anchor without groups of its own: it leads to a page, or elsewhere. */
function link({ value, prefix }: OldDivision, kind: "tab" | "anchor"): JsonValue {
  const url = value.kind === "object" ? memberOf(value, "url") : undefined;
  const href = url && (prefix === undefined ? url : madeText(url, `/${prefix}`));
  return madeObject(value, [...labelAndLooks(value, kind), ...(href ? [madeMember("href", href)] : [])]);
}

/** The primary tab or top anchor. */
function main(
  from: JsonValue,
  kind: "tab" | "anchor",
  usual: Readonly<Record<string, string>>,
  content: readonly JsonMember[],
): JsonValue {
  const written = from.kind === "object" ? from.members : [];
  const missing = Object.entries(usual).filter(([name]) => !written.some((member) => member.name === name));
  const made = missing.map(([name, text]) => madeMember(name, madeText(from, text)));
  return madeObject(from, [...labelAndLooks(madeObject(from, [...written, ...made]), kind), ...content]);
}

function labelAndLooks(value: JsonValue, kind: "tab" | "anchor"): JsonMember[] {
  if (value.kind !== "object") return [];
  const url = memberOf(value, "url");
  const label = memberOf(value, "name") === undefined && url ? [madeMember(kind, url)] : [];
  const others = value.members.flatMap((member): JsonMember[] => {
    const { name } = member;
    if (name === "name") return [{ ...member, name: kind }];
    if (name === "icon" || name === "iconType" || name === "openapi") return [member];
    if (name === "color" && kind === "anchor") return [{ ...member, value: anchorColor(member.value) }];
    // Such a tab was shown only on its own pages, but search found them.
    const isHidden = name === "isDefaultHidden" && member.value.kind === "boolean" && member.value.value;
    return isHidden ? ["hidden", "searchable"].map((each) => madeMember(each, madeFlag(member.value, true))) : [];
  });
  return [...label, ...others];
}

/** The start of a gradient. */
function anchorColor(value: JsonValue): JsonValue {
  return (value.kind === "object" ? memberOf(value, "from") : undefined) ?? value;
}

function versionEntry(
  { value, name, locale }: OldVersion,
  isLanguage: boolean,
  content: readonly JsonMember[],
): JsonValue {
  const isDefault = value.kind === "object" ? memberOf(value, "default") : undefined;
  return madeObject(value, [
    madeMember(isLanguage ? "language" : "version", madeText(value, isLanguage ? (locale ?? name) : name)),
    ...(isDefault ? [madeMember("default", isDefault)] : []),
    ...content,
  ]);
}

function isVersion(version: OldVersion, name: string | undefined): boolean {
  return name !== undefined && (name === version.name || name === version.locale);
}

function isOneOf(versions: readonly OldVersion[], name: string | undefined): boolean {
  return versions.some((version) => isVersion(version, name));
}

function itemsOf(root: JsonObject, name: string): readonly JsonValue[] {
  const value = memberOf(root, name);
  return value?.kind === "array" ? value.items : [];
}

function oldGroup(value: JsonValue): OldGroup {
  return { value: withoutVersion(value), version: textOf(value, "version"), firstPage: firstPage(value) };
}

function withoutVersion(value: JsonValue): JsonValue {
  if (value.kind !== "object") return value;
  const members = value.members.filter(({ name }) => name !== "version");
  return madeObject(
    value,
    members.map((member) =>
      member.name === "pages" ? { ...member, value: eachItem(member.value, withoutVersion) } : member,
    ),
  );
}

/** Skips endpoints such as `GET /users`, which are not paths. */
function firstPage(value: JsonValue): string {
  if (value.kind === "string") return /\s/.test(value.value.trim()) ? "" : trimmed(value.value);
  const pages = value.kind === "object" ? memberOf(value, "pages") : undefined;
  if (pages?.kind !== "array") return "";
  for (const page of pages.items) {
    const first = firstPage(page);
    if (first !== "") return first;
  }
  return "";
}

function oldDivision(value: JsonValue): OldDivision {
  const url = textOf(value, "url");
  const isElsewhere = url === undefined || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url);
  return { value, version: textOf(value, "version"), prefix: isElsewhere ? undefined : trimmed(url) };
}

function oldVersion(value: JsonValue): OldVersion {
  const locale = textOf(value, "locale");
  return { value, locale, name: value.kind === "string" ? value.value : (textOf(value, "name") ?? locale ?? "") };
}

function textOf(value: JsonValue, name: string): string | undefined {
  const member = value.kind === "object" ? memberOf(value, name) : undefined;
  return member?.kind === "string" && member.value.trim() !== "" ? member.value.trim() : undefined;
}

function trimmed(path: string): string {
  return path.trim().replace(/^(?:\.?\/)+|\/+$/g, "");
}
