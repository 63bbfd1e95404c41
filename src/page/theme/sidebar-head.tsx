import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { NavLink } from "../../site/site.js";
import type { ChromeContext } from "./chrome-context.js";
import { globalLinks, levelOfKind, outside, Switcher, sectionLink } from "./menus.js";
import { type Level, levelsOf } from "./sections.js";
import { tintOf } from "./tint.js";

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
      {switchers.map((level) => (
        <Switcher context={context} level={level} label={labels[level.kind as keyof typeof labels]} />
      ))}
      {(anchors.length > 0 || deeperTabs.length > 0 || shared.length > 0) && (
        <ul class="nav-anchors">
          {[...deeperTabs, ...anchors].flatMap((level) =>
            level.options.map((section) => (
              <li>
                <a
                  class="nav-anchor"
                  data-active={section === level.active ? "true" : undefined}
                  aria-current={section === level.active ? "true" : undefined}
                  {...sectionLink(context, section)}
                >
                  {anchorIcon(context, section)}
                  {section.label}
                </a>
              </li>
            )),
          )}
          {shared.map((link) => {
            const active = division.sections.some((id) => isSectionOf(link, site.sections[id]!));
            return (
              <li>
                <a
                  class="nav-anchor"
                  data-active={active ? "true" : undefined}
                  aria-current={active ? "true" : undefined}
                  {...outside(context, link.href)}
                >
                  {anchorIcon(context, link)}
                  {link.label}
                </a>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

/** A global entry with pages is also a section. */
const isSectionOf = (link: NavLink, section: { readonly kind: string; readonly label: string }): boolean =>
  link.kind === section.kind && link.label === section.label;

const anchorIcon = (context: ChromeContext, { icon, color }: Pick<NavLink, "icon" | "color">): JsxNode | undefined => {
  const glyph = context.icons.of(icon);
  if (!glyph) return undefined;
  return (
    <span class="nav-anchor-icon" data-tint={tintOf(color)}>
      {glyph}
    </span>
  );
};
