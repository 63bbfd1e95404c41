/** Settings for what a site shows around its pages, such as banner, footer and color mode. Each is converted or has a note. */

import { folderOf } from "../lib/url/index.js";
import { withoutUndefined } from "../lib/without-undefined.js";
import { asData, asList, asText, type Data, isData } from "./data.js";
import type { Project, ToolContext } from "./project.js";
import { Call, Unknown, unknownPart } from "./settings/evaluate.js";
import { isTrue } from "./tools/shared.js";
import unconverted from "./unconverted.json" with { type: "json" };

/** The settings for docs.json, with `rest` if the author must convert a part by hand; undefined if all of it. */
type Converter = (value: unknown) => { readonly settings?: Data; readonly rest?: true } | undefined;
const converters: Readonly<Record<string, Converter>> = { banner, appearance, socials, footer, byReader: () => ({}) };

/**
 * Settings by a pattern for the names that the tools give them, the end of their path: `themeConfig.footer`; and the advice for
 * the author. The tool's own reader converts those of `byReader`.
 */
const looks: readonly { readonly names: string; readonly advice: string; readonly by?: string }[] =
  unconverted.settings;

/** The settings for docs.json, with those that the table converts. A setting that is not converted gets one note by its name. */
export function withLook({ look, settings }: Project, { files, note }: ToolContext): Data {
  const added: Record<string, unknown> = {};
  /** Scripts in the folder of the settings, which may contain parts of them. */
  const around = (file: string): string[] =>
    files.paths.filter(
      (path) => folderOf(file) !== "" && folderOf(path) === folderOf(file) && /\.[cm]?[jt]s$/.test(path),
    );
  for (const row of look === undefined ? [] : looks) {
    const path = pathWith(row.names);
    const reported = new Set<string>();
    const report = (file: string, name: string, isPart: boolean): void => {
      if (reported.has(name.toLowerCase())) return;
      reported.add(name.toLowerCase());
      const written = new RegExp(`(?<![\\w-])${name}["']?(?:\\s{0,9}[:=(]|\\])|<${name}\\b`, "i");
      const [place] = [file, ...around(file)].flatMap((path) => {
        const text = files.sizeOf(path) < 1_000_000 ? files.readText(path) : "";
        const at = text.search(written);
        return at < 0 ? [] : [{ path, line: text.slice(0, at).split("\n").length }];
      });
      const what = `The setting "${name}" is ${isPart ? "converted in part" : "not converted"}; ${row.advice}.`;
      note(place?.path ?? file, "setting", what, place?.line);
    };
    if (look!.data === undefined) {
      // Search the scripts for a property, an attribute or an element with the name.
      const written = new RegExp(`(?<![\\w.-])(${row.names})(?:\\s{0,9}[:=]|\\(\\))(?!=)|<(banner|footer)\\b`, "gi");
      for (const file of look!.files)
        if (files.sizeOf(file) < 1_000_000)
          for (const [, name, element] of files.readText(file).matchAll(written))
            if (name !== undefined || path.test(element!)) report(file, name ?? element!, false);
      continue;
    }
    for (const [at, value] of entriesOf(look!.data, "", 0).filter(([settingPath]) => path.test(settingPath))) {
      const result = converters[row.by ?? ""]?.(value);
      for (const [name, setting] of Object.entries(result?.settings ?? {}))
        added[name] = { ...asData(setting), ...asData(added[name]) };
      if (result?.rest || (result === undefined && !isNothing(value)))
        report(look!.files[0]!, at.slice(at.lastIndexOf(".") + 1), result !== undefined);
    }
  }
  const converted = withoutUndefined(settings);
  // Settings that the tool's own reader has converted come first, and win.
  return { ...converted, ...added, ...converted };
}

/** Matches a path that ends with one of the names, below at most two others: `presets.docs.editUrl`. */
const pathWith = (names: string): RegExp => new RegExp(`^(?:[^.]+\\.){0,2}(?:${names})$`, "i");
const anyLook = pathWith(looks.map(({ names }) => names).join("|"));

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  /^(?:|false|none)$/.test(asText(value) ?? (typeof value === "string" ? "" : "other")) ||
  (Array.isArray(value) && value.length === 0) ||
  (isData(value) && Object.keys(value).length === 0);

const maxDepth = 3;

/** The settings by path. Items of a list, and arguments of a package's call, have the path of the list or call. */
function entriesOf(value: unknown, path: string, depth: number): (readonly [path: string, value: unknown])[] {
  if (value instanceof Unknown || depth > maxDepth * 2) return [];
  if (value instanceof Call) return value.args.flatMap((item) => entriesOf(item, path, depth + 1));
  if (Array.isArray(value)) return value.slice(0, 1000).flatMap((item) => entriesOf(item, path, depth + 1));
  if (!isData(value) || path.split(".").length > maxDepth) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const innerPath = path === "" ? name : `${path}.${name}`;
    if (name === unknownPart || /^(?:nav|sidebar|menus?|redirects)$/.test(name)) return [];
    return [[innerPath, inner] as const, ...(anyLook.test(innerPath) ? [] : entriesOf(inner, innerPath, depth + 1))];
  });
}

/** HTML of a setting as MDX. */
const markdownOf = (html: string): string =>
  html
    .replace(/<\/?(?:b|strong)>/gi, "**")
    .replace(/<(?!\/?a[\s>])[^<>]{0,1000}>/gi, "")
    .replace(/<a\s[^<>]{0,500}?href=["']([^"'<>]{1,1000})["'][^<>]{0,500}>([^<>]{0,1000})<\/a>/gi, "[$2]($1)")
    .replace(/<\/?a[^<>]{0,1000}>/gi, "")
    .replace(/\s+/g, " ")
    // MDX would read these characters as code.
    .replace(/(?<!\\)[<{}]/g, "\\$&")
    .trim();

function banner(value: unknown): ReturnType<Converter> {
  const { content, text, isCloseable, dismissible } = asData(value);
  const written = markdownOf(asText(content) ?? asText(text) ?? (typeof value === "string" ? value : ""));
  if (written === "") return undefined;
  const closes = [isCloseable, dismissible].some(isTrue);
  return { settings: { banner: { content: written, ...(closes && { dismissible: true }) } } };
}

const modes: Readonly<Record<string, Data>> = {
  dark: { default: "dark" },
  light: { default: "light" },
  "force-dark": { default: "dark", strict: true },
  "force-auto": { default: "system", strict: true },
  false: { default: "light", strict: true },
  ...{ rust: { default: "light" }, coal: { default: "dark" }, navy: { default: "dark" }, ayu: { default: "dark" } },
  ...{ auto: {}, system: {}, true: {} },
};

function appearance(value: unknown): ReturnType<Converter> {
  const [first] = [value].flat();
  const { defaultMode, respectPrefersColorScheme, disableSwitch, scheme, media, initialValue } = asData(first);
  const schemeMode = scheme === "slate" ? "dark" : "light";
  const followsSystem =
    isTrue(respectPrefersColorScheme) || media !== undefined || (isData(first) && scheme === undefined);
  const mode =
    asText(defaultMode) ??
    asText(initialValue) ??
    (isData(first) ? (followsSystem ? "system" : schemeMode) : asText(value));
  const ours = mode !== undefined && Object.hasOwn(modes, mode) ? modes[mode] : undefined;
  if (ours === undefined) return undefined;
  const settings = {
    ...(isTrue(respectPrefersColorScheme) ? {} : ours),
    ...(isTrue(disableSwitch) && { strict: true }),
  };
  return { settings: Object.keys(settings).length > 0 ? { appearance: settings } : {} };
}

const networks: ReadonlySet<string> = new Set(
  "x website facebook youtube discord slack github linkedin instagram medium twitter reddit".split(" "),
);

/** The links to social networks that docs.json supports, from an object by network or a list with icons. */
function socials(value: unknown): ReturnType<Converter> {
  const links = Array.isArray(value)
    ? value.map((item) => {
        const { icon, link, href } = asData(item);
        return [
          asText(icon)?.replace(/^.*\//, "").replace("x-twitter", "x") ?? "",
          asText(link) ?? asText(href),
        ] as const;
      })
    : Object.entries(asData(value)).map(([network, href]) => [network, asText(href)] as const);
  const supported = links.filter(([network, href]) => networks.has(network) && href !== undefined);
  return {
    settings: supported.length > 0 ? { footer: { socials: Object.fromEntries(supported) } } : {},
    ...(supported.length < links.length && { rest: true }),
  };
}

/** Columns of links to other sites. Text and links to pages are left to the author. */
function footer(value: unknown): ReturnType<Converter> {
  const { links, copyright } = asData(value);
  let isWhole = isNothing(copyright);
  const columns = asList(links).flatMap((column) => {
    const { title, items } = asData(column);
    const external = asList(items).flatMap((item) => {
      const [label, href] = [asText(asData(item)["label"]), asText(asData(item)["href"])];
      if (label !== undefined && href !== undefined && /^https?:/.test(href)) return [{ label, href }];
      isWhole = false;
      return [];
    });
    return external.length > 0 ? [{ ...(asText(title) && { header: asText(title) }), items: external }] : [];
  });
  if (columns.length === 0) return undefined;
  return { settings: { footer: { links: columns } }, ...(!isWhole && { rest: true }) };
}
