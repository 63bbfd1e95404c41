import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { NavLink } from "../../site/site.js";
import type { ChromeContext } from "./chrome-context.js";
import { activeMark, globalLinks, levelOfKind, outside, sectionLink, switcher, tintedIcon } from "./menus.js";
import { type Level, levelsOf } from "./sections.js";

/** The part above the groups of a sidebar: switchers that are not in the header, then the anchors. */
export function SidebarHead(context: ChromeContext): JsxNode {
  const { site, division, messages } = context;
  const levels = levelsOf(site, division);
  const firstTab = levels.findIndex((level) => level.kind === "tab");
  const labels = { product: messages.product, version: messages.version, dropdown: messages.navigation };
  const isSwitcher = (level: Level, at: number) =>
    level.kind === "product" ||
    level.kind === "dropdown" ||
    (level.kind === "version" && firstTab >= 0 && at > firstTab);
  const switchers = levels.filter(isSwitcher);
  for (const kind of ["product", "dropdown"] as const) {
    const level = levelOfKind(context, levels, kind);
    if (level && !levels.includes(level)) switchers.push(level);
  }
  const deeperTabs = levels.filter((level, at) => level.kind === "tab" && at > firstTab);
  const anchors = levels.filter((level) => level.kind === "anchor");
  const shared = globalLinks(context, "anchor");
  return (
    <>
      {switchers.map((level) => switcher(context, level, labels[level.kind as keyof typeof labels]))}
      {(anchors.length > 0 || deeperTabs.length > 0 || shared.length > 0) && (
        <ul class="nav-anchors">
          {[...deeperTabs, ...anchors].flatMap(({ options, active }) =>
            options.map((section) => anchor(context, section, section === active, sectionLink(context, section))),
          )}
          {shared.map((link) => {
            const active = division.sections.some((id) => isSectionOf(link, site.sections[id]!));
            return anchor(context, link, active, outside(context, link.href));
          })}
        </ul>
      )}
    </>
  );
}

/** A global entry with pages is also a section. */
const isSectionOf = (link: NavLink, section: { readonly kind: string; readonly label: string }): boolean =>
  link.kind === section.kind && link.label === section.label;

const anchor = (
  context: ChromeContext,
  entry: Pick<NavLink, "label" | "icon" | "color">,
  active: boolean,
  link: ReturnType<typeof outside>,
): JsxNode => (
  <li>
    <a class="nav-anchor" {...activeMark(active)} {...link}>
      {tintedIcon(context, entry, "nav-anchor-icon")}
      {entry.label}
    </a>
  </li>
);
