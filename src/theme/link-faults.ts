import type { Diagnostic, Place } from "../diagnostic/diagnostic.js";
import type { Site } from "../discover/site.js";
import type { Links } from "./links.js";

/** Site paths in header, footer and shared links that lead to no page, redirect or file: one fault for each place. */
export function linkFaults(site: Site, links: Links): Diagnostic[] {
  const faults: Diagnostic[] = [];
  const look = (label: string, href: string, place: Place | undefined) => {
    if (links.written("", href).found) return;
    faults.push({
      code: "NAVIGATION_LINK_BROKEN",
      severity: "warning",
      what: `"${label}" links to "${href}", and the site has no such page or file.`,
      place: place ?? { sourcePath: site.config.sourcePath },
      fix: "write the path of a page, or a complete address with https:// in front.",
    });
  };
  const { navbar, footer } = site.config;
  const navbars = [navbar, ...site.sections.flatMap((section) => section.navbar ?? [])];
  const footers = [footer, ...site.sections.flatMap((section) => section.footer ?? [])];
  for (const { links: entries, primary } of navbars)
    for (const link of primary ? [...entries, primary] : entries) look(link.label ?? link.type, link.href, link.place);
  for (const { links: columns } of footers)
    for (const { items } of columns) for (const item of items) look(item.label, item.href, item.place);
  for (const link of [...site.globalLinks, ...site.sections.flatMap((section) => section.globalLinks)])
    look(link.label, link.href, link.place);
  return faults;
}
