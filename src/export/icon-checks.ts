import type { Diagnostic, Location } from "../lib/diagnostic/index.js";
import type { ExternalUse, IconPort } from "../page/render/index.js";
import { pictureOfIcon } from "../page/theme/index.js";
import type { IconChoice } from "../site/config/index.js";
import type { Addresses } from "../site/links/index.js";

/** The mistakes in an icon of the navigation or of a page's front matter, and what it loads from other hosts. */
export interface IconCheck {
  readonly diagnostics: readonly Diagnostic[];
  readonly external: readonly ExternalUse[];
}

/** @param isFile whether the bundle has a file at an output path. */
export function createIconChecks(icons: IconPort, isFile: (path: string) => boolean, addresses: Addresses) {
  return (choice: IconChoice, location: () => Location): IconCheck => {
    const picture = pictureOfIcon(choice);
    if (picture && "url" in picture) {
      const target = addresses.resolveFile(picture.url, location(), "image");
      if (target.kind !== "external") return fine;
      return { diagnostics: [], external: [{ kind: "image", url: target.url, location: location() }] };
    }
    const isThere = picture ? isFile(picture.sourcePath) : icons.icon(choice).diagnostics.length === 0;
    if (isThere) return fine;
    const diagnostics = picture ? [missing(choice.name, location())] : icons.icon(choice, location()).diagnostics;
    return { diagnostics, external: [] };
  };
}

const fine: IconCheck = { diagnostics: [], external: [] };

const missing = (name: string, location: Location): Diagnostic => ({
  code: "ICON_NOT_FOUND",
  severity: "warning",
  what: `The icon is "${name}", and the site has no such file, so it is left out.`,
  location,
  fix: "write the path of an image of the site, or the name of an icon.",
});
