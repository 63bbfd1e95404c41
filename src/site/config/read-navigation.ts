import { type Diagnostic, likelyName, warningOf } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { specFormats } from "../api-spec.js";
import { readRestriction } from "../audience.js";
import { noSpecs } from "./defaults.js";
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  locationOf,
  memberOf,
  plainValue,
  type Report,
  shown,
  textEdit,
} from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import { frameFields } from "./read-page-frame.js";
import { converted, flag, type JsonSchema, numberAbove, object, oneOf, type Reader, reader, text } from "./readers.js";
import { inQuotes, reportAt, reportInvalid, reportUnknown } from "./report-setting.js";
import type { NavContainer, NavEntry, Navigation, NavKind, NavPage } from "./site-config.js";
import { colorPair, href, icon, iconWithType, specLists, targetName } from "./values.js";

/** The containers of the navigation, in the order of mixed lists: the name of their list, and the field with their label. */
export const navLists: readonly { readonly list: string; readonly kind: NavKind; readonly label: string }[] = [
  { list: "languages", kind: "language", label: "language" },
  { list: "versions", kind: "version", label: "version" },
  { list: "products", kind: "product", label: "product" },
  { list: "tabs", kind: "tab", label: "tab" },
  { list: "dropdowns", kind: "dropdown", label: "dropdown" },
  { list: "anchors", kind: "anchor", label: "anchor" },
  { list: "menu", kind: "menu", label: "item" },
  { list: "groups", kind: "group", label: "group" },
];
const labelOfKind = new Map(navLists.map(({ kind, label }) => [kind, label]));

/** Language codes of a site; cn and jp are other names of zh and ja. */
export const { languageCodes } = knownNames;

/** Fields that other functions read. They are listed here so that they are known names. */
const readElsewhere = (names: readonly string[], schema: JsonSchema): Readonly<Record<string, Reader<never>>> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      reader<never>(
        () => undefined,
        () => schema,
      ),
    ]),
  );

/** Pages and containers in any nesting. */
const entries = { anyOf: [{ type: "array", items: { $ref: "#/definitions/entry" } }, { $ref: "#/definitions/file" }] };
const childLists = readElsewhere([...navLists.map(({ list }) => list), "pages"], entries);
/** Names that other formats use for the text of an entry. */
const otherLabels = ["title", "label", "name"];
const labels = readElsewhere([...labelOfKind.values(), ...otherLabels], { type: "string" });

const page: Reader<NavPage> = converted(text, (ref, value) => ({ kind: "page", ref, location: locationOf(value) }));

const directory = oneOf(["none", "accordion", "card"]);

/** Reads settings for generated pages that an export does not make, and reports that these pages are missing. */
const notGenerated = reader<never>(
  (value, report) => {
    const what = `${inQuotes(value)} asks for generated pages of a kind that the export does not support, so they are missing.`;
    const fix = `remove "${value.step}", and list pages that you write yourself in "pages".`;
    return reportAt(value, report, "NAV_NOT_GENERATED", what, fix, { severity: "error" });
  },
  () => ({}),
);

const globalLists = navLists.filter(({ kind }) => kind !== "group" && kind !== "menu");

/** Global entries appear on every page, so each must be a link or have children. */
const global = converted(
  object(
    readElsewhere(
      globalLists.map(({ list }) => list),
      entries,
    ),
  ),
  (_, value, report) =>
    globalLists.flatMap(({ list, kind }): NavContainer[] => {
      const items = memberOf(value, list);
      if (items?.kind === "array") return items.items.flatMap((item) => globalEntry(item, kind, report) ?? []);
      if (items !== undefined) reportInvalid(items, report, "a list");
      return [];
    }),
);

function globalEntry(item: JsonValue, kind: NavKind, report: Report): NavContainer | undefined {
  const entry = item.kind === "object" ? container(item, kind, report) : reportInvalid(item, report, "an object");
  if (entry === undefined || entry.href !== undefined || entry.children.length > 0) return entry;
  if (memberOf(item, "href") !== undefined) return undefined;
  const what = `${inQuotes(item)} has no link, so it is left out.`;
  return reportAt(item, report, "CONFIG_KEY_MISSING", what, 'add "href": "/guides/install".');
}

const rootFields = object({ ...childLists, global, directory, ...specLists } as const);

const containerFields = object({
  ...childLists,
  ...labels,
  icon,
  iconType: text,
  href,
  hidden: flag,
  searchable: flag,
  public: flag,
  tag: text,
  root: page,
  expanded: flag,
  boost: numberAbove(0),
  directory,
  color: colorPair,
  description: text,
  default: flag,
  align: oneOf(["start", "end"]),
  global,
  ...frameFields,
  ...specLists,
  sdk: notGenerated,
});

/** Schema of `#/definitions/entry` in the schema of docs.json: a page, an operation, or a container. */
export const entrySchema = (): JsonSchema => ({ anyOf: [text.schema(), containerFields.schema()] });

/**
 * Reads `navigation`: all kinds of containers in any nesting, as written. A level with several kinds of children is
 * reported and keeps them all, in the order of `navLists`, pages last.
 */
export const navigation = reader<Navigation>(
  (value, report) => {
    if (value.kind === "array") {
      const what = `${inQuotes(value)} is a list, but must be an object; the list is treated as its groups.`;
      reportAt(value, report, "CONFIG_BAD_VALUE", what, 'write "navigation": { "groups": [ ... ] }.');
      return { ...noSpecs, children: readList(value, "group", report), global: [] };
    }
    const single = navLists.find(({ label }) => memberOf(value, label)?.kind === "string");
    if (value.kind === "object" && single) {
      const what = `${inQuotes(value)} must contain a list, but is itself a ${single.kind}; it is treated as the only one.`;
      reportAt(
        value,
        report,
        "CONFIG_BAD_VALUE",
        what,
        `write "navigation": { "${single.list}": [{ "${single.label}": ${shown(memberOf(value, single.label)!)}, … }] }.`,
      );
      return { ...noSpecs, children: [container(value, single.kind, report) ?? []].flat(), global: [] };
    }
    const read = rootFields(value, report);
    if (value.kind !== "object" || read === undefined) return undefined;
    return { ...noSpecs, global: [], ...read, children: readChildren(value, report) };
  },
  () => ({ anyOf: [rootFields.schema(), entries] }),
);

function readChildren(parent: JsonObject, report: Report): NavEntry[] {
  const lists = [...navLists, { list: "pages", kind: "group" as const }].filter(
    ({ list }) => memberOf(parent, list) !== undefined && !(list === "groups" && namesReaders(parent)),
  );
  const names = lists.map(({ list }) => list);
  if (memberOf(parent, "href") !== undefined) names.unshift("href");
  if (names.length > 1) {
    const listed = names.map((name) => `"${name}"`).join(" and ");
    const what = `${inQuotes(parent)} has ${listed} at the same level; all are used, but other tools accept only one of them.`;
    const fix = `put one inside the other, or keep only one of ${listed}.`;
    reportAt(parent, report, "NAV_MIXED_CHILDREN", what, fix);
  }
  return lists.flatMap(({ list, kind }) => {
    const value = memberOf(parent, list)!;
    if (value.kind === "array" && list !== "pages") reportPageIn(list, value, report);
    return value.kind === "array" ? readList(value, kind, report) : (reportInvalid(value, report, "a list") ?? []);
  });
}

/** Reports the first string of a list of containers, which other tools refuse. */
function reportPageIn(list: string, { items }: JsonArray, report: Report): void {
  const page = items.find(({ kind }) => kind === "string");
  if (page === undefined) return;
  const { label } = navLists.find((each) => each.list === list)!;
  const what = `${inQuotes(page)} is a page, but "${list}" lists objects with "${label}"; it is shown as a page.`;
  const areAll = items.every(({ kind }) => kind === "string");
  const fix = areAll ? `write "pages" instead of "${list}".` : `write { "${label}": "…", "pages": [${shown(page)}] }.`;
  reportAt(page, report, "CONFIG_BAD_VALUE", what, fix);
}

/** @param kind the kind of entry that the list's name stands for. A string is a page in every list. */
function readList(list: JsonArray, kind: NavKind, report: Report): NavEntry[] {
  reportTwins(list, kind, report);
  return list.items.flatMap((item): NavEntry[] => {
    if (item.kind !== "string" && item.kind !== "object")
      return reportInvalid(item, report, `a page or an object with "${labelOfKind.get(kind)}"`) ?? [];
    const entry =
      item.kind === "string" ? page(item, report) : (pageObject(item, report) ?? container(item, kind, report));
    return entry ? [entry] : [];
  });
}

/** Reports entries of a list that look the same to readers, and a second default entry. */
function reportTwins(list: JsonArray, kind: NavKind, report: Report): void {
  const firsts = new Map<string, JsonValue>();
  const addOrReport = (key: string, value: JsonValue, what: string, fix: string): void => {
    const first = firsts.get(key);
    const related = first && { location: locationOf(first), what: "the first one" };
    if (related)
      report({ code: "NAV_LABEL_TWICE", severity: "warning", what, location: locationOf(value), related, fix });
    else firsts.set(key, value);
  };
  for (const item of list.items) {
    const label = memberOf(item, labelOfKind.get(kind)!);
    const isHidden = memberOf(item, "hidden");
    if (label?.kind !== "string" || label.value.trim() === "" || (isHidden?.kind === "boolean" && isHidden.value))
      continue;
    const advice = `give it another "${labelOfKind.get(kind)}", or move its pages into the first one.`;
    const what = `${shown(label)} is the "${labelOfKind.get(kind)}" of two entries of ${inQuotes(list)}, so readers cannot tell them apart.`;
    addOrReport(`label ${label.value.trim()}`, label, what, advice);
    const first = memberOf(item, "default");
    if (first?.kind === "boolean" && first.value)
      addOrReport(
        "default",
        first,
        `Two entries of ${inQuotes(list)} are the default; the first one is used.`,
        'remove "default" from one of them.',
      );
  }
}

/** Reads `{ "page": "guides/start", "title": "Start" }`, as other tools write a page. */
function pageObject(item: JsonObject, report: Report): NavPage | undefined {
  const ref = memberOf(item, "page") ?? memberOf(item, "path");
  const isContainer = [...navLists.flatMap(({ list, label }) => [list, label]), "pages", "href"].some((name) =>
    memberOf(item, name),
  );
  if (ref?.kind !== "string" || isContainer) return undefined;
  const title = memberOf(item, "title") ?? memberOf(item, "label") ?? memberOf(item, "name");
  const what = `${inQuotes(item)} is an object, but a page must be a string: its path.`;
  const rest = title?.kind === "string" ? `, and sidebarTitle: ${shown(title)} in the front matter of the page` : "";
  reportAt(item, report, "CONFIG_BAD_VALUE", what, `write ${shown(ref)}${rest}.`);
  return page(ref, report);
}

function container(value: JsonObject, listKind: NavKind, report: Report): NavContainer | undefined {
  const repository = memberOf(value, "sourceRef");
  if (repository) {
    const what = `These pages come from another repository (${shown(repository)}), which is not in this folder, so they are missing.`;
    const fix = "copy the pages into this folder and list them here.";
    return reportAt(repository, report, "NAV_OTHER_REPOSITORY", what, fix, { severity: "error" });
  }
  let faults = 0;
  const counted: Report = (fault) => {
    faults++;
    report(fault);
  };
  const read = containerFields(value, counted);
  if (read === undefined) return undefined;
  const kindAndLabel = readKindAndLabel(value, listKind, report);
  const { iconType: _, ...rest } = read;
  const children = readChildren(value, counted);
  return withoutUndefined({
    ...rest,
    ...kindAndLabel,
    children,
    isFaulty: (children.length === 0 && faults > 0) || undefined,
    location: locationOf(value),
    icon: iconWithType(read),
    restriction: namesReaders(value) ? readRestriction(plainValue(memberOf(value, "groups")!)) : undefined,
  }) as NavContainer;
}

/**
 * Whether `groups` of an entry lists groups of readers: rules, or names if the entry has content besides. Names alone are
 * pages in the wrong list.
 */
function namesReaders(entry: JsonObject): boolean {
  const groups = memberOf(entry, "groups");
  if (groups?.kind !== "array" || groups.items.length === 0) return false;
  const isRule = (item: JsonValue): boolean =>
    ["includes", "excludes"].some((name) => memberOf(item, name) !== undefined);
  if (!groups.items.every((item) => item.kind === "string" || isRule(item))) return false;
  return groups.items.some(isRule) || contentNames.some((name) => memberOf(entry, name) !== undefined);
}
const contentNames = [...Object.keys(childLists).filter((name) => name !== "groups"), "href", "root", ...specFormats];

/** Goes by the label of the entry, since it may be in the wrong list. A blank label is that of a group without heading. */
function readKindAndLabel(
  value: JsonObject,
  listKind: NavKind,
  report: Report,
): { readonly kind: NavKind; readonly label: string } {
  const labelIn = (name: string): string | undefined => {
    const label = memberOf(value, name);
    return label?.kind === "string" && label.value.trim() !== "" ? label.value.trim() : undefined;
  };
  const expected = labelOfKind.get(listKind)!;
  const label = (listKind === "product" ? labelIn("name") : undefined) ?? labelIn(expected);
  if (label !== undefined) {
    if (listKind === "language" && !languageCodes.includes(label))
      report(() => unknownLanguage(memberOf(value, expected)!, label));
    for (const member of value.members)
      if (otherLabels.includes(member.name) && labelIn(member.name) !== label)
        reportUnknown(value, member, [], report, {}, `remove it: "${expected}" already has the text to show.`);
    return { kind: listKind, label };
  }
  const typed = memberOf(value, expected);
  if (typed?.kind === "number") {
    const written = typed.at.file.text.slice(typed.at.offset, typed.at.offset + typed.at.length);
    const what = `${inQuotes(typed)} is the number ${written}, but must be a string; it is shown as text.`;
    reportAt(typed, report, "CONFIG_BAD_VALUE", what, `write "${written}".`);
    return { kind: listKind, label: written };
  }
  const otherLabel = otherLabels.find((name) => labelIn(name) !== undefined);
  const other = navLists.find(({ label }) => labelIn(label) !== undefined);
  if (other === undefined && otherLabel !== undefined) {
    const label = labelIn(otherLabel)!;
    const what = `${inQuotes(value)} has "${otherLabel}" instead of "${expected}"; its text is shown.`;
    const path = /^\/?([\w-][\w./-]*)$/.exec(listKind === "group" ? (labelIn("href") ?? "") : "")?.[1];
    const fix =
      path === undefined
        ? `write "${expected}": ${JSON.stringify(label)}.`
        : `write "${path}", and sidebarTitle: ${label} in the front matter of the page.`;
    if (memberOf(value, expected) === undefined) reportAt(value, report, "NAV_LABEL_MISSING", what, fix);
    return { kind: listKind, label };
  }
  if (other === undefined && listKind === "group" && memberOf(value, expected)?.kind === "string")
    return { kind: "group", label: "" };
  if (other === undefined) {
    const what = `${inQuotes(value)} has no "${expected}", the text to show for it.`;
    reportAt(value, report, "NAV_LABEL_MISSING", what, `add "${expected}": "${expected === "language" ? "en" : "…"}".`);
    const target = labelIn("href");
    return { kind: listKind, label: target === undefined ? "Untitled" : targetName(target) };
  }
  const what = `${inQuotes(value)} has "${other.label}" instead of "${expected}"; it is used as an entry of "${other.list}".`;
  const fix = `write "${expected}" instead of "${other.label}", or move the entry to a list "${other.list}".`;
  reportAt(value, report, "NAV_LABEL_MISSING", what, fix);
  return { kind: other.kind, label: labelIn(other.label)! };
}

const displayNames = lazy(() => new Intl.DisplayNames(["en"], { type: "language" }));

function unknownLanguage(value: JsonValue, code: string): Diagnostic {
  const name = code.trim().toLowerCase();
  const ofCountry: Readonly<Record<string, string>> = knownNames.languagesOfCountries;
  const named = languageCodes.find(
    (language) => language === ofCountry[name] || displayNames().of(language)?.toLowerCase() === name,
  );
  const near = named === undefined ? likelyName(code, languageCodes) : { name: named, certain: true };
  return {
    ...warningOf("NAV_UNKNOWN_LANGUAGE"),
    what: `${inQuotes(value)} is ${shown(value)}, which is not a known language code; it is used as is.`,
    location: locationOf(value),
    fix: near ? `write "${near.name}".` : `use one of ${languageCodes.join(", ")}.`,
    ...(near && textEdit(value.at, near)),
  };
}
