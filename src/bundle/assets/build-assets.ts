import { type Diagnostic, positionAt, withLineFeeds } from "../../lib/diagnostic/index.js";
import type { AnalyticsSettings, AssistantSettings } from "../../lib/service-settings.js";
import type { BlockGrounds } from "../../page/highlight/code-theme-css.js";
import type { ExternalUse } from "../../page/render/index.js";
import type { AssetManifest } from "../../page/theme/theme-options.js";
import type { LightDark } from "../../site/config/index.js";
import { namesParts } from "../../site/discover/index.js";
import type { Addresses } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import type { BundleFile } from "../archive/index.js";
import { type ClientFiles, createClientFiles, type WriteAsset } from "./client-files.js";
import { readFontMetrics } from "./font-metrics.js";
import { siteFonts, wantsMono } from "./fonts.js";
import { defaultFavicon, faviconOf, findNamed, missingImages, remoteImages } from "./named-files.js";
import {
  notFoundScripts,
  speculationRules,
  wantsPlayground,
  writeAssistant,
  writeCountScript,
  writeHeadScript,
  writePlayground,
} from "./page-scripts.js";
import * as siteCode from "./site-code.js";
import { codeGrounds, primaryText, siteColors, siteCss, utilityCss } from "./site-css.js";

export interface AssetsOptions {
  readonly site: Site;
  readonly addresses: Addresses;
  readonly files: SiteFiles;
  /** From `readStyles`. */
  readonly styles: siteCode.StyleTexts;
  /** Whether the address of the site is known, so that the links of the 404 page are not relative. */
  readonly hasBaseUrl?: boolean;
  /** Default: the bundle contains nothing of an assistant. */
  readonly assistant?: AssistantSettings | undefined;
  /** Address of the site's MCP server. */
  readonly mcp?: string | undefined;
  /** Where pages send their views. Default: pages send none. */
  readonly analytics?: AnalyticsSettings | undefined;
  /** Creates the rules of the code themes for blocks on these backgrounds. */
  readonly codeThemeCss: (grounds: BlockGrounds) => Promise<string>;
  readonly write: WriteAsset;
  /** Folder of the built scripts, styles and fonts. Default: that of this package. */
  readonly clientFolder?: string;
}

/** Greek, Cyrillic, and Vietnamese letters: the text font has them in files of their own. */
const otherScripts = /[\u0370-\u052f\u1ea0-\u1ef9]/;

export interface BuiltAssets {
  readonly manifest: AssetManifest;
  readonly files: readonly BundleFile[];
  /** Output path of the rules that hosts send with pages. */
  readonly speculationRules: string;
  /** Output path of the font that hosts announce with pages, so that it loads early; undefined without such a font. */
  readonly mainFont?: string;
  /** External resources of the site's own styles and scripts, and its own scripts. */
  readonly external: readonly ExternalUse[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes what every page needs; see also `writeParts`. @throws {Error} if the built client is missing. */
export async function buildAssets(options: AssetsOptions): Promise<BuiltAssets> {
  const { site, addresses, files, styles, assistant, analytics, mcp } = options;
  const { config } = site;
  const client = createClientFiles(options.write, options.clientFolder);
  const external: ExternalUse[] = [];
  const diagnostics: Diagnostic[] = [];

  const scripts = [await client.script("app")];
  if (assistant) scripts.push(await client.script("assistant-entry"));
  if (analytics) scripts.push(await writeCountScript(analytics, site, client));
  const extraFaces = [
    ...(wantsMono(config, [...styles.values()]) ? ["jetbrains-mono"] : []),
    ...(site.pages.some(({ title, description = "" }) => otherScripts.test(title + description))
      ? ["inter-scripts"]
      : []),
  ];
  const commonSheets = [
    "app",
    `themes/${config.theme}`,
    ...(config.background.decoration ? [`decorations/${config.background.decoration}`] : []),
    ...extraFaces.map((name) => `faces/${name}`),
    ...(assistant ? ["on-demand/assistant-entry"] : []),
  ];
  const sheet = Buffer.concat(commonSheets.map((name) => client.read(`${name}.css`)));
  const stylesheets = [await client.writeHashed("app", "css", sheet)];
  await client.copyFolder("fonts");
  for (const name of extraFaces) await client.copyFolder(`fonts/${name}`);
  const searchScript = await client.script("search");
  await client.writeHashed("licenses", "txt", client.read("licenses.txt"));

  const { image, font } = findNamed(site, addresses);
  const metricsOf = (path: string) => (files.has(path) ? readFontMetrics(files.readBytes(path)) : undefined);
  const fonts = siteFonts(config, site.staticFiles, font, metricsOf);
  const mainFont = fonts.usesInter
    ? client.files.find(({ path }) => /\/inter-latin-wght[^/]*$/.test(path))?.path
    : fonts.bodyFile;
  diagnostics.push(...fonts.diagnostics, ...missingImages(site, image));
  external.push(...fonts.external, ...remoteImages(site, image));
  const colors = siteColors(config, sheet.toString("utf8"));
  const { css: compiledUtilities, boxes, unknown } = await utilityCss(config, site.classNames);
  diagnostics.push(...unknownClasses(unknown, [...styles.values()], options));
  const own = styles.size > 0 ? siteCode.ownNames(styles, `${sheet}${client.partText()}`) : undefined;
  const css = [
    siteCss(site, colors, (source) => image(source)?.href),
    siteCode.formatVariables([...styles.values(), ...site.classNames], config, colors),
    fonts.css,
    await siteCode.adaptFaces(styles, addresses, metricsOf),
    await siteCode.adaptSurfaces(styles, boxes, colors, primaryText(config, colors)),
    await options.codeThemeCss(codeGrounds(colors)),
    own && siteCode.sharedPropertyRules(own),
  ];
  stylesheets.push(await client.writeHashed("site", "css", css.filter(Boolean).join("\n")));
  const [utilities, missing] = siteCode.utilityUrls(compiledUtilities, addresses, config.sourcePath);
  diagnostics.push(...missing);
  if (utilities) stylesheets.push(await client.writeHashed("utilities", "css", utilities));

  const sheets = new Map<string, string>();
  let componentParts = site.namesParts === true || [...styles.values()].some(namesParts);
  for (const { sourcePath, style } of await siteCode.adaptStyles(styles, addresses, files, own)) {
    external.push(...style.external);
    diagnostics.push(...style.diagnostics);
    if (style.code.length === 0) continue;
    const path = await client.writeHashed(`site/${stemOf(sourcePath)}`, "css", style.code);
    stylesheets.push(path);
    sheets.set(sourcePath, path);
  }
  for (const { sourcePath, code, diagnostics: scriptDiagnostics } of await siteCode.readScripts(site, files, sheets)) {
    diagnostics.push(...scriptDiagnostics);
    if (code === undefined) continue;
    componentParts ||= namesParts(Buffer.from(code).toString());
    external.push({ kind: "script", url: sourcePath, location: { sourcePath } });
    scripts.push(await client.writeHashed(`site/${stemOf(sourcePath)}`, "js", code));
  }
  const speculation = await client.writeHashed("pages", "speculationrules", speculationRules(site));
  const manifest: AssetManifest = {
    stylesheets,
    headScript: await writeHeadScript(mainFont, client),
    ...(await notFoundScripts(addresses, options.hasBaseUrl ?? false, client)),
    scripts,
    ...(config.contextual?.print && { printScript: await client.script("print") }),
    searchScript,
    ...(wantsPlayground(site) && { playground: await writePlayground(site, client) }),
    ...(assistant && { assistant: await writeAssistant(assistant, site, client) }),
    ...(mcp !== undefined && { mcp }),
    parts: client.partPaths(),
    componentParts,
    marks: await writeMarks(site, client),
    favicon: faviconOf(site, image) ?? (await writeFavicon(site, client)),
  };
  return {
    manifest,
    files: client.files,
    speculationRules: speculation,
    ...(mainFont !== undefined && { mainFont }),
    external,
    diagnostics,
  };
}

/** Writes the style sheets that only some pages need, with their fonts. */
export async function writeParts(
  names: readonly string[],
  write: WriteAsset,
  clientFolder?: string,
): Promise<readonly BundleFile[]> {
  const client = createClientFiles(write, clientFolder);
  for (const name of names) {
    await client.part(name);
    await client.copyFolder(`fonts/${name}`);
  }
  return client.files;
}

async function writeFavicon({ config }: Site, client: ClientFiles): Promise<LightDark> {
  const { light, dark } = defaultFavicon(config);
  const lightPath = await client.writeHashed("favicon", "svg", light);
  return { light: lightPath, dark: light === dark ? lightPath : await client.writeHashed("favicon", "svg", dark) };
}

/** Writes the icons of those options of page menus that have one. Returns their paths by option. */
async function writeMarks({ config, pages }: Site, client: ClientFiles): Promise<Record<string, string>> {
  const marks: Record<string, string> = {};
  const options = new Set([config, ...pages].flatMap(({ contextual }) => contextual?.options ?? []));
  for (const file of options.size === 0 ? [] : client.list("marks")) {
    const name = file.replace(/\.svg$/, "");
    if (options.has(name)) marks[name] = await client.writeHashed(`marks/${name}`, "svg", client.read(`marks/${file}`));
  }
  return marks;
}

/** File name without folder and extension, in portable characters. */
const stemOf = (sourcePath: string): string =>
  sourcePath
    .slice(sourcePath.lastIndexOf("/") + 1)
    .replace(/\.[^.]*$/, "")
    .replace(/[^\w-]+/g, "-");

const maxListed = 5;

/** Reports once for the site class names that look like Tailwind's, but that neither it nor a style sheet of the site has. */
function unknownClasses(
  words: readonly string[],
  styles: readonly string[],
  { site, files }: Pick<AssetsOptions, "site" | "files">,
): Diagnostic[] {
  const unknown = words.filter((word) => !styles.some((style) => style.includes(word.split(":").at(-1)!)));
  if (unknown.length === 0) return [];
  const listed = unknown.slice(0, maxListed).join(", ") + (unknown.length > maxListed ? ", …" : "");
  const what = `Pages use ${unknown.length === 1 ? "a class" : `${unknown.length} classes`} for shades that Tailwind's colors do not have, so nothing is painted: ${listed}.`;
  const fix = "write a shade of 50, 100, 200 and so on to 900, or 950.";
  const sources = [
    ...site.pages.filter(({ generated }) => !generated).map((page) => page.sourcePath),
    ...site.snippets,
  ];
  const sourcePath = sources.find((path) => files.readText(path).includes(unknown[0]!)) ?? site.config.sourcePath;
  const text = withLineFeeds(files.readText(sourcePath));
  const at = text.indexOf(unknown[0]!);
  const location = { sourcePath, ...(at !== -1 && { ...positionAt(text, at), length: unknown[0]!.length }) };
  return [{ code: "PROPERTY_VALUE", severity: "warning", what, location, fix }];
}
