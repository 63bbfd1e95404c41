import type { Rgb } from "../../lib/color.js";
import { type Addresses, hrefOf } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import type { Mode, SiteColors } from "./site-colors.js";
import type { SiteScript } from "./site-scripts.js";
import type { SiteStyle } from "./site-styles.js";

/** Texts of the site's style sheets by source path, in their order. */
export type StyleTexts = ReadonlyMap<string, string>;

export const readStyles = ({ styles }: Pick<Site, "styles">, files: SiteFiles): StyleTexts =>
  new Map(styles.map((sourcePath) => [sourcePath, files.readText(sourcePath)]));

/** Adapts every style sheet of the site, in their order. */
export async function adaptStyles(
  texts: StyleTexts,
  addresses: Addresses,
): Promise<readonly { readonly sourcePath: string; readonly style: SiteStyle }[]> {
  if (texts.size === 0) return [];
  // Loading the parser takes 20 ms, and few sites need it.
  const { siteStyle } = await import("./site-styles.js");
  return [...texts].map(([sourcePath, text]) => {
    const hrefIn = (written: string, kind: "image" | "style"): string => {
      const target = addresses.resolveFile(written, { sourcePath }, kind);
      return target.kind === "unsafe" ? written : hrefOf(target, "_offprint/site/style.css");
    };
    return { sourcePath, style: siteStyle(sourcePath, text, hrefIn) };
  });
}

/** Rules for the text on what the site's style sheets paint; they belong before these style sheets. */
export async function adaptSurfaces(
  texts: StyleTexts,
  ...colors: [SiteColors, Readonly<Record<Mode, Rgb | undefined>>]
): Promise<string> {
  if (texts.size === 0) return "";
  const [{ siteStyle }, { surfaceCss }] = await Promise.all([
    import("./site-styles.js"),
    import("./painted-surfaces.js"),
  ]);
  const css = surfaceCss(texts.values(), ...colors);
  // Faults of selectors are reported for the style sheet that they come from.
  return css && Buffer.from(siteStyle("surfaces.css", css, (written) => written).code).toString();
}

/** Adapts every script of the site, in their order. Bytes that are not changed stay as they are. */
export async function readScripts(
  site: Site,
  files: SiteFiles,
): Promise<readonly (Omit<SiteScript, "code"> & { readonly code: Uint8Array | undefined })[]> {
  if (site.scripts.length === 0) return [];
  const { adaptScripts } = await import("./site-scripts.js");
  const read = site.scripts.map((sourcePath) => ({ sourcePath, text: files.readText(sourcePath) }));
  return adaptScripts(read, site.staticFiles).map((script, i) => {
    const { code } = script;
    const isSame = code === read[i]!.text;
    return {
      ...script,
      code: isSame ? files.readBytes(script.sourcePath) : code === undefined ? code : Buffer.from(code),
    };
  });
}
