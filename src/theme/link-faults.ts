import type { LightDark } from "../config/site-config.js";
import { type Diagnostic, type Place, placeOfSetting } from "../diagnostic/index.js";
import type { Site } from "../discover/site.js";
import type { Links } from "./links.js";

export interface LinkFaults {
  /** One for each place. */
  readonly diagnostics: readonly Diagnostic[];
  /** Output paths that are linked to in vain. */
  readonly targets: readonly string[];
}

/** What header, footer, shared links and page menu name that the site does not have. */
export function linkFaults(site: Site, links: Links): LinkFaults {
  const faults: Diagnostic[] = [];
  const targets: string[] = [];
  const look = (label: string, href: string, place: Place | undefined) => {
    const link = links.written("", href);
    if (link.found) return;
    targets.push(decodeURIComponent(link.href.replace(/[?#].*$/s, "")));
    faults.push({
      code: "NAVIGATION_LINK_BROKEN",
      severity: "warning",
      what: `"${label}" links to "${href}", and the site has no such page or file.`,
      place: place ?? { sourcePath: site.config.sourcePath },
      fix: "write the path of a page, or a complete address with https:// in front.",
    });
  };
  const { navbar, footer, logo } = site.config;
  for (const [mode, source] of imagesOf(logo))
    if (links.image("", source) === undefined)
      faults.push({
        code: "LOGO_NOT_FOUND",
        severity: "warning",
        what: `The logo is "${source}", and the site has no such file, so its name is shown instead.`,
        place: placeOfSetting(site.config, `logo.${mode}`),
        fix: "write the path of an image of the site.",
      });
  const navbars = [navbar, ...site.sections.flatMap((section) => section.navbar ?? [])];
  const footers = [footer, ...site.sections.flatMap((section) => section.footer ?? [])];
  for (const { links: entries, primary } of navbars)
    for (const link of primary ? [...entries, primary] : entries) look(link.label ?? link.type, link.href, link.place);
  for (const { links: columns } of footers)
    for (const { items } of columns) for (const item of items) look(item.label, item.href, item.place);
  for (const option of site.config.contextual?.options ?? []) {
    if (typeof option === "string") continue;
    look(option.title, typeof option.href === "string" ? option.href : option.href.base, undefined);
  }
  for (const link of [...site.globalLinks, ...site.sections.flatMap((section) => section.globalLinks)])
    look(link.label, link.href, link.place);
  return { diagnostics: faults, targets };
}

/** The images of a pair with the mode that names each first. */
const imagesOf = (pair: LightDark | undefined): (readonly ["light" | "dark", string])[] =>
  pair === undefined
    ? []
    : pair.light === pair.dark
      ? [["light", pair.light]]
      : [
          ["light", pair.light],
          ["dark", pair.dark],
        ];
