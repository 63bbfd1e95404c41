import type { ElementContent } from "hast";
import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { raw } from "../../lib/jsx/raw.js";
import type { Messages } from "../../lib/language/index.js";
import { encodePath, isHttpAddress } from "../../lib/url/index.js";
import type { PagePlan } from "../../site/site.js";
import { withBreaks } from "../components/index.js";
import type { RenderedPage, TocEntry } from "../render/index.js";
import type { ChromeContext } from "./chrome/chrome-context.js";
import { pageLabel } from "./chrome/nav-tree.js";
import { sharedFolder } from "./counterparts.js";
import { htmlOf } from "./html.js";
import { Glyph } from "./icons.js";
import { divisionsIn } from "./sections.js";
import { type ThemeOptions, themeTraits } from "./theme-options.js";

export interface PageContext
  extends Pick<ChromeContext, "site" | "prefix" | "links" | "icons" | "messages" | "renderInline"> {
  readonly plan: PagePlan;
}

/** Longer words of a title, such as addresses and names of code, may break at their joints. */
const longWord = 20;

type PageMode = "default" | "wide" | "center" | "custom" | "frame";

/** The layout of a page. Unknown modes, and those that need a server, have the default layout. */
export function pageModeOf(plan: PagePlan): PageMode {
  const { mode } = plan.frontmatter;
  return mode === "wide" || mode === "center" || mode === "custom" || mode === "frame" ? mode : "default";
}

/** Label, title, description and metadata. No part is a `p`: sites select `#content-container p`. */
export function PageHeader(
  context: PageContext & {
    readonly rendered: RenderedPage;
    readonly feed?: string | undefined;
    /** HTML of the page menu. */
    readonly menu: string;
  },
): JsxNode {
  const { plan, messages, rendered, site, feed } = context;
  const { rss, lastUpdatedDate, timestamp } = plan.frontmatter;
  const dated = typeof timestamp === "boolean" ? timestamp : site.config.metadata.timestamp;
  return (
    <header id="header" class="page-header">
      {eyebrow(context)}
      <div class="page-title-row">
        <h1 id="page-title" class="page-title">
          {plan.title.split(/(?<=\s)/).map((word) => (word.length > longWord ? withBreaks(word) : word))}
          {plan.deprecated && [" ", <span class="page-tag">{messages.deprecated}</span>]}
        </h1>
        {rss === true && feed !== undefined && (
          <a class="icon-button rss-button" href={context.links.file(context.prefix, feed)} aria-label="RSS">
            <Glyph name="rss" />
          </a>
        )}
        {context.menu !== "" && raw(context.menu)}
      </div>
      {plan.description && <div class="page-description">{inline(context, plan.description)}</div>}
      {dated && typeof lastUpdatedDate === "string" && (
        <div class="page-timestamp">
          {messages.lastModified} <time datetime={lastUpdatedDate}>{lastUpdatedDate}</time>
        </div>
      )}
      {rendered.views.length > 1 && (
        <label class="multi-view-label">
          <span>{messages.view}</span>
          <select id="multi-view-dropdown" class="multi-view-dropdown">
            {rendered.views.map((view) => (
              <option value={view.id}>{view.title}</option>
            ))}
          </select>
        </label>
      )}
      {rendered.updateTags.length > 0 && changelogFilters(messages, rendered.updateTags)}
    </header>
  );
}

/** Renders inline Markdown. Most descriptions are plain text, which is not parsed. */
const inline = ({ renderInline }: PageContext, text: string): string | ElementContent[] =>
  /[*_`[\]<>&{}\\$~!]|:\/\//.test(text) ? renderInline(text) : text;

function eyebrow({ site, plan, prefix, links, messages }: PageContext): JsxNode | undefined {
  const { breadcrumbs } = plan;
  if (breadcrumbs.length === 0) return undefined;
  const { styling, theme } = site.config;
  if ((styling.eyebrows ?? themeTraits[theme].eyebrows) === "section")
    // Many groups of an API are called "Objects", so show the group around them too.
    return (
      <div class="eyebrow">
        {breadcrumbs
          .slice(plan.api?.kind === "model" ? -2 : -1)
          .map(({ label }) => label)
          .join(" › ")}
      </div>
    );
  return (
    <nav class="eyebrow" aria-label={messages.breadcrumbs}>
      <ol class="breadcrumb-list">
        {breadcrumbs.map(({ label, urlPath }) => (
          <li class="breadcrumb-item">
            {urlPath === undefined || urlPath === plan.urlPath ? (
              label
            ) : (
              <a href={links.address(prefix, urlPath)}>{label}</a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The outline of the page. Depths start at 0, as style sheets of sites expect. */
export const tableOfContents = (messages: Messages, toc: readonly TocEntry[]): JsxNode => (
  <div id="table-of-contents-layout">
    <nav id="table-of-contents" class="toc-nav" aria-labelledby="table-of-contents-title">
      <div id="table-of-contents-title" class="toc-title">
        <Glyph name="list" />
        {messages.onThisPage}
      </div>
      <div id="table-of-contents-content">
        <ul class="toc">
          {toc.map((entry) => (
            <li class="toc-item" data-depth={String(Math.max(entry.depth - 2, 0))} data-view={entry.view}>
              <a href={`#${encodeURIComponent(entry.id.toWellFormed())}`}>{entry.text}</a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  </div>
);

/** Tags of a changelog. A script shows only the updates with the tag that a reader clicks. */
const changelogFilters = (messages: Messages, tags: readonly string[]): JsxNode => (
  <div id="changelog-filters" class="changelog-filters" role="group" aria-label={messages.filters}>
    <div id="changelog-filters-content" class="changelog-filter-list">
      {tags.map((tag) => (
        <button type="button" class="changelog-filter" aria-pressed="false" data-tag={tag}>
          {tag}
        </button>
      ))}
    </div>
  </div>
);

/** Links to the page's file in its repository, and to a new issue about it. */
export function SourceLinks({ site, plan, messages }: PageContext): JsxNode | undefined {
  const { edits, issues, repository } = site.config.feedback;
  if (!repository || !(edits || issues)) return undefined;
  const { kind, url, ref, folder } = repository;
  const start = kind === "gitlab" ? `${url}/-` : url;
  // The source may be a specification on another host.
  const canEdit = edits && !isHttpAddress(plan.sourcePath);
  const [title, body] = kind === "gitlab" ? ["issue[title]", "issue[description]"] : ["title", "body"];
  const query = new URLSearchParams([
    [title, plan.title],
    [body, plan.sourcePath],
  ]);
  const link = (href: string, text: string) => (
    <a href={href} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
  return (
    <p class="page-source">
      {canEdit && link(`${start}/edit/${ref}${folder}/${encodePath(plan.sourcePath)}`, messages.editPage)}
      {issues && link(`${start}/issues/new?${query}`, messages.reportIssue)}
    </p>
  );
}

/** Overview pages of APIs are called "Overview" in the sidebar, which says nothing outside of it. */
const neighbourLabel = (page: PagePlan): string =>
  page.api?.kind === "overview" || page.api?.kind === "group" ? page.title : pageLabel(page);

export function Pagination({ site, plan, prefix, links, messages }: PageContext): JsxNode | undefined {
  const step = (index: number | undefined, kind: "prev" | "next", label: string) =>
    index !== undefined && (
      <a class={`pagination-${kind}`} href={links.page(prefix, index)} rel={kind}>
        {kind === "prev" && <Glyph name="previous" />}
        <span class="pagination-text">
          <span class="pagination-label">{label}</span>
          <span class="pagination-title">{neighbourLabel(site.pages[index]!)}</span>
        </span>
        {kind === "next" && <Glyph name="chevron" />}
      </a>
    );
  if (plan.previous === undefined && plan.next === undefined) return undefined;
  if (plan.frontmatter["hideFooterPagination"] === true) return undefined;
  return (
    <nav id="pagination" class="pagination" aria-label={`${messages.previous}, ${messages.next}`}>
      {step(plan.previous, "prev", messages.previous)}
      {step(plan.next, "next", messages.next)}
    </nav>
  );
}

/** The pages below a group's own page. */
export function DirectoryListing({ site, plan, prefix, links, icons }: PageContext): JsxNode | undefined {
  const { style, pages } = plan.directory;
  if (style === "none" || pages.length === 0) return undefined;
  const cards = style === "card";
  return (
    <ul class={`directory directory-${style}`}>
      {pages.map((index) => {
        const child = site.pages[index]!;
        return (
          <li class="directory-page">
            <a class={cards ? "directory-card" : "directory-link"} href={links.page(prefix, index)}>
              {icons.of(child.icon)}
              <span class="directory-title">{pageLabel(child)}</span>
              {child.description && <span class="directory-description">{child.description}</span>}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

type NotFoundContext = Omit<PageContext, "plan" | "icons"> & Pick<ThemeOptions, "searchIndexes">;

/** The content of the 404 page, with a link home. The client lists pages with similar addresses. */
export function notFoundBody(context: NotFoundContext, title: string, description: string | undefined): string {
  const { site, links, prefix, messages, renderInline } = context;
  const home = site.homePage === undefined ? `${prefix}index.html` : links.page(prefix, site.homePage);
  return htmlOf(
    <div class="not-found-container">
      <p class="not-found-status-code">404</p>
      <h1 class="not-found-title" id="page-title">
        {title}
      </h1>
      <div class="not-found-description">
        {description === undefined ? messages.notFoundText : renderInline(description)}
      </div>
      <a class="button-primary not-found-home" href={home}>
        {messages.home}
      </a>
      <nav
        class="not-found-near"
        data-scopes={JSON.stringify([...scopesOf(context)])}
        aria-label={messages.similarPages}
        hidden
      />
    </div>,
  );
}

/** The search indexes of languages and versions, by folder. Those without a folder of their own are left out. */
function scopesOf({ site, searchIndexes }: NotFoundContext): Map<string, readonly string[]> {
  const scopes = new Map<string, readonly string[]>();
  for (const section of site.sections) {
    const divisions = section.kind === "language" || section.kind === "version" ? divisionsIn(site, section) : [];
    const indexes = divisions[0] ? (searchIndexes?.(divisions[0]) ?? []) : [];
    const folder = sharedFolder(divisions.flatMap(({ order }) => order).map((index) => site.pages[index]!));
    if (indexes.length > 0 && folder !== "") scopes.set(`${folder.slice(1)}/`, indexes);
  }
  return scopes;
}
