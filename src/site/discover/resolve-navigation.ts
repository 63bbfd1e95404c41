import { encodePath } from "../../lib/url/index.js";
import type { NavContainer, NavEntry, Navigation, NavPage } from "../config/index.js";
import type { Division, NavLink, NavSection, SidebarEntry } from "../site.js";
import {
  buildSidebar,
  type ListedPage,
  type NavScope,
  outermostScope,
  type Placement,
  scopeWithin,
} from "./build-sidebar.js";
import type { RefTarget } from "./resolve-page-refs.js";

export interface NavigationInput {
  readonly navigation: Navigation;
  readonly siteName: string;
  readonly targets: ReadonlyMap<NavPage, RefTarget>;
  readonly pageAt: (id: string) => ListedPage | undefined;
  /** Address of a page by its index. */
  readonly urlPathOf: (index: number) => string;
  /** Whether an href is the address of a page that this export leaves out. */
  readonly leadsToLeftOut: (href: string) => boolean;
}

export interface ResolvedNavigation {
  readonly sections: readonly NavSection[];
  readonly divisions: readonly Division[];
  readonly globalLinks: readonly NavLink[];
  /** Every mention of a page, in the order of the navigation. */
  readonly placements: readonly Placement[];
  /** What an unlisted page inherits from its division. */
  readonly scopes: readonly NavScope[];
}

/**
 * Turns the tree of containers into sections, and the groups and pages directly in a container into its sidebar. Kinds of
 * containers may be nested in any order. A container with both sections and pages has its own sidebar besides its sections.
 */
export function resolveNavigation(input: NavigationInput): ResolvedNavigation {
  const sections: NavSection[] = [];
  const divisions: Division[] = [];
  const scopes: NavScope[] = [];
  const placements: Placement[] = [];
  let sectionCount = 0;

  /** Pages that an earlier division lists: a page that is listed twice is shown with the sidebar of the first division. */
  const assigned = new Set<number>();

  /** Adds a division. Its landing page is, if possible, a page that is shown with its sidebar. */
  const addDivision = (
    path: readonly number[],
    children: readonly NavEntry[],
    scope: NavScope,
  ): { readonly division?: number; readonly landing?: number } => {
    const division = divisions.length;
    const sidebar = buildSidebar(children, scope, { division, targets: input.targets, pageAt: input.pageAt });
    if (sidebar.placements.length === 0 && sidebar.entries.length === 0) return {};
    const order = [...new Set(sidebar.placements.filter(({ shown }) => shown).map(({ page }) => page))];
    divisions.push({ id: division, sections: path, entries: sidebar.entries, order });
    scopes.push(scope);
    for (const placement of sidebar.placements) placements.push(placement);
    const landing = order.find((page) => !assigned.has(page)) ?? order[0];
    if (!scope.hidden) for (const page of order) assigned.add(page);
    return { division, landing };
  };

  /** @param above ids of the sections that contain it, outermost first. */
  const addSection = (
    node: NavContainer,
    above: readonly number[],
    outer: NavScope,
    isDefault: boolean,
  ): NavSection => {
    const scope = scopeWithin(outer, node, isDefault);
    const { content, id } = addContent(node, above, scope);
    const written = node.children.length === 0 ? exportedHref(node.href) : undefined;
    const href =
      written ?? (content.landing === undefined ? firstLink(divisions[content.division ?? -1]?.entries) : undefined);
    const section: NavSection = {
      id,
      kind: node.kind,
      label: node.label,
      parent: above.at(-1),
      hidden: node.hidden === true || (content.landing === undefined && href === undefined),
      default: isDefault,
      icon: node.icon,
      tag: node.tag,
      description: node.description,
      color: node.color,
      align: node.align,
      href,
      location: written === undefined ? undefined : node.location,
      ...content,
      banner: node.banner,
      footer: node.footer,
      navbar: node.navbar,
    };
    sections[id] = section;
    return section;
  };

  type Content = Pick<NavSection, "children" | "landing" | "division" | "globalLinks">;
  const addContent = (
    node: Pick<NavContainer, "children" | "global">,
    above: readonly number[],
    scope: NavScope,
  ): { readonly id: number; readonly content: Content } => {
    const id = sectionCount++;
    const path = [...above, id];
    const inner = node.children.filter(isSection);
    const direct = node.children.filter((child) => !isSection(child));
    const { division, landing } = direct.length > 0 ? addDivision(path, direct, scope) : {};
    const defaults = defaultsAmong(inner);
    const children = inner.map((child) => addSection(child, path, scope, defaults.has(child)));
    const globalLinks = (node.global ?? []).flatMap((entry) => globalLink(entry, path, scope) ?? []);
    return {
      id,
      content: {
        children: children.map((child) => child.id),
        landing: landing ?? landingAmong(children, inner),
        division,
        globalLinks,
      },
    };
  };

  /** The link of a global entry. One with pages becomes a section that is reachable only by its link. */
  const globalLink = (node: NavContainer, path: readonly number[], scope: NavScope): NavLink | undefined => {
    const landing = node.children.length > 0 ? addSection(node, path, scope, true).landing : undefined;
    const href = landing !== undefined ? encodePath(input.urlPathOf(landing)) : exportedHref(node.href);
    if (!href || node.hidden) return undefined;
    return { kind: node.kind, label: node.label, href, icon: node.icon, color: node.color, location: node.location };
  };

  const exportedHref = (href: string | undefined): string | undefined =>
    href === undefined || input.leadsToLeftOut(href) ? undefined : href;

  const { navigation } = input;
  const { content } = addContent(navigation, [], outermostScope(navigation.directory));
  sections[0] = { id: 0, kind: "root", label: input.siteName, hidden: false, default: true, ...content };
  if (divisions.length === 0) {
    divisions.push({ id: 0, sections: [0], entries: [], order: [] });
    scopes.push(outermostScope(navigation.directory));
  }
  return { sections, divisions, globalLinks: content.globalLinks, placements, scopes };
}

const isSection = (entry: NavEntry): entry is NavContainer => entry.kind !== "page" && entry.kind !== "group";

/** The landing link of a sidebar that contains only links. */
function firstLink(entries: readonly SidebarEntry[] = []): string | undefined {
  for (const entry of entries) {
    const href = entry.type === "group" ? firstLink(entry.entries) : entry.type === "link" ? entry.href : undefined;
    if (href !== undefined) return href;
  }
  return undefined;
}

/** The default of each kind: the marked container, else the first visible one with pages, else the first. */
function defaultsAmong(siblings: readonly NavContainer[]): ReadonlySet<NavContainer> {
  const defaults = new Set<NavContainer>();
  for (const ofKind of Map.groupBy(siblings, ({ kind }) => kind).values()) {
    const shown = ofKind.filter(({ hidden }) => !hidden);
    const marked = ofKind.find((container) => container.default === true);
    defaults.add(marked ?? shown.find(({ children }) => children.length > 0) ?? shown[0] ?? ofKind[0]!);
  }
  return defaults;
}

/** @param sections `sections[i]` is made from `nodes[i]`. */
function landingAmong(sections: readonly NavSection[], nodes: readonly NavContainer[]): number | undefined {
  const open = (section: NavSection): boolean => !section.hidden && section.landing !== undefined;
  const chosen = sections.find((section, index) => nodes[index]!.default === true && open(section));
  return (chosen ?? sections.find(open))?.landing;
}
