import type { ExternalUse } from "../../page/render/index.js";
import type { Addresses } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import { siteFonts } from "./fonts.js";
import { type FindNamed, type ImageSetting, namedFile, namedImages } from "./named-files.js";
import { adaptStyles, type StyleTexts } from "./site-code.js";

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
