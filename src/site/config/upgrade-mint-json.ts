import { nearestName } from "../../lib/diagnostic/index.js";
import {
  type JsonMember,
  type JsonObject,
  type JsonValue,
  locationOfSpan,
  memberOf,
  type Report,
} from "./json-value.js";
import { eachItem, madeFlag, madeMember, madeObject, madeText, renamed } from "./make-json.js";
import { inQuotes } from "./readers.js";
import { navigationSettings, upgradeNavigation } from "./upgrade-mint-navigation.js";

/** One setting of docs.json: its path and its value. */
type Setting = readonly [path: readonly string[], value: JsonValue];

/**
 * Converts the older mint.json to docs.json, so that one set of readers checks both. Every value keeps its location in
 * mint.json. Settings without a counterpart have no effect on an export and are dropped; unknown ones are reported.
 */
export function upgradeMintJson(root: JsonObject, report: Report): JsonObject {
  const settings: Setting[] = [];
  for (const member of root.members) {
    const upgrade = upgrades.get(member.name);
    if (upgrade) settings.push(...upgrade(member.value));
    else if (!dropped.has(member.name) && !navigationSettings.has(member.name))
      report(() => unknownSetting(root, member));
  }
  const navigation = upgradeNavigation(root);
  if (navigation) settings.push([["navigation"], navigation]);
  return nested(root, settings);
}

const moved =
  (...path: string[]) =>
  (value: JsonValue): Setting[] => [[path, value]];

/** Moves each member of an object to a path of its own; other members are dropped. */
const spread =
  (ways: Readonly<Record<string, (value: JsonValue) => Setting[]>>) =>
  (value: JsonValue): Setting[] =>
    value.kind === "object"
      ? value.members.flatMap((member) => (Object.hasOwn(ways, member.name) ? ways[member.name]!(member.value) : []))
      : [];

const integrations = (value: JsonValue): Setting[] =>
  value.kind === "object" ? value.members.map((member) => [["integrations", member.name], member.value]) : [];

const linkNames = { name: "label", url: "href", type: "type", icon: "icon", iconType: "iconType" };
const fontNames = { family: "family", weight: "weight", url: "source", format: "format" };
const oldThemes = ["venus", "quill", "prism"];

const upgrades = new Map<string, (value: JsonValue) => Setting[]>(
  Object.entries({
    name: moved("name"),
    description: moved("description"),
    theme: (value) => (value.kind === "string" && oldThemes.includes(value.value) ? [] : [[["theme"], value]]),
    logo: moved("logo"),
    favicon: moved("favicon"),
    colors: spread({
      primary: moved("colors", "primary"),
      light: moved("colors", "light"),
      dark: moved("colors", "dark"),
      background: moved("background", "color"),
    }),
    background: spread({ style: moved("background", "decoration") }),
    backgroundImage: moved("background", "image"),
    font: spread({
      family: moved("fonts", "family"),
      weight: moved("fonts", "weight"),
      url: moved("fonts", "source"),
      format: moved("fonts", "format"),
      headings: (value) => [[["fonts", "heading"], renamed(value, fontNames)]],
      body: (value) => [[["fonts", "body"], renamed(value, fontNames)]],
    }),
    modeToggle: spread({ default: moved("appearance", "default"), isHidden: moved("appearance", "strict") }),
    codeBlock: spread({
      mode: (value) => (value.kind === "string" && value.value === "auto" ? [] : [[["styling", "codeblocks"], value]]),
    }),
    eyebrow: spread({ display: moved("styling", "eyebrows") }),
    topbarLinks: (value) => [[["navbar", "links"], eachItem(value, (link) => renamed(link, linkNames))]],
    topbarCtaButton: (value) => [[["navbar", "primary"], ctaButton(value)]],
    footerSocials: (value) => [[["footer", "socials"], eachItem(value, socialLink)]],
    footer: spread({
      socials: (value) => [[["footer", "socials"], eachItem(value, socialLink)]],
      links: (value) => [[["footer", "links"], eachItem(value, footerColumn)]],
    }),
    search: spread({ prompt: moved("search", "prompt") }),
    redirects: moved("redirects"),
    metadata: moved("seo", "metatags"),
    seo: spread({
      indexHiddenPages: (value) =>
        value.kind === "boolean" && value.value ? [[["seo", "indexing"], madeText(value, "all")]] : [],
    }),
    analytics: integrations,
    integrations,
    openapi: moved("api", "openapi"),
    api: spread({
      baseUrl: moved("api", "mdx", "server"),
      auth: spread({ method: moved("api", "mdx", "auth", "method"), name: moved("api", "mdx", "auth", "name") }),
      playground: spread({
        mode: (value) => [[["api", "playground", "display"], playgroundDisplay(value)]],
        disableProxy: (value) =>
          value.kind === "boolean" ? [[["api", "playground", "proxy"], madeFlag(value, !value.value)]] : [],
      }),
      paramFields: spread({
        expanded: (value) => [
          [
            ["api", "params", "expanded"],
            madeText(value, value.kind === "string" && value.value === "all" ? "all" : "closed"),
          ],
        ],
      }),
      request: spread({
        example: spread({
          languages: moved("api", "examples", "languages"),
          showOptionalParams: (value) =>
            value.kind === "boolean"
              ? [[["api", "examples", "defaults"], madeText(value, value.value ? "all" : "required")]]
              : [],
        }),
      }),
    }),
  } satisfies Record<string, (value: JsonValue) => Setting[]>),
);

/** Settings of the vendor's own service, and looks that no theme has any longer. */
const dropped = new Set("$schema mintlify layout topbar sidebar rounded feedback isWhiteLabeled".split(" "));

function ctaButton(value: JsonValue): JsonValue {
  const link = renamed(value, linkNames);
  if (link.kind !== "object") return link;
  const type = memberOf(link, "type");
  const isUsual = type?.kind === "string" && type.value === "link";
  return isUsual
    ? madeObject(
        link,
        link.members.filter(({ name }) => name !== "type"),
      )
    : link;
}

function socialLink(value: JsonValue): JsonValue {
  return renamed(value, { type: "type", url: "href" });
}

function footerColumn(value: JsonValue): JsonValue {
  const column = renamed(value, { title: "header", links: "items" });
  if (column.kind !== "object") return column;
  const items = column.members.map((member) =>
    member.name === "items"
      ? { ...member, value: eachItem(member.value, (link) => renamed(link, { label: "label", url: "href" })) }
      : member,
  );
  return madeObject(column, items);
}

function playgroundDisplay(value: JsonValue): JsonValue {
  const names = new Map([
    ["show", "interactive"],
    ["hide", "none"],
  ]);
  const name = value.kind === "string" ? names.get(value.value) : undefined;
  return name === undefined ? value : madeText(value, name);
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
  const known: string[] = [...upgrades.keys(), ...navigationSettings, ...dropped];
  const near = nearestName(member.name, known);
  return {
    code: "CONFIG_UNKNOWN_KEY",
    severity: "warning",
    what: `${inQuotes(root)} has no setting ${JSON.stringify(member.name)}; it is ignored.`,
    location: locationOfSpan(member.nameAt),
    fix: near
      ? `write "${near}".`
      : "remove it, or rename mint.json to docs.json and write the settings of that format.",
  } as const;
}
