import { posix } from "node:path";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { type JsonValue, locationOf, type Report, shown, textEdit } from "./json-value.js";
import {
  byForm,
  described,
  flag,
  inQuotes,
  list,
  map,
  object,
  oneOf,
  oneOrList,
  type Reader,
  reportAt,
  schemaOf,
  text,
  textLike,
  textOfScalar,
  turned,
  wrong,
} from "./readers.js";
import type { FontChoice, IconChoice, LightDark, SpecRef } from "./site-config.js";

/** Kinds of values that several settings share. */

export const hexColor = described<Reader<string>>(
  (value, report) => {
    const written = value.kind === "string" ? value.value.trim() : "";
    if (/^#([a-f0-9]{6}|[a-f0-9]{3})$/i.test(written)) return written;
    const digits = /^#?(?:([a-f0-9]{6})(?:[a-f0-9]{2})?|([a-f0-9]{3})[a-f0-9]?)$/i.exec(written);
    const meant = colorNames[written.toLowerCase()] ?? digits?.[1] ?? digits?.[2];
    return wrong(value, report, 'a hex color such as "#0D9373"', meant && `write "#${meant}".`);
  },
  () => ({ type: "string", pattern: "^\\s*#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})\\s*$" }),
);

/** Names of CSS that people write most. */
const colorNames: Readonly<Record<string, string>> = {
  ...{ black: "000000", blue: "0000FF", gray: "808080", green: "008000", indigo: "4B0082", maroon: "800000" },
  ...{ navy: "000080", orange: "FFA500", pink: "FFC0CB", purple: "800080", red: "FF0000", teal: "008080" },
  ...{ violet: "EE82EE", white: "FFFFFF", yellow: "FFFF00" },
};

/** One color for both modes, or one for each; a missing one is replaced by the other. */
export const colorPair: Reader<LightDark> = byForm({
  string: turned(hexColor, (color) => ({ light: color, dark: color })),
  object: turned(object({ light: hexColor, dark: hexColor }), filled),
});

/** One image (a site path or URL) for both modes, or one for each. */
export const imagePair: Reader<LightDark> = byForm({
  string: turned(text, (path) => ({ light: path, dark: path })),
  object: turned(object({ light: text, dark: text }), filled),
});

/** Fills a missing half with the other. */
export function filled(pair: Partial<LightDark>): LightDark | undefined {
  const light = pair.light ?? pair.dark;
  const dark = pair.dark ?? light;
  return light === undefined || dark === undefined ? undefined : { light, dark };
}

/**
 * The target of a link: `/path`, `#id`, or a URL. A bare path counts from the root, with a warning; a URL that would run
 * code is refused.
 */
export const href = described<Reader<string>>(
  (value, report) => checkedLink(value, report, false),
  () => ({ type: "string", pattern: "\\S" }),
);

/** Like `href`, for settings where the leading slash is optional. */
export const hrefOrBarePath = described<Reader<string>>(
  (value, report) => checkedLink(value, report, true),
  () => ({ type: "string", pattern: "\\S" }),
);

function checkedLink(value: JsonValue, report: Report, mayBeBare: boolean): string | undefined {
  const written = text(value, report);
  if (written === undefined) return undefined;
  // Browsers skip these characters, so `java\nscript:` is a script for them.
  const link = written.replace(/\p{Cc}/gu, "");
  if (/^(?:[/#?]|\.\.?(?:\/|$))/.test(link)) return link;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(link)?.[1]?.toLowerCase();
  if (scheme !== undefined && refusedSchemes.has(scheme)) {
    const what = `${inQuotes(value)} is ${shown(value)}; a link may not use "${scheme}:", so it is left out.`;
    const fix = "write a path such as /guides/install or an https:// address.";
    return reportAt(value, report, "CONFIG_UNSAFE_LINK", what, fix);
  }
  if (scheme !== undefined && (URL.canParse(link) || /\$\w/.test(link))) return link;
  if (scheme !== undefined) return wrong(value, report, 'a path such as "/guides/install" or a URL');
  if (mayBeBare) return `/${link}`;
  const what = `${inQuotes(value)} is ${shown(value)}, which is neither a URL nor starts with "/"; it is read as a path of this site.`;
  const complete = looksLikeHost(link) ? `https://${link}` : `/${link}`;
  reportAt(
    value,
    report,
    "CONFIG_BARE_LINK",
    what,
    `write "${complete}".`,
    "warning",
    textEdit(value.at, { name: complete, certain: true }),
  );
  return `/${link}`;
}

const refusedSchemes = new Set(["javascript", "vbscript", "data", "blob", "file", "view-source"]);

function looksLikeHost(link: string): boolean {
  return /^(?:www\.[^/]+|[^/]+\.(?:com|org|net|io|dev|ai|app))(?:\/|$)/i.test(link);
}

export const iconLibrary = oneOf(["fontawesome", "lucide", "tabler"]);

/** A name, a URL, a site path, inline SVG, or an object with details. A leading `fa-` is removed with a warning. */
export const icon = described<Reader<IconChoice>>(
  (value, report) => {
    const read = iconForms(value, report);
    return read && { ...read, location: locationOf(value) };
  },
  () => schemaOf(iconForms),
);

const iconNameReader = described<Reader<string>>(iconName, () => ({ type: "string", pattern: "\\S" }));
const iconForms: Reader<IconChoice> = byForm({
  string: turned(iconNameReader, (name) => ({ name })),
  object: object({ name: iconNameReader, style: text, library: iconLibrary }, { required: ["name"] }),
});

function iconName(value: JsonValue, report: Report): string | undefined {
  const name = text(value, report);
  const bare =
    name && /^(?:fa[a-z]* )?fa-(?:(?:solid|regular|light|thin|brands|duotone) fa-)?([a-z0-9-]+)$/.exec(name)?.[1];
  if (!bare) return name;
  const what = `${inQuotes(value)} is ${shown(value)}; icon names do not start with "fa-".`;
  reportAt(
    value,
    report,
    "CONFIG_ICON_PREFIX",
    what,
    `write "${bare}".`,
    "warning",
    textEdit(value.at, { name: bare, certain: true }),
  );
  return bare;
}

/** `icon` and the older `iconType` in one value. */
export function foldIcon(read: { readonly icon?: IconChoice; readonly iconType?: string }): IconChoice | undefined {
  if (read.icon === undefined || read.iconType === undefined || read.icon.style !== undefined) return read.icon;
  return { ...read.icon, style: read.iconType };
}

const weightNames: Readonly<Record<string, number>> = {
  ...{ thin: 100, light: 300, normal: 400, regular: 400, medium: 500, semibold: 600, bold: 700, black: 900 },
};

/** A family name and, for a font file, its source and format; the default format is the file's extension. */
export const fontFields = {
  family: text,
  weight: described<Reader<number>>(
    (value, report) => {
      const weight = value.kind === "string" ? Number(value.value) : value.kind === "number" ? value.value : Number.NaN;
      if (weight > 0 && weight <= 1000) return weight;
      const meant = value.kind === "string" ? weightNames[value.value.trim().toLowerCase()] : undefined;
      return wrong(value, report, "a font weight from 1 to 1000", meant === undefined ? undefined : `write ${meant}.`);
    },
    () => ({ type: ["number", "string"] }),
  ),
  source: text,
  format: oneOf(["woff", "woff2"]),
};

export function fontChoice(read: Partial<FontChoice> | undefined): FontChoice | undefined {
  if (read?.family === undefined) return undefined;
  const told = /\.(woff2?)(?:[?#]|$)/i.exec(read.source ?? "")?.[1]?.toLowerCase();
  const format = read.format ?? (told === "woff" || told === "woff2" ? told : undefined);
  return withoutUndefined({
    family: read.family,
    weight: read.weight,
    source: read.source,
    format: read.source === undefined ? undefined : format,
  });
}

/** The limit of file systems; normalising a far longer path takes minutes. */
export const maxPathLength = 4096;

/** Path of a file or folder of the site, as a `sourcePath`. */
export const sitePath = described<Reader<string>>(
  (value, report) => {
    const written = text(value, report);
    if (written === undefined) return undefined;
    if (written.length > maxPathLength) return wrong(value, report, `a path of at most ${maxPathLength} characters`);
    const path = posix.normalize(written.replaceAll("\\", "/").replace(/^\/+/, "")).replace(/\/$/, "");
    if (path !== ".." && !path.startsWith("../")) return path;
    const what = `${inQuotes(value)} is ${shown(value)}, which leads out of the site folder.`;
    const fix = `move the file into the site folder, and write ${shown({ ...value, kind: "string", value: posix.basename(path) })}.`;
    return reportAt(value, report, "CONFIG_PATH_OUTSIDE", what, fix, "error");
  },
  () => ({ type: "string", pattern: "\\S" }),
);

const sitePathOrUrl = described<Reader<string>>(
  (value, report) =>
    value.kind === "string" && /^https?:\/\//i.test(value.value.trim()) && URL.canParse(value.value.trim())
      ? value.value.trim()
      : sitePath(value, report),
  () => ({ type: "string", pattern: "\\S" }),
);

const specObject = object(
  { source: sitePathOrUrl, directory: sitePath, overlays: list(sitePathOrUrl), overview: flag },
  { required: ["source"] },
);

const specRef: Reader<SpecRef> = byForm({
  string: described<Reader<SpecRef>>(
    (value, report) => {
      const source = sitePathOrUrl(value, report);
      return source === undefined ? undefined : { source, location: locationOf(value) };
    },
    () => schemaOf(sitePathOrUrl),
  ),
  object: described<Reader<SpecRef>>(
    (value, report) => {
      const read = specObject(value, report);
      return read && { ...read, location: locationOf(value) };
    },
    () => schemaOf(specObject),
  ),
});

/** One OpenAPI or AsyncAPI document, or several: path, URL, or object with `source`. */
export const specRefs: Reader<readonly SpecRef[]> = byForm({
  string: turned(specRef, (one) => [one]),
  object: turned(specRef, (one) => [one]),
  array: list(specRef),
});

/** A field name of HTTP; clients send no others. */
const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name);

const graphObject = object(
  {
    source: sitePathOrUrl,
    directory: sitePath,
    endpoint: oneOrList(textLike(/^(?:https?:\/\/[^\s/?#]+\S*|\/(?!\/)\S*)$/, 'a URL or a path such as "/graphql"')),
    auth: object({ method: oneOf(["bearer", "basic", "key"]), name: text }),
    headers: map(textOfScalar, isHeaderName, "it is no name of an HTTP header"),
  },
  { required: ["source"] },
);

const graphRef = (reader: Reader<Omit<SpecRef, "location">>): Reader<readonly SpecRef[]> =>
  described<Reader<readonly SpecRef[]>>(
    (value, report) => {
      const read = reader(value, report);
      return read && [{ ...read, location: locationOf(value) }];
    },
    () => schemaOf(reader),
  );

/** A GraphQL schema: path, URL, or object with `source`. */
export const graphRefs: Reader<readonly SpecRef[]> = byForm({
  string: graphRef(turned(sitePathOrUrl, (source) => ({ source }))),
  object: graphRef(
    turned(graphObject, ({ source, directory, endpoint: endpoints = [], auth, headers }) =>
      withoutUndefined({
        source,
        directory,
        service: endpoints.length > 0 ? withoutUndefined({ endpoints, auth, headers }) : undefined,
      }),
    ),
  ),
});

/** The files of a pair, each once, with the first colour mode that uses it. */
export function filesOfPair(pair: LightDark | undefined): (readonly ["light" | "dark", string])[] {
  if (pair === undefined) return [];
  const light = ["light", pair.light] as const;
  return pair.light === pair.dark ? [light] : [light, ["dark", pair.dark]];
}
