import { type Diagnostic, locationOfSetting } from "../../lib/diagnostic/index.js";
import { isImageData } from "../../lib/url/index.js";
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

/** A file that docs.json names. */
export interface NamedFile {
  /** Relative to the style sheets in our folder. */
  readonly href: string;
  /** Path in the bundle, unless it is external. */
  readonly outputPath?: string;
  /** Loaded from another host. */
  readonly isRemote: boolean;
}
export type FindNamed = (source: string) => NamedFile | undefined;

export function namedFile(
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

export type ImageSetting = "logo" | "favicon" | "background.image";

/** The images in the settings, each with the location of its first setting. */
export function namedImages(config: SiteSettings, settings: readonly ImageSetting[]) {
  const pairs = { logo: config.logo, favicon: config.favicon, "background.image": config.background.image };
  return settings.flatMap((setting) =>
    filesOfPair(pairs[setting]).map(([mode, source]) => ({
      setting,
      source,
      location: locationOfSetting(config, `${setting}.${mode}`),
    })),
  );
}

export function missingImages({ config, staticFiles }: Site, named: FindNamed): Diagnostic[] {
  const similar = createSimilarPaths(() => staticFiles);
  return namedImages(config, ["favicon", "background.image"]).flatMap(({ setting, source, location }): Diagnostic[] => {
    const file = named(source);
    // Browsers load the favicon first, so it never comes from another host.
    const isRemote = setting === "favicon" && file?.isRemote === true;
    if (file && !isRemote) return [];
    const path = source.replace(/^\//, "");
    const same = isRemote ? undefined : (similar.otherCase(path) ?? similar.otherExtension(path));
    return [
      {
        code: setting === "favicon" ? "FAVICON_NOT_FOUND" : "BACKGROUND_NOT_FOUND",
        severity: "warning",
        what: `${setting} is "${source}", and ${isRemote ? "the bundle has no copy of it" : "the site has no such file"}, so it is left out.`,
        location,
        fix: same
          ? `write "/${same}".`
          : isRemote
            ? "put a copy of it into the site, and write its path."
            : addImage(source),
        ...(same && { rewrites: newAddress(source, `/${same}`) }),
      },
    ];
  });
}
