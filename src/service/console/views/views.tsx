import { csvOf } from "../../../lib/csv.js";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { KindCounts, MissingPath, PathCounts, Project, SearchRow } from "../../jobs/index.js";
import { addSiteCommand, commandText, HowToAdd } from "../add-site.js";
import * as ui from "../components/index.js";
import { dateOf, formatCount } from "../format.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleDeps } from "../route.js";
import { rangeBefore, rangeTexts, readRange, type ViewRange, viewBars } from "./view-range.js";

const viewsPath = "/console/views";
const locale = "en";

/** A site has at most as many paths. */
const maxRows = 20_000;
const pageSize = 25;
const missingCount = 10;
const searchCount = 200;

const noSitesPage = ({ deps, role }: ConsoleContext): ConsoleAnswer => ({
  title: "Views",
  page: [
    <ui.PageHead title="Views" />,
    <ui.EmptyState icon="views" title="No sites yet" command={addSiteCommand(deps)}>
      Views are counted for each site. <HowToAdd role={role} />
    </ui.EmptyState>,
  ],
});

/** Shows the page views of a site. */
export async function showViews(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, query } = context;
  const { views } = context.store;
  const { project, projects } = await chosenSite(context);
  if (!project) return projects.length === 0 ? noSitesPage(context) : "not-found";
  const { projectId } = project;
  const range = readRange(query, deps.now());
  const path = query.get("path") ?? undefined;
  const days = daysOf(range);
  const offset = Math.min(maxRows, Number(/^\d{1,6}$/.exec(query.get("after") ?? "")?.[0] ?? 0));
  const [list, before, all, visitors, byDay, missing, searches, ever] = await Promise.all([
    views.views(projectId, days, { limit: pageSize, offset }),
    views.views(projectId, daysOf(rangeBefore(range)), { limit: 1, offset: 0 }),
    views.views(projectId, days, { limit: 1, offset: 0, allKinds: true }),
    views.visitors(projectId, days, { limit: 1, offset: 0 }),
    views.byDay(projectId, days, path),
    views.missing(projectId, missingCount),
    views.searches(projectId, days, { limit: searchCount, offset: 0 }),
    views.views(projectId, {}, { limit: 1, offset: 0, allKinds: true }),
  ]);
  const { human, ai, total } = list.totals;
  const addressFor = (page: string | undefined): string => ui.listAddress(viewsPath, query, { path: page });
  const next = list.hasMore ? String(offset + pageSize) : undefined;
  return {
    title: `Views of ${project.domain}`,
    page: [
      <ui.PageHead title="Views" lead="What people and AI agents read.">
        <ui.LinkButton href={ui.listAddress(`${viewsPath}/csv`, query, { path: undefined })} label="Download CSV" />
      </ui.PageHead>,
      rangeForm(project, projects, range),
      ever.views.length === 0
        ? nothingCounted(deps, project)
        : [
            <dl class="tiles">
              <Tile label="Views" value={total} before={before.totals.total} />
              <Tile label="By people" value={human} before={before.totals.human} />
              <Tile label="By AI agents" value={ai} before={before.totals.ai} />
              <Tile label="Visitors" value={visitors.totals.human} hint="Sum of the days" />
            </dl>,
            <ui.Section
              title={path === undefined ? "By day" : path}
              lead={path === undefined ? undefined : "Views of this page."}
              actions={path !== undefined && <a href={addressFor(undefined)}>All pages</a>}
            >
              <div class="panel">
                <ui.Chart
                  title={`Views from ${dateOf(range.first)} to ${dateOf(range.last)}`}
                  series={["People", "AI agents"]}
                  bars={viewBars(byDay, range.first, range.last, locale)}
                  locale={locale}
                />
              </div>
            </ui.Section>,
            <ui.Section title="Pages">
              {list.views.length === 0 ? (
                <p class="hint">No pages were read in this period.</p>
              ) : (
                <ui.Table label="Pages" columns={pageColumns(list.views[0]!.total, addressFor)} rows={list.views} />
              )}
              <ui.Pager path={viewsPath} query={query} next={next} />
            </ui.Section>,
            <Missing missing={missing} />,
            <Searches searches={searches.searches} />,
            <Others others={all.totals.others} />,
          ],
    ],
  };
}

const daysOf = ({ first, last }: Pick<ViewRange, "first" | "last">) => ({ from: first, to: last + 1 });

export async function exportViews(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, store, query } = context;
  const { project } = await chosenSite(context);
  if (!project) return "not-found";
  const range = readRange(query, deps.now());
  const page = { limit: maxRows, offset: 0, allKinds: true };
  const { views } = await store.views.views(project.projectId, daysOf(range), page);
  const titles = ["path", "human", "ai", "total", "search", "training", "otherAi", "bot"];
  const rows = views.map(({ path, human, ai, total, others }) => [
    path,
    human,
    ai,
    total,
    ...[others?.search, others?.training, others?.otherAi, others?.bot].map((count) => count ?? 0),
  ]);
  return {
    file: csvOf(titles, rows),
    type: "text/csv; charset=utf-8",
    name: `views-${project.domain}-${dateOf(range.first)}-${dateOf(range.last)}.csv`,
  };
}

/** The site that `?site=` names, undefined if the organization has no such site; without it the first one. */
async function chosenSite({ store, organizationId, query }: ConsoleContext) {
  const projects = await store.accounts.projects(organizationId);
  const name = query.get("site");
  return { project: name === null ? projects[0] : projects.find(({ domain }) => domain === name), projects };
}

/** Each site has one way in which its views are counted. */
function nothingCounted(deps: ConsoleDeps, { domain, counting }: Project): JsxNode {
  if (counting.humansFrom === "logs" || counting.agentsFrom === "logs")
    return (
      <ui.EmptyState
        icon="views"
        title="Nothing has been counted yet"
        command={commandText(deps, `analytics import ${domain} --format combined access.log`)}
      >
        The views of this site are counted from the access logs of its web server. Import them:
      </ui.EmptyState>
    );
  return (
    <ui.EmptyState
      icon="views"
      title="Nothing has been counted yet"
      command={`offprint serve ./offprint-out --count ${domain}`}
    >
      Views are counted where the site is served. Who serves it otherwise counts with a script in its pages, or from
      access logs.
    </ui.EmptyState>
  );
}

interface TileProps {
  readonly label: string;
  readonly value: number;
  readonly before?: number;
  readonly hint?: string;
}

function Tile({ label, value, before, hint }: TileProps): JsxNode {
  return (
    <div class="tile">
      <dt class="tile-title">{label}</dt>
      <dd class="tile-value">{formatCount(value)}</dd>
      <dd class="tile-note">{before === undefined ? hint : changeText(value, before)}</dd>
    </div>
  );
}

function changeText(value: number, before: number): string {
  if (before === 0) return value === 0 ? "None before" : "New";
  const change = Math.round((100 * (value - before)) / before);
  return `${change > 0 ? "+" : change < 0 ? "\u2212" : "\u00b1"}${formatCount(Math.abs(change))}% on the time before`;
}

const pageColumns = (maxTotal: number, addressFor: (path: string) => string): readonly ui.Column<PathCounts>[] => [
  {
    title: "Page",
    kind: "wide",
    of: ({ path, total }) => (
      <span class="stack">
        <a class="row-link" href={addressFor(path)}>
          {path}
        </a>
        <svg class="share" aria-hidden="true">
          <rect width={`${Math.round((1000 * total) / Math.max(1, maxTotal)) / 10}%`} height="100%" rx="2" />
        </svg>
      </span>
    ),
  },
  { title: "People", kind: "number", of: ({ human }) => formatCount(human) },
  { title: "AI agents", kind: "number", of: ({ ai }) => formatCount(ai) },
  { title: "Total", kind: "number", of: ({ total }) => <strong>{formatCount(total)}</strong> },
];

function Missing({ missing }: { readonly missing: readonly MissingPath[] }): JsxNode {
  const columns: readonly ui.Column<MissingPath>[] = [
    { title: "Address", kind: "wide", of: ({ path }) => <code>{path}</code> },
    { title: "Asked for", kind: "number", of: ({ views }) => formatCount(views) },
    { title: "Last", of: ({ lastSeenAt }) => <ui.Time at={lastSeenAt} /> },
  ];
  return (
    <ui.Section title="Missing pages" lead="URLs without a page that readers requested in the last 30 days.">
      {missing.length === 0 ? (
        <p class="hint">None: every reader found a page.</p>
      ) : (
        <ui.Table label="Missing pages" columns={columns} rows={missing} />
      )}
    </ui.Section>
  );
}

const shownSearches = 20;

/** Searches without a result come first. */
function Searches({ searches }: { readonly searches: readonly SearchRow[] }): JsxNode {
  const columns: readonly ui.Column<SearchRow>[] = [
    { title: "Search", kind: "wide", of: ({ query }) => query },
    {
      title: "Result",
      of: ({ results, topPath }) =>
        results === 0 ? (
          <ui.Badge kind="warning">No result</ui.Badge>
        ) : (
          <span class="faint">{topPath ?? "not opened"}</span>
        ),
    },
    { title: "Searches", kind: "number", of: (row) => formatCount(row.searches) },
    { title: "Opened", kind: "number", of: ({ clicks }) => formatCount(clicks) },
  ];
  const sorted = [...searches.filter(({ results }) => results === 0), ...searches.filter(({ results }) => results > 0)];
  return (
    <ui.Section
      title="Searches"
      lead="A search appears here when at least three visitors have typed it on the same day."
    >
      {sorted.length === 0 ? (
        <p class="hint">None in this time.</p>
      ) : (
        <ui.Table label="Searches" columns={columns} rows={sorted.slice(0, shownSearches)} />
      )}
    </ui.Section>
  );
}

const otherTexts = [
  ["search", "Search engines", "Googlebot, bingbot and others that build a search index."],
  ["training", "Training crawlers", "GPTBot, ClaudeBot and others that collect training data for models."],
  ["otherAi", "Other bots of AI companies", "Neither of the above."],
  ["bot", "Other bots", "Monitors, link previews, scanners, programs."],
] as const;

function Others({ others }: { readonly others: KindCounts["others"] }): JsxNode {
  const columns: readonly ui.Column<(typeof otherTexts)[number]>[] = [
    {
      title: "Kind",
      kind: "wide",
      of: ([, title, text]) => <ui.RowText below={text}>{title}</ui.RowText>,
    },
    { title: "Requests", kind: "number", of: ([name]) => formatCount(others?.[name] ?? 0) },
  ];
  return (
    <ui.Section title="Other programs" lead="Not part of the views above.">
      <ui.Table label="Other programs" columns={columns} rows={otherTexts} />
    </ui.Section>
  );
}

/** Links for the usual ranges, and a form for the site and two dates. */
function rangeForm({ domain }: Project, projects: readonly Project[], range: ViewRange): JsxNode {
  return (
    <div class="filters">
      <ui.Segments
        label="Time"
        choices={rangeTexts.map(([name, text]) => [
          text,
          `${viewsPath}?${new URLSearchParams({ site: domain, range: name })}`,
          name === range.name,
        ])}
      />
      <form class="filter range" method="get" action={viewsPath}>
        {projects.length > 1 ? (
          <label>
            <span>Site</span>
            <select name="site">
              <ui.Options options={projects.map((site) => [site.domain, site.domain])} chosen={domain} />
            </select>
          </label>
        ) : (
          <input type="hidden" name="site" value={domain} />
        )}
        <label>
          <span>From</span>
          <input type="date" name="from" value={dateOf(range.first)} required />
        </label>
        <label>
          <span>Through</span>
          <input type="date" name="to" value={dateOf(range.last)} required />
        </label>
        <ui.Button kind="plain" label="Show" />
        <span class="hint">Days in UTC</span>
      </form>
    </div>
  );
}
