import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../lib/language/index.js";
import type { Division, Site } from "../../site/site.js";
import { htmlOf } from "./html.js";
import type { Icons } from "./icons.js";
import { anyPrefix, type Links, withPrefix } from "./links.js";
import { createMemo } from "./memo.js";
import { labelOf, type NavGroup, type NavNode, type NavTree, navTreeOf } from "./nav-tree.js";
import { createTemplate, fillTemplate, type Template } from "./template.js";

/** Sidebars of up to this many entries stand whole in each of their pages; larger ones show what surrounds the page. */
export const wholeSidebarEntries = 150;
/** Entries of one level shown around the page in a larger one, in blocks so that neighbours share a rendering. */
const blockEntries = 20;

export interface SidebarOptions {
  readonly site: Site;
  readonly links: Links;
  /** For pages of any depth. */
  readonly icons: Icons;
  /** Clicking a group opens its first page, where docs.json or the theme says so. */
  readonly drilldown: boolean;
}

/** The trees of all divisions, and their HTML. */
export type Sidebars = ReturnType<typeof createSidebars>;

/**
 * The entries of a division's sidebar for one page. What pages have in common is rendered once: a whole sidebar for
 * each division and depth, a partial one for each block of neighbours; the last few are kept.
 */
export function createSidebars(options: SidebarOptions) {
  const trees = createMemo<NavTree>();
  const texts = createMemo<string>(128);
  const templates = createMemo<Template>(128);

  const treeOf = (division: Division): NavTree => trees(division.id, () => navTreeOf(division));

  const html = (division: Division, prefix: string, page: number, messages: Messages): string => {
    const tree = treeOf(division);
    const around = tree.groupsOf.get(page) ?? [];
    const slice = tree.count > wholeSidebarEntries ? sliceAround(tree, around, page) : undefined;
    const key = `${division.id} ${slice?.key ?? ""}`;
    const template = templates(`${prefix} ${key}`, () => {
      const context: Context = { ...options, prefix: anyPrefix, messages, slice };
      return createTemplate(
        withPrefix(
          texts(key, () => htmlOf(topLevel(context, tree.nodes))),
          prefix,
        ),
      );
    });
    return fillTemplate(template, [`p${page}`, ...around.map((group) => `g${group.id}`)]);
  };
  return { html, treeOf };
}

/** Which part of a large sidebar a page shows: at each level a run of entries; of the groups, only those around the page. */
interface Slice {
  readonly key: string;
  /** First entry shown of a level, by the number of the group that holds it; -1 for the top. */
  readonly starts: ReadonlyMap<number, number>;
  readonly open: ReadonlySet<number>;
}

function sliceAround(tree: NavTree, around: readonly NavGroup[], page: number): Slice {
  const starts = new Map<number, number>();
  let nodes = tree.nodes;
  let holder = -1;
  for (let depth = 0; depth <= around.length; depth++) {
    const next = around[depth];
    const at = next ? nodes.indexOf(next) : nodes.findIndex((node) => node.type === "page" && node.page === page);
    starts.set(holder, Math.max(0, (Math.floor(at / blockEntries) - 1) * blockEntries));
    if (!next) break;
    holder = next.id;
    nodes = next.nodes;
  }
  const open = new Set(around.map((group) => group.id));
  return { key: [...starts].join(" "), starts, open };
}

interface Context extends SidebarOptions {
  readonly prefix: string;
  readonly messages: Messages;
  readonly slice?: Slice;
}

/** Top-level groups are headed sections, always open; entries between them make lists of their own. */
function topLevel(context: Context, nodes: readonly NavNode[]): JsxNode[] {
  let out: JsxNode[] = [];
  let run: NavNode[] = [];
  const flush = () => {
    if (run.length > 0) out.push(<ul class="sidebar-group">{run.map((node) => entry(context, node))}</ul>);
    run = [];
  };
  const { shown, before, after } = windowOf(context, nodes, -1);
  for (const node of shown) {
    if (node.type !== "group") run.push(node);
    else {
      flush();
      out.push(section(context, node));
    }
  }
  flush();
  out = out.flatMap((part, at) => (at === 0 ? [part] : [<div class="sidebar-nav-group-divider" />, part]));
  if (before) out.unshift(more(context, before, context.messages.earlier));
  if (after) out.push(more(context, after, context.messages.later));
  return out;
}

function section(context: Context, group: NavGroup): JsxNode {
  const label = (
    <>
      {groupIcon(context, group)}
      <span class="sidebar-title-text">{group.label}</span>
      {group.tag && tagPill(group.tag)}
    </>
  );
  const { links, prefix } = context;
  if (isCollapsed(context, group))
    return (
      <div class="sidebar-section" data-folded="">
        <div class="sidebar-group-header">
          <p class="sidebar-title">
            <a
              href={group.first === undefined ? "#" : links.page(prefix, group.first)}
              data-nav-group={String(group.id)}
            >
              {label}
            </a>
          </p>
        </div>
      </div>
    );
  return (
    <div class="sidebar-section">
      <div class="sidebar-group-header">
        <p class="sidebar-title">
          {group.root === undefined ? (
            label
          ) : (
            <a href={links.page(prefix, group.root)} data-mark={`p${group.root} current`}>
              {label}
            </a>
          )}
        </p>
      </div>
      {list(context, group)}
    </div>
  );
}

function list(context: Context, group: NavGroup): JsxNode {
  const { shown, before, after } = windowOf(context, group.nodes, group.id);
  return (
    <ul class="sidebar-group" data-mark={`g${group.id} active`}>
      {before && <li>{more(context, before, context.messages.earlier)}</li>}
      {shown.map((node) => entry(context, node))}
      {after && <li>{more(context, after, context.messages.later)}</li>}
    </ul>
  );
}

function entry(context: Context, node: NavNode): JsxNode {
  if (node.type === "group") return nestedGroup(context, node);
  if (node.type === "link") return outsideLink(context, node);
  const { site, links, icons, prefix, messages } = context;
  const plan = site.pages[node.page]!;
  const { tag } = plan.frontmatter;
  const { marker } = plan;
  return (
    <li class="sidebar-item" data-mark={`p${node.page} active`}>
      <a class="sidebar-link" href={links.page(prefix, node.page)} data-mark={`p${node.page} current`}>
        {icons.ofPage(plan)}
        {marker && (
          <span class="method-nav-pill" data-method={marker}>
            {marker === "DELETE" ? "DEL" : marker}
          </span>
        )}
        <span class="sidebar-label">
          {labelOf(plan)}
          {typeof tag === "string" && tagPill(tag)}
          {plan.deprecated && tagPill(messages.deprecated)}
        </span>
      </a>
    </li>
  );
}

function outsideLink(context: Context, node: Extract<NavNode, { type: "link" }>): JsxNode {
  const { href, external } = context.links.written(context.prefix, node.href);
  return (
    <li class="sidebar-item">
      <a
        class="sidebar-link"
        href={href}
        target={external ? "_blank" : undefined}
        rel={external ? "noreferrer" : undefined}
        data-external={external ? "" : undefined}
      >
        {icon(context, node)}
        <span class="sidebar-label">
          {node.label}
          {node.tag && tagPill(node.tag)}
        </span>
      </a>
    </li>
  );
}

/** A group below the top folds. Its name opens its page, if it has one; then only the arrow beside it folds. */
function nestedGroup(context: Context, group: NavGroup): JsxNode {
  const label = (
    <>
      {groupIcon(context, group)}
      <span class="sidebar-label">
        {group.label}
        {group.tag && tagPill(group.tag)}
      </span>
    </>
  );
  const { links, prefix, messages, drilldown } = context;
  const landing = group.root ?? (drilldown ? group.first : undefined);
  if (isCollapsed(context, group))
    return (
      <li class="sidebar-item">
        <a
          class="sidebar-link"
          href={group.first === undefined ? "#" : links.page(prefix, group.first)}
          data-nav-group={landing === undefined ? String(group.id) : undefined}
        >
          {label}
        </a>
      </li>
    );
  if (landing === undefined)
    return (
      <li class="sidebar-item">
        <details
          class="sidebar-nested"
          data-group={String(group.id)}
          open={group.expanded}
          data-mark={group.expanded ? undefined : `g${group.id} open`}
        >
          <summary class="sidebar-link">{label}</summary>
          {list(context, group)}
        </details>
      </li>
    );
  const own = `p${landing} current`;
  return (
    <li class="sidebar-item" data-mark={group.root === undefined ? undefined : `p${landing} active`}>
      <a class="sidebar-link" href={links.page(prefix, landing)} data-mark={group.root === undefined ? undefined : own}>
        {label}
      </a>
      <details
        class="sidebar-nested"
        data-group={String(group.id)}
        open={group.expanded}
        data-mark={group.expanded ? undefined : `g${group.id} open`}
      >
        <summary class="sidebar-fold" aria-label={`${group.label}: ${messages.pages}`} />
        {list(context, group)}
      </details>
    </li>
  );
}

const isCollapsed = (context: Context, group: NavGroup): boolean =>
  context.slice !== undefined && !context.slice.open.has(group.id);

function windowOf(context: Context, nodes: readonly NavNode[], holder: number) {
  const start = context.slice?.starts.get(holder);
  if (start === undefined) return { shown: nodes };
  const end = start + 3 * blockEntries;
  return { shown: nodes.slice(start, end), before: nodes[start - 1], after: nodes[end] };
}

/** Leads to the neighbour that is not shown; that page shows its own surroundings. */
function more(context: Context, node: NavNode, label: string): JsxNode {
  const page = node.type === "page" ? node.page : node.type === "group" ? node.first : undefined;
  return (
    <a class="sidebar-more" href={page === undefined ? "#" : context.links.page(context.prefix, page)}>
      {label}
    </a>
  );
}

const icon = (context: Context, node: { readonly icon?: NavGroup["icon"] }) => context.icons.of(node.icon);
const groupIcon = (context: Context, group: NavGroup) =>
  group.icon && <span class="sidebar-group-icon">{icon(context, group)}</span>;

/** After a blank, so that labels are read as two words. */
const tagPill = (text: string): JsxNode => (
  <>
    {" "}
    <span class="nav-tag-pill">
      <span class="nav-tag-pill-text">{text}</span>
    </span>
  </>
);
