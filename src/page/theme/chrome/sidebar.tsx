import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../../lib/language/index.js";
import { createMemo } from "../../../lib/memo.js";
import type { Division, NavLink } from "../../../site/site.js";
import { createTemplate, fillTemplate, htmlOf, type Template } from "../html.js";
import { type Level, levelsOf, tabsOf } from "../sections.js";
import { anyPrefix, withPrefix } from "../settings-links.js";
import type { ChromeContext } from "./chrome-context.js";
import { activeMark, globalLinks, levelOfKind, outside, sectionLink, switcher, tintedIcon } from "./menus.js";
import { type NavTree, navTreeOf, sliceAround } from "./nav-tree.js";
import { type SidebarContext, type SidebarOptions, sidebarEntries } from "./sidebar-entries.js";

/** Pages show the whole sidebar up to this many entries; of a larger one, they show the entries around the page. */
export const wholeSidebarEntries = 150;
/** Each takes up to 100 kB. Neighbours are made one after the other, so a few suffice. */
const maxCached = 32;
/** The navigation trees of all divisions, and their HTML. */
export type Sidebars = ReturnType<typeof createSidebars>;

/** Renders a division's sidebar for a page: whole ones once a division, partial ones once a block of neighbours. */
export function createSidebars(options: SidebarOptions) {
  const trees = createMemo<NavTree>();
  const texts = createMemo<string>(maxCached);
  const templates = createMemo<Template>(maxCached);

  const treeOf = (division: Division): NavTree => trees(division.id, () => navTreeOf(division));

  const html = (division: Division, prefix: string, page: number, messages: Messages): string => {
    const tree = treeOf(division);
    const around = tree.groupsOf.get(page) ?? [];
    const slice = tree.count > wholeSidebarEntries ? sliceAround(tree, around, page) : undefined;
    const key = `${division.id} ${slice?.key ?? ""}`;
    const template = templates(`${prefix} ${key}`, () => {
      const context: SidebarContext = { ...options, prefix: anyPrefix, messages, slice };
      return createTemplate(
        withPrefix(
          texts(key, () => htmlOf(sidebarEntries(context, tree.nodes))),
          prefix,
        ),
      );
    });
    return fillTemplate(template, [`p${page}`, ...around.map((group) => `g${group.id}`)]);
  };
  return { html, treeOf };
}

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

/** Whether the global link belongs to a section: an entry with pages is both. */
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
