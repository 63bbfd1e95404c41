import { parseHex, textOn, toHex } from "../../lib/color.js";
import { type Diagnostic, locationOfSetting, warningOf } from "../../lib/diagnostic/index.js";
import { escapeXml } from "../../lib/html/escape.js";
import { isImageData } from "../../lib/url/index.js";
import type { ExternalUse } from "../../page/render/index.js";
import { filesOfPair, type LightDark, type SiteSettings } from "../../site/config/index.js";
import {
  type Addresses,
  addImage,
  createSimilarPaths,
  hrefOf,
  newAddress,
  type Origin,
} from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import { type NamedFile, siteFonts } from "./fonts.js";
import { adaptStyles, type StyleTexts } from "./site-code.js";

type FindNamed = (source: string) => NamedFile | undefined;

function namedFile(
  source: string,
  addresses: Addresses,
  settings: Origin,
  kind: "image" | "style",
): NamedFile | undefined {
  if (isImageData(source)) return { href: source, isRemote: false };
  const target = addresses.resolveFile(source, settings, kind);
  if (target.kind === "external") return target.host ? { href: target.url, isRemote: true } : undefined;
  if (target.kind !== "file") return undefined;
  return { href: hrefOf(target, "_offprint/site.css"), outputPath: target.outputPath, isRemote: false };
}

/** The favicon from docs.json, or a file named `favicon` at the root. */
export function faviconOf(site: Site, named: FindNamed): LightDark | undefined {
  const { favicon } = site.config;
  if (!favicon) {
    const found = ["favicon.svg", "favicon.ico", "favicon.png"].find((path) => site.staticFiles.includes(path));
    return found === undefined ? undefined : { light: found, dark: found };
  }
  const light = named(favicon.light)?.outputPath;
  const dark = named(favicon.dark)?.outputPath;
  return light !== undefined && dark !== undefined ? { light, dark } : undefined;
}

type ImageSetting = "logo" | "favicon" | "background.image" | (typeof previews)[number];
/** Images that only other sites show, in links to this one. */
const previews = ["thumbnails.background", "seo.metatags.og:image", "seo.metatags.twitter:image"] as const;

/** The images in the settings, each with the location of its first setting. */
function namedImages(config: SiteSettings, settings: readonly ImageSetting[]) {
  const both = (source: string | undefined): LightDark | undefined =>
    source === undefined ? undefined : { light: source, dark: source };
  const pairs = {
    logo: config.logo,
    favicon: config.favicon,
    "background.image": config.background.image,
    "thumbnails.background": both(config.thumbnails.background),
    "seo.metatags.og:image": both(config.seo.metatags["og:image"]),
    "seo.metatags.twitter:image": both(config.seo.metatags["twitter:image"]),
  };
  return settings.flatMap((setting) =>
    filesOfPair(pairs[setting]).map(([mode, source]) => ({
      setting,
      source,
      location: locationOfSetting(config, `${setting}.${mode}`),
    })),
  );
}

const codes: Partial<Record<ImageSetting, string>> = {
  favicon: "FAVICON_NOT_FOUND",
  "background.image": "BACKGROUND_NOT_FOUND",
};

export function missingImages({ config, staticFiles }: Site, named: FindNamed): Diagnostic[] {
  const similar = createSimilarPaths(() => staticFiles);
  return namedImages(config, ["favicon", "background.image", ...previews]).flatMap(
    ({ setting, source, location }): Diagnostic[] => {
      const file = named(source);
      // Browsers load the favicon first, so it never comes from another host.
      const isRemote = setting === "favicon" && file?.isRemote === true;
      if (file && !isRemote) return [];
      const path = source.replace(/^\//, "");
      const code = codes[setting] ?? "IMAGE_NOT_FOUND";
      const same = isRemote ? undefined : (similar.otherCase(path) ?? similar.otherExtension(path));
      return [
        {
          ...warningOf(code),
          what: `${setting} is "${source}", but ${isRemote ? "the bundle has no copy of it" : "the site has no such file"}, so ${code === "IMAGE_NOT_FOUND" ? "links to the site have no picture" : "it is left out"}.`,
          location,
          fix: same
            ? `write "/${same}".`
            : isRemote
              ? "add a copy of it to the site, and write its path."
              : addImage(source),
          ...(same && { rewrites: newAddress(source, `/${same}`) }),
        },
      ];
    },
  );
}

/** Finds the images and the fonts that docs.json names. */
export function findNamed(site: Site, addresses: Addresses): { readonly image: FindNamed; readonly font: FindNamed } {
  const settings = { sourcePath: site.config.sourcePath };
  return {
    image: (source) => namedFile(source, addresses, settings, "image"),
    font: (source) => namedFile(source, addresses, settings, "style"),
  };
}

/** Images in docs.json that every page loads from another host. */
export const remoteImages = (
  { config }: Site,
  find: FindNamed,
  settings: readonly ImageSetting[] = ["logo", "background.image"],
): ExternalUse[] =>
  namedImages(config, settings).flatMap(({ source, location }): ExternalUse[] => {
    const file = find(source);
    return file?.isRemote ? [{ kind: "image", url: file.href, location }] : [];
  });

/** What docs.json and the site's style sheets load from other hosts. */
export async function settingsUses(site: Site, addresses: Addresses, texts: StyleTexts): Promise<ExternalUse[]> {
  const { image, font } = findNamed(site, addresses);
  const styles = await adaptStyles(texts, addresses);
  return [
    ...siteFonts(site.config, site.staticFiles, font).external,
    ...remoteImages(site, image),
    ...remoteImages(site, image, ["favicon"]).map((use) => ({ ...use, isOptional: true })),
    ...styles.flatMap(({ style }) => style.external),
  ];
}

/** The icon of a site without one: the first letter or digit of its name on its colour, for each mode. */
export function defaultFavicon({ name, colors }: SiteSettings): LightDark {
  const letter = /[\p{L}\p{N}]\p{M}{0,3}/u.exec(name)?.[0] ?? "";
  const icon = (color: string): string => {
    const ground = parseHex(color) ?? [0, 0, 0];
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${toHex(ground)}"/><text x="16" y="23" fill="${toHex(textOn(ground))}" font-family="system-ui,sans-serif" font-size="20" font-weight="700" text-anchor="middle">${escapeXml(letter)}</text></svg>\n`;
  };
  return { light: icon(colors.primary), dark: icon(colors.light) };
}
