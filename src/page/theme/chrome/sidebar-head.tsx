import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { NavLink } from "../../../site/site.js";
import { type Level, levelsOf, tabsOf } from "../sections.js";
import type { ChromeContext } from "./chrome-context.js";
import { activeMark, globalLinks, levelOfKind, outside, sectionLink, switcher, tintedIcon } from "./menus.js";

/** The switchers that are not in the header. */
export function SidebarSwitchers(context: ChromeContext): JsxNode {
  const { site, division, messages } = context;
  const levels = levelsOf(site, division);
  const { at: tabsAt } = tabsOf(levels);
  const labels = { product: messages.product, version: messages.version, dropdown: messages.navigation };
  const isSwitcher = (level: Level, at: number) =>
    level.kind === "product" || level.kind === "dropdown" || (level.kind === "version" && tabsAt >= 0 && at > tabsAt);
  const switchers = levels.filter(isSwitcher);
  for (const kind of ["product", "dropdown"] as const) {
    const level = levelOfKind(context, levels, kind);
    if (level && !levels.includes(level)) switchers.push(level);
  }
  return <>{switchers.map((level) => switcher(context, level, labels[level.kind as keyof typeof labels]))}</>;
}

/** The links above the groups: anchors, and tabs that are not in the header. */
export function SidebarAnchors(context: ChromeContext): JsxNode | undefined {
  const { site, division } = context;
  const levels = levelsOf(site, division);
  const anchors = [...tabsOf(levels).below, ...levels.filter((level) => level.kind === "anchor")];
  const shared = globalLinks(context, "anchor");
  if (anchors.length === 0 && shared.length === 0) return undefined;
  return (
    <ul class="nav-anchors">
      {anchors.flatMap(({ options, active }) =>
        options.map((section) => anchor(context, section, section === active, sectionLink(context, section))),
      )}
      {shared.map((link) => {
        const active = division.sections.some((id) => isSectionOf(link, site.sections[id]!));
        return anchor(context, link, active, outside(context, link.href));
      })}
    </ul>
  );
}

/** Whether the link is a global entry with pages, which is a section too. */
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
