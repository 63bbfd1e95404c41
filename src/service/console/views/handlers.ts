import { csvOf } from "../../../lib/csv.js";
import type { Project } from "../../jobs/index.js";
import { dateOf } from "../format.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";
import { rangeBefore, readRange, type ViewRange } from "./view-range.js";
import { noSitesPage, viewsPage } from "./views-page.js";

/** A site has at most as many paths. */
const maxRows = 20_000;
const pageSize = 25;
const missingCount = 10;
const searchCount = 200;

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
  return viewsPage(context, {
    project,
    projects,
    range,
    path,
    list,
    before: before.totals,
    others: all.totals.others,
    visitors: visitors.totals,
    byDay,
    missing,
    searches: searches.searches,
    next: list.hasMore ? String(offset + pageSize) : undefined,
    isEmpty: ever.views.length === 0,
  });
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

interface ChosenSite {
  /** Undefined if the organization has no such site. */
  readonly project?: Project;
  readonly projects: readonly Project[];
}

/** The site that `?site=` names; without it the first one. */
async function chosenSite({ store, organizationId, query }: ConsoleContext): Promise<ChosenSite> {
  const projects = await store.accounts.projects(organizationId);
  const name = query.get("site");
  return { project: name === null ? projects[0] : projects.find(({ domain }) => domain === name), projects };
}
