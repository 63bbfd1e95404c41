import { type Diagnostic, likelyName } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { readRestriction } from "../audience.js";
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  locationOf,
  memberOf,
  plainOf,
  type Report,
  shown,
  textEdit,
} from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import { banner, footer, navbar } from "./read-page-frame.js";
import {
  described,
  type Fields,
  flag,
  ignored,
  inQuotes,
  type JsonSchema,
  numberAbove,
  object,
  oneOf,
  type Reader,
  reportAt,
  schemaOf,
  text,
  wrong,
} from "./readers.js";
import type { NavContainer, NavEntry, Navigation, NavKind, NavPage } from "./site-config.js";
import { colorPair, foldIcon, graphRefs, href, icon, specRefs } from "./values.js";

/** The containers of the navigation: the name of their list, and the field with their label. In the order of mixed lists. */
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

/**
 * Whether `groups` of an entry says for which readers it is: rules, or names next to what the entry holds. Names alone are
 * pages in the wrong list.
 */
function namesReaders(entry: JsonObject): boolean {
  const groups = memberOf(entry, "groups");
  if (groups?.kind !== "array" || groups.items.length === 0) return false;
  const isRule = (item: JsonValue): boolean =>
    item.kind === "object" && ["includes", "excludes"].some((name) => memberOf(item, name) !== undefined);
  if (!groups.items.every((item) => item.kind === "string" || isRule(item))) return false;
  return groups.items.some(isRule) || contents.some((name) => memberOf(entry, name) !== undefined);
}
const contents = [
  ...navLists.map(({ list }) => list).filter((list) => list !== "groups"),
  ...["pages", "href", "root", "openapi", "asyncapi", "graphql", "arazzo"],
];

const labelOfKind = new Map(navLists.map(({ kind, label }) => [kind, label]));

/** Language codes of a site; cn and jp are other names of zh and ja. */
export const { languageCodes } = knownNames;

/**
 * Reads `navigation`: all kinds of containers in any nesting, as written. A level with several kinds of children is
 * reported and keeps them all, in the order of `navLists`, pages last.
 */
export const navigation = described<Reader<Navigation>>(
  (value, report) => {
    if (value.kind === "array") {
      const what = `${inQuotes(value)} is a list, but must be an object; the list is read as its groups.`;
      reportAt(value, report, "CONFIG_BAD_VALUE", what, 'write "navigation": { "groups": [ ... ] }.');
      return {
        children: readList(value, "group", report),
        global: [],
        openapi: [],
        asyncapi: [],
        graphql: [],
        arazzo: [],
      };
    }
    if (value.kind !== "object") return wrong(value, report, "an object");
    const read = rootFields(value, report);
    if (read === undefined) return undefined;
    const { global = [], directory, openapi = [], asyncapi = [], graphql = [], arazzo = [] } = read;
    const specs = { openapi, asyncapi, graphql, arazzo };
    return withoutUndefined({ children: readChildren(value, report), global, directory, ...specs });
  },
  () => navigationSchema(),
);

const directory = oneOf(["none", "accordion", "card"]);

/** Settings for generated pages that an export does not make, so readers of the site would miss them. */
const notGenerated = described<Reader<never>>(
  (value, report) => {
    const what = `${inQuotes(value)} asks for a kind of generated pages that is not exported, so they are missing.`;
    const fix = `remove "${value.step}", and list pages that you write in "pages".`;
    return reportAt(value, report, "NAV_NOT_GENERATED", what, fix, "error");
  },
  () => ({}),
);

/** Lists of children are read elsewhere; here they are only known names. */
const childLists: Fields = Object.fromEntries(
  [...navLists.map(({ list }) => list), "pages"].map((list) => [list, ignored]),
);

const globalLists = navLists.filter(({ kind }) => kind !== "group" && kind !== "menu");
const globalFields = object(Object.fromEntries(globalLists.map(({ list }) => [list, ignored])));

/** Global entries appear on every page, so each must be a link or have children. */
const globalEntries = described<Reader<readonly NavContainer[]>>(
  (value, report) => {
    if (value.kind !== "object") return wrong(value, report, "an object");
    globalFields(value, report);
    return globalLists.flatMap(({ list, kind }) => {
      const items = memberOf(value, list);
      if (items === undefined) return [];
      if (items.kind !== "array") return wrong(items, report, "a list") ?? [];
      return items.items.flatMap((item) => {
        const entry = item.kind === "object" ? container(item, kind, report) : wrong(item, report, "an object");
        if (entry === undefined) return [];
        if (entry.href !== undefined || entry.children.length > 0) return [entry];
        if (item.kind === "object" && memberOf(item, "href") === undefined)
          reportAt(
            item,
            report,
            "CONFIG_KEY_MISSING",
            `${inQuotes(item)} has no link, so it is left out.`,
            'add "href": "/guides/install".',
          );
        return [];
      });
    });
  },
  () => globalSchema(),
);
const languageName = (code: string): string | undefined => names().of(code)?.toLowerCase();

const names = lazy(() => new Intl.DisplayNames(["en"], { type: "language" }));

const globalSchema = (): JsonSchema =>
  withEntries(
    schemaOf(globalFields),
    globalLists.map(({ list }) => list),
  );

/** Pages and containers in any nesting: `#/definitions/entry` of the schema of docs.json. */
const entries = { anyOf: [{ type: "array", items: { $ref: "#/definitions/entry" } }, { $ref: "#/definitions/file" }] };

const labelHint = 'write the text to show under the name of the entry\'s kind, as in "group": "Guides".';
const containerFields = object(
  {
    ...childLists,
    ...Object.fromEntries([...labelOfKind.values(), "name"].map((name) => [name, ignored])),
    icon,
    iconType: text,
    href,
    hidden: flag,
    searchable: flag,
    public: flag,
    tag: text,
    root: described<Reader<NavPage>>(page, () => schemaOf(text)),
    expanded: flag,
    boost: numberAbove(0),
    directory,
    color: colorPair,
    description: text,
    default: flag,
    align: oneOf(["start", "end"]),
    openapi: specRefs,
    asyncapi: specRefs,
    global: globalEntries,
    banner,
    footer,
    navbar,
    graphql: graphRefs,
    arazzo: specRefs,
    sdk: notGenerated,
  },
  {
    hints: {
      title: labelHint,
      label: labelHint,
      url: 'write "href".',
    },
  },
);

const rootFields = object({
  ...childLists,
  global: globalEntries,
  directory,
  openapi: specRefs,
  asyncapi: specRefs,
  graphql: graphRefs,
  arazzo: specRefs,
} as const);
const listNames = [...navLists.map(({ list }) => list), "pages"];

function withEntries(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = schema["properties"] as JsonSchema;
  return { ...schema, properties: { ...properties, ...Object.fromEntries(names.map((name) => [name, entries])) } };
}
const navigationSchema = (): JsonSchema => ({ anyOf: [withEntries(schemaOf(rootFields), listNames), entries] });

/** Of an entry: the path of a page or an operation, or a container. */
export function entrySchema(): JsonSchema {
  const container = withEntries(schemaOf(containerFields), listNames);
  const labels = [...labelOfKind.values(), "name"].map((name) => [name, { type: "string" }]);
  const properties = { ...(container["properties"] as JsonSchema), ...Object.fromEntries(labels) };
  return { anyOf: [schemaOf(text), { ...container, properties }] };
}

function page(value: JsonValue, report: Report): NavPage | undefined {
  const ref = text(value, report);
  return ref === undefined ? undefined : { kind: "page", ref, location: locationOf(value) };
}

function readChildren(parent: JsonObject, report: Report): NavEntry[] {
  const lists = [...navLists, { list: "pages", kind: "group" as const }].filter(
    ({ list }) => memberOf(parent, list) !== undefined && !(list === "groups" && namesReaders(parent)),
  );
  const names = lists.map(({ list }) => list);
  if (memberOf(parent, "href") !== undefined) names.unshift("href");
  if (names.length > 1) reportMixed(parent, names, report);
  return lists.flatMap(({ list, kind }) => {
    const value = memberOf(parent, list)!;
    if (value.kind === "array") return readList(value, kind, report);
    wrong(value, report, "a list");
    return [];
  });
}

function reportMixed(parent: JsonObject, names: readonly string[], report: Report): void {
  const listed = names.map((name) => `"${name}"`).join(" and ");
  const what = `${inQuotes(parent)} has ${listed} side by side; all are kept, but other tools take one kind only.`;
  const fix = `put one inside the other, or keep only one of ${listed}.`;
  reportAt(parent, report, "NAV_MIXED_CHILDREN", what, fix);
}

/** `kind` is the kind that the list's name means; a text is a page in every list. */
function readList(list: JsonArray, kind: NavKind, report: Report): NavEntry[] {
  return list.items
    .map((item): NavEntry | undefined => {
      if (item.kind === "string") return page(item, report);
      if (item.kind === "object") return container(item, kind, report);
      return wrong(item, report, `a page or an object with "${labelOfKind.get(kind)}"`);
    })
    .filter((entry) => entry !== undefined);
}

function container(value: JsonObject, listKind: NavKind, report: Report): NavContainer | undefined {
  const repository = memberOf(value, "sourceRef");
  if (repository) {
    const what = `These pages come from another repository (${shown(repository)}), which is not part of this folder; they are missing.`;
    const fix = "copy the pages into this folder and list them here.";
    return reportAt(repository, report, "NAV_OTHER_REPOSITORY", what, fix, "error");
  }
  const { kind, label } = kindAndLabel(value, listKind, report);
  const read = containerFields(value, report);
  if (read === undefined) return undefined;
  const { iconType: _folded, ...rest } = read;
  return withoutUndefined({
    ...rest,
    kind,
    label,
    children: readChildren(value, report),
    location: locationOf(value),
    icon: foldIcon(read),
    restriction: namesReaders(value) ? readRestriction(plainOf(memberOf(value, "groups")!)) : undefined,
  }) as NavContainer;
}

/** Goes by the label of the entry, since it may be in the wrong list. Blanks are the name of a group without heading. */
function kindAndLabel(
  value: JsonObject,
  listKind: NavKind,
  report: Report,
): { readonly kind: NavKind; readonly label: string } {
  const labelOf = (name: string): string | undefined => {
    const label = memberOf(value, name);
    return label?.kind === "string" && label.value.trim() !== "" ? label.value.trim() : undefined;
  };
  const expected = labelOfKind.get(listKind)!;
  const own = (listKind === "product" ? labelOf("name") : undefined) ?? labelOf(expected);
  if (own !== undefined) {
    if (listKind === "language" && !languageCodes.includes(own))
      report(() => unknownLanguage(memberOf(value, expected)!, own));
    return { kind: listKind, label: own };
  }
  const other = navLists.find(({ label }) => labelOf(label) !== undefined);
  if (other === undefined && listKind === "group" && memberOf(value, expected)?.kind === "string")
    return { kind: "group", label: "" };
  if (other === undefined) {
    const what = `${inQuotes(value)} has no "${expected}", the text to show for it.`;
    reportAt(value, report, "NAV_LABEL_MISSING", what, `add "${expected}": "${expected === "language" ? "en" : "…"}".`);
    return { kind: listKind, label: labelOf("name") ?? "Untitled" };
  }
  const what = `${inQuotes(value)} has "${other.label}" instead of "${expected}"; it is kept as an entry of "${other.list}".`;
  const fix = `write "${expected}" instead of "${other.label}", or move the entry to a list "${other.list}".`;
  reportAt(value, report, "NAV_LABEL_MISSING", what, fix);
  return { kind: other.kind, label: labelOf(other.label)! };
}

function unknownLanguage(value: JsonValue, code: string): Diagnostic {
  const named = languageCodes.find((each) => languageName(each) === code.trim().toLowerCase());
  const near = named === undefined ? likelyName(code, languageCodes) : { name: named, certain: true };
  return {
    code: "NAV_UNKNOWN_LANGUAGE",
    severity: "warning",
    what: `${inQuotes(value)} is ${shown(value)}, which is not a known language code; it is kept as written.`,
    location: locationOf(value),
    fix: near ? `write "${near.name}".` : `use one of ${languageCodes.join(", ")}.`,
    ...(near && textEdit(value.at, near)),
  };
}
