import { encodePath } from "../../lib/url/index.js";
import type { Directory, NavContainer, NavEntry, NavPage } from "../config/index.js";
import type { PagePlan, SidebarEntry, SidebarLink } from "../site.js";
import type { RefTarget } from "./resolve-page-refs.js";

/** The target of a navigation entry: an exported page, or the link that replaces it. */
export type ListedPage =
  | {
      readonly type: "page";
      readonly index: number;
      readonly urlPath: string;
      readonly navTitle: string;
      readonly hidden: boolean;
    }
  | { readonly type: "link"; readonly link: SidebarLink; readonly hidden: boolean };

/** One mention of a page in the navigation. */
export interface Placement {
  readonly page: number;
  readonly division: number;
  /** Whether the sidebar shows it. */
  readonly shown: boolean;
  readonly breadcrumbs: PagePlan["breadcrumbs"];
  readonly directory: PagePlan["directory"];
  readonly scope: NavScope;
}

interface Sidebar {
  readonly entries: readonly SidebarEntry[];
  /** In reading order, a group's root before its entries. */
  readonly placements: readonly Placement[];
}

interface SidebarContext {
  readonly division: number;
  readonly targets: ReadonlyMap<NavPage, RefTarget>;
  /** By a page's id; undefined if the page is not exported. */
  readonly pageAt: (id: string) => ListedPage | undefined;
}

export const noDirectory: PagePlan["directory"] = { style: "none", pages: [] };

/** Makes the sidebar of one division from its groups and pages. Groups without visible entries are left out. */
export function buildSidebar(children: readonly NavEntry[], scope: NavScope, context: SidebarContext): Sidebar {
  const placements: Placement[] = [];

  /** Adds the page and returns its entry; undefined if it is not shown. */
  const place = (page: NavPage, around: Around, rootOf?: readonly SidebarEntry[]): SidebarEntry | undefined => {
    const target = context.targets.get(page);
    if (target?.type === "address" && !around.hidden) return linkTo(target.href);
    const listed = target?.type === "page" ? context.pageAt(target.id) : undefined;
    if (target?.type !== "page" || !listed) return undefined;
    const shown = !around.hidden && !listed.hidden;
    if (listed.type === "link") return shown ? listed.link : undefined;
    const { breadcrumbs, scope } = around;
    const directory = rootOf ? directoryOf(rootOf, scope) : noDirectory;
    placements.push({ page: listed.index, division: context.division, shown, breadcrumbs, directory, scope });
    if (!shown) return undefined;
    if (target.fragment === "") return { type: "page", page: listed.index };
    return { type: "link", label: listed.navTitle, href: `${encodePath(listed.urlPath)}#${target.fragment}` };
  };

  /** The entry of a group; a group without a name is replaced by its entries. */
  const group = (node: NavContainer, around: Around): SidebarEntry | readonly SidebarEntry[] | undefined => {
    const hidden = around.hidden || node.hidden === true;
    if (node.children.length === 0 && !node.root) {
      if (hidden || !node.href) return undefined;
      return { type: "link", label: node.label, href: node.href, icon: node.icon, tag: node.tag };
    }
    const isNamed = node.label !== "";
    const depth = isNamed ? around.depth + 1 : around.depth;
    const inner = { hidden, scope: scopeWithin(around.scope, node, true), depth };
    const rootAt = placements.length;
    const crumb = { label: node.label, urlPath: node.root && addressOf(node.root, context) };
    const breadcrumbs = isNamed ? [...around.breadcrumbs, crumb] : around.breadcrumbs;
    const entries = read(node.children, { ...inner, breadcrumbs });
    // The root needs its children, but its placement comes before theirs.
    const ofChildren = placements.splice(rootAt);
    const root = node.root && place(node.root, { ...inner, breadcrumbs: around.breadcrumbs }, entries);
    for (const placement of ofChildren) placements.push(placement);
    if (!isNamed) return root ? [root, ...entries] : entries;
    if (root?.type === "link" && entries.length === 0) return { ...root, label: node.label };
    if (!root && entries.length === 0) return undefined;
    return {
      type: "group",
      label: node.label,
      icon: node.icon,
      tag: node.tag,
      expanded: !node.folded && (around.depth === 0 || node.expanded === true),
      root: root?.type === "page" ? root.page : undefined,
      entries: root?.type === "link" ? [root, ...entries] : entries,
    };
  };

  const read = (nodes: readonly NavEntry[], around: Around): SidebarEntry[] =>
    nodes.flatMap((node) => (node.kind === "page" ? place(node, around) : group(node, around)) ?? []);

  const entries = read(children, { hidden: false, breadcrumbs: [], scope, depth: 0 });
  return { entries, placements };
}

/** The current position in a sidebar. */
interface Around {
  readonly hidden: boolean;
  readonly breadcrumbs: PagePlan["breadcrumbs"];
  readonly scope: NavScope;
  readonly depth: number;
}

function linkTo(href: string): SidebarLink {
  return { type: "link", label: href.replace(/^https?:\/\/(?:www\.)?|\/+$/gi, ""), href };
}

function addressOf(page: NavPage, context: SidebarContext): string | undefined {
  const target = context.targets.get(page);
  const listed = target?.type === "page" ? context.pageAt(target.id) : undefined;
  return listed?.type === "page" ? listed.urlPath : undefined;
}

/** The pages directly in a group. A group inside it is represented by its root, or by its pages if it has no root. */
function directoryOf(entries: readonly SidebarEntry[], scope: NavScope): PagePlan["directory"] {
  if (scope.directory === "none") return noDirectory;
  const pages = new Set<number>();
  const collect = (entry: SidebarEntry): void => {
    if (entry.type === "page") pages.add(entry.page);
    else if (entry.type === "group" && entry.root !== undefined) pages.add(entry.root);
    else if (entry.type === "group") entry.entries.forEach(collect);
  };
  entries.forEach(collect);
  return { style: scope.directory, pages: [...pages] };
}

/** The settings that an entry of the navigation inherits from its containers. */
export interface NavScope {
  readonly language?: string;
  readonly version?: string;
  /** Whether every language and version that contains it is the default among its siblings. */
  readonly inDefault: boolean;
  /** Whether a container of it is hidden. */
  readonly hidden: boolean;
  /** Whether a container of it is hidden, and no inner one makes its pages searchable again. */
  readonly excluded: boolean;
  readonly unsearchable: boolean;
  readonly boost: number;
  readonly directory: Directory;
}

export const outermostScope = (directory: Directory | undefined): NavScope => ({
  inDefault: true,
  hidden: false,
  excluded: false,
  unsearchable: false,
  boost: 1,
  directory: directory ?? "none",
});

/** @param isDefault whether `container` is the default among its siblings. */
export function scopeWithin(scope: NavScope, container: NavContainer, isDefault: boolean): NavScope {
  const { kind, label, hidden, searchable, boost, directory } = container;
  return {
    language: kind === "language" ? label : scope.language,
    version: kind === "version" ? label : scope.version,
    inDefault: scope.inDefault && (isDefault || (kind !== "language" && kind !== "version")),
    hidden: hidden === true || scope.hidden,
    excluded: searchable !== true && (hidden === true || scope.excluded),
    unsearchable: searchable === undefined ? scope.unsearchable : !searchable,
    boost: boost !== undefined && boost > 0 ? boost : scope.boost,
    directory: directory ?? scope.directory,
  };
}
