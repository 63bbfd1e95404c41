import { csvOf } from "../../../lib/csv.js";
import type { Project } from "../../jobs/index.js";
import { addSiteCommand, commandText, HowToAdd } from "../add-site.js";
import { EmptyState, PageHead } from "../components/index.js";
import { dateOf } from "../format.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleRoute } from "../route.js";
import { rangeBefore, readRange, type ViewRange } from "./view-range.js";
import { ViewsPage } from "./views-page.js";

const noSites = ({ deps, role }: ConsoleContext): ConsoleAnswer => ({
  title: "Views",
  page: (
    <>
      <PageHead title="Views" />
      <EmptyState icon="views" title="No sites yet" command={addSiteCommand(deps)}>
        Views are counted for each site. <HowToAdd role={role} />
      </EmptyState>
    </>
  ),
});

const daysOf = ({ first, last }: Pick<ViewRange, "first" | "last">) => ({ from: first, to: last + 1 });

/** As many paths as a site may have. */
const maxRows = 20_000;

const pageSize = 25;
const missingCount = 10;
const searchCount = 200;

/** Page views of a site. */
export const viewRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: "/views", role: "reader", handle: showViews },
  { method: "GET", path: "/views/csv", role: "reader", handle: exportViews },
];

async function showViews(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, query } = context;
  const { project, projects } = await chosenSite(context);
  if (!project) return projects.length === 0 ? noSites(context) : "not-found";
  const { views } = deps.store;
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
  const page = (
    <ViewsPage
      project={project}
      importCommand={commandText(deps, `analytics import ${project.domain} --format combined access.log`)}
      projects={projects}
      query={query}
      range={range}
      path={path}
      list={list}
      before={before.totals}
      others={all.totals.others}
      visitors={visitors.totals}
      byDay={byDay}
      missing={missing}
      searches={searches.searches}
      next={list.hasMore ? String(offset + pageSize) : undefined}
      isEmpty={ever.views.length === 0}
    />
  );
  return { title: `Views of ${project.domain}`, page };
}

async function exportViews(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { project } = await chosenSite(context);
  return project ? csvFile(context, project) : "not-found";
}

async function csvFile({ deps, query }: ConsoleContext, { projectId, domain }: Project): Promise<ConsoleAnswer> {
  const range = readRange(query, deps.now());
  const page = { limit: maxRows, offset: 0, allKinds: true };
  const { views } = await deps.store.views.views(projectId, daysOf(range), page);
  const rows = views.map(({ path, human, ai, total, others }) => [
    path,
    human,
    ai,
    total,
    ...[others?.search, others?.training, others?.otherAi, others?.bot].map((count) => count ?? 0),
  ]);
  const titles = ["path", "human", "ai", "total", "search", "training", "otherAi", "bot"];
  return {
    file: csvOf(titles, rows),
    type: "text/csv; charset=utf-8",
    name: `views-${domain}-${dateOf(range.first)}-${dateOf(range.last)}.csv`,
  };
}

/** The site that `?site=` names; without it the first one. Undefined: the organization has no such site. */
async function chosenSite({ deps, organization, query }: ConsoleContext): Promise<{
  readonly project?: Project;
  readonly projects: readonly Project[];
}> {
  const projects = await deps.store.accounts.projects(organization.organizationId);
  const written = query.get("site");
  return { project: written === null ? projects[0] : projects.find(({ domain }) => domain === written), projects };
}
