import { posix } from "node:path";
import { namedColors } from "../../lib/color.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { type JsonValue, locationOf, pathOf, type Report, shown, textEdit } from "./json-value.js";
import {
  byKind,
  converted,
  flag,
  list,
  located,
  map,
  object,
  oneOf,
  oneOrList,
  type Reader,
  reader,
  scalarText,
  text,
  textLike,
} from "./readers.js";
import { inQuotes, reportAt, reportInvalid } from "./report-setting.js";
import type { FontChoice, IconChoice, LightDark, SpecRef } from "./site-config.js";

export const hexColor = reader<string>(
  (value, report) => {
    const written = value.kind === "string" ? value.value.trim() : "";
    if (/^#([a-f0-9]{6}|[a-f0-9]{3})$/i.test(written)) return written;
    const digits = /^#?(?:([a-f0-9]{6})(?:[a-f0-9]{2})?|([a-f0-9]{3})[a-f0-9]?)$/i.exec(written);
    const intended = namedColors.get(written.toLowerCase())?.slice(1).toUpperCase() ?? digits?.[1] ?? digits?.[2];
    return reportInvalid(value, report, 'a hex color such as "#0D9373"', intended && `write "#${intended}".`);
  },
  () => ({ type: "string", pattern: "^\\s*#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})\\s*$" }),
);

/** One value for both colour modes, or one for each; the other one replaces a missing one. */
const pairOf = (half: Reader<string>): Reader<LightDark> =>
  byKind({
    string: converted(half, (both) => ({ light: both, dark: both })),
    object: converted(object({ light: half, dark: half }), completePair),
  });

export function completePair(pair: Partial<LightDark>): LightDark | undefined {
  const light = pair.light ?? pair.dark;
  const dark = pair.dark ?? light;
  return light === undefined || dark === undefined ? undefined : { light, dark };
}

export const colorPair = pairOf(hexColor);
/** Site paths or URLs. */
export const imagePair = pairOf(text);

/** The files of a pair without duplicates, each with the first colour mode that uses it. */
export function filesOfPair(pair: LightDark | undefined): (readonly ["light" | "dark", string])[] {
  if (pair === undefined) return [];
  const light = ["light", pair.light] as const;
  return pair.light === pair.dark ? [light] : [light, ["dark", pair.dark]];
}

/**
 * The target of a link: `/path`, `#id`, or a URL. A path without slash is relative to the root, with a warning. A URL that
 * would run code is refused.
 */
export const href = converted(text, (written, value, report) => checkedLink(written, value, report, false));

/** The name of a link for which none is written: the host, or the last part of the path. */
export function targetName(link: string): string {
  const host = /^(?:https?:)?\/\/(?:[^/?#@]*@)?(?:www\.)?([^/?#:]+)/i.exec(link)?.[1];
  const path = link
    .replace(/[?#].*/s, "")
    .split(/[/:]/)
    .filter(Boolean);
  return host ?? path.at(-1) ?? link;
}

/** The target of a link, in settings where the leading slash is optional. */
export const hrefOrBarePath = converted(text, (written, value, report) => checkedLink(written, value, report, true));

function checkedLink(written: string, value: JsonValue, report: Report, mayBeBare: boolean): string | undefined {
  // Browsers ignore these characters, so they would run `java\nscript:`.
  const link = written.replace(/\p{Cc}/gu, "");
  if (/^(?:[/#?]|\.\.?(?:\/|$))/.test(link)) return link;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(link)?.[1]?.toLowerCase();
  if (scheme !== undefined && refusedSchemes.has(scheme)) {
    const what = `${inQuotes(value)} is ${shown(value)}, but links must not use "${scheme}:", so it is left out.`;
    const fix = "write a path such as /guides/install, or an https:// URL.";
    return reportAt(value, report, "CONFIG_UNSAFE_LINK", what, fix);
  }
  // A reader's own computer may run an API.
  const isOfApi = pathOf(value).startsWith("api.");
  if (!isOfApi && /^https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?:[:/]|$)/i.test(link)) {
    const what = `${inQuotes(value)} is ${shown(value)}, which leads to the reader's own computer.`;
    reportAt(value, report, "CONFIG_BARE_LINK", what, "write the public address, such as https://app.example.com.");
  }
  if (scheme !== undefined && (URL.canParse(link) || /\$\w/.test(link))) return link;
  if (scheme !== undefined) return reportInvalid(value, report, 'a path such as "/guides/install" or a URL');
  if (mayBeBare) return `/${link}`;
  const profile = value.parent?.step === "socials" ? profiles[value.step] : undefined;
  const complete = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(link)
    ? `mailto:${link}`
    : looksLikeHost(link)
      ? `https://${link}`
      : profile
        ? profile + link.replace(/^@/, "")
        : `/${link}`;
  const what = `${inQuotes(value)} is ${shown(value)}, which is neither a URL nor starts with "/"; it is treated as a path of this site.`;
  const edit = textEdit(value.at, { name: complete, certain: true });
  reportAt(value, report, "CONFIG_BARE_LINK", what, `write "${complete}".`, edit);
  return `/${link}`;
}

/** The start of the address of a profile, before the account's name. */
const profiles: Readonly<Record<string, string>> = {
  x: "https://x.com/",
  twitter: "https://x.com/",
  github: "https://github.com/",
  linkedin: "https://www.linkedin.com/company/",
  youtube: "https://www.youtube.com/@",
  instagram: "https://www.instagram.com/",
  facebook: "https://www.facebook.com/",
};

const refusedSchemes = new Set(["javascript", "vbscript", "data", "blob", "file", "view-source"]);

const looksLikeHost = (link: string): boolean =>
  /^(?:www\.[^/]+|[^/]+\.(?:com|org|net|io|dev|ai|app))(?:\/|$)/i.test(link);

export const iconLibrary = oneOf(["fontawesome", "lucide", "tabler"]);

/** A leading `fa-` is removed with a warning. */
const iconName = converted(text, (name, value, report) => {
  const bare = /^(?:fa[a-z]* )?fa-(?:(?:solid|regular|light|thin|brands|duotone) fa-)?([a-z0-9-]+)$/.exec(name)?.[1];
  if (!bare) return name;
  const what = `${inQuotes(value)} is ${shown(value)}, but icon names do not start with "fa-".`;
  const edit = textEdit(value.at, { name: bare, certain: true });
  reportAt(value, report, "CONFIG_ICON_PREFIX", what, `write "${bare}".`, edit);
  return bare;
});

/** A name, a URL, a site path, inline SVG, or an object with details. */
export const icon: Reader<IconChoice> = located(
  byKind<IconChoice>({
    string: converted(iconName, (name) => ({ name })),
    object: object({ name: iconName, style: text, library: iconLibrary }, { required: ["name"] }),
  }),
);

/** `icon` and the older `iconType` in one value. */
export const iconWithType = ({
  icon,
  iconType,
}: {
  readonly icon?: IconChoice;
  readonly iconType?: string;
}): IconChoice | undefined =>
  icon === undefined || iconType === undefined || icon.style !== undefined ? icon : { ...icon, style: iconType };

const weightNames: Readonly<Record<string, number>> = {
  ...{ thin: 100, light: 300, normal: 400, regular: 400, medium: 500, semibold: 600, bold: 700, black: 900 },
};

const fontWeight = reader<number>(
  (value, report) => {
    const weight = value.kind === "string" ? Number(value.value) : value.kind === "number" ? value.value : Number.NaN;
    if (weight > 0 && weight <= 1000) return weight;
    const intended = value.kind === "string" ? weightNames[value.value.trim().toLowerCase()] : undefined;
    return reportInvalid(
      value,
      report,
      "a font weight from 1 to 1000",
      intended === undefined ? undefined : `write ${intended}.`,
    );
  },
  () => ({ type: ["number", "string"] }),
);

/** A family name and, for a font file, its source and format; the default format is the file's extension. */
export const fontFields = { family: text, weight: fontWeight, source: text, format: oneOf(["woff", "woff2"]) };

export function fontChoice(read: Partial<FontChoice> | undefined): FontChoice | undefined {
  if (read?.family === undefined) return undefined;
  const { family, weight, source } = read;
  const extension = /\.(woff2?)(?:[?#]|$)/i.exec(source ?? "")?.[1]?.toLowerCase() as FontChoice["format"];
  const format = source === undefined ? undefined : (read.format ?? extension);
  return withoutUndefined({ family, weight, source, format });
}

/** The limit of file systems. Normalizing a much longer path would take minutes. */
export const maxPathLength = 4096;

/** Path of a file or folder of the site, as a `sourcePath`. */
export const sitePath = converted(text, (written, value, report) => {
  if (written.length > maxPathLength)
    return reportInvalid(value, report, `a path of at most ${maxPathLength} characters`);
  const path = posix.normalize(written.replaceAll("\\", "/").replace(/^\/+/, "")).replace(/\/$/, "");
  if (path !== ".." && !path.startsWith("../")) return path;
  const what = `${inQuotes(value)} is ${shown(value)}, which points outside the site folder.`;
  const fix = `move the file into the site folder and write ${shown({ ...value, kind: "string", value: posix.basename(path) })}.`;
  return reportAt(value, report, "CONFIG_PATH_OUTSIDE", what, fix, { severity: "error" });
});

const sitePathOrUrl = converted(text, (written, value, report) =>
  /^https?:\/\//i.test(written) && URL.canParse(written) ? written : sitePath(value, report),
);

const specRef: Reader<SpecRef> = located(
  byKind<SpecRef>({
    string: converted(sitePathOrUrl, (source) => ({ source })),
    object: object(
      { source: sitePathOrUrl, directory: sitePath, overlays: list(sitePathOrUrl), overview: flag },
      { required: ["source"] },
    ),
  }),
);
const singleSpec = converted(specRef, (ref) => [ref]);

/** One OpenAPI or AsyncAPI document, or several: path, URL, or object with `source`. */
const specRefs: Reader<readonly SpecRef[]> = byKind({ string: singleSpec, object: singleSpec, array: list(specRef) });

const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name);

const graphFields = object(
  {
    source: sitePathOrUrl,
    directory: sitePath,
    endpoint: oneOrList(textLike(/^(?:https?:\/\/[^\s/?#]+\S*|\/(?!\/)\S*)$/, 'a URL or a path such as "/graphql"')),
    auth: object({ method: oneOf(["bearer", "basic", "key"]), name: text }),
    headers: map(scalarText, isHeaderName, "it is not a valid HTTP header name"),
  },
  { required: ["source"] },
);

/** A GraphQL schema: path, URL, or object with `source`. */
const graphRefs: Reader<readonly SpecRef[]> = converted(
  byKind<SpecRef>({
    string: converted(sitePathOrUrl, (source) => ({ source })),
    object: converted(graphFields, ({ source, directory, endpoint: endpoints = [], auth, headers }) => {
      const service = endpoints.length > 0 ? withoutUndefined({ endpoints, auth, headers }) : undefined;
      return withoutUndefined({ source, directory, service });
    }),
  }),
  (ref, value) => [{ ...ref, location: locationOf(value) }],
);

/** The settings that name specifications, one for each format. */
export const specLists = { openapi: specRefs, asyncapi: specRefs, graphql: graphRefs, arazzo: specRefs };
