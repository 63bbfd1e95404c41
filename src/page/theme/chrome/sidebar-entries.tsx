import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../../lib/language/index.js";
import { withBreaks } from "../../components/index.js";
import type { ChromeContext } from "./chrome-context.js";
import { outside } from "./menus.js";
import { type NavGroup, type NavNode, pageLabel, type Slice, windowOf } from "./nav-tree.js";

/** `icons` and `links` serve pages at any depth. */
export interface SidebarOptions extends Pick<ChromeContext, "site" | "links" | "icons"> {
  /** Whether a click on a group opens its first page. */
  readonly drilldown: boolean;
}

export interface SidebarContext extends SidebarOptions {
  readonly prefix: string;
  readonly messages: Messages;
  readonly slice?: Slice;
}

/** The entries of a sidebar: expanded top-level groups as sections, and lists of the entries between them. */
export function sidebarEntries(context: SidebarContext, nodes: readonly NavNode[]): JsxNode[] {
  let out: JsxNode[] = [];
  let run: NavNode[] = [];
  const flush = () => {
    if (run.length > 0) out.push(<ul class="sidebar-group">{run.map((node) => entry(context, node))}</ul>);
    run = [];
  };
  const { shown, before, after } = windowOf(context.slice, nodes, -1);
  for (const node of shown) {
    if (node.type !== "group" || !node.expanded) run.push(node);
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

function section(context: SidebarContext, group: NavGroup): JsxNode {
  const label = (
    <>
      {groupIcon(context, group)}
      <span class="sidebar-title-text">{group.label}</span>
      {group.tag && tagPill(group.tag)}
    </>
  );
  const isClosed = isCollapsed(context, group);
  const page = isClosed ? group.first : group.root;
  const isLink = isClosed || page !== undefined;
  return (
    <div class="sidebar-section" data-folded={isClosed ? "" : undefined}>
      <div class="sidebar-group-header">
        <p class="sidebar-title">
          {isLink ? (
            <a
              href={pageHref(context, page)}
              data-nav-group={isClosed ? String(group.id) : undefined}
              data-mark={isClosed ? undefined : `p${page} current`}
            >
              {label}
            </a>
          ) : (
            label
          )}
        </p>
      </div>
      {!isClosed && list(context, group)}
    </div>
  );
}

/** A link without a page works only with a script. */
const pageHref = ({ links, prefix }: SidebarContext, page: number | undefined): string =>
  page === undefined ? "#" : links.page(prefix, page);

function list(context: SidebarContext, group: NavGroup): JsxNode {
  const { shown, before, after } = windowOf(context.slice, group.nodes, group.id);
  return (
    <ul class="sidebar-group" data-mark={`g${group.id} active`}>
      {before && <li>{more(context, before, context.messages.earlier)}</li>}
      {shown.map((node) => entry(context, node))}
      {after && <li>{more(context, after, context.messages.later)}</li>}
    </ul>
  );
}

function entry(context: SidebarContext, node: NavNode): JsxNode {
  if (node.type === "group") return nestedGroup(context, node);
  if (node.type === "link") return outsideLink(context, node);
  const { site, links, icons, prefix, messages } = context;
  const plan = site.pages[node.page]!;
  const { tag } = plan.frontmatter;
  const { marker } = plan;
  return (
    <li data-mark={`p${node.page} active`}>
      <a class="sidebar-link" href={links.page(prefix, node.page)} data-mark={`p${node.page} current`}>
        {icons.of(plan.icon)}
        {marker && (
          <span class="method-nav-pill" data-method={marker}>
            {marker === "DELETE" ? "DEL" : marker}
          </span>
        )}
        <span>
          {plan.api === undefined ? pageLabel(plan) : broken(pageLabel(plan), besidePill)}
          {typeof tag === "string" && tagPill(tag)}
          {plan.deprecated && tagPill(messages.deprecated)}
        </span>
      </a>
    </li>
  );
}

/** Lets long paths and names of code break between their parts. */
const broken = (label: string, pattern: RegExp) => (pattern.test(label) ? withBreaks(label) : label);
const besidePill = /\/|\S{16}/;
const alone = /\S{20}/;

function outsideLink(context: SidebarContext, node: Extract<NavNode, { type: "link" }>): JsxNode {
  const link = outside(context, node.href);
  return (
    <li>
      <a class="sidebar-link" {...link} data-external={link["target"] && ""}>
        {icon(context, node)}
        <span>
          {node.label}
          {node.tag && tagPill(node.tag)}
        </span>
      </a>
    </li>
  );
}

/** A nested group is a disclosure. If it has a page, its name opens the page and only the arrow toggles the group. */
function nestedGroup(context: SidebarContext, group: NavGroup): JsxNode {
  const label = (
    <>
      {groupIcon(context, group)}
      <span>
        {broken(group.label, alone)}
        {group.tag && tagPill(group.tag)}
      </span>
    </>
  );
  const { messages, drilldown } = context;
  const landing = group.root ?? (drilldown ? group.first : undefined);
  if (isCollapsed(context, group))
    return (
      <li>
        <a
          class="sidebar-link"
          href={pageHref(context, group.first)}
          data-nav-group={landing === undefined ? String(group.id) : undefined}
        >
          {label}
        </a>
      </li>
    );
  const folded = (summary: JsxNode) => (
    <details
      class="sidebar-nested"
      data-group={String(group.id)}
      open={group.expanded}
      data-mark={group.expanded ? undefined : `g${group.id} open`}
    >
      {summary}
      {list(context, group)}
    </details>
  );
  if (landing === undefined) return <li>{folded(<summary class="sidebar-link">{label}</summary>)}</li>;
  const mark = (kind: string) => (group.root === undefined ? undefined : `p${landing} ${kind}`);
  return (
    <li data-mark={mark("active")}>
      <a class="sidebar-link" href={pageHref(context, landing)} data-mark={mark("current")}>
        {label}
      </a>
      {folded(<summary class="sidebar-fold" aria-label={`${group.label}: ${messages.pages}`} />)}
    </li>
  );
}

const isCollapsed = (context: SidebarContext, group: NavGroup): boolean =>
  context.slice !== undefined && !context.slice.open.has(group.id);

/** A link to a neighbour outside the slice, whose page shows further entries. */
function more(context: SidebarContext, node: NavNode, label: string): JsxNode {
  const page = node.type === "page" ? node.page : node.type === "group" ? node.first : undefined;
  return (
    <a class="sidebar-more" href={pageHref(context, page)}>
      {label}
    </a>
  );
}

const icon = (context: SidebarContext, node: { readonly icon?: NavGroup["icon"] }) => context.icons.of(node.icon);
const groupIcon = (context: SidebarContext, group: NavGroup) =>
  group.icon && <span class="sidebar-group-icon">{icon(context, group)}</span>;

/** A space before the tag makes screen readers read two words. */
const tagPill = (text: string): JsxNode => (
  <>
    {" "}
    <span class="nav-tag-pill">
      <span class="nav-tag-pill-text">{text}</span>
    </span>
  </>
);
