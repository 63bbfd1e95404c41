import { parseHex, type Rgb } from "../../lib/color.js";
import { type Diagnostic, type Location, quoted, warningOf } from "../../lib/diagnostic/index.js";
import { svgUrl } from "../../lib/media-type.js";
import { createIcons } from "../../page/icons/create-icons.js";
import { iconAtAddress } from "../../page/render/index.js";
import type { SiteSettings } from "../../site/config/index.js";
import { type Addresses, addFile, hrefOf, type MissingTarget, newAddress } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import type { FontMetrics } from "./font-metrics.js";
import { facesBefore } from "./fonts.js";
import type { Mode, SiteColors } from "./site-css.js";
import type { SiteScript } from "./site-scripts.js";
import type { HrefIn, OwnNames, SiteStyle } from "./site-styles.js";

/** Texts of the site's style sheets by source path, in their order. */
export type StyleTexts = ReadonlyMap<string, string>;

export const readStyles = ({ styles }: Pick<Site, "styles">, files: SiteFiles): StyleTexts =>
  new Map(styles.map((sourcePath) => [sourcePath, files.readText(sourcePath)]));

/**
 * Names of our style sheets that those of the site may have, too. In the bundle, a custom property of the site has a name of
 * its own, so that it changes only what the site paints.
 *
 * @param ours our style sheets
 */
export function ownNames(texts: StyleTexts, ours: string): OwnNames {
  const read = new Set(ours.match(/(?<=var\()--[\w-]+/g));
  // The format has it, too, so a style sheet that sets it means the color of the brand.
  read.delete("--color-primary");
  const declared = [...texts.values()].flatMap((text) => text.match(/(?<![\w-])--[\w-]+(?=\s*:)/g) ?? []);
  const classes = new Set(ours.match(/(?<=\.)[a-z][\w-]*(?=[^{}]*\{)/g));
  return { properties: new Set(declared.filter((name) => read.has(name))), classes: [...classes] };
}

/** Rules for elements whose own styles or classes read these properties of the site. */
export const sharedPropertyRules = ({ properties }: OwnNames): string =>
  [...properties]
    .map((name) => {
      const users = `[style*="(${name})"],[style*="(${name},"],[class*="(${name})"]`;
      return `:is(${users}){${name}:var(--site${name.slice(1)})}`;
    })
    .join("");

/** Variables of the format that the site's style sheets and classes read, as in `rgb(var(--primary))`. */
export function formatVariables(uses: readonly string[], config: SiteSettings, colors: SiteColors): string {
  const values: readonly (readonly [string, Rgb | undefined])[] = [
    ["--primary", parseHex(config.colors.primary)],
    ["--primary-light", parseHex(config.colors.light)],
    ["--primary-dark", parseHex(config.colors.dark)],
    ["--background-light", colors.light.all.get("bg")],
    ["--background-dark", colors.dark.all.get("bg")],
  ];
  const read = new Set(uses.flatMap((use) => use.match(/(?<=var\(\s{0,9})--(?:primary|background)[\w-]*/g) ?? []));
  const rules = values.flatMap(([name, color]) => (color && read.has(name) ? [`${name}:${color.join(" ")}`] : []));
  return rules.length > 0 ? `:root{${rules.join(";")}}` : "";
}

/** Adapts every style sheet of the site, in their order. @param own from `ownNames`. */
export async function adaptStyles(
  texts: StyleTexts,
  addresses: Addresses,
  files?: SiteFiles,
  own?: OwnNames,
): Promise<readonly { readonly sourcePath: string; readonly style: SiteStyle }[]> {
  if (texts.size === 0) return [];
  // Loading the parser takes 20 ms, and few sites need it.
  const { siteStyle } = await import("./site-styles.js");
  const icons = createIcons({ library: "fontawesome" });
  return [...texts].map(([sourcePath, text]) => {
    const missing: Diagnostic[] = [];
    const hrefIn: HrefIn = (written, kind, { location, inMask }) => {
      const icon = iconAtAddress(icons, written);
      if (icon !== undefined) return icon;
      const target = addresses.resolveFile(written, { sourcePath }, kind);
      if (target.kind === "unsafe") return written;
      if (target.kind === "missing") missing.push(missingFile(written, target, addresses, location));
      const inline =
        inMask && target.kind === "file" && target.outputPath.endsWith(".svg") && files?.has(target.outputPath)
          ? svgUrl(files.readText(target.outputPath))
          : undefined;
      return inline ?? hrefOf(target, "_offprint/site/style.css");
    };
    const style = siteStyle(sourcePath, text, hrefIn, own);
    return { sourcePath, style: { ...style, diagnostics: [...style.diagnostics, ...missing] } };
  });
}

function missingFile(written: string, target: MissingTarget, addresses: Addresses, location: Location): Diagnostic {
  const nearest = addresses.nearest(target);
  return {
    ...warningOf("FILE_NOT_FOUND", location),
    what: `${quoted(written)} refers to ${target.path}, which does not exist in the site.`,
    fix: nearest ? `write "${nearest.path}".` : addFile(target.path, "correct the path"),
    ...(nearest && { rewrites: newAddress(written, nearest.path, nearest.certain) }),
  };
}

/** Stand-ins for the fonts that the site's style sheets bring; they belong before these style sheets. */
export async function adaptFaces(
  texts: StyleTexts,
  addresses: Addresses,
  metricsOf: (outputPath: string) => FontMetrics | undefined,
): Promise<string> {
  const css = [...texts].map(([sourcePath, text]) =>
    facesBefore(text, (written) => {
      const target = addresses.resolveFile(written, { sourcePath }, "style");
      return target.kind === "file" ? metricsOf(target.outputPath) : undefined;
    }),
  );
  if (css.every((each) => each === "")) return "";
  const { siteStyle } = await import("./site-styles.js");
  // This drops what is not a rule.
  return Buffer.from(siteStyle("faces.css", css.join(""), (written) => written).code).toString();
}

/** Rules for text on what the site's style sheets paint; they come first. @param boxes what classes paint. */
export async function adaptSurfaces(
  texts: StyleTexts,
  boxes: string,
  ...colors: [SiteColors, Readonly<Record<Mode, Rgb | undefined>>]
): Promise<string> {
  if (texts.size === 0 && boxes === "") return "";
  const [{ siteStyle }, { surfaceCss }] = await Promise.all([
    import("./site-styles.js"),
    import("./painted-surfaces.js"),
  ]);
  const css = surfaceCss([...texts.values(), boxes], ...colors);
  // Faults of selectors are reported for the style sheet that they come from.
  return css && Buffer.from(siteStyle("surfaces.css", css, (written) => written).code).toString();
}

/**
 * Adapts every script of the site, in their order. Bytes that are not changed stay as they are.
 *
 * @param styles output paths of the site's style sheets, by source path
 */
export async function readScripts(
  site: Site,
  files: SiteFiles,
  styles: ReadonlyMap<string, string>,
): Promise<readonly (Omit<SiteScript, "code"> & { readonly code: Uint8Array | undefined })[]> {
  if (site.scripts.length === 0) return [];
  const { adaptScripts } = await import("./site-scripts.js");
  const read = site.scripts.map((sourcePath) => ({ sourcePath, text: files.readText(sourcePath) }));
  const paths = new Map([
    ...styles,
    ...[...site.staticFiles, ...fileFolders(site)].map((path) => [path, path] as const),
  ]);
  return adaptScripts(read, paths).map((script, i) => {
    const { code } = script;
    const isSame = code === read[i]!.text;
    return {
      ...script,
      code: isSame ? files.readBytes(script.sourcePath) : code === undefined ? code : Buffer.from(code),
    };
  });
}

/** Folders with files and without pages, whose names may as well start the addresses of pages: `images/`. */
function fileFolders({ staticFiles, pages }: Pick<Site, "staticFiles" | "pages">): string[] {
  const foldersOf = (path: string): string[] => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
  const ofPages = new Set(pages.flatMap(({ outputPath }) => foldersOf(outputPath)));
  return [...new Set(staticFiles.flatMap(foldersOf))].filter((folder) => !ofPages.has(folder));
}

/** Utility classes with the addresses of the site's files (`bg-[url(/images/a.png)]`), relative to their style sheet. */
export function utilityUrls(css: string, addresses: Addresses, sourcePath: string): [string, readonly Diagnostic[]] {
  const missing: Diagnostic[] = [];
  const rebased = css.replace(/url\((["']?)(\/(?!\/)[^"')]+)\1\)/g, (whole, _, written: string) => {
    const target = addresses.resolveFile(written, { sourcePath }, "image");
    if (target.kind === "unsafe") return whole;
    if (target.kind === "missing") missing.push(missingFile(written, target, addresses, { sourcePath }));
    return `url("${hrefOf(target, "_offprint/utilities.css")}")`;
  });
  return [rebased, missing];
}
